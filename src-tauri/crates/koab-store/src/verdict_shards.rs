//! Answers of judges that several workers ask for at once: `judging/shards/<part>.<start>.jsonl` in
//! a run's folder.
//!
//! As with parts of a run (`shards`) nobody shares a file, and a start that finds a newer one
//! beside its own leaves. What a line's answer is, is the caller's; here it has a number, by which
//! two answers to one question are told.

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

/// Name of the folder in a run's.
pub const JUDGING: &str = "judging";
/// What was answered before workers began.
pub(crate) const KNOWN: &str = "known.jsonl";

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// A hash of all questions.
    judging: String,
    of: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    job: Option<String>,
}

/// What a start has taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgesSpent {
    /// Tokens.
    pub tokens: u64,
    /// USD, where that is known.
    pub usd: Option<f64>,
}

impl JudgesSpent {
    /// Adds what another start has taken.
    pub(crate) fn add(&mut self, other: Self) {
        self.tokens += other.tokens;
        if let Some(usd) = other.usd {
            self.usd = Some(self.usd.unwrap_or(0.0) + usd);
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictLine {
    /// Its place among all that are asked for.
    pub number: u32,
    /// Hash of everything the judge is shown.
    pub question: String,
    /// The judge's model id.
    pub judge: String,
    /// Version of the prompts.
    pub version: String,
    /// The answer, or why there is none.
    pub verdict: Value,
    /// Whether there is none; it is asked for again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// What its start had taken then.
    #[serde(default)]
    pub spent: JudgesSpent,
}

impl VerdictLine {
    /// One that is known by its number alone.
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

/// What the files of a judging hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShardVerdicts {
    /// Each once, the earliest; a failure gives way to an answer.
    pub lines: BTreeMap<u32, VerdictLine>,
    /// Answers that two starts gave; the earliest counts.
    pub doubled: usize,
    /// Lines that cannot be read, one sentence each; what they held counts as not asked.
    pub damaged: Vec<Sentence>,
    /// What all starts have taken.
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

    /// Of a part: its answers, and those of them that failed.
    pub fn of_part(&self, shard: Shard) -> (u32, u32) {
        let own = self.lines.values().filter(|line| line.number % shard.of == shard.index);
        own.fold((0, 0), |(done, failed), line| (done + 1, failed + u32::from(line.failed)))
    }
}

/// Everything that the files of a judging have.
///
/// # Errors
/// When a file is of other questions or cannot be read.
pub fn read(judging: &Path, plan: &str) -> Result<ShardVerdicts> {
    let mut found = ShardVerdicts::default();
    let known = judging.join(KNOWN);
    if known.is_file() {
        read_file(&known, plan, None, &mut found)?;
        // No worker has taken anything for those.
        found.spent = JudgesSpent::default();
    }
    for file in shards::files(judging)? {
        read_file(&file.path, plan, None, &mut found)?;
    }
    Ok(found)
}

/// Keeps what was answered before workers begin.
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

fn read_file(path: &Path, plan: &str, shard: Option<Shard>, found: &mut ShardVerdicts) -> Result<()> {
    let failed = |error: io::Error| Error::io("read", path, &error);
    let mut lines = BufReader::new(open_regular(path).map_err(failed)?);
    let (mut text, mut number, mut spent) = (Vec::new(), 0, JudgesSpent::default());
    // One without a line end is the last one, cut off or still being written.
    while lines.read_until(b'\n', &mut text).map_err(failed)? > 0 && text.ends_with(b"\n") {
        number += 1;
        if number == 1 {
            check(path, text.trim_ascii_end(), plan, shard)?;
        } else {
            match parsed::<VerdictLine>(text.trim_ascii_end()) {
                Ok(line) => {
                    spent = line.spent;
                    found.add(line);
                }
                Err(error) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    found.damaged.push(say!(
                        "line {number} of judging/shards/{name} is damaged: {error}; what it held counts as not asked"
                    ));
                }
            }
        }
        text.clear();
    }
    found.spent.add(spent);
    Ok(())
}

/// What a line says, where its checksum is right.
pub(crate) fn parsed<T: DeserializeOwned>(line: &[u8]) -> std::result::Result<T, Sentence> {
    let body = checksum::body_of(line)?.ok_or_else(checksum::missing)?;
    serde_json::from_slice(&body).map_err(|error| error.to_string().into())
}

/// Sees whether a file is one of these questions and this cut.
pub(crate) fn check(path: &Path, first: &[u8], plan: &str, shard: Option<Shard>) -> Result<()> {
    let bad = |why: Sentence| Error::BadFile(say!("{}: {why}; move the file away", path.display()));
    match parsed::<Head>(first) {
        Ok(head) if head.judging != plan => Err(bad(say!(
            "it has answers to other questions: of another run, other judges, or of the run before it had grown"
        ))),
        Ok(head) if shard.is_some_and(|shard| shard.of != head.of) => {
            let of = head.of;
            Err(bad(say!("the questions were cut into {of} parts before")))
        }
        Ok(_) => Ok(()),
        Err(_) => Err(bad(say!("it does not begin as a file of judges' answers does"))),
    }
}

/// A start of a part, open for writing.
#[derive(Debug)]
pub struct VerdictShard {
    path: PathBuf,
    file: File,
    next: PathBuf,
}

impl VerdictShard {
    /// Starts a part, and reads what is answered of it.
    ///
    /// # Errors
    /// When a file of the judging is of other questions or another cut, or the disk refuses.
    pub fn start(
        judging: &Path,
        shard: Shard,
        plan: &str,
        job: Option<String>,
    ) -> Result<(Self, ShardVerdicts)> {
        let mut found = ShardVerdicts::default();
        let known = judging.join(KNOWN);
        if known.is_file() {
            read_file(&known, plan, None, &mut found)?;
        }
        // Before a file is made: it would take the part over from whoever makes it rightly.
        for file in shards::files(judging)? {
            read_file(&file.path, plan, Some(shard), &mut ShardVerdicts::default())?;
        }
        let (ShardFile { path, .. }, file, next, earlier) =
            shards::claim(&judging.join(SHARDS), shard.index)?;
        let mut started = Self { path, file, next };
        started.write(&head(plan, shard.of, job))?;
        for file in earlier {
            read_file(&file.path, plan, Some(shard), &mut found)?;
        }
        Ok((started, found))
    }

    /// Adds an answer; it is on the disk then.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn append(&mut self, line: &VerdictLine) -> Result<()> {
        self.write(line)
    }

    /// Whether somebody has started the part again.
    pub fn is_taken_over(&self) -> bool {
        self.next.exists()
    }

    fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let text = checksum::line_of(line).map_err(|error| Error::io("write", &self.path, &error.into()))?;
        let written = self.file.write_all(text.as_bytes());
        written.and_then(|()| self.file.sync_data()).map_err(|error| Error::io("write", &self.path, &error))
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
        for (plan, shard, expected) in
            [("q", PART, "answers to other questions"), ("p", Shard { index: 0, of: 3 }, "cut into 2 parts")]
        {
            let refused = VerdictShard::start(folder.path(), shard, plan, None).expect_err("refused");
            assert!(refused.to_string().contains(expected), "{refused}");
        }
        assert_eq!(shards::files(folder.path()).expect("read").len(), 1, "nothing was made");
    }
}
