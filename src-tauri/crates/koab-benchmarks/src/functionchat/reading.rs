//! Reads the items of a pack.

use super::files::{SYSTEM_PROMPT, rubric_file, set_file};
use super::source::{Set, Source, Turn, call_of};
use super::truth;
use crate::benchmark::{BenchmarkError, Files};
use crate::item::{Item, Request};
use crate::python::dumps;
use koab_core::sentence::Sentence;
use koab_core::{say, text_file};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct CallDecisionLine {
    serial_num: u64,
    category: String,
    input_messages: Vec<Value>,
    input_tools: Vec<Value>,
    type_of_output: Turn,
    ground_truth: Value,
    acceptable_arguments: Value,
}

#[derive(Deserialize)]
struct SingleCallLine {
    query: Vec<Numbered<String>>,
    ground_truth: Vec<Numbered<String>>,
    acceptable_arguments: Vec<Numbered<Value>>,
    tools: Vec<ToolSet>,
}

#[derive(Deserialize)]
struct Numbered<T> {
    serial_num: u64,
    content: T,
}

#[derive(Deserialize)]
struct ToolSet {
    r#type: String,
    content: Vec<Value>,
}

#[derive(Deserialize)]
struct DialogLine {
    tools: Vec<Value>,
    turns: Vec<DialogTurn>,
}

#[derive(Deserialize)]
struct DialogTurn {
    serial_num: u64,
    query: Vec<Value>,
    ground_truth: Value,
    type_of_output: Turn,
    acceptable_arguments: Value,
}

/// Question of a file, before it is converted to an item.
struct Question {
    serial: u64,
    /// Innermost group of the question.
    group: String,
    messages: Vec<Value>,
    tools: Vec<Value>,
    turn: Turn,
    truth: Value,
    acceptable: Value,
}

/// Maximum size of the items as text, in bytes. The authors' items need a tenth of it.
const MAX_TEXT_BYTES: usize = 512 << 20;
/// Maximum number of groups of items. The authors have seventeen.
const MOST_GROUPS: usize = 100;

/// Memory that the items may still use. Without this limit, a short file with many tools and turns
/// on each line would fill the memory.
struct Room {
    /// Number of bytes that are left.
    left: usize,
    /// Number of bytes that an item needs in addition to its line.
    shared: usize,
}

impl Room {
    fn take(&mut self, line: &str, questions: usize) -> Result<(), Sentence> {
        let size = questions.saturating_mul(line.len() + self.shared);
        self.left = self.left.checked_sub(size).ok_or_else(|| {
            say!("the items up to here take more than {} MB with their tools", MAX_TEXT_BYTES >> 20)
        })?;
        Ok(())
    }
}

/// All items of a pack.
pub(super) fn items(pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
    let mut rubrics = Vec::new();
    for turn in Turn::ALL {
        let text = text(pack, &rubric_file(turn))?;
        rubrics.push((turn, text.trim().to_owned()));
    }
    let system = json!({"role": "system", "content": text(pack, SYSTEM_PROMPT)?.trim()});
    // Each item has its own copy of its rubric and of the tools of its line.
    let texts: usize = rubrics.iter().map(|(_, text)| text.len()).sum();
    let mut room = Room { left: MAX_TEXT_BYTES, shared: texts + system.to_string().len() };
    let mut items = Vec::new();
    let mut ids = BTreeSet::new();
    let mut groups = BTreeSet::new();
    for set in Set::ALL {
        let file = set_file(set);
        let text = text(pack, &file)?;
        for (at, line) in text.split('\n').enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let fault = |reason: Sentence| fault(&file, at + 1, &reason);
            for question in questions(set, line, &system, &mut room).map_err(fault)? {
                let item = item(set, items.len(), question, &rubrics).map_err(fault)?;
                groups.insert(item.groups.clone());
                if groups.len() > MOST_GROUPS {
                    return Err(fault(say!("there are more than {MOST_GROUPS} groups of items")));
                }
                if !ids.insert(item.id.clone()) {
                    return Err(fault(say!("{item} occurs twice", item = item.id)));
                }
                items.push(item);
            }
        }
    }
    Ok(items)
}

fn fault(file: &str, line: usize, reason: &Sentence) -> BenchmarkError {
    BenchmarkError(say!("{file} line {line}: {reason}"))
}

fn text(pack: &dyn Files, file: &str) -> Result<String, BenchmarkError> {
    if !pack.paths().iter().any(|path| path == file) {
        return Err(BenchmarkError(say!(
            "{file} is missing; FunctionChat-Bench has three sets, four rubrics and a system prompt: import the folder that holds all of them"
        )));
    }
    text_file::decode(pack.read(file).map_err(BenchmarkError)?)
        .map_err(|why| BenchmarkError(say!("{file}: {why}")))
}

