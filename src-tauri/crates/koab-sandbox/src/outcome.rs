//! How a trial ended: `outcome.json` in its folder.
//!
//! It is written last and whole, so a trial whose folder has none was not finished, however its log
//! ends. Folders that other tools made have none either; [`crate::legacy`] reads the same out of
//! their logs.

use crate::error::{Error, Result};
use crate::model_calls::ModelCalls;
use crate::scenario_file::Network;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Name of the file in a trial's folder.
pub const OUTCOME: &str = "outcome.json";
/// Version of the file's form.
pub const FORMAT: u32 = 1;
/// Name of a trial's log in its folder: standard output and error as they came, as UTF-8.
pub const CONSOLE_LOG: &str = "console_log.txt";

/// How a trial ended, and under what it ran.
///
/// What could not be known is `null`, and [`Outcome::unknown`] says why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioOutcome"))]
pub struct Outcome {
    /// Version of this form: [`FORMAT`].
    pub format: u32,
    /// Whether this was recorded as it happened, or read out of a log afterwards.
    pub origin: Origin,
    /// Why the trial ended.
    pub cause: Cause,
    /// One sentence more on the cause, where there is more to say.
    pub detail: Option<Sentence>,
    /// Exit code of `scenario.py`.
    pub exit_code: Option<i32>,
    /// Exit code of installing the requirements; `None` without reason when there were none.
    pub pip_exit_code: Option<i32>,
    /// When the trial began: ISO 8601, with its offset where it is known.
    pub started: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
    /// How long all of it took.
    pub seconds: Option<f64>,
    /// How long `scenario.py` took.
    pub scenario_seconds: Option<f64>,
    /// Where it ran.
    pub setting: Option<Setting>,
    /// The container's image.
    pub image: Option<Image>,
    /// What it was held to.
    pub limits: Option<Limits>,
    /// Versions by name: this product as `koab`, the container engine, Python.
    pub versions: BTreeMap<String, String>,
    /// SHA-256 of what the trial was given ([`crate::expand::Expanded::template_sha256`]).
    pub template_sha256: Option<String>,
    /// What calls to the offered model came to; `None` where no model was offered.
    #[serde(default)]
    pub model_calls: Option<ModelCalls>,
    /// The command line that started the run, without secrets.
    pub command: Vec<String>,
    /// What looked like a mistake while the trial was made.
    pub warnings: Vec<Sentence>,
    /// Why a field is `null`, by its name.
    pub unknown: BTreeMap<String, Sentence>,
}

/// Where an outcome comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioOrigin"))]
pub enum Origin {
    /// Recorded by whoever ran the trial.
    Recorded,
    /// Read out of a log of another tool.
    Legacy,
}

/// Why a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioCause"))]
pub enum Cause {
    /// `scenario.py` ended with code 0, whether it solved its task or not.
    Completed,
    /// `scenario.py` ended with another code, or something else ended the trial before it could.
    Failed,
    /// The time limit.
    TimedOut,
    /// The memory limit.
    OutOfMemory,
    /// It never ran: no image, no container engine, no template.
    CouldNotStart,
    /// The user.
    Cancelled,
    /// What ran it went away: the container engine ended before the trial did.
    Lost,
}

impl Cause {
    /// Whether running the trial again may end otherwise, with nothing changed but luck. A wrong
    /// answer does not.
    pub fn is_technical(self) -> bool {
        self != Self::Completed
    }

    /// The name in `outcome.json` and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::TimedOut => "timed_out",
            Self::OutOfMemory => "out_of_memory",
            Self::CouldNotStart => "could_not_start",
            Self::Cancelled => "cancelled",
            Self::Lost => "lost",
        }
    }
}

/// Where a trial runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioSetting"))]
pub enum Setting {
    /// In a container.
    Docker,
    /// On this computer itself.
    Native,
}

impl Setting {
    /// The value of `AUTOGEN_TESTBED_SETTING`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Docker => "Docker",
            Self::Native => "Native",
        }
    }
}

/// A container image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioImage"))]
pub struct Image {
    /// As it was asked for.
    pub name: String,
    /// What the engine ran: its content's digest.
    pub digest: Option<String>,
}

/// What a trial is held to; `None` is no limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioLimits"))]
pub struct Limits {
    /// The whole trial.
    pub timeout_s: Option<u64>,
    /// Memory.
    pub memory_bytes: Option<u64>,
    /// Processor cores.
    pub cpus: Option<f64>,
    /// Processes and threads.
    pub pids: Option<u64>,
    /// The console log.
    pub output_bytes: Option<u64>,
    /// The network; `None` on this computer itself.
    pub network: Option<Network>,
}

impl Limits {
    /// What a trial is held to when nobody says otherwise: 2 hours, 4 GiB, 1,024 processes, 64 MiB
    /// of log.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            timeout_s: Some(120 * 60),
            memory_bytes: Some(4 << 30),
            cpus: None,
            pids: Some(1024),
            output_bytes: Some(64 << 20),
            network: None,
        }
    }
}

impl Outcome {
    /// An outcome of which only the cause is known yet.
    pub fn new(origin: Origin, cause: Cause) -> Self {
        Self {
            format: FORMAT,
            origin,
            cause,
            detail: None,
            exit_code: None,
            pip_exit_code: None,
            started: None,
            ended: None,
            seconds: None,
            scenario_seconds: None,
            setting: None,
            image: None,
            limits: None,
            versions: BTreeMap::new(),
            template_sha256: None,
            model_calls: None,
            command: Vec::new(),
            warnings: Vec::new(),
            unknown: BTreeMap::new(),
        }
    }

    /// Writes the outcome into a trial's folder, whole or not at all. Nothing may be written there
    /// afterwards.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, trial: &Path) -> Result<()> {
        let path = trial.join(OUTCOME);
        let mut text =
            serde_json::to_vec_pretty(self).map_err(|error| Error::bad(&path, error.to_string()))?;
        text.push(b'\n');
        let mut file = tempfile::Builder::new()
            .prefix(".outcome-")
            .tempfile_in(trial)
            .map_err(Error::io(say!("write to"), trial))?;
        file.write_all(&text).map_err(Error::io(say!("write"), &path))?;
        file.as_file().sync_all().map_err(Error::io(say!("write"), &path))?;
        make_readable(file.as_file()).map_err(Error::io(say!("write"), &path))?;
        file.persist(&path).map_err(|error| Error::io(say!("write"), &path)(error.error))?;
        Ok(())
    }
}

/// Temporary files are private; results are to be read by others as usual.
#[cfg(unix)]
fn make_readable(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

/// What there is of a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// No folder.
    Missing,
    /// A folder of a trial that was not finished.
    HalfMade {
        /// How that is known, one sentence without its full stop.
        why: Sentence,
    },
    /// A finished trial.
    Finished(Box<Outcome>),
}
