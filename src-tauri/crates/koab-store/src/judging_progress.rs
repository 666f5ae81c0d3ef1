//! Progress of judging on a cluster, read from the workers' files as they grow.
//!
//! Each update reads only what was appended since the last one. Only one byte per answer stays in
//! memory.

use crate::error::{Error, Result};
use crate::import::roots::open_regular;
use crate::shard_progress::{ShardCount, Standing};
use crate::verdict_shards::{JudgesSpent, KNOWN, check, parsed};
use crate::{shards, verdict_shards};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Fields of a line that matter for progress.
#[derive(Deserialize)]
struct LineHead {
    number: u32,
    #[serde(default)]
    failed: bool,
    #[serde(default)]
    spent: JudgesSpent,
}

/// Progress within one file of judging.
#[derive(Debug, Default)]
struct FileProgress {
    read: u64,
    /// Modification time of the file of known answers, which is replaced as a whole.
    written: Option<SystemTime>,
    spent: JudgesSpent,
}

/// Progress of workers that answer a run's questions to judges, read from their files.
#[derive(Debug)]
pub struct JudgingProgress {
    plan: String,
    answers: Vec<Standing>,
    files: BTreeMap<PathBuf, FileProgress>,
    read_bytes: u64,
}

impl JudgingProgress {
    /// Progress before anything has been read. `total` is the number of requested answers, and
    /// `plan` the hash of their questions.
    pub fn new(plan: &str, total: u32) -> Self {
        Self {
            plan: plan.to_owned(),
            answers: vec![Standing::Open; total as usize],
            files: BTreeMap::new(),
            read_bytes: 0,
        }
    }

    /// Whether the progress belongs to the questions with this hash.
    pub fn is_of(&self, plan: &str) -> bool {
        self.plan == plan
    }

    /// Reads everything that was appended since the last call.
    ///
    /// # Errors
    /// When a file belongs to other questions or cannot be read.
    pub fn read(&mut self, judging: &Path) -> Result<()> {
        let known_file = judging.join(KNOWN);
        let mut paths: Vec<PathBuf> = shards::files(judging)?.into_iter().map(|file| file.path).collect();
        if known_file.is_file() {
            paths.push(known_file);
        }
        // A file that vanished, became shorter or was replaced may have been counted wrongly, so
        // everything is read again.
        if self.files.iter().any(|(path, progress)| progress.is_another(path)) {
            self.answers.fill(Standing::Open);
            self.files.clear();
        }
        for path in paths {
            let mut progress = self.files.remove(&path).unwrap_or_default();
            self.read_file(&path, &mut progress)?;
            self.files.insert(path, progress);
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path, progress: &mut FileProgress) -> Result<()> {
        let failed = |error: io::Error| Error::io("read", path, &error);
        let mut file = open_regular(path).map_err(failed)?;
        let modified = file.metadata().and_then(|meta| meta.modified()).ok();
        file.seek(SeekFrom::Start(progress.read)).map_err(failed)?;
        let (mut lines, mut text) = (BufReader::new(file), Vec::new());
        // A line without a line break is the last one: cut off, or still being written.
        while lines.read_until(b'\n', &mut text).map_err(failed)? > 0 && text.ends_with(b"\n") {
            let line = text.trim_ascii_end();
            if progress.read == 0 {
                check(path, line, &self.plan, None)?;
            } else if let Ok(line) = parsed::<LineHead>(line) {
                // Workers have spent nothing on the answers that were known before.
                if !is_known(path) {
                    progress.spent = line.spent;
                }
                if let Some(standing) = self.answers.get_mut(line.number as usize) {
                    let now = if line.failed { Standing::Failed } else { Standing::Done };
                    *standing = now.max(*standing);
                }
            }
            progress.read += text.len() as u64;
            self.read_bytes += text.len() as u64;
            text.clear();
        }
        progress.written = modified.filter(|_| is_known(path));
        Ok(())
    }

    /// Progress of the shard with number `index`, when the judging has `of` shards.
    pub fn shard(&self, index: u32, of: u32) -> ShardCount {
        ShardCount::count(&self.answers, index, of)
    }

    /// Progress of the whole judging.
    pub fn whole(&self) -> ShardCount {
        self.shard(0, 1)
    }

    /// Total spending of all starts.
    pub fn spent(&self) -> JudgesSpent {
        let mut sum = JudgesSpent::default();
        for progress in self.files.values() {
            sum.add(progress.spent);
        }
        sum
    }

    /// Number of bytes read so far, by all calls of [`Self::read`].
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes
    }
}

