//! Reads a run back: its description, its level logs, its journal.
//!
//! Folders that were not written here are runs too: the published ones have level logs and nothing else.

use crate::error::{Error, Result};
use crate::import::inside::open_regular;
use crate::run_log::{JOURNAL, MANIFEST};
use koab_core::level::Level;
use koab_core::task::Problem;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A run on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// Its folder; of the old flat layout the folder that all runs share.
    pub folder: PathBuf,
    /// The log of each level it has.
    pub levels: BTreeMap<Level, PathBuf>,
}

/// A run's journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// Its lines in order.
    pub entries: Vec<Value>,
    /// Whether the last line was cut off by a crash; it is not among the entries.
    pub cut_off: bool,
    /// Lines that are no JSON, each with its number.
    pub problems: Vec<Problem>,
}

impl RunFolder {
    /// Opens a folder that holds a run: a level log, a journal or a `run.json`.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it holds none of them, [`Error::BadFile`] when it holds a fork.
    pub fn open(folder: &Path) -> Result<Self> {
        crate::forks::refuse(folder)?;
        let levels: BTreeMap<Level, PathBuf> = Level::ALL
            .into_iter()
            .map(|level| (level, folder.join(format!("{level}.json"))))
            .filter(|(_, path)| path.is_file())
            .collect();
        // A process that was killed before its run began leaves an empty journal, which is no run.
        let begun =
            fs::metadata(folder.join(JOURNAL)).is_ok_and(|journal| journal.is_file() && journal.len() > 0);
        if levels.is_empty() && !begun && !folder.join(MANIFEST).is_file() {
            let folder = folder.display();
            return Err(Error::NotFound(format!(
                "{folder} holds no run; it must have L1.json … L7.json or run.json"
            )));
        }
        Ok(Self {
            folder: folder.to_owned(),
            levels,
        })
    }

    /// `run.json`, which only runs of this product have.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn manifest(&self) -> Result<Option<Value>> {
        let path = self.folder.join(MANIFEST);
        if path.is_file() {
            read_json(&path).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The log of a level in the published form.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the run has none, [`Error::BadFile`] when it is no JSON.
    pub fn level(&self, level: Level) -> Result<Value> {
        let missing = || Error::NotFound(format!("{} has no log of {level}", self.folder.display()));
        read_json(self.levels.get(&level).ok_or_else(missing)?)
    }

    /// The journal; an empty one when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn journal(&self) -> Result<Journal> {
        let path = self.folder.join(JOURNAL);
        match read_regular(&path) {
            Ok(content) => Ok(read_journal(&content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Journal::default()),
            Err(error) => Err(Error::io("read", &path, &error)),
        }
    }

    /// The model's id as it was given: from `run.json`, else from the smallest level log, which is the quickest.
    ///
    /// # Errors
    /// When the file that says so cannot be read.
    pub fn model(&self) -> Result<Option<String>> {
        if let Some(manifest) = self.manifest()?
            && let Some(model) = manifest.get("model").and_then(Value::as_str)
        {
            return Ok(Some(model.to_owned()));
        }
        let size = |path: &&PathBuf| fs::metadata(path).map_or(u64::MAX, |meta| meta.len());
        let Some(path) = self.levels.values().min_by_key(size) else {
            return Ok(None);
        };
        let log: LogHead = serde_json::from_slice(&read(path)?).map_err(|error| no_json(path, &error))?;
        Ok(log.metadata.model)
    }

    /// How many tasks a level's log says it has; null when it does not say it where published logs do, at their start.
    /// Cheap: the tasks themselves are not read.
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
    /// Any value: a log whose count is no number still opens.
    total_tasks: Value,
}

/// Bytes at the start of a log in which its `metadata` must end to be found. Published ones take less than 1 KiB.
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
    // Leaving the log in its middle is an error to the reader, and so is its end; what was found before counts.
    let _ = serde_json::Deserializer::from_reader(head).deserialize_map(Start(&mut metadata));
    metadata
}

