//! Comparison of two results of scenarios, instance by instance.
//!
//! The side with the greater share of passed trials is ahead in an instance. A trial without a
//! verdict counts as not passed, as in pass@k. No side is ahead when one side has no verdict at
//! all.

use std::collections::BTreeMap;

use crate::tabulate::table::{Row, Table};
use crate::tabulate::{Scorer, tabulate};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{number, unreadable};
use crate::Scenarios;
use koab_workspace::WireError;

/// Comparison of two results.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioComparison {
    /// The first side's scenario folder.
    pub first: String,
    /// The second side's scenario folder.
    pub second: String,
    /// One row per instance: first the instances of the first side in its order, then those that
    /// only the second side has.
    pub rows: Vec<ScenarioDifference>,
    /// Number of rows by the side that is ahead.
    pub counts: BTreeMap<ScenarioStanding, u32>,
}

/// Comparison of one instance.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioDifference {
    /// Id of the instance.
    pub instance: String,
    /// Trials on the first side; none when the instance is missing there.
    pub first: Option<ScenarioSide>,
    /// Trials on the second side; none when the instance is missing there.
    pub second: Option<ScenarioSide>,
    /// Side that is ahead.
    pub standing: ScenarioStanding,
}

/// An instance's trials on one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioSide {
    /// Number of trials that passed.
    pub passed: u32,
    /// Number of trials without a verdict.
    pub missing: u32,
    /// Number of all trials.
    pub trials: u32,
    /// Mean duration in seconds of the trials whose duration is known.
    pub seconds: Option<f64>,
}

/// Side that is ahead in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ScenarioStanding {
    /// The first side passed more often.
    First,
    /// The second side passed more often.
    Second,
    /// Both sides passed equally often.
    Same,
    /// One side does not have the instance, or has no verdict on it.
    Unknown,
}

impl Scenarios {
    /// Compares the results of a scenario in two folders, or of two scenarios. Each side is a
    /// results folder (`None` for the default) and the name of a scenario.
    ///
    /// # Errors
    /// When there are no such results, or they cannot be read.
    pub fn compare(
        &self,
        first: (Option<&str>, &str),
        second: (Option<&str>, &str),
        scorer: Scorer,
    ) -> Result<ScenarioComparison, WireError> {
        let read = |(folder, scenario)| {
            let folder = self.folder(folder, scenario)?;
            let table = tabulate(&folder, scorer).map_err(|error| unreadable(&folder, error))?;
            Ok::<_, WireError>((folder.display().to_string(), table))
        };
        let (first, one) = read(first)?;
        let (second, other) = read(second)?;
        let rows = rows(&one, &other);
        let mut counts: BTreeMap<_, u32> = [
            ScenarioStanding::First,
            ScenarioStanding::Second,
            ScenarioStanding::Same,
            ScenarioStanding::Unknown,
        ]
        .map(|standing| (standing, 0))
        .into();
        for row in &rows {
            *counts.entry(row.standing).or_default() += 1;
        }
        Ok(ScenarioComparison { first, second, rows, counts })
    }
}

fn rows(one: &Table, other: &Table) -> Vec<ScenarioDifference> {
    let side_of =
        |table: &Table, instance: &str| table.rows.iter().find(|row| row.instance == instance).map(side);
    let only_other =
        other.rows.iter().filter(|row| !one.rows.iter().any(|mine| mine.instance == row.instance));
    one.rows
        .iter()
        .chain(only_other)
        .map(|row| {
            let (first, second) = (side_of(one, &row.instance), side_of(other, &row.instance));
            ScenarioDifference {
                instance: row.instance.clone(),
                first,
                second,
                standing: standing(first, second),
            }
        })
        .collect()
}

fn side(row: &Row) -> ScenarioSide {
    let times: Vec<f64> = row.trials.iter().filter_map(|cell| cell.seconds).collect();
    ScenarioSide {
        passed: number(row.passed),
        missing: number(row.missing),
        trials: number(row.trials.len()),
        seconds: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
    }
}

fn standing(first: Option<ScenarioSide>, second: Option<ScenarioSide>) -> ScenarioStanding {
    let has_verdict = |side: &ScenarioSide| side.missing < side.trials;
    let (Some(first), Some(second)) = (first.filter(has_verdict), second.filter(has_verdict)) else {
        return ScenarioStanding::Unknown;
    };
    // Compares fractions by cross-multiplication, so that rounding decides nothing.
    let (mine, theirs) = (
        u64::from(first.passed) * u64::from(second.trials),
        u64::from(second.passed) * u64::from(first.trials),
    );
    match mine.cmp(&theirs) {
        std::cmp::Ordering::Greater => ScenarioStanding::First,
        std::cmp::Ordering::Less => ScenarioStanding::Second,
        std::cmp::Ordering::Equal => ScenarioStanding::Same,
    }
}
