//! Agents that call a model of their own and not the gateway: their settings, their keys, and a
//! placeholder for the model, which koab never calls.

use crate::definition::Definition;
use async_trait::async_trait;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::egress::Gate;
use koab_engine::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest};
use serde_json::Value;
use std::sync::Arc;

/// Prefix of the variable in koab's own environment that contains a key for an agent. A key for
/// koab itself is never given to an agent.
const PREFIX: &str = "KOAB_AGENT_";
/// Placeholders whose values are addresses of the gateway.
const GATEWAY: [&str; 3] = ["{openai}", "{anthropic}", "{gemini}"];

/// Name of the variable and value of a key.
pub(crate) type Key = (String, Sensitive<String>);

impl Definition {
    /// The definition, changed by its settings for a model of the agent's own.
    pub(crate) fn with_own_model(self) -> Self {
        let own = self.own_model.clone().unwrap_or_default();
        Self {
            command: own.command.unwrap_or(self.command),
            files: own.files.unwrap_or(self.files),
            env: own.env.unwrap_or(self.env),
            request: own.request.or(self.request),
            ..self
        }
    }

    /// Refuses settings that refer to the gateway, because it does not answer an agent with a model
    /// of its own.
    pub(crate) fn check_own_model(&self, place: &str) -> Result<(), Sentence> {
        if self.own_model.is_none() {
            return Ok(());
        }
        let own = self.clone().with_own_model();
        let request = own.request.as_ref().map(Value::to_string).unwrap_or_default();
        let texts = own.command.iter().chain(own.env.values()).chain(own.files.values());
        let placeholder =
            texts.chain([&request]).find_map(|text| GATEWAY.into_iter().find(|value| text.contains(value)));
        match placeholder {
            Some(value) => Err(say!(
                "{place}: the definition still names {value} of the gateway, which does not answer with `own_model`; give `own_model` a `command`, `files` or `env` of its own"
            )),
            None => own.check_own_request(place),
        }
    }

    /// Refuses an agent that is a server running already, if the `request` that koab sends it does
    /// not contain the address of the attempt's tools.
    fn check_own_request(&self, place: &str) -> Result<(), Sentence> {
        if self.runs_already() && !self.tells_of_attempt() {
            return Err(say!(
                "{place}: without `command` the server runs already, and the `request` of `own_model` has to tell it where the tools of an attempt are: put {{mcp_token_url}} into it"
            ));
        }
        Ok(())
    }

    /// Checks that a run can be made with the agent's own model, including its keys.
    ///
    /// # Errors
    /// One sentence with the reason why the run cannot be made.
    pub fn check_own_run(&self, gate: &Gate) -> Result<(), Sentence> {
        let name = &self.name;
        if !self.can_own_model() {
            return Err(say!(
                "{name} cannot be run with a model of its own: its definition has no `own_model`; leave --own-model out, or add it to a copy"
            ));
        }
        if gate.offline().is_some() && self.is_by_hand() {
            return Err(say!(
                "{name} is a program of your own that asks its model over the network, and koab is offline; go online"
            ));
        }
        if gate.offline().is_some() {
            return Err(say!(
                "{name} asks a model of its own over the network, and koab is offline; leave --own-model out, or go online"
            ));
        }
        self.keys().map(drop)
    }

    /// Keys of the agent's own model, by the names of koab's own environment variables.
    ///
    /// # Errors
    /// When a key is missing.
    pub fn named_keys(&self) -> Result<Vec<(String, Sensitive<String>)>, Sentence> {
        let keys = self.keys()?.into_iter();
        Ok(keys.map(|(name, key)| (format!("{PREFIX}{name}"), key)).collect())
    }

    /// Keys of the agent's own model, by the names of the agent's environment variables.
    pub(crate) fn keys(&self) -> Result<Vec<Key>, Sentence> {
        let names = self.own_model.iter().flat_map(|own| &own.keys);
        let read = |name: &String| {
            let from = format!("{PREFIX}{name}");
            match std::env::var(&from) {
                Ok(value) if !value.is_empty() => Ok((name.clone(), value.into())),
                _ => Err(say!(
                    "the key {name} of the agent's own model is missing; put it into the environment variable {from}"
                )),
            }
        };
        names.map(read).collect()
    }
}

/// Model of a run whose agent calls its own model. koab must not call it, so every call returns an
/// error.
pub fn unasked_model() -> Arc<dyn ModelAdapter> {
    Arc::new(NoModel)
}

struct NoModel;

#[async_trait]
impl ModelAdapter for NoModel {
    async fn complete(&self, _request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        Err(ModelError::Embedded(say!("the run's agent asks a model of its own")))
    }
}

#[cfg(test)]
mod tests;
