//! Parts of a run that several workers make at once: `shards/<part>.<start>.jsonl` in the run's
//! folder, one writer a file.
//!
//! A folder that many machines see has no locks that hold, so nobody shares a file: each start of a
//! part makes the next file, and a start that finds a newer one beside its own leaves. The journal
//! of the run is not touched; [`take_in`] copies into it what the parts have
//! (`docs/design/runs.md`).

mod journal;
mod lines;

use crate::error::{Error, Result};
use crate::folder;
use crate::journal_file::JournalFile;
use crate::run_folder::RunFolder;
use crate::run_log::FolderLog;
use crate::{atomic, json_file};
use journal::{JournalAttempts, Standing};
use koab_core::level::Level;
use koab_core::run_record::{
    AttemptEnd as _, AttemptRecord, AttemptSummary, Journal, JournalLine, LinePlace, LineReader, OpenSteps,
    RecordHead, RunManifest, StepLine,
};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use koab_engine::plan::Shard;
use koab_engine::ports::{RunLog, StoreError, SyncWork};
use lines::Lines;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the folder of parts in a run's.
pub const SHARDS: &str = "shards";
/// How much of each file the journal has taken in.
const TAKEN: &str = "taken.json";

/// A file of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShardFile {
    /// Which part, 0-based.
    pub index: u32,
    /// Which start of it, 1-based.
    pub start: u32,
    /// Where it lies.
    pub path: PathBuf,
}

/// The files of all parts, by part and start.
///
/// # Errors
/// When the folder is there and cannot be read.
pub fn files(run: &Path) -> Result<Vec<ShardFile>> {
    files_in(&run.join(SHARDS))
}

fn files_in(folder: &Path) -> Result<Vec<ShardFile>> {
    let mut files = Vec::new();
    for entry in folder::entries(folder)? {
        let path = entry.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let numbers = name.strip_suffix(".jsonl").and_then(|name| name.split_once('.'));
        let numbers = numbers.and_then(|(index, start)| Some((index.parse().ok()?, start.parse().ok()?)));
        if let Some((index, start)) = numbers {
            files.push(ShardFile { index, start, path });
        }
    }
    files.sort();
    Ok(files)
}

/// Makes the file of a new start of a part. Answers it with the name of the next one's, and the
/// files of earlier starts.
pub(crate) fn claim(folder: &Path, index: u32) -> Result<(ShardFile, File, PathBuf, Vec<ShardFile>)> {
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    loop {
        let mut own = files_in(folder)?;
        own.retain(|file| file.index == index);
        let start = own.last().map_or(1, |last| last.start + 1);
        let path = folder.join(file_name(index, start));
        let file = match File::options().append(true).create_new(true).open(&path) {
            Ok(file) => file,
            // Somebody else starts it at this moment and was first; the next number is ours.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(Error::io("create", &path, &error)),
        };
        let next = folder.join(file_name(index, start + 1));
        return Ok((ShardFile { index, start, path }, file, next, own));
    }
}

fn file_name(index: u32, start: u32) -> String {
    format!("{index}.{start}.jsonl")
}

/// Earlier starts of a part, read from their files.
#[derive(Default)]
pub struct EarlierStarts {
    /// All files as one journal.
    pub journal: Journal<AttemptSummary>,
    /// Task and repetition of attempts whose end no merge has copied yet. What the run's own
    /// journal has of such an attempt is older than that end.
    pub ended: BTreeSet<(String, u32)>,
    /// Numbers of the steps of attempts under way that a merge has copied, by task and repetition.
    copied: BTreeMap<(String, u32), BTreeSet<u32>>,
}

impl EarlierStarts {
    fn read(folder: &Path, files: Vec<ShardFile>) -> Result<Self> {
        let taken = taken(folder)?;
        let mut earlier = Self::default();
        for file in files {
            let merged = taken.get(&file_name(file.index, file.start)).copied().unwrap_or(0);
            let (mut lines, mut reader) = (Lines::open(&file.path)?, LineReader::default());
            while let Some(text) = lines.next()? {
                // One that was cut off does not count, even where nothing but its end is missing:
                // no merge takes it.
                if !text.ends_with(b"\n") {
                    continue;
                }
                let is_copied = lines.read() <= merged;
                match reader.line::<RecordHead>(&text) {
                    Some(Ok(JournalLine::Attempt { record })) => earlier.end(record, is_copied),
                    Some(Ok(JournalLine::Step(step))) => earlier.step(*step, is_copied),
                    _ => {}
                }
                earlier.journal.line(&text);
            }
        }
        Ok(earlier)
    }

