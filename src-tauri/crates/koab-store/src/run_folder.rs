//! Reads a run back: its description, its level logs, its journal.
//!
//! Folders that were not written here are runs too: the published ones have level logs and nothing
//! else.

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

/// A run on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Its folder; of the old flat layout the folder that all runs share.
    pub folder: PathBuf,
    /// The log of each level it has.
    pub levels: BTreeMap<Level, PathBuf>,
}

impl RunFolder {
    /// Opens a folder that holds a run: a level log, a journal or a `run.json`.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it holds none of them, [`Error::BadFile`] when it holds a fork.
    pub fn open(folder: &Path) -> Result<Self> {
        crate::forks::refuse(folder)?;
        let seven = Level::ALL.into_iter().map(|level| (level, log_path(folder, level)));
        let levels: BTreeMap<Level, PathBuf> =
            seven.chain(groups(folder)).filter(|(_, path)| path.is_file()).collect();
        // A process that was killed before its run began leaves an empty journal, which is not a
        // run.
        let begun =
            fs::metadata(folder.join(JOURNAL)).is_ok_and(|journal| journal.is_file() && journal.len() > 0);
        if levels.is_empty() && !begun && !folder.join(MANIFEST).is_file() {
            let folder = folder.display();
            return Err(Error::NotFound(say!(
                "{folder} holds no run; it must have L1.json … L7.json or run.json"
            )));
        }
        Ok(Self { folder: folder.to_owned(), levels })
    }

    /// `run.json`, which only runs of this product have.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn manifest(&self) -> Result<Option<RunManifest>> {
        let path = self.folder.join(MANIFEST);
        if path.is_file() { read_json(&path).map(Some) } else { Ok(None) }
    }

    /// The log of a level in the published form.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the run has none, [`Error::BadFile`] when it is not JSON.
    pub fn level(&self, level: Level) -> Result<Value> {
        let missing = || Error::NotFound(say!("{} has no log of {level}", self.folder.display()));
        read_json(self.levels.get(&level).ok_or_else(missing)?)
    }

    /// Whether there is a journal, which only runs of this product have.
    pub fn has_journal(&self) -> bool {
        self.folder.join(JOURNAL).is_file()
    }

    /// The journal, with as much of each attempt as its reader keeps; an empty one when there is
    /// none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
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

    /// The model's id as it was given: from `run.json` as far as it can be read, else from the
    /// smallest level log, which is the quickest.
    ///
    /// # Errors
    /// When the file that says so cannot be read.
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

    /// The pack that the logs of another benchmark's groups name, where there is no `run.json`, as
    /// of replies that were made elsewhere.
    pub fn pack_of_logs(&self) -> Option<String> {
        let groups = self.levels.iter().filter(|(level, _)| level.place().is_none());
        let mut named = groups.filter_map(|(_, path)| metadata_at_start(path)?.pack);
        named.next()?.as_str().map(str::to_owned)
    }

    /// How many tasks a level's log says it has; null when it does not say it where published logs
    /// do, at their start. Cheap: the tasks themselves are not read.
    pub fn tasks_told(&self, level: Level) -> Option<u32> {
        let metadata = metadata_at_start(self.levels.get(&level)?)?;
        u32::try_from(metadata.total_tasks.as_u64()?).ok()
    }
}

/// The part of a level log that says whose it is; the rest is skipped without being built.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LogHead {
    metadata: LogMetadata,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LogMetadata {
    model: Option<String>,
    /// Any value: a log whose count is not a number still opens.
    total_tasks: Value,
    /// Likewise.
    pack: Option<Value>,
}

/// Bytes at the start of a log in which its `metadata` must end to be found. Published ones take
/// less than 1 KiB.
const HEAD_BYTES: u64 = 64 * 1024;

/// The `metadata` at the start of a log. Nothing after it is read.
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
    // Leaving the log in its middle is an error to the reader, and so is its end; what was found
    // before counts.
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
        assert_eq!(run.levels.keys().copied().collect::<Vec<_>>(), [Level::L3]);
        assert_eq!(run.model().expect("read").as_deref(), Some("azure/gpt:1"));
        assert_eq!(run.manifest().expect("none"), None);
        assert!(run.journal::<AttemptSummary>().expect("none").starts.is_empty());
        assert_eq!(run.level(Level::L3).expect("read"), log);
        assert!(run.level(Level::L1).expect_err("none").to_string().ends_with("has no log of L1"));
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
