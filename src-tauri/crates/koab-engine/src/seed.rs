//! The beginning of a conversation of L6 and L7, which consists of the dataset's own turns.

use crate::ports::{Message, Opaque, RequestedCall};
use koab_core::protocol::Rules;
use koab_core::python::{Dumps, dumps};
use koab_core::run_record::CallRecord;
use koab_core::task::Task;
use serde_json::{Value, json};

/// A conversation in two forms: for the model and for the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversation {
    pub(crate) messages: Vec<Message>,
    pub(crate) logged: Vec<Value>,
}

impl Conversation {
    pub(crate) fn system(&mut self, text: &str) {
        self.messages.push(Message::System(text.to_owned()));
        self.logged.push(json!({ "role": "system", "content": text }));
    }

    /// Appends another conversation and returns the result.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.messages.extend(other.messages);
        self.logged.extend(other.logged);
        self
    }

    /// Copy of the first messages of the conversation.
    pub(crate) fn first(&self, messages: usize) -> Self {
        Self {
            messages: self.messages.iter().take(messages).cloned().collect(),
            logged: self.logged.iter().take(messages).cloned().collect(),
        }
    }

    pub(crate) fn user(&mut self, text: &str) {
        self.messages.push(Message::User(text.to_owned()));
        self.logged.push(json!({ "role": "user", "content": text }));
    }

    pub(crate) fn assistant(&mut self, content: &str, calls: Vec<RequestedCall>, opaque: Option<Opaque>) {
        self.messages.push(Message::Assistant { content: content.to_owned(), calls, opaque });
        self.logged.push(json!({ "role": "assistant", "content": content }));
    }

    /// Adds a tool's answer. The log gets the parsed `answer`, the model gets `text`.
    pub(crate) fn tool(&mut self, call_id: &str, answer: &Value, text: String) {
        self.messages.push(Message::Tool { call_id: call_id.to_owned(), content: text });
        self.logged.push(json!({ "role": "tool", "tool_call_id": call_id, "content": answer }));
    }

    /// The last assistant text that is not empty. It may be a text of the dataset.
    pub(crate) fn last_text(&self) -> Option<&str> {
        self.messages.iter().rev().find_map(|message| match message {
            Message::Assistant { content, .. } if !content.is_empty() => Some(content.as_str()),
            _ => None,
        })
    }
}

/// Number of the last turn that comes from the dataset.
pub(crate) fn last_seeded_turn(task: &Task, rules: Rules) -> i64 {
    let tested = task.evaluated_turn().unwrap_or(i64::MAX);
    if rules.seeds_tested_answer {
        return tested;
    }
    // The user's turn that the tested answer answers: the model has to give the answer itself.
    task.turns()
        .iter()
        .filter(|t| t.role == "user" && t.number <= tested)
        .map(|t| t.number)
        .max()
        .unwrap_or(tested)
}

/// The dataset's own turns. The last one is the turn that the model has to answer.
pub(crate) fn seed(task: &Task, rules: Rules, write: impl Fn(&Value) -> String) -> Conversation {
    let last = last_seeded_turn(task, rules);
    let mut conversation = Conversation::default();
    for turn in task.turns().iter().filter(|turn| turn.number <= last) {
        if turn.role == "user" {
            conversation.user(&turn.content);
            continue;
        }
        let actions: Vec<_> =
            turn.actions.iter().filter(|a| a.result.is_some() || rules.keeps_unanswered_seeds).collect();
        let id = |n: usize| format!("seed_call_{}_{}", turn.number, n + 1);
        let calls = actions.iter().enumerate().map(|(n, action)| RequestedCall {
            id: id(n),
            name: action.tool.clone(),
            arguments: write(&Value::Object(action.args.clone())),
        });
        conversation.assistant(&turn.content, calls.collect(), None);
        for (n, action) in actions.iter().enumerate() {
            if let Some(result) = &action.result {
                conversation.tool(&id(n), result, write(result));
            }
        }
    }
    if !conversation.messages.iter().any(|m| matches!(m, Message::User(_))) {
        // A conversation without turns: only the instruction can be asked.
        conversation.user(task.instruction());
    }
    conversation
}

/// An unfinished attempt: its task, and the text and the calls of each step so far.
#[derive(Clone, Copy, Debug)]
pub struct AttemptProgress<'a> {
    /// The task.
    pub task: &'a Task,
    /// Rules of the run's protocol.
    pub rules: Rules,
    /// Whether the model takes every turn of L6 and L7.
    pub full_rollout: bool,
    /// The model's text and calls of each step.
    pub steps: &'a [(String, Vec<CallRecord>)],
}

/// The conversation of the unfinished attempt, in the form of the log.
pub fn so_far(attempt: &AttemptProgress<'_>) -> Vec<Value> {
    let AttemptProgress { task, rules, full_rollout, steps } = *attempt;
    if let Some(request) = task.request() {
        return request.messages.to_vec();
    }
    let is_played = task.level.is_multi_turn() && full_rollout;
    let mut questions = if is_played { user_turns(task, rules).into_iter() } else { Vec::new().into_iter() };
    let mut conversation = if task.level.is_multi_turn() && !full_rollout {
        seed(task, rules, Value::to_string)
    } else {
        let mut conversation = Conversation::default();
        conversation.user(&questions.next().unwrap_or_else(|| task.instruction().to_owned()));
        conversation
    };
    for (content, calls) in steps {
        conversation.assistant(content, Vec::new(), None);
        for call in calls {
            let answer = match (&call.result, &call.error) {
                (Some(result), _) => result.clone(),
                (None, error) => json!({ "error": error }),
            };
            conversation.tool("call", &answer, String::new());
        }
        // A step without a call answers the user's turn; the next one follows.
        if calls.is_empty()
            && let Some(text) = questions.next()
        {
            conversation.user(&text);
        }
    }
    conversation.logged
}

/// The user's turns in a full rollout, in order.
pub(crate) fn user_turns(task: &Task, rules: Rules) -> Vec<String> {
    let last = last_seeded_turn(task, rules);
    task.turns().iter().filter(|t| t.role == "user" && t.number <= last).map(|t| t.content.clone()).collect()
}

pub(crate) fn written(value: &Value, ascii: bool) -> String {
    dumps(value, Dumps { ascii, ..Dumps::default() })
}
