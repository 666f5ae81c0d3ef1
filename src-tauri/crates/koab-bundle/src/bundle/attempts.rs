//! A journal, read a second time: of the attempts that count what is compared, one record after the
//! other.
//!
//! Which attempts count is known when all of a journal is read. Records are most of it, so none is
//! kept meanwhile, and of those that are read again only the first attempt at each task.

use super::calls::CallReader;
use super::check::Findings;
use super::contents::Contents;
use super::manifest::Manifest;
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, AttemptSummary, Journal, JournalLine, LinePlace, LineReader};
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

/// Finds the records of the attempts that count among the lines of a journal.
pub struct CountedReader<'a> {
    places: Peekable<Box<dyn Iterator<Item = LinePlace> + 'a>>,
    /// Bytes of the lines so far.
    read: u64,
}

impl<'a> CountedReader<'a> {
    /// Before the first line of this journal.
    pub fn new(journal: &'a Journal<AttemptSummary>) -> Self {
        // They stand in the order of their lines.
        let places: Box<dyn Iterator<Item = LinePlace>> =
            Box::new(journal.attempts.iter().map(AttemptSummary::place));
        Self { places: places.peekable(), read: 0 }
    }

    /// The record of the next line, given without its end; `None` where it is no attempt that
    /// counts.
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

/// The first attempt at each task, which stands for it in the log.
#[derive(Debug, Default)]
pub(crate) struct FirstAttempts(BTreeMap<(Level, String), AttemptRecord>);

impl FirstAttempts {
    pub(crate) fn get(&self, level: Level, task: &str) -> Option<&AttemptRecord> {
        self.0.get(&(level, task.to_owned()))
    }
}

/// Collects them.
pub(crate) struct FirstReader {
    /// Task and repetition of each.
    wanted: BTreeSet<(String, u32)>,
    found: FirstAttempts,
}

impl FirstReader {
    pub(crate) fn new(journal: &Journal<AttemptSummary>) -> Self {
        let mut least: BTreeMap<(Level, &str), u32> = BTreeMap::new();
        for attempt in journal.attempts.iter() {
            let repetition = least.entry((attempt.level, &attempt.task)).or_insert(attempt.repetition);
            *repetition = attempt.repetition.min(*repetition);
        }
        let wanted = least.into_iter();
        Self {
            wanted: wanted.map(|((_, task), repetition)| (task.to_owned(), repetition)).collect(),
            found: FirstAttempts::default(),
        }
    }

    pub(crate) fn record(&mut self, record: AttemptRecord) {
        let key = (record.task.clone(), record.repetition);
        if self.wanted.remove(&key) {
            self.found.0.insert((record.level, key.0), record);
        }
    }

    pub(crate) fn finish(self) -> FirstAttempts {
        self.found
    }
}

/// What a second reading of a bundle's journal came to.
pub struct CountedAttempts {
    pub(super) first: FirstAttempts,
    /// Calls whose answers are those that they must be.
    pub(super) calls: usize,
}

/// Reads the journal of a bundle whose other files are all there.
pub struct AttemptReader<'a> {
    counted: CountedReader<'a>,
    first: FirstReader,
    calls: CallReader<'a>,
}

impl<'a> AttemptReader<'a> {
    /// Before the first line of the journal that these files have; `None` where they have none.
    pub fn new(contents: &'a Contents, findings: &mut Findings) -> Option<Self> {
        let journal = contents.journal.as_ref()?;
        Some(Self {
            counted: CountedReader::new(journal),
            first: FirstReader::new(journal),
            calls: CallReader::new(contents, findings),
        })
    }

    /// Reads the next line, without its end.
    pub fn line(&mut self, text: &[u8], findings: &mut Findings) {
        if let Some(record) = self.counted.line(text) {
            self.calls.record(&record, findings);
            self.first.record(record);
        }
    }

    /// What the whole journal comes to.
    pub fn finish(self, manifest: &Manifest, findings: &mut Findings) -> CountedAttempts {
        CountedAttempts { first: self.first.finish(), calls: self.calls.finish(manifest, findings) }
    }
}
