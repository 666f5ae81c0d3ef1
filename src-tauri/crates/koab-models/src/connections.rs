//! Connections: models under names of the user's, what their servers list, and whether a model there calls tools.

use crate::limits::provider;
use crate::{LocalUse, ModelAddress, Models, SpendingCaps};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolSpec;
use koab_engine::egress::Purpose;
use koab_engine::ports::{AttemptRef, Cancel, Message, ModelRequest, ToolChoice};
use koab_engine::retry::RetryPolicy;
use koab_engine::single_call::{CallError, ask_once};
use koab_providers::registry::ModelId;
use koab_workspace::connections::{self, Connection};
use koab_workspace::{ErrorCode, WireError};
use serde::Serialize;
use serde_json::json;
use std::time::{Duration, Instant};
use ts_rs::TS;

/// Longest time for the probe's answer: a server that loads the model first takes its time.
const PATIENCE: Duration = Duration::from_secs(120);
/// Output tokens of the probe, with room for a model that thinks first.
const TOKENS: u32 = 1024;

/// What a model did when it was offered one tool and asked for what the tool gives.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export)]
pub struct ModelProbe {
    /// Whether it called the tool, with arguments that are a JSON object.
    pub called: bool,
    /// What it wrote beside or instead, at most 300 characters.
    pub text: String,
    /// Seconds from request to answer.
    pub seconds: f64,
    /// Tokens of the question and the answer, as the server counted them; `null` when it did not.
    #[ts(type = "number | null")]
    pub tokens: Option<u64>,
}

