//! Judges' answers that several workers request at once: `judging/shards/<index>.<start>.jsonl` in
//! a run's folder.
//!
//! The rules are those of a run's shards (`shards`): no two processes share a file, and a start
//! that finds a newer file than its own stops. The caller defines the form of an answer. This
//! module identifies each requested answer by its number.

use crate::atomic;
use crate::error::{Error, Result};
use crate::import::roots::open_regular;
use crate::shards::{self, SHARDS, ShardFile};
use koab_core::run_record::checksum;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::plan::Shard;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

/// Name of the folder for judging in a run's folder.
pub const JUDGING: &str = "judging";
/// File of answers that existed before the workers began.
pub(crate) const KNOWN: &str = "known.jsonl";

/// First line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// Hash of all questions.
    judging: String,
    of: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    job: Option<String>,
}

/// Amount that a worker has spent since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgesSpent {
    /// Number of tokens.
    pub tokens: u64,
    /// Cost in USD, if known.
    pub usd: Option<f64>,
}

impl JudgesSpent {
    /// Adds the amount of another worker.
    pub(crate) fn add(&mut self, other: Self) {
        self.tokens += other.tokens;
        if let Some(usd) = other.usd {
            self.usd = Some(self.usd.unwrap_or(0.0) + usd);
        }
    }
}

/// An answer of a judge, or its failure, as a line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictLine {
    /// Number of the answer, among all requested answers.
    pub number: u32,
    /// Hash of the whole question, as the judge sees it.
    pub question: String,
    /// Model id of the judge.
    pub judge: String,
    /// Version of the prompts.
    pub version: String,
    /// Answer, or the reason for a failure.
    pub verdict: Value,
    /// Whether the judge failed to answer. Such an answer is requested again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Amount that the worker had spent since its start when it wrote the line.
    #[serde(default)]
    pub spent: JudgesSpent,
}

impl VerdictLine {
    /// A line without content, identified only by the number of its answer.
    pub fn of_number(number: u32) -> Self {
        Self {
            number,
            question: String::new(),
            judge: String::new(),
            version: String::new(),
            verdict: Value::Null,
            failed: false,
            spent: JudgesSpent::default(),
        }
    }
}

/// Content of all files of a judging.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShardVerdicts {
    /// Earliest line of each requested answer. An answer replaces a failure.
    pub lines: BTreeMap<u32, VerdictLine>,
    /// Number of answers that two starts of a shard have given. The earlier one counts.
    pub doubled: usize,
    /// Unreadable lines, with one sentence each. Their answers are requested again.
    pub damaged: Vec<Sentence>,
    /// Total spending of all starts.
    pub spent: JudgesSpent,
}

impl ShardVerdicts {
    fn add(&mut self, line: VerdictLine) {
        match self.lines.entry(line.number) {
            Entry::Vacant(new) => {
                new.insert(line);
            }
            Entry::Occupied(mut before) if before.get().failed => {
                before.insert(line);
            }
            Entry::Occupied(_) => self.doubled += usize::from(!line.failed),
        }
    }

    /// Number of answers in a shard, and how many of them failed.
    pub fn of_part(&self, shard: Shard) -> (u32, u32) {
        let own = self.lines.values().filter(|line| line.number % shard.of == shard.index);
        own.fold((0, 0), |(done, failed), line| (done + 1, failed + u32::from(line.failed)))
    }
}

/// Reads all files of a judging.
///
/// # Errors
/// When a file belongs to other questions or cannot be read.
pub fn read(judging: &Path, plan: &str) -> Result<ShardVerdicts> {
    let mut verdicts = ShardVerdicts::default();
    let known_file = judging.join(KNOWN);
    if known_file.is_file() {
        read_file(&known_file, plan, None, &mut verdicts)?;
        // Workers have spent nothing on these answers.
        verdicts.spent = JudgesSpent::default();
    }
    for file in shards::files(judging)? {
        read_file(&file.path, plan, None, &mut verdicts)?;
    }
    Ok(verdicts)
}

