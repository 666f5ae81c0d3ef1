//! `koab find`: exact counts over the published logs, and an index that follows the runs.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, copy, shared};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn total(koab: &Koab, query: &str) -> u64 {
    koab.json(&["find", query, "--count"])["total"].as_u64().unwrap()
}

/// Entries of all tasks in the level logs of a folder of runs, each with the model and the level.
fn tasks(by_model: &Path) -> Vec<(String, String, Value)> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let mut tasks = Vec::new();
    for log in below(by_model).iter().flat_map(|model| below(model)).flat_map(|run| below(&run)) {
        let document: Value = serde_json::from_slice(&fs::read(&log).unwrap()).unwrap();
        let model = document["metadata"]["model"].as_str().unwrap().to_owned();
        let level = log.file_stem().unwrap().to_str().unwrap().to_owned();
        for task in document["results"].as_array().unwrap() {
            tasks.push((model.clone(), level.clone(), task.clone()));
        }
    }
    tasks
}

fn calls(task: &Value) -> impl Iterator<Item = &Value> {
    task["tool_calls"].as_array().unwrap().iter()
}

fn says(value: &Value, part: &str) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => text.to_lowercase().contains(part),
        other => other.to_string().to_lowercase().contains(part),
    }
}

/// The counts are those of a plain look through the files.
#[test]
fn counts_over_the_published_logs_are_exact() {
    let Some(shared) = shared("counts_over_the_published_logs_are_exact") else {
        return;
    };
    let koab = Koab::new();
    let logs = shared.join("parity/logs");
    copy(&logs, &koab.path().join("logs"));
    let tasks = tasks(&logs.join("benchmark_results/by_model"));
    assert_eq!(tasks.len(), 728);
    let count = |is_meant: &dyn Fn(&str, &str, &Value) -> bool| {
        tasks.iter().filter(|(model, level, task)| is_meant(model, level, task)).count() as u64
    };
    let answers =
        |part: &'static str| move |_: &str, _: &str, task: &Value| says(&task["final_response"], part);
    for (query, expected) in [
        ("level:L5", count(&|_, level, _| level == "L5")),
        ("model~gpt-4o level:L1", count(&|model, level, _| model.contains("gpt-4o") && level == "L1")),
        ("answer:주가", count(&answers("주가"))),
        ("answer:원", count(&answers("원"))),
        ("-answer:날씨", 728 - count(&answers("날씨"))),
        ("answer:\"없습니다.\"", count(&answers("없습니다."))),
        (
            "tool:StockPrice_ls",
            count(&|_, _, task| calls(task).any(|call| call["tool_name"] == "StockPrice_ls")),
        ),
        (
            "args.query:서울",
            count(&|_, _, task| calls(task).any(|call| says(&call["arguments"]["query"], "서울"))),
        ),
        ("calls>=3", count(&|_, _, task| calls(task).count() >= 3)),
        ("steps>4", count(&|_, _, task| task["steps_taken"].as_u64().is_some_and(|steps| steps > 4))),
        ("status:answered", count(&|_, _, task| task["success"] == true)),
        ("seconds>=30", count(&|_, _, task| task["execution_time"].as_f64().is_some_and(|s| s >= 30.0))),
    ] {
        assert!(expected > 0, "{query} tests something");
        assert_eq!(total(&koab, query), expected, "{query}");
    }
    let answer = koab.json(&["find", "level:L3"]);
    let sum = |of: &str| -> u64 {
        answer[of].as_array().unwrap().iter().map(|count| count["attempts"].as_u64().unwrap()).sum()
    };
    assert_eq!((sum("models"), sum("levels")), (80, 80));
    assert_eq!((answer["searched"].as_u64(), answer["searched_runs"].as_u64()), (Some(728), Some(8)));
    assert_eq!(answer["hits"].as_array().unwrap().len(), 20);
}

fn run(koab: &Koab, id: &str, answer: &str) -> PathBuf {
    let folder = koab.path().join("logs/benchmark_results/by_model").join(id);
    fs::create_dir_all(&folder).unwrap();
    let task = json!({"task_id": "L1-001", "instruction": "오늘 날씨?", "success": true, "final_response": answer, "tool_calls": []});
    let log = json!({"metadata": {"model": "a/b", "level": "L1", "total_tasks": 1}, "results": [task]});
    fs::write(folder.join("L1.json"), log.to_string()).unwrap();
    folder
}

#[test]
fn new_changed_and_deleted_runs_are_followed() {
    let koab = Koab::new();
    assert_eq!(total(&koab, "맑음"), 0);
    run(&koab, "a_b/20260101_000000", "서울은 맑음");
    let second = run(&koab, "a_b/20260102_000000", "부산은 흐림");
    assert_eq!((total(&koab, "맑음"), total(&koab, "날씨"), total(&koab, "은")), (1, 2, 2));
    run(&koab, "a_b/20260102_000000", "부산도 이제는 맑음");
    assert_eq!(total(&koab, "맑음"), 2);
    fs::remove_dir_all(&second).unwrap();
    assert_eq!((total(&koab, "맑음"), total(&koab, "부산")), (1, 0));
    let text = koab.ok(&["find", "맑음", "--lang", "ko"]).stdout;
    assert!(text.contains("시도 1개 중 1개 일치") && text.contains("답변: 서울은 맑음"), "{text}");
    assert!(text.trim_end().ends_with("`koab open a_b/20260101_000000`"), "{text}");
}

#[test]
fn a_run_that_cannot_be_read_is_named() {
    let koab = Koab::new();
    run(&koab, "a_b/20260101_000000", "맑음");
    let broken = run(&koab, "a_b/20260102_000000", "맑음");
    fs::write(broken.join("L2.json"), "{").unwrap();
    let answer = koab.json(&["find", "맑음"]);
    assert_eq!(answer["total"], 2, "what can be read is searched");
    let unreadable = answer["index"]["unreadable"].as_array().unwrap();
    assert_eq!(unreadable.len(), 1);
    assert_eq!(unreadable[0]["run"], "a_b/20260102_000000");
    let text = koab.ok(&["find", "맑음"]).stdout;
    assert!(text.contains("not searched: a_b/20260102_000000: "), "{text}");
}

#[test]
fn a_fault_of_a_query_is_one_sentence() {
    let koab = Koab::new();
    let refused = koab.run(&["find", "toool:x"]);
    assert!(
        refused.stderr.starts_with("koab: character 1: there is no field `toool`; the fields are "),
        "{}",
        refused.stderr
    );
    assert_eq!(koab.run(&["find", "a", "steps:x"]).stderr, "koab: character 9: `x` is not a number\n");
}
