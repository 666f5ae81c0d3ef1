//! The eight published reports side by side, against numbers taken straight from their JSON.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::parity_support::{json, published, shared, text};
use koab_core::level::Level;
use koab_core::score::composite::CompositeVariant;
use koab_report::interval::{Intervals, intervals};
use koab_report::{Comparison, Contender, Report, compare, read_combined, read_json, read_summary};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folders(parity: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(parity.join("reports")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// The reports in their typed form.
fn plain(parity: &Path) -> Vec<Report> {
    let files = folders(parity).into_iter().map(|folder| folder.join("evaluation_report.json"));
    files.map(|file| read_json(text(&file).as_bytes()).unwrap().report).collect()
}

/// Reports side by side, and as plain JSON.
fn both(parity: &Path) -> (Comparison, Vec<Value>) {
    let documents: Vec<Value> =
        folders(parity).into_iter().map(|folder| json(&folder.join("evaluation_report.json"))).collect();
    let reports: Vec<(Report, Intervals)> = plain(parity)
        .into_iter()
        .map(|report| {
            let found = intervals(&report);
            (report, found)
        })
        .collect();
    let contender = |(report, found): &'_ (Report, Intervals)| -> Vec<_> {
        let value = |variant: CompositeVariant| report.composite(variant).composite;
        let composites = found.composites.iter();
        composites.map(|(variant, bounds)| (*variant, value(*variant), bounds.clone())).collect()
    };
    let contenders: Vec<Contender<'_>> = reports
        .iter()
        .map(|both| Contender { report: &both.0, intervals: &both.1.levels, composites: contender(both) })
        .collect();
    (compare(&contenders), documents)
}

#[test]
fn the_matrix_is_that_of_the_files() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let (compared, documents) = both(&parity);
    assert_eq!((documents.len(), compared.levels.len()), (8, 7));
    let mut cells = 0;
    for level in &compared.levels {
        let of = |document: &Value| document["by_level"][level.level.as_str()]["metrics"].clone();
        for metric in &level.metrics {
            let plain: Vec<Option<f64>> =
                documents.iter().map(|d| of(d)[metric.metric.name()].as_f64()).collect();
            assert_eq!(metric.means.values, plain, "{} {}", level.level, metric.metric);
            let first = plain[0].unwrap();
            let top = plain.iter().flatten().copied().fold(f64::MIN, f64::max);
            let equal = plain.iter().flatten().all(|value| *value == top);
            for (at, value) in plain.iter().enumerate() {
                assert_eq!(metric.means.deltas[at], Some(value.unwrap() - first));
                assert_eq!(metric.means.best[at], !equal && *value == Some(top));
                match (&metric.means.intervals[at], &metric.means.no_interval[at]) {
                    (Some(found), None) => assert!(
                        found.low <= value.unwrap() + 1e-12 && value.unwrap() <= found.high + 1e-12,
                        "{} {}: {found:?}",
                        level.level,
                        metric.metric
                    ),
                    (None, Some(why)) => assert!(why.to_string().contains("same score"), "{why}"),
                    both => panic!("an interval or a reason, not {both:?}"),
                }
                cells += 1;
            }
        }
        let common = ["SR", "EPR_CVR", "pass@k", "RRR"];
        for (at, document) in documents.iter().enumerate() {
            let metrics = of(document);
            let own =
                metrics.as_object().unwrap().iter().filter(|(name, _)| !common.contains(&name.as_str()));
            let own: Vec<f64> = own.map(|(_, value)| value.as_f64().unwrap()).collect();
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            assert!((level.own.values[at].unwrap() - mean).abs() < 1e-12);
        }
    }
    assert_eq!(cells, 8 * (7 * 4 + 16), "four common metrics a level and sixteen own ones");
}

