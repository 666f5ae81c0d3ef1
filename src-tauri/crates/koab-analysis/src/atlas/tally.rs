//! Sorted attempts counted: cause by level, or cause by model.

use super::{AttemptCauses, Cause, State};
use koab_core::level::Level;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A sorted attempt with what tells it from others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SortedAttempt {
    /// What its column is called when models stand beside each other.
    pub model: String,
    /// Its level.
    pub level: Level,
    /// Its task.
    pub task: String,
    /// What the rules found.
    pub sorted: AttemptCauses,
}

/// What the columns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasBy"))]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A column a level.
    Level,
    /// A column a model.
    Model,
}

/// One cell: attempts whose first cause this is, and those that have it at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Attempts whose first cause it is.
    pub first: u32,
    /// Attempts that have it among their causes.
    pub any: u32,
}

/// A column's or everything's attempts by their state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct States {
    /// All attempts.
    pub attempts: u32,
    /// Those that lost something.
    pub lossy: u32,
    /// Those that lost nothing but what is out of reach.
    pub capped: u32,
    /// Points lost.
    pub lost: f64,
    /// Of them those that a finding explains.
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

/// Attempts counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// What the columns are called, in their order.
    pub columns: Vec<String>,
    /// Attempts of each column.
    pub states: Vec<States>,
    /// All attempts.
    pub total: States,
    /// A row a cause that occurs, in the causes' order; then, without a cause, the unsorted, if
    /// there are any. The last cell of a row is its sum.
    pub rows: Vec<(Option<Cause>, Vec<Cell>)>,
}

impl Tally {
    /// Lossy attempts that no rule found a cause for.
    pub fn unsorted(&self) -> u32 {
        let row = self.rows.iter().find(|(cause, _)| cause.is_none());
        row.and_then(|(_, cells)| cells.last()).map_or(0, |cell| cell.first)
    }
}

/// Counts attempts. Models stand in the order in which they come.
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
            // The unsorted stand last.
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
