//! A queue as a file for a reviewer on another computer, and the import of the reviewer's answers.
//! The file is CSV for a spreadsheet, or JSON.

use super::record::OpenQueue;
use super::review::check;
use crate::Scoring;
use koab_analysis::judge_lab::InputKind;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sheet::{guarded, lf};
use koab_library::table_text::table_text;
use koab_library::{BlindAnswer, QueueAnswered, QueueFile};
use koab_workspace::WireError;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Columns of the CSV; the reviewer fills in the last two.
const COLUMNS: [&str; 13] = [
    "queue",
    "number",
    "metric",
    "scale",
    "instruction",
    "final_answer",
    "tool_calls",
    "facts",
    "expected_arguments",
    "given_arguments",
    "conversation",
    "your_answer",
    "note",
];

/// Kinds of texts, in the order of their columns. Golden calls are too long for a cell; only the
/// JSON and the window have them.
const TEXTS: [InputKind; 7] = [
    InputKind::Instruction,
    InputKind::Answer,
    InputKind::Calls,
    InputKind::Facts,
    InputKind::ExpectedArguments,
    InputKind::GivenArguments,
    InputKind::Conversation,
];

/// Content of a line that the reviewer fills in: an answer, or nothing.
enum SheetAnswer {
    Empty,
    Answer(BlindAnswer),
}

impl Scoring {
    /// Returns a queue as a file, `csv` or `json`. The file has only the data that the reviewer may
    /// see.
    ///
    /// # Errors
    /// When the queue or format does not exist.
    pub fn queue_export(&self, id: &str, format: &str) -> Result<QueueFile, WireError> {
        let open = self.open_queue(id)?;
        let text = match format {
            "csv" => csv_of(id, &open),
            "json" => json_of(id, &open)?,
            other => {
                return Err(WireError::bad_request(say!(
                    "a queue is exported as csv or json, not as {other}"
                )));
            }
        };
        Ok(QueueFile { name: format!("judge-queue-{id}.{format}"), text })
    }

    /// Imports the answers of a file that [`Scoring::queue_export`] made and a reviewer filled in.
    /// Either all lines are imported or none.
    ///
    /// # Errors
    /// When the file is invalid, a line belongs to another queue or has another kind of answer, or
    /// the queue was revealed.
    pub fn queue_import(&self, file: &Path) -> Result<QueueAnswered, WireError> {
        let path = file.display();
        let bytes = std::fs::read(file)
            .map_err(|error| bad(say!("{shown} cannot be read: {error}", shown = path)))?;
        // A Korean spreadsheet saves CSV in the system's encoding by default.
        let text = table_text(&bytes).ok_or_else(|| {
            bad(say!("{shown} is not text in UTF-8 or CP949; save it as UTF-8", shown = path))
        })?;
        self.take_answers(&text)
    }

    fn take_answers(&self, text: &str) -> Result<QueueAnswered, WireError> {
        let text = text.trim_start_matches('\u{feff}');
        let (id, lines) = if text.trim_start().starts_with('{') { from_json(text)? } else { from_csv(text)? };
        let open = self.open_queue(&id)?;
        for (number, line) in &lines {
            let Some((_, question)) = open.numbered().find(|(at, _)| at == number) else {
                return Err(bad(say!("the queue {id} has no question {number}")));
            };
            if let SheetAnswer::Answer(answer) = line {
                check(question, *number, answer)?;
            }
        }
        let mut result = QueueAnswered { queue: open.summary(), taken: 0, empty: 0 };
        for (number, line) in &lines {
            match line {
                SheetAnswer::Answer(answer) => {
                    result.queue = self.queue_answer(&id, *number, Some(answer))?;
                    result.taken += 1;
                }
                SheetAnswer::Empty => result.empty += 1,
            }
        }
        Ok(result)
    }
}

fn csv_of(id: &str, open: &OpenQueue) -> String {
    let mut rows = vec![COLUMNS.map(ToOwned::to_owned).to_vec()];
    for (number, question) in open.numbered() {
        let text = |kind: InputKind| {
            let input = question.inputs.iter().find(|input| input.kind == kind);
            guarded(input.map(|input| input.text.as_str()).unwrap_or_default())
        };
        let answer = open.answers.get(&number);
        let mut row = vec![id.to_owned(), number.to_string(), question.metric.to_string()];
        row.push(if question.is_yes_no() { "yes/no" } else { "1-5" }.to_owned());
        row.extend(TEXTS.map(text));
        row.push(answer.map(answer_text).unwrap_or_default());
        row.push(answer.map(|answer| answer.note.clone()).unwrap_or_default());
        rows.push(row);
    }
    // Spreadsheets read UTF-8 only after a byte order mark.
    format!("\u{feff}{}", lf(rows))
}

