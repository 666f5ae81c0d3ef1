//! A workspace in a temporary folder for the tests of this crate. Its reports are written by hand or made
//! by runs of models that ask nobody; a scripted server plays other models.

pub(crate) mod server;

use crate::Compare;
use koab_core::protocol::Protocol;
use koab_engine::ports::{Cancel, EventSink};
use koab_keys::Keys;
use koab_library::RunRequest;
use koab_library::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_models::Models;
use koab_packs::Packs;
use koab_runs::Runs;
pub(crate) use koab_stand_ins::refused;
use koab_workspace::Workspace;
use koab_workspace::commands::Nobody;
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// Metrics of a task with their scores.
pub(crate) type Scores<'a> = Vec<(&'a str, Option<f64>)>;

/// A workspace with everything that compares.
pub(crate) struct Desk {
    pub(crate) compare: Compare,
    folder: TempDir,
}

/// A report as the published tool writes it.
pub(crate) struct Written<'a> {
    pub(crate) model: &'a str,
    pub(crate) judge: &'a str,
    /// Groups, each with the scores of its tasks by metric.
    pub(crate) groups: Vec<WrittenGroup<'a>>,
}

/// A group of a written report.
pub(crate) struct WrittenGroup<'a> {
    pub(crate) name: &'a str,
    /// Task ids with their scores; a missing score is left out.
    pub(crate) tasks: Vec<(String, Scores<'a>)>,
}

impl<'a> WrittenGroup<'a> {
    /// One metric, 1 for each solved task and 0 for each other one.
    pub(crate) fn solved(name: &'a str, metric: &'a str, tasks: &[bool]) -> Self {
        let of = |(at, solved): (usize, &bool)| {
            let score = Some(f64::from(u8::from(*solved)));
            (format!("{name}-{:03}", at + 1), vec![(metric, score)])
        };
        Self { name, tasks: tasks.iter().enumerate().map(of).collect() }
    }

    fn document(&self) -> Value {
        let mut sums: Map<String, Value> = Map::new();
        let metrics = self.tasks.iter().flat_map(|(_, scores)| scores);
        for (metric, _) in metrics {
            let all = self.tasks.iter().flat_map(|(_, scores)| scores);
            let of: Vec<f64> =
                all.filter(|(name, _)| name == metric).filter_map(|(_, score)| *score).collect();
            let mean = of.iter().sum::<f64>() / of.len().max(1) as f64;
            sums.insert((*metric).to_owned(), mean.into());
        }
        let task = |(id, scores): &(String, Vec<(&str, Option<f64>)>)| {
            let scored = scores.iter().filter_map(|(metric, score)| {
                Some(((*metric).to_owned(), json!({ "score": (*score)?, "details": {} })))
            });
            let metrics: Map<String, Value> = scored.collect();
            json!({ "task_id": id, "success": true, "metrics": metrics })
        };
        let tasks: Vec<Value> = self.tasks.iter().map(task).collect();
        json!({
            "total_tasks": tasks.len(), "evaluated_tasks": tasks.len(),
            "task_evaluations": tasks, "metrics": sums,
        })
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(Some(folder.path().to_owned())).unwrap();
        let keys = Keys::new(workspace.clone());
        let models = Models::new(workspace.clone(), keys.clone());
        let packs = Packs::new(workspace.clone(), models.clone());
        let runs = Runs::new(workspace.clone(), keys, models, packs);
        Self { compare: Compare::new(workspace, runs), folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn runs(&self) -> &Runs {
        &self.compare.runs
    }

    /// Puts a report into the library.
    pub(crate) fn put(&self, id: &str, report: &Written<'_>) {
        let groups: Map<String, Value> =
            (report.groups.iter()).map(|group| (group.name.to_owned(), group.document())).collect();
        let document = json!({
            "summary": { "model": report.model, "judge_model": report.judge, "execution_date": "20251219" },
            "by_level": groups,
        });
        let folder = self.path().join("reports").join(id);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("evaluation_report.json"), document.to_string()).unwrap();
    }

    /// Puts a report of one group into the library; `solved` has a value for each task.
    pub(crate) fn put_solved(&self, id: &str, model: &str, group: &str, solved: &[bool]) {
        self.put(
            id,
            &Written { model, judge: "j/1", groups: vec![WrittenGroup::solved(group, "SR", solved)] },
        );
    }

    /// Gives models of the scripted server a price in USD per million tokens.
    pub(crate) fn set_price(&self, usd: f64) {
        let price = json!({ "input": usd, "output": usd });
        let prices = json!({ "as_of": "2026-01-01", "models": { "openai_compat/*": price } });
        fs::write(self.path().join("prices.json"), prices.to_string()).unwrap();
    }

    /// Makes a run and gives its id.
    pub(crate) async fn run(&self, request: RunRequest) -> String {
        let end = self.runs().run(request, watch(), Cancel::new()).await.unwrap();
        let folder = end.folder.unwrap();
        self.runs().library.run_show(&folder).unwrap().id
    }

    /// Scores a run and gives the ids of its reports.
    pub(crate) async fn score(&self, run: &str, scorers: &[Protocol], judges: JudgeChoice) -> Vec<String> {
        let options = EvaluateOptions {
            scorers: scorers.to_vec(),
            judges,
            ..EvaluateOptions::published(RunChoice::Run(run.to_owned()))
        };
        let scored = self.runs().scoring.evaluate(options, &|_, _| {}, &Cancel::new()).await;
        let reports = scored.unwrap().reports.into_iter();
        reports.map(|view| view.id).collect()
    }

    /// Runs a model that asks nobody on a level, scores it by the published rules, and gives its run and report.
    pub(crate) async fn made(&self, model: &str, level: &str) -> (String, String) {
        let request = RunRequest {
            levels: vec![level.parse().unwrap()],
            ..RunRequest::published(&model.replace('/', "-"), model)
        };
        let run = self.run(request).await;
        let mut reports = self.score(&run, &[Protocol::Leaderboard], JudgeChoice::Nobody).await;
        (run, reports.remove(0))
    }

    /// Number of runs in the workspace.
    pub(crate) fn count_of_runs(&self) -> usize {
        let logs = self.compare.workspace.home().logs();
        koab_store::runs::list(&logs).unwrap().len()
    }
}

/// Hears the news of a run and does nothing.
pub(crate) fn watch() -> Arc<dyn EventSink> {
    Arc::new(Nobody)
}

/// Asserts that two numbers differ by no more than rounding.
#[track_caller]
pub(crate) fn near(found: impl Into<Option<f64>> + Debug, wanted: f64) {
    let text = format!("{found:?}");
    let is_near = found.into().is_some_and(|found| (found - wanted).abs() < 1e-9);
    assert!(is_near, "{text} and {wanted}");
}
