//! The journal of a run, read line by line: the attempts that count in the end, and each held against its own steps.

use super::check::{CheckName, Findings};
use super::names::JOURNAL;
use super::said::Said;
use crate::event::AnswerSource;
use crate::python::truthy;
use crate::record::{AttemptRecord, CallRecord, StepRecord, StopReason};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

/// What a journal comes to.
#[derive(Clone, Debug, Default)]
pub struct JournalFacts {
    /// Settings of every start, the last one last.
    pub specs: Vec<Value>,
    /// When the first start was, milliseconds since the Unix epoch.
    pub first_start_ms: u64,
    /// When the last start was, likewise.
    pub started_ms: u64,
    /// How the last start ended, when it lived to say so.
    pub outcome: Option<String>,
    /// The attempts that count, in the order in which they ended.
    pub attempts: Vec<AttemptRecord>,
    /// Steps that were written down for them.
    pub steps: usize,
}

impl JournalFacts {
    /// Settings of the run; null when the journal has none.
    pub fn spec(&self) -> &Value {
        self.specs.last().unwrap_or(&Value::Null)
    }
}

/// A line as far as it is read.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Run {
        at_ms: u64,
        spec: Value,
    },
    Step {
        task: String,
        repetition: u32,
        step: StepRecord,
        content: String,
        calls: Vec<CallRecord>,
    },
    Attempt {
        record: AttemptRecord,
    },
    End {
        outcome: String,
    },
    Wait {},
    Unfinished {},
}

/// A step as it was written down when it happened.
struct Noted {
    step: StepRecord,
    content: String,
    calls: Vec<CallRecord>,
}

/// Reads a journal.
#[derive(Default)]
pub struct JournalReader {
    facts: JournalFacts,
    /// Steps of attempts that are not over.
    noted: HashMap<(String, u32), Vec<Noted>>,
    lines: usize,
    checked: usize,
}

impl JournalReader {
    /// Reads the next line, without its end. What is wrong with it goes to `findings`.
    pub fn line(&mut self, text: &[u8], findings: &mut Findings) {
        self.lines += 1;
        if text.trim_ascii().is_empty() {
            return;
        }
        let line = match serde_json::from_slice::<Line>(text) {
            Ok(line) => line,
            Err(error) => {
                let said = Said::JournalLine {
                    line: self.lines.to_string(),
                    error: error.to_string(),
                };
                findings.failed(CheckName::Journal, JOURNAL, said);
                return;
            }
        };
        if self.facts.specs.is_empty() && !matches!(line, Line::Run { .. }) {
            if self.lines == 1 {
                findings.failed(CheckName::Journal, JOURNAL, Said::JournalNoRun {});
            }
            return;
        }
        match line {
            Line::Run { at_ms, spec } => {
                // What failed for technical reasons is what another start is for; it is tried again.
                self.facts.attempts.retain(|record| !record.stop.is_technical());
                self.noted.clear();
                if self.facts.specs.is_empty() {
                    self.facts.first_start_ms = at_ms;
                }
                self.facts.specs.push(spec);
                self.facts.started_ms = at_ms;
                self.facts.outcome = None;
            }
            Line::Step {
                task,
                repetition,
                step,
                content,
                calls,
            } => self
                .noted
                .entry((task, repetition))
                .or_default()
                .push(Noted { step, content, calls }),
            Line::Attempt { record } => self.attempt(record, findings),
            Line::End { outcome } => self.facts.outcome = Some(outcome),
            Line::Wait {} | Line::Unfinished {} => {}
        }
    }

    /// What the journal comes to. `cut_off` says that its last line has no end.
    pub fn finish(mut self, cut_off: bool, findings: &mut Findings) -> JournalFacts {
        if self.facts.specs.is_empty() {
            if self.lines == 0 {
                findings.failed(CheckName::Journal, JOURNAL, Said::JournalNoRun {});
            }
        } else if cut_off {
            findings.failed(CheckName::Journal, JOURNAL, Said::JournalCutOff {});
        } else {
            let said = Said::JournalHeld {
                attempts: self.checked.to_string(),
                steps: self.facts.steps.to_string(),
            };
            findings.held(CheckName::Journal, JOURNAL, said);
        }
        self.noted.clear();
        self.facts
    }

