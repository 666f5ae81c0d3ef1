//! Reads the files of a run: its manifest, level logs and journal.
//!
//! Folders that other programs wrote are runs too: published runs have only level logs.

use crate::error::{Error, Result};
use crate::group_logs::{groups, log_path};
use crate::import::roots::open_regular;
use crate::json_file::read_json;
use crate::run_log::{JOURNAL, MANIFEST};
use koab_core::level::Level;
use koab_core::run_record::{AttemptEnd, Journal, RunManifest};
use koab_core::say;
use koab_engine::files::if_there;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};

/// A run on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Folder of the run. In the old flat layout, the folder that all runs share.
    pub folder: PathBuf,
    /// Path of each level's log.
    pub levels: BTreeMap<Level, PathBuf>,
}

impl RunFolder {
    /// Opens the folder of a run: it contains a level log, a journal or a `run.json`.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it contains none of them, [`Error::BadFile`] when it is a fork.
    pub fn open(folder: &Path) -> Result<Self> {
        crate::forks::refuse(folder)?;
        let seven = Level::ALL.into_iter().map(|level| {
            let path = log_path(folder, &level);
            (level, path)
        });
        let levels: BTreeMap<Level, PathBuf> =
            seven.chain(groups(folder)).filter(|(_, path)| path.is_file()).collect();
        // A process that was killed before its run began leaves an empty journal, which is not a
        // run.
        let has_journal =
            fs::metadata(folder.join(JOURNAL)).is_ok_and(|journal| journal.is_file() && journal.len() > 0);
        if levels.is_empty() && !has_journal && !folder.join(MANIFEST).is_file() {
            let folder = folder.display();
            return Err(Error::NotFound(say!(
                "{folder} holds no run; it must have L1.json … L7.json or run.json"
            )));
        }
        Ok(Self { folder: folder.to_owned(), levels })
    }

    /// Reads `run.json`. Only runs of this product have it.
    ///
    /// # Errors
    /// When the file exists and cannot be read.
    pub fn manifest(&self) -> Result<Option<RunManifest>> {
        let path = self.folder.join(MANIFEST);
        if path.is_file() { read_json(&path).map(Some) } else { Ok(None) }
    }

    /// Reads a level's log in the published form.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the run has no such log, [`Error::BadFile`] when it is not JSON.
    pub fn level(&self, level: &Level) -> Result<Value> {
        let missing = || Error::NotFound(say!("{} has no log of {level}", self.folder.display()));
        read_json(self.levels.get(level).ok_or_else(missing)?)
    }

    /// Whether the run has a journal. Only runs of this product have one.
    pub fn has_journal(&self) -> bool {
        self.folder.join(JOURNAL).is_file()
    }

    /// Reads the journal. The type `A` determines how much of each attempt is kept. Empty when the
    /// run has no journal.
    ///
    /// # Errors
    /// When the journal exists and cannot be read.
    pub fn journal<A: AttemptEnd>(&self) -> Result<Journal<A>> {
        let path = self.folder.join(JOURNAL);
        let read = || -> io::Result<Journal<A>> {
            let (mut journal, mut line) = (Journal::default(), Vec::new());
            let mut file = io::BufReader::new(open_regular(&path)?);
            while file.read_until(b'\n', &mut line)? > 0 {
                journal.line(&line);
                line.clear();
            }
            Ok(journal)
        };
        let read = if_there(read()).map_err(|error| Error::io("read", &path, &error))?;
        Ok(read.unwrap_or_default())
    }

    /// Id of the model as the user gave it. It is read from `run.json`, or else from the smallest
    /// level log, which is the fastest.
    ///
    /// # Errors
    /// When the file with the id cannot be read.
    pub fn model(&self) -> Result<Option<String>> {
        let manifest = self.manifest();
        if let Ok(Some(manifest)) = manifest {
            return Ok(Some(manifest.model));
        }
        let size = |path: &&PathBuf| fs::metadata(path).map_or(u64::MAX, |meta| meta.len());
        let Some(path) = self.levels.values().min_by_key(size) else {
            return manifest.map(|_| None);
        };
        let log: LogHead = read_json(path)?;
        Ok(log.metadata.model)
    }

