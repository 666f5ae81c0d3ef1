//! The definition of an agent: data that describes how the agent is started, how it gets the
//! prompt, and how its answer is read.

use crate::answer::AnswerFrom;
use crate::own_model::OwnModel;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Kind of an agent: how koab communicates with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A program that is started with its prompt and ends with its answer.
    Command,
    /// A program that speaks the Agent Client Protocol on its standard streams.
    Acp,
    /// A server that receives the prompt in a `POST` request.
    Http,
    /// A server that speaks A2A (`Agent2Agent`).
    A2a,
    /// A program with a window of its own. A person copies the prompt from koab to the program, and
    /// the answer back.
    #[serde(rename = "mcp-host")]
    McpHost,
}

impl Kind {
    /// Name of the kind in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Acp => "acp",
            Self::Http => "http",
            Self::A2a => "a2a",
            Self::McpHost => "mcp-host",
        }
    }
}

/// Conditions under which an ended program counts as failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedWhen {
    /// Exit codes that mean a failure: `nonzero` for all except 0, absent for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<ExitCodes>,
    /// Text on standard output that means a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_has: Option<String>,
}

/// Exit codes that mean a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitCodes {
    /// All codes except 0.
    Nonzero,
}

/// Packages that an agent consists of, with their versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packages {
    /// Packages from npm, such as `@openai/codex@0.169.0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub npm: Vec<String>,
    /// Packages from `PyPI`, such as `openai-agents==0.24.0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pip: Vec<String>,
}

impl Packages {
    /// Whether there are no packages.
    pub fn is_empty(&self) -> bool {
        self.npm.is_empty() && self.pip.is_empty()
    }
}

/// A definition of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Name of the agent.
    pub name: String,
    /// Kind of the agent.
    pub kind: Kind,
    /// Version of the agent with which the definition was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<String>,
    /// API format of the agent's calls of its model: `chat`, `responses`, `messages` or `gemini`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<String>,
    /// Command that installs the agent. It is only displayed to users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// Packages that the agent's image has in addition to its base.
    #[serde(default, skip_serializing_if = "Packages::is_empty")]
    pub packages: Packages,
    /// Note for users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Command that prints the agent's version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub version: Vec<String>,
    /// Program and its arguments, not a shell command line. For a server, the command starts the
    /// server; without a command, the server must be running already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Name of the script next to the definition, for an agent that is a library and needs a
    /// program around it. The texts of the definition refer to the script as `{script}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Content of the script. The definition of a run includes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_text: Option<String>,
    /// Files that are written for the agent, by their path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Environment variables of the agent, in addition to those that every agent has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Place of the agent's answer; absent for a protocol that defines the place itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerFrom>,
    /// Conditions under which the agent counts as failed although it ended by itself.
    #[serde(default)]
    pub failed: FailedWhen,
    /// Address of a server, such as `http://127.0.0.1:{port}/ask`.
    #[serde(default, alias = "url", skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Body of the request to a server of kind `http`. For kind `a2a`, metadata of the messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    /// Model name with which the agent is configured; `koab-model` if absent. It need not be the id
    /// of the run's model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_alias: Option<String>,
    /// Settings for running the agent with a model of its own; absent for an agent that cannot have
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_model: Option<OwnModel>,
    /// Hosts that the agent contacts on its own, for example for updates. The list is only for
    /// people: the proxy of an attempt refuses these hosts like all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// Time limit of an attempt in seconds.
    #[serde(default = "timeout")]
    pub timeout_s: f64,
}

/// Default time limit of an attempt in seconds. It is longer than the limit for a model without an
/// agent, because a program takes up to 19 s to start.
const DEFAULT_TIMEOUT_S: f64 = 300.0;

fn timeout() -> f64 {
    DEFAULT_TIMEOUT_S
}

impl Definition {
    /// Reads a definition.
    ///
    /// # Errors
    /// When the definition is not valid. The error is one sentence that names the faulty field.
    pub fn read(text: &str, place: &str) -> Result<Self, Sentence> {
        let read: Self = serde_json::from_str(text)
            .map_err(|error| say!("{place} is not a definition of an agent: {error}"))?;
        read.check(place)?;
        Ok(read)
    }

    /// Refuses settings that have no effect if a person starts the agent and copies prompt and
    /// answer.
    fn check_by_hand(&self, place: &str) -> Result<(), Sentence> {
        let is_told = self.address.is_some() || self.request.is_some() || self.answer.is_some();
        if is_told || !self.command.is_empty() || self.own_model.is_some() {
            return Err(say!(
                "{place}: an agent of kind mcp-host is started, asked and read by hand; leave `command`, `address`, `request`, `answer` and `own_model` out"
            ));
        }
        self.check_time(place)
    }

    fn check_time(&self, place: &str) -> Result<(), Sentence> {
        if self.timeout_s > 0.0 && self.timeout_s <= 86_400.0 {
            Ok(())
        } else {
            Err(say!("{place}: `timeout_s` must be above 0 and at most 86400"))
        }
    }

    fn check(&self, place: &str) -> Result<(), Sentence> {
        let is_server = matches!(self.kind, Kind::Http | Kind::A2a);
        if self.name.trim().is_empty() {
            return Err(say!("{place}: `name` is empty"));
        }
        if self.kind == Kind::McpHost {
            return self.check_by_hand(place);
        }
        if self.command.is_empty() && !is_server {
            return Err(say!("{place}: `command` is missing; it is a list of the program and its arguments"));
        }
        if is_server && self.address.is_none() {
            return Err(say!("{place}: `address` is missing; it is the address of the server"));
        }
        if self.kind == Kind::Http && self.request.is_none() {
            return Err(say!("{place}: `request` is missing; it is the body that is sent to the server"));
        }
        if self.runs_already() {
            self.check_running(place)?;
        }
        if matches!(self.kind, Kind::Command | Kind::Http) && self.answer.is_none() {
            return Err(say!("{place}: `answer` is missing; it says where the answer is read"));
        }
        self.check_time(place)?;
        if let Some(answer) = &self.answer {
            answer.check().map_err(|why| say!("{place}: `answer` {why}"))?;
        }
        self.check_own_model(place)
    }

    /// Refuses a running server whose requests do not contain the token or address of the attempt.
    /// Each attempt has its own token and address.
    fn check_running(&self, place: &str) -> Result<(), Sentence> {
        if !self.tells_of_attempt() {
            return Err(say!(
                "{place}: without `command` the server runs already, and `request` has to tell it where the tools of an attempt are: put {{mcp_token_url}} into it, and {{openai}} and {{token}} for its model"
            ));
        }
        if self.address.as_ref().is_some_and(|address| address.contains("{port}")) {
            return Err(say!(
                "{place}: `address` has {{port}}, but a server that runs already cannot be given a port; write the server's own port"
            ));
        }
        Ok(())
    }

    /// Hash of the whole definition, including its script.
    pub fn hash(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        sha256_hex(&value.to_string())
    }

    /// Model name with which the agent is configured.
    pub fn model(&self) -> &str {
        self.model_alias.as_deref().unwrap_or("koab-model")
    }
}

#[cfg(test)]
mod tests;