    fn end(&mut self, record: RecordHead, is_copied: bool) {
        let attempt = AttemptSummary::from_record(record, LinePlace { offset: 0, length: 0 });
        let key = (attempt.task.to_string(), attempt.repetition);
        self.copied.remove(&key);
        if !is_copied {
            self.ended.insert(key);
        }
    }

    fn step(&mut self, step: StepLine, is_copied: bool) {
        let copied = self.copied.entry((step.task, step.repetition)).or_default();
        match is_copied {
            true => copied.insert(step.step.step),
            false => copied.remove(&step.step.step),
        };
    }

    /// Takes out the steps that the part goes on behind. `begun`: what the run's own journal has of
    /// attempts under way.
    pub fn take_steps(&mut self, mut begun: OpenSteps) -> OpenSteps {
        // An attempt that began in the run and failed here begins anew.
        begun.retain(|attempt, _| !self.ended.contains(attempt));
        for (attempt, copied) in &self.copied {
            let of_run = begun.get(attempt).map(Vec::as_slice).unwrap_or_default();
            let (task, repetition) = attempt;
            let own = self.journal.steps(task, *repetition);
            let mut copied = own.iter().filter(|line| copied.contains(&line.step.step));
            // The run went on with it and failed, or made another step in its place.
            if !copied.all(|line| of_run.contains(line)) {
                self.journal.break_off(attempt);
            }
        }
        self.journal.take_steps(begun)
    }
}

/// Bytes of each file that the run's journal has taken in, by the file's name.
fn taken(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let path = folder.join(TAKEN);
    if path.is_file() { json_file::read_json(&path) } else { Ok(BTreeMap::new()) }
}

/// A start of a part, open for writing.
#[derive(Debug)]
pub struct ShardLog {
    journal: JournalFile,
    /// What is there once the part has been started again.
    next: PathBuf,
}

impl ShardLog {
    /// Starts a part of a run, and reads what its earlier starts have.
    ///
    /// # Errors
    /// When a file of it is of another plan, or the disk refuses.
    pub fn start(run: &Path, shard: Shard, plan: &str, job: Option<String>) -> Result<(Self, EarlierStarts)> {
        let folder = run.join(SHARDS);
        // Before a file is made: it would take the part over from whoever makes it rightly.
        for file in files(run)? {
            check(&file.path, &mut Lines::open(&file.path)?, plan, Some(shard))?;
        }
        let (ShardFile { path, .. }, journal, next, own) = claim(&folder, shard.index)?;
        let mut log = Self { next, journal: JournalFile::at_end_of(path, journal)? };
        let first = JournalLine::Shard { plan: plan.to_owned(), index: shard.index, of: shard.of, job };
        log.journal.line(&first)?;
        Ok((log, EarlierStarts::read(&folder, own)?))
    }
}

impl RunLog for ShardLog {
    fn append(&mut self, line: &JournalLine) -> std::result::Result<LinePlace, StoreError> {
        self.journal.line(line).map_err(Error::of_run)
    }

    fn attempt(&mut self, _: LinePlace) -> std::result::Result<AttemptRecord, StoreError> {
        Err(StoreError(say!("a part of a run is not read back while it is made")))
    }

    /// The logs are the merge's.
    fn wants_levels(&self) -> bool {
        false
    }

    fn write_level(&mut self, _: Level, _: &Value) -> std::result::Result<(), StoreError> {
        Ok(())
    }

    /// So is `run.json`.
    fn write_manifest(&mut self, _: &RunManifest) -> std::result::Result<(), StoreError> {
        Ok(())
    }

    fn is_taken_over(&mut self) -> bool {
        // A merge that found nothing missing has removed all parts.
        self.next.exists() || !self.journal.is_there()
    }

    fn sync(&mut self) -> std::result::Result<Option<SyncWork>, StoreError> {
        self.journal.sync()
    }
}