fn questions(set: Set, line: &str, system: &Value, room: &mut Room) -> Result<Vec<Question>, Sentence> {
    match set {
        Set::CallDecision => {
            room.take(line, 1)?;
            Ok(vec![call_decision(parse(line)?)])
        }
        Set::SingleCall => {
            let own: SingleCallLine = parse(line)?;
            room.take(line, own.query.len().saturating_mul(own.tools.len()))?;
            single_call(own, system)
        }
        Set::Dialog => {
            let own: DialogLine = parse(line)?;
            room.take(line, own.turns.len())?;
            Ok(dialog(own, system))
        }
    }
}

fn parse<T: DeserializeOwned>(line: &str) -> Result<T, Sentence> {
    serde_json::from_str(line).map_err(|error| say!("not a line of FunctionChat-Bench v2: {error}"))
}

/// Question of a `CallDecision` row. Each row contains its own system message; repeated sentences
/// in it stay unchanged.
fn call_decision(line: CallDecisionLine) -> Question {
    Question {
        serial: line.serial_num,
        group: line.category,
        messages: line.input_messages,
        tools: line.input_tools,
        turn: line.type_of_output,
        truth: line.ground_truth,
        acceptable: line.acceptable_arguments,
    }
}

fn single_call(line: SingleCallLine, system: &Value) -> Result<Vec<Question>, Sentence> {
    let serials =
        |numbers: Vec<u64>| numbers == line.query.iter().map(|query| query.serial_num).collect::<Vec<_>>();
    let truths = serials(line.ground_truth.iter().map(|truth| truth.serial_num).collect());
    let accepted = serials(line.acceptable_arguments.iter().map(|each| each.serial_num).collect());
    if !truths || !accepted {
        return Err(say!("questions, truths and accepted arguments have different numbers"));
    }
    let mut questions = Vec::new();
    for ((query, text), accepted) in line.query.iter().zip(&line.ground_truth).zip(&line.acceptable_arguments)
    {
        let truth = truth::read(&text.content)
            .map_err(|reason| say!("truth {number}: {reason}", number = text.serial_num))?;
        for tools in &line.tools {
            questions.push(Question {
                serial: query.serial_num,
                group: tools.r#type.clone(),
                messages: vec![system.clone(), json!({"role": "user", "content": query.content})],
                tools: tools.content.clone(),
                turn: Turn::Call,
                truth: truth.clone(),
                acceptable: accepted.content.clone(),
            });
        }
    }
    Ok(questions)
}

fn dialog(line: DialogLine, system: &Value) -> Vec<Question> {
    let tools = line.tools;
    line.turns
        .into_iter()
        .map(|turn| Question {
            serial: turn.serial_num,
            group: turn.type_of_output.name().to_owned(),
            messages: std::iter::once(system.clone()).chain(turn.query).collect(),
            tools: tools.clone(),
            turn: turn.type_of_output,
            truth: turn.ground_truth,
            acceptable: turn.acceptable_arguments,
        })
        .collect()
}

fn item(set: Set, index: usize, question: Question, rubrics: &[(Turn, String)]) -> Result<Item, Sentence> {
    let prefix = set.prefix();
    let serial = question.serial;
    let id = match set {
        Set::SingleCall => format!("{prefix}:{serial}:{}", question.group),
        Set::CallDecision | Set::Dialog => format!("{prefix}:{serial}"),
    };
    if question.turn == Turn::Call && call_of(&question.truth).is_none() {
        return Err(say!("the truth of {id} has no call with a name and arguments"));
    }
    let acceptable = match question.acceptable {
        Value::Null => None,
        Value::String(text) => Some(text),
        object @ Value::Object(_) => Some(dumps(&object)),
        _ => {
            return Err(say!("the accepted arguments of {id} are neither text nor an object"));
        }
    };
    let rubric = rubrics
        .iter()
        .find(|(turn, _)| *turn == question.turn)
        .map(|(_, text)| text.clone())
        .unwrap_or_default();
    let source = Source { set, index, turn: question.turn, truth: question.truth, acceptable, rubric };
    Ok(Item {
        id,
        groups: vec![set.name().to_owned(), question.group],
        request: Request { messages: question.messages, tools: question.tools },
        source: serde_json::to_value(source)
            .map_err(|error| say!("not a line of FunctionChat-Bench v2: {error}"))?,
    })
}
