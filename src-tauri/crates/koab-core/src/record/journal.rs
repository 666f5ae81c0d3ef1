//! `journal.jsonl`, read back: the starts of a run, the attempts that count, what is under way, what is damaged.

use super::TokenUsage;
use super::{AttemptRecord, Attempts, DamagedLine, JournalLine, LineReader, RunManifest, RunSpec, StepLine};
use crate::event::RunOutcome;
use crate::say;
use crate::sentence::Sentence;
use serde::de::IgnoredAny;
use std::collections::HashMap;

/// A start of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// When, milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The settings it began with.
    pub spec: RunSpec,
}

/// What the journal of a run comes to.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// Its starts, the last one last.
    pub starts: Vec<Start>,
    /// How the last start ended, when it lived to say so.
    pub outcome: Option<RunOutcome>,
    /// The attempts that count.
    pub attempts: Attempts<AttemptRecord>,
    /// Lines that are not what was written. What they held counts as not done.
    pub damaged: Vec<DamagedLine>,
    /// Whether the last line has no end: it was cut off by a crash, or is being written. Nothing of it is here.
    pub cut_off: bool,
    /// Steps of the last start whose attempts have not ended.
    under_way: HashMap<(String, u32), Vec<StepLine>>,
    /// Damaged lines before the last start.
    before_start: usize,
    /// Tokens of all that ended or was broken off.
    spent: TokenUsage,
    reader: LineReader,
}

impl Journal {
    /// Reads a whole journal.
    pub fn read(content: &[u8]) -> Self {
        let mut journal = Self::default();
        for line in content.split_inclusive(|byte| *byte == b'\n') {
            journal.line(line);
        }
        journal
    }

    /// Reads the next line. One without a line end is the last one: whole, or cut off by a crash.
    pub fn line(&mut self, text: &[u8]) {
        match self.reader.read(text) {
            None => {}
            Some(Ok(line)) => self.take(line),
            Some(Err(_)) if is_cut_off(text) => self.cut_off = true,
            Some(Err(damaged)) => self.damaged.push(damaged),
        }
    }

    /// Takes what a line says.
    pub fn take(&mut self, line: JournalLine) {
        match line {
            JournalLine::Run { at_ms, spec, .. } => {
                self.attempts.start();
                self.break_off();
                self.before_start = self.damaged.len();
                self.outcome = None;
                self.starts.push(Start { at_ms, spec: *spec });
            }
            JournalLine::Step(step) => {
                let steps = self
                    .under_way
                    .entry((step.task.clone(), step.repetition))
                    .or_default();
                // The line that says of a new start may be damaged.
                if steps.last().is_some_and(|last| last.step.step >= step.step.step) {
                    steps.drain(..).for_each(|step| self.spent += used(&step));
                }
                steps.push(step);
            }
            JournalLine::Attempt { record } => {
                self.under_way.remove(&(record.task.clone(), record.repetition));
                self.spent += record.usage();
                self.attempts.end(record);
            }
            JournalLine::End { outcome, .. } => self.outcome = Some(outcome),
            JournalLine::Wait { .. } | JournalLine::Unfinished { .. } => {}
        }
    }

    /// Settings of the last start.
    pub fn spec(&self) -> Option<&RunSpec> {
        self.starts.last().map(|start| &start.spec)
    }

    /// Steps of an attempt that has not ended.
    pub fn steps(&self, task: &str, repetition: u32) -> &[StepLine] {
        let steps = self.under_way.get(&(task.to_owned(), repetition));
        steps.map(Vec::as_slice).unwrap_or_default()
    }

    /// Tokens of all calls that were answered, whether their attempts ended or not.
    pub fn spent(&self) -> TokenUsage {
        let mut spent = self.spent;
        let open = self.under_way.values().flatten();
        open.for_each(|step| spent += used(step));
        spent
    }

    /// Attempts that another start need not make: those that count, but for technical failures.
    pub fn finished(self) -> Vec<AttemptRecord> {
        let mut attempts = self.attempts;
        attempts.start();
        attempts.into_vec()
    }

    /// What is wrong with the journal of the run that this manifest describes, one sentence each.
    pub fn problems(&self, manifest: Option<&RunManifest>) -> Vec<Sentence> {
        let lines = self.damaged.iter().enumerate();
        let mut problems: Vec<Sentence> = lines
            .map(|(place, DamagedLine { number, why })| {
                if place < self.before_start {
                    say!("line {number} of journal.jsonl is damaged: {why}; the run has gone on since")
                } else {
                    say!("line {number} of journal.jsonl is damaged: {why}; what it held counts as not done")
                }
            })
            .collect();
        let Some(manifest) = manifest.filter(|manifest| manifest.outcome.is_some()) else {
            return problems;
        };
        let (stated, found) = (manifest.attempts.counts.done, self.attempts.len());
        if stated as usize != found {
            problems.push(say!(
                "run.json counts {stated} attempts and journal.jsonl has {found}; --resume makes those that are missing again"
            ));
        } else if manifest.outcome != self.outcome {
            problems.push(say!(
                "journal.jsonl does not have the end of the run that run.json has"
            ));
        }
        problems
    }

    fn break_off(&mut self) {
        for step in self.under_way.drain().flat_map(|(_, steps)| steps) {
            self.spent += used(&step);
        }
    }
}

fn used(step: &StepLine) -> TokenUsage {
    step.step.usage.unwrap_or_default()
}

/// Whether a line that cannot be read is the beginning of one.
fn is_cut_off(text: &[u8]) -> bool {
    !text.ends_with(b"\n") && serde_json::from_slice::<IgnoredAny>(text).is_err()
}
