//! Folders of trials: `results/<scenario>/<instance>/<repetition>/`, as in the original tool.
//!
//! The original tool treats every folder of a scenario as a task, and fails on a folder that
//! contains no numbered folder. So staging, trash and jobs are directly in the results folder,
//! under names that begin with a full stop. The folder of a task appears together with its first
//! trial.

use crate::error::{Error, Result};
use crate::natural_order::natural;
use crate::scenario_file::Instance;
use koab_core::say;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Prefix of the names of staging folders in the results folder.
const STAGING: &str = ".expanding-";
/// Name of the folder for trials that were set aside.
const TRASH: &str = ".trash";
/// Name of the folder for jobs that were submitted to clusters.
const JOBS: &str = ".cluster";
/// Name of the file that a process locks while it runs or moves trials.
const CLAIM: &str = ".running";
/// Age after which a staging folder counts as left behind by a killed process and is removed.
const STALE_AGE: Duration = Duration::from_hours(1);

/// A results folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    results: PathBuf,
}

/// Identity of a trial.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrialId {
    /// Name of the scenario file without its suffix.
    pub scenario: String,
    /// Id of the instance.
    pub instance: String,
    /// 0-based repetition.
    pub repetition: u32,
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.scenario, self.instance, self.repetition)
    }
}

/// Folder of an instance, with its trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFolder {
    /// Id of the instance.
    pub instance: String,
    /// Path of the folder.
    pub path: PathBuf,
    /// Trials in the order of repetitions, which may have gaps.
    pub trials: Vec<TrialFolder>,
}

/// Folder of a trial, with its repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialFolder {
    /// 0-based repetition.
    pub repetition: u32,
    /// Path of the folder.
    pub path: PathBuf,
}

/// Lock on a results folder.
#[derive(Debug)]
pub struct Claim(#[expect(dead_code, reason = "held for its lock")] fs::File);

impl Layout {
    /// Layout of the results folder `results`, which need not exist yet.
    pub fn new(results: impl Into<PathBuf>) -> Self {
        Self { results: results.into() }
    }

    /// Layout of the results folder in `folder`. Later versions of the original tool name it
    /// `Results`; that name is used only if `results` does not exist.
    pub fn in_folder(folder: &Path) -> Self {
        let (ours, theirs) = (folder.join("results"), folder.join("Results"));
        Self::new(if theirs.is_dir() && !ours.is_dir() { theirs } else { ours })
    }

    /// Path of the results folder.
    pub fn results(&self) -> &Path {
        &self.results
    }

    /// Folder with the jobs that were submitted to clusters, one subfolder for each.
    pub fn jobs(&self) -> PathBuf {
        self.results.join(JOBS)
    }

    /// Folder of one submitted job.
    pub fn job_folder(&self, name: &str) -> PathBuf {
        self.jobs().join(name)
    }

    /// Folder of a scenario. Tables are computed from such a folder.
    pub fn scenario(&self, name: &str) -> PathBuf {
        self.results.join(name)
    }

    /// Folder of a trial.
    pub fn trial(&self, trial: &TrialId) -> PathBuf {
        self.scenario(&trial.scenario).join(&trial.instance).join(trial.repetition.to_string())
    }

    /// Locks the results folder until the claim is dropped. Another process would treat a running
    /// trial as unfinished and set it aside.
    ///
    /// The operating system releases the lock when the process ends in any way.
    ///
    /// # Errors
    /// When another process has locked it, or the disk refuses.
    pub fn claim(&self) -> Result<Claim> {
        let (path, file) = self.claim_file()?;
        match file.try_lock() {
            Ok(()) => Ok(Claim(file)),
            Err(fs::TryLockError::WouldBlock) => Err(Error::Busy(self.results.clone())),
            Err(fs::TryLockError::Error(error)) => Err(Error::io(say!("lock"), &path)(error)),
        }
    }

    fn claim_file(&self) -> Result<(PathBuf, fs::File)> {
        fs::create_dir_all(&self.results).map_err(Error::io(say!("create"), &self.results))?;
        let path = self.results.join(CLAIM);
        let file = fs::File::create(&path).map_err(Error::io(say!("write"), &path))?;
        Ok((path, file))
    }

    /// Locks the results folder for a worker that runs a part. Other workers can do so too, but no
    /// process can lock the whole folder.
    ///
    /// On a disk that does not support locks, the function succeeds without a lock.
    ///
    /// # Errors
    /// When another process has locked the whole folder, or the disk refuses.
    pub fn claim_part(&self) -> Result<Claim> {
        let (_, file) = self.claim_file()?;
        match file.try_lock_shared() {
            Err(fs::TryLockError::WouldBlock) => Err(Error::Busy(self.results.clone())),
            Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Claim(file)),
        }
    }

    /// Copies a trial from another results folder, completely or not at all. Returns whether it was
    /// copied.
    ///
    /// An existing trial stays, unless `replaces` is true; then it is moved to the trash.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn bring(&self, from: &Self, trial: &TrialId, replaces: bool) -> Result<bool> {
        let target = self.trial(trial);
        if target.exists() {
            if !replaces {
                return Ok(false);
            }
            self.set_aside(trial)?;
        }
        let staging = self.staging()?;
        let copied = staging.path().join("trial");
        copy_tree(&from.trial(trial), &copied)?;
        match self.place(&copied, trial) {
            // Another process delivered it at this moment.
            Err(_) if target.exists() => Ok(false),
            placed => placed.map(|()| true),
        }
    }

    /// Moves a trial to the results folder's trash, and returns its new path. Only the user empties
    /// the trash.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn set_aside(&self, trial: &TrialId) -> Result<PathBuf> {
        let trash = self.results.join(TRASH).join(&trial.scenario).join(&trial.instance);
        fs::create_dir_all(&trash).map_err(Error::io(say!("create"), &trash))?;
        let mut target = trash.join(trial.repetition.to_string());
        let mut copy = 1;
        while target.exists() {
            copy += 1;
            target = trash.join(format!("{}-{copy}", trial.repetition));
        }
        let path = self.trial(trial);
        fs::rename(&path, &target).map_err(Error::io(say!("move"), &path))?;
        // The original's readers fail on a task's folder without a trial. Removal fails when other
        // trials are left.
        let _ = fs::remove_dir(self.scenario(&trial.scenario).join(&trial.instance));
        Ok(target)
    }

    /// Removes staging folders that killed processes left. Called at the start of a run.
    ///
    /// # Errors
    /// When the results folder cannot be read, or a staging folder cannot be removed.
    pub fn sweep(&self) -> Result<()> {
        if !self.results.is_dir() {
            return Ok(());
        }
        let entries = fs::read_dir(&self.results).map_err(Error::io(say!("read"), &self.results))?;
        for entry in entries {
            let entry = entry.map_err(Error::io(say!("read"), &self.results))?;
            let ours = entry.file_name().to_string_lossy().starts_with(STAGING);
            let modified = entry.metadata().and_then(|meta| meta.modified());
            let age = modified.ok().and_then(|at| SystemTime::now().duration_since(at).ok());
            if ours && age.is_some_and(|age| age > STALE_AGE) {
                let path = entry.path();
                fs::remove_dir_all(&path).map_err(Error::io(say!("remove"), &path))?;
            }
        }
        Ok(())
    }

    /// Creates a staging folder on the same disk as the trials. The folder is removed when the
    /// value is dropped.
    pub(crate) fn staging(&self) -> Result<TempDir> {
        fs::create_dir_all(&self.results).map_err(Error::io(say!("create"), &self.results))?;
        tempfile::Builder::new()
            .prefix(STAGING)
            .tempdir_in(&self.results)
            .map_err(Error::io(say!("write to"), &self.results))
    }

    /// Moves a complete folder to the path of the trial `trial`.
    pub(crate) fn place(&self, filled: &Path, trial: &TrialId) -> Result<()> {
        let target = self.trial(trial);
        if target.exists() {
            return Err(Error::TrialExists(target));
        }
        let task = target.parent().unwrap_or(&target);
        fs::create_dir_all(task).map_err(Error::io(say!("create"), task))?;
        fs::rename(filled, &target).map_err(Error::io(say!("create"), &target))
    }

    /// Refuses a template that contains the results folder, since each trial would copy all earlier
    /// trials.
    pub(crate) fn keep_out_of(&self, instance: &Instance) -> Result<()> {
        let Ok(results) = fs::canonicalize(&self.results) else {
            return Ok(());
        };
        let holder = instance.template.iter().find(|copy| results.starts_with(&copy.source));
        match holder {
            Some(copy) => Err(Error::bad(
                &copy.source,
                say!("is a template that contains the results folder; name another results folder"),
            )),
            None => Ok(()),
        }
    }
}

