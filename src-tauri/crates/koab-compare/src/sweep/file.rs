//! The file of a sweep, in TOML. Unknown keys are refused.

use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::RequestedSettings;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::ToSentence as _;
use koab_engine::files;
use koab_library::RunRequest;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// Maximum size of a sweep's file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Value of a setting that means no file.
pub(super) const NONE: &str = "none";

/// Content of a sweep's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct SweepFile {
    /// Name of the sweep. A sweep with another name is a new sweep.
    #[serde(default)]
    pub name: String,
    /// Name of the metric that is compared, in any case of letters.
    #[serde(default = "success_rate")]
    pub metric: String,
    /// Protocol of the runs and of their scores.
    #[serde(default = "leaderboard")]
    pub protocol: Protocol,
    /// Packs by name. If none are named, the active pack is used.
    pub packs: Option<Vec<String>>,
    /// Levels to run; all levels if none are named.
    #[serde(default)]
    pub levels: Vec<String>,
    /// Tasks to run; all tasks if none are named.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// Number of attempts per task.
    #[serde(default = "once")]
    pub repetitions: u32,
    /// Number of attempts that run at the same time.
    pub concurrency: Option<u32>,
    /// Maximum number of model turns per attempt.
    pub max_steps: Option<u32>,
    /// Time limit of an attempt in seconds.
    pub timeout_s: Option<f64>,
    /// Maximum number of output tokens per model call.
    pub max_tokens: Option<u32>,
    /// Maximum cost of the whole sweep in USD.
    pub max_cost: Option<f64>,
    /// Maximum number of tokens of the whole sweep.
    #[ts(type = "number | null")]
    pub max_total_tokens: Option<u64>,
    /// The models.
    #[serde(default)]
    pub models: Vec<SweepModel>,
    /// Settings to compare, in addition to the models.
    #[serde(default)]
    pub settings: SweepSettings,
    /// Judges of the runs.
    #[serde(default)]
    pub judges: SweepJudges,
    /// The cell with which all other cells are compared.
    #[serde(default)]
    pub baseline: SweepBaseline,
    /// Texts of system prompts and tool descriptions by the names that the settings use. A text
    /// that is missing here is read from a file next to this file.
    #[serde(default)]
    pub texts: BTreeMap<String, String>,
    /// Folder of this file and of the files that it names.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// One of the models that a sweep runs with every combination of settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct SweepModel {
    /// Model id, `provider/model`.
    pub id: String,
    /// Address of the model's server.
    pub base_url: Option<String>,
}

/// Settings with their values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct SweepSettings {
    /// Sampling temperatures.
    pub temperature: Option<Vec<f64>>,
    /// Reasoning efforts: `default`, `low`, `medium`, `high`.
    pub effort: Option<Vec<String>>,
    /// Sampling seeds.
    #[ts(type = "number[] | null")]
    pub seed: Option<Vec<u64>>,
    /// Files of system prompts next to this file; `none` for no file.
    pub system_prompt: Option<Vec<String>>,
    /// Files of tool descriptions next to this file; `none` for the pack's own descriptions.
    pub tool_texts: Option<Vec<String>>,
}

/// Judges of a sweep's runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct SweepJudges {
    /// Model ids, each `provider/model`.
    #[serde(default)]
    pub models: Vec<String>,
    /// Address of the judges' server.
    pub base_url: Option<String>,
}

/// The cell with which all other cells are compared: one value for each setting that has several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct SweepBaseline {
    /// Model of the cell.
    pub model: Option<String>,
    /// Sampling temperature of the cell.
    pub temperature: Option<f64>,
    /// Reasoning effort of the cell.
    pub effort: Option<String>,
    /// Sampling seed of the cell.
    #[ts(type = "number | null")]
    pub seed: Option<u64>,
    /// File of the cell's system prompt.
    pub system_prompt: Option<String>,
    /// File of the cell's tool descriptions.
    pub tool_texts: Option<String>,
}

fn success_rate() -> String {
    MetricId::Sr.name().to_owned()
}

fn leaderboard() -> Protocol {
    Protocol::Leaderboard
}

fn once() -> u32 {
    1
}

impl SweepFile {
    /// Reads a sweep's file.
    ///
    /// # Errors
    /// When the file cannot be read or is not a sweep. The message names the line.
    pub(super) fn read(path: &Path) -> Result<Self, WireError> {
        let mut read: Self = parsed(path, &text_of(path)?)?;
        read.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(read)
    }

