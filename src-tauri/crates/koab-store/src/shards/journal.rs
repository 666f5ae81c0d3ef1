//! What the journal of a run has already of what its parts hold.
//!
//! `taken.json` says how far the parts were read. A merge that was killed before it wrote it has
//! copied lines that it does not tell of, so the journal itself is what counts.

use super::lines::Lines;
use crate::error::Result;
use crate::run_folder::RunFolder;
use crate::run_log::JOURNAL;
use koab_core::run_record::{
    AttemptEnd as _, AttemptSummary, Attempts, JournalLine, LinePlace, LineReader, RecordHead, StepLine,
};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The attempts of a journal, and the steps that no finished attempt has.
#[derive(Default)]
pub(super) struct JournalAttempts {
    attempts: Attempts<AttemptSummary>,
    /// Hashes of their lines.
    steps: HashMap<(String, u32), Vec<u64>>,
    /// Hashes of the lines of attempts that failed for technical reasons.
    failures: HashSet<u64>,
}

/// How an attempt stands to those that are known.
pub(super) enum Standing {
    /// The journal is to have it.
    New,
    /// Nothing is to be done.
    Known,
    /// Another start of the part has made it.
    Doubled,
}

impl JournalAttempts {
    /// Reads the journal of a run.
    pub(super) fn read(run: &RunFolder) -> Result<Self> {
        let mut known = Self::default();
        if !run.has_journal() {
            return Ok(known);
        }
        let (mut lines, mut reader) = (Lines::open(&run.folder.join(JOURNAL))?, LineReader::default());
        while let Some(text) = lines.next()? {
            match reader.line::<RecordHead>(&text) {
                Some(Ok(JournalLine::Run { .. })) => known.attempts.start(),
                Some(Ok(JournalLine::Attempt { record })) => known.end(record, &text),
                Some(Ok(JournalLine::Step(step))) => {
                    let steps = known.steps.entry((step.task, step.repetition)).or_default();
                    steps.push(hash(&text));
                }
                _ => {}
            }
        }
        Ok(known)
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

    /// Takes an attempt of a part. One that failed for technical reasons gives way to one that did
    /// not, and of several such the last counts; all are in the journal, which has their steps.
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

    /// Takes a step of a part. Whether the journal is to have it: its attempt has not ended, or
    /// failed, and the line is not there.
    pub(super) fn take_step(&mut self, step: &StepLine, text: &[u8]) -> bool {
        let ended = self.attempts.get(&step.task, step.repetition);
        if ended.is_some_and(|attempt| !attempt.stop.is_technical()) {
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

/// Without its place, which is another one in each file.
fn summary(record: RecordHead, text: &[u8]) -> AttemptSummary {
    let place = LinePlace { offset: 0, length: text.len() as u32 };
    AttemptSummary::from_record(record, place)
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
