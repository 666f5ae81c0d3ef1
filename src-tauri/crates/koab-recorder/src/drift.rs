//! Drift, which means differences between a recording and a newer version of its server, in tools
//! and answers.

use crate::capture::{AnsweredCall, Capture};
use crate::client::{Answered, Client, NoAnswer};
use crate::form::{CallForm, Recorded, ServerForm, raw};
use crate::tool_changes::{ToolChange, changes};
use koab_core::changes::ValueChanges;
use koab_core::python::equal;
use koab_core::sentence::Sentence;
use koab_mcp::RawValue;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Maximum number of reported differences within one answer.
const MAX_PLACES: usize = 20;

/// Comparison of a recorded answer with the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerNow {
    /// The answers are the same.
    Same,
    /// The answers differ.
    Differs,
    /// The recorded call succeeded and the current one fails.
    Missing,
    /// The recorded call failed and the current one succeeds.
    Found,
    /// Both calls fail, with different errors.
    ErrorThen,
    /// The recorded answer was masked and cannot be compared.
    NotKept,
}

/// Drift of one recorded call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServerCallDrift {
    /// 1-based number of the call in the recording.
    pub ordinal: u32,
    /// Tool name.
    pub tool: String,
    /// Arguments of the call, as JSON.
    pub arguments: String,
    /// Comparison of the answers.
    pub now: AnswerNow,
    /// Places at which the two answers differ.
    pub places: ValueChanges,
    /// Reason why there is no current answer.
    pub why: Option<Sentence>,
}

/// Drift of a server from its recording.
#[derive(Clone, Debug, Serialize)]
pub struct ServerDrift {
    /// `name@version` of the pack.
    pub pack: String,
    /// `serverInfo` that the recorded server sent.
    pub then: serde_json::Value,
    /// `serverInfo` that the newer server sends.
    pub now: serde_json::Value,
    /// Changes of the tools.
    pub tools: Vec<ToolChange>,
    /// Drift of each recorded call, in order.
    pub calls: Vec<ServerCallDrift>,
    /// Number of calls whose answers are the same, including those that cannot be compared.
    pub same: u32,
    /// Whether the newer server is compatible: all answers are the same, and no change of a tool is
    /// incompatible.
    pub compatible: bool,
    /// `name@version` of the pack's new version, if one was made.
    pub updated: Option<String>,
}

/// Repeats the recorded calls of one session in order, and compares the answers.
pub(crate) async fn session(
    then: &Recorded,
    calls: &[&CallForm],
    (client, capture): (&Client, &mut Capture),
    here: Option<&str>,
    limit: Duration,
) -> Vec<ServerCallDrift> {
    let rules = &then.server.normalize;
    capture.begin_session();
    let mut drifts = Vec::new();
    for call in calls {
        let arguments = call.arguments.as_deref().map(|text| match (&rules.work, here) {
            (Some(_), Some(_)) => {
                raw(&crate::normalize::Normalize { rewrite: true, ..rules.clone() }.answer(text, here))
            }
            _ => raw(text),
        });
        let since = Instant::now();
        let session = capture.ask();
        let result = client.call(&call.tool, arguments.as_deref()).await;
        if let Ok(answered) = &result {
            capture.keep(&AnsweredCall {
                session,
                played: None,
                tool: &call.tool,
                arguments: arguments.as_deref().map(RawValue::get),
                answered,
                took: since.elapsed(),
            });
        }
        drifts.push(compared(then, call, &result, here, limit));
    }
    drifts
}

fn compared(
    then: &Recorded,
    call: &CallForm,
    result: &Result<Answered, NoAnswer>,
    here: Option<&str>,
    limit: Duration,
) -> ServerCallDrift {
    let rules = &then.server.normalize;
    let work = rules.work.as_deref();
    let (now, why) = match result {
        Ok(Answered::Result(result)) => {
            (CallForm { result: Some(result.get().to_owned()), ..CallForm::default() }, None)
        }
        Ok(Answered::Error(error)) => {
            (CallForm { error: Some(error.get().to_owned()), ..CallForm::default() }, None)
        }
        Err(none) => {
            (CallForm { error: Some("{}".to_owned()), ..CallForm::default() }, Some(none.sentence(limit)))
        }
    };
    let before = rules.compared(&call.tool, call.answer(), work);
    let after = rules.compared(&call.tool, now.answer(), here.or(work));
    let same = equal(&before, &after) && call.error.is_some() == now.error.is_some();
    let standing = match (call.is_error(), now.is_error()) {
        _ if call.masked => AnswerNow::NotKept,
        _ if same => AnswerNow::Same,
        (false, false) => AnswerNow::Differs,
        (false, true) => AnswerNow::Missing,
        (true, false) => AnswerNow::Found,
        (true, true) => AnswerNow::ErrorThen,
    };
    let differ = !matches!(standing, AnswerNow::Same | AnswerNow::NotKept);
    ServerCallDrift {
        ordinal: call.ordinal,
        tool: call.tool.clone(),
        arguments: call.arguments.clone().unwrap_or_default(),
        now: standing,
        places: if differ && why.is_none() {
            koab_core::changes::changes(&before, &after, MAX_PLACES)
        } else {
            ValueChanges::default()
        },
        why,
    }
}

/// Combines the drift of tools and calls.
pub(crate) fn verdict(
    pack: String,
    then: &Recorded,
    now: &ServerForm,
    calls: Vec<ServerCallDrift>,
) -> ServerDrift {
    let tools = changes(&then.server, now);
    let same = |call: &&ServerCallDrift| matches!(call.now, AnswerNow::Same | AnswerNow::NotKept);
    let alike = calls.iter().filter(same).count();
    let value = |text: &str| serde_json::from_str(text).unwrap_or_default();
    ServerDrift {
        pack,
        then: value(&then.server.info),
        now: value(&now.info),
        compatible: alike == calls.len() && tools.iter().all(|change| change.kind.is_compatible()),
        same: u32::try_from(alike).unwrap_or(u32::MAX),
        tools,
        calls,
        updated: None,
    }
}

#[cfg(test)]
mod tests;
