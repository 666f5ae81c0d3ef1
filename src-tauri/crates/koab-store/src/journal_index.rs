//! Where in a run's journal each finished attempt stands, so that one is read without reading them all.
//!
//! A journal grows by whole lines, so an index is brought up to date by reading on from where it stopped. What an index
//! knows of an attempt is what a list of tasks shows; tool results are skipped without being built.

use crate::error::{Error, Result};
use crate::run_log::JOURNAL;
use koab_core::level::Level;
use koab_core::record::{
    AttemptEnd, AttemptRecord, Attempts, JournalLine, LineReader, StopReason, TokenUsage,
};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The finished attempts of one journal.
#[derive(Clone, Debug, Default)]
pub struct JournalIndex {
    /// Bytes read so far: the end of the last whole line.
    read: u64,
    attempts: Attempts<AttemptLine>,
    reader: LineReader,
}

/// An attempt in the journal, without its conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptLine {
    /// Task id.
    pub task: String,
    /// Its level.
    pub level: Level,
    /// 1-based repetition.
    pub repetition: u32,
    /// Whether it ended with an answer.
    pub success: bool,
    /// Why it ended.
    pub stop: StopReason,
    /// What went wrong, when something did.
    pub error: Option<Sentence>,
    /// Seconds from start to end.
    pub took_s: f64,
    /// Model turns.
    pub steps: u32,
    /// Tool calls.
    pub calls: u32,
    /// Prompt plus completion tokens of the turns that reported any; null when none did.
    pub total_tokens: Option<u64>,
    offset: u64,
    length: usize,
}

/// A [`koab_core::record::JournalLine`] as far as a list of attempts needs it.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    record: Option<Head>,
}

#[derive(Deserialize)]
struct Head {
    task: String,
    level: Level,
    repetition: u32,
    success: bool,
    stop: StopReason,
    error: Option<Sentence>,
    took_s: f64,
    steps: Vec<StepHead>,
    calls: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct StepHead {
    usage: Option<TokenUsage>,
}

impl JournalIndex {
    /// The attempts that count, in the order in which they ended.
    pub fn attempts(&self) -> impl Iterator<Item = &AttemptLine> {
        self.attempts.iter()
    }

    /// The attempts at a task, by repetition.
    pub fn of_task(&self, task: &str) -> Vec<&AttemptLine> {
        let mut found: Vec<&AttemptLine> = self.attempts().filter(|line| line.task == task).collect();
        found.sort_by_key(|line| line.repetition);
        found
    }

    /// Reads on in the journal of a run's folder. A journal that became shorter is read anew; none at all is an empty
    /// one; a last line that is still being written waits for the next time.
    ///
    /// # Errors
    /// When the journal is there and cannot be read.
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
        if length < self.read {
            *self = Self::default();
        }
        file.seek(SeekFrom::Start(self.read))
            .map_err(|error| failed(&error))?;
        let (mut reader, mut line) = (BufReader::new(file), Vec::new());
        loop {
            line.clear();
            let taken = reader
                .read_until(b'\n', &mut line)
                .map_err(|error| failed(&error))?;
            if line.last() != Some(&b'\n') {
                return Ok(());
            }
            self.take(&line);
            self.read += taken as u64;
        }
    }

    fn take(&mut self, line: &[u8]) {
        let Some(Ok(Line { kind, record })) = self.reader.read(line) else {
            return;
        };
        let head = match (kind.as_str(), record) {
            ("attempt", Some(head)) => head,
            ("run", _) => return self.attempts.start(),
            _ => return,
        };
        let tokens: Vec<u64> = head
            .steps
            .iter()
            .filter_map(|step| Some(step.usage?.total_tokens))
            .collect();
        self.attempts.end(AttemptLine {
            task: head.task,
            level: head.level,
            repetition: head.repetition,
            success: head.success,
            stop: head.stop,
            error: head.error,
            took_s: head.took_s,
            steps: head.steps.len() as u32,
            calls: head.calls.len() as u32,
            total_tokens: (!tokens.is_empty()).then(|| tokens.into_iter().fold(0, u64::saturating_add)),
            offset: self.read,
            length: line.len(),
        });
    }
}

impl AttemptEnd for AttemptLine {
    fn key(&self) -> (&str, u32) {
        (&self.task, self.repetition)
    }

    fn stop(&self) -> StopReason {
        self.stop
    }
}

impl AttemptLine {
    /// The whole attempt, from the journal of the same folder.
    ///
    /// # Errors
    /// When the journal cannot be read or is no longer the one that was indexed.
    pub fn read(&self, folder: &Path) -> Result<AttemptRecord> {
        let path = folder.join(JOURNAL);
        let failed = |error: io::Error| Error::io("read", &path, &error);
        let mut file = File::open(&path).map_err(failed)?;
        file.seek(SeekFrom::Start(self.offset)).map_err(failed)?;
        let mut line = vec![0; self.length];
        file.read_exact(&mut line).map_err(failed)?;
        let why = match LineReader::default().read(&line) {
            Some(Ok(JournalLine::Attempt { record })) => return Ok(record),
            Some(Err(damaged)) => damaged.why,
            _ => say!("it is another line"),
        };
        let path = path.display();
        Err(Error::BadFile(say!(
            "{path} has no attempt at byte {}: {why}",
            self.offset
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
                (
                    line.repetition,
                    line.total_tokens,
                    line.read(folder.path()).expect("read"),
                )
            })
            .map(|(repetition, tokens, record)| (repetition, tokens, record.final_response))
            .collect();
        assert_eq!(
            read,
            [
                (1, Some(7), Some("하나".to_owned())),
                (2, Some(7), Some("다시".to_owned()))
            ]
        );
        fs::write(&path, "").expect("written");
        index.update(folder.path()).expect("read");
        assert!(index.attempts().next().is_none(), "a new journal is a new index");
    }
}
