//! Collects the calls of a recording in progress, and checks them before they are saved.

use crate::client::{Answered, store_tools};
use crate::form::{CallForm, OnRecordingEvent, Recorded, RecordingEvent, ServerForm, now};
use crate::normalize::{without_ids, without_times};
use crate::secrets::{SecretPlace, Secrets};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

/// Maximum number of bytes of a pack's file that an import reads. Recordings stay below this limit,
/// so that every pack can be imported again.
pub(crate) const MAX_FILE_BYTES: usize = 64 << 20;
/// Maximum number of methods that are counted by name. A limit is necessary because a client or
/// server may send any number of names.
const MAX_METHODS: usize = 50;
/// Maximum length of a method's name that is counted, in characters.
const MAX_METHOD_CHARS: usize = 64;
/// Name under which all other methods are counted.
const OTHER_METHODS: &str = "other";
/// Maximum number of characters of a tool's name in a remark.
const MAX_TOOL_CHARS: usize = 100;
/// Maximum number of remarks.
const MAX_REMARKS: usize = 200;

/// A recording in progress.
pub(crate) struct Capture {
    pub(crate) recorded: Recorded,
    pub(crate) secrets: Secrets,
    mask: bool,
    session: u32,
    /// Whether a call has been made in the current session.
    asked: bool,
    /// For each recorded call, its position in the file of calls, if the call is from a file.
    played: Vec<Option<usize>>,
    /// Number of bytes of the recorded calls in the pack's format.
    bytes: usize,
    most: usize,
    /// Messages for the user.
    pub(crate) remarks: Vec<Sentence>,
    /// Number of answers that were not recorded.
    pub(crate) left_out: u32,
    heard: Option<OnRecordingEvent>,
}

/// A call with its answer.
pub(crate) struct AnsweredCall<'a> {
    /// Session of the call.
    pub(crate) session: u32,
    /// Position of the call in the file of calls; the same for a call and its repetition.
    pub(crate) played: Option<usize>,
    pub(crate) tool: &'a str,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) answered: &'a Answered,
    pub(crate) took: Duration,
}

impl Capture {
    pub(crate) fn new(server: ServerForm, secrets: Secrets, mask: bool) -> Self {
        Self {
            recorded: Recorded { server, calls: Vec::new() },
            secrets,
            mask,
            session: 1,
            asked: false,
            played: Vec::new(),
            bytes: 0,
            most: MAX_FILE_BYTES,
            remarks: Vec::new(),
            left_out: 0,
            heard: None,
        }
    }

    /// Sets the listener of events.
    pub(crate) fn watched(mut self, heard: Option<OnRecordingEvent>) -> Self {
        self.heard = heard;
        self
    }

    fn tell(&self, heard: RecordingEvent<'_>) {
        if let Some(hear) = &self.heard {
            hear(heard);
        }
    }

    /// Starts another session, unless the current one has no calls yet. Returns its number.
    pub(crate) fn begin_session(&mut self) -> u32 {
        self.session += u32::from(std::mem::take(&mut self.asked));
        self.session
    }

    /// Records that a call is made, and returns its session. The call belongs to this session even
    /// if another session begins before the answer.
    pub(crate) fn ask(&mut self) -> u32 {
        self.asked = true;
        self.session
    }

    pub(crate) fn remark(&mut self, remark: Sentence) {
        if self.remarks.len() < MAX_REMARKS && !self.remarks.contains(&remark) {
            self.tell(RecordingEvent::Remark(&remark));
            self.remarks.push(remark);
        }
    }

    /// Counts a method that is forwarded and not recorded.
    pub(crate) fn pass(&mut self, method: &str) {
        let signs = |sign: u8| sign.is_ascii_alphanumeric() || b"_/$.-".contains(&sign);
        let is_name = (1..=MAX_METHOD_CHARS).contains(&method.len()) && method.bytes().all(signs);
        let counts = &self.recorded.server.passed_through;
        let has_place = counts.contains_key(method) || counts.len() < MAX_METHODS;
        let may_be_kept = is_name && has_place && self.secrets.find(&as_json(method)).is_none();
        let name = if may_be_kept { method } else { OTHER_METHODS };
        let counts = &mut self.recorded.server.passed_through;
        *counts.entry(name.to_owned()).or_default() += 1;
    }

    /// Counts a call of this tool that has no answer to record.
    pub(crate) fn unanswered(&mut self, tool: &str, why: &Sentence) {
        let tool = self.secrets.clipped(tool, MAX_TOOL_CHARS);
        self.leave_out(&tool, say!("a call of {tool} was not recorded: {why}"));
    }

