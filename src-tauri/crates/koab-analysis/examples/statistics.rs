//! Error rates and costs of the statistical methods, by simulation, for `cargo xtask bench`: one
//! JSON object per line.
//!
//! `statistics gate|judges|across|detectable|adaptive|ppi FOLDER [DRAWS]`, where the folder
//! contains reports.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program of the benchmarks")]

use koab_analysis::across::simulation::{self as across, AcrossTruth};
use koab_analysis::across::{Part, detectable};
use koab_analysis::adaptive::AdaptiveOptions;
use koab_analysis::adaptive::simulation::leave_one_out;
use koab_analysis::gate::GateOptions;
use koab_analysis::gate::simulation::{SimulatedJudge, Solved, simulate};
use koab_analysis::ppi::simulation as ppi;
use koab_core::score::MetricId;
use koab_report::read_json;
use serde_json::{Value, json};
use std::path::Path;

/// Number of draws of each simulation.
const DRAWS: usize = 1000;
/// Seed of the draws.
const SEED: u64 = 21;
/// Number of items of the two other benchmarks.
const OTHERS: [usize; 2] = [1306, 3641];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let draws = arguments.get(2).map_or(DRAWS, |draws| draws.parse().unwrap());
    let folder = arguments.get(1).map(Path::new);
    match arguments.first().map(String::as_str) {
        Some("gate") => gate(&solved(folder.unwrap()), draws),
        Some("judges") => judges(&solved(folder.unwrap()), draws),
        Some("across") => across(draws),
        Some("detectable") => power(&solved(folder.unwrap())),
        Some("adaptive") => adaptive(&solved(folder.unwrap())),
        Some("ppi") => ppi(draws),
        other => panic!("no such simulation: {other:?}"),
    }
}

fn gated(solved: &Solved, loss: f64, judge: SimulatedJudge, draws: usize) -> Value {
    let result = simulate(solved, loss, judge, &GateOptions::default(), draws, SEED).unwrap();
    json!({
        "loss": loss, "draws": draws, "passes": result.passes(), "failures": result.failures(),
        "median_attempts": result.median_attempts, "median_share": result.median_share,
        "mean_difference": result.mean_difference, "mean_flips": result.mean_flips,
    })
}

fn gate(solved: &Solved, draws: usize) {
    for loss in [0.0, 0.05, 0.1] {
        println!("{}", gated(solved, loss, SimulatedJudge::Steady, draws));
    }
}

/// Simulates gates with judges that contradict themselves, and that the gate asks again.
fn judges(solved: &Solved, draws: usize) {
    let judges = [
        ("0 %", SimulatedJudge::Everywhere(0.0)),
        ("5 %", SimulatedJudge::Everywhere(0.05)),
        ("15 %", SimulatedJudge::Everywhere(0.15)),
        ("15 % at some answers", SimulatedJudge::Somewhere(0.15)),
    ];
    // Each combination has its own thread.
    let of = judges.iter().flat_map(|of| [0.0, 0.05].map(|loss| (of, loss)));
    let lines: Vec<Value> = std::thread::scope(|scope| {
        let played = of.map(|((name, judge), loss)| {
            scope.spawn(move || {
                let mut line = gated(solved, loss, *judge, draws);
                line["judge"] = json!(name);
                line
            })
        });
        let played: Vec<_> = played.collect();
        played.into_iter().map(|one| one.join().unwrap()).collect()
    });
    lines.iter().for_each(|line| println!("{line}"));
}

