//! How often the methods err and what they cost, by simulation, for `cargo xtask bench`: one object
//! of JSON a line.
//!
//! `statistics gate|judges|across|detectable|adaptive|ppi FOLDER [DRAWS]`, where the folder holds
//! reports.

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

/// Draws of each simulation.
const DRAWS: usize = 1000;
/// Where the draws begin.
const SEED: u64 = 21;
/// Items of the two other benchmarks.
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
    let found = simulate(solved, loss, judge, &GateOptions::default(), draws, SEED).unwrap();
    json!({
        "loss": loss, "draws": draws, "passes": found.passes(), "failures": found.failures(),
        "median_attempts": found.median_attempts, "median_share": found.median_share,
        "mean_difference": found.mean_difference, "mean_flips": found.mean_flips,
    })
}

fn gate(solved: &Solved, draws: usize) {
    for loss in [0.0, 0.05, 0.1] {
        println!("{}", gated(solved, loss, SimulatedJudge::Steady, draws));
    }
}

/// Judges that contradict themselves, and whom the gate asks again.
fn judges(solved: &Solved, draws: usize) {
    let judges = [
        ("0 %", SimulatedJudge::Everywhere(0.0)),
        ("5 %", SimulatedJudge::Everywhere(0.05)),
        ("15 %", SimulatedJudge::Everywhere(0.15)),
        ("15 % at some answers", SimulatedJudge::Somewhere(0.15)),
    ];
    // Each is one thread's work.
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

/// The smallest difference that is found in 80 % of trials: by the public reports alone, and of all
/// three benchmarks by assumption.
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

/// Each public model by the reports of the seven others, with 100 seeds.
fn adaptive(solved: &Solved) {
    let known = |of: &Vec<bool>| of.iter().map(|one| Some(*one)).collect::<Vec<_>>();
    let all: Vec<Vec<Option<bool>>> = solved.models.iter().map(known).collect();
    let options = AdaptiveOptions { at_once: AdaptiveOptions::AT_ONCE, ..AdaptiveOptions::default() };
    let models = leave_one_out(&all, &options, 100).unwrap();
    let (mut asked, mut near, mut held) = (Vec::new(), 0, 0);
    for model in &models {
        let (items, error) = model.means();
        println!("{}", json!({"rate": model.rate, "items": items, "error": error}));
        near += model.near(0.03);
        held += model.held();
        asked.extend(model.runs.iter().map(|one| one.asked));
    }
    asked.sort_unstable();
    let share = |count: usize| count as f64 / asked.len() as f64;
    let line = json!({
        "runs": asked.len(), "near": share(near), "held": share(held), "median": asked[asked.len() / 2],
        "of": solved.groups.len(),
    });
    println!("{line}");
}

fn ppi(draws: usize) {
    let found = ppi::simulate(draws, SEED).unwrap();
    let share = |count: usize| count as f64 / draws as f64;
    let line = json!({
        "draws": draws, "covered": share(found.covered), "covered_by_people": share(found.covered_by_people),
        "width": found.width, "width_of_people": found.width_of_people,
    });
    println!("{line}");
}

fn across(draws: usize) {
    let truths =
        [("usual", AcrossTruth::USUAL), ("quiet", AcrossTruth::QUIET), ("alike", AcrossTruth::ALIKE)];
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
    let mut files: Vec<_> =
        entries.map(|entry| entry.unwrap().path().join("evaluation_report.json")).collect();
    files.sort();
    let reports = files.iter().map(|file| read_json(&std::fs::read(file).unwrap()).unwrap().report);
    let mut solved = Solved { groups: Vec::new(), models: Vec::new() };
    for report in reports {
        let tasks = || report.levels.iter().flat_map(|of| of.tasks.iter().map(move |task| (of.level, task)));
        solved.groups = tasks().map(|(level, _)| level.to_string()).collect();
        let is_solved = |task: &koab_report::TaskReport| task.value(MetricId::Sr) == Some(1.0);
        solved.models.push(tasks().map(|(_, task)| is_solved(task)).collect());
    }
    solved
}
