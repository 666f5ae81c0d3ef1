//! Second reading of a journal: reads the attempts that count, one record after the other, and
//! compares them.
//!
//! The attempts that count are known only after the whole journal has been read. Records make up
//! most of a journal, so the first reading keeps none of them, and the second reading keeps only
//! the first attempt at each task.

use super::calls::CallReader;
use super::check::Findings;
use super::contents::Contents;
use super::manifest::Manifest;
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, AttemptSummary, Journal, JournalLine, LinePlace, LineReader};
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

/// Finds the records of the attempts that count for the result of the run among the lines of a
/// journal.
pub struct CountedReader<'a> {
    places: Peekable<Box<dyn Iterator<Item = LinePlace> + 'a>>,
    /// Number of bytes of the lines that were read so far.
    read: u64,
}

impl<'a> CountedReader<'a> {
    /// Reader that starts before the first line of this journal.
    pub fn new(journal: &'a Journal<AttemptSummary>) -> Self {
        // The attempts have the order of their lines.
        let places: Box<dyn Iterator<Item = LinePlace>> =
            Box::new(journal.attempts.iter().map(AttemptSummary::place));
        Self { places: places.peekable(), read: 0 }
    }

    /// Record in the next line of the journal; `None` if the line is not an attempt that counts.
    /// `text` is the line without its newline.
    pub fn line(&mut self, text: &[u8]) -> Option<AttemptRecord> {
        let offset = self.read;
        self.read += text.len() as u64 + 1;
        self.places.next_if(|place| place.offset == offset)?;
        match LineReader::default().line(text)? {
            Ok(JournalLine::Attempt { record }) => Some(record),
            _ => None,
        }
    }
}

/// First attempt at each task. The log of the level contains this attempt.
#[derive(Debug, Default)]
pub(crate) struct FirstAttempts(BTreeMap<Level, BTreeMap<String, AttemptRecord>>);

impl FirstAttempts {
    pub(crate) fn get(&self, level: &Level, task: &str) -> Option<&AttemptRecord> {
        self.0.get(level)?.get(task)
    }
}

/// Collects the first attempt at each task.
pub(crate) struct FirstReader {
    /// Task and repetition of the first attempts that are still missing.
    wanted: BTreeSet<(String, u32)>,
    found: FirstAttempts,
}

impl FirstReader {
    pub(crate) fn new(journal: &Journal<AttemptSummary>) -> Self {
        let mut least: BTreeMap<(&Level, &str), u32> = BTreeMap::new();
        for attempt in journal.attempts.iter() {
            let repetition = least.entry((&attempt.level, &attempt.task)).or_insert(attempt.repetition);
            *repetition = attempt.repetition.min(*repetition);
        }

        Self {
            wanted: least.into_iter().map(|((_, task), repetition)| (task.to_owned(), repetition)).collect(),
            found: FirstAttempts::default(),
        }
    }

    pub(crate) fn record(&mut self, record: AttemptRecord) {
        let key = (record.task.clone(), record.repetition);
        if self.wanted.remove(&key) {
            self.found.0.entry(record.level.clone()).or_default().insert(key.0, record);
        }
    }

    pub(crate) fn finish(self) -> FirstAttempts {
        self.found
    }
}

/// Attempts and number of correct calls, found by the second reading of a bundle's journal (see
/// [`AttemptReader`]).
pub struct CountedAttempts {
    pub(super) first: FirstAttempts,
    /// Number of calls that have the expected answer.
    pub(super) calls: usize,
}

/// Second reading of the journal of a bundle, after its other files have been read. It compares the
/// records of attempts that the first reading did not keep.
pub struct AttemptReader<'a> {
    counted: CountedReader<'a>,
    first: FirstReader,
    calls: CallReader<'a>,
}

impl<'a> AttemptReader<'a> {
    /// Reader that starts before the first line of the journal; `None` if the bundle has no
    /// journal.
    pub fn new(contents: &'a Contents, findings: &mut Findings) -> Option<Self> {
        let journal = contents.journal.as_ref()?;
        Some(Self {
            counted: CountedReader::new(journal),
            first: FirstReader::new(journal),
            calls: CallReader::new(contents, findings),
        })
    }

    /// Reads the next line. `text` is the line without its newline.
    pub fn line(&mut self, text: &[u8], findings: &mut Findings) {
        if let Some(record) = self.counted.line(text) {
            self.calls.record(&record, findings);
            self.first.record(record);
        }
    }

    /// Result of reading the whole journal.
    pub fn finish(self, manifest: &Manifest, findings: &mut Findings) -> CountedAttempts {
        CountedAttempts { first: self.first.finish(), calls: self.calls.finish(manifest, findings) }
    }
}