impl FileProgress {
    fn is_another(&self, path: &Path) -> bool {
        let replaced = |meta: &Metadata| self.written.is_some() && meta.modified().ok() != self.written;
        path.metadata().map_or(true, |meta| meta.len() < self.read || replaced(&meta))
    }
}

fn is_known(path: &Path) -> bool {
    path.ends_with(verdict_shards::KNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict_shards::{VerdictLine, VerdictShard, keep_known, read};
    use koab_engine::plan::Shard;

    fn line(number: u32, failed: bool, tokens: u64) -> VerdictLine {
        VerdictLine { failed, spent: JudgesSpent { tokens, usd: None }, ..VerdictLine::of_number(number) }
    }

    #[test]
    fn a_look_reads_on_from_where_it_was_and_counts_as_all_of_it_does() {
        let folder = tempfile::tempdir().expect("a folder");
        let judging = folder.path();
        keep_known(judging, "p", 2, [line(0, false, 9)].iter()).expect("kept");
        let start = |index| VerdictShard::start(judging, Shard { index, of: 2 }, "p", None).expect("started");
        let (mut first, _) = start(1);
        let mut progress = JudgingProgress::new("p", 400);
        let mut looks = Vec::new();
        for number in (1..400).step_by(2) {
            first.append(&line(number, number == 7, u64::from(number))).expect("written");
            if number % 40 == 1 {
                let before = progress.read_bytes();
                progress.read(judging).expect("read");
                looks.push(progress.read_bytes() - before);
            }
        }
        progress.read(judging).expect("read");
        let found = read(judging, "p").expect("read");
        let told = |progress: &JudgingProgress| {
            let count = progress.shard(1, 2);
            ((count.done, count.failed), progress.spent())
        };
        assert_eq!(told(&progress), (found.of_part(Shard { index: 1, of: 2 }), found.spent));
        assert_eq!(progress.whole().done, 201);
        let (one, last) = (looks[1], *looks.last().expect("looks"));
        assert!(last < one * 2, "a look reads what is new: {looks:?}");

        // Another start answers what failed; half a line is none yet.
        let (mut second, _) = start(1);
        second.append(&line(7, false, 5)).expect("written");
        let path = judging.join("shards/1.2.jsonl");
        let whole = std::fs::read(&path).expect("read");
        std::fs::write(&path, &whole[..whole.len() - 2]).expect("written");
        progress.read(judging).expect("read");
        assert_eq!(progress.whole().failed, 1);
        std::fs::write(&path, &whole).expect("written");
        progress.read(judging).expect("read");
        assert_eq!((progress.whole().failed, progress.spent().tokens), (0, 399 + 5));

        // A file that is gone takes what it had with it, and one that is replaced is read anew.
        std::fs::remove_file(&path).expect("removed");
        progress.read(judging).expect("read");
        assert_eq!(progress.whole().failed, 1);
        std::thread::sleep(std::time::Duration::from_millis(20));
        keep_known(judging, "p", 2, [line(2, false, 0), line(4, false, 0)].iter()).expect("kept");
        progress.read(judging).expect("read");
        assert_eq!(progress.shard(0, 2).done, 2);
        let mut other = JudgingProgress::new("q", 400);
        assert!(other.read(judging).is_err(), "answers to other questions");
    }
}
