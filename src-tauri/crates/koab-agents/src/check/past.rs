//! What checks came to, kept in the workspace: a run refuses an agent that failed with the same definition and version.

use super::Checked;
use crate::definition::Definition;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::{Home, WireError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// By the hash of the definition and the version.
type Past = BTreeMap<String, Outcome>;

#[derive(Serialize, Deserialize)]
struct Outcome {
    name: String,
    passed: bool,
    why: Option<Sentence>,
}

fn file(home: &Home) -> PathBuf {
    home.path().join("agent-checks.json")
}

fn read(home: &Home) -> Past {
    // What cannot be read was never checked.
    let text = std::fs::read_to_string(file(home)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn key(definition: &str, version: Option<&str>) -> String {
    format!("{definition} {}", version.unwrap_or("-"))
}

/// Keeps what a check came to.
///
/// # Errors
/// When the disk refuses.
pub fn remember(home: &Home, checked: &Checked) -> Result<(), WireError> {
    let mut past = read(home);
    let outcome = Outcome {
        name: checked.name.clone(),
        passed: checked.passed,
        why: checked.traps.first().cloned(),
    };
    past.insert(key(&checked.definition, checked.version.as_deref()), outcome);
    let text = serde_json::to_string_pretty(&past).map_err(WireError::internal)?;
    let path = file(home);
    std::fs::create_dir_all(home.path())
        .and_then(|()| std::fs::write(&path, text + "\n"))
        .map_err(|error| WireError::storage(say!("{} cannot be written: {error}", path.display())))
}

/// Refuses an agent that failed its last check.
///
/// # Errors
/// The sentence of that check.
pub fn failed_before(home: &Home, definition: &Definition, version: Option<&str>) -> Result<(), WireError> {
    match read(home).remove(&key(&definition.hash(), version)) {
        Some(Outcome {
            name,
            passed: false,
            why,
        }) => {
            let why = why.unwrap_or_default();
            Err(WireError::bad_request(say!(
                "{name} failed its check: {why}; mend it and check it again with `koab agents check`, or add --unchecked"
            )))
        }
        _ => Ok(()),
    }
}