    /// Pack that is named in the logs of another benchmark's groups. Used for runs without
    /// `run.json`, such as replies that were made elsewhere.
    pub fn pack_of_logs(&self) -> Option<String> {
        let groups = self.levels.iter().filter(|(level, _)| level.place().is_none());
        let mut names = groups.filter_map(|(_, path)| metadata_at_start(path)?.pack);
        names.next()?.as_str().map(str::to_owned)
    }

    /// Number of tasks that a level's log states at its start, as published logs do. `None` if it
    /// states none.
    ///
    /// This is fast, because the tasks themselves are not read.
    pub fn tasks_told(&self, level: &Level) -> Option<u32> {
        let metadata = metadata_at_start(self.levels.get(level)?)?;
        u32::try_from(metadata.total_tasks.as_u64()?).ok()
    }
}

/// Part of a level log that names its model. The rest is skipped without being parsed into values.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LogHead {
    metadata: LogMetadata,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LogMetadata {
    model: Option<String>,
    /// Any value, so that a log whose count is not a number still opens.
    total_tasks: Value,
    /// Any value, so that a log whose pack is not text still opens.
    pack: Option<Value>,
}

/// Number of bytes at the start of a log within which its `metadata` must end. Published ones have
/// less than 1 KiB.
const HEAD_BYTES: u64 = 64 * 1024;

/// Reads the `metadata` at the start of a log, and nothing after it.
fn metadata_at_start(path: &Path) -> Option<LogMetadata> {
    struct Start<'a>(&'a mut Option<LogMetadata>);

    impl<'de> Visitor<'de> for Start<'_> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a run log")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut log: A) -> std::result::Result<(), A::Error> {
            while let Some(key) = log.next_key::<String>()? {
                if key == "metadata" {
                    *self.0 = Some(log.next_value()?);
                    break;
                }
                log.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }

    let file = open_regular(path).ok()?;
    let head = io::BufReader::new(io::Read::take(file, HEAD_BYTES));
    let mut metadata = None;
    // The deserializer reports an error when the visitor leaves early or the input ends. The
    // metadata read before counts.
    let _ = serde_json::Deserializer::from_reader(head).deserialize_map(Start(&mut metadata));
    metadata
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::run_record::AttemptSummary;
    use serde_json::json;

    #[test]
    fn a_published_folder_is_a_run_and_an_empty_one_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = RunFolder::open(folder.path()).expect_err("nothing there").to_string();
        assert!(error.ends_with("holds no run; it must have L1.json … L7.json or run.json"), "{error}");
        let log = json!({"metadata": {"model": "azure/gpt:1"}, "results": [{}]});
        fs::write(folder.path().join("L3.json"), log.to_string()).expect("written");
        fs::write(folder.path().join("L8.json"), "{}").expect("written");
        let run = RunFolder::open(folder.path()).expect("a run");
        assert_eq!(run.levels.keys().collect::<Vec<_>>(), [&Level::L3]);
        assert_eq!(run.model().expect("read").as_deref(), Some("azure/gpt:1"));
        assert_eq!(run.manifest().expect("none"), None);
        assert!(run.journal::<AttemptSummary>().expect("none").starts.is_empty());
        assert_eq!(run.level(&Level::L3).expect("read"), log);
        assert!(run.level(&Level::L1).expect_err("none").to_string().ends_with("has no log of L1"));
        let groups = folder.path().join("groups");
        fs::create_dir(&groups).expect("made");
        for name in ["live_simple.json", "a%3Ab.json", "L1.json", "x y.json", "notes.txt"] {
            fs::write(groups.join(name), "{}").expect("written");
        }
        let levels = RunFolder::open(folder.path()).expect("a run").levels;
        assert_eq!(
            levels.keys().map(|level| level.as_str()).collect::<Vec<_>>(),
            ["L3", "a:b", "live_simple"]
        );
        fs::write(folder.path().join("run.json"), "{\"model\": \"given/id\"}").expect("written");
        assert_eq!(run.model().expect("read").as_deref(), Some("azure/gpt:1"), "its logs have it");
        let error = run.manifest().expect_err("not a description").to_string();
        assert!(
            error.ends_with("run.json is not a file that this version can read: missing field `format` at line 1 column 21"),
            "{error}"
        );
    }
}
