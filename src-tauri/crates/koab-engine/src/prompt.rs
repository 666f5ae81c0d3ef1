//! What an agent is asked: the task's instruction, letter for letter, and nothing more.
//!
//! No agent takes a conversation that it did not have, so the history of L6 and L7 goes into the
//! prompt as a transcript between two fixed lines, in the order and form in which it is seeded
//! otherwise. These texts are part of the protocol: a change of them changes what is asked.

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

/// What an agent's user says, turn by turn: the prompt alone, unless every turn is played. Never
/// empty.
pub(crate) fn user_texts(task: &Task, rules: Rules, full_rollout: bool) -> Vec<String> {
    let turns = match task.level.is_multi_turn() && full_rollout {
        true => user_turns(task, rules),
        false => Vec::new(),
    };
    match turns.is_empty() {
        true => vec![prompt(task, rules)],
        false => turns,
    }
}

/// The prompt of a task.
fn prompt(task: &Task, rules: Rules) -> String {
    if !task.level.is_multi_turn() {
        return task.instruction().to_owned();
    }
    let Conversation { mut messages, .. } = seed(task, rules, |value| written(value, false));
    let last = match messages.pop() {
        Some(Message::User(text)) => text,
        // The seeding ends with the user's turn wherever the dataset has one.
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
