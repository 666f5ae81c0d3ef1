//! Differences between the answers of two cache states.

use super::CacheState;
use crate::cache::parse;
use crate::error::Result;
use crate::table::state;
use koab_core::changes::{ValueChanges, changes};
use rusqlite::Rows;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Maximum number of places that are listed for one changed answer.
const MAX_PLACES: usize = 20;

/// Change of a call's answer from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum AnswerChange {
    /// Only the later state answers the call.
    Added,
    /// Only the earlier state answers the call.
    Removed,
    /// Both answer the call, differently.
    Changed,
}

/// Origin of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnswerFrom {
    /// Key of the answer in the published layout.
    pub published_key: String,
    /// Time of recording, in UTC.
    pub created_at: String,
    /// Run that made the call. Null for a pack's own records.
    pub origin: Option<String>,
}

/// A call that two states answer differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnswerDifference {
    /// Kind of the change.
    pub change: AnswerChange,
    /// Tool name.
    pub tool: String,
    /// Canonical arguments.
    pub args: String,
    /// Origin of the answer in the earlier state.
    pub then: Option<AnswerFrom>,
    /// Origin of the answer in the later state.
    pub now: Option<AnswerFrom>,
    /// Places where the answers differ, when both exist.
    pub places: Option<ValueChanges>,
}

/// Number of calls to one tool, by the change of their answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnswerDifferenceTool {
    /// Tool name.
    pub tool: String,
    /// Number of calls with the same answer.
    pub same: u32,
    /// Number of calls that only the later state answers.
    pub added: u32,
    /// Number of calls that only the earlier state answers.
    pub removed: u32,
    /// Number of calls with different answers.
    pub changed: u32,
}

/// Differences between two states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateDiff {
    /// Counts for every tool that either state answers.
    pub tools: Vec<AnswerDifferenceTool>,
    /// First differences, by tool and arguments.
    pub differences: Vec<AnswerDifference>,
    /// Number of all differences.
    pub total: u32,
}

/// Answer that waits until the other state has been read up to the same call.
struct Unpaired {
    tool: String,
    args: String,
    side: AnswerFrom,
    data: String,
}

impl Unpaired {
    fn next(rows: &mut Rows<'_>) -> Result<Option<Self>> {
        let Some(row) = rows.next()? else { return Ok(None) };
        let answer = state::read(row)?;
        Ok(Some(Unpaired {
            tool: answer.tool.to_owned(),
            args: answer.args.to_owned(),
            side: AnswerFrom {
                published_key: answer.published_key.to_owned(),
                created_at: answer.created_at.to_owned(),
                origin: answer.origin.map(str::to_owned),
            },
            data: answer.data.into_owned(),
        }))
    }

    fn place(&self) -> (&str, &str) {
        (&self.tool, &self.args)
    }
}

impl CacheState {
    /// Differences from this state to the state `now`. The first `most` of them are listed; with
    /// `tool`, only differences of this tool.
    ///
    /// Two answers are the same when their texts or their JSON values are equal.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn diff(&self, now: &CacheState, tool: Option<&str>, most: usize) -> Result<StateDiff> {
        let (then, now_at) = (self.lock(), now.lock());
        let mut old = state::prepare(&then, &self.beside, false)?;
        let mut new = state::prepare(&now_at, &now.beside, false)?;
        let mut old = state::query(&mut old, self.pack, &self.beside)?;
        let mut new = state::query(&mut new, now.pack, &now.beside)?;
        let mut diff = Diff { tool, most, result: StateDiff::default() };
        let (mut a, mut b) = (Unpaired::next(&mut old)?, Unpaired::next(&mut new)?);
        loop {
            let order = match (&a, &b) {
                (None, None) => return Ok(diff.result),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.place().cmp(&b.place()),
            };
            let then = (order != Ordering::Greater).then(|| a.take()).flatten();
            let now = (order != Ordering::Less).then(|| b.take()).flatten();
            if order != Ordering::Greater {
                a = Unpaired::next(&mut old)?;
            }
            if order != Ordering::Less {
                b = Unpaired::next(&mut new)?;
            }
            diff.hold(then, now)?;
        }
    }
}

struct Diff<'a> {
    tool: Option<&'a str>,
    most: usize,
    result: StateDiff,
}

impl Diff<'_> {
    fn hold(&mut self, then: Option<Unpaired>, now: Option<Unpaired>) -> Result<()> {
        let Some((tool, args)) = then.as_ref().or(now.as_ref()).map(Unpaired::place) else {
            return Ok(());
        };
        if self.result.tools.last().is_none_or(|last| last.tool != tool) {
            self.result
                .tools
                .push(AnswerDifferenceTool { tool: tool.to_owned(), ..AnswerDifferenceTool::default() });
        }
        let Some(count) = self.result.tools.last_mut() else {
            return Ok(());
        };
        let (change, places) = match (&then, &now) {
            (Some(then), Some(now)) => match places(then, now)? {
                Some(places) => {
                    count.changed += 1;
                    (AnswerChange::Changed, Some(places))
                }
                None => {
                    count.same += 1;
                    return Ok(());
                }
            },
            (Some(_), None) => {
                count.removed += 1;
                (AnswerChange::Removed, None)
            }
            _ => {
                count.added += 1;
                (AnswerChange::Added, None)
            }
        };
        if self.tool.is_some_and(|wanted| wanted != tool) {
            return Ok(());
        }
        self.result.total += 1;
        if self.result.differences.len() < self.most {
            let (tool, args) = (tool.to_owned(), args.to_owned());
            self.result.differences.push(AnswerDifference {
                change,
                tool,
                args,
                then: then.map(|answer| answer.side),
                now: now.map(|answer| answer.side),
                places,
            });
        }
        Ok(())
    }
}

/// Places where two answers differ. `None` when they are the same.
fn places(then: &Unpaired, now: &Unpaired) -> Result<Option<ValueChanges>> {
    if then.data == now.data {
        return Ok(None);
    }
    let read = |answer: &Unpaired| parse(answer.data.as_bytes(), &answer.tool);
    let places = changes(&read(then)?, &read(now)?, MAX_PLACES);
    Ok((places.total > 0).then_some(places))
}
