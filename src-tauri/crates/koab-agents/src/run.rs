//! The agent of a run: one listener, one proxy, and one attempt after the other.

use crate::attempt::AttemptMaker;
use crate::definition::Definition;
use crate::folder;
use crate::isolation::Isolation;
use crate::own_run::Key;
use crate::proxy::Proxy;
use async_trait::async_trait;
use koab_core::run_record::TokenUsage;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use koab_engine::ports::{Agent, AgentEnd, AgentWork, ByHand};
use koab_gateway::{Gateway, RunModel, read_calls};
use koab_scenarios::relay::Relay;
use koab_workspace::WireError;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Name of the folder with the attempts of a run, inside the run's folder.
pub(crate) const AGENTS: &str = "agents";
/// Name of the file with the definition of a run. A resumed run uses this definition.
const DEFINITION: &str = "definition.json";

/// An agent that is configured for one run: its definition, its isolation, and the gateway that it
/// calls the model through.
pub struct RunAgent {
    definition: Definition,
    isolation: Isolation,
    /// Model name with which the agent is configured. It need not be the id of the run's model.
    model: String,
    /// Keys of the agent's own model.
    keys: Vec<Key>,
    gateway: Gateway,
    proxy: Proxy,
    by_hand: Option<ByHand>,
    agents: PathBuf,
    /// Temporary folder of a run that stores nothing.
    _nowhere: Option<TempDir>,
}

impl RunAgent {
    /// Opens the listener for a run whose files are in this folder; `None` for a run that stores
    /// nothing.
    ///
    /// # Errors
    /// One sentence, when the listener cannot be opened or the folder cannot be used.
    pub async fn begin(
        definition: Definition,
        isolation: Isolation,
        model: RunModel,
        folder: Option<&Path>,
    ) -> Result<Self, WireError> {
        let keys = if isolation.is_own_model() {
            definition.keys().map_err(WireError::bad_request)?
        } else {
            Vec::new()
        };
        let model_name = if isolation.is_own_model() {
            model.id.split_once('/').map_or(&*model.id, |(_, name)| name).to_owned()
        } else {
            definition.model().to_owned()
        };
        let gateway = Gateway::for_run(model, vec![Relay::address()]).await?;
        let proxy = Proxy::up(gateway.port()).await.map_err(WireError::storage)?;
        let (agents, nowhere) = match folder {
            Some(folder) => (folder.join(AGENTS), None),
            None => {
                let nowhere = tempfile::tempdir().map_err(WireError::storage)?;
                (nowhere.path().to_owned(), Some(nowhere))
            }
        };
        write_definition(&agents, &definition)?;
        // An agent changes its folder before it names paths in it.
        let agents = agents.canonicalize().map_err(WireError::storage)?;
        let definition = if isolation.is_own_model() { definition.with_own_model() } else { definition };
        Ok(Self {
            definition,
            isolation,
            model: model_name,
            keys,
            gateway,
            proxy,
            by_hand: None,
            agents,
            _nowhere: nowhere,
        })
    }

    /// Sets the person who copies prompts and answers, for an agent that is used by hand.
    #[must_use]
    pub fn carried(mut self, by_hand: Option<ByHand>) -> Self {
        self.by_hand = by_hand;
        self
    }

    /// Hosts that the attempts requested and did not reach.
    pub fn hosts_asked_for(&self) -> Vec<String> {
        self.proxy.host_log().hosts()
    }
}

impl Drop for RunAgent {
    fn drop(&mut self) {
        for (attempt, calls) in self.gateway.late_calls() {
            folder::note_late(&self.agents, &attempt, calls);
        }
    }
}

#[async_trait]
impl Agent for RunAgent {
    async fn attempt(&self, work: AgentWork<'_>) -> Result<AgentEnd, Sentence> {
        let bench = AttemptMaker {
            definition: &self.definition,
            containers: self.isolation.containers(),
            model: &self.model,
            own_model: self.isolation.is_own_model().then_some(&self.keys),
            gateway: &self.gateway,
            proxy: &self.proxy,
            by_hand: self.by_hand.as_ref(),
            agents: &self.agents,
        };
        bench.attempt(work).await
    }
}

