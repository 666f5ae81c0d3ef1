//! Storage of forks: `forks/<id>/fork.json` and, while a fork is running, `steps.jsonl`.
//!
//! A fork takes an attempt up to one step, changes one thing there, and lets a model continue. Only
//! this module reads and writes these files.
//!
//! The files of a fork differ from a run's in name and form, and are outside the logs folder. So
//! code that lists, scores, imports, combines or submits runs never finds one by chance. A user who
//! names a fork where a run is expected gets an error that explains it ([`refuse`]).

use crate::atomic;
use crate::error::{Error, Result};
use crate::folder;
use koab_core::fork::{FORK_FORMAT, FORK_KIND, ForkFile};
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, JournalLine, LinePlace, RunManifest};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{RunLog, StoreError, SyncWork};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// File that makes a folder a fork.
pub const FORK: &str = "fork.json";
/// Journal of a running fork. Its lines are appended one at a time, so that a crash does not lose
/// answers that were paid for.
const STEPS: &str = "steps.jsonl";
/// Prefix of a fork's id in places where a run's id is also accepted. No model's folder has a colon
/// in its name.
pub const PREFIX: &str = "fork:";

/// Forks of a workspace.
#[derive(Clone, Debug)]
pub struct Forks {
    folder: PathBuf,
}

impl Forks {
    /// Uses the forks in `folder`.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Creates the folder of a fork and writes `fork.json`. The fork's id is `wanted`, or `wanted`
    /// with a number after it if the id is taken.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn create(&self, wanted: &str, mut file: ForkFile) -> Result<ForkLog> {
        fs::create_dir_all(&self.folder).map_err(|error| Error::io("create", &self.folder, &error))?;
        for n in 1.. {
            file.id = if n == 1 { wanted.to_owned() } else { format!("{wanted}_{n}") };
            let folder = self.folder.join(&file.id);
            match fs::create_dir(&folder) {
                Ok(()) => {
                    let log = ForkLog::new(folder, file);
                    log.write()?;
                    return Ok(log);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::io("create", &folder, &error)),
            }
        }
        Err(Error::Disk(say!("{} is full", self.folder.display())))
    }

    /// Reads all forks, the newest first. The errors are those of forks that cannot be read.
    ///
    /// # Errors
    /// When the folder exists and cannot be read.
    pub fn list(&self) -> Result<(Vec<ForkFile>, Vec<Error>)> {
        let (mut forks, mut errors) = (Vec::new(), Vec::new());
        for entry in folder::entries(&self.folder)? {
            // Other names are not those of forks.
            let Ok(id) = entry.file_name().into_string() else { continue };
            match self.read(&id) {
                Ok(fork) => forks.push(fork),
                // A folder without the file, as during the creation of a fork.
                Err(Error::NotFound(_)) => {}
                Err(error) => errors.push(error),
            }
        }
        forks.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        Ok((forks, errors))
    }

    /// Reads one fork by its id, with or without `fork:`.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::BadFile`] when its file is not a fork or a newer version wrote
    /// it.
    pub fn read(&self, id: &str) -> Result<ForkFile> {
        let id = plain(id)?;
        let path = self.folder.join(id).join(FORK);
        if !path.is_file() {
            return Err(Error::NotFound(say!("there is no fork `{id}`; `koab runs forks` lists the forks")));
        }
        let document: Value = crate::json_file::read_json(&path)?;
        let bad = |why: Sentence| Error::BadFile(say!("{} is not a fork: {why}", path.display()));
        if document["format"].as_u64().is_some_and(|format| format > u64::from(FORK_FORMAT)) {
            return Err(bad(say!("a newer version of this program wrote it; update this program")));
        }
        let file: ForkFile =
            serde_json::from_value(document).map_err(|error| bad(error.to_string().into()))?;
        if file.kind != FORK_KIND {
            return Err(bad(say!("its kind is `{}`", file.kind)));
        }
        Ok(file)
    }

    /// Renames a fork.
    ///
    /// # Errors
    /// See [`Forks::read`], and when the disk refuses.
    pub fn rename(&self, id: &str, name: &str) -> Result<ForkFile> {
        let mut file = self.read(id)?;
        name.trim().clone_into(&mut file.name);
        ForkLog::new(self.folder.join(&file.id), file.clone()).write()?;
        Ok(file)
    }
}

