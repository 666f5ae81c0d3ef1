//! How far the shards of a run have come, read from their files as they grow.
//!
//! Only what was written since the last look is read; of an attempt a byte is kept. What a merge
//! has taken into the journal counts once.

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

/// How an attempt or a judge's answer stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    #[default]
    Open,
    /// For technical reasons, or the judge gave none: whoever goes on makes it again.
    Failed,
    Done,
}

/// What was read of a file.
#[derive(Debug, Default)]
struct FileProgress {
    read: u64,
    reader: LineReader,
    /// Waits because the server wants fewer calls.
    limited: u32,
}

/// How far the shards of a run have come.
#[derive(Debug)]
pub struct ShardProgress {
    plan: String,
    tasks: HashMap<String, usize>,
    repetitions: usize,
    attempts: Vec<Standing>,
    files: BTreeMap<PathBuf, FileProgress>,
    spent: TokenUsage,
}

/// How far one of them has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardCount {
    /// Its attempts.
    pub planned: u32,
    /// Those that have ended.
    pub done: u32,
    /// Those of them that ended for technical reasons.
    pub failed: u32,
}

impl ShardCount {
    /// That of a shard: every one whose number leaves the same rest.
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
    /// Nothing read so far of the run that this manifest describes.
    pub fn new(manifest: &RunManifest) -> Self {
        let tasks: HashMap<String, usize> = manifest.tasks().cloned().zip(0..).collect();
        let repetitions = manifest.spec.repetitions as usize;
        Self {
            plan: manifest.plan_hash(),
            attempts: vec![Standing::Open; tasks.len() * repetitions],
            tasks,
            repetitions,
            files: BTreeMap::new(),
            spent: TokenUsage::default(),
        }
    }

    /// Whether it is of the run that this manifest describes.
    pub fn is_of(&self, manifest: &RunManifest) -> bool {
        self.plan == manifest.plan_hash()
    }

    /// Reads what was written since the last time.
    ///
    /// # Errors
    /// When a file is there and cannot be read.
    pub fn read(&mut self, run: &Path) -> Result<()> {
        let mut paths: Vec<PathBuf> = shards::files(run)?.into_iter().map(|file| file.path).collect();
        paths.push(run.join(JOURNAL));
        self.files.retain(|path, _| paths.contains(path));
        // What was mended shorter is another file: what was counted of it may be gone.
        if self.is_shorter() {
            self.attempts.fill(Standing::Open);
            self.files.clear();
            self.spent = TokenUsage::default();
        }
        for path in paths {
            let mut progress = self.files.remove(&path).unwrap_or_default();
            match self.read_file(&path, &mut progress) {
                Ok(()) => {}
                // A merge has taken it in and away.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(Error::io("read", &path, &error)),
            }
            self.files.insert(path, progress);
        }
        Ok(())
    }

    /// Whether a file is shorter than what was read of it.
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

    /// How far a shard of so many has come.
    pub fn shard(&self, index: u32, of: u32) -> ShardCount {
        ShardCount::count(&self.attempts, index, of)
    }

    /// How far all of it has come.
    pub fn whole(&self) -> ShardCount {
        self.shard(0, 1)
    }

    /// Tokens of the attempts that have ended.
    pub fn spent(&self) -> TokenUsage {
        self.spent
    }

    /// How often a call was made again because the server wanted fewer.
    pub fn limited(&self) -> u32 {
        // The journal has what a merge took in, the shards what they wrote: each has all of what it
        // has.
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