/// Prints the smallest difference that is found in 80 % of trials: with the public reports alone,
/// and with all three benchmarks under an assumed discordance.
fn power(solved: &Solved) {
    let (tasks, models) = (solved.groups.len(), &solved.models);
    let pairs = (0..models.len()).flat_map(|at| (at + 1..models.len()).map(move |other| (at, other)));
    let apart = |(one, other): (usize, usize)| {
        let differ = models[one].iter().zip(&models[other]).filter(|(a, b)| a != b);
        differ.count() as f64 / tasks as f64
    };
    let apart: Vec<f64> = pairs.map(apart).collect();
    let discordance = apart.iter().sum::<f64>() / apart.len() as f64;
    let of = |sizes: &[usize], discordance: f64, is_by_item: bool| {
        let all: usize = sizes.iter().sum();
        let part = |items: &usize| Part {
            weight: if is_by_item { *items as f64 / all as f64 } else { 1.0 / sizes.len() as f64 },
            items: *items,
            discordance,
        };
        detectable(&sizes.iter().map(part).collect::<Vec<_>>(), 0.05, 0.8)
    };
    println!("{}", json!({"discordance": discordance, "alone": of(&[tasks], discordance, true)}));
    for discordance in [0.1, 0.2, 0.3] {
        let sizes = [tasks, OTHERS[0], OTHERS[1]];
        let [item, benchmark] = [true, false].map(|is_by_item| of(&sizes, discordance, is_by_item));
        println!("{}", json!({"discordance": discordance, "item": item, "benchmark": benchmark}));
    }
}

/// Estimates each public model with the reports of the seven others, with 100 seeds.
fn adaptive(solved: &Solved) {
    let scores = |of: &Vec<bool>| of.iter().map(|one| Some(*one)).collect::<Vec<_>>();
    let all: Vec<Vec<Option<bool>>> = solved.models.iter().map(scores).collect();
    let options = AdaptiveOptions { at_once: AdaptiveOptions::AT_ONCE, ..AdaptiveOptions::default() };
    let models = leave_one_out(&all, &options, 100).unwrap();
    let (mut item_counts, mut near, mut held) = (Vec::new(), 0, 0);
    for model in &models {
        let (items, error) = model.means();
        println!("{}", json!({"rate": model.rate, "items": items, "error": error}));
        near += model.near(0.03);
        held += model.held();
        item_counts.extend(model.runs.iter().map(|one| one.asked));
    }
    item_counts.sort_unstable();
    let share = |count: usize| count as f64 / item_counts.len() as f64;
    let line = json!({
        "runs": item_counts.len(), "near": share(near), "held": share(held), "median": item_counts[item_counts.len() / 2],
        "of": solved.groups.len(),
    });
    println!("{line}");
}

fn ppi(draws: usize) {
    let result = ppi::simulate(draws, SEED).unwrap();
    let share = |count: usize| count as f64 / draws as f64;
    let line = json!({
        "draws": draws, "covered": share(result.covered), "covered_by_people": share(result.covered_by_people),
        "width": result.width, "width_of_people": result.width_of_people,
    });
    println!("{line}");
}

fn across(draws: usize) {
    let truths =
        [("usual", AcrossTruth::USUAL), ("quiet", AcrossTruth::QUIET), ("alike", AcrossTruth::ALIKE)];
    for (name, truth) in truths {
        let result = across::simulate(truth, draws, SEED);
        let share = |count: usize| count as f64 / draws as f64;
        let line = serde_json::json!({
            "truth": name, "draws": draws, "item": share(result.covered[0]), "benchmark": share(result.covered[1]),
            "alarms_item": share(result.alarms[0]), "alarms_benchmark": share(result.alarms[1]),
            "strata": result.strata_covered as f64 / result.strata as f64,
        });
        println!("{line}");
    }
}

/// Tasks that the models of a folder's reports solved.
fn solved(folder: &Path) -> Solved {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> =
        entries.map(|entry| entry.unwrap().path().join("evaluation_report.json")).collect();
    files.sort();
    let reports = files.iter().map(|file| read_json(&std::fs::read(file).unwrap()).unwrap().report);
    let mut solved = Solved { groups: Vec::new(), models: Vec::new() };
    for report in reports {
        let tasks = || report.levels.iter().flat_map(|of| of.tasks.iter().map(move |task| (&of.level, task)));
        solved.groups = tasks().map(|(level, _)| level.to_string()).collect();
        let is_solved = |task: &koab_report::TaskReport| task.value(MetricId::Sr) == Some(1.0);
        solved.models.push(tasks().map(|(_, task)| is_solved(task)).collect());
    }
    solved
}