/// Refuses a fork where a run is expected: the folder of a fork, or its id.
///
/// # Errors
/// [`Error::BadFile`] with an explanation and the remedy.
pub fn refuse(what: &Path) -> Result<()> {
    let text = what.to_string_lossy();
    if text.starts_with(PREFIX) || what.join(FORK).is_file() || what.ends_with(FORK) {
        return Err(Error::BadFile(say!(
            "{named} is a fork: it explains a run and never enters a report; name the run itself, or look at the fork with `koab runs fork-show`",
            named = text
        )));
    }
    Ok(())
}

/// Id of a fork without `fork:`.
///
/// # Errors
/// [`Error::NotFound`] when it cannot be the id of a fork.
pub fn plain(id: &str) -> Result<&str> {
    let id = id.strip_prefix(PREFIX).unwrap_or(id);
    if id.is_empty() || id.starts_with('.') || id.contains(['/', '\\', ':']) {
        return Err(Error::NotFound(say!("`{id}` is not a fork's id; `koab runs forks` lists the forks")));
    }
    Ok(id)
}

/// Folder of a fork, open for writing. The engine writes into it as into a run's folder, but the
/// result is a fork.
#[derive(Debug)]
pub struct ForkLog {
    folder: PathBuf,
    file: ForkFile,
    steps: Option<File>,
}

impl ForkLog {
    fn new(folder: PathBuf, file: ForkFile) -> Self {
        Self { folder, file, steps: None }
    }

    /// Current content of `fork.json`.
    pub fn file(&self) -> &ForkFile {
        &self.file
    }

    /// Folder of the fork.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn write(&self) -> Result<()> {
        let path = self.folder.join(FORK);
        let text = serde_json::to_vec_pretty(&self.file)
            .map_err(|error| Error::Disk(say!("cannot write {}: {error}", path.display())))?;
        atomic::write(&path, &text)
    }

    fn note(&mut self, line: &JournalLine) -> Result<()> {
        let path = self.folder.join(STEPS);
        let refuse = |error: io::Error| Error::io("write", &path, &error);
        if self.steps.is_none() {
            let file = File::options().append(true).create(true).open(&path);
            self.steps = Some(file.map_err(refuse)?);
        }
        if let Some(file) = &mut self.steps {
            let text = line.text().map_err(|error| refuse(error.into()))?;
            file.write_all(text.as_bytes()).map_err(refuse)?;
        }
        Ok(())
    }
}

impl RunLog for ForkLog {
    fn append(&mut self, line: &JournalLine) -> std::result::Result<LinePlace, StoreError> {
        if let JournalLine::Attempt { record } = line {
            self.file.record = Some(record.clone());
            self.write()?;
        }
        self.note(line)?;
        Ok(LinePlace::default())
    }

    fn attempt(&mut self, _: LinePlace) -> std::result::Result<AttemptRecord, StoreError> {
        let record = self.file.record.clone();
        record.ok_or_else(|| StoreError(say!("the fork has not ended")))
    }

    /// A fork has no level logs; only runs have them.
    fn wants_levels(&self) -> bool {
        false
    }

    fn write_level(&mut self, _: &Level, _: &Value) -> std::result::Result<(), StoreError> {
        Ok(())
    }

    fn write_manifest(&mut self, manifest: &RunManifest) -> std::result::Result<(), StoreError> {
        // The user may have renamed the fork meanwhile.
        if let Ok(document) = crate::json_file::read_json::<Value>(&self.folder.join(FORK))
            && let Some(name) = document["name"].as_str()
        {
            name.clone_into(&mut self.file.name);
        }
        self.file.run = Some(manifest.clone());
        Ok(self.write()?)
    }

    fn sync(&mut self) -> std::result::Result<Option<SyncWork>, StoreError> {
        let path = self.folder.join(STEPS);
        let Some(steps) = &self.steps else { return Ok(None) };
        let failed = move |error: io::Error| StoreError::from(Error::io("write", &path, &error));
        let steps = steps.try_clone().map_err(&failed)?;
        Ok(Some(Box::new(move || steps.sync_data().map_err(failed))))
    }
}