#[test]
fn composites_and_ranks_are_those_computed_by_the_original_data() {
    let Some(parity) = shared("parity") else { return };
    let (compared, _) = both(&parity);
    let expected = json(&parity.join("expected.json"));
    let first = &compared.composites[0];
    assert_eq!(first.variant, "flat_report");
    let mut plain = Vec::new();
    for (at, folder) in folders(&parity).iter().enumerate() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let model = name.rsplit_once('_').unwrap().0;
        let value = expected[model]["composite"]["flat_report"]["composite"].as_f64().unwrap();
        assert!((first.values.values[at].unwrap() - value).abs() < 1e-12, "{model}");
        plain.push(value);
    }
    let ranks: Vec<Option<u32>> = plain
        .iter()
        .map(|value| Some(1 + plain.iter().filter(|other| *other > value).count() as u32))
        .collect();
    assert_eq!(compared.ranks, ranks);
    let seed = compared.composites.iter().find(|c| c.variant == "flat_seed").unwrap();
    let why = seed.values.reasons[0].as_ref().map(ToString::to_string);
    assert_eq!(why.as_deref(), Some("L3 ProvAcc: the report does not have it"));
}

#[test]
fn tasks_are_won_and_lost_as_counted_by_hand() {
    let Some(parity) = published("parity", "published-runs") else { return };
    let (compared, documents) = both(&parity);
    assert_eq!(compared.tasks.len(), 91);
    let mut counted = 0;
    for duel in &compared.duels {
        let scores = |document: &Value| -> Vec<f64> {
            let tasks = document["by_level"][duel.level.as_str()]["task_evaluations"].as_array().unwrap();
            tasks.iter().map(|t| t["metrics"][duel.metric.name()]["score"].as_f64().unwrap()).collect()
        };
        let (first, other) = (scores(&documents[0]), scores(&documents[duel.report as usize]));
        let count = |holds: fn(&f64, &f64) -> bool| {
            first.iter().zip(&other).filter(|(first, other)| holds(first, other)).count() as u32
        };
        assert_eq!(
            (duel.wins, duel.losses, duel.ties, duel.missing),
            (count(|f, o| o > f), count(|f, o| o < f), count(|f, o| o == f), 0),
            "{} {} against report {}",
            duel.level,
            duel.metric,
            duel.report
        );
        counted += duel.wins + duel.losses + duel.ties;
    }
    // RRR has no score a task.
    assert_eq!(compared.duels.len(), 7 * (7 * 3 + 16));
    assert_eq!(counted, 3_304);
}

#[test]
fn summaries_say_the_same_as_the_reports_to_four_digits() {
    let Some(parity) = shared("parity") else { return };
    let reports = plain(&parity);
    let digits = |report: &Report| {
        let mut told: Vec<String> = Vec::new();
        for level in &report.levels {
            told.push(format!("{} {:?} {:?}", level.level, level.total_tasks, level.evaluated_tasks));
            let means = level
                .means
                .iter()
                .map(|mean| format!("{} {} {:.4}", level.level, mean.metric, mean.figure.value().unwrap()));
            told.extend(means);
        }
        told.sort();
        told
    };
    for (folder, report) in folders(&parity).iter().zip(&reports) {
        let summary = read_summary(&text(&folder.join("evaluation_summary.csv"))).unwrap();
        assert_eq!(digits(&summary.report), digits(report), "{}", folder.display());
        assert!(summary.report.model.is_empty() && !summary.names_judges);
        assert!(summary.report.levels.iter().all(|level| level.tasks.is_empty()));
    }
    for file in ["combined_expected.csv", "combined_published_rows.csv"] {
        let rows = read_combined(&text(&parity.join(file))).unwrap();
        assert_eq!(rows.len(), 8);
        for row in rows {
            let row = row.unwrap().read.report;
            let model = &row.model;
            let same = reports.iter().filter(|report| digits(report) == digits(&row)).count();
            assert_eq!(same, 1, "{file}: {model}");
            assert_eq!(row.level(&Level::L1).unwrap().total_tasks, Some(11));
        }
    }
}
