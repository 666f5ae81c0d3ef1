//! From the prefix of a fork back to the conversations that a model is shown.
//!
//! What the log keeps of a conversation lacks the model's calls, which stand in the record, and the
//! dataset's, which are made again from the task. What providers gave along with a turn (thinking
//! and its signatures) is in neither and is not shown again.

use crate::ports::{Message, RequestedCall};
use crate::seed::{Conversation, seed, written};
use koab_core::fork::ForkPrefix;
use koab_core::protocol::{Protocol, Rules};
use koab_core::run_record::{CallRecord, StepRecord};
use koab_core::task::Task;
use serde_json::Value;
use std::collections::VecDeque;

/// Why nothing can go on from a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum ForkProblem {
    /// The dataset's turns are other ones by now.
    #[error(
        "the task's seeded turns are not those of the run any more; import the run's pack again as it was"
    )]
    OtherSeeds,
}

/// An attempt in its middle.
pub(crate) struct ForkState {
    /// The conversation, in L5 that of the first phase.
    pub(crate) first: Conversation,
    /// How many of its messages were given.
    pub(crate) given: usize,
    /// The conversation of the second phase, when it has begun.
    pub(crate) second: Option<Conversation>,
    /// Model turns that the phase (in a full rollout, the turn) has had.
    pub(crate) taken: u32,
    /// Of a full rollout: the turn that is played next.
    pub(crate) turn: usize,
    /// Whether that turn's question stands in the conversation already.
    pub(crate) midway: bool,
}

/// Whether an attempt can go on from here.
///
/// # Errors
/// [`ForkProblem`] says why not.
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
    let (given, said) = (first.logged.len(), prefix.messages.len());
    let own = &prefix.messages[prefix.given.min(said)..];
    let turns = own.iter().filter(|message| message["role"] == "assistant").count();
    // Turns that were not kept come before those that were.
    let steps = &prefix.steps[prefix.steps.len().saturating_sub(turns)..];
    let mut second = (prefix.phase == 2).then(|| first.first(given));
    let (mut turn, mut last, mut users) = (steps.iter(), None::<&StepRecord>, 0);
    let mut unanswered: VecDeque<(String, &CallRecord)> = VecDeque::new();
    for (at, message) in own.iter().enumerate() {
        let shown = match (&mut second, message["role"] == "assistant") {
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
                shown.assistant(text, calls, None);
            }
            Some("tool") => {
                if let Some((id, _)) = unanswered.pop_front() {
                    let content = &message["content"];
                    shown.tool(&id, content, written(content, ascii));
                }
            }
            _ => {
                users += 1;
                last = None;
                shown.user(text);
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

/// What stands before the model's first turn: the instruction, or the seeded history with the
/// changes in it.
fn given(
    prefix: &ForkPrefix,
    task: &Task,
    rules: Rules,
    full_rollout: bool,
) -> Result<Conversation, ForkProblem> {
    let ascii = rules.ascii_tool_results;
    let given = &prefix.messages[..prefix.given.min(prefix.messages.len())];
    let mut conversation = Conversation::default();
    let mut seeds = VecDeque::new();
    if task.level.is_multi_turn() && !full_rollout {
        let seeded = seed(task, rules, |value| written(value, ascii));
        let systems = given.iter().filter(|message| message["role"] == "system").count();
        if seeded.messages.len() != given.len() - systems {
            return Err(ForkProblem::OtherSeeds);
        }
        seeds.extend(seeded.messages);
    }
    for message in given {
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

/// A recorded call as a model makes one. The text of its arguments is written anew; where it was no
/// JSON it was kept.
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

/// Turns that count against the limit of what goes on: those of the same phase, in a full rollout
/// those since the last question.
fn taken(prefix: &ForkPrefix, own: &[Value], steps: &[StepRecord], midway: bool) -> u32 {
    let asked = own.iter().rposition(|message| message["role"] == "user");
    let turns = |messages: &[Value]| {
        let said = messages.iter().filter(|message| message["role"] == "assistant");
        said.count() as u32
    };
    match asked {
        _ if !midway && prefix.phase == 1 => 0,
        Some(asked) => turns(&own[asked..]),
        None => steps.iter().filter(|step| step.phase == prefix.phase).count() as u32,
    }
}
