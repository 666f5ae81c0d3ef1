//! Table of a scenario's instances and pass rates, as the page shows it.

use crate::tabulate::{Scorer, Table, tabulate};
use koab_core::measured::ScoreRange;
use serde::Serialize;
use ts_rs::TS;

use super::unreadable;
use crate::Scenarios;
use koab_workspace::WireError;

/// Values of k that pass@k is displayed for, in addition to the number of all repetitions. A few
/// points show the shape of the curve.
const SHOWN_K: [usize; 8] = [1, 2, 3, 5, 10, 25, 50, 100];

/// Trials of a scenario and their totals.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioTable {
    /// Path of the scenario's folder.
    pub folder: String,
    /// pass@k for some k; empty without trials.
    pub curve: Vec<ScenarioCurvePoint>,
    /// Trials and totals.
    #[serde(flatten)]
    pub table: Table,
}

/// pass@k over all instances.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioCurvePoint {
    /// Number of trials, k.
    pub k: usize,
    /// Mean over instances of the unbiased estimate of pass@k.
    pub value: f64,
    /// 95 % interval of the mean: over instances, or Wilson's when each instance has one trial.
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

    /// Table of a scenario as CSV, one row per trial.
    ///
    /// # Errors
    /// Same as [`Scenarios::table`].
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
    let points = table.totals.pass_at_k.iter();
    points
        .filter(|point| point.k == all || SHOWN_K.contains(&point.k))
        .map(|point| ScenarioCurvePoint {
            k: point.k,
            value: point.value,
            interval: if all == 1 {
                table.totals.wilson.clone()
            } else {
                table.interval_over_instances(point.k)
            },
        })
        .collect()
}
