//! Outcome of a trial: `outcome.json` in its folder.
//!
//! The file is written last and completely, so a trial without this file was not finished, however
//! its log ends. Folders of other tools have no such file; [`crate::legacy`] infers their outcomes
//! from their logs.

use crate::error::{Error, Result};
use crate::scenario_file::Network;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::atomic::{Readers, Replacement};
use koab_gateway::ModelCalls;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// Name of the file in a trial's folder.
pub const OUTCOME: &str = "outcome.json";
/// Version of the file's format.
pub const FORMAT: u32 = 1;
/// Name of a trial's log in its folder: standard output and error in their order, as UTF-8.
pub const CONSOLE_LOG: &str = "console_log.txt";

/// Outcome of a trial and the conditions under which it ran.
///
/// Fields that are not known are `null`, and [`Outcome::unknown`] contains the reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioOutcome")]
pub struct Outcome {
    /// Version of the file's format: [`FORMAT`].
    pub format: u32,
    /// Origin of the outcome: recorded during the trial, or inferred from a log.
    pub origin: Origin,
    /// Cause of the trial's end.
    pub cause: Cause,
    /// Details of the cause, one sentence, when there are any.
    pub detail: Option<Sentence>,
    /// Exit code of `scenario.py`.
    pub exit_code: Option<i32>,
    /// Exit code of installing the requirements. When there were no requirements, it is `None`
    /// without a reason in [`Outcome::unknown`].
    pub pip_exit_code: Option<i32>,
    /// Start of the trial: ISO 8601, with its UTC offset if the offset is known.
    pub started: Option<String>,
    /// End of the trial, in the format of `started`.
    pub ended: Option<String>,
    /// Duration of the whole trial, seconds.
    pub seconds: Option<f64>,
    /// Duration of `scenario.py`, seconds.
    pub scenario_seconds: Option<f64>,
    /// Runtime of the trial.
    pub setting: Option<Setting>,
    /// Image of the container.
    pub image: Option<Image>,
    /// Limits of the trial.
    pub limits: Option<Limits>,
    /// Versions of `koab` (this product), of `engine` (the container engine) and of Python.
    pub versions: BTreeMap<String, String>,
    /// SHA-256 of the trial's input files, see [`crate::expand::Expanded::template_sha256`].
    pub template_sha256: Option<String>,
    /// Sum of the calls to the offered model; `None` when no model was offered.
    #[serde(default)]
    pub model_calls: Option<ModelCalls>,
    /// The command line that started the run, without secrets.
    pub command: Vec<String>,
    /// Probable mistakes and other warnings.
    pub warnings: Vec<Sentence>,
    /// Reasons why fields are `null`, by the field's name.
    pub unknown: BTreeMap<String, Sentence>,
}

/// Origin of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, rename = "ScenarioOrigin")]
pub enum Origin {
    /// This product ran the trial and recorded the outcome.
    Recorded,
    /// The outcome was inferred from the log of another tool.
    Legacy,
}

/// Cause of a trial's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, rename = "ScenarioCause")]
pub enum Cause {
    /// `scenario.py` ended with code 0, whether it solved its task or not.
    Completed,
    /// `scenario.py` ended with a code other than 0, or the trial ended before `scenario.py` did.
    Failed,
    /// The trial reached its time limit.
    TimedOut,
    /// The trial exceeded its memory limit.
    OutOfMemory,
    /// The trial never ran: no image, no container engine, or no template.
    CouldNotStart,
    /// The user cancelled the trial.
    Cancelled,
    /// The container engine ended before the trial did.
    Lost,
}

impl Cause {
    /// Whether another run of the trial may end in a different way. False for a completed trial,
    /// even if its answer is wrong.
    pub fn is_technical(self) -> bool {
        self != Self::Completed
    }

    /// Name of the cause in `outcome.json` and in tables.
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

/// Runtime of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, rename = "ScenarioSetting")]
pub enum Setting {
    /// The trial runs in a container.
    Docker,
    /// The trial runs on this computer itself.
    Native,
}

impl Setting {
    /// Value of the variable `AUTOGEN_TESTBED_SETTING` for this runtime.
    pub fn name(self) -> &'static str {
        match self {
            Self::Docker => "Docker",
            Self::Native => "Native",
        }
    }
}

/// A container image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioImage")]
pub struct Image {
    /// Name of the image as requested.
    pub name: String,
    /// Digest of the image that the engine ran.
    pub digest: Option<String>,
}

/// Limits of a trial; `None` means no limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioLimits")]
pub struct Limits {
    /// Time limit of the whole trial, seconds.
    pub timeout_s: Option<u64>,
    /// Maximum memory, bytes.
    pub memory_bytes: Option<u64>,
    /// Maximum number of processor cores.
    pub cpus: Option<f64>,
    /// Maximum number of processes and threads.
    pub pids: Option<u64>,
    /// Maximum size of the console log, bytes.
    pub output_bytes: Option<u64>,
    /// Network of the container; `None` for a trial on this computer itself.
    pub network: Option<Network>,
}

impl Limits {
    /// Default limits: 2 hours, 4 GiB, 1,024 processes, 64 MiB of log.
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
    /// Creates an outcome with only these fields. The other fields are not known yet.
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

    /// Writes the outcome into a trial's folder, completely or not at all. Nothing may be written
    /// into the folder afterwards.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, trial: &Path) -> Result<()> {
        let path = trial.join(OUTCOME);
        let mut text =
            serde_json::to_vec_pretty(self).map_err(|error| Error::bad(&path, error.to_string()))?;
        text.push(b'\n');
        let file = Replacement::of(&path, Readers::Everyone).map_err(Error::io(say!("write to"), trial))?;
        file.file().write_all(&text).and_then(|()| file.finish()).map_err(Error::io(say!("write"), &path))
    }
}

/// State of a trial on disk.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// The trial has no folder.
    Missing,
    /// The trial was begun and not finished.
    HalfMade {
        /// Evidence that the trial was not finished: one sentence without its full stop.
        why: Sentence,
    },
    /// The trial was finished.
    Finished(Box<Outcome>),
}