    /// Counts an answer that is not recorded, with the reason. Secrets must already be removed from
    /// the tool's name.
    pub(crate) fn leave_out(&mut self, tool: &str, why: Sentence) {
        self.left_out += 1;
        self.tell(RecordingEvent::LeftOut(tool));
        self.remark(why);
    }

    /// Records the answer to a call, unless it contains a secret that cannot be masked.
    pub(crate) fn keep(&mut self, came: &AnsweredCall<'_>) {
        let (answer, is_result) = match came.answered {
            Answered::Result(result) => (result.get(), true),
            Answered::Error(error) => (error.get(), false),
        };
        let mut masked = false;
        let tool = match self.checked(&as_json(came.tool), &mut masked) {
            Ok(text) => of_json(&text),
            Err(hit) => return self.refuse(came.tool, "name", &hit),
        };
        let arguments = match self.checked(came.arguments.unwrap_or("null"), &mut masked) {
            Ok(text) => came.arguments.map(|_| text),
            Err(hit) => return self.refuse(came.tool, "arguments", &hit),
        };
        let answer = match self.checked(answer, &mut masked) {
            Ok(text) => text,
            Err(hit) => return self.refuse(came.tool, "result", &hit),
        };
        let call = CallForm {
            session: came.session,
            ordinal: u32::try_from(self.recorded.calls.len()).unwrap_or(u32::MAX).saturating_add(1),
            tool,
            arguments,
            result: is_result.then(|| answer.clone()),
            error: (!is_result).then_some(answer),
            ms: u64::try_from(came.took.as_millis()).unwrap_or(u64::MAX),
            at: now(),
            masked,
        };
        let bytes = call.line().len();
        if self.bytes + bytes > self.most {
            let tool = self.secrets.clipped(came.tool, MAX_TOOL_CHARS);
            let full = say!(
                "the recording is full at {} MiB; stop it, and record what is left out as another pack",
                self.most >> 20
            );
            return self.leave_out(&tool, full);
        }
        self.bytes += bytes;
        self.tell(RecordingEvent::Kept(&call));
        self.recorded.calls.push(call);
        self.played.push(came.played);
    }

    /// Returns the text, with secrets masked if masking is allowed. Otherwise returns the place of
    /// the first secret.
    fn checked(&self, text: &str, masked: &mut bool) -> Result<String, SecretPlace> {
        let Some(hit) = self.secrets.find(text) else {
            return Ok(text.to_owned());
        };
        if self.mask {
            let text = self.secrets.masked(text);
            if self.secrets.find(&text).is_none() && serde_json::from_str::<Value>(&text).is_ok() {
                *masked = true;
                return Ok(text);
            }
        }
        Err(hit)
    }

    fn refuse(&mut self, tool: &str, part: &'static str, hit: &SecretPlace) {
        let dot = if hit.place.is_empty() || hit.place.starts_with('[') { "" } else { "." };
        let place = format!("{part}{dot}{}", self.secrets.place(hit));
        let tool = self.secrets.clipped(tool, MAX_TOOL_CHARS);
        let why = if hit.environment {
            say!(
                "an answer of {tool} was not recorded: it shows environment variables at {place}; mask secrets (--mask) to have values replaced"
            )
        } else {
            say!(
                "an answer of {tool} was not recorded: it contains a value that the server was given, at {place}; mask secrets (--mask) to have the value replaced"
            )
        };
        self.leave_out(&tool, why);
    }

    /// Checks the server's tools and description for secrets, and masks secrets if masking is
    /// allowed.
    ///
    /// # Errors
    /// One sentence, when a secret cannot be masked. A pack cannot be saved without the server's
    /// tools.
    pub(crate) fn check_server(&mut self) -> Result<(), Sentence> {
        let server = &self.recorded.server;
        let mut masked = false;
        let mut tools = Vec::new();
        for tool in &server.tools {
            tools.push(self.checked(tool, &mut masked).map_err(|hit| {
                let name = name_of(tool).map_or_else(|| "?".to_owned(), |name| self.secrets.clipped(&name, MAX_TOOL_CHARS));
                let place = self.secrets.place(&hit);
                say!(
                    "nothing was recorded: the server's tool {name} contains a value that the server was given, at {place}; mask secrets (--mask) to have the value replaced"
                )
            })?);
        }
        let mut texts = [
            server.info.clone(),
            server.capabilities.clone(),
            server.instructions.clone().unwrap_or_default(),
            as_json(&server.protocol),
        ];
        for text in texts.iter_mut().filter(|text| !text.is_empty()) {
            *text = self.checked(text, &mut masked).map_err(|_| {
                say!("nothing was recorded: the server's description of itself contains a value that the server was given; mask secrets (--mask) to have the value replaced")
            })?;
        }
        let [info, capabilities, instructions, protocol] = texts;
        let server = &mut self.recorded.server;
        server.info = info;
        server.capabilities = capabilities;
        server.protocol = of_json(&protocol);
        server.instructions = Some(instructions).filter(|text| !text.is_empty());
        store_tools(server, tools);
        Ok(())
    }

