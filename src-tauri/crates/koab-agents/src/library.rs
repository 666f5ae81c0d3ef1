//! The library of definitions, which contains the shipped definitions and definitions in files.

use crate::catalog;
use crate::check_history::{CheckHistory, LastCheck};
use crate::definition::Definition;
use crate::isolation;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::egress::Gate;
use koab_engine::files;
use koab_workspace::{Home, WireError};
use serde::Serialize;
use std::path::Path;
use ts_rs::TS;

/// A definition in the list of definitions.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AgentRow {
    /// Name of the agent.
    pub name: String,
    /// Kind of the agent.
    pub kind: String,
    /// Version of the agent with which the definition was tested.
    pub verified: Option<String>,
    /// API format of the agent's calls of its model.
    pub wire: Option<String>,
    /// Command that installs the agent.
    pub install: Option<String>,
    /// Whether the agent can run with a model and a key of its own.
    pub own_model: bool,
    /// Whether a new run with the agent would be made in containers.
    pub contained: bool,
    /// Warning that new runs are not made in containers, or the reason why they are refused.
    pub remark: Option<Sentence>,
    /// Result of the last check of this definition, in a container or on this computer, wherever
    /// runs would be made; null without a check.
    pub checked: Option<LastCheck>,
}

/// The shipped definitions, in the order of their names.
///
/// # Errors
/// When a shipped definition is not valid, which is a bug of this program.
pub async fn list(home: &Home, gate: &Gate) -> Result<Vec<AgentRow>, WireError> {
    let (history, engine) = (CheckHistory::read(home), isolation::engine(gate).await);
    let mut rows = Vec::new();
    for name in catalog::names() {
        rows.push(row_of(open(name)?, home, gate, &history, &engine).await);
    }
    Ok(rows)
}

/// Row of a shipped definition, or of a definition in a file.
///
/// # Errors
/// When there is no such agent.
pub async fn row(named: &str, home: &Home, gate: &Gate) -> Result<AgentRow, WireError> {
    let engine = isolation::engine(gate).await;
    Ok(row_of(open(named)?, home, gate, &CheckHistory::read(home), &engine).await)
}

async fn row_of(
    definition: Definition,
    home: &Home,
    gate: &Gate,
    history: &Result<CheckHistory, Sentence>,
    engine: &isolation::EngineLookup,
) -> AgentRow {
    let remark = isolation::remark(&definition, home, gate, engine).await;
    let checked = match history {
        Ok(history) => history.last(&definition.hash(), remark.is_none()),
        // A run refuses the agent in this case as well.
        Err(why) => Some(LastCheck { passed: false, why: Some(why.clone()) }),
    };
    AgentRow {
        kind: definition.kind.as_str().to_owned(),
        own_model: definition.own_model.is_some(),
        contained: remark.is_none(),
        checked,
        remark,
        name: definition.name,
        verified: definition.verified,
        wire: definition.wire,
        install: definition.install,
    }
}

/// Opens a definition by its name or from a file, with its script.
///
/// # Errors
/// When there is no definition of that name, or the file is not a definition.
pub fn open(named: &str) -> Result<Definition, WireError> {
    let bad = WireError::bad_request;
    if let Some((text, script)) = catalog::find(named) {
        let definition = Definition::read(text, named).map_err(bad)?;
        return Ok(Definition { script_text: script.map(str::to_owned), ..definition });
    }
    let path = Path::new(named);
    if !path.is_file() {
        let names: Vec<&str> = catalog::names().collect();
        return Err(WireError::not_found(say!(
            "there is no agent `{named}`, and no such file; there are {}",
            names.join(", ")
        )));
    }
    let text = files::text(path).map_err(bad)?;
    let mut definition = Definition::read(&text, named).map_err(bad)?;
    if let (Some(script), None) = (&definition.script, &definition.script_text) {
        let beside = path.parent().unwrap_or(Path::new("")).join(script);
        let text = files::text(&beside).map_err(bad)?;
        definition.script_text = Some(text);
    }
    Ok(definition)
}

/// Definition that is stored in the folder of an existing run. A resumed run uses it, even if the
/// library's definition has changed.
///
/// # Errors
/// When the run's folder has no definition.
pub fn reopen(folder: &Path) -> Result<Definition, WireError> {
    crate::run::definition_of(folder)
}

/// Writes a copy of a definition, with its script next to it, so that the user can change it.
///
/// # Errors
/// When there is no such definition, or a file of that name already exists.
pub fn copy(from: &str, to: &Path) -> Result<Vec<String>, WireError> {
    let definition = open(from)?;
    let name = to.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let script = definition.script_text.clone();
    let beside = script.as_ref().map(|_| to.with_extension("py"));
    let script_name = beside.as_ref().and_then(|path| path.file_name());
    let copy = Definition {
        name,
        script: script_name.map(|name| name.to_string_lossy().into_owned()),
        script_text: None,
        ..definition
    };
    let text = serde_json::to_string_pretty(&copy).map_err(WireError::internal)? + "\n";
    let mut paths = Vec::new();
    for (path, text) in [(Some(to.to_owned()), Some(text)), (beside, script)] {
        let (Some(path), Some(text)) = (path, text) else {
            continue;
        };
        write_new(&path, &text).map_err(WireError::bad_request)?;
        paths.push(path.display().to_string());
    }
    Ok(paths)
}

fn write_new(path: &Path, text: &str) -> Result<(), Sentence> {
    use std::io::Write as _;
    let file = std::fs::File::create_new(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            say!("{} is there already; name another file", path.display())
        }
        _ => say!("{} cannot be written: {error}", path.display()),
    })
}

#[cfg(test)]
mod tests;
