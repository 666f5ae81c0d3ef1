//! One line of a scenario file.

use crate::benchmark::Benchmark;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One line of a scenario file.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Unique in its file, and fit to name a folder.
    pub id: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// What is copied into the trial's folder, in order; later copies replace earlier ones.
    pub template: Vec<TemplateCopy>,
    /// Edits of the copied files, in order.
    pub substitutions: Vec<FileEdits>,
    /// The container's network, where the scenario asks for one.
    pub network: Option<Network>,
    /// The trial's time limit in seconds, where the scenario asks for one.
    pub timeout_s: Option<u64>,
    /// Names of the secrets the scenario needs. No other scenario gets them.
    pub secrets: Vec<String>,
    pub(crate) benchmark: Benchmark,
}

/// A file or folder to copy into a trial's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateCopy {
    /// The real path of what is copied. A folder's content is merged into the target.
    pub source: PathBuf,
    /// Below the trial's folder, empty for the folder itself. A file whose target is a folder keeps
    /// its name in it.
    pub target: PathBuf,
}

/// The edits of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdits {
    /// Below the trial's folder.
    pub file: PathBuf,
    /// Find string and replacement, in order.
    pub pairs: Vec<(String, String)>,
}

/// What a container can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioNetwork"))]
pub enum Network {
    /// Nothing.
    None,
    /// The container engine's own network, and by it the internet.
    Bridge,
}