    /// Sorts the calls by session and numbers them. Answers of one session may arrive after the
    /// next session has begun.
    pub(crate) fn by_session(&mut self) {
        self.recorded.calls.sort_by_key(|call| call.session);
        for (call, ordinal) in self.recorded.calls.iter_mut().zip(1..) {
            call.ordinal = ordinal;
        }
    }

    /// Compares the answers to calls that were made twice in a row, to find tools whose answers
    /// contain times, ids or counters.
    pub(crate) fn find_unsteady(&mut self) {
        let mut unsteady: BTreeMap<String, Unsteady> = BTreeMap::new();
        let calls: Vec<_> = self.recorded.calls.iter().zip(&self.played).collect();
        for pair in calls.windows(2) {
            // A call with only one recorded answer has no pair.
            let [(one, played), (other, again)] = *pair else {
                continue;
            };
            if played.is_none() || played != again {
                continue;
            }
            if let Some(what) = Unsteady::between(one.answer(), other.answer()) {
                let worst = unsteady.entry(one.tool.clone()).or_insert(what);
                *worst = what.max(*worst);
            }
        }
        let by_tool = unsteady.into_iter().map(|(tool, what)| (tool, what.name().to_owned()));
        self.recorded.server.unsteady = by_tool.collect();
    }
}

/// Kind of difference between two answers to the same call. The comparison for drift ignores
/// differences of times and ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unsteady {
    Time,
    Ids,
    Counts,
}

impl Unsteady {
    fn between(one: &str, other: &str) -> Option<Self> {
        if one == other {
            return None;
        }
        let (one, other) = (without_times(one), without_times(other));
        if one == other {
            return Some(Self::Time);
        }
        Some(if without_ids(&one) == without_ids(&other) { Self::Ids } else { Self::Counts })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Ids => "ids",
            Self::Counts => "counts",
        }
    }
}

/// Describes a tool whose answers to the same call differ, and how drift and replay treat the
/// difference. `what` is `time`, `ids` or `counts`.
pub fn unsteady(tool: &str, what: &str) -> Sentence {
    match what {
        "time" => say!("{tool}: its answers hold the time; drift counts times as the same"),
        "ids" => say!("{tool}: its answers hold ids or times; drift counts both as the same"),
        _ => say!("{tool}: the second answer was different; a replay gives the answers in their order"),
    }
}

/// Encodes a text as JSON, because the check for secrets reads only JSON.
fn as_json(text: &str) -> String {
    Value::from(text).to_string()
}

fn of_json(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_default()
}

/// Name of a tool, from the tool's JSON.
pub(crate) fn name_of(tool: &str) -> Option<String> {
    let value: Value = serde_json::from_str(tool).ok()?;
    Some(value.get("name")?.as_str()?.to_owned())
}

/// Tools in the format of a pack. A name that occurs twice is used once.
pub(crate) fn specs(server: &ServerForm) -> Vec<ToolSpec> {
    let mut names = HashSet::new();
    let mut specs = Vec::new();
    for text in &server.tools {
        let Ok(tool) = serde_json::from_str::<Value>(text) else {
            continue;
        };
        let text_of = |field: &str| {
            let text = tool.get(field).and_then(Value::as_str);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let Some(name) = text_of("name").filter(|name| names.insert(name.clone())) else {
            continue;
        };
        // A pack's tools need a description; a server's may lack one.
        let description = text_of("description").or_else(|| text_of("title"));
        specs.push(ToolSpec {
            description: description.unwrap_or_else(|| name.clone()),
            name,
            parameters: match tool.get("inputSchema") {
                Some(schema) if schema.is_object() => schema.clone(),
                _ => serde_json::json!({ "type": "object", "properties": {} }),
            },
        });
    }
    specs
}

#[cfg(test)]
mod tests;
