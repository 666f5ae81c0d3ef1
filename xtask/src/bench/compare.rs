//! Benchmark of a library of a thousand reports: every pair by success rate, and every metric of
//! one pair.
//!
//! Each time is that of a whole command, including reading the library's index and printing. An
//! earlier command makes the index, as the window does when it shows the library.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::{Map, Value, json};

use super::command::{Bench, koab};
use super::measure::{measure, median_of};
use super::table::{Row, Target};

/// Number of reports in the generated library.
const REPORTS: usize = 1000;
/// Number of measurements of each command. The result is their median.
const RUNS: usize = 5;
/// Level, number of tasks and the level's own metrics, as in the published reports.
const LEVELS: [(&str, usize, &[&str]); 7] = [
    ("L1", 11, &["ToolAcc", "ArgAcc", "CallEM", "RespOK"]),
    ("L2", 15, &["SelectAcc"]),
    ("L3", 10, &["FSM", "PSM", "ΔSteps_norm"]),
    ("L4", 10, &["Coverage", "SourceEPR"]),
    ("L5", 20, &["AdaptiveRoutingScore", "FallbackSR"]),
    ("L6", 15, &["RedundantCallRate", "EffScore"]),
    ("L7", 10, &["ContextRetention", "RefRecall"]),
];
/// Metrics that every level has.
const COMMON: [&str; 3] = ["SR", "EPR_CVR", "pass@k"];
/// Metrics with the scores 0 and 1. Scores of other metrics are multiples of a quarter.
const YES_OR_NO: [&str; 7] = ["SR", "pass@k", "ToolAcc", "CallEM", "RespOK", "SelectAcc", "FSM"];

/// Generates the library and measures both commands on it.
pub(super) fn pairs(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let home = bench.checkout.scratch("bench-compare")?;
    for report in 0..REPORTS {
        write(home.path(), report)?;
    }
    let every = ["report", "matrix", "--json"];
    let index = measure(&mut koab(bench, home.path(), &every))?;
    let output = koab(bench, home.path(), &every).output().context("koab report matrix")?;
    let view: Value = serde_json::from_slice(&output.stdout).context("its answer is not JSON")?;
    let pairs = REPORTS * (REPORTS - 1) / 2;
    ensure!(
        view["tested"].as_u64() == u64::try_from(pairs).ok(),
        "{} pairs were tested instead of {pairs}",
        view["tested"]
    );
    let matrix = median_of(RUNS, || koab(bench, home.path(), &every))?;
    let [one, other] = [1, 2].map(name);
    let pair = median_of(RUNS, || koab(bench, home.path(), &["report", "compare", &one, &other, "--json"]))?;
    let memory = "the same, peak memory";
    Ok(vec![
        Row::new(format!("index of {REPORTS} reports of 91 tasks, made once"), index.wall.as_secs_f64(), "s"),
        Row::new(
            format!("compare matrix of {REPORTS} reports, {pairs} pairs"),
            matrix.wall.as_secs_f64() * 1e3,
            "ms",
        )
        .target(Target::AtMost(500.0)),
        match matrix.peak_rss_mib() {
            Ok(mib) => Row::new(memory, mib, "MiB"),
            Err(reason) => Row::unmeasured(memory, reason),
        },
        Row::new(
            "bootstrap and tests of all metrics of one pair, ranks as well",
            pair.wall.as_secs_f64() * 1e3,
            "ms",
        )
        .target(Target::AtMost(300.0)),
    ])
}

fn name(report: usize) -> String {
    format!("lab_model-{report:04}_20251219")
}

/// Writes a report in the published form. Its content depends only on its number.
fn write(home: &Path, report: usize) -> anyhow::Result<()> {
    let mut state = (report as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut below = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    // Models differ in the share of tasks that they solve.
    let ability = 20 + below(70);
    let mut by_level = Map::new();
    for (level, tasks, own) in LEVELS {
        let metrics: Vec<&str> = COMMON.iter().chain(own).copied().collect();
        let mut sums = vec![0.0; metrics.len()];
        let evaluations: Vec<Value> = (1..=tasks)
            .map(|task| {
                let mut scores = Map::new();
                for (metric, sum) in metrics.iter().zip(&mut sums) {
                    let hit = below(100) < ability;
                    let score = match (hit, YES_OR_NO.contains(metric)) {
                        (true, _) => 1.0,
                        (false, true) => 0.0,
                        (false, false) => [0.0, 0.25, 0.5, 0.75][below(4) as usize],
                    };
                    *sum += score;
                    scores.insert((*metric).to_owned(), json!({"score": score, "details": {}}));
                }
                json!({"task_id": format!("{level}-{task:03}"), "success": true, "metrics": scores})
            })
            .collect();
        let mut means: Map<String, Value> = metrics
            .iter()
            .zip(sums)
            .map(|(metric, sum)| ((*metric).to_owned(), json!(sum / tasks as f64)))
            .collect();
        means.insert("RRR".to_owned(), json!(1.0));
        by_level.insert(
            level.to_owned(),
            json!({"total_tasks": tasks, "evaluated_tasks": tasks, "metrics": means, "task_evaluations": evaluations}),
        );
    }
    let document = json!({
        "summary": {
            "model": format!("lab/model-{report:04}"), "judge_model": "lab/judge",
            "execution_date": "20251219", "evaluation_date": "2025-12-19T12:00:00",
        },
        "by_level": by_level,
    });
    let folder = home.join("reports").join(name(report));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("evaluation_report.json"), document.to_string())?;
    Ok(())
}
