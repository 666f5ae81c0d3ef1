//! Content of a run's journal, for a merge: which lines of the shards it already has.
//!
//! `taken.json` records how far the shards were read. A merge that was killed before it wrote that
//! file has copied more lines, so the journal itself decides.

use super::lines::Lines;
use crate::error::Result;
use crate::run_folder::RunFolder;
use crate::run_log::JOURNAL;
use koab_core::run_record::{
    AttemptEnd as _, AttemptSummary, Attempts, JournalLine, LinePlace, LineReader, RecordHead, RunChange,
    StepLine,
};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Attempts of a journal, and the steps of attempts that have not finished.
#[derive(Default)]
pub(super) struct JournalAttempts {
    attempts: Attempts<AttemptSummary>,
    /// Hashes of step lines, by task and repetition.
    steps: HashMap<(String, u32), Vec<u64>>,
    /// Hashes of the lines of attempts that failed for technical reasons.
    failures: HashSet<u64>,
}

/// Relation of an attempt in a shard to those in the journal.
pub(super) enum Standing {
    /// The journal lacks the attempt, so it is copied.
    New,
    /// The journal has the attempt.
    Known,
    /// The journal has the attempt from another start of the shard.
    Doubled,
}

impl JournalAttempts {
    /// Reads the journal of a run.
    pub(super) fn read(run: &RunFolder) -> Result<Self> {
        let mut attempts = Self::default();
        if !run.has_journal() {
            return Ok(attempts);
        }
        let (mut lines, mut reader) = (Lines::open(&run.folder.join(JOURNAL))?, LineReader::default());
        while let Some(text) = lines.next()? {
            match reader.line::<RecordHead>(&text) {
                Some(Ok(JournalLine::Run { .. })) => attempts.attempts.start(),
                Some(Ok(JournalLine::Attempt { record })) => attempts.end(record, &text),
                Some(Ok(JournalLine::Change { change: RunChange::Retry { attempts: retried }, .. })) => {
                    for attempt in retried {
                        attempts.attempts.reopen(&attempt.task, attempt.repetition.unwrap_or(1));
                    }
                }
                Some(Ok(JournalLine::Step(step))) => {
                    let steps = attempts.steps.entry((step.task, step.repetition)).or_default();
                    steps.push(hash(&text));
                }
                _ => {}
            }
        }
        Ok(attempts)
    }

    fn end(&mut self, record: RecordHead, text: &[u8]) {
        self.end_of(summary(record, text), text);
    }

    fn end_of(&mut self, attempt: AttemptSummary, text: &[u8]) {
        if attempt.stop.is_technical() {
            self.failures.insert(hash(text));
        } else {
            self.steps.remove(&(attempt.task.to_string(), attempt.repetition));
        }
        self.attempts.end(attempt);
    }

    /// Adds an attempt of a shard. Returns whether the journal already has it.
    ///
    /// An attempt that failed for technical reasons is superseded by one that did not. If all have
    /// failed, the last one counts. All of them are copied, because the journal has their steps.
    pub(super) fn take(&mut self, record: RecordHead, text: &[u8]) -> Standing {
        let attempt = summary(record, text);
        match self.attempts.get(&attempt.task, attempt.repetition) {
            Some(before) if *before == attempt => Standing::Known,
            Some(before) if !before.stop.is_technical() => Standing::Doubled,
            _ if self.failures.contains(&hash(text)) => Standing::Known,
            _ => {
                self.end_of(attempt, text);
                Standing::New
            }
        }
    }

    /// Adds a step of a shard. Returns whether to copy the step: the journal does not have it yet,
    /// and its attempt has not ended or has failed for technical reasons.
    pub(super) fn take_step(&mut self, step: &StepLine, text: &[u8]) -> bool {
        let attempt_end = self.attempts.get(&step.task, step.repetition);
        if attempt_end.is_some_and(|attempt| !attempt.stop.is_technical()) {
            return false;
        }
        let steps = self.steps.entry((step.task.clone(), step.repetition)).or_default();
        let line = hash(text);
        let is_new = !steps.contains(&line);
        if is_new {
            steps.push(line);
        }
        is_new
    }
}

/// Summary of an attempt without its position, which differs between files.
fn summary(record: RecordHead, text: &[u8]) -> AttemptSummary {
    let place = LinePlace { offset: 0, length: text.len() as u32 };
    AttemptSummary::from_record(record, place)
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
