//! Instances of scenario files.

use crate::benchmark::Benchmark;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Instance of a scenario: one line of a scenario file.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Id, unique in its file and a valid folder name.
    pub id: String,
    /// 1-based line in the file.
    pub line: usize,
    /// Files and folders to copy into the trial's folder, in order; a later copy replaces an
    /// earlier file of the same path.
    pub template: Vec<TemplateCopy>,
    /// Edits of the copied files, in order.
    pub substitutions: Vec<FileEdits>,
    /// Network of the container, if the scenario asks for one.
    pub network: Option<Network>,
    /// Time limit of the trial in seconds, if the scenario asks for one.
    pub timeout_s: Option<u64>,
    /// Names of the secrets that the scenario needs. No other scenario gets them.
    pub secrets: Vec<String>,
    pub(crate) benchmark: Benchmark,
}

/// A file or folder to copy into a trial's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateCopy {
    /// Canonical path of the source. The content of a folder is merged into the target.
    pub source: PathBuf,
    /// Target path below the trial's folder, empty for the folder itself. If the target of a file
    /// is a folder, the file is copied into it under its own name.
    pub target: PathBuf,
}

/// Replacements of text that an instance makes in one of its trial's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdits {
    /// Path of the file below the trial's folder.
    pub file: PathBuf,
    /// Pairs of find string and replacement, in order.
    pub pairs: Vec<(String, String)>,
}

/// Network of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, rename = "ScenarioNetwork")]
pub enum Network {
    /// No network.
    None,
    /// The container engine's own network, which reaches the internet.
    Bridge,
}
