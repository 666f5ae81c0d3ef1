//! Reads the journal of a run line by line and compares each attempt with its own steps.

mod conversation;
mod of_agent;
mod of_request;

use self::conversation::{against_messages, other_step};
use super::check::{CheckName, Findings};
use super::names::JOURNAL;
use koab_core::run_record::{
    AttemptRecord, AttemptSummary, CallRecord, Journal, JournalLine, LinePlace, LineReader, StepLine,
    StopReason,
};
use koab_core::say;
use koab_core::sentence::Sentence;

/// First reading of a bundle's journal, line by line. It checks each attempt against its steps and
/// keeps a summary.
#[derive(Default)]
pub struct JournalReader {
    journal: Journal<AttemptSummary>,
    reader: LineReader,
    /// Number of attempts whose record agrees with their steps.
    checked: usize,
    /// Number of steps that were recorded for attempts.
    steps: usize,
    /// Whether any line was read.
    begun: bool,
    /// Number of bytes of the lines that were read so far.
    read: u64,
}

impl JournalReader {
    /// Reads the next line, which is passed without its newline. Problems are added to `findings`.
    pub fn line(&mut self, text: &[u8], findings: &mut Findings) {
        let place_of_line = LinePlace { offset: self.read, length: text.len() as u32 + 1 };
        self.read += text.len() as u64 + 1;
        let first = !std::mem::replace(&mut self.begun, true);
        let line = match self.reader.line::<AttemptRecord>(text) {
            None => return,
            Some(Ok(line)) => line,
            Some(Err(damaged)) => {
                let sentence = say!(
                    "line {line} is not a line of a journal: {error}",
                    line = damaged.number,
                    error = damaged.why
                );
                findings.failed(CheckName::Journal, JOURNAL, sentence);
                return;
            }
        };
        if self.journal.starts.is_empty() && !matches!(line, JournalLine::Run { .. }) {
            if first {
                findings.failed(CheckName::Journal, JOURNAL, no_run());
            }
            return;
        }
        if let JournalLine::Attempt { record } = &line {
            let steps = self.journal.steps(&record.task, record.repetition);
            self.steps += steps.len();
            match against_steps(record, steps) {
                Ok(()) => self.checked += 1,
                Err(sentence) => findings.failed(CheckName::Journal, place(record), sentence),
            }
        }
        if let JournalLine::Step(step) = &line
            && let Some(last) = self.journal.steps(&step.task, step.repetition).last()
            && step.step.step <= last.step.step
            && !(step.step.step == 1 && self.journal.may_begin_anew(&step.task, step.repetition))
        {
            let place = format!("{JOURNAL}, attempt {}", step.task);
            findings.failed(CheckName::Journal, place, other_step(step.step.step as usize));
        }
        self.journal.take(line.head(), place_of_line);
    }

    /// Returns the journal. `cut_off` means that the last line has no newline.
    pub fn finish(self, cut_off: bool, findings: &mut Findings) -> Journal<AttemptSummary> {
        if self.journal.starts.is_empty() {
            if !self.begun {
                findings.failed(CheckName::Journal, JOURNAL, no_run());
            }
        } else if cut_off {
            findings.failed(CheckName::Journal, JOURNAL, say!("the last line is cut off"));
        } else {
            let sentence = say!(
                "{attempts} attempts agree with the {steps} steps that were recorded as they happened",
                attempts = self.checked,
                steps = self.steps
            );
            findings.held(CheckName::Journal, JOURNAL, sentence);
        }
        self.journal
    }
}

/// Message about a journal that does not contain the start of a run.
pub(super) fn no_run() -> Sentence {
    say!("does not begin with the settings of a run")
}

/// Name of an attempt in the journal, for findings.
pub(super) fn place(record: &AttemptRecord) -> String {
    place_of(&record.task, record.repetition)
}

/// Name of the attempt at a task and repetition in the journal, for findings.
pub(super) fn place_of(task: &str, repetition: u32) -> String {
    match repetition {
        1 => format!("{JOURNAL}, attempt {task}"),
        number => format!("{JOURNAL}, attempt {task} ({number})"),
    }
}

fn against_steps(record: &AttemptRecord, noted: &[StepLine]) -> Result<(), Sentence> {
    if record.agent.is_some() {
        return of_agent::against_steps(record, noted);
    }
    if record.level.place().is_none() {
        return of_request::against_itself(record, noted);
    }
    if record.steps.len() != noted.len() {
        return Err(say!(
            "has {steps} steps, and {found} were recorded as they happened",
            steps = record.steps.len(),
            found = noted.len()
        ));
    }
    let mut calls = record.calls.iter();
    for (step, noted) in record.steps.iter().zip(noted) {
        let of_step: Vec<&CallRecord> = calls.by_ref().take(noted.calls.len()).collect();
        if *step != noted.step || !of_step.into_iter().eq(&noted.calls) {
            return Err(other_step(step.step as usize));
        }
    }
    if calls.next().is_some() {
        return Err(other_step(record.steps.len()));
    }
    if let Some(last) = noted.last()
        && record.stop == StopReason::Answered
        && !last.content.is_empty()
        && record.final_response.as_ref() != Some(&last.content)
    {
        return Err(say!("the answer is not that of the last step"));
    }
    let replies: Vec<&str> = noted.iter().map(|noted| noted.content.as_str()).collect();
    against_messages(record, &replies)
}
