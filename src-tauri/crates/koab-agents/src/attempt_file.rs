//! The file of an attempt, with facts that the attempt's record lacks: hosts that were requested in
//! vain, and calls that arrived after the attempt's end.

use crate::folder::{ATTEMPT, of_attempt};
use crate::run::AGENTS;
use serde_json::Value;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Maximum size of the file in bytes. A native agent can write to it.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Content of the file of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptFile {
    /// Hosts that were requested and not reached; `None` if the agent had direct access to the
    /// network.
    pub hosts: Option<Vec<String>>,
    /// Whether `hosts` contains the hosts of all attempts of the run up to the end of this attempt.
    /// This is the case for native attempts, which share one proxy.
    pub hosts_of_run: bool,
    /// Number of calls that arrived after the end of the attempt and were refused.
    pub after_end: u32,
    /// Whether a process of the agent was still running after the agent's end, so that koab ended
    /// it.
    pub outlived: bool,
    /// Whether the agent requested the list of the task's tools.
    pub tools_listed: bool,
}

/// Reads the file of an attempt of the run in this folder; `None` if the file is missing or cannot
/// be read.
pub fn attempt_file(folder: &Path, task: &str, repetition: u32) -> Option<AttemptFile> {
    let path = of_attempt(&folder.join(AGENTS), task, repetition).join(ATTEMPT);
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut text = Vec::new();
    File::open(path).ok()?.take(MAX_FILE_BYTES).read_to_end(&mut text).ok()?;
    let document: Value = serde_json::from_slice(&text).ok()?;
    let hosts = |name: &str| {
        let all = document.get(name)?.as_array()?.iter();
        Some(all.filter_map(Value::as_str).map(str::to_owned).collect())
    };
    let (own, so_far) = (hosts("hosts_asked_for"), hosts("hosts_asked_for_so_far"));
    Some(AttemptFile {
        hosts_of_run: own.is_none() && so_far.is_some(),
        hosts: own.or(so_far),
        after_end: document["after_end"].as_u64().map_or(0, |calls| calls.try_into().unwrap_or(u32::MAX)),
        outlived: document["outlived"] == true,
        tools_listed: document["tools_listed"] == true,
    })
}

#[cfg(test)]
mod tests;