/// Stores the answers of judges that exist before workers begin. `plan` is the hash of all
/// questions, and `of` the number of shards.
///
/// # Errors
/// When the disk refuses.
pub fn keep_known<'a>(
    judging: &Path,
    plan: &str,
    of: u32,
    lines: impl Iterator<Item = &'a VerdictLine>,
) -> Result<()> {
    let path = judging.join(KNOWN);
    let failed = |error: serde_json::Error| Error::io("write", &path, &error.into());
    let mut text = checksum::line_of(&head(plan, of, None)).map_err(failed)?;
    for line in lines {
        text.push_str(&checksum::line_of(line).map_err(failed)?);
    }
    atomic::write(&path, text.as_bytes())
}

fn head(plan: &str, of: u32, job: Option<String>) -> Head {
    Head { judging: plan.to_owned(), of, job }
}

fn read_file(path: &Path, plan: &str, shard: Option<Shard>, verdicts: &mut ShardVerdicts) -> Result<()> {
    let failed = |error: io::Error| Error::io("read", path, &error);
    let mut lines = BufReader::new(open_regular(path).map_err(failed)?);
    let (mut text, mut number, mut spent) = (Vec::new(), 0, JudgesSpent::default());
    // A line without a line break is the last one: cut off, or still being written.
    while lines.read_until(b'\n', &mut text).map_err(failed)? > 0 && text.ends_with(b"\n") {
        number += 1;
        if number == 1 {
            check(path, text.trim_ascii_end(), plan, shard)?;
        } else {
            match parsed::<VerdictLine>(text.trim_ascii_end()) {
                Ok(line) => {
                    spent = line.spent;
                    verdicts.add(line);
                }
                Err(error) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    verdicts.damaged.push(say!(
                        "line {number} of judging/shards/{name} is damaged: {error}; its content counts as not asked"
                    ));
                }
            }
        }
        text.clear();
    }
    verdicts.spent.add(spent);
    Ok(())
}

/// Parses a line after checking its checksum.
pub(crate) fn parsed<T: DeserializeOwned>(line: &[u8]) -> std::result::Result<T, Sentence> {
    let body = checksum::body_of(line)?.ok_or_else(checksum::missing)?;
    serde_json::from_slice(&body).map_err(|error| error.to_string().into())
}

/// Checks that a file belongs to these questions and this number of shards.
pub(crate) fn check(path: &Path, first: &[u8], plan: &str, shard: Option<Shard>) -> Result<()> {
    let bad = |why: Sentence| Error::BadFile(say!("{}: {why}; move the file away", path.display()));
    match parsed::<Head>(first) {
        Ok(head) if head.judging != plan => Err(bad(say!(
            "it has answers to other questions: those of another run, of other judges, or of the run before it had more attempts"
        ))),
        Ok(head) if shard.is_some_and(|shard| shard.of != head.of) => {
            let of = head.of;
            Err(bad(say!("the questions were already divided into {of} shards")))
        }
        Ok(_) => Ok(()),
        Err(_) => Err(bad(say!("its first line is not that of a file of judges' answers"))),
    }
}

/// Start of a shard of a judging, open for writing.
#[derive(Debug)]
pub struct VerdictShard {
    path: PathBuf,
    file: File,
    next: PathBuf,
}

impl VerdictShard {
    /// Starts a shard, and reads its existing answers.
    ///
    /// # Errors
    /// When a file of the judging belongs to other questions or another number of shards, or the
    /// disk refuses.
    pub fn start(
        judging: &Path,
        shard: Shard,
        plan: &str,
        job: Option<String>,
    ) -> Result<(Self, ShardVerdicts)> {
        let mut verdicts = ShardVerdicts::default();
        let known_file = judging.join(KNOWN);
        if known_file.is_file() {
            read_file(&known_file, plan, None, &mut verdicts)?;
        }
        // Checked before the file is created, which would take over the shard from a worker with
        // the right questions.
        for file in shards::files(judging)? {
            read_file(&file.path, plan, Some(shard), &mut ShardVerdicts::default())?;
        }
        let (ShardFile { path, .. }, file, next, earlier) =
            shards::claim(&judging.join(SHARDS), shard.index)?;
        let mut started = Self { path, file, next };
        started.write(&head(plan, shard.of, job))?;
        for file in earlier {
            read_file(&file.path, plan, Some(shard), &mut verdicts)?;
        }
        Ok((started, verdicts))
    }

