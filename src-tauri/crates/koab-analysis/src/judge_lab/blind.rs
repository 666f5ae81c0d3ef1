//! Texts for a blind review: those of the task and of the model, without the names of models and
//! judges.

use super::Item;
use koab_core::judge::Inputs;
use koab_core::log::LevelLog;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Kind of a shown text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum InputKind {
    /// Request of the user.
    Instruction,
    /// Last answer of the model.
    Answer,
    /// Tool calls of the model, as JSON.
    Calls,
    /// Facts that the answer should contain.
    Facts,
    /// Arguments that the task expects.
    ExpectedArguments,
    /// Arguments that the model gave.
    GivenArguments,
    /// Whole conversation.
    Conversation,
    /// Calls that the task's authors expected, as JSON. Judges do not see them.
    Golden,
}

/// Text that a person needs to answer a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ShownInput {
    /// Kind of the text.
    pub kind: InputKind,
    /// The text, with hidden names of models.
    pub text: String,
}

/// Hides the names of models in texts.
#[derive(Clone, Debug, Default)]
pub struct Blinder(Vec<Vec<char>>);

impl Blinder {
    /// Hides the names of these models and judges: complete ids, and the parts of ids after a
    /// slash.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut words: Vec<Vec<char>> = Vec::new();
        for name in names {
            for (at, _) in
                std::iter::once((0, ' ')).chain(name.match_indices('/').map(|(at, _)| (at + 1, '/')))
            {
                let word: Vec<char> = name[at..].chars().map(lower).collect();
                // Shorter names may be words of any text.
                if word.len() > 3 && !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        // The longest name comes first, so that no part of an id remains.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Self(words)
    }

    /// Replaces every hidden name by `■■■`, regardless of case.
    pub fn hide(&self, text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let mut blinded = String::with_capacity(text.len());
        let mut at = 0;
        while at < chars.len() {
            let hidden = self.0.iter().find(|word| {
                let rest = &chars[at..];
                rest.len() >= word.len() && rest.iter().zip(word.iter()).all(|(a, b)| lower(*a) == *b)
            });
            if let Some(word) = hidden {
                blinded.push_str("■■■");
                at += word.len();
            } else {
                blinded.push(chars[at]);
                at += 1;
            }
        }
        blinded
    }
}

/// Lower case of ASCII letters only, so that positions in the text stay the same.
fn lower(c: char) -> char {
    c.to_ascii_lowercase()
}

/// Texts for a question in reading order; the golden calls come last.
pub fn shown_inputs(item: &Item, inputs: &Inputs, logs: &[LevelLog], blinder: &Blinder) -> Vec<ShownInput> {
    use InputKind::{
        Answer, Calls, Conversation, ExpectedArguments, Facts, GivenArguments, Golden, Instruction,
    };
    let task = logs
        .iter()
        .filter(|log| log.level == item.level)
        .flat_map(|log| &log.tasks)
        .find(|task| task.id == item.task);
    let mut inputs_shown = Vec::new();
    let mut add = |kind: InputKind, text: &str| {
        if !text.trim().is_empty() {
            let text = blinder.hide(text);
            inputs_shown.push(ShownInput { kind, text });
        }
    };
    let input = |name: &str| inputs.get(name).unwrap_or_default();
    match item.metric {
        MetricId::ArgAcc => {
            // The judge sees only the arguments; a person needs the request to understand them.
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
    inputs_shown
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
