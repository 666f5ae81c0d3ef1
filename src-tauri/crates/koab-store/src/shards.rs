//! Shards of a run, made by several workers at once: `shards/<index>.<start>.jsonl` in the run's
//! folder. Each file has one writer.
//!
//! Locks are unreliable on a folder that many machines share, so no two processes share a file.
//! Each start of a shard creates the next file, and a start that finds a newer file than its own
//! stops. Workers do not touch the run's journal; [`take_in`] copies their lines into it
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

/// Name of the folder of shards in a run's folder.
pub const SHARDS: &str = "shards";
/// File with the number of bytes of each shard file that the journal contains.
const TAKEN: &str = "taken.json";

/// File of one start of a shard.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShardFile {
    /// Index of the shard, 0-based.
    pub index: u32,
    /// Number of the start, 1-based.
    pub start: u32,
    /// Path of the file.
    pub path: PathBuf,
}

/// Files of all shards, by index and start.
///
/// # Errors
/// When the folder exists and cannot be read.
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

/// Creates the file of a new start of a shard. Returns it with the path of the next start's file
/// and the files of earlier starts.
pub(crate) fn claim(folder: &Path, index: u32) -> Result<(ShardFile, File, PathBuf, Vec<ShardFile>)> {
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    loop {
        let mut own = files_in(folder)?;
        own.retain(|file| file.index == index);
        let start = own.last().map_or(1, |last| last.start + 1);
        let path = folder.join(file_name(index, start));
        let file = match File::options().append(true).create_new(true).open(&path) {
            Ok(file) => file,
            // Another process created this start at the same moment. Try the next number.
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

/// Earlier starts of a shard, read from their files.
#[derive(Default)]
pub struct EarlierStarts {
    /// Lines of all files as one journal.
    pub journal: Journal<AttemptSummary>,
    /// Task and repetition of attempts that have ended and whose end is not in the run's own
    /// journal yet. Steps of these attempts in the run's own journal are out of date.
    pub ended: BTreeSet<(String, u32)>,
    /// Numbers of steps that the run's own journal already contains, by task and repetition. Only
    /// unfinished attempts are included.
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
                // A line without a line break does not count, even if only the break is missing: no
                // merge copies it.
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
        if is_copied {
            copied.insert(step.step.step);
        } else {
            copied.remove(&step.step.step);
        }
    }

    /// Takes the steps of unfinished attempts that the shard continues. `begun` contains the steps
    /// of unfinished attempts in the run's own journal.
    pub fn take_steps(&mut self, mut begun: OpenSteps) -> OpenSteps {
        // An attempt that began in the run and failed in this shard starts again.
        begun.retain(|attempt, _| !self.ended.contains(attempt));
        for (attempt, copied) in &self.copied {
            let of_run = begun.get(attempt).map(Vec::as_slice).unwrap_or_default();
            let (task, repetition) = attempt;
            let own = self.journal.steps(task, *repetition);
            let mut copied = own.iter().filter(|line| copied.contains(&line.step.step));
            // The run continued the attempt and failed, or made another step instead.
            if !copied.all(|line| of_run.contains(line)) {
                self.journal.break_off(attempt);
            }
        }
        self.journal.take_steps(begun)
    }
}

/// Number of bytes of each shard file that the run's journal contains, by the file's name.
fn taken(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let path = folder.join(TAKEN);
    if path.is_file() { json_file::read_json(&path) } else { Ok(BTreeMap::new()) }
}

/// Start of a shard, open for writing.
#[derive(Debug)]
pub struct ShardLog {
    journal: JournalFile,
    /// Path of the next start's file. It exists once the shard has been started again.
    next: PathBuf,
}

impl ShardLog {
    /// Starts a shard of a run, and reads its earlier starts.
    ///
    /// # Errors
    /// When a file of the run belongs to another plan, or the disk refuses.
    pub fn start(run: &Path, shard: Shard, plan: &str, job: Option<String>) -> Result<(Self, EarlierStarts)> {
        let folder = run.join(SHARDS);
        // Checked before the file is created, which would take over the shard from a worker with
        // the right plan.
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
        Err(StoreError(say!("a shard is not read while it is made")))
    }

    /// Always false: the merge writes the level logs.
    fn wants_levels(&self) -> bool {
        false
    }

    fn write_level(&mut self, _: &Level, _: &Value) -> std::result::Result<(), StoreError> {
        Ok(())
    }

    /// Does nothing: the merge writes `run.json`.
    fn write_manifest(&mut self, _: &RunManifest) -> std::result::Result<(), StoreError> {
        Ok(())
    }

    fn is_taken_over(&mut self) -> bool {
        // A merge that found nothing missing has removed all shards.
        self.next.exists() || !self.journal.is_there()
    }

    fn sync(&mut self) -> std::result::Result<Option<SyncWork>, StoreError> {
        self.journal.sync()
    }
}

/// Reads the first line of a file and checks that it belongs to this plan.
fn check(path: &Path, lines: &mut Lines, plan: &str, shard: Option<Shard>) -> Result<()> {
    let first = lines.next()?.unwrap_or_default();
    let bad = |why: Sentence| Error::BadFile(say!("{}: {why}; move the file away", path.display()));
    match LineReader::default().read::<JournalLine>(&first) {
        // The worker was killed before its first line.
        None => Ok(()),
        Some(_) if !first.ends_with(b"\n") => Ok(()),
        Some(Ok(JournalLine::Shard { plan: of, .. })) if of != plan => {
            Err(bad(say!("it is of another run, or of this one with other settings")))
        }
        Some(Ok(JournalLine::Shard { of, .. })) if shard.is_some_and(|shard| shard.of != of) => {
            Err(bad(say!("the run was already divided into {of} shards")))
        }
        Some(Ok(JournalLine::Shard { .. })) => Ok(()),
        Some(Ok(_)) => Err(bad(say!("its first line is not that of a shard"))),
        Some(Err(damaged)) => Err(bad(damaged.why)),
    }
}

/// Numbers of attempts and damaged lines that a merge of shards found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Number of attempts that were copied into the journal.
    pub attempts: usize,
    /// Number of attempts that two starts of a shard have made. The earlier one counts, and the
    /// other is skipped.
    pub doubled: usize,
    /// Damaged lines, with one sentence each. Their attempts have to be repeated.
    pub damaged: Vec<Sentence>,
}

/// Copies the attempts of a run's shards into its journal, each once. The copying can be repeated
/// while workers write.
///
/// # Errors
/// When a file belongs to another plan (nothing is copied then), or the disk refuses.
pub fn take_in(run: &RunFolder, log: &mut FolderLog, plan: &str) -> Result<MergeCounts> {
    let folder = &run.folder;
    let files = files(folder)?;
    for file in &files {
        check(&file.path, &mut Lines::open(&file.path)?, plan, None)?;
    }
    let path = folder.join(SHARDS).join(TAKEN);
    let mut taken = taken(&folder.join(SHARDS))?;
    let mut journal = JournalAttempts::read(run)?;
    let mut counts = MergeCounts::default();
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
                Some(Ok(JournalLine::Attempt { record })) => match journal.take(record, &text) {
                    Standing::New => counts.attempts += 1,
                    Standing::Known => continue,
                    Standing::Doubled => {
                        counts.doubled += 1;
                        continue;
                    }
                },
                Some(Ok(JournalLine::Step(step))) if !journal.take_step(&step, &text) => continue,
                Some(Ok(
                    JournalLine::Step(_) | JournalLine::Wait { .. } | JournalLine::Unfinished { .. },
                )) => {}
                // A shard is not changed while it is made.
                Some(Ok(
                    JournalLine::Shard { .. }
                    | JournalLine::Run { .. }
                    | JournalLine::Change { .. }
                    | JournalLine::End { .. },
                ))
                | None => continue,
                Some(Err(damaged)) => {
                    let (number, why) = (damaged.number, damaged.why);
                    counts.damaged.push(say!(
                        "line {number} of shards/{name} is damaged: {why}; its content counts as not done"
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
    Ok(counts)
}

/// Removes the shards of a run, after its journal has all their lines.
///
/// # Errors
/// When the disk refuses.
pub fn remove(run: &Path) -> Result<()> {
    let folder = run.join(SHARDS);
    let removed = if_there(fs::remove_dir_all(&folder)).map(drop);
    removed.map_err(|error| Error::io("remove", &folder, &error))
}
