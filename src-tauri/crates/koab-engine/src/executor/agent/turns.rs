//! Assigns an agent's tool calls to the replies of its model.
//!
//! Calls are scored as the agent made them; the steps are the replies that requested them. A call
//! belongs to the oldest reply with an open request for the same tool with equal arguments. If the
//! agent changed the arguments, it belongs to the newest reply with an open request for the tool.
//! Otherwise the agent made the call without a request, and the call is a step of its own.

use crate::canonical_arguments::canonical_text;
use crate::ports::{ModelReply, RequestedCall};
use koab_core::run_record::{AgentFacts, CallRecord};
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::collections::BTreeMap;

/// Maximum number of different names of the agent's own tools that an attempt records.
const MAX_TOOL_NAMES: usize = 40;
/// Maximum length of a recorded tool name, in characters.
const MAX_NAME_CHARS: usize = 100;

/// An answered call: its record, its arguments as text and its answer for the model.
pub(super) struct AnsweredCall {
    pub(super) record: CallRecord,
    pub(super) arguments: String,
    pub(super) shown: Value,
}

/// A reply of the model, or a call that the agent made without a request by the model.
#[derive(Default)]
pub(super) struct Turn {
    /// Reply of the model; `None` for a call that the agent made without a request.
    pub(super) reply: Option<ModelReply>,
    asked: Vec<CallInReply>,
    /// Answered calls, each with its position in the reply.
    pub(super) calls: Vec<(usize, AnsweredCall)>,
    /// Number of the step in its events; `None` before the step is reported.
    pub(super) told: Option<u32>,
    /// Whether the step is in the journal.
    pub(super) written: bool,
    /// Answer that ended a turn of the user; `None` for the user's last turn.
    pub(super) answer: Option<String>,
}

struct CallInReply {
    name: String,
    /// Canonical text of the arguments; `None` if they are not JSON.
    arguments: Option<String>,
    made: bool,
}

/// Position of a call: its turn, and its place in the reply.
#[derive(Clone, Copy)]
pub(super) struct CallPosition {
    pub(super) turn: usize,
    place: usize,
}

/// All turns of an attempt so far.
#[derive(Default)]
pub(super) struct Turns {
    pub(super) all: Vec<Turn>,
    /// Position of the first reply to the user's current turn.
    begins: usize,
    changed: u32,
    by_agent: u32,
}

impl Turns {
    pub(super) fn reply(&mut self, reply: ModelReply) {
        let requests = reply.calls.iter().map(CallInReply::new).collect();
        self.all.push(Turn { asked: requests, reply: Some(reply), ..Turn::default() });
    }

    /// Ends a turn of the user with this answer and returns the answer's position.
    pub(super) fn end_turn(&mut self, answer: String) -> usize {
        let at = self.closing(&answer).unwrap_or_else(|| {
            self.all.push(Turn::default());
            self.all.len() - 1
        });
        self.all[at].answer = Some(answer);
        self.begins = self.all.len();
        at
    }

    /// Position of the request that a call belongs to, and whether the agent changed its arguments.
    /// `None` for a call that no reply requested.
    pub(super) fn position_of(
        &self,
        tool: &str,
        arguments: &str,
        tools: &[ToolSpec],
    ) -> Option<(CallPosition, bool)> {
        let canonical = canonical_arguments(arguments);
        let open = |turn: usize, equal: bool| {
            let place = self.all[turn].asked.iter().position(|asked| {
                !asked.made
                    && asked.is_of(tool, tools)
                    && (!equal || (canonical.is_some() && asked.arguments == canonical))
            })?;
            Some(CallPosition { turn, place })
        };
        let turns = self.begins..self.all.len();
        let exact = turns.clone().find_map(|turn| open(turn, true));
        let changed = || turns.rev().find_map(|turn| open(turn, false));
        match exact {
            Some(belongs) => Some((belongs, false)),
            None => changed().map(|belongs| (belongs, true)),
        }
    }

    /// A new position at the end of the last step, for an agent whose replies are unknown.
    pub(super) fn last(&self) -> Option<(CallPosition, bool)> {
        let turn = self.all.len().checked_sub(1).filter(|turn| *turn >= self.begins)?;
        let place = self.all[turn].calls.len();
        Some((CallPosition { turn, place }, false))
    }

    /// Marks a request as answered and returns its position. For a call without a request, it adds
    /// a turn.
    pub(super) fn take(&mut self, found: Option<(CallPosition, bool)>) -> CallPosition {
        let Some((belongs, changed)) = found else {
            self.by_agent += 1;
            self.all.push(Turn::default());
            return CallPosition { turn: self.all.len() - 1, place: 0 };
        };
        self.changed += u32::from(changed);
        if let Some(asked) = self.all[belongs.turn].asked.get_mut(belongs.place) {
            asked.made = true;
        }
        belongs
    }