fn read_journal(content: &[u8]) -> Journal {
    let mut journal = Journal::default();
    let ends_whole = content.last().is_none_or(|byte| *byte == b'\n');
    let lines: Vec<&[u8]> = content.split(|byte| *byte == b'\n').collect();
    for (i, line) in lines.iter().enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(entry) => journal.entries.push(entry),
            Err(_) if i + 1 == lines.len() && !ends_whole => journal.cut_off = true,
            Err(error) => {
                let why = format!("is no JSON: {error}");
                let problem = Problem::rejected(why)
                    .in_file(JOURNAL)
                    .at(format!("line {}", i + 1));
                journal.problems.push(problem);
            }
        }
    }
    journal
}

fn read(path: &Path) -> Result<Vec<u8>> {
    read_regular(path).map_err(|error| Error::io("read", path, &error))
}

/// A run may be somebody else's, and a pipe or a device in it has no end.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    io::Read::read_to_end(&mut open_regular(path)?, &mut content)?;
    Ok(content)
}

pub(crate) fn read_json(path: &Path) -> Result<Value> {
    serde_json::from_slice(&read(path)?).map_err(|error| no_json(path, &error))
}

fn no_json(path: &Path, error: &serde_json::Error) -> Error {
    Error::BadFile(format!(
        "{} is no JSON ({error}); it may have been cut off",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_journal_opens_with_what_is_sound_in_it() {
        for (content, entries, cut_off, problems) in [
            (&b""[..], json!([]), false, ""),
            (
                b"{\"a\":1}\n\n{\"a\":2}\n",
                json!([{"a": 1}, {"a": 2}]),
                false,
                "",
            ),
            (b"{\"a\":1}\n{\"a\":", json!([{"a": 1}]), true, ""),
            (b"{\"a\":1}\n{\"a\":2}", json!([{"a": 1}, {"a": 2}]), false, ""),
            (b"{\"a\":1}\n{\"a\": \xea\xb0", json!([{"a": 1}]), true, ""),
            (
                b"{\"a\":1}\nrubbish\n{\"a\":2}\n",
                json!([{"a": 1}, {"a": 2}]),
                false,
                "journal.jsonl: line 2: is no JSON: expected value at line 1 column 1 (left out)",
            ),
            (
                b"\0\0\0\n",
                json!([]),
                false,
                "journal.jsonl: line 1: is no JSON: expected value at line 1 column 1 (left out)",
            ),
        ] {
            let journal = read_journal(content);
            let said: Vec<String> = journal.problems.iter().map(ToString::to_string).collect();
            assert_eq!(
                (json!(journal.entries), journal.cut_off, said.join("\n").as_str()),
                (entries, cut_off, problems)
            );
        }
    }

    #[test]
    fn a_published_folder_is_a_run_and_an_empty_one_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = RunFolder::open(folder.path())
            .expect_err("nothing there")
            .to_string();
        assert!(
            error.ends_with("holds no run; it must have L1.json … L7.json or run.json"),
            "{error}"
        );
        let log = json!({"metadata": {"model": "azure/gpt:1"}, "results": [{}]});
        fs::write(folder.path().join("L3.json"), log.to_string()).expect("written");
        fs::write(folder.path().join("L8.json"), "{}").expect("written");
        let run = RunFolder::open(folder.path()).expect("a run");
        assert_eq!(run.levels.keys().copied().collect::<Vec<_>>(), [Level::L3]);
        assert_eq!(run.model().expect("read").as_deref(), Some("azure/gpt:1"));
        assert_eq!(
            (run.manifest().expect("none"), run.journal().expect("none")),
            (None, Journal::default())
        );
        assert_eq!(run.level(Level::L3).expect("read"), log);
        assert!(
            run.level(Level::L1)
                .expect_err("none")
                .to_string()
                .ends_with("has no log of L1")
        );
        fs::write(folder.path().join("run.json"), "{\"model\": \"given/id\"}").expect("written");
        assert_eq!(
            run.model().expect("read").as_deref(),
            Some("given/id"),
            "the run's own word comes first"
        );
    }
}
