//! What checks came to, kept in the workspace: a run refuses an agent that failed with the same definition and version.

use super::Checked;
use crate::definition::Definition;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Clock as _;
use koab_workspace::clock::SystemClock;
use koab_workspace::{Home, WireError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use ts_rs::TS;

/// All that were made here, by the hash of the definition and the version.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Past(BTreeMap<String, Outcome>);

#[derive(Serialize, Deserialize)]
struct Outcome {
    name: String,
    passed: bool,
    why: Option<Sentence>,
    /// Milliseconds since the Unix epoch.
    #[serde(default)]
    at_ms: u64,
}

/// What the last check of an agent came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct LastCheck {
    /// Whether a run with it makes sense.
    pub passed: bool,
    /// What was wrong first.
    pub why: Option<Sentence>,
}

impl Past {
    /// # Errors
    /// When the file is there and cannot be read: then nobody knows which agents failed.
    pub(crate) fn read(home: &Home) -> Result<Self, Sentence> {
        let path = file(home);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(say!("{} cannot be read: {error}", path.display())),
        };
        serde_json::from_str(&text).map_err(|error| say!("{} cannot be read: {error}", path.display()))
    }

    /// The last one of a definition, of whatever version.
    pub(crate) fn last(&self, definition: &str) -> Option<LastCheck> {
        let of_it = self.0.iter().filter(|(key, _)| key.starts_with(definition));
        let last = of_it.max_by_key(|(_, outcome)| outcome.at_ms);
        last.map(|(_, outcome)| LastCheck {
            passed: outcome.passed,
            why: outcome.why.clone(),
        })
    }
}

fn file(home: &Home) -> PathBuf {
    home.path().join("agent-checks.json")
}

/// What is installed here and what an image holds are checked apart.
fn key(definition: &str, version: Option<&str>, contained: bool) -> String {
    let place = if contained { " in a container" } else { "" };
    format!("{definition} {}{place}", version.unwrap_or("-"))
}

/// Keeps what a check came to.
///
/// # Errors
/// When the disk refuses.
pub fn remember(home: &Home, checked: &Checked) -> Result<(), WireError> {
    // What cannot be read is put aside: this check is known again, and nothing is thrown away.
    let mut past = match Past::read(home) {
        Ok(past) => past,
        Err(_) => put_aside(home)?,
    };
    let outcome = Outcome {
        name: checked.name.clone(),
        passed: checked.passed,
        why: checked.traps.first().cloned(),
        at_ms: SystemClock.now_ms(),
    };
    past.0.insert(
        key(&checked.definition, checked.version.as_deref(), checked.contained),
        outcome,
    );
    let text = serde_json::to_string_pretty(&past).map_err(WireError::internal)?;
    let path = file(home);
    std::fs::create_dir_all(home.path())
        .and_then(|()| std::fs::write(&path, text + "\n"))
        .map_err(|error| WireError::storage(say!("{} cannot be written: {error}", path.display())))
}

fn put_aside(home: &Home) -> Result<Past, WireError> {
    let (path, aside) = (file(home), home.path().join("agent-checks.unreadable.json"));
    match std::fs::rename(&path, &aside) {
        Ok(()) => Ok(Past::default()),
        Err(error) => Err(WireError::storage(say!(
            "{} cannot be written: {error}",
            aside.display()
        ))),
    }
}

/// Refuses an agent that failed its last check.
///
/// # Errors
/// The sentence of that check, or that nobody knows what the last checks came to.
pub fn failed_before(
    home: &Home,
    definition: &Definition,
    version: Option<&str>,
    contained: bool,
) -> Result<(), WireError> {
    let mut past = Past::read(home).map_err(|why| {
        let name = &definition.name;
        WireError::bad_request(say!(
            "nobody knows whether {name} failed its check: {why}; check it again with `koab agents check`, or add --unchecked"
        ))
    })?;
    match past.0.remove(&key(&definition.hash(), version, contained)) {
        Some(Outcome {
            name,
            passed: false,
            why,
            ..
        }) => {
            let why = why.unwrap_or_default();
            Err(WireError::bad_request(say!(
                "{name} failed its check: {why}; mend it and check it again with `koab agents check`, or add --unchecked"
            )))
        }
        _ => Ok(()),
    }
}
