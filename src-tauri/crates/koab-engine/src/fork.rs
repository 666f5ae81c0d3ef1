//! Rebuilds the model's conversations from the prefix of a fork: the steps that the fork takes over
//! from an attempt of a run, before a model continues on its own.
//!
//! The log of a conversation lacks the model's calls, which are in the record, and the dataset's
//! calls, which are rebuilt from the task. Data of the provider (thinking and its signatures) is in
//! neither, so the model does not see it again.

use crate::ports::{Message, RequestedCall};
use crate::seed::{Conversation, seed, written};
use koab_core::fork::ForkPrefix;
use koab_core::protocol::{Protocol, Rules};
use koab_core::run_record::{CallRecord, StepRecord};
use koab_core::task::Task;
use serde_json::Value;
use std::collections::VecDeque;

/// Reason why a prefix cannot be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum ForkProblem {
    /// The dataset's turns have changed since the run.
    #[error("the task's seeded turns differ from those of the run; import the pack of the run again")]
    OtherSeeds,
}

/// The state of an attempt after the prefix of a fork.
pub(crate) struct ForkState {
    /// The conversation. An L5 attempt can have two conversations; this is the first one.
    pub(crate) first: Conversation,
    /// Number of messages before the first turn that the model took itself.
    pub(crate) given: usize,
    /// The second conversation of an L5 attempt, which has the fallback tools; `None` if it has not
    /// begun.
    pub(crate) second: Option<Conversation>,
    /// Number of model turns so far in the current conversation, or in a full rollout since the
    /// user's last message.
    pub(crate) taken: u32,
    /// The next turn in a full rollout.
    pub(crate) turn: usize,
    /// Whether the conversation already has the user's message of the next turn.
    pub(crate) midway: bool,
}

/// Checks whether an attempt can continue after a prefix.
///
/// # Errors
/// [`ForkProblem`] with the reason.
pub fn check(
    prefix: &ForkPrefix,
    task: &Task,
    protocol: Protocol,
    full_rollout: bool,
) -> Result<(), ForkProblem> {
    state(prefix, task, protocol.rules(), full_rollout).map(drop)
}

pub(crate) fn state(
    prefix: &ForkPrefix,
    task: &Task,
    rules: Rules,
    full_rollout: bool,
) -> Result<ForkState, ForkProblem> {
    let ascii = rules.ascii_tool_results;
    let mut first = given(prefix, task, rules, full_rollout)?;
    let (given, total) = (first.logged.len(), prefix.messages.len());
    let own = &prefix.messages[prefix.given.min(total)..];
    let turns = own.iter().filter(|message| message["role"] == "assistant").count();
    // Turns that were not kept come before those that were.
    let steps = &prefix.steps[prefix.steps.len().saturating_sub(turns)..];
    let mut second = (prefix.phase == 2).then(|| first.first(given));
    let (mut turn, mut last, mut users) = (steps.iter(), None::<&StepRecord>, 0);
    let mut unanswered: VecDeque<(String, &CallRecord)> = VecDeque::new();
    for (at, message) in own.iter().enumerate() {
        let conversation = match (&mut second, message["role"] == "assistant") {
            (Some(second), true) if turn.clone().next().is_some_and(|step| step.phase == 2) => second,
            (Some(second), false) if last.is_some_and(|step| step.phase == 2) => second,
            _ => &mut first,
        };
        let text = message["content"].as_str().unwrap_or_default();
        match message["role"].as_str() {
            Some("assistant") => {
                last = turn.next();
                let of_step =
                    prefix.calls.iter().filter(|call| last.is_some_and(|step| step.step == call.step));
                let ids =
                    own[at + 1..].iter().filter_map(|next| Some(next["tool_call_id"].as_str()?.to_owned()));
                unanswered = ids.zip(of_step).collect();
                let calls = unanswered.iter().map(|(id, call)| requested(id, call)).collect();
                conversation.assistant(text, calls, None);
            }
            Some("tool") => {
                if let Some((id, _)) = unanswered.pop_front() {
                    let content = &message["content"];
                    conversation.tool(&id, content, written(content, ascii));
                }
            }
            _ => {
                users += 1;
                last = None;
                conversation.user(text);
            }
        }
    }
    let midway = own.last().is_none_or(|message| {
        message["role"] != "assistant" || last.is_some_and(|step| is_called(prefix, step.step))
    });
    Ok(ForkState {
        first,
        given,
        taken: taken(prefix, own, steps, midway),
        second,
        turn: users + usize::from(!midway),
        midway,
    })
}

/// The conversation before the model's first turn, with the fork's changes: the instruction, or the
/// dataset's own turns.
fn given(
    prefix: &ForkPrefix,
    task: &Task,
    rules: Rules,
    full_rollout: bool,
) -> Result<Conversation, ForkProblem> {
    let ascii = rules.ascii_tool_results;
    let messages = &prefix.messages[..prefix.given.min(prefix.messages.len())];
    let mut conversation = Conversation::default();
    let mut seeds = VecDeque::new();
    if task.level.is_multi_turn() && !full_rollout {
        let seeded = seed(task, rules, |value| written(value, ascii));
        let systems = messages.iter().filter(|message| message["role"] == "system").count();
        if seeded.messages.len() != messages.len() - systems {
            return Err(ForkProblem::OtherSeeds);
        }
        seeds.extend(seeded.messages);
    }
    for message in messages {
        let (content, role) = (&message["content"], message["role"].as_str());
        let text = content.as_str().unwrap_or_default();
        if role == Some("system") {
            conversation.system(text);
            continue;
        }
        match (role, seeds.pop_front()) {
            (Some("assistant"), Some(Message::Assistant { calls, .. })) => {
                conversation.assistant(text, calls, None);
            }
            (Some("tool"), Some(Message::Tool { call_id, .. })) => {
                conversation.tool(&call_id, content, written(content, ascii));
            }
            (Some("user") | None, None | Some(Message::User(_))) => conversation.user(text),
            _ => return Err(ForkProblem::OtherSeeds),
        }
    }
    Ok(conversation)
}

/// Converts a recorded call to a call as a model requests it. The text of its arguments is rebuilt,
/// unless the record has the text because it is not JSON.
fn requested(id: &str, call: &CallRecord) -> RequestedCall {
    RequestedCall {
        id: id.to_owned(),
        name: call.tool.clone(),
        arguments: match &call.unreadable_arguments {
            Some(text) => text.clone(),
            None => written(&call.arguments, false),
        },
    }
}

fn is_called(prefix: &ForkPrefix, step: u32) -> bool {
    prefix.calls.iter().any(|call| call.step == step)
}

/// Number of turns that count against the step limit: the turns of the current conversation, or in
/// a full rollout the turns since the user's last message.
fn taken(prefix: &ForkPrefix, own: &[Value], steps: &[StepRecord], midway: bool) -> u32 {
    let question = own.iter().rposition(|message| message["role"] == "user");
    let turns = |messages: &[Value]| {
        let replies = messages.iter().filter(|message| message["role"] == "assistant");
        replies.count() as u32
    };
    match question {
        _ if !midway && prefix.phase == 1 => 0,
        Some(question) => turns(&own[question..]),
        None => steps.iter().filter(|step| step.phase == prefix.phase).count() as u32,
    }
}
