//! A scenario's table on its way to a face.

use koab_core::sentence::Sentence;
use std::collections::BTreeMap;

use koab_core::measured::Interval;
use koab_sandbox::tabulate::table::{Measured, Row, Table};
use koab_sandbox::tabulate::{Scorer, Verdict, tabulate};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{number, unreadable};
use crate::Scenarios;
use koab_workspace::WireError;

/// For these k and for all repetitions pass@k is told: a curve has its shape from few of them.
const SHOWN_K: [usize; 8] = [1, 2, 3, 5, 10, 25, 50, 100];

/// How verdicts are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ScenarioScorer {
    /// The scenario prints a marker when it passes.
    #[default]
    Markers,
    /// The last `FINAL ANSWER: …` against `expected_answer.txt`.
    Gaia,
    /// What the checking agent says in `checker_messages.json`.
    Math,
}

impl From<ScenarioScorer> for Scorer {
    fn from(scorer: ScenarioScorer) -> Self {
        match scorer {
            ScenarioScorer::Markers => Self::Markers,
            ScenarioScorer::Gaia => Self::Gaia,
            ScenarioScorer::Math => Self::Math,
        }
    }
}

/// A scenario's trials and their sums.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioTable {
    /// The scenario's folder.
    pub folder: String,
    /// The repetitions that occur, ascending.
    pub repetitions: Vec<u32>,
    /// One row an instance, in natural order.
    pub rows: Vec<ScenarioRow>,
    /// Sums over all rows.
    pub totals: ScenarioTotals,
}

/// The trials of an instance.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioRow {
    /// Id of the instance.
    pub instance: String,
    /// One cell a repetition, in the table's order.
    pub trials: Vec<ScenarioCell>,
    /// Trials that passed.
    pub passed: u32,
    /// Trials that failed.
    pub failed: u32,
    /// Trials without verdict.
    pub missing: u32,
}

/// A trial.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioCell {
    /// From 0.
    pub repetition: u32,
    /// Whether it solved its task.
    pub verdict: ScenarioVerdict,
    /// Why nothing can be said: one sentence without its full stop.
    pub why: Option<Sentence>,
    /// Why it ended; none when it did not.
    pub cause: Option<String>,
    /// Exit code of `scenario.py`, where it is known.
    pub exit_code: Option<i32>,
    /// Seconds it took, where they are known.
    pub seconds: Option<f64>,
}

/// Whether a trial solved its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ScenarioVerdict {
    /// It did.
    Passed,
    /// It did not.
    Failed,
    /// Nothing can be said.
    Missing,
}

/// Sums over a table.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioTotals {
    /// Instances.
    pub instances: u32,
    /// Instances × repetitions.
    pub trials: u32,
    /// Trials that passed.
    pub passed: u32,
    /// Trials that failed.
    pub failed: u32,
    /// Trials without verdict; in pass@k they count as not passed.
    pub missing: u32,
    /// Instances of which at least one trial passed.
    pub passed_once: u32,
    /// Instances of which every trial passed.
    pub passed_always: u32,
    /// pass@k for some k; empty without trials.
    pub pass_at_k: Vec<ScenarioPassAtK>,
    /// Seconds of all trials whose time is known.
    pub seconds: f64,
    /// Trials whose time is known.
    pub timed: u32,
    /// Trials that ended, by cause.
    pub causes: BTreeMap<String, u32>,
}

/// pass@k over all instances.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioPassAtK {
    /// So many trials.
    pub k: u32,
    /// Mean over instances of the unbiased estimate.
    pub value: f64,
    /// Its 95 % interval: over instances, or Wilson's where an instance has one trial.
    pub interval: ScenarioMeasured,
}

/// An interval, or why there is none.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioMeasured {
    /// The interval.
    pub interval: Option<Interval>,
    /// Why there is none.
    pub reason: Option<Sentence>,
}

impl From<Measured> for ScenarioMeasured {
    fn from(measured: Measured) -> Self {
        Self {
            interval: measured.interval,
            reason: measured.reason,
        }
    }
}

impl Scenarios {
    /// The table of a scenario: every instance and repetition with its verdict.
    ///
    /// # Errors
    /// When there are no such results, or they cannot be read.
    pub fn table(
        &self,
        folder: Option<&str>,
        scenario: &str,
        scorer: ScenarioScorer,
    ) -> Result<ScenarioTable, WireError> {
        let folder = self.folder(folder, scenario)?;
        let table = tabulate(&folder, scorer.into()).map_err(|error| unreadable(&folder, error))?;
        Ok(ScenarioTable {
            folder: folder.display().to_string(),
            totals: totals(&table),
            repetitions: table.repetitions,
            rows: table.rows.into_iter().map(row).collect(),
        })
    }

    /// The same as CSV, one row a trial.
    ///
    /// # Errors
    /// As [`Scenarios::table`].
    pub fn table_csv(
        &self,
        folder: Option<&str>,
        scenario: &str,
        scorer: ScenarioScorer,
    ) -> Result<String, WireError> {
        let folder = self.folder(folder, scenario)?;
        let table = tabulate(&folder, scorer.into()).map_err(|error| unreadable(&folder, error))?;
        Ok(table.to_csv())
    }
}

fn row(row: Row) -> ScenarioRow {
    ScenarioRow {
        instance: row.instance,
        trials: row
            .trials
            .into_iter()
            .map(|cell| {
                let (verdict, why) = match cell.verdict {
                    Verdict::Passed => (ScenarioVerdict::Passed, None),
                    Verdict::Failed => (ScenarioVerdict::Failed, None),
                    Verdict::Missing { why } => (ScenarioVerdict::Missing, Some(why)),
                };
                ScenarioCell {
                    repetition: cell.repetition,
                    verdict,
                    why,
                    cause: cell.cause.map(|cause| cause.name().to_owned()),
                    exit_code: cell.exit_code,
                    seconds: cell.seconds,
                }
            })
            .collect(),
        passed: number(row.passed),
        failed: number(row.failed),
        missing: number(row.missing),
    }
}

fn totals(table: &Table) -> ScenarioTotals {
    let totals = &table.totals;
    let all = table.repetitions.len();
    let pass_at_k = totals
        .pass_at_k
        .iter()
        .filter(|one| one.k == all || SHOWN_K.contains(&one.k))
        .map(|one| ScenarioPassAtK {
            k: number(one.k),
            value: one.value,
            interval: if all == 1 {
                totals.wilson.clone().into()
            } else {
                table.interval_over_instances(one.k).into()
            },
        })
        .collect();
    ScenarioTotals {
        instances: number(totals.instances),
        trials: number(totals.trials),
        passed: number(totals.passed),
        failed: number(totals.failed),
        missing: number(totals.missing),
        passed_once: number(totals.passed_once),
        passed_always: number(totals.passed_always),
        pass_at_k,
        seconds: totals.seconds,
        timed: number(totals.timed),
        causes: totals
            .causes
            .iter()
            .map(|(cause, trials)| (cause.name().to_owned(), number(*trials)))
            .collect(),
    }
}
