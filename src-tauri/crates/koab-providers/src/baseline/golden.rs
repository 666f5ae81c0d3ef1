//! Baseline that makes the calls that the dataset expects: the upper bound of the metrics.

use super::facts::{self, Field};
use super::{Move, TEXTS, conversation};
use async_trait::async_trait;
use koab_core::level::Level;
use koab_core::task::{GoldenCall, Task};
use koab_engine::ports::{AttemptRef, ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::time::Instant;

const PREFIX: &str = "golden_";

/// A model that plays the golden path of every task it knows, then quotes facts from the answers.
///
/// A golden tool is called even if it was not offered; the engine refuses such calls. It plays one
/// fallback of an L5 task per turn until one works.
#[derive(Debug, Default)]
pub struct GoldenBaseline {
    scripts: HashMap<String, Script>,
}

#[derive(Debug, Default)]
struct Script {
    path: Path,
    fallbacks: Vec<Call>,
    fields: Vec<Field>,
}

#[derive(Debug)]
enum Path {
    /// Groups of calls, one group per model turn.
    Turns(Vec<Vec<Call>>),
    /// Texts of a conversation's user turns, each with the calls that it expects.
    Conversation(Vec<(String, Vec<Call>)>),
}

impl Default for Path {
    fn default() -> Self {
        Path::Turns(Vec::new())
    }
}

#[derive(Clone, Debug)]
struct Call {
    tool: String,
    arguments: String,
}

impl Call {
    fn new(tool: String, args: Map<String, Value>) -> Self {
        Call { tool, arguments: Value::Object(args).to_string() }
    }
}

impl From<GoldenCall> for Call {
    fn from(call: GoldenCall) -> Self {
        Call::new(call.tool, call.args)
    }
}

impl GoldenBaseline {
    /// Creates a model that knows the golden paths of the given tasks.
    pub fn new(tasks: &[Task]) -> Self {
        GoldenBaseline {
            scripts: tasks.iter().map(|task| (task.id.clone(), Script::for_task(task))).collect(),
        }
    }
}

#[async_trait]
impl ModelAdapter for GoldenBaseline {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let start = Instant::now();
        let unknown = Script::default();
        let script = self.scripts.get(request.attempt.task).unwrap_or(&unknown);
        Ok(script.play(&request).reply(start))
    }
}

impl Script {
    fn for_task(task: &Task) -> Self {
        let path = if task.level.is_multi_turn() {
            Path::Conversation(conversation_of(task))
        } else {
            Path::Turns(grouped(&task.level, task.golden_calls()))
        };
        let fallbacks = task.fallback_calls().into_iter().map(Call::from).collect();
        Script { path, fallbacks, fields: facts::fields(task.golden_fields()) }
    }

    fn play(&self, request: &ModelRequest<'_>) -> Move {
        let messages = request.messages;
        let played = conversation::played(messages, PREFIX);
        let turns: &[Vec<Call>] = match &self.path {
            // The second phase is a new conversation, with the fallbacks.
            _ if request.attempt.phase >= 2 => &[],
            Path::Turns(turns) => turns,
            Path::Conversation(by_user) => {
                let user_text = conversation::last_user(messages);
                by_user
                    .iter()
                    .rfind(|(user, _)| user == user_text)
                    .map(|(_, calls)| std::slice::from_ref(calls))
                    .unwrap_or_default()
            }
        };
        let calls = match turns.get(played) {
            Some(calls) => calls.as_slice(),
            None => self.fallback(request, played - turns.len().min(played)),
        };
        if calls.is_empty() {
            Move::Say(self.answer(request))
        } else {
            Move::Call(minted(calls, request.attempt))
        }
    }

    /// The next fallback calls, if they are due: in the second phase, or after a failed call if the
    /// fallback tool is offered already, as in the corrected protocol.
    fn fallback(&self, request: &ModelRequest<'_>, tried: usize) -> &[Call] {
        let next = self.fallbacks.get(tried..=tried).unwrap_or_default();
        let first = tried == 0 && request.attempt.phase >= 2;
        let is_offered = next.iter().all(|call| request.tools.iter().any(|tool| tool.name == call.tool));
        let is_due = first
            || (conversation::has_failed(request.messages, PREFIX)
                && (is_offered || request.attempt.phase >= 2));
        if is_due { next } else { &[] }
    }

    fn answer(&self, request: &ModelRequest<'_>) -> String {
        if conversation::has_failed(request.messages, PREFIX) {
            return TEXTS.unavailable.clone();
        }
        let mut lines = facts::quote(&self.fields, conversation::answers(request.messages));
        let from_context = matches!(self.path, Path::Conversation(_));
        if from_context {
            lines.extend(conversation::last_assistant(request.messages).map(str::to_owned));
        }
        lines.insert(0, if from_context { TEXTS.from_context.clone() } else { TEXTS.answer.clone() });
        lines.join("\n")
    }
}

/// Groups calls into turns: on L3 the calls of one step share a turn, and on L4 all calls do. On
/// other levels each call has a turn of its own.
fn grouped(level: &Level, calls: Vec<GoldenCall>) -> Vec<Vec<Call>> {
    let mut turns: Vec<(Option<i64>, Vec<Call>)> = Vec::new();
    for call in calls {
        let step = call.step;
        let joins = |before: Option<i64>| {
            *level == Level::L4 || (*level == Level::L3 && step.is_some() && before == step)
        };
        match turns.last_mut() {
            Some((before, calls)) if joins(*before) => calls.push(call.into()),
            _ => turns.push((step, vec![call.into()])),
        }
    }
    turns.into_iter().map(|(_, calls)| calls).collect()
}

/// Calls that each user turn expects.
///
/// If the golden path has no calls at all (L7), the evaluated turn is answered from the
/// conversation, even if the dataset's assistant calls tools there.
fn conversation_of(task: &Task) -> Vec<(String, Vec<Call>)> {
    let turns = task.turns();
    let tested = task.evaluated_turn().unwrap_or(i64::MAX);
    let is_user = |role: &str| role == "user";
    let last_user = turns
        .iter()
        .filter(|turn| is_user(&turn.role) && turn.number <= tested)
        .map(|turn| turn.number)
        .max();
    let from_context = task.golden_calls().is_empty();
    let mut path = Vec::new();
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| is_user(&turn.role)) {
        let answers = turns[at + 1..].iter().take_while(|turn| !is_user(&turn.role));
        let actions =
            answers.flat_map(|turn| &turn.actions).map(|a| Call::new(a.tool.clone(), a.args.clone()));
        let calls =
            if from_context && Some(turn.number) == last_user { Vec::new() } else { actions.collect() };
        path.push((turn.content.clone(), calls));
    }
    path
}

fn minted(calls: &[Call], attempt: AttemptRef<'_>) -> Vec<RequestedCall> {
    let minted = calls.iter().enumerate().map(|(at, call)| RequestedCall {
        id: format!("{PREFIX}{}_{}", attempt.step, at + 1),
        name: call.tool.clone(),
        arguments: call.arguments.clone(),
    });
    minted.collect()
}
