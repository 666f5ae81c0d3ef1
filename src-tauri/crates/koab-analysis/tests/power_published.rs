//! What the eight published reports alone can find, and what three benchmarks together could.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "these are tests, and figures are for whoever reads them"
)]

#[path = "../../koab-report/tests/parity_support/mod.rs"]
mod parity_support;

use koab_analysis::across::{AcrossItem, AcrossOptions, Part, across, detectable};
use koab_analysis::adaptive::{AdaptiveEstimate, AdaptiveOptions, AdaptivePlan, AdaptiveStep};
use koab_core::score::MetricId;
use koab_report::{Report, read_json};
use parity_support::shared;

fn reports() -> Option<Vec<Report>> {
    let folder = shared("parity/reports")?;
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path().join("evaluation_report.json"))
        .collect();
    files.sort();
    let report = |file| read_json(&std::fs::read(file).unwrap()).unwrap().report;
    Some(files.into_iter().map(report).collect())
}

fn items(first: &Report, second: &Report) -> Vec<AcrossItem> {
    let levels = first.levels.iter().zip(&second.levels);
    let of_level = levels.flat_map(|(one, other)| {
        one.tasks.iter().zip(&other.tasks).map(|(a, b)| {
            assert_eq!(a.id, b.id);
            AcrossItem {
                benchmark: "ko-agentbench".to_owned(),
                group: one.level.to_string(),
                first: a.value(MetricId::Sr).unwrap(),
                second: b.value(MetricId::Sr).unwrap(),
            }
        })
    });
    of_level.collect()
}

#[test]
fn two_published_reports_must_differ_by_more_than_twelve_points() {
    let Some(reports) = reports() else { return };
    let (mut apart, mut pairs, mut by_pair) = (0.0, 0.0, Vec::new());
    for (at, first) in reports.iter().enumerate() {
        for second in &reports[at + 1..] {
            let items = items(first, second);
            let found = across(&items, &AcrossOptions::default()).unwrap();
            apart += items
                .iter()
                .map(|item| (item.second - item.first).powi(2))
                .sum::<f64>()
                / items.len() as f64;
            pairs += 1.0;
            by_pair.push(found.combined.detectable);
            assert_eq!(
                found.heterogeneity, None,
                "one benchmark cannot disagree with itself"
            );
        }
    }
    let discordance = apart / pairs;
    let alone = |items, discordance| {
        detectable(
            &[Part {
                weight: 1.0,
                items,
                discordance,
            }],
            0.05,
            0.8,
        )
    };
    by_pair.sort_by(f64::total_cmp);
    println!(
        "91 tasks at a mean discordance of {discordance:.4}: {:.4}; of the 28 pairs {:.4} to {:.4}",
        alone(91, discordance),
        by_pair[0],
        by_pair[27]
    );
    assert!(
        (alone(91, discordance) - 0.128).abs() < 0.0005,
        "12.8 points by hand"
    );
}

/// Whether each task was solved.
fn solved(report: &Report) -> Vec<Option<bool>> {
    let tasks = report.levels.iter().flat_map(|level| &level.tasks);
    tasks
        .map(|task| task.value(MetricId::Sr).map(|score| score == 1.0))
        .collect()
}

fn run(plan: &AdaptivePlan, truth: &[Option<bool>]) -> AdaptiveEstimate {
    let mut answers = vec![None; truth.len()];
    loop {
        match plan.next(&answers) {
            AdaptiveStep::Items(items) => items.into_iter().for_each(|item| answers[item] = truth[item]),
            AdaptiveStep::Done(found) => return found,
        }
    }
}

/// Each of the published models from the reports of the seven others, with 100 seeds: task by task, and as `koab run --adaptive`
/// asks them, a run for several at once.
#[test]
fn an_adaptive_run_knows_a_published_model_by_the_others_reports() {
    let Some(reports) = reports() else { return };
    let all: Vec<Vec<Option<bool>>> = reports.iter().map(solved).collect();
    for at_once in [1, AdaptiveOptions::AT_ONCE] {
        left_out(&all, at_once);
    }
}

fn left_out(all: &[Vec<Option<bool>>], at_once: usize) {
    const SEEDS: u64 = 100;
    let (mut near, mut held, mut asked) = (0, 0, Vec::new());
    for (at, truth) in all.iter().enumerate() {
        let mut others = all.to_vec();
        others.remove(at);
        let options = AdaptiveOptions {
            at_once,
            ..AdaptiveOptions::default()
        };
        let plan = AdaptivePlan::new(&others, options).unwrap();
        let rate = truth.iter().flatten().filter(|one| **one).count() as f64 / truth.len() as f64;
        let runs: Vec<AdaptiveEstimate> = (0..SEEDS).map(|seed| run(&plan.seeded(seed), truth)).collect();
        near += runs.iter().filter(|one| (one.mean - rate).abs() <= 0.03).count();
        held += runs
            .iter()
            .filter(|one| (one.mean - rate).abs() <= one.half_width)
            .count();
        let error = runs.iter().map(|one| one.mean - rate).sum::<f64>() / runs.len() as f64;
        let mean = runs.iter().map(|one| one.asked as f64).sum::<f64>() / runs.len() as f64;
        println!("SR {rate:.4}: {mean:.1} tasks, off by {error:+.4} on average");
        asked.extend(runs.iter().map(|one| one.asked));
    }
    asked.sort_unstable();
    let (runs, median) = (asked.len(), asked[asked.len() / 2]);
    println!(
        "{at_once} at once: within 3 points {near} of {runs}, in the interval {held}, median {median} of 91 tasks"
    );
    assert!(near * 10 >= runs * 9, "{near} of {runs}");
    assert!(median <= 60, "{median}");
}
