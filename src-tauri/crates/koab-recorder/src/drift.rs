//! A recording beside a newer version of its server: other tools, other answers.

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

/// Places that are shown of one answer that differs.
const PLACES: usize = 20;

/// How a recorded call is answered now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerNow {
    /// As it was.
    Same,
    /// Otherwise.
    Differs,
    /// There was a result, and now there is none.
    Missing,
    /// There was none, and now there is one.
    Found,
    /// It failed then and fails now, in other words.
    ErrorThen,
    /// What was recorded is not what the server said then: a value was replaced in it.
    NotKept,
}

/// One recorded call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServerCallDrift {
    /// Its place in the recording.
    pub ordinal: u32,
    /// Tool name.
    pub tool: String,
    /// Its arguments.
    pub arguments: String,
    /// How it is answered now.
    pub now: AnswerNow,
    /// Where the answers differ.
    pub places: ValueChanges,
    /// Why there is no answer now.
    pub why: Option<Sentence>,
}

/// How a server differs from its recording.
#[derive(Clone, Debug, Serialize)]
pub struct ServerDrift {
    /// `name@version` of the pack.
    pub pack: String,
    /// What the server said of itself then, `serverInfo`.
    pub then: serde_json::Value,
    /// What it says now.
    pub now: serde_json::Value,
    /// Differences of its tools.
    pub tools: Vec<ToolChange>,
    /// Recorded calls, in their order.
    pub calls: Vec<ServerCallDrift>,
    /// How many of them are answered as they were.
    pub same: u32,
    /// No tool is gone, nothing must be given that need not be, nothing is refused that was taken,
    /// and all answers are the same.
    pub compatible: bool,
    /// The version that was made of what it says now.
    pub updated: Option<String>,
}

/// Makes the recorded calls of one session again, each in its turn, and compares.
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
        let asked = client.call(&call.tool, arguments.as_deref()).await;
        if let Ok(answered) = &asked {
            capture.keep(&AnsweredCall {
                session,
                played: None,
                tool: &call.tool,
                arguments: arguments.as_deref().map(RawValue::get),
                answered,
                took: since.elapsed(),
            });
        }
        drifts.push(compared(then, call, &asked, here, limit));
    }
    drifts
}

fn compared(
    then: &Recorded,
    call: &CallForm,
    asked: &Result<Answered, NoAnswer>,
    here: Option<&str>,
    limit: Duration,
) -> ServerCallDrift {
    let rules = &then.server.normalize;
    let work = rules.work.as_deref();
    let (now, why) = match asked {
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
        places: match differ && why.is_none() {
            true => koab_core::changes::changes(&before, &after, PLACES),
            false => ValueChanges::default(),
        },
        why,
    }
}

/// The whole of it.
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
