//! Cached responses of a draft: those that were written by hand, and those of the base pack that
//! they do not replace.

use super::begin::recorded_now;
use super::view::specs;
use crate::Packs;
use crate::answers::AnswerSource as _;
use crate::wire::{CallAnswer, DraftRecordRow, DraftRecords};
use koab_core::args;
use koab_core::finding::{Fault, Problem};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolFault;
use koab_store::draft::pretty;
use koab_store::drafts::DraftRecord;
use koab_store::{DraftEdit, ItemKind, StoredDraft};
use koab_workspace::WireError;
use serde_json::{Map, Value};

/// Maximum number of rows in a list of cached responses.
const MAX_ROWS: usize = 200;

/// Result of preparing a change.
pub(super) enum RecordChange {
    Edit(DraftEdit),
    Refused(Vec<Problem>),
}

impl Packs {
    /// Cached responses of a tool whose arguments contain all of these words.
    ///
    /// # Errors
    /// When the draft does not exist.
    pub fn draft_records(&self, name: &str, tool: &str, words: &str) -> Result<DraftRecords, WireError> {
        let stored = self.workspace.store()?.draft(name)?;
        let answers = self.draft_answers(&stored, specs(&stored))?;
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let fits = |text: &str| {
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let all = answers.all(tool)?.into_iter();
        let fitting: Vec<_> = all.filter(|(args, _)| fits(&args.canonical())).collect();
        let mut rows = Vec::new();
        for (args, own) in fitting.iter().take(MAX_ROWS) {
            let raw = args.as_value().as_object().cloned().unwrap_or_default();
            let (stale, recorded_at) = match answers.answer(tool, &raw)?.0 {
                CallAnswer::Hit { stale, recorded_at, .. } => (stale, recorded_at),
                _ => (true, String::new()),
            };
            rows.push(DraftRecordRow {
                arguments: args.as_value().to_string(),
                own: *own,
                stale,
                recorded_at,
            });
        }
        Ok(DraftRecords { count: fitting.len() as u32, rows })
    }

    /// The cached response to a call as JSON text for editing, because JavaScript numbers would
    /// lose their form. `None` when nothing is recorded.
    ///
    /// # Errors
    /// When the draft does not exist.
    pub fn draft_response(
        &self,
        name: &str,
        tool: &str,
        arguments: &str,
    ) -> Result<Option<String>, WireError> {
        let stored = self.workspace.store()?.draft(name)?;
        let answers = self.draft_answers(&stored, specs(&stored))?;
        let Ok(raw) = args::parse(arguments) else {
            return Ok(None);
        };
        let (_, response) = answers.answer(tool, &raw)?;
        Ok(response.as_ref().map(pretty))
    }

    /// Prepares the edit for a response written by hand. `None` as response removes the existing
    /// one.
    pub(super) fn record_written(
        &self,
        stored: &StoredDraft,
        tool: &str,
        arguments: &str,
        response: Option<&str>,
    ) -> Result<RecordChange, WireError> {
        let answers = self.draft_answers(stored, specs(stored))?;
        let mut problems = Vec::new();
        let raw = match args::parse(arguments) {
            Ok(raw) => raw,
            Err(fault) => {
                problems.push(refused("arguments", &fault));
                Map::new()
            }
        };
        let args = match answers.catalog().normalized(tool, &raw) {
            Ok(args) => Some(args),
            Err(fault) => {
                // Unreadable arguments have been reported already.
                if problems.is_empty() {
                    problems.push(refused("arguments", &fault));
                }
                None
            }
        };
        let data = match response.map(serde_json::from_str::<Value>) {
            None => None,
            Some(Ok(data)) => Some(data),
            Some(Err(error)) => {
                let remedy = say!("Write what the tool answers as JSON; put a text in quotation marks.");
                let problem = Fault::NotJson.rejected(say!("is not JSON: {error}"));
                problems.push(problem.at("response").with_remedy(remedy));
                None
            }
        };
        let (Some(args), true) = (args, problems.is_empty()) else {
            return Ok(RecordChange::Refused(problems));
        };
        let record = DraftRecord { tool: tool.to_owned(), args: raw, data, created_at: recorded_now() };
        let content = serde_json::to_string(&record).map_err(WireError::internal)?;
        let spec = answers.catalog().get(tool);
        let same = |other: &DraftRecord| {
            other.tool == tool && spec.is_some_and(|spec| args::normalize(spec, &other.args) == args)
        };
        let there = stored.own_records().into_iter().find(|(_, other)| same(other));
        Ok(RecordChange::Edit(match there {
            Some((item, _)) => DraftEdit::Put { item, level: None, content },
            None => DraftEdit::Add { kind: ItemKind::Record, level: None, content, after: None },
        }))
    }
}

fn refused(field: &str, fault: &ToolFault) -> Problem {
    let remedy = say!("Write the arguments as a model would: one JSON object that fits the tool's schema.");
    let problem = Fault::Arguments.rejected(fault.to_sentence());
    problem.at(field).with_remedy(remedy)
}

#[cfg(test)]
mod tests;
