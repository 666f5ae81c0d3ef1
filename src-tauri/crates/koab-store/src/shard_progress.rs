//! Progress of a run's shards, read from their files as they grow.
//!
//! Each update reads only what was appended since the last one. Only one byte per attempt stays in
//! memory. An attempt that a merge has copied into the journal counts once.

use crate::error::{Error, Result};
use crate::import::roots::open_regular;
use crate::run_log::JOURNAL;
use crate::shards;
use koab_core::event::CallFault;
use koab_core::run_record::{
    AttemptEnd as _, AttemptSummary, JournalLine, LinePlace, LineReader, RecordHead, RunManifest, TokenUsage,
};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// State of an attempt, or of a judge's answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    #[default]
    Open,
    /// The attempt ended for technical reasons, or the judge gave no answer. The next start of a
    /// worker repeats it.
    Failed,
    Done,
}

/// Progress within one file of a shard.
#[derive(Debug, Default)]
struct FileProgress {
    read: u64,
    reader: LineReader,
    /// Number of waits because the server was overloaded or limited the rate of calls.
    limited: u32,
}

/// Progress of a run's shards.
#[derive(Debug)]
pub struct ShardProgress {
    plan: String,
    tasks: HashMap<String, usize>,
    repetitions: usize,
    attempts: Vec<Standing>,
    files: BTreeMap<PathBuf, FileProgress>,
    spent: TokenUsage,
}

/// Progress of one shard, or of all shards together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardCount {
    /// Number of planned attempts.
    pub planned: u32,
    /// Number of attempts that have ended.
    pub done: u32,
    /// Number of attempts that ended for technical reasons, out of those that have ended.
    pub failed: u32,
}

impl ShardCount {
    /// Counts the items of one shard: those with `number % of == index`.
    pub(crate) fn count(all: &[Standing], index: u32, of: u32) -> Self {
        let mut count = Self::default();
        for standing in all.iter().skip(index as usize).step_by(of.max(1) as usize) {
            count.planned += 1;
            count.done += u32::from(*standing != Standing::Open);
            count.failed += u32::from(*standing == Standing::Failed);
        }
        count
    }
}

impl ShardProgress {
    /// Progress before anything has been read, for the run with this manifest.
    pub fn new(manifest: &RunManifest) -> Self {
        let tasks: HashMap<String, usize> = manifest.tasks().cloned().zip(0..).collect();
        let repetitions = manifest.spec.settings.repetitions as usize;
        Self {
            plan: manifest.plan_hash(),
            attempts: vec![Standing::Open; tasks.len() * repetitions],
            tasks,
            repetitions,
            files: BTreeMap::new(),
            spent: TokenUsage::default(),
        }
    }

    /// Whether the progress belongs to the run with this manifest.
    pub fn is_of(&self, manifest: &RunManifest) -> bool {
        self.plan == manifest.plan_hash()
    }

    /// Reads everything that was appended since the last call.
    ///
    /// # Errors
    /// When a file exists and cannot be read.
    pub fn read(&mut self, run: &Path) -> Result<()> {
        let mut paths: Vec<PathBuf> = shards::files(run)?.into_iter().map(|file| file.path).collect();
        paths.push(run.join(JOURNAL));
        self.files.retain(|path, _| paths.contains(path));
        // A repaired file that became shorter may have been counted wrongly, so everything is read
        // again.
        if self.is_shorter() {
            self.attempts.fill(Standing::Open);
            self.files.clear();
            self.spent = TokenUsage::default();
        }
        for path in paths {
            let mut progress = self.files.remove(&path).unwrap_or_default();
            match self.read_file(&path, &mut progress) {
                Ok(()) => {}
                // A merge has copied the file and removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(Error::io("read", &path, &error)),
            }
            self.files.insert(path, progress);
        }
        Ok(())
    }

    /// Whether a file has become shorter than the part that was read.
    fn is_shorter(&self) -> bool {
        let mut files = self.files.iter();
        files.any(|(path, progress)| path.metadata().is_ok_and(|meta| meta.len() < progress.read))
    }