/// Reads the first line of a file and sees whether it is of this plan.
fn check(path: &Path, lines: &mut Lines, plan: &str, shard: Option<Shard>) -> Result<()> {
    let first = lines.next()?.unwrap_or_default();
    let bad = |why: Sentence| Error::BadFile(say!("{}: {why}; move the file away", path.display()));
    match LineReader::default().read::<JournalLine>(&first) {
        // A worker that was killed at once.
        None => Ok(()),
        Some(_) if !first.ends_with(b"\n") => Ok(()),
        Some(Ok(JournalLine::Shard { plan: of, .. })) if of != plan => {
            Err(bad(say!("it is of another run, or of this one with other settings")))
        }
        Some(Ok(JournalLine::Shard { of, .. })) if shard.is_some_and(|shard| shard.of != of) => {
            Err(bad(say!("the run was cut into {of} parts before")))
        }
        Some(Ok(JournalLine::Shard { .. })) => Ok(()),
        Some(Ok(_)) => Err(bad(say!("it does not begin as a part of a run does"))),
        Some(Err(damaged)) => Err(bad(damaged.why)),
    }
}

/// What taking parts in came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Attempts that the journal did not have.
    pub attempts: usize,
    /// Attempts that two starts of a part made; the earliest counts, the others are left out.
    pub doubled: usize,
    /// Lines that are not what was written, one sentence each; their attempts are still to be made.
    pub damaged: Vec<Sentence>,
}

/// Copies what the parts of a run have into its journal, an attempt once. May be done again and
/// again while workers write.
///
/// # Errors
/// When a file is of another plan, which takes in nothing, or the disk refuses.
pub fn take_in(run: &RunFolder, log: &mut FolderLog, plan: &str) -> Result<MergeCounts> {
    let folder = &run.folder;
    let files = files(folder)?;
    for file in &files {
        check(&file.path, &mut Lines::open(&file.path)?, plan, None)?;
    }
    let path = folder.join(SHARDS).join(TAKEN);
    let mut taken = taken(&folder.join(SHARDS))?;
    let mut known = JournalAttempts::read(run)?;
    let mut found = MergeCounts::default();
    for file in files {
        let name = file_name(file.index, file.start);
        let before = taken.get(&name).copied().unwrap_or(0);
        let (mut lines, mut reader, mut read) = (Lines::open(&file.path)?, LineReader::default(), 0);
        while let Some(text) = lines.next()? {
            if !text.ends_with(b"\n") {
                break;
            }
            read = lines.read();
            let line = reader.line::<RecordHead>(&text);
            if lines.read() <= before {
                continue;
            }
            match line {
                Some(Ok(JournalLine::Attempt { record })) => match known.take(record, &text) {
                    Standing::New => found.attempts += 1,
                    Standing::Known => continue,
                    Standing::Doubled => {
                        found.doubled += 1;
                        continue;
                    }
                },
                Some(Ok(JournalLine::Step(step))) if !known.take_step(&step, &text) => continue,
                Some(Ok(
                    JournalLine::Step(_) | JournalLine::Wait { .. } | JournalLine::Unfinished { .. },
                )) => {}
                Some(Ok(JournalLine::Shard { .. } | JournalLine::Run { .. } | JournalLine::End { .. }))
                | None => continue,
                Some(Err(damaged)) => {
                    let (number, why) = (damaged.number, damaged.why);
                    found.damaged.push(say!(
                        "line {number} of shards/{name} is damaged: {why}; what it held counts as not done"
                    ));
                    continue;
                }
            }
            log.journal().text(&text)?;
        }
        taken.insert(name, read);
    }
    log.journal().make_safe()?;
    if !taken.is_empty() {
        let text = serde_json::to_vec(&taken).map_err(|error| Error::io("write", &path, &error.into()))?;
        atomic::write(&path, &text)?;
    }
    Ok(found)
}

/// Removes the parts of a run whose journal has all that they have.
///
/// # Errors
/// When the disk refuses.
pub fn remove(run: &Path) -> Result<()> {
    let folder = run.join(SHARDS);
    let removed = if_there(fs::remove_dir_all(&folder)).map(drop);
    removed.map_err(|error| Error::io("remove", &folder, &error))
}
