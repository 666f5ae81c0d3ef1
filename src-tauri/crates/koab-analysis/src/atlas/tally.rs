//! Counts of classified attempts: causes by level, or causes by model.

use super::{AttemptCauses, Cause, State};
use koab_core::level::Level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Classified attempt with its model, level and task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SortedAttempt {
    /// Column name of the model in a table of several models.
    pub model: String,
    /// Level of the task.
    pub level: Level,
    /// Id of the task.
    pub task: String,
    /// Losses and causes of the attempt.
    pub sorted: AttemptCauses,
}

/// Meaning of the columns of a [`Tally`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasBy"))]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// One column per level.
    Level,
    /// One column per model.
    Model,
}

/// Counts of one cause in one column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Number of attempts whose first cause is this one.
    pub first: u32,
    /// Number of attempts that have this cause among their causes.
    pub any: u32,
}

/// Counts of attempts by their state, for one column or for all attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct States {
    /// Number of all attempts.
    pub attempts: u32,
    /// Number of attempts that lost points.
    pub lossy: u32,
    /// Number of attempts whose lost points are all unreachable.
    pub capped: u32,
    /// Sum of the lost points.
    pub lost: f64,
    /// Part of the lost points that a finding explains.
    pub explained: f64,
}

impl States {
    fn add(&mut self, sorted: &AttemptCauses) {
        self.attempts += 1;
        self.lossy += u32::from(sorted.state == State::Lossy);
        self.capped += u32::from(sorted.state == State::Capped);
        self.lost += sorted.lost;
        self.explained += sorted.explained;
    }
}

/// Counts of attempts by cause (row) and by level or model (column, see [`By`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Names of the columns, in order.
    pub columns: Vec<String>,
    /// Counts of each column's attempts by state.
    pub states: Vec<States>,
    /// Counts of all attempts by state.
    pub total: States,
    /// One row per cause that occurs, in the order of the causes.
    ///
    /// If there are unclassified attempts, a last row without a cause has their counts. The last
    /// cell of a row is its sum.
    pub rows: Vec<(Option<Cause>, Vec<Cell>)>,
}

impl Tally {
    /// Number of lossy attempts without any cause.
    pub fn unsorted(&self) -> u32 {
        let row = self.rows.iter().find(|(cause, _)| cause.is_none());
        row.and_then(|(_, cells)| cells.last()).map_or(0, |cell| cell.first)
    }
}

/// Counts attempts. Models keep the order of their first attempts.
pub fn tally(attempts: &[SortedAttempt], by: By) -> Tally {
    let mut columns: Vec<String> = match by {
        By::Level => Level::ALL.iter().map(ToString::to_string).collect(),
        By::Model => Vec::new(),
    };
    if by == By::Model {
        for attempt in attempts {
            if !columns.contains(&attempt.model) {
                columns.push(attempt.model.clone());
            }
        }
    } else {
        columns.retain(|name| attempts.iter().any(|attempt| attempt.level.as_str() == name));
    }
    let mut states = vec![States::default(); columns.len()];
    let mut total = States::default();
    let mut rows: BTreeMap<(bool, Option<Cause>), Vec<Cell>> = BTreeMap::new();
    for attempt in attempts {
        let name = match by {
            By::Level => attempt.level.as_str(),
            By::Model => attempt.model.as_str(),
        };
        let Some(column) = columns.iter().position(|known| known == name) else {
            continue;
        };
        states[column].add(&attempt.sorted);
        total.add(&attempt.sorted);
        if attempt.sorted.state != State::Lossy {
            continue;
        }
        let mut causes: Vec<Option<Cause>> =
            attempt.sorted.findings.iter().map(|finding| Some(finding.cause)).collect();
        causes.dedup();
        if causes.is_empty() {
            causes.push(None);
        }
        for (place, cause) in causes.into_iter().enumerate() {
            // Unclassified attempts come last.
            let row = rows
                .entry((cause.is_none(), cause))
                .or_insert_with(|| vec![Cell::default(); columns.len() + 1]);
            for cell in [column, columns.len()] {
                row[cell].first += u32::from(place == 0);
                row[cell].any += 1;
            }
        }
    }
    Tally {
        columns,
        states,
        total,
        rows: rows.into_iter().map(|((_, cause), cells)| (cause, cells)).collect(),
    }
}
