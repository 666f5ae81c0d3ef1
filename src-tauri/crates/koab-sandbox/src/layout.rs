//! Where trials lie: `results/<scenario>/<instance>/<repetition>/`, as the original tool lays them
//! out.
//!
//! Its readers take every folder of a scenario for a task, and fall over one without a numbered
//! folder in it. So nothing of ours lies there: what is being made and what was set aside is kept
//! in folders of the results folder whose names begin with a full stop, and a task's folder appears
//! together with its first trial.

use crate::error::{Error, Result};
use crate::natural_order::natural;
use crate::scenario_file::Instance;
use koab_core::say;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A folder in the results folder that is being filled.
const STAGING: &str = ".expanding-";
/// Where trials go that make room for another one.
const TRASH: &str = ".trash";
/// What was handed to clusters.
const JOBS: &str = ".cluster";
/// Locked by whoever runs or moves trials.
const CLAIM: &str = ".running";
/// After this long, what a killed expansion left is swept away.
const STALE: Duration = Duration::from_hours(1);

/// A results folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    results: PathBuf,
}

/// Which trial is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrialId {
    /// Name of the scenario file without its suffix.
    pub scenario: String,
    /// Id of the instance.
    pub instance: String,
    /// From 0.
    pub repetition: u32,
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.scenario, self.instance, self.repetition)
    }
}

/// The folder of an instance, with the trials that are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFolder {
    /// Id of the instance.
    pub instance: String,
    /// The folder.
    pub path: PathBuf,
    /// In the order of repetitions, which may have gaps.
    pub trials: Vec<TrialFolder>,
}

/// The folder of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialFolder {
    /// From 0.
    pub repetition: u32,
    /// The folder.
    pub path: PathBuf,
}

/// A claimed results folder.
#[derive(Debug)]
pub struct Claim(#[expect(dead_code, reason = "held for its lock")] fs::File);

impl Layout {
    /// The results folder `results`, which need not be there yet.
    pub fn new(results: impl Into<PathBuf>) -> Self {
        Self { results: results.into() }
    }

    /// The results folder in `folder`: `Results`, as later versions of the original call it, when
    /// it is there and `results` is not.
    pub fn in_folder(folder: &Path) -> Self {
        let (ours, theirs) = (folder.join("results"), folder.join("Results"));
        Self::new(if theirs.is_dir() && !ours.is_dir() { theirs } else { ours })
    }

    /// The results folder.
    pub fn results(&self) -> &Path {
        &self.results
    }

    /// Where it is kept what was handed to a cluster, a folder each.
    pub fn jobs(&self) -> PathBuf {
        self.results.join(JOBS)
    }

    /// The folder of one of these.
    pub fn job_folder(&self, name: &str) -> PathBuf {
        self.jobs().join(name)
    }

    /// The folder of a scenario, which is what tabulating reads.
    pub fn scenario(&self, name: &str) -> PathBuf {
        self.results.join(name)
    }

    /// The folder of a trial.
    pub fn trial(&self, trial: &TrialId) -> PathBuf {
        self.scenario(&trial.scenario).join(&trial.instance).join(trial.repetition.to_string())
    }

    /// Claims the results folder for as long as the claim lives: to anybody else a running trial
    /// looks half-made, and would be set aside. The system ends a claim however its process ends.
    ///
    /// # Errors
    /// When another process has claimed it, or the disk refuses.
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

    /// Claims a part of the results folder beside others who have parts of it; nobody claims the
    /// whole meanwhile. A disk without locks is taken as it is.
    ///
    /// # Errors
    /// When another process has claimed the whole, or the disk refuses.
    pub fn claim_part(&self) -> Result<Claim> {
        let (_, file) = self.claim_file()?;
        match file.try_lock_shared() {
            Err(fs::TryLockError::WouldBlock) => Err(Error::Busy(self.results.clone())),
            Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Claim(file)),
        }
    }

    /// Brings a trial here that was made in another results folder, whole or not at all. Where one
    /// is there already that one stays, unless it is to be replaced: then it is set aside. Answers
    /// whether it came.
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
        let filled = staging.path().join("trial");
        copy_tree(&from.trial(trial), &filled)?;
        match self.place(&filled, trial) {
            // Somebody else brought it at this moment.
            Err(_) if target.exists() => Ok(false),
            placed => placed.map(|()| true),
        }
    }

    /// Moves a trial out of the way, into the results folder's own trash, and says where it is now.
    /// Nothing empties the trash but the user.
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
        // The original's readers fall over a task's folder without a trial. It is not empty when
        // others are left.
        let _ = fs::remove_dir(self.scenario(&trial.scenario).join(&trial.instance));
        Ok(target)
    }

    /// Removes what expansions left that were killed. For the start of a run.
    ///
    /// # Errors
    /// When the results folder cannot be read, or a left folder not removed.
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
            if ours && age.is_some_and(|age| age > STALE) {
                let path = entry.path();
                fs::remove_dir_all(&path).map_err(Error::io(say!("remove"), &path))?;
            }
        }
        Ok(())
    }

    /// A new folder on the same disk as the trials; gone when it is dropped.
    pub(crate) fn staging(&self) -> Result<TempDir> {
        fs::create_dir_all(&self.results).map_err(Error::io(say!("create"), &self.results))?;
        tempfile::Builder::new()
            .prefix(STAGING)
            .tempdir_in(&self.results)
            .map_err(Error::io(say!("write to"), &self.results))
    }

    /// Puts a filled folder in the place of `trial`.
    pub(crate) fn place(&self, filled: &Path, trial: &TrialId) -> Result<()> {
        let target = self.trial(trial);
        if target.exists() {
            return Err(Error::TrialExists(target));
        }
        let task = target.parent().unwrap_or(&target);
        fs::create_dir_all(task).map_err(Error::io(say!("create"), task))?;
        fs::rename(filled, &target).map_err(Error::io(say!("create"), &target))
    }

    /// Refuses a template that contains the results: each trial would copy all earlier ones.
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

/// Copies a folder with all that is in it. Links stay links; what is neither file nor folder is
/// left out, as is what the user may not read.
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
                let leads = fs::read_link(&source).map_err(Error::io(say!("read"), &source))?;
                std::os::unix::fs::symlink(leads, &target).map_err(Error::io(say!("create"), &target))?;
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

/// The tasks in a scenario's folder in natural order, whoever made them. Folders without a numbered
/// one in them are there, too, with no trials.
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

/// Names and paths of the folders in a folder. A name that is not UTF-8 is none of ours.
fn folders(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io(say!("read"), folder))? {
        let path = entry.map_err(Error::io(say!("read"), folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let (Some(name), true) = (name, path.is_dir()) {
            found.push((name.to_owned(), path));
        }
    }
    Ok(found)
}
