//! Writes a run's folder while the run proceeds: the journal line by line, level logs and
//! `run.json` as whole files.
//!
//! The journal must survive a crash, so it is only appended to. The level logs have the published
//! form (`docs/spec/metrics.md` §1.2) and are replaced atomically.

use crate::atomic;
use crate::error::{Error, Result};
use crate::group_logs::log_path;
use crate::import::roots::open_regular;
use crate::journal_file::JournalFile;
use crate::run_lock::RunLock;
use koab_core::level::Level;
use koab_core::python::{Dumps, dumps};
use koab_core::run_record::{AttemptRecord, JournalLine, LinePlace, LineReader, RunManifest};
use koab_core::say;
use koab_engine::files::if_there;
use koab_engine::ports::{RunLog, StoreError, SyncWork};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Name of the journal in a run's folder.
pub const JOURNAL: &str = "journal.jsonl";
/// Name of the manifest in a run's folder.
pub const MANIFEST: &str = "run.json";

/// Published JSON style: Python's `json.dump(…, indent=2, ensure_ascii=False)`, without a final
/// line break.
pub(crate) const PUBLISHED: Dumps = Dumps { ascii: false, sorted: false, indent: Some(2) };

/// Folder of a run, open for writing.
#[derive(Debug)]
pub struct FolderLog {
    folder: PathBuf,
    journal: JournalFile,
    /// Keeps other processes from writing to the folder.
    _lock: RunLock,
}

impl FolderLog {
    /// Creates the folder of a new run.
    ///
    /// # Errors
    /// When a journal exists already, or the disk refuses.
    pub fn start(folder: &Path) -> Result<Self> {
        let path = folder.join(JOURNAL);
        if path.exists() {
            let folder = folder.display();
            return Err(Error::BadFile(say!(
                "there is a run in {folder} already; continue it with --resume"
            )));
        }
        Self::resume(folder)
    }

    /// Opens the folder of a run to resume it, and creates missing files. Removes a last line that
    /// a crash has cut off, so that the next line does not continue it.
    ///
    /// # Errors
    /// [`Error::Busy`] when another process holds the run, or when the disk refuses.
    pub fn resume(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
        // Lock before the repair: a line that looks cut off may be one that another process is
        // writing.
        let lock = RunLock::take(folder)?;
        let path = folder.join(JOURNAL);
        let refuse = |error: io::Error| Error::io("write", &path, &error);
        let options = File::options().read(true).append(true).create(true).clone();
        let mut journal = options.open(&path).map_err(refuse)?;
        mend_end(&mut journal).map_err(refuse)?;
        Ok(Self { folder: folder.to_owned(), journal: JournalFile::at_end_of(path, journal)?, _lock: lock })
    }

    /// Writes the first line of the journal if the journal is still empty. It is empty if the run's
    /// first start was killed before the line was written.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn begin(&mut self, manifest: &RunManifest) -> Result<()> {
        if self.journal.is_empty() {
            self.journal.line(&JournalLine::Run {
                format: manifest.format,
                at_ms: manifest.started_ms,
                spec: Box::new(manifest.spec.clone()),
            })?;
        }
        Ok(())
    }

    /// Folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Journal of the run.
    pub(crate) fn journal(&mut self) -> &mut JournalFile {
        &mut self.journal
    }
}

impl RunLog for FolderLog {
    fn append(&mut self, line: &JournalLine) -> std::result::Result<LinePlace, StoreError> {
        self.journal.line(line).map_err(Error::of_run)
    }

    fn attempt(&mut self, place: LinePlace) -> std::result::Result<AttemptRecord, StoreError> {
        attempt_at(&self.folder, place).map_err(Error::of_run)
    }

    fn write_level(&mut self, level: &Level, log: &Value) -> std::result::Result<(), StoreError> {
        let path = log_path(&self.folder, level);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| Error::of_run(Error::io("create", parent, &error)))?;
        }
        write_json(&path, log).map_err(Error::of_run)
    }

    fn remove_level(&mut self, level: &Level) -> std::result::Result<(), StoreError> {
        let path = log_path(&self.folder, level);
        let removed = if_there(fs::remove_file(&path)).map(drop);
        removed.map_err(|error| Error::of_run(Error::io("remove", &path, &error)))
    }

    fn write_manifest(&mut self, manifest: &RunManifest) -> std::result::Result<(), StoreError> {
        let path = self.folder.join(MANIFEST);
        let content =
            serde_json::to_value(manifest).map_err(|error| Error::io("write", &path, &error.into()));
        content.and_then(|content| write_json(&path, &content)).map_err(Error::of_run)
    }

    fn sync(&mut self) -> std::result::Result<Option<SyncWork>, StoreError> {
        self.journal.sync()
    }
}

