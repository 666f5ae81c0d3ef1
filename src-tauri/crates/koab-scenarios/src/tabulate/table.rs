//! The product's own table of a scenario.
//!
//! The table has a cell for every instance and every repetition that occurs in the scenario. A
//! trial that never ran also has a cell and counts as missing. In pass@k a missing trial counts as
//! not passed, because otherwise a loss of bad trials would raise the score. The number of missing
//! trials is reported too.

use super::{Scorer, Verdict};
use crate::error::Result;
use crate::layout;
use crate::outcome::{Cause, Trial};
use crate::trial_files;
use koab_core::measured::ScoreRange;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::interval::{bootstrap_mean, wilson};
use koab_report::repetitions::pass_at;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Trials of a scenario and their totals.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct Table {
    /// Rules of the verdicts.
    pub scorer: Scorer,
    /// Numbers of the repetitions that occur, ascending.
    pub repetitions: Vec<u32>,
    /// One row per instance, in natural order.
    pub rows: Vec<Row>,
    /// Totals over all rows.
    pub totals: Totals,
}

/// Trials of one instance.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioRow")]
pub struct Row {
    /// Id of the instance.
    pub instance: String,
    /// One cell per repetition, in the order of the table's repetitions.
    pub trials: Vec<Cell>,
    /// Number of trials that passed.
    pub passed: usize,
    /// Number of trials that failed.
    pub failed: usize,
    /// Number of trials without a verdict.
    pub missing: usize,
}

/// Result of one trial.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioCell")]
pub struct Cell {
    /// 0-based repetition.
    pub repetition: u32,
    /// Verdict on the trial.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Cause of the trial's end; `None` when it was not finished.
    pub cause: Option<Cause>,
    /// Exit code of `scenario.py`, if it is known.
    pub exit_code: Option<i32>,
    /// Duration of the whole trial in seconds if it was recorded, otherwise the duration of
    /// `scenario.py`.
    pub seconds: Option<f64>,
}

/// Totals of a table.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioTotals")]
pub struct Totals {
    /// Number of instances.
    pub instances: usize,
    /// Number of cells: instances × repetitions.
    pub trials: usize,
    /// Number of trials that passed.
    pub passed: usize,
    /// Number of trials that failed.
    pub failed: usize,
    /// Number of trials without a verdict.
    pub missing: usize,
    /// Number of instances with at least one passed trial.
    pub passed_once: usize,
    /// Number of instances whose trials all passed.
    pub passed_always: usize,
    /// pass@k for k from 1 to the number of repetitions; empty without trials.
    pub pass_at_k: Vec<PassAtK>,
    /// 95 % Wilson interval of pass@1, from the number of passed trials among all trials.
    ///
    /// The interval treats trials as independent. With several repetitions it is therefore too
    /// narrow for a conclusion about other tasks of the same kind; `over_instances` is not.
    pub wilson: ScoreRange,
    /// 95 % interval of pass@1 by resampling instances; present only when instances have several
    /// trials.
    pub over_instances: ScoreRange,
    /// Sum of the known durations of trials, seconds.
    pub seconds: f64,
    /// Number of trials whose duration is known.
    pub timed: usize,
    /// Number of finished trials by cause.
    pub causes: BTreeMap<Cause, usize>,
}

/// pass@k over all instances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioPassAtK")]
pub struct PassAtK {
    /// Number of trials, k.
    pub k: usize,
    /// Mean over instances of the unbiased estimate of pass@k.
    pub value: f64,
}

/// Reads the results of the scenario in `folder`, as in `results/<scenario>`.
///
/// # Errors
/// When a folder cannot be read.
pub fn tabulate(folder: &Path, scorer: Scorer) -> Result<Table> {
    let tasks = layout::tasks(folder)?;
    let repetitions: BTreeSet<u32> =
        tasks.iter().flat_map(|task| task.trials.iter().map(|trial| trial.repetition)).collect();
    let repetitions: Vec<u32> = repetitions.into_iter().collect();
    let rows: Vec<Row> = tasks
        .into_iter()
        .map(|task| {
            let cells = repetitions
                .iter()
                .map(|repetition| cell(&task.path.join(repetition.to_string()), *repetition, scorer));
            row(task.instance, cells.collect())
        })
        .collect();
    let totals = totals(&rows, repetitions.len());
    Ok(Table { scorer, repetitions, rows, totals })
}

