//! The prompt of an agent: the task's instruction, unchanged, and nothing more.
//!
//! Agents cannot begin with an existing conversation, so the prompt has the history of L6 and L7 as
//! a transcript between two fixed lines, in the order and form of a seeded conversation. These
//! texts are part of the protocol: a change of them changes the task.

use crate::ports::Message;
use crate::seed::{Conversation, seed, user_turns, written};
use koab_core::protocol::Rules;
use koab_core::task::Task;

const BEGINS: &str = "=== 지금까지의 대화 ===";
const ENDS: &str = "=== 대화 끝, 다음 요청 ===";
const USER: &str = "사용자";
const ASSISTANT: &str = "도우미";
const CALL: &str = "도구 호출";
const RESULT: &str = "도구 결과";

/// Texts of the user's turns for an agent. There is always one text; there are several only if the
/// model takes every turn.
pub(crate) fn user_texts(task: &Task, rules: Rules, full_rollout: bool) -> Vec<String> {
    let is_full = task.level.is_multi_turn() && full_rollout;
    let turns = if is_full { user_turns(task, rules) } else { Vec::new() };
    if turns.is_empty() { vec![prompt(task, rules)] } else { turns }
}

/// The prompt of a task.
fn prompt(task: &Task, rules: Rules) -> String {
    if !task.level.is_multi_turn() {
        return task.instruction().to_owned();
    }
    let Conversation { mut messages, .. } = seed(task, rules, |value| written(value, false));
    let last = match messages.pop() {
        Some(Message::User(text)) => text,
        // The seeded history ends with a user's turn if the dataset has one.
        Some(other) => {
            messages.push(other);
            String::new()
        }
        None => String::new(),
    };
    if messages.is_empty() {
        return last;
    }
    let mut text = format!("{BEGINS}\n");
    for message in &messages {
        match message {
            Message::System(_) => {}
            Message::User(said) => text.push_str(&format!("{USER}: {said}\n")),
            Message::Assistant { content, calls, .. } => {
                if !content.is_empty() {
                    text.push_str(&format!("{ASSISTANT}: {content}\n"));
                }
                for call in calls {
                    text.push_str(&format!("{CALL}: {} {}\n", call.name, call.arguments));
                }
            }
            Message::Tool { content, .. } => text.push_str(&format!("{RESULT}: {content}\n")),
        }
    }
    format!("{text}{ENDS}\n\n{last}")
}
