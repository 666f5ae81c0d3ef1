//! Answers one tool call: parses and checks its arguments, injects the task's failure, looks up the
//! cache, and in write mode calls the live API after a cache miss.
//!
//! The order is the published one (`docs/spec/tools.md` §1): argument text, injection, tool name,
//! arguments, cache, service. Two rules follow the recommendation of the specification (§13): a
//! call with a cached response never reaches the live API, and an answer that reports an error is a
//! failure, which is not saved.

use crate::disk_work::disk_work;
use crate::egress::Offline;
use crate::live;
use crate::ports::{LiveTools, RequestedCall, ResponseCache, ServiceFault, StoreError};
use crate::repeated_calls::CallsMade;
use koab_core::args;
use koab_core::catalog::ToolCatalog;
use koab_core::event::AnswerSource;
use koab_core::run_record::CallRecord;
use koab_core::tool::{ToolFault, ToolSpec};
use serde_json::{Map, Value};
use tokio::time::Instant;

/// Answers the tool calls of an attempt. Its fields are all data that the answers depend on.
pub(crate) struct ToolResponder<'a> {
    pub(crate) catalog: &'a ToolCatalog,
    pub(crate) cache: &'a dyn ResponseCache,
    /// Number of earlier answers to each call of the attempt.
    pub(crate) made: &'a CallsMade,
    /// Sources that answer cache misses.
    pub(crate) live: Option<&'a LiveTools>,
    /// End of the task's time, which is also the time limit of a service.
    pub(crate) until: Instant,
    /// Tool and kind of the failure to inject.
    pub(crate) injection: Option<(&'a str, &'a str)>,
    /// Whether an empty argument text counts as no arguments.
    pub(crate) empty_is_none: bool,
    /// Tools that may be called; `None` for all tools of the catalog.
    pub(crate) offered: Option<&'a [ToolSpec]>,
}

/// A call's record and its answer for the model.
pub(crate) struct CallOutcome {
    pub(crate) record: CallRecord,
    pub(crate) shown: Value,
}

/// Reason why a call has no answer for the model.
pub(crate) enum NoAnswer {
    /// The cache cannot be read or written.
    Store(StoreError),
    /// The service behind the tool may not be called now, because koab is offline. The model does
    /// not see this, since it would be misled.
    Offline(Offline),
}

impl From<StoreError> for NoAnswer {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A result with its source, or a fault.
type Outcome = Result<(Value, AnswerSource), ToolFault>;

impl ToolResponder<'_> {
    /// Answers one call. A fault of the call is also an answer. Only failures that have nothing to
    /// do with the model are errors.
    pub(crate) async fn answer(&self, step: u32, call: &RequestedCall) -> Result<CallOutcome, NoAnswer> {
        let text = match call.arguments.trim() {
            "" if self.empty_is_none => "{}",
            _ => &call.arguments,
        };
        let (arguments, unreadable) = match args::parse(text) {
            Ok(map) => (map, None),
            Err(fault) => (Map::new(), Some(fault)),
        };
        let outcome = match &unreadable {
            Some(fault) => Err(fault.clone()),
            None => self.outcome(&call.name, &arguments).await?,
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
        let answer = match outcome {
            Ok((result, source)) => {
                record.source = source;
                record.result = Some(result.clone());
                result
            }
            Err(fault) => {
                record.error = Some(fault.to_string());
                record.owner = Some(fault.owner());
                record.source = match fault {
                    ToolFault::Injected { .. } => AnswerSource::Injected,
                    ToolFault::NotCached { .. } => AnswerSource::Miss,
                    ToolFault::Service { .. } => AnswerSource::Live,
                    _ => AnswerSource::Refused,
                };
                fault.shown()
            }
        };
        Ok(CallOutcome { record, shown: answer })
    }

    async fn outcome(&self, name: &str, raw: &Map<String, Value>) -> Result<Outcome, NoAnswer> {
        if let Some((tool, error_type)) = self.injection
            && tool == name
        {
            return Ok(Err(ToolFault::injected(error_type)));
        }
        let is_offered = self.offered.is_none_or(|tools| tools.iter().any(|tool| tool.name == name));
        if !is_offered {
            return Ok(Err(ToolFault::UnknownTool { tool: name.to_owned() }));
        }
        let normalized = match self.catalog.normalized(name, raw) {
            Ok(normalized) => normalized,
            Err(fault) => return Ok(Err(fault)),
        };
        let count = self.made.count(name, &normalized);
        let cached = disk_work(|| self.cache.lookup_again(name, &normalized, count))?;
        if let Some(result) = cached {
            return Ok(Ok((result, AnswerSource::Hit)));
        }
        if let Some(live) = self.live
            && let Some(answer) = live::answer(live, name, raw, &normalized, Some(self.until)).await?
        {
            return match answer {
                Ok(answer) => Ok(Ok(answer)),
                Err(ServiceFault { offline: Some(offline), .. }) => Err(NoAnswer::Offline(*offline)),
                Err(ServiceFault { message, shown, .. }) => {
                    Ok(Err(ToolFault::Service { message: message.to_string(), shown }))
                }
            };
        }
        Ok(Err(ToolFault::NotCached { tool: name.to_owned(), key: self.catalog.key(name, &normalized) }))
    }
}
