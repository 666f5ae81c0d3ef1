//! Results of agent checks, stored in the workspace. A run refuses an agent that failed its check
//! with the same definition and version.

use crate::check_result::AgentCheck;
use crate::definition::Definition;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use koab_engine::ports::Clock as _;
use koab_workspace::clock::SystemClock;
use koab_workspace::{Home, WireError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::PathBuf;
use ts_rs::TS;

/// Suffix of the key of a check in a container.
const IN_A_CONTAINER: &str = " in a container";
/// Name of the file that is locked while a result is stored.
const LOCK: &str = "agent-checks.lock";

/// Results of all checks of this workspace, by the hash of the definition and the version of the
/// agent.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct CheckHistory(BTreeMap<String, Outcome>);

#[derive(Serialize, Deserialize)]
struct Outcome {
    name: String,
    passed: bool,
    why: Option<Sentence>,
    /// Time of the check, in milliseconds since the Unix epoch.
    #[serde(default)]
    at_ms: u64,
}

/// Result of the last check of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct LastCheck {
    /// Whether the agent can be used for a run.
    pub passed: bool,
    /// First problem that the check found.
    pub why: Option<Sentence>,
}

impl CheckHistory {
    /// Reads the results of a workspace.
    ///
    /// # Errors
    /// When the file exists and cannot be read. It is then not known which agents failed.
    pub(crate) fn read(home: &Home) -> Result<Self, Sentence> {
        let path = file(home);
        let text = if_there(std::fs::read(&path));
        let text = text.map_err(|error| say!("{} cannot be read: {error}", path.display()))?;
        text.map_or_else(|| Ok(Self::default()), |text| serde_json::from_slice(&text))
            .map_err(|error| say!("{} cannot be read: {error}", path.display()))
    }

    /// Result of the last check of a definition with any version of the agent. Checks in containers
    /// and on this computer are separate.
    pub(crate) fn last(&self, definition: &str, contained: bool) -> Option<LastCheck> {
        let (_, outcome) = self.outcomes(definition, contained).max_by_key(|(_, outcome)| outcome.at_ms)?;
        Some(LastCheck { passed: outcome.passed, why: outcome.why.clone() })
    }

    /// Whether a definition was checked in a container.
    pub(crate) fn was_contained(&self, definition: &str) -> bool {
        self.outcomes(definition, true).next().is_some()
    }

    fn outcomes(&self, definition: &str, contained: bool) -> impl Iterator<Item = (&String, &Outcome)> {
        self.0
            .iter()
            .filter(move |(key, _)| key.starts_with(definition) && key.ends_with(IN_A_CONTAINER) == contained)
    }
}

fn file(home: &Home) -> PathBuf {
    home.path().join("agent-checks.json")
}

/// Key of a check: the hash of the definition, the version of the agent, and the isolation. Checks
/// of an installed program and checks of an image have different keys.
fn key(definition: &str, version: Option<&str>, contained: bool) -> String {
    let place = if contained { IN_A_CONTAINER } else { "" };
    format!("{definition} {}{place}", version.unwrap_or("-"))
}

/// Stores the result of a check.
///
/// # Errors
/// When the disk refuses.
pub fn remember(home: &Home, checked: &AgentCheck) -> Result<(), WireError> {
    // The window and a command line may store results at the same time, and each must keep the
    // other's.
    let _alone = lock(home)?;
    // An unreadable file is renamed and not deleted, and a new file is begun.
    let mut history = match CheckHistory::read(home) {
        Ok(history) => history,
        Err(_) => put_aside(home)?,
    };
    let outcome = Outcome {
        name: checked.name.clone(),
        passed: checked.passed,
        why: checked.traps.first().cloned(),
        at_ms: SystemClock.now_ms(),
    };
    history.0.insert(key(&checked.definition, checked.version.as_deref(), checked.contained), outcome);
    let text = serde_json::to_string_pretty(&history).map_err(WireError::internal)?;
    Ok(koab_store::atomic::write(&file(home), (text + "\n").as_bytes())?)
}

/// Locks the history until the returned file is dropped, or the process ends.
fn lock(home: &Home) -> Result<File, WireError> {
    let path = home.path().join(LOCK);
    let to_error = |error: std::io::Error| WireError::unwritable(&path, error);
    std::fs::create_dir_all(home.path()).map_err(to_error)?;
    let file = File::create(&path).map_err(to_error)?;
    match file.lock() {
        // Some network drives do not support locks, which must not prevent checks there.
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(to_error(error)),
        _ => Ok(file),
    }
}

fn put_aside(home: &Home) -> Result<CheckHistory, WireError> {
    let path = file(home);
    let place = |number: u32| {
        let more = if number == 1 { String::new() } else { format!("-{number}") };
        home.path().join(format!("agent-checks.unreadable{more}.json"))
    };
    let aside = (1..).map(place).find(|place| !place.exists());
    let aside = aside.unwrap_or_else(|| place(0));
    match std::fs::rename(&path, &aside) {
        Ok(()) => Ok(CheckHistory::default()),
        Err(error) => Err(WireError::unwritable(&aside, error)),
    }
}

/// Refuses an agent that failed its last check with this version and isolation. `contained` is true
/// for a container.
///
/// # Errors
/// When the last check failed, with the problem that it found, or when the results cannot be read.
pub fn failed_before(
    home: &Home,
    definition: &Definition,
    version: Option<&str>,
    contained: bool,
) -> Result<(), WireError> {
    let mut history = CheckHistory::read(home).map_err(|why| {
        let name = &definition.name;
        WireError::bad_request(say!(
            "it is not known whether {name} failed its check: {why}; check it again with `koab agents check`, or add --unchecked"
        ))
    })?;
    match history.0.remove(&key(&definition.hash(), version, contained)) {
        Some(Outcome { name, passed: false, why, .. }) => {
            let why = why.unwrap_or_default();
            Err(WireError::bad_request(say!(
                "{name} failed its check: {why}; fix it and check it again with `koab agents check`, or add --unchecked"
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
