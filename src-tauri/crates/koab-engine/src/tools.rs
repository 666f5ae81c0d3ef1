//! Answers one tool call: reads its arguments, injects the task's failure, checks, looks up, and in
//! write mode asks the live API for what is not recorded.
//!
//! The order is the published one (`docs/spec/tools.md` §1): argument text, injection, tool name,
//! arguments, cache, service. Two things are as the specification advises (§13): what is recorded
//! is not asked for again, and an answer that says that something went wrong is a failure, which
//! nobody keeps.

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

/// What decides the answers of one attempt's tool calls.
pub(crate) struct ToolResponder<'a> {
    pub(crate) catalog: &'a ToolCatalog,
    pub(crate) cache: &'a dyn ResponseCache,
    /// How often the attempt was answered before.
    pub(crate) made: &'a CallsMade,
    /// Who answers what is not recorded.
    pub(crate) live: Option<&'a LiveTools>,
    /// When the task's time is up; a service is not waited for any longer.
    pub(crate) until: Instant,
    /// Tool and kind of the failure to inject.
    pub(crate) injection: Option<(&'a str, &'a str)>,
    /// Whether an empty text stands for no arguments.
    pub(crate) empty_is_none: bool,
    /// Names that may be called; `None` when any of the catalog may.
    pub(crate) offered: Option<&'a [ToolSpec]>,
}

/// A call's record and what the model is shown.
pub(crate) struct CallOutcome {
    pub(crate) record: CallRecord,
    pub(crate) shown: Value,
}

/// Why a call has no answer that a model may be shown.
pub(crate) enum NoAnswer {
    /// The cache cannot be read or written.
    Store(StoreError),
    /// The service behind the tool may not be asked now. That says nothing about the model, which
    /// would be misled by it.
    Offline(Offline),
}

impl From<StoreError> for NoAnswer {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A result with where it came from, or why there is none.
type Outcome = Result<(Value, AnswerSource), ToolFault>;

impl ToolResponder<'_> {
    /// Answers one call. A fault is an answer too; only what has nothing to do with the model is an
    /// error.
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
        let shown = match outcome {
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
        Ok(CallOutcome { record, shown })
    }

    async fn outcome(&self, name: &str, raw: &Map<String, Value>) -> Result<Outcome, NoAnswer> {
        if let Some((tool, error_type)) = self.injection
            && tool == name
        {
            return Ok(Err(ToolFault::injected(error_type)));
        }
        let offered = self.offered.is_none_or(|tools| tools.iter().any(|tool| tool.name == name));
        if !offered {
            return Ok(Err(ToolFault::UnknownTool { tool: name.to_owned() }));
        }
        let normalized = match self.catalog.normalized(name, raw) {
            Ok(normalized) => normalized,
            Err(fault) => return Ok(Err(fault)),
        };
        let made = self.made.count(name, &normalized);
        if let Some(result) = self.cache.lookup_again(name, &normalized, made)? {
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
