//! Facts about a report that come from its run: times and tokens of each task, the cost, and the
//! scores of the same logs under the other scorer.

mod other_scorer;
mod people;

use crate::Library;
use crate::options::{EvaluateOptions, RunChoice};
use crate::reports::detail::Open;
use crate::reports::library::conditions;
use crate::reports::load::LoadedReport;
use crate::run::Run;
use crate::wire::{ReportFacts, RunOfReport, TaskUsage};
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::Report;
use koab_store::runs;
use koab_workspace::WireError;

impl Library {
    /// Returns the facts about a report that come from its run. If the run's logs are missing,
    /// returns the reason, and the facts that the report itself contains.
    ///
    /// # Errors
    /// When the report does not exist, or its data cannot be read.
    pub fn report_facts(&self, id: &str) -> Result<ReportFacts, WireError> {
        let open = self.open_report(id)?;
        let report = &open.loaded.report;
        match self.scored_run(&open) {
            Ok(run) => {
                let (pack, protocol) = run.manifest.as_ref().map_or((None, None), conditions);
                Ok(ReportFacts {
                    tasks: run.logs.iter().flat_map(task_usage).collect(),
                    cost: self.cost(report, run.manifest.as_ref())?,
                    other: self.other_scorer(report, &run)?,
                    people: self.peoples_word(report, &run)?,
                    run: Some(RunOfReport { id: run.entry.id, pack, protocol }),
                    reason: None,
                })
            }
            Err(reason) => Ok(ReportFacts {
                run: None,
                tasks: Vec::new(),
                cost: self.cost(report, None)?,
                other: other_scorer::without(report.scorer, reason.clone()),
                people: None,
                reason: Some(reason),
            }),
        }
    }

    /// Returns the run of a report, with the logs of the report's levels.
    pub fn scored_run(&self, open: &Open) -> Result<Run, Sentence> {
        self.run_behind(&open.loaded, &open.folder.id)
    }

    /// Returns the run that the report in this folder belongs to.
    ///
    /// A report repeats the metadata of its logs. So a run of the same model and date that has
    /// other logs is not accepted.
    ///
    /// # Errors
    /// The reason why there is no readable run.
    pub fn run_behind(&self, loaded: &LoadedReport, folder: &str) -> Result<Run, Sentence> {
        let report = &loaded.report;
        let logs = self.workspace.home().logs();
        let recorded_run = loaded.view.as_ref().and_then(|view| view.run.clone());
        let candidates: Vec<String> = match recorded_run {
            Some(run) => vec![run],
            None => {
                let (model, date) =
                    folder.rsplit_once('_').unwrap_or((&report.model, &report.execution_date));
                let day: String = date.chars().take_while(char::is_ascii_digit).collect();
                let of_model = |entry: &runs::RunEntry| {
                    [model, &report.model].iter().any(|model| runs::is_of_model(&entry.model_folder, model))
                };
                let runs = runs::list(&logs).map_err(|error| error.to_string())?;
                let same = runs.into_iter().filter(|entry| of_model(entry) && entry.date.starts_with(&day));
                same.map(|entry| entry.id).collect()
            }
        };
        for id in candidates {
            if runs::find(&logs, &id).is_err() {
                continue;
            }
            let options = EvaluateOptions {
                levels: report.levels.iter().map(|level| level.level.clone()).collect(),
                ..EvaluateOptions::published(RunChoice::Run(id))
            };
            match self.read_run(&options) {
                Ok(run) if is_of(report, &run.logs) => return Ok(run),
                Ok(_) => {}
                Err(error) => return Err(error.message),
            }
        }
        Err(say!(
            "the logs of this run are not in the workspace; import them to see more than the report holds"
        ))
    }
}

/// Whether a report belongs to these logs. For every level, the report and the log must have the
/// same metadata.
fn is_of(report: &Report, logs: &[LevelLog]) -> bool {
    report.levels.iter().all(|level| {
        let log = logs.iter().find(|log| log.level == level.level);
        log.is_some_and(|log| log.metadata == level.metadata)
    })
}

fn task_usage(log: &LevelLog) -> impl Iterator<Item = TaskUsage> + '_ {
    log.tasks.iter().map(|task| {
        // The published form has 0 where no server reported a figure.
        let measured = |path: &[&str]| number(task, path).filter(|figure| *figure != 0.0);
        TaskUsage {
            level: log.level.clone(),
            task: task.id.clone(),
            seconds: number(task, &["execution_time"]),
            ttft: measured(&["ttft_stats", "average"]),
            tokens: measured(&["token_usage", "total_tokens"]),
            steps: number(task, &["steps_taken"]),
            calls: task.calls.len() as u32,
        }
    })
}

fn number(task: &LoggedTask, path: &[&str]) -> Option<f64> {
    let (first, rest) = path.split_first()?;
    let mut value = task.get(first);
    for key in rest {
        value = value.get(key)?;
    }
    value.as_f64()
}
