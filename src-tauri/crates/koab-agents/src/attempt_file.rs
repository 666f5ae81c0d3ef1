//! What an attempt's file says that its record does not: what was asked for in vain, and what came
//! when it was over.

use crate::folder::{ATTEMPT, of_attempt};
use crate::run::AGENTS;
use serde_json::Value;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Bytes of the file at most. A native agent can write to it.
const MOST: u64 = 1 << 20;

/// What an attempt's file says beside its record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptFile {
    /// Hosts that were asked for and not reached; `None` where nothing stood between the agent and
    /// the network.
    pub hosts: Option<Vec<String>>,
    /// Whether these are the hosts of all attempts of the run up to this one's end: natively they
    /// share one proxy.
    pub hosts_of_run: bool,
    /// Calls that came when the attempt was over, and were refused.
    pub after_end: u32,
    /// Whether something that the agent started outlived it, and had to be ended.
    pub outlived: bool,
    /// Whether the agent asked for the list of the task's tools.
    pub tools_listed: bool,
}

/// That of an attempt of the run in this folder; `None` where there is none that can be read.
pub fn attempt_file(folder: &Path, task: &str, repetition: u32) -> Option<AttemptFile> {
    let path = of_attempt(&folder.join(AGENTS), task, repetition).join(ATTEMPT);
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut text = Vec::new();
    File::open(path).ok()?.take(MOST).read_to_end(&mut text).ok()?;
    let told: Value = serde_json::from_slice(&text).ok()?;
    let hosts = |name: &str| {
        let all = told.get(name)?.as_array()?.iter();
        Some(all.filter_map(Value::as_str).map(str::to_owned).collect())
    };
    let (own, so_far) = (hosts("hosts_asked_for"), hosts("hosts_asked_for_so_far"));
    Some(AttemptFile {
        hosts_of_run: own.is_none() && so_far.is_some(),
        hosts: own.or(so_far),
        after_end: told["after_end"].as_u64().map_or(0, |calls| calls.try_into().unwrap_or(u32::MAX)),
        outlived: told["outlived"] == true,
        tools_listed: told["tools_listed"] == true,
    })
}

#[cfg(test)]
mod tests;