    fn read_file(&mut self, path: &Path, progress: &mut FileProgress) -> io::Result<()> {
        let mut file = open_regular(path)?;
        file.seek(SeekFrom::Start(progress.read))?;
        let (mut file, mut text) = (BufReader::new(file), Vec::new());
        while file.read_until(b'\n', &mut text)? > 0 && text.ends_with(b"\n") {
            progress.read += text.len() as u64;
            match progress.reader.line::<RecordHead>(&text) {
                Some(Ok(JournalLine::Attempt { record })) => {
                    self.ended(&AttemptSummary::from_record(record, LinePlace::default()));
                }
                Some(Ok(JournalLine::Wait {
                    fault: Some(CallFault::RateLimited | CallFault::Overloaded),
                    ..
                })) => progress.limited += 1,
                _ => {}
            }
            text.clear();
        }
        Ok(())
    }

    fn ended(&mut self, record: &AttemptSummary) {
        let Some(task) = self.tasks.get(&*record.task) else {
            return;
        };
        let number = task * self.repetitions + (record.repetition as usize).saturating_sub(1);
        let Some(standing) = self.attempts.get_mut(number) else {
            return;
        };
        let now = if record.stop.is_technical() { Standing::Failed } else { Standing::Done };
        if now > *standing {
            *standing = now;
            self.spent += record.usage();
        }
    }

    /// Progress of the shard with number `index`, when the run has `of` shards.
    pub fn shard(&self, index: u32, of: u32) -> ShardCount {
        ShardCount::count(&self.attempts, index, of)
    }

    /// Progress of the whole run.
    pub fn whole(&self) -> ShardCount {
        self.shard(0, 1)
    }

    /// Number of tokens used by the attempts that have ended.
    pub fn spent(&self) -> TokenUsage {
        self.spent
    }

    /// Number of calls that were repeated because the server was overloaded or limited their rate.
    pub fn limited(&self) -> u32 {
        // The journal has the merged lines and the shards have all that they wrote, so the same
        // line may be counted in both. The larger count is the one without duplicates.
        let (journal, shards): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|(path, _)| path.ends_with(JOURNAL));
        let sum = |files: Vec<(&PathBuf, &FileProgress)>| {
            files.iter().map(|(_, progress)| progress.limited).sum::<u32>()
        };
        sum(journal).max(sum(shards))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::event::LevelPlan;
    use koab_core::level::Level;
    use koab_core::run_record::{AttemptRecord, RunSpec, StopReason};

    fn manifest() -> RunManifest {
        let tasks = ["L1-001", "L1-002", "L1-003"].map(str::to_owned).into();
        let level = Level::L1;
        RunManifest::begun(RunSpec::published("r", "pack@1", "a/b"), 0, vec![LevelPlan { level, tasks }])
    }

    #[test]
    fn a_journal_that_was_mended_shorter_is_counted_anew() {
        let run = tempfile::tempdir().expect("a folder");
        let line = |task: &str| {
            let record = AttemptRecord {
                task: task.to_owned(),
                level: Level::L1,
                repetition: 1,
                success: true,
                stop: StopReason::Answered,
                error: None,
                took_s: 1.0,
                steps: Vec::new(),
                calls: Vec::new(),
                final_response: Some("42".to_owned()),
                messages: Vec::new(),
                agent: None,
            };
            JournalLine::Attempt { record }.text().expect("JSON")
        };
        let journal = run.path().join(JOURNAL);
        let mut progress = ShardProgress::new(&manifest());
        let mut done = |text: String| {
            std::fs::write(&journal, text).expect("written");
            progress.read(run.path()).expect("read");
            progress.whole().done
        };
        assert_eq!(done(line("L1-001") + &line("L1-002")), 2);
        assert_eq!(done(line("L1-003")), 1, "the two are gone");
        assert_eq!(done(line("L1-003") + &line("L1-001")), 2, "what is written behind it counts");
    }
}