/// Stores the definition in the folder of a run whose attempts other processes make.
///
/// # Errors
/// When the disk refuses.
pub fn keep(folder: &Path, definition: &Definition) -> Result<(), WireError> {
    write_definition(&folder.join(AGENTS), definition)
}

fn write_definition(agents: &Path, definition: &Definition) -> Result<(), WireError> {
    std::fs::create_dir_all(agents).map_err(WireError::storage)?;
    let (path, text) = (
        agents.join(DEFINITION),
        serde_json::to_string_pretty(definition).map_err(WireError::internal)? + "\n",
    );
    // Other workers of the run may be reading it, so an equal file is not written again.
    if std::fs::read_to_string(&path).is_ok_and(|there| there == text) {
        Ok(())
    } else {
        std::fs::write(path, text).map_err(WireError::storage)
    }
}

/// Definition of the run in this folder.
///
/// # Errors
/// When the file cannot be read or is not a definition.
pub(crate) fn definition_of(folder: &Path) -> Result<Definition, WireError> {
    let path = folder.join(AGENTS).join(DEFINITION);
    let text = std::fs::read_to_string(&path).map_err(WireError::storage)?;
    Definition::read(&text, &path.display().to_string()).map_err(WireError::bad_request)
}

/// Token usage of all attempts of a run, or of the attempts of a part that a worker of a cluster
/// makes. Interrupted attempts are included.
///
/// For a part that is resumed after a merge, the merged attempts count twice
/// (`docs/design/agents.md`, *On a cluster*).
///
/// # Errors
/// When a record cannot be read.
pub fn spent(folder: &Path, part: Option<Vec<(String, u32)>>) -> Result<TokenUsage, WireError> {
    let (agents, mut sum) = (folder.join(AGENTS), TokenUsage::default());
    let paths = match part {
        Some(part) => part
            .iter()
            .flat_map(|(task, repetition)| records(&folder::of_attempt(&agents, task, *repetition), 0))
            .collect(),
        None => records(&agents, 3),
    };
    for path in paths {
        for call in read_calls(&path)? {
            sum += call.usage.unwrap_or_default();
        }
    }
    Ok(sum)
}

/// Record files of model calls, at most `depth` folders deep.
fn records(folder: &Path, depth: u32) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = name_of(&path);
        let kind = path.symlink_metadata();
        if kind.as_ref().is_ok_and(std::fs::Metadata::is_dir) && depth > 0 && !folder::is_agent_s(&name) {
            paths.extend(records(&path, depth - 1));
        } else if name.starts_with(folder::MODEL_CALLS.trim_end_matches(".jsonl")) && name.ends_with(".jsonl")
        {
            paths.push(path);
        }
    }
    paths
}

/// API formats of the model calls in the attempts of this folder, in the order of first use.
///
/// # Errors
/// When a record cannot be read.
pub(crate) fn forms(folder: &Path) -> Result<Vec<String>, WireError> {
    let mut forms = Vec::new();
    for path in records(&folder.join(AGENTS), 3) {
        for call in read_calls(&path)? {
            let form = serde_json::to_value(call.form).map_err(WireError::internal)?;
            let form = form.as_str().unwrap_or_default().to_owned();
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    Ok(forms)
}

/// Whether a process of an agent was still running after the agent's end, in any attempt of this
/// folder.
pub(crate) fn outlived(folder: &Path) -> bool {
    let has_outlived = |path: PathBuf| {
        let text = std::fs::read_to_string(path.with_file_name(folder::ATTEMPT)).unwrap_or_default();
        serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|told| told["outlived"] == true)
    };
    records(&folder.join(AGENTS), 3).into_iter().any(has_outlived)
}

#[cfg(test)]
mod tests;