    fn attempt(&mut self, record: AttemptRecord, findings: &mut Findings) {
        let noted = self.noted.remove(&(record.task.clone(), record.repetition));
        let noted = noted.unwrap_or_default();
        match against_steps(&record, &noted) {
            Ok(()) => self.checked += 1,
            Err(said) => findings.failed(CheckName::Journal, place(&record), said),
        }
        self.facts.steps += noted.len();
        let same =
            |other: &AttemptRecord| (&other.task, other.repetition) == (&record.task, record.repetition);
        self.facts.attempts.retain(|other| !same(other));
        self.facts.attempts.push(record);
    }
}

/// Where an attempt stands.
pub(super) fn place(record: &AttemptRecord) -> String {
    match record.repetition {
        1 => format!("{JOURNAL}, attempt {}", record.task),
        number => format!("{JOURNAL}, attempt {} ({number})", record.task),
    }
}

fn against_steps(record: &AttemptRecord, noted: &[Noted]) -> Result<(), Said> {
    if record.steps.len() != noted.len() {
        return Err(Said::StepsMissing {
            steps: record.steps.len().to_string(),
            found: noted.len().to_string(),
        });
    }
    let mut calls = record.calls.iter();
    for (step, noted) in record.steps.iter().zip(noted) {
        let of_step: Vec<&CallRecord> = calls.by_ref().take(noted.calls.len()).collect();
        if *step != noted.step || !of_step.into_iter().eq(&noted.calls) {
            return Err(Said::StepsDiffer {
                step: step.step.to_string(),
            });
        }
    }
    if calls.next().is_some() {
        return Err(Said::StepsDiffer {
            step: record.steps.len().to_string(),
        });
    }
    if let Some(last) = noted.last()
        && record.stop == StopReason::Answered
        && !last.content.is_empty()
        && record.final_response.as_ref() != Some(&last.content)
    {
        return Err(Said::AnswerDiffers {});
    }
    against_messages(record, noted)
}

/// The conversation, against what the model said and the tools answered. What was seeded stands before it.
fn against_messages(record: &AttemptRecord, noted: &[Noted]) -> Result<(), Said> {
    let of = |role: &'static str| {
        let all = record.messages.iter().enumerate();
        all.filter(move |(_, message)| message["role"] == role)
    };
    let differ = |at: usize| Said::MessagesDiffer {
        number: (at + 1).to_string(),
    };
    let said: Vec<_> = of("assistant").collect();
    let own = &said[said.len().saturating_sub(noted.len())..];
    if own.len() != noted.len() {
        return Err(differ(record.messages.len()));
    }
    for ((at, message), noted) in own.iter().zip(noted) {
        if message["content"].as_str().unwrap_or_default() != noted.content {
            return Err(differ(*at));
        }
    }
    let is_seeded = |message: &Value| {
        let id = message["tool_call_id"].as_str();
        id.is_some_and(|id| id.starts_with("seed_call_"))
    };
    let answers: Vec<_> = of("tool").filter(|(_, message)| !is_seeded(message)).collect();
    if answers.len() != record.calls.len() {
        return Err(differ(record.messages.len()));
    }
    for ((at, message), call) in answers.into_iter().zip(&record.calls) {
        let content = &message["content"];
        let fits = match (&call.result, &call.error) {
            (Some(result), _) if call.success => content == result,
            // A service's own words for its failure may stand there.
            (_, Some(error)) if call.source != AnswerSource::Live => content["error"] == error.as_str(),
            _ => true,
        };
        if !fits && (truthy(content) || call.result.as_ref().is_some_and(truthy)) {
            return Err(differ(at));
        }
    }
    Ok(())
}
