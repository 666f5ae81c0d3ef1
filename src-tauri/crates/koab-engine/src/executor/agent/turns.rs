//! Which reply of the model each of an agent's tool calls belongs to.
//!
//! Calls are scored as they came to the handle; steps are the replies that asked for them. A call
//! belongs to the oldest reply, not used up, that asked for the same tool with equal arguments;
//! where the agent changed the arguments, to the newest one that asked for the tool; else it is a
//! step of the agent's own.

use crate::canonical_arguments::canonical_text;
use crate::ports::{ModelReply, RequestedCall};
use koab_core::run_record::{AgentFacts, CallRecord};
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::collections::BTreeMap;

/// Names of an agent's own tools that an attempt keeps, and letters that one may have.
const MOST_NAMES: usize = 40;
const LONGEST_NAME: usize = 100;

/// A call that was answered, with what the log and the journal have of it beside its record.
pub(super) struct AnsweredCall {
    pub(super) record: CallRecord,
    pub(super) arguments: String,
    pub(super) shown: Value,
}

/// A reply, or an act of the agent without one.
#[derive(Default)]
pub(super) struct Turn {
    /// `None` for the agent's own.
    pub(super) reply: Option<ModelReply>,
    asked: Vec<CallInReply>,
    /// By the place in the reply.
    pub(super) calls: Vec<(usize, AnsweredCall)>,
    /// Number of the step, as it was told while it happened.
    pub(super) told: Option<u32>,
    /// Whether its line is in the journal.
    pub(super) written: bool,
    /// The answer that it ended a turn of the user's with, which was not the last.
    pub(super) answer: Option<String>,
}

struct CallInReply {
    name: String,
    /// Spelled by value; nothing where they are not JSON.
    arguments: Option<String>,
    made: bool,
}

/// Where a call belongs.
#[derive(Clone, Copy)]
pub(super) struct CallPosition {
    pub(super) turn: usize,
    place: usize,
}

/// All turns of an attempt so far.
#[derive(Default)]
pub(super) struct Turns {
    pub(super) all: Vec<Turn>,
    /// Where those begin that answer the user's present turn.
    begins: usize,
    changed: u32,
    by_agent: u32,
}

impl Turns {
    pub(super) fn reply(&mut self, reply: ModelReply) {
        let asked = reply.calls.iter().map(CallInReply::new).collect();
        self.all.push(Turn { asked, reply: Some(reply), ..Turn::default() });
    }

    /// Ends a turn of the user's with this answer: where it stands.
    pub(super) fn end_turn(&mut self, answer: String) -> usize {
        let at = self.closing(&answer).unwrap_or_else(|| {
            self.all.push(Turn::default());
            self.all.len() - 1
        });
        self.all[at].answer = Some(answer);
        self.begins = self.all.len();
        at
    }

    /// Finds the reply that asked for a call; nothing where the agent made it by itself.
    pub(super) fn position_of(
        &self,
        tool: &str,
        arguments: &str,
        tools: &[ToolSpec],
    ) -> Option<(CallPosition, bool)> {
        let given = canonical_arguments(arguments);
        let open = |turn: usize, equal: bool| {
            let place = self.all[turn].asked.iter().position(|asked| {
                !asked.made
                    && asked.is_of(tool, tools)
                    && (!equal || (given.is_some() && asked.arguments == given))
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

    /// A further place in the last step, whose calls no reply is known of.
    pub(super) fn last(&self) -> Option<(CallPosition, bool)> {
        let turn = self.all.len().checked_sub(1).filter(|turn| *turn >= self.begins)?;
        let place = self.all[turn].calls.len();
        Some((CallPosition { turn, place }, false))
    }

    /// Takes the place that was found, or a new one of the agent's own.
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

    /// Puts an answered call where it belongs: calls of one reply stand in its order, not in that
    /// of their arrival.
    pub(super) fn put(&mut self, belongs: CallPosition, made: AnsweredCall) {
        let calls = &mut self.all[belongs.turn].calls;
        let at = calls.partition_point(|(place, _)| *place <= belongs.place);
        calls.insert(at, (belongs.place, made));
    }

    /// Whether all calls of a reply that the task's tools can answer are made.
    pub(super) fn is_whole(&self, turn: usize, tools: &[ToolSpec]) -> bool {
        let asked = self.all[turn].asked.iter();
        asked.filter(|asked| asked.is_of_task(tools)).all(|asked| asked.made)
    }

    /// The reply that the answer was given with: the first behind the last step that asks for
    /// nothing and says the same, else the first that asks for nothing.
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

    /// What is known beside steps and calls.
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

/// Counts a call of a tool. Names are the model's word, so that not every one is kept.
fn count(by_name: &mut BTreeMap<String, u32>, name: &str) {
    if let Some(calls) = by_name.get_mut(name) {
        *calls += 1;
    } else if by_name.len() < MOST_NAMES && is_plain(name) {
        by_name.insert(name.to_owned(), 1);
    }
}

/// Whether a name can stand in a list of names.
fn is_plain(name: &str) -> bool {
    name.chars().count() <= LONGEST_NAME && !name.contains(char::is_control)
}

impl CallInReply {
    fn new(call: &RequestedCall) -> Self {
        Self { name: call.name.clone(), arguments: canonical_arguments(&call.arguments), made: false }
    }

    /// The task's tool that it names: clients put something of their own in front.
    fn tool<'a>(&self, tools: &'a [ToolSpec]) -> Option<&'a str> {
        let named = tools.iter().map(|tool| tool.name.as_str());
        named.filter(|tool| self.name.ends_with(tool)).max_by_key(|tool| tool.len())
    }

    fn is_of(&self, tool: &str, tools: &[ToolSpec]) -> bool {
        match self.tool(tools) {
            Some(named) => named == tool,
            // What is not offered can be called all the same.
            None => !tool.is_empty() && self.name.ends_with(tool),
        }
    }

    fn is_of_task(&self, tools: &[ToolSpec]) -> bool {
        self.made || self.tool(tools).is_some()
    }
}

/// Clients spell numbers anew and put keys in an order of their own.
fn canonical_arguments(arguments: &str) -> Option<String> {
    let arguments = match arguments.trim() {
        "" => "{}",
        text => text,
    };
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    Some(canonical_text(&arguments))
}
