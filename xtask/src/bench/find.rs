//! Benchmark of the search through the transcripts of a hundred thousand attempts.
//!
//! Requests, arguments and results come from the starter pack, as in real runs of one pack. Nearly
//! every answer is a text of its own, made of the words of the pack.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::command::{Bench, koab};
use super::measure::measure;
use super::table::{Row, Target};

/// Number of runs. Each has all levels.
const RUNS: usize = 1100;
/// Number of repetitions of the starter pack's tasks that give a run about 91 attempts.
const RUN_ATTEMPTS: usize = 91;
/// Number of words in an answer.
const ANSWER_WORDS: usize = 60;
/// Queries, from words of two characters to those that nearly every attempt has.
const QUERIES: [&str; 12] = [
    "주가",
    "날씨",
    "원",
    "비트코인",
    "answer:서울",
    "level:L3 주가",
    "model~model_3 answer~오늘",
    "tool~_ls -answer:삼성",
    "args:서울 OR args:부산",
    "error~timeout",
    "calls>=2 status:answered",
    "없습니다",
];

/// A task with the name of its level.
type LevelTask = (String, Value);

/// Makes the runs, reads them into the index, and measures queries.
pub(super) fn attempts(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let home = bench.checkout.scratch("bench-find")?;
    let (tasks, words) = pack(&bench.checkout.root)?;
    for run in 0..RUNS {
        write(home.path(), run, &tasks, &words)?;
    }
    let build = measure(&mut koab(bench, home.path(), &["find", "주가", "--count", "--json"]))?;
    let index = fs::metadata(home.path().join("indexes/find.sqlite"))?.len();
    let mut times = Vec::new();
    for _ in 0..5 {
        for query in QUERIES {
            let mut command = koab(bench, home.path(), &["find", query, "--json"]);
            let start = Instant::now();
            let output = command.output().context("koab find")?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
            let answer: Value = serde_json::from_slice(&output.stdout).context("its answer is not JSON")?;
            let searched = answer["searched"].as_u64();
            ensure!(searched == Some((RUNS * RUN_ATTEMPTS) as u64), "{searched:?} attempts were searched");
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    let name = |what: &str| format!("search through {} attempts, {what}", RUNS * RUN_ATTEMPTS);
    Ok(vec![
        Row::new(name("index made once"), build.wall.as_secs_f64(), "s"),
        Row::new(name("size of the index"), index as f64 / 1e6, "MB"),
        Row::new(name("whole command, p50"), at(0.5), "ms"),
        Row::new(name("whole command, p95"), at(0.95), "ms").target(Target::AtMost(200.0)),
    ])
}

/// Tasks of the starter pack, and all words in them.
fn pack(root: &Path) -> anyhow::Result<(Vec<LevelTask>, Vec<String>)> {
    let (mut tasks, mut words) = (Vec::new(), Vec::new());
    for level in 1..=7 {
        let path = root.join(format!("tasks/L{level}.json"));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let list: Vec<Value> = serde_json::from_str(&text)?;
        tasks.extend(list.into_iter().map(|task| (format!("L{level}"), task)));
        let letters = text.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
        words.extend(letters.filter(|word| !word.is_empty()).map(ToOwned::to_owned));
    }
    words.sort();
    words.dedup();
    Ok((tasks, words))
}

/// Writes a run in the published form.
fn write(home: &Path, run: usize, tasks: &[LevelTask], words: &[String]) -> anyhow::Result<()> {
    let model = format!("maker_model_{}", run % 20);
    let date = format!("202601{:02}_{:02}{:02}{:02}", 1 + run % 28, run / 28 % 24, run / 672, run % 60);
    let folder = home.join("logs/benchmark_results/by_model").join(&model).join(date);
    fs::create_dir_all(&folder)?;
    let mut levels: std::collections::BTreeMap<&str, Vec<Value>> = std::collections::BTreeMap::new();
    let mut state = run as u64 + 1;
    for attempt in 0..RUN_ATTEMPTS {
        let (level, task) = &tasks[attempt % tasks.len()];
        let answer: Vec<&str> =
            (0..ANSWER_WORDS).map(|_| words[random(&mut state) % words.len()].as_str()).collect();
        let answer = answer.join(" ");
        let golden = task["golden_action"].as_array().into_iter().flatten();
        let calls = golden.map(|call| {
            let args = call["args"].clone();
            json!({"step": 1, "tool_name": call["tool"], "arguments": args, "success": true, "error": null,
                   "result": {"tool": call["tool"], "args": call["args"]}})
        });
        let calls: Vec<Value> = calls.collect();
        levels.entry(level).or_default().push(json!({
            "task_id": format!("{level}-{attempt:03}"), "instruction": task["instruction"], "success": true,
            "error": null, "steps_taken": 2, "execution_time": 1.5, "tool_calls": calls, "final_response": answer,
            "conversation_log": {"messages": [
                {"role": "user", "content": task["instruction"]}, {"role": "assistant", "content": answer}]},
        }));
    }
    for (level, results) in levels {
        let metadata =
            json!({"model": model.replacen('_', "/", 1), "level": level, "total_tasks": results.len()});
        fs::write(
            folder.join(format!("{level}.json")),
            json!({"metadata": metadata, "results": results}).to_string(),
        )?;
    }
    Ok(())
}

/// Next number of a linear congruential generator.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}
