//! How often the methods err and what they cost, by simulation, for `cargo xtask bench`: one object of JSON a line.
//!
//! `statistics gate|across FOLDER [DRAWS]`, where the folder holds reports.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program of the benchmarks"
)]

use koab_analysis::across::simulation::{self as across, AcrossTruth};
use koab_analysis::gate::GateOptions;
use koab_analysis::gate::simulation::{SimulatedJudge, Solved, simulate};
use koab_core::score::MetricId;
use koab_report::read_json;
use std::path::Path;

/// Draws of each simulation.
const DRAWS: usize = 1000;
/// Where the draws begin.
const SEED: u64 = 21;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let draws = arguments.get(2).map_or(DRAWS, |draws| draws.parse().unwrap());
    match arguments.first().map(String::as_str) {
        Some("gate") => gate(&solved(Path::new(&arguments[1])), draws),
        Some("across") => across(draws),
        other => panic!("no such simulation: {other:?}"),
    }
}

fn gate(solved: &Solved, draws: usize) {
    for loss in [0.0, 0.05, 0.1] {
        let found = simulate(solved, loss, &GateOptions::default(), draws, SEED).unwrap();
        let line = serde_json::json!({
            "loss": loss, "draws": draws, "passes": found.passes(), "failures": found.failures(),
            "median_attempts": found.median_attempts, "median_share": found.median_share,
            "mean_difference": found.mean_difference,
        });
        println!("{line}");
    }
}

fn across(draws: usize) {
    let truths = [
        ("usual", AcrossTruth::USUAL),
        ("quiet", AcrossTruth::QUIET),
        ("alike", AcrossTruth::ALIKE),
    ];
    for (name, truth) in truths {
        let found = across::simulate(truth, draws, SEED);
        let share = |count: usize| count as f64 / draws as f64;
        let line = serde_json::json!({
            "truth": name, "draws": draws, "item": share(found.covered[0]), "benchmark": share(found.covered[1]),
            "alarms_item": share(found.alarms[0]), "alarms_benchmark": share(found.alarms[1]),
            "strata": found.strata_covered as f64 / found.strata as f64,
        });
        println!("{line}");
    }
}

/// What the models of a folder's reports solved.
fn solved(folder: &Path) -> Solved {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path().join("evaluation_report.json"))
        .collect();
    files.sort();
    let reports = files
        .iter()
        .map(|file| read_json(&std::fs::read(file).unwrap()).unwrap().report);
    let mut solved = Solved {
        groups: Vec::new(),
        models: Vec::new(),
    };
    for report in reports {
        let tasks = || {
            report
                .levels
                .iter()
                .flat_map(|of| of.tasks.iter().map(move |task| (of.level, task)))
        };
        solved.groups = tasks().map(|(level, _)| level.to_string()).collect();
        let is_solved = |task: &koab_report::TaskReport| task.value(MetricId::Sr) == Some(1.0);
        solved
            .models
            .push(tasks().map(|(_, task)| is_solved(task)).collect());
    }
    solved
}
