//! Answers one tool call: reads its arguments, injects the task's failure, checks, looks up.
//!
//! The order is the published one (`spec/tools.md` §1): argument text, injection, tool name, arguments, cache.

use crate::ports::{RequestedCall, ResponseCache, StoreError};
use koab_core::args;
use koab_core::cache_key::published_key;
use koab_core::event::AnswerSource;
use koab_core::record::CallRecord;
use koab_core::tool::{ToolCatalog, ToolFault, ToolSpec};
use serde_json::{Map, Value};

/// What decides the answers of one attempt's tool calls.
pub(crate) struct ToolDesk<'a> {
    pub(crate) catalog: &'a ToolCatalog,
    pub(crate) cache: &'a dyn ResponseCache,
    /// Tool and kind of the failure to inject.
    pub(crate) injection: Option<(&'a str, &'a str)>,
    /// Names that may be called; `None` when any of the catalog may.
    pub(crate) offered: Option<&'a [ToolSpec]>,
}

/// A call's record and what the model is shown.
pub(crate) struct Answered {
    pub(crate) record: CallRecord,
    pub(crate) shown: Value,
}

impl ToolDesk<'_> {
    /// Answers one call. A fault is an answer too; only a cache that cannot be read is an error.
    pub(crate) fn answer(&self, step: u32, call: &RequestedCall) -> Result<Answered, StoreError> {
        let (arguments, unreadable) = match args::parse(&call.arguments) {
            Ok(map) => (map, None),
            Err(fault) => (Map::new(), Some(fault)),
        };
        let outcome = match &unreadable {
            Some(fault) => Err(fault.clone()),
            None => self.result(&call.name, &arguments)?,
        };
        let mut record = CallRecord {
            step,
            tool: call.name.clone(),
            arguments: Value::Object(arguments),
            unreadable_arguments: unreadable.is_some().then(|| call.arguments.clone()),
            success: outcome.is_ok(),
            error: None,
            owner: None,
            source: AnswerSource::Hit,
            result: None,
        };
        let shown = match outcome {
            Ok(result) => {
                record.result = Some(result.clone());
                result
            }
            Err(fault) => {
                record.error = Some(fault.to_string());
                record.owner = Some(fault.owner());
                record.source = match fault {
                    ToolFault::Injected { .. } => AnswerSource::Injected,
                    ToolFault::NotCached { .. } => AnswerSource::Miss,
                    _ => AnswerSource::Refused,
                };
                fault.shown()
            }
        };
        Ok(Answered { record, shown })
    }

    fn result(&self, name: &str, raw: &Map<String, Value>) -> Result<Result<Value, ToolFault>, StoreError> {
        if let Some((tool, error_type)) = self.injection
            && tool == name
        {
            return Ok(Err(ToolFault::injected(error_type)));
        }
        let offered = self
            .offered
            .is_none_or(|tools| tools.iter().any(|tool| tool.name == name));
        let Some(tool) = self.catalog.get(name).filter(|_| offered) else {
            return Ok(Err(ToolFault::UnknownTool {
                tool: name.to_owned(),
            }));
        };
        if let Err(fault) = args::check(tool, raw) {
            return Ok(Err(fault));
        }
        let normalized = args::normalize(tool, raw);
        if let Some(result) = self.cache.lookup(name, &normalized)? {
            return Ok(Ok(result));
        }
        let key = published_key(
            name,
            self.catalog.signature(name).unwrap_or_default(),
            &normalized,
        );
        Ok(Err(ToolFault::NotCached {
            tool: name.to_owned(),
            key,
        }))
    }
}