    /// Refuses a sweep without a model.
    pub(super) fn check(&self, shown: &str) -> Result<(), WireError> {
        if self.models.is_empty() {
            return Err(WireError::bad_request(say!(
                "{shown} names no model; give each as [[models]] with its id"
            )));
        }
        Ok(())
    }

    /// Path and text of a file that the sweep names. The text is in the sweep itself or in a file
    /// next to it.
    ///
    /// Files in other folders are refused, because a sweep from somebody else must not send any
    /// file of this computer to a model.
    ///
    /// # Errors
    /// When the file is in another folder, cannot be read or is empty.
    pub(super) fn beside(&self, name: &str) -> Result<(PathBuf, String), WireError> {
        let path = self.folder.join(name);
        let own = self.texts.get(name);
        if !is_plain(name) || (own.is_none() && leads_out(&self.folder, &path)) {
            return Err(WireError::bad_request(say!(
                "{name} is not a file in the folder of the sweep's file; put a copy there and give its name alone"
            )));
        }
        let text = own.cloned().map_or_else(|| text_of(&path), Ok)?;
        if text.trim().is_empty() {
            let file = path.display();
            return Err(WireError::bad_request(say!("{file} is empty")));
        }
        Ok((path, text))
    }

    /// Metric that the file names.
    pub(super) fn metric(&self, shown: &str) -> Result<MetricId, WireError> {
        let same = |metric: &MetricId| metric.name().eq_ignore_ascii_case(&self.metric);
        MetricId::ALL.into_iter().find(same).ok_or_else(|| {
            let names: Vec<&str> = MetricId::ALL.into_iter().map(MetricId::name).collect();
            let names = names.join(", ");
            WireError::bad_request(say!(
                "{shown} names the unknown metric {}; the metrics are {names}",
                self.metric
            ))
        })
    }

    /// Run request with the settings that all runs share.
    pub(super) fn request(&self, model: &str) -> Result<RunRequest, WireError> {
        let published = RunRequest::published("", model);
        let settings = RequestedSettings {
            protocol: self.protocol,
            repetitions: self.repetitions,
            max_steps: self.max_steps.unwrap_or(published.settings.max_steps),
            timeout_s: self.timeout_s.unwrap_or(published.settings.timeout_s),
            max_tokens: self.max_tokens,
            ..published.settings
        };
        settings.check().map_err(WireError::bad_request)?;
        // Whether the packs have these groups is checked later, when the packs are known.
        let level = |word: &String| word.parse().or_else(|_| Level::group(word));
        let levels: Result<Vec<Level>, _> = self.levels.iter().map(level).collect();
        Ok(RunRequest {
            levels: levels.map_err(|error| WireError::bad_request(error.to_sentence()))?,
            tasks: self.tasks.clone(),
            settings,
            concurrency: self.concurrency,
            max_cost: self.max_cost,
            max_total_tokens: self.max_total_tokens,
            ..published
        })
    }
}

/// Whether a name is a plain file name without a folder, on any system.
fn is_plain(name: &str) -> bool {
    !name.contains(['/', '\\', ':']) && Path::new(name).file_name().is_some()
}

/// Whether a path is a link to a file in another folder.
fn leads_out(folder: &Path, path: &Path) -> bool {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (here.canonicalize(), path.canonicalize()) {
        (Ok(here), Ok(path)) => path.parent() != Some(here.as_path()),
        // A missing file is reported when it is read.
        _ => false,
    }
}

pub(super) fn text_of(path: &Path) -> Result<String, WireError> {
    let file = path.display();
    let unread = |error: std::io::Error| WireError::not_found(say!("{file} cannot be read: {error}"));
    if path.metadata().map_err(unread)?.len() > MAX_FILE_BYTES {
        return Err(WireError::bad_request(say!(
            "{file} is larger than {} MB, the limit of a sweep's file",
            MAX_FILE_BYTES >> 20
        )));
    }
    files::text(path).map_err(WireError::bad_request)
}

/// Parses TOML. An error names the line.
pub(super) fn parsed<T: serde::de::DeserializeOwned>(path: &Path, text: &str) -> Result<T, WireError> {
    toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        let why = error.message().lines().next().unwrap_or_default().to_owned();
        let file = path.display();
        WireError::bad_request(say!("{file}, line {line}: {why}"))
    })
}
