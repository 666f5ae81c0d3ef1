//! The published runs, scored again from the published repository alone: its logs, and the judges' answers in its reports.
//!
//! What has to come out is here in figures and hashes (`published/figures.json`, made by `published/make.py` of what the published
//! evaluator gave); no log and no text of it is. `KOAB_PUBLISHED=<checkout> cargo xtask test --only parity` compares.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::parity_support::{self as support, json};
use koab_core::cache_key::sha256_hex;
use koab_core::judge::{Panel, Verdicts};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::score::composite::CompositeVariant;
use koab_core::score::{MetricSet, metrics_of};
use koab_report::{
    CombinedNames, Dataset, EvaluationOptions, Report, combine, evaluate, read_json, to_csv, to_markdown,
    verdicts_of,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const EVALUATED: &str = "evaluation_report.json";

/// A checkout of the published repository, else the reference data beside this one or fetched.
fn published() -> Option<PathBuf> {
    match std::env::var_os("KOAB_PUBLISHED") {
        Some(folder) => Some(folder.into()),
        None => support::published("parity", "published-runs"),
    }
}

fn figures() -> Value {
    json(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published/figures.json"))
}

/// A file whose bytes are the published ones.
fn file(path: &Path, sha256: &Value) -> Vec<u8> {
    let content = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(
        sha256_hex(&content),
        sha256.as_str().unwrap(),
        "{} is not the published file",
        path.display()
    );
    content
}

struct Run {
    logs: Vec<LevelLog>,
    verdicts: Verdicts,
    panel: Panel,
    /// As the published report has them.
    dates: (String, String),
}

impl Run {
    fn read(root: &Path, model: &str, wanted: &Value) -> Self {
        let date = wanted["run"].as_str().unwrap();
        let run = root.join("logs/benchmark_results/by_model").join(model).join(date);
        let log = |level: Level| {
            let content = file(&run.join(format!("{level}.json")), &wanted["logs"][level.as_str()]);
            LevelLog::read(&serde_json::from_slice(&content).unwrap()).unwrap()
        };
        let folder = root.join("reports").join(report_folder(model, wanted));
        let report = read_json(&file(&folder.join(EVALUATED), &wanted["report"][EVALUATED])).unwrap().report;
        Self {
            logs: Level::ALL.map(log).into(),
            verdicts: verdicts_of(&report),
            panel: Panel { judges: report.judges, votes: report.votes, ..Panel::default() },
            dates: (report.execution_date, report.evaluation_date),
        }
    }

    fn report(&self, metrics: MetricSet) -> Report {
        let options = EvaluationOptions {
            metrics,
            panel: self.panel.clone(),
            execution_date: self.dates.0.clone(),
            evaluation_date: self.dates.1.clone(),
            ..EvaluationOptions::default()
        };
        evaluate(&self.logs, &Dataset::none(), &self.verdicts, &options)
    }
}

fn report_folder(model: &str, wanted: &Value) -> String {
    let date = wanted["run"].as_str().unwrap();
    format!("{model}_{}", date.split('_').next().unwrap())
}

fn runs(root: &Path, figures: &Value) -> Vec<(String, Run)> {
    let models = figures["models"].as_object().unwrap().iter();
    models.map(|(model, wanted)| (model.clone(), Run::read(root, model, wanted))).collect()
}

fn bits(value: Option<f64>) -> Option<u64> {
    value.map(f64::to_bits)
}

#[test]
fn every_score_mean_and_composite_of_the_published_runs_comes_out_again() {
    let Some(root) = published() else { return };
    let figures = figures();
    let (mut scores, mut means, mut composites, mut wrong) = (0, 0, 0, Vec::new());
    for (model, run) in runs(&root, &figures) {
        let (wanted, report) = (&figures["models"][&model], run.report(MetricSet::All));
        for level in &report.levels {
            let name = level.level.as_str();
            let tasks = figures["tasks"][name].as_array().unwrap();
            for (metric, of_tasks) in wanted["scores"][name].as_object().unwrap() {
                for (task, wanted) in tasks.iter().zip(of_tasks.as_array().unwrap()) {
                    let task = task.as_str().unwrap();
                    let scored = level.tasks.iter().find(|scored| scored.id == task);
                    let found = scored.and_then(|scored| {
                        let (_, score) = scored.scores.iter().find(|(known, _)| known.name() == metric)?;
                        score.value()
                    });
                    scores += 1;
                    if bits(found) != bits(wanted.as_f64()) {
                        wrong.push(format!("{model} {task} {metric}: {found:?}, not {wanted}"));
                    }
                }
            }
            for (metric, wanted) in wanted["means"][name].as_object().unwrap() {
                let mean = level.means.iter().find(|mean| mean.metric.name() == metric);
                let found = mean.and_then(|mean| mean.figure.value());
                means += 1;
                if bits(found) != bits(wanted.as_f64()) {
                    wrong.push(format!("{model} {name} {metric}: {found:?}, not {wanted}"));
                }
            }
        }
        for variant in CompositeVariant::ALL {
            let value = report.composite(variant).composite.ok();
            let wanted = wanted["composites"][variant.name()]["composite"].as_f64().unwrap();
            composites += 1;
            if value.is_none_or(|value| (value - wanted).abs() >= 1e-12) {
                wrong.push(format!("{model} {}: {value:?}, not {wanted}", variant.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    println!("{scores} scores, {means} means and {composites} composites equal");
    assert_eq!((scores, means, composites), (3_976, 368, 48));
}

#[test]
fn the_published_texts_come_out_again_byte_for_byte() {
    let Some(root) = published() else { return };
    let figures = figures();
    let (mut texts, mut summaries) = (0, Vec::new());
    for (model, run) in runs(&root, &figures) {
        let (wanted, report) = (&figures["models"][&model], run.report(MetricSet::Head));
        let csv = to_csv(&report);
        for (name, text) in
            [("evaluation_summary.csv", &csv), ("evaluation_report.md", &to_markdown(&report))]
        {
            assert_eq!(sha256_hex(text), wanted["report"][name].as_str().unwrap(), "{model} {name}");
            texts += 1;
        }
        summaries.push((report_folder(&model, wanted), csv));
    }
    let summaries: Vec<(&str, &str)> =
        summaries.iter().map(|(folder, text)| (folder.as_str(), text.as_str())).collect();
    let combined = combine(&summaries, CombinedNames::Published).unwrap();
    assert_eq!(sha256_hex(&combined), figures["combined_csv"].as_str().unwrap());
    println!("{texts} texts and the combined summary byte-identical");
    assert_eq!(texts, 16);
}

/// Without the published repository: that the figures are whole.
#[test]
fn the_figures_are_those_of_every_task_and_metric() {
    let figures = figures();
    let tasks = figures["tasks"].as_object().unwrap();
    assert_eq!(tasks.values().map(|ids| ids.as_array().unwrap().len()).sum::<usize>(), 91);
    let models = figures["models"].as_object().unwrap();
    assert_eq!(models.len(), 8);
    for (model, of_model) in models {
        for level in Level::ALL {
            let name = level.as_str();
            for (metric, scores) in of_model["scores"][name].as_object().unwrap() {
                assert_eq!(
                    scores.as_array().unwrap().len(),
                    tasks[name].as_array().unwrap().len(),
                    "{model} {name} {metric}"
                );
                let mut metrics = metrics_of(&level, MetricSet::All);
                assert!(metrics.any(|known| known.id.name() == metric), "{metric}");
            }
        }
    }
}
