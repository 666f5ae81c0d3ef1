//! Positions of the finished attempts in a run's journal, so that one attempt can be read without
//! the rest.
//!
//! A journal grows by whole lines, so an index is updated by reading from where it stopped.

mod saved;

pub use saved::SavedIndexes;

use crate::error::{Error, Result};
use crate::run_log::JOURNAL;
use koab_core::run_record::{AttemptSummary, ChangeRecord, Journal, RunManifest};
use koab_core::sentence::Sentence;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

/// Finished attempts of one journal.
#[derive(Clone, Debug, Default)]
pub struct JournalIndex {
    journal: Journal<AttemptSummary>,
    /// Size of the journal in bytes at the last attempt to save the index. Saving is tried again
    /// after much growth.
    saved: u64,
}

impl JournalIndex {
    /// Valid attempts, in the order of their ends.
    pub fn attempts(&self) -> impl Iterator<Item = &AttemptSummary> {
        self.journal.attempts.iter()
    }

    /// Number of valid attempts.
    pub fn len(&self) -> usize {
        self.journal.attempts.len()
    }

    /// Whether there is no valid attempt.
    pub fn is_empty(&self) -> bool {
        self.journal.attempts.is_empty()
    }

    /// Number of times that the run was started or resumed.
    pub fn starts(&self) -> usize {
        self.journal.starts.len()
    }

    /// Changes of the run while it was being made, in order.
    pub fn changes(&self) -> &[ChangeRecord] {
        &self.journal.changes
    }

    /// Problems of the journal, compared with the manifest of its run. Each is one sentence.
    pub fn problems(&self, manifest: Option<&RunManifest>) -> Vec<Sentence> {
        self.journal.problems(manifest)
    }

    /// Valid attempts at a task, by repetition.
    pub fn of_task(&self, task: &str) -> Vec<&AttemptSummary> {
        self.journal.attempts.of_task(task)
    }

    /// Attempt at a task with this repetition, if it is valid.
    pub fn attempt(&self, task: &str, repetition: u32) -> Option<&AttemptSummary> {
        self.journal.attempts.get(task, repetition)
    }

    /// Whether the index covers the whole journal of a run's folder.
    pub fn is_current(&self, folder: &Path) -> bool {
        std::fs::metadata(folder.join(JOURNAL)).is_ok_and(|journal| journal.len() == self.journal.length())
    }

    /// Continues reading the journal of a run's folder. A journal that became shorter is read again
    /// from the start. A missing journal counts as empty. An incomplete last line is left for the
    /// next update.
    ///
    /// # Errors
    /// When the journal exists and cannot be read.
    pub fn update(&mut self, folder: &Path) -> Result<()> {
        let path = folder.join(JOURNAL);
        let failed = |error: &io::Error| Error::io("read", &path, error);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                *self = Self::default();
                return Ok(());
            }
            Err(error) => return Err(failed(&error)),
        };
        let length = file.metadata().map_err(|error| failed(&error))?.len();
        if length < self.journal.length() {
            *self = Self::default();
        }
        file.seek(SeekFrom::Start(self.journal.length())).map_err(|error| failed(&error))?;
        let (mut reader, mut line) = (BufReader::new(file), Vec::new());
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line).map_err(|error| failed(&error))?;
            if line.last() != Some(&b'\n') {
                return Ok(());
            }
            self.journal.line(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_log::attempt_at;
    use serde_json::{Value, json};
    use std::fs;
    use std::io::Write as _;

    fn attempt(task: &str, repetition: u32, response: &str) -> Value {
        json!({"type": "attempt", "record": {
            "task": task, "level": "L1", "repetition": repetition, "success": true, "stop": "answered", "error": null,
            "took_s": 1.5, "final_response": response, "messages": [{"role": "user", "content": "가"}],
            "steps": [{"step": 1, "phase": 1, "ttft_s": null, "latency_s": 1.0, "finish": "stop",
                       "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}}],
            "calls": [],
        }})
    }

    #[test]
    fn an_index_follows_a_growing_journal_and_leads_to_each_attempt() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(JOURNAL);
        let mut index = JournalIndex::default();
        index.update(folder.path()).expect("none is an empty one");
        assert!(index.attempts().next().is_none());
        let mut journal = File::create(&path).expect("made");
        writeln!(
            journal,
            "{}",
            json!({"type": "wait", "task": "A", "repetition": 2, "reason": "", "until_ms": null})
        )
        .expect("written");
        writeln!(journal, "{}", attempt("A", 2, "둘")).expect("written");
        let next = attempt("A", 1, "하나").to_string();
        write!(journal, "{}", &next[..40]).expect("written");
        index.update(folder.path()).expect("read");
        assert_eq!(index.attempts().count(), 1, "half a line is none");
        writeln!(journal, "{}", &next[40..]).expect("written");
        writeln!(journal, "no JSON").expect("written");
        writeln!(journal, "{}", attempt("A", 2, "다시")).expect("written");
        index.update(folder.path()).expect("read");
        let found = index.of_task("A");
        let read: Vec<_> = found
            .iter()
            .map(|line| {
                (line.repetition, line.total_tokens(), attempt_at(folder.path(), line.place()).expect("read"))
            })
            .map(|(repetition, tokens, record)| (repetition, tokens, record.final_response))
            .collect();
        assert_eq!(read, [(1, Some(7), Some("하나".to_owned())), (2, Some(7), Some("다시".to_owned()))]);
        fs::write(&path, "").expect("written");
        index.update(folder.path()).expect("read");
        assert!(index.attempts().next().is_none(), "a new journal is a new index");
    }
}