/// Reads the attempt at this position in the journal of a run's folder.
///
/// # Errors
/// When the journal cannot be read, or the line at the position is another one.
pub fn attempt_at(folder: &Path, place: LinePlace) -> Result<AttemptRecord> {
    let path = folder.join(JOURNAL);
    let failed = |error: io::Error| Error::io("read", &path, &error);
    let mut file = open_regular(&path).map_err(failed)?;
    file.seek(SeekFrom::Start(place.offset)).map_err(failed)?;
    let mut line = vec![0; place.length as usize];
    file.read_exact(&mut line).map_err(failed)?;
    let why = match LineReader::default().line(&line) {
        Some(Ok(JournalLine::Attempt { record })) => return Ok(record),
        Some(Err(damaged)) => damaged.why,
        _ => say!("it is not the line of an attempt"),
    };
    let path = path.display();
    Err(Error::BadFile(say!("{path} has no attempt at byte {}: {why}", place.offset)))
}

/// Writes JSON in the published style, atomically.
pub(crate) fn write_json(path: &Path, content: &Value) -> Result<()> {
    atomic::write(path, dumps(content, PUBLISHED).as_bytes())
}

/// Makes the journal end with a line break: a complete last line gets one, a broken one is removed.
fn mend_end(journal: &mut File) -> io::Result<()> {
    let length = journal.seek(SeekFrom::End(0))?;
    let (mut start, mut tail) = (length, Vec::new());
    // Reads backwards until the whole last line is in memory. Lines with large tool answers are
    // long.
    while start > 0 && !tail[..].contains(&b'\n') {
        let step = start.min(1 << 16);
        start -= step;
        journal.seek(SeekFrom::Start(start))?;
        let mut block = vec![0; step as usize];
        journal.read_exact(&mut block)?;
        block.extend_from_slice(&tail);
        tail = block;
    }
    let line = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let last = &tail[line..];
    if last.is_empty() {
        return Ok(());
    }
    // Any complete JSON value stays. The reader reports what is wrong with it.
    if serde_json::from_slice::<IgnoredAny>(last).is_ok() {
        return journal.write_all(b"\n");
    }
    journal.set_len(start + line as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::RunFolder;
    use koab_core::run_record::{Journal, RunSpec, Start};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_run_is_written_in_the_published_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("by_model/m/20261120_101500");
        let mut log = FolderLog::start(&run).expect("started");
        let wait = JournalLine::Wait {
            task: "L1-001".to_owned(),
            repetition: 1,
            reason: say!("가\n"),
            until_ms: None,
            fault: None,
        };
        log.append(&wait).expect("appended");
        log.write_level(&Level::L1, &json!({"b": ["한글", 1.0], "a": {}})).expect("written");
        let read = |name: &str| fs::read_to_string(run.join(name)).expect("read");
        assert_eq!(
            read("journal.jsonl"),
            "{\"type\":\"wait\",\"task\":\"L1-001\",\"repetition\":1,\"reason\":\"가\\n\",\"until_ms\":null,\"sum\":\"67e27d67\"}\n"
        );
        assert_eq!(read("L1.json"), "{\n  \"b\": [\n    \"한글\",\n    1.0\n  ],\n  \"a\": {}\n}");
        drop(log);
        let error = FolderLog::start(&run).expect_err("it is there already").to_string();
        assert!(error.ends_with("already; continue it with --resume"), "{error}");
    }

    #[test]
    fn a_journal_that_a_killed_start_left_empty_begins_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = RunSpec::published("r", "pack@1", "a/b");
        let manifest = RunManifest::begun(spec.clone(), 7, Vec::new());
        let mut log = FolderLog::start(folder.path()).expect("started");
        log.begin(&manifest).expect("begun");
        log.begin(&manifest).expect("it has begun");
        log.append(&attempt(1, "")).expect("appended");
        let run = RunFolder::open(folder.path()).expect("a run");
        let journal: Journal = run.journal().expect("read");
        assert_eq!(journal.starts, [Start { at_ms: 7, spec }]);
    }

    #[test]
    fn a_level_s_log_is_removed_where_there_is_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut log = FolderLog::start(folder.path()).expect("started");
        log.remove_level(&Level::L1).expect("there is none");
        log.write_level(&Level::L1, &json!({})).expect("written");
        log.remove_level(&Level::L1).expect("removed");
        assert!(!folder.path().join("L1.json").exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_said_with_path_and_remedy() {
        // The system's device that is always full.
        let journal = File::options().append(true).open("/dev/full").expect("opened");
        let folder = tempfile::tempdir().expect("a folder");
        let path = PathBuf::from("runs/m/1/journal.jsonl");
        let mut log = FolderLog {
            folder: PathBuf::from("runs/m/1"),
            journal: JournalFile::at_end_of(path, journal).expect("a file"),
            _lock: RunLock::take(folder.path()).expect("locked"),
        };
        let error = log.append(&attempt(1, "")).expect_err("full").to_string();
        insta::assert_snapshot!(error, @"cannot write runs/m/1/journal.jsonl, the disk is full; free some space and try again; what was done so far is kept, continue with `koab run --resume`");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), "").expect("written");
        let error =
            FolderLog::start(&folder.path().join("file/run")).expect_err("a file is in the way").to_string();
        assert!(error.starts_with("cannot create ") && error.contains("file/run"), "{error}");
    }

    /// Attempts, each at a task of its own.
    fn lines(first: u32) -> impl Strategy<Value = Vec<JournalLine>> {
        let texts = proptest::collection::vec("[\\PC\n\r\t\"\\\\]{0,12}", 0..6);
        texts.prop_map(move |texts| {
            (first..).zip(texts).map(|(number, text)| attempt(number, &text)).collect()
        })
    }

    fn attempt(repetition: u32, text: &str) -> JournalLine {
        let record = json!({
            "task": "L1-001", "level": "L1", "repetition": repetition, "success": true, "stop": "answered", "error": null,
            "took_s": 1.5, "steps": [], "calls": [], "final_response": text,
            "messages": [{"role": "user", "content": {"가": [text, 1.5, null]}}],
        });
        JournalLine::Attempt { record: serde_json::from_value(record).expect("an attempt") }
    }

    fn read(folder: &Path) -> (Vec<JournalLine>, bool) {
        let journal = RunFolder::open(folder).expect("a run").journal().expect("read");
        assert_eq!(journal.damaged, [], "a cut-off line is not damaged");
        let attempts = journal.attempts.into_iter();
        (attempts.map(|record| JournalLine::Attempt { record }).collect(), journal.cut_off)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// What is appended is read back, whatever it is and however often the run was taken up
        /// again.
        #[test]
        fn a_journal_is_read_as_it_was_written(first in lines(1), second in lines(100)) {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join("L1.json"), "{}").expect("a run has a log or a journal");
            for part in [&first, &second] {
                let mut log = FolderLog::resume(folder.path()).expect("opened");
                part.iter().for_each(|line| {
                    log.append(line).expect("appended");
                });
            }
            prop_assert_eq!(read(folder.path()), ([first, second].concat(), false));
        }

        /// Wherever a crash cuts the journal, every whole line before the cut is kept and the run
        /// can go on.
        #[test]
        fn a_crash_costs_one_line_at_most(written in lines(1), cut in any::<proptest::sample::Index>()) {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join("L1.json"), "{}").expect("a run has a log or a journal");
            let mut log = FolderLog::start(folder.path()).expect("started");
            written.iter().for_each(|line| {
                    log.append(line).expect("appended");
                });
            drop(log);
            let path = folder.path().join(JOURNAL);
            let content = fs::read(&path).expect("read");
            let kept = cut.index(content.len() + 1);
            fs::write(&path, &content[..kept]).expect("cut");
            let whole = content[..kept].iter().filter(|byte| **byte == b'\n').count();
            // The cut may fall exactly before a line end; that line is whole as well.
            let whole = whole + usize::from(kept < content.len() && content[kept] == b'\n' && kept > 0 && content[kept - 1] != b'\n');
            prop_assert_eq!(read(folder.path()).0, &written[..whole]);
            let mut log = FolderLog::resume(folder.path()).expect("opened");
            let next = attempt(100, "next");
            log.append(&next).expect("appended");
            prop_assert_eq!(read(folder.path()), ([&written[..whole], &[next]].concat(), false));
        }
    }
}