    /// Adds an answered call to its turn. The calls of a reply are in the order of the reply, not
    /// of their arrival.
    pub(super) fn put(&mut self, belongs: CallPosition, made: AnsweredCall) {
        let calls = &mut self.all[belongs.turn].calls;
        let at = calls.partition_point(|(place, _)| *place <= belongs.place);
        calls.insert(at, (belongs.place, made));
    }

    /// Whether the agent has made all calls of a reply that are to tools of the task.
    pub(super) fn is_whole(&self, turn: usize, tools: &[ToolSpec]) -> bool {
        let requests = self.all[turn].asked.iter();
        requests.filter(|asked| asked.is_of_task(tools)).all(|asked| asked.made)
    }

    /// Position of the reply that has the agent's final answer.
    ///
    /// The reply comes after the last step and has no calls. Among such replies, it is the first
    /// one with the same text, or else the first one.
    pub(super) fn closing(&self, answer: &str) -> Option<usize> {
        let begins = self.all.iter().rposition(|turn| !turn.calls.is_empty());
        let rest = begins.map_or(0, |at| at + 1).max(self.begins)..self.all.len();
        let silent = |turn: &usize| {
            let turn = &self.all[*turn];
            turn.asked.is_empty() && turn.reply.is_some()
        };
        let says = |turn: &usize| {
            let reply = self.all[*turn].reply.as_ref();
            reply.is_some_and(|reply| reply.content.trim() == answer.trim())
        };
        let mut silents = rest.filter(silent);
        silents.clone().find(says).or_else(|| silents.next())
    }

    /// Facts about the attempt in addition to its steps and calls.
    pub(super) fn facts(&self, closing: Option<usize>, tools: &[ToolSpec]) -> AgentFacts {
        let mut facts =
            AgentFacts { changed: self.changed, by_agent: self.by_agent, ..AgentFacts::default() };
        for (place, turn) in self.all.iter().enumerate() {
            for asked in &turn.asked {
                let is_ours = asked.is_of_task(tools);
                if !is_ours {
                    facts.own_tools += 1;
                    count(&mut facts.own_tools_by_name, &asked.name);
                }
                facts.unmade += u32::from(is_ours && !asked.made);
            }
            let is_step = !turn.calls.is_empty() || turn.answer.is_some();
            let Some(reply) = turn.reply.as_ref().filter(|_| !is_step) else {
                continue;
            };
            if closing != Some(place) {
                facts.side_calls += 1;
                facts.side_usage += reply.usage.map(Into::into).unwrap_or_default();
            }
        }
        facts
    }
}

/// Counts a call of an agent's own tool. The model chooses the names, so only a limited number of
/// plain names is recorded.
fn count(by_name: &mut BTreeMap<String, u32>, name: &str) {
    if let Some(calls) = by_name.get_mut(name) {
        *calls += 1;
    } else if by_name.len() < MAX_TOOL_NAMES && is_plain(name) {
        by_name.insert(name.to_owned(), 1);
    }
}

/// Whether a name is short and without control characters.
fn is_plain(name: &str) -> bool {
    name.chars().count() <= MAX_NAME_CHARS && !name.contains(char::is_control)
}

impl CallInReply {
    fn new(call: &RequestedCall) -> Self {
        Self { name: call.name.clone(), arguments: canonical_arguments(&call.arguments), made: false }
    }

    /// The task's tool that a name refers to. Clients may add a prefix to tool names.
    fn tool<'a>(&self, tools: &'a [ToolSpec]) -> Option<&'a str> {
        let names = tools.iter().map(|tool| tool.name.as_str());
        names.filter(|tool| self.name.ends_with(tool)).max_by_key(|tool| tool.len())
    }

    fn is_of(&self, tool: &str, tools: &[ToolSpec]) -> bool {
        match self.tool(tools) {
            Some(named) => named == tool,
            // A tool that is not offered can be called as well.
            None => !tool.is_empty() && self.name.ends_with(tool),
        }
    }

    fn is_of_task(&self, tools: &[ToolSpec]) -> bool {
        self.made || self.tool(tools).is_some()
    }
}

/// Canonical text of arguments; `None` if they are not JSON. Clients change the notation of numbers
/// and the order of keys, so texts cannot be compared directly.
fn canonical_arguments(arguments: &str) -> Option<String> {
    let arguments = match arguments.trim() {
        "" => "{}",
        text => text,
    };
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    Some(canonical_text(&arguments))
}