impl Table {
    /// 95 % interval of pass@k by resampling instances. With one trial per instance, use Wilson's
    /// interval of pass@1 instead.
    pub fn interval_over_instances(&self, k: usize) -> ScoreRange {
        let estimates: Option<Vec<f64>> =
            self.rows.iter().map(|row| pass_at(row.trials.len(), row.passed, k)).collect();
        estimates
            .ok_or_else(|| say!("an instance has fewer repetitions"))
            .and_then(|estimates| bootstrap_mean(&estimates))
            .into()
    }
}

fn cell(folder: &Path, repetition: u32, scorer: Scorer) -> Cell {
    let unfinished = |why: Sentence| Cell {
        repetition,
        verdict: Verdict::missing(why),
        cause: None,
        exit_code: None,
        seconds: None,
    };
    let outcome = match trial_files::outcome(folder) {
        Trial::Missing => return unfinished(say!("it was not run")),
        Trial::HalfMade { why } => return unfinished(why),
        Trial::Finished(outcome) => outcome,
    };
    // A trial that never ran or was ended from outside shows nothing about the scenario.
    let verdict = match outcome.cause {
        Cause::CouldNotStart => Verdict::missing(say!("it could not start")),
        Cause::Cancelled => Verdict::missing(say!("it was cancelled")),
        Cause::Lost => Verdict::missing(say!("the connection to the container engine was lost")),
        Cause::Completed | Cause::Failed | Cause::TimedOut | Cause::OutOfMemory => scorer.verdict(folder),
    };
    Cell {
        repetition,
        verdict,
        cause: Some(outcome.cause),
        exit_code: outcome.exit_code,
        seconds: outcome.seconds.or(outcome.scenario_seconds),
    }
}

fn row(instance: String, trials: Vec<Cell>) -> Row {
    let count = |verdict: &Verdict| trials.iter().filter(|cell| &cell.verdict == verdict).count();
    let (passed, failed) = (count(&Verdict::Passed), count(&Verdict::Failed));
    Row { instance, passed, failed, missing: trials.len() - passed - failed, trials }
}

fn totals(rows: &[Row], repetitions: usize) -> Totals {
    let sum = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let (passed, trials) = (sum(|row| row.passed), sum(|row| row.trials.len()));
    let pass_at_k = (1..=repetitions).filter_map(|k| {
        let estimates: Option<Vec<f64>> =
            rows.iter().map(|row| pass_at(row.trials.len(), row.passed, k)).collect();
        let estimates = estimates?;
        let value = estimates.iter().sum::<f64>() / estimates.len() as f64;
        Some(PassAtK { k, value })
    });
    let shares: Vec<f64> = rows.iter().map(|row| row.passed as f64 / row.trials.len() as f64).collect();
    let over_instances = if repetitions > 1 {
        bootstrap_mean(&shares)
    } else {
        Err(say!("each instance has only one trial; Wilson's interval of pass@1 applies"))
    };
    let cells = || rows.iter().flat_map(|row| &row.trials);
    let mut causes = BTreeMap::new();
    for cause in cells().filter_map(|cell| cell.cause) {
        *causes.entry(cause).or_default() += 1;
    }
    Totals {
        instances: rows.len(),
        trials,
        passed,
        failed: sum(|row| row.failed),
        missing: sum(|row| row.missing),
        passed_once: rows.iter().filter(|row| row.passed > 0).count(),
        passed_always: rows.iter().filter(|row| repetitions > 0 && row.passed == repetitions).count(),
        pass_at_k: pass_at_k.collect(),
        wilson: wilson(passed, trials).into(),
        over_instances: over_instances.into(),
        seconds: cells().filter_map(|cell| cell.seconds).sum(),
        timed: cells().filter(|cell| cell.seconds.is_some()).count(),
        causes,
    }
}