    /// Appends an answer and syncs it to the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn append(&mut self, line: &VerdictLine) -> Result<()> {
        self.write(line)
    }

    /// Whether another process has started the shard again.
    pub fn is_taken_over(&self) -> bool {
        self.next.exists()
    }

    fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let text = checksum::line_of(line).map_err(|error| Error::io("write", &self.path, &error.into()))?;
        let outcome = self.file.write_all(text.as_bytes());
        outcome.and_then(|()| self.file.sync_data()).map_err(|error| Error::io("write", &self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PART: Shard = Shard { index: 1, of: 2 };

    fn line(number: u32, answer: &str, failed: bool) -> VerdictLine {
        VerdictLine {
            number,
            question: format!("q{number}"),
            judge: "j/1".to_owned(),
            version: "v#0".to_owned(),
            verdict: json!(answer),
            failed,
            spent: JudgesSpent { tokens: 10, usd: None },
        }
    }

    #[test]
    fn the_earliest_answer_counts_and_a_newer_start_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        keep_known(folder.path(), "p", 2, [line(3, "known", false)].iter()).expect("kept");
        let start = || VerdictShard::start(folder.path(), PART, "p", None).expect("started");
        let (mut first, found) = start();
        assert_eq!(found.lines.keys().copied().collect::<Vec<_>>(), [3]);
        first.append(&line(1, "first", false)).expect("written");
        first.append(&line(5, "failed", true)).expect("written");
        assert!(!first.is_taken_over());
        let (mut second, found) = start();
        assert!(first.is_taken_over() && !second.is_taken_over());
        assert_eq!(found.of_part(PART), (3, 1));
        first.append(&line(7, "in flight", false)).expect("written");
        second.append(&line(7, "again", false)).expect("written");
        second.append(&line(5, "answered", false)).expect("written");
        let all = read(folder.path(), "p").expect("read");
        assert_eq!(all.lines[&7].verdict, json!("in flight"));
        assert_eq!(all.lines[&5].verdict, json!("answered"));
        assert_eq!((all.doubled, all.spent.tokens), (1, 20));
    }

    #[test]
    fn no_flipped_bit_changes_an_answer_unseen() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut part, _) = VerdictShard::start(folder.path(), PART, "p", None).expect("started");
        for number in [1, 3, 5] {
            part.append(&line(number, "yes", number == 3)).expect("written");
        }
        let path = folder.path().join("shards/1.1.jsonl");
        let whole = std::fs::read(&path).expect("read");
        let right = read(folder.path(), "p").expect("read");
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &flipped).expect("written");
            // A refused file is said as well.
            if let Ok(found) = read(folder.path(), "p") {
                let kept = found.lines.iter().all(|(number, line)| right.lines.get(number) == Some(line));
                let is_said =
                    !found.damaged.is_empty() || found.lines.len() == 2 && bit / 8 == whole.len() - 1;
                assert!(kept && is_said, "bit {bit}");
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_or_of_other_questions_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut part, _) = VerdictShard::start(folder.path(), PART, "p", None).expect("started");
        part.append(&line(1, "one", false)).expect("written");
        let path = folder.path().join("shards/1.1.jsonl");
        let whole = std::fs::read_to_string(&path).expect("read");
        std::fs::write(&path, format!("{whole}{{\"number\":3,\n{{\"numb")).expect("written");
        let found = read(folder.path(), "p").expect("read");
        assert_eq!((found.lines.len(), found.damaged.len()), (1, 1));
        assert!(found.damaged[0].to_string().contains("line 3 of judging/shards/1.1.jsonl is damaged"));
        for (plan, shard, expected) in [
            ("q", PART, "answers to other questions"),
            ("p", Shard { index: 0, of: 3 }, "divided into 2 shards"),
        ] {
            let refused = VerdictShard::start(folder.path(), shard, plan, None).expect_err("refused");
            assert!(refused.to_string().contains(expected), "{refused}");
        }
        assert_eq!(shards::files(folder.path()).expect("read").len(), 1, "nothing was made");
    }
}
