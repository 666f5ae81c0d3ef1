//! What the eight published reports alone can find, and what three benchmarks together could.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "these are tests, and figures are for whoever reads them"
)]

use crate::parity_support::published;
use koab_analysis::across::{AcrossItem, AcrossOptions, Part, across, detectable};
use koab_analysis::adaptive::AdaptiveOptions;
use koab_analysis::adaptive::simulation::{LeftOut, leave_one_out};
use koab_core::score::MetricId;
use koab_report::{Report, read_json};

fn reports() -> Option<Vec<Report>> {
    let folder = published("parity", "published-runs")?.join("reports");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> =
        entries.map(|entry| entry.unwrap().path().join("evaluation_report.json")).collect();
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
            apart +=
                items.iter().map(|item| (item.second - item.first).powi(2)).sum::<f64>() / items.len() as f64;
            pairs += 1.0;
            by_pair.push(found.combined.detectable);
            assert_eq!(found.heterogeneity, None, "one benchmark cannot disagree with itself");
        }
    }
    let discordance = apart / pairs;
    let alone = |items, discordance| detectable(&[Part { weight: 1.0, items, discordance }], 0.05, 0.8);
    by_pair.sort_by(f64::total_cmp);
    println!(
        "91 tasks at a mean discordance of {discordance:.4}: {:.4}; of the 28 pairs {:.4} to {:.4}",
        alone(91, discordance),
        by_pair[0],
        by_pair[27]
    );
    assert!((alone(91, discordance) - 0.128).abs() < 0.0005, "12.8 points by hand");
}

/// Whether each task was solved.
fn solved(report: &Report) -> Vec<Option<bool>> {
    let tasks = report.levels.iter().flat_map(|level| &level.tasks);
    tasks.map(|task| task.value(MetricId::Sr).map(|score| score == 1.0)).collect()
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
    let options = AdaptiveOptions { at_once, ..AdaptiveOptions::default() };
    let models = leave_one_out(all, &options, SEEDS).unwrap();
    for model in &models {
        let (asked, error) = model.means();
        println!("SR {:.4}: {asked:.1} tasks, off by {error:+.4} on average", model.rate);
    }
    let near: usize = models.iter().map(|model| model.near(0.03)).sum();
    let held: usize = models.iter().map(LeftOut::held).sum();
    let runs = models.iter().flat_map(|model| &model.runs);
    let mut asked: Vec<usize> = runs.map(|one| one.asked).collect();
    asked.sort_unstable();
    let (runs, median) = (asked.len(), asked[asked.len() / 2]);
    println!(
        "{at_once} at once: within 3 points {near} of {runs}, in the interval {held}, median {median} of 91 tasks"
    );
    assert!(near * 10 >= runs * 9, "{near} of {runs}");
    assert!(median <= 60, "{median}");
}