/// Copies a folder recursively. Links stay links. Entries that are neither files nor folders are
/// skipped, and so are files that the user may not read.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to).map_err(Error::io(say!("create"), to))?;
    for entry in fs::read_dir(from).map_err(Error::io(say!("read"), from))? {
        let entry = entry.map_err(Error::io(say!("read"), from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(Error::io(say!("read"), &source))?;
        if kind.is_dir() {
            copy_tree(&source, &target)?;
        } else if kind.is_symlink() {
            #[cfg(unix)]
            {
                let destination = fs::read_link(&source).map_err(Error::io(say!("read"), &source))?;
                std::os::unix::fs::symlink(destination, &target)
                    .map_err(Error::io(say!("create"), &target))?;
            }
        } else if kind.is_file() {
            match fs::copy(&source, &target) {
                Err(error) if error.kind() != std::io::ErrorKind::PermissionDenied => {
                    return Err(Error::io(say!("write"), &target)(error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Tasks in a scenario's folder in natural order, created by any tool. Folders without numbered
/// subfolders are included, with no trials.
///
/// # Errors
/// When a folder cannot be read.
pub fn tasks(scenario: &Path) -> Result<Vec<TaskFolder>> {
    let mut tasks = Vec::new();
    for (instance, path) in folders(scenario)? {
        if instance == "__pycache__" || instance.starts_with('.') {
            continue;
        }
        let mut trials: Vec<TrialFolder> = folders(&path)?
            .into_iter()
            .filter_map(|(name, path)| {
                let repetition: u32 = name.parse().ok()?;
                (repetition.to_string() == name).then_some(TrialFolder { repetition, path })
            })
            .collect();
        trials.sort_by_key(|trial| trial.repetition);
        tasks.push(TaskFolder { instance, path, trials });
    }
    tasks.sort_by(|a, b| natural(&a.instance, &b.instance));
    Ok(tasks)
}

/// Names and paths of the folders in a folder. Names that are not UTF-8 are skipped.
fn folders(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io(say!("read"), folder))? {
        let path = entry.map_err(Error::io(say!("read"), folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let (Some(name), true) = (name, path.is_dir()) {
            folders.push((name.to_owned(), path));
        }
    }
    Ok(folders)
}
