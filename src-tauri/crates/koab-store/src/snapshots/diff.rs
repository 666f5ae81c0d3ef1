//! What one state answers that another does not, or answers otherwise.

use super::CacheState;
use crate::cache::parse;
use crate::error::Result;
use crate::table::state;
use koab_core::changes::{ValueChanges, changes};
use rusqlite::Rows;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Places that are shown of one answer that differs.
const PLACES: usize = 20;

/// How a call is answered in another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum AnswerChange {
    /// Only the later state answers it.
    Added,
    /// Only the earlier state answers it.
    Removed,
    /// Both do, differently.
    Changed,
}

/// Where an answer comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnswerFrom {
    /// Its key in the published layout.
    pub published_key: String,
    /// When it was recorded, UTC.
    pub created_at: String,
    /// Who asked; null for a pack's own records.
    pub origin: Option<String>,
}

/// One call that two states answer differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnswerDifference {
    /// How.
    pub change: AnswerChange,
    /// Tool name.
    pub tool: String,
    /// The canonical arguments.
    pub args: String,
    /// In the earlier state.
    pub then: Option<AnswerFrom>,
    /// In the later state.
    pub now: Option<AnswerFrom>,
    /// Where the answers differ, when both are there.
    pub places: Option<ValueChanges>,
}

/// Calls to one tool, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnswerDifferenceTool {
    /// Tool name.
    pub tool: String,
    /// Answered alike.
    pub same: u32,
    /// Answered by the later state only.
    pub added: u32,
    /// Answered by the earlier state only.
    pub removed: u32,
    /// Answered differently.
    pub changed: u32,
}

/// How two states differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateDiff {
    /// By tool: every tool that either of them answers.
    pub tools: Vec<AnswerDifferenceTool>,
    /// The first ones, by tool and arguments.
    pub differences: Vec<AnswerDifference>,
    /// All of them.
    pub total: u32,
}

/// An answer that is held while the other state is read on.
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
    /// How `now` differs from this state; of all differences the first `most` are told, of one tool
    /// only where `tool` names it. Two answers are the same when they are so to the letter or as
    /// values.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn diff(&self, now: &CacheState, tool: Option<&str>, most: usize) -> Result<StateDiff> {
        let (then, now_at) = (self.lock(), now.lock());
        let mut old = state::prepare(&then, &self.beside, false)?;
        let mut new = state::prepare(&now_at, &now.beside, false)?;
        let mut old = state::query(&mut old, self.pack, &self.beside)?;
        let mut new = state::query(&mut new, now.pack, &now.beside)?;
        let mut diff = Diff { tool, most, told: StateDiff::default() };
        let (mut a, mut b) = (Unpaired::next(&mut old)?, Unpaired::next(&mut new)?);
        loop {
            let order = match (&a, &b) {
                (None, None) => return Ok(diff.told),
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
    told: StateDiff,
}

impl Diff<'_> {
    fn hold(&mut self, then: Option<Unpaired>, now: Option<Unpaired>) -> Result<()> {
        let Some((tool, args)) = then.as_ref().or(now.as_ref()).map(Unpaired::place) else {
            return Ok(());
        };
        if self.told.tools.last().is_none_or(|last| last.tool != tool) {
            self.told
                .tools
                .push(AnswerDifferenceTool { tool: tool.to_owned(), ..AnswerDifferenceTool::default() });
        }
        let Some(count) = self.told.tools.last_mut() else {
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
        self.told.total += 1;
        if self.told.differences.len() < self.most {
            let (tool, args) = (tool.to_owned(), args.to_owned());
            self.told.differences.push(AnswerDifference {
                change,
                tool,
                args,
                then: then.map(|held| held.side),
                now: now.map(|held| held.side),
                places,
            });
        }
        Ok(())
    }
}

/// Where two answers differ; `None` when they are the same.
fn places(then: &Unpaired, now: &Unpaired) -> Result<Option<ValueChanges>> {
    if then.data == now.data {
        return Ok(None);
    }
    let read = |held: &Unpaired| parse(held.data.as_bytes(), &held.tool);
    let places = changes(&read(then)?, &read(now)?, PLACES);
    Ok((places.total > 0).then_some(places))
}
