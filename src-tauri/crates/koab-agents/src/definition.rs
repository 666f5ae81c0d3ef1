//! How an agent is started, asked and read: data, no code.

use crate::answer::AnswerFrom;
use crate::own_model::OwnModel;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// How a program is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A program that is started with its prompt and ends with its answer.
    Command,
    /// A program that speaks the Agent Client Protocol on its standard streams.
    Acp,
    /// A server that takes a `POST`.
    Http,
    /// A server that speaks A2A (`Agent2Agent`).
    A2a,
    /// A program with a window of its own: a person carries prompt and answer between it and koab.
    #[serde(rename = "mcp-host")]
    McpHost,
}

impl Kind {
    /// Its name in files.
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

/// When a program that has ended counts as failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedWhen {
    /// `nonzero`: every exit code but 0; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<ExitCodes>,
    /// A text on standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_has: Option<String>,
}

/// Exit codes that say that it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitCodes {
    /// All but 0.
    Nonzero,
}

/// Packages of an agent, with their versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packages {
    /// Of npm, such as `@openai/codex@0.169.0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub npm: Vec<String>,
    /// Of `PyPI`, such as `openai-agents==0.24.0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pip: Vec<String>,
}

impl Packages {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.npm.is_empty() && self.pip.is_empty()
    }
}

/// A definition of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub kind: Kind,
    /// The version that this was tried with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<String>,
    /// The form in which it asks its model: `chat`, `responses`, `messages` or `gemini`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<String>,
    /// How it is installed, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// What an image of it holds beside its base.
    #[serde(default, skip_serializing_if = "Packages::is_empty")]
    pub packages: Packages,
    /// What a user has to know of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The command that says its version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub version: Vec<String>,
    /// The program and its arguments. Never a shell's line. Of a server: what starts it; without
    /// one it runs already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// A script beside the definition, `{script}` in its texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// What that script says; a definition of a run has it inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_text: Option<String>,
    /// Files that it finds, by their path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Variables that it finds beside the few that every agent has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Where its answer is; a protocol has a place of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerFrom>,
    /// When it counts as failed although it ended by itself.
    #[serde(default)]
    pub failed: FailedWhen,
    /// The address of a server, such as `http://127.0.0.1:{port}/ask`.
    #[serde(default, alias = "url", skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The body that a server of kind `http` is sent; to one of kind `a2a` the metadata of its
    /// messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    /// What it is told the model's name is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_alias: Option<String>,
    /// How it is started where it asks a model of its own; absent where it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_model: Option<OwnModel>,
    /// Hosts that it asks for by itself. It gets none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// Seconds that an attempt may take.
    #[serde(default = "timeout")]
    pub timeout_s: f64,
}

/// The agent's own proxy clock, longer than a model's: a program starts in up to 19 s.
const TIMEOUT: f64 = 300.0;

fn timeout() -> f64 {
    TIMEOUT
}

impl Definition {
    /// Reads one.
    ///
    /// # Errors
    /// One sentence: what is wrong, and where.
    pub fn read(text: &str, place: &str) -> Result<Self, Sentence> {
        let read: Self = serde_json::from_str(text)
            .map_err(|error| say!("{place} is no definition of an agent: {error}"))?;
        read.check(place)?;
        Ok(read)
    }

    /// What is done by hand is started, asked and read by a person.
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
        match self.timeout_s > 0.0 && self.timeout_s <= 86_400.0 {
            true => Ok(()),
            false => Err(say!("{place}: `timeout_s` must be above 0 and at most 86400")),
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
            return Err(say!("{place}: `address` is missing, where the server is asked"));
        }
        if self.kind == Kind::Http && self.request.is_none() {
            return Err(say!("{place}: `request` is missing, the body that the server is sent"));
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

    /// A server that runs already has to be told of each attempt, whose token and address are its
    /// own.
    fn check_running(&self, place: &str) -> Result<(), Sentence> {
        if !self.tells_of_attempt() {
            return Err(say!(
                "{place}: without `command` the server runs already, and `request` has to tell it where the tools of an attempt are: put {{mcp_token_url}} into it, and {{openai}} and {{token}} for its model"
            ));
        }
        if self.address.as_ref().is_some_and(|address| address.contains("{port}")) {
            return Err(say!(
                "{place}: `address` has {{port}}, which a server that runs already is not told; give its own port"
            ));
        }
        Ok(())
    }

    /// What tells it from every other, its script included.
    pub fn hash(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        sha256_hex(&value.to_string())
    }

    /// What it is told the model's name is.
    pub fn model(&self) -> &str {
        self.model_alias.as_deref().unwrap_or("koab-model")
    }
}

#[cfg(test)]
mod tests;
