//! Two results of scenarios beside each other, instance by instance.
//!
//! An instance is won by the side of which the greater share of trials passed. A trial without
//! verdict counts as not passed, as in pass@k; an instance of which one side has no verdict at all
//! is nobody's.

use std::collections::BTreeMap;

use koab_sandbox::tabulate::table::{Row, Table};
use koab_sandbox::tabulate::{Scorer, tabulate};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{number, unreadable};
use crate::Scenarios;
use koab_workspace::WireError;

/// Two results side by side.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioComparison {
    /// The first side's scenario folder.
    pub first: String,
    /// The second side's scenario folder.
    pub second: String,
    /// One row an instance of either, in the first's order, then what only the second has.
    pub rows: Vec<ScenarioDifference>,
    /// How many rows stand how.
    pub counts: BTreeMap<ScenarioStanding, u32>,
}

/// An instance on both sides.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioDifference {
    /// Id of the instance.
    pub instance: String,
    /// On the first side; none when it is not there.
    pub first: Option<ScenarioSide>,
    /// On the second side.
    pub second: Option<ScenarioSide>,
    /// Who is ahead.
    pub standing: ScenarioStanding,
}

/// An instance's trials on one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioSide {
    /// Trials that passed.
    pub passed: u32,
    /// Trials without verdict.
    pub missing: u32,
    /// All of them.
    pub trials: u32,
    /// Mean seconds of the trials whose time is known.
    pub seconds: Option<f64>,
}

/// Who is ahead in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ScenarioStanding {
    /// The first side passed more often.
    First,
    /// The second side did.
    Second,
    /// Both equally often.
    Same,
    /// One side has no verdict on it, or does not have it.
    Unknown,
}

impl Scenarios {
    /// Compares the results of a scenario in two folders, or of two scenarios.
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
    let named =
        |table: &Table, instance: &str| table.rows.iter().find(|row| row.instance == instance).map(side);
    let only_other =
        other.rows.iter().filter(|row| !one.rows.iter().any(|mine| mine.instance == row.instance));
    one.rows
        .iter()
        .chain(only_other)
        .map(|row| {
            let (first, second) = (named(one, &row.instance), named(other, &row.instance));
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
    let judged = |side: &ScenarioSide| side.missing < side.trials;
    let (Some(first), Some(second)) = (first.filter(judged), second.filter(judged)) else {
        return ScenarioStanding::Unknown;
    };
    // As fractions: no rounding makes a winner.
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
