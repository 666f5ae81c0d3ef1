//! What a reviewer is shown: the task's and the model's texts, and nothing of who made or judged
//! them.

use super::Item;
use koab_core::judge::Inputs;
use koab_core::log::LevelLog;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a shown text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum InputKind {
    /// What the user wanted.
    Instruction,
    /// The model's last answer.
    Answer,
    /// The model's tool calls, JSON.
    Calls,
    /// Facts that the answer should hold.
    Facts,
    /// Arguments that the task expects.
    ExpectedArguments,
    /// Arguments that the model gave.
    GivenArguments,
    /// The conversation.
    Conversation,
    /// The calls that the task's makers expected, JSON. Judges do not see them.
    Golden,
}

/// A text to judge by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ShownInput {
    /// What it is.
    pub kind: InputKind,
    /// The text, names of models hidden.
    pub text: String,
}

/// Hides names in texts.
#[derive(Clone, Debug, Default)]
pub struct Blinder(Vec<Vec<char>>);

impl Blinder {
    /// Hides these models' and judges' names: whole ids, and what stands behind their slashes.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut words: Vec<Vec<char>> = Vec::new();
        for name in names {
            for (at, _) in
                std::iter::once((0, ' ')).chain(name.match_indices('/').map(|(at, _)| (at + 1, '/')))
            {
                let word: Vec<char> = name[at..].chars().map(lower).collect();
                // Shorter ones are words of any text.
                if word.len() > 3 && !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        // The longest first, so that of an id nothing is left over.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Self(words)
    }

    /// The text with every hidden name as `■■■`, in whatever case.
    pub fn hide(&self, text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let mut shown = String::with_capacity(text.len());
        let mut at = 0;
        while at < chars.len() {
            let hidden = self.0.iter().find(|word| {
                let rest = &chars[at..];
                rest.len() >= word.len() && rest.iter().zip(word.iter()).all(|(a, b)| lower(*a) == *b)
            });
            if let Some(word) = hidden {
                shown.push_str("■■■");
                at += word.len();
            } else {
                shown.push(chars[at]);
                at += 1;
            }
        }
        shown
    }
}

/// Only letters of one character: the places in the text must stay.
fn lower(c: char) -> char {
    c.to_ascii_lowercase()
}

/// The texts that a question is made of, in the order in which one reads them, and the golden
/// calls.
pub fn shown_inputs(item: &Item, inputs: &Inputs, logs: &[LevelLog], blinder: &Blinder) -> Vec<ShownInput> {
    use InputKind::{
        Answer, Calls, Conversation, ExpectedArguments, Facts, GivenArguments, Golden, Instruction,
    };
    let task = logs
        .iter()
        .filter(|log| log.level == item.level)
        .flat_map(|log| &log.tasks)
        .find(|task| task.id == item.task);
    let mut shown = Vec::new();
    let mut add = |kind: InputKind, text: &str| {
        if !text.trim().is_empty() {
            let text = blinder.hide(text);
            shown.push(ShownInput { kind, text });
        }
    };
    let input = |name: &str| inputs.get(name).unwrap_or_default();
    match item.metric {
        MetricId::ArgAcc => {
            // The judge sees the arguments alone; a person understands them by what was wanted.
            let instruction = task.and_then(|task| task.get("instruction").as_str());
            add(Instruction, instruction.unwrap_or_default());
            add(ExpectedArguments, input("golden_args"));
            add(GivenArguments, input("predicted_args"));
        }
        MetricId::ContextRetention | MetricId::RefRecall => add(Conversation, input("formatted_messages")),
        MetricId::EffScore => {
            add(Instruction, input("query"));
            add(Answer, input("final_answer"));
            add(Calls, input("tool_calls"));
        }
        _ => {
            add(Instruction, input("instruction"));
            add(Answer, input("final_response"));
            add(Calls, input("tool_calls"));
            add(Facts, input("golden_context"));
        }
    }
    let golden = task.map(|task| task.get("golden_action")).filter(|golden| {
        golden.as_array().is_some_and(|calls| !calls.is_empty()) && item.metric != MetricId::ArgAcc
    });
    if let Some(golden) = golden {
        add(Golden, &pretty(golden));
    }
    shown
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
