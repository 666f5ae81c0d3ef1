//! Look-up of calls in a pack's cached responses, as in a run without live calls. It is used for
//! the calls in a pack's tasks and for calls that a user tries by hand.

use crate::nearest::nearest;
use crate::wire::{CallAnswer, CallLookup, NearestCall};
use koab_core::args::{self, NormalizedArgs};
use koab_core::catalog::ToolCatalog;
use koab_core::sentence::ToSentence;
use koab_store::PackCache;
use koab_store::cache::RecordDetail;
use koab_workspace::WireError;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Record that answers a call.
pub(crate) struct RecordHit {
    pub(crate) key: String,
    pub(crate) stale: bool,
    pub(crate) recorded_at: String,
    pub(crate) data: Value,
}

impl From<RecordDetail> for RecordHit {
    fn from(detail: RecordDetail) -> Self {
        Self {
            key: detail.published_key,
            stale: detail.standing != "current",
            recorded_at: detail.created_at,
            data: detail.data,
        }
    }
}

/// A set of tools with cached responses to their calls.
pub(crate) trait AnswerSource {
    fn catalog(&self) -> &ToolCatalog;

    fn find(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<RecordHit>, WireError>;

    /// Arguments of every call of a tool that has a cached response.
    fn recorded(&self, tool: &str) -> Result<Rc<Vec<NormalizedArgs>>, WireError>;

    /// Outcome of a call in a run, and the cached response if there is one.
    fn answer(&self, tool: &str, raw: &Map<String, Value>) -> Result<(CallAnswer, Option<Value>), WireError> {
        let args = match self.catalog().normalized(tool, raw) {
            Ok(args) => args,
            Err(fault) => {
                let why = fault.to_sentence();
                return Ok((CallAnswer::Refused { why }, None));
            }
        };
        if let Some(record) = self.find(tool, &args)? {
            let hit =
                CallAnswer::Hit { key: record.key, stale: record.stale, recorded_at: record.recorded_at };
            return Ok((hit, Some(record.data)));
        }
        let recorded = self.recorded(tool)?;
        let nearest = nearest(&args, &recorded)
            .map(|(args, differing)| NearestCall { args: args.as_value().clone(), differing });
        let key = self.catalog().key(tool, &args);
        Ok((CallAnswer::Miss { key, nearest }, None))
    }

    /// Outcome of a call whose arguments are JSON text, as a user writes them.
    fn lookup(&self, tool: &str, arguments: &str) -> Result<CallLookup, WireError> {
        let raw = match args::parse(arguments) {
            Ok(raw) => raw,
            Err(fault) => {
                return Ok(CallLookup {
                    args: Value::Null,
                    answer: CallAnswer::Refused { why: fault.to_sentence() },
                    result: Value::Null,
                });
            }
        };
        let (answer, result) = self.answer(tool, &raw)?;
        let args = self.catalog().normalized(tool, &raw);
        Ok(CallLookup {
            args: args.map_or(Value::Null, |args| args.as_value().clone()),
            answer,
            result: result.unwrap_or_default(),
        })
    }
}

/// Tools and cached responses of a pack, for many look-ups.
pub(crate) struct Answers {
    catalog: ToolCatalog,
    cache: PackCache,
    /// Recorded arguments by tool, read when a tool's first call misses.
    recorded: RefCell<HashMap<String, Rc<Vec<NormalizedArgs>>>>,
}

impl Answers {
    pub(crate) fn new(catalog: ToolCatalog, cache: PackCache) -> Self {
        Self { catalog, cache, recorded: RefCell::default() }
    }

    /// Whether a record answers the call. Does not read the record.
    pub(crate) fn is_answered(&self, tool: &str, raw: &Map<String, Value>) -> Result<bool, WireError> {
        match self.catalog.normalized(tool, raw) {
            Ok(args) => Ok(self.cache.answers(tool, &args)?),
            Err(_) => Ok(false),
        }
    }
}

impl AnswerSource for Answers {
    fn catalog(&self) -> &ToolCatalog {
        &self.catalog
    }

    fn find(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<RecordHit>, WireError> {
        Ok(self.cache.find(tool, args)?.map(RecordHit::from))
    }

    fn recorded(&self, tool: &str) -> Result<Rc<Vec<NormalizedArgs>>, WireError> {
        if let Some(recorded) = self.recorded.borrow().get(tool) {
            return Ok(Rc::clone(recorded));
        }
        let recorded = Rc::new(self.cache.answered_args(tool)?);
        self.recorded.borrow_mut().insert(tool.to_owned(), Rc::clone(&recorded));
        Ok(recorded)
    }
}

#[cfg(test)]
mod tests;