impl Models {
    /// The connections of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn connections(&self) -> Result<Vec<Connection>, WireError> {
        self.workspace.connections()
    }

    /// Keeps a connection, in the place of the one that has its name.
    ///
    /// # Errors
    /// When it makes no sense, or the workspace cannot be written.
    pub fn connect(&self, connection: Connection) -> Result<Connection, WireError> {
        let mut settings = self.workspace.settings()?;
        let name = connection.name.trim().to_lowercase();
        settings.connections.retain(|one| one.name != name);
        settings.connections.push(connection);
        let kept = self.workspace.settings_set(settings)?.settings.connections;
        kept.into_iter()
            .find(|one| one.name == name)
            .ok_or_else(|| WireError::internal(say!("the connection was not kept")))
    }

    /// Forgets a connection, and its models among the default judges, which are the answer. Runs and reports hold the provider
    /// and the address themselves.
    ///
    /// # Errors
    /// When there is none of this name, or the workspace cannot be written.
    pub fn disconnect(&self, name: &str) -> Result<Vec<String>, WireError> {
        let mut settings = self.workspace.settings()?;
        let before = settings.connections.len();
        settings
            .connections
            .retain(|one| !one.name.eq_ignore_ascii_case(name.trim()));
        if settings.connections.len() == before {
            return Err(WireError::not_found(say!(
                "there is no connection {name}; `koab models connections` lists them"
            )));
        }
        let is_of = |id: &String| {
            id.split_once('/')
                .is_some_and(|(of, _)| of.eq_ignore_ascii_case(name.trim()))
        };
        let judges = settings.judges.extract_if(.., |id| is_of(id)).collect();
        self.workspace.settings_set(settings)?;
        Ok(judges)
    }

    /// A model id with its connection's name replaced by provider and address.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn resolve(&self, id: &str, base_url: Option<&str>) -> Result<ModelAddress, WireError> {
        Ok(connections::resolve(&self.workspace.connections()?, id, base_url))
    }

    /// Refuses an address that no connection to the model's provider has: the provider's key goes there, and where keys go is for
    /// the user to say.
    ///
    /// # Errors
    /// When there is no such connection, or the workspace cannot be read.
    pub fn check_connected(&self, id: &str, base_url: Option<&str>) -> Result<(), WireError> {
        let tidy = |url: &str| url.trim().trim_end_matches('/').to_owned();
        let Some(address) = base_url.map(tidy).filter(|url| !url.is_empty()) else {
            return Ok(());
        };
        let connections = self.workspace.connections()?;
        let provider = provider(&connections::resolve(&connections, id, None).id);
        let is_of = |one: &Connection| {
            one.provider == provider && one.base_url.as_deref().map(tidy).as_ref() == Some(&address)
        };
        if connections.iter().any(is_of) {
            return Ok(());
        }
        Err(WireError::bad_request(say!(
            "no connection of the workspace to {provider} has the address {address}; the user makes one with `koab models connect`, since the key of {provider} is sent there"
        )))
    }

    /// Judges of one scoring, resolved; all of them are asked at one address, or each at its provider's own.
    ///
    /// # Errors
    /// When their connections lead to different addresses.
    pub fn resolve_judges(
        &self,
        ids: &[String],
        base_url: Option<&str>,
    ) -> Result<(Vec<String>, Option<String>), WireError> {
        let mut all = Vec::new();
        for id in ids {
            all.push(self.resolve(id, base_url)?);
        }
        let first = all.first().and_then(|one| one.base_url.clone());
        if let Some(at) = all.iter().position(|one| one.base_url != first) {
            return Err(WireError::bad_request(say!(
                "{} and {} are at different addresses; name judges of one address, or of providers at their own",
                ids[0],
                ids[at]
            )));
        }
        Ok((all.into_iter().map(|one| one.id).collect(), first))
    }

    /// Refuses models of no provider, before anything is estimated or asked. Their ids are as [`Models::resolve_judges`] gives them.
    ///
    /// # Errors
    /// When an id is not a model id, or its provider is not known.
    pub fn check_providers(&self, ids: &[String]) -> Result<(), WireError> {
        for id in ids
            .iter()
            .filter(|id| !id.to_ascii_lowercase().starts_with("local/"))
        {
            ModelId::parse(id).map_err(|error| WireError::bad_request(error.to_sentence()))?;
        }
        Ok(())
    }

    /// Names of the models that a provider's server lists, sorted; `None` where it lists none.
    ///
    /// # Errors
    /// When the provider is not known, its key is missing or refused, or nobody answers.
    pub async fn models_at(
        &self,
        provider: &str,
        base_url: Option<&str>,
    ) -> Result<Option<Vec<String>>, WireError> {
        // The list is the server's, whatever the model.
        let any = format!("{}/-", provider.trim());
        let local = LocalUse::default();
        let opened = self
            .open(&any, base_url, None, &[], local, Purpose::Model)
            .await?;
        Ok(opened.model.models().await?)
    }

    /// Offers a model one tool and asks for what it gives: whether it calls tools at all. Takes some hundred tokens.
    ///
    /// # Errors
    /// When the model cannot be asked.
    pub async fn model_probe(&self, id: &str, base_url: Option<&str>) -> Result<ModelProbe, WireError> {
        let ModelAddress { id, base_url } = self.resolve(id, base_url)?;
        let local = LocalUse::default();
        let opened = self
            .open(&id, base_url.as_deref(), None, &[], local, Purpose::Model)
            .await?;
        let budget = self.gateway_budget(&id, "connection test", &SpendingCaps::default())?;
        let model = self.limited(opened, Some(1), budget);
        let tools = [ToolSpec {
            name: "weather_today".to_owned(),
            description: "Today's weather of a city".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": { "city": { "type": "string" } },
                "required": ["city"],
            }),
        }];
        let messages = [Message::User("오늘 서울 날씨를 도구로 조회해 줘.".to_owned())];
        let began = Instant::now();
        let request = ModelRequest {
            messages: &messages,
            tools: &tools,
            tool_choice: ToolChoice::Auto,
            listener: None,
            temperature: 0.0,
            max_tokens: Some(TOKENS),
            effort: None,
            seed: None,
            answer_schema: None,
            given: None,
            attempt: AttemptRef::default(),
        };
        let reply = ask_once(
            &*model,
            request,
            &RetryPolicy::default(),
            PATIENCE,
            &Cancel::new(),
        )
        .await
        .map_err(|fault| match fault {
            CallError::Model(error) => error.into(),
            other => WireError::new(ErrorCode::ModelUnreachable, other.to_sentence()),
        })?;
        let is_object = |arguments: &str| {
            serde_json::from_str::<serde_json::Value>(arguments).is_ok_and(|value| value.is_object())
        };
        Ok(ModelProbe {
            called: reply
                .calls
                .iter()
                .any(|call| call.name == tools[0].name && is_object(&call.arguments)),
            text: reply.content.trim().chars().take(300).collect(),
            seconds: began.elapsed().as_secs_f64(),
            tokens: reply.usage.map(|usage| usage.total_tokens),
        })
    }
}

#[cfg(test)]
mod tests;
