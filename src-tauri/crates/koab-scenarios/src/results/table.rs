//! A scenario's table on its way to a face.

use koab_core::measured::ScoreRange;
use koab_sandbox::tabulate::{Scorer, Table, tabulate};
use serde::Serialize;
use ts_rs::TS;

use super::unreadable;
use crate::Scenarios;
use koab_workspace::WireError;

/// For these k and for all repetitions pass@k is told: a curve has its shape from few of them.
const SHOWN_K: [usize; 8] = [1, 2, 3, 5, 10, 25, 50, 100];

/// A scenario's trials and their sums.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioTable {
    /// The scenario's folder.
    pub folder: String,
    /// pass@k for some k; empty without trials.
    pub curve: Vec<ScenarioCurvePoint>,
    /// Its trials and their sums.
    #[serde(flatten)]
    pub table: Table,
}

/// pass@k over all instances.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioCurvePoint {
    /// So many trials.
    pub k: usize,
    /// Mean over instances of the unbiased estimate.
    pub value: f64,
    /// Its 95 % interval: over instances, or Wilson's where an instance has one trial.
    pub interval: ScoreRange,
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
        scorer: Scorer,
    ) -> Result<ScenarioTable, WireError> {
        let folder = self.folder(folder, scenario)?;
        let table = tabulate(&folder, scorer).map_err(|error| unreadable(&folder, error))?;
        Ok(ScenarioTable { folder: folder.display().to_string(), curve: curve(&table), table })
    }

    /// The same as CSV, one row a trial.
    ///
    /// # Errors
    /// As [`Scenarios::table`].
    pub fn table_csv(
        &self,
        folder: Option<&str>,
        scenario: &str,
        scorer: Scorer,
    ) -> Result<String, WireError> {
        let folder = self.folder(folder, scenario)?;
        let table = tabulate(&folder, scorer).map_err(|error| unreadable(&folder, error))?;
        Ok(table.to_csv())
    }
}

fn curve(table: &Table) -> Vec<ScenarioCurvePoint> {
    let all = table.repetitions.len();
    let shown = table.totals.pass_at_k.iter();
    shown
        .filter(|one| one.k == all || SHOWN_K.contains(&one.k))
        .map(|one| ScenarioCurvePoint {
            k: one.k,
            value: one.value,
            interval: if all == 1 {
                table.totals.wilson.clone()
            } else {
                table.interval_over_instances(one.k)
            },
        })
        .collect()
}