fn json_of(id: &str, open: &OpenQueue) -> Result<String, WireError> {
    let questions: Vec<Value> = open
        .numbered()
        .map(|(number, question)| {
            let answer = open.answers.get(&number);
            json!({
                "number": number,
                "metric": question.metric,
                "scale": if question.is_yes_no() { "yes/no" } else { "1-5" },
                "inputs": question.inputs,
                "your_answer": answer.map(answer_text).unwrap_or_default(),
                "note": answer.map(|answer| answer.note.clone()).unwrap_or_default(),
            })
        })
        .collect();
    let mut how = "fill in your_answer: yes or no where scale is yes/no, 1 to 5 where it is 1-5, or unsure; empty is not answered".to_owned();
    if open.kept.draw.is_some() {
        how.push_str(", and ends what counts for the estimate: answer in order and leave nothing out");
    }
    let document = json!({
        "queue": id,
        "how": how,
        "questions": questions,
    });
    serde_json::to_string_pretty(&document).map_err(WireError::internal)
}

fn from_csv(text: &str) -> Result<(String, BTreeMap<u32, SheetAnswer>), WireError> {
    let (separator, text) = separated(text);
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).delimiter(separator).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| bad(error.to_string().into()))?.clone();
    let column = |name: &str| {
        let place = header.iter().position(|one| one.trim() == name);
        place.ok_or_else(|| bad(say!("the file has no column {name}; is it one of `koab judge queue`?")))
    };
    let places = [column("queue")?, column("number")?, column("your_answer")?];
    let note = header.iter().position(|one| one.trim() == "note");
    let (mut id, mut lines) = (String::new(), BTreeMap::new());
    for (line, row) in (2..).zip(reader.records()) {
        let row = row.map_err(|error| bad(error.to_string().into()))?;
        // Spreadsheets also save emptied rows.
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let [queue, number, answer] = places.map(|place| row.get(place).unwrap_or_default().trim());
        if !id.is_empty() && id != queue {
            return Err(bad(say!(
                "line {line} belongs to the queue {queue}, and the lines before it to {id}"
            )));
        }
        queue.clone_into(&mut id);
        let at = format!("line {line}");
        let note = note.and_then(|place| row.get(place)).unwrap_or_default();
        let number = number.parse::<u32>().map_err(|_| bad(say!("{at} has no number of a question")))?;
        lines.insert(number, read(&at, answer, note)?);
    }
    if id.is_empty() {
        return Err(bad(say!("the file has no line")));
    }
    Ok((id, lines))
}

/// Returns the column separator of a table and the table itself.
///
/// Spreadsheets use a semicolon if the comma is the decimal separator, or a tab. They may name the
/// separator in a first line `sep=`.
fn separated(text: &str) -> (u8, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let [separator] = first.trim().strip_prefix("sep=").unwrap_or_default().as_bytes() {
        return (*separator, rest);
    }
    let is_there = |separator: &u8| {
        first.split(char::from(*separator)).any(|name| name.trim_matches(['"', '\r']) == COLUMNS[0])
    };
    let separator = [b',', b';', b'\t'].into_iter().find(is_there);
    (separator.unwrap_or(b','), text)
}

fn from_json(text: &str) -> Result<(String, BTreeMap<u32, SheetAnswer>), WireError> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| bad(say!("the file is not JSON: {error}")))?;
    let (Some(id), Some(questions)) = (document["queue"].as_str(), document["questions"].as_array()) else {
        return Err(bad(say!("the file has no `queue` with `questions`; is it one of `koab judge queue`?")));
    };
    let mut lines = BTreeMap::new();
    for question in questions {
        let number = question["number"].as_u64().and_then(|number| u32::try_from(number).ok());
        let number = number.ok_or_else(|| bad(say!("a question of the file has no number")))?;
        let answer = match &question["your_answer"] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            other => other.to_string(),
        };
        let note = question["note"].as_str().unwrap_or_default();
        lines.insert(number, read(&format!("question {number}"), &answer, note)?);
    }
    Ok((id.to_owned(), lines))
}

fn read(at: &str, answer: &str, note: &str) -> Result<SheetAnswer, WireError> {
    let answer = answer.trim().to_lowercase();
    let note = note.trim().to_owned();
    let (success, score, unsure) = match answer.as_str() {
        "" => return Ok(SheetAnswer::Empty),
        "yes" | "y" | "true" | "예" | "성공" => (Some(true), None, false),
        "no" | "n" | "false" | "아니요" | "아니오" | "실패" => (Some(false), None, false),
        "unsure" | "?" | "모름" | "모르겠음" => (None, None, true),
        grade => match grade.strip_suffix(".0").unwrap_or(grade).parse::<u8>() {
            Ok(grade @ 1..=5) => (None, Some(grade), false),
            _ => {
                return Err(bad(say!(
                    "{at} answers `{grade}`; write yes or no, a grade from 1 to 5, unsure, or nothing"
                )));
            }
        },
    };
    Ok(SheetAnswer::Answer(BlindAnswer { success, score, unsure, note }))
}

fn answer_text(answer: &BlindAnswer) -> String {
    match (answer.success, answer.score) {
        (Some(true), _) => "yes".to_owned(),
        (Some(false), _) => "no".to_owned(),
        (None, Some(score)) => score.to_string(),
        (None, None) if answer.unsure => "unsure".to_owned(),
        (None, None) => String::new(),
    }
}

fn bad(why: Sentence) -> WireError {
    WireError::bad_file(why)
}

#[cfg(test)]
mod tests;
