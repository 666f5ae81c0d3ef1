//! The product's own table of a scenario.
//!
//! Every instance stands for every repetition that occurs in the scenario, so a trial that was
//! never run is there and missing. In pass@k a missing trial counts as not passed: leaving it out
//! would reward whoever loses bad trials. How many are missing stands beside it.

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

/// A scenario's trials and their sums.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Table {
    /// How verdicts were found.
    pub scorer: Scorer,
    /// The repetitions that occur, ascending.
    pub repetitions: Vec<u32>,
    /// One row an instance, in natural order.
    pub rows: Vec<Row>,
    /// Sums over all rows.
    pub totals: Totals,
}

/// The trials of an instance.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioRow"))]
pub struct Row {
    /// Id of the instance.
    pub instance: String,
    /// One cell a repetition, in the table's order.
    pub trials: Vec<Cell>,
    /// Trials that passed.
    pub passed: usize,
    /// Trials that failed.
    pub failed: usize,
    /// Trials without verdict.
    pub missing: usize,
}

/// A trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioCell"))]
pub struct Cell {
    /// From 0.
    pub repetition: u32,
    /// Whether it solved its task.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Why it ended; `None` when it did not.
    pub cause: Option<Cause>,
    /// Exit code of `scenario.py`, where it is known.
    pub exit_code: Option<i32>,
    /// Seconds the whole trial took, where they were recorded; else those of `scenario.py`.
    pub seconds: Option<f64>,
}

/// Sums over a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioTotals"))]
pub struct Totals {
    /// Instances.
    pub instances: usize,
    /// Cells: instances × repetitions.
    pub trials: usize,
    /// Trials that passed.
    pub passed: usize,
    /// Trials that failed.
    pub failed: usize,
    /// Trials without verdict.
    pub missing: usize,
    /// Instances of which at least one trial passed.
    pub passed_once: usize,
    /// Instances of which every trial passed.
    pub passed_always: usize,
    /// pass@k for k from 1 to the number of repetitions; empty without trials.
    pub pass_at_k: Vec<PassAtK>,
    /// 95 % interval of pass@1: Wilson's, of passed among all trials. It takes trials for
    /// independent, so with several repetitions it is too narrow for other tasks of the kind; the
    /// next one is not.
    pub wilson: ScoreRange,
    /// 95 % interval of pass@1 from drawing instances anew; only where an instance has several
    /// trials.
    pub over_instances: ScoreRange,
    /// Seconds of all trials whose time is known.
    pub seconds: f64,
    /// Trials whose time is known.
    pub timed: usize,
    /// How many trials ended for which cause; those that did not end are not in it.
    pub causes: BTreeMap<Cause, usize>,
}

/// pass@k over all instances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioPassAtK"))]
pub struct PassAtK {
    /// So many trials.
    pub k: usize,
    /// Mean over instances of the unbiased estimate.
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
    /// 95 % interval of pass@k from drawing instances anew. For one trial an instance, pass@1 has
    /// Wilson's instead.
    pub fn interval_over_instances(&self, k: usize) -> ScoreRange {
        let estimates: Option<Vec<f64>> =
            self.rows.iter().map(|row| pass_at(row.trials.len(), row.passed, k)).collect();
        estimates
            .ok_or_else(|| say!("there are fewer repetitions"))
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
    // What never ran, or was ended from outside, says nothing about the scenario.
    let verdict = match outcome.cause {
        Cause::CouldNotStart => Verdict::missing(say!("it could not start")),
        Cause::Cancelled => Verdict::missing(say!("it was cancelled")),
        Cause::Lost => Verdict::missing(say!("what ran it went away")),
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
        Err(say!("an instance has one trial; Wilson's interval says it"))
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
