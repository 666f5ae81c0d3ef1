//! Connections: names that the user gives to servers of models, so that `name/model` is a model id
//! everywhere.

use crate::WireError;
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_providers::registry::{self, Location, ModelId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use ts_rs::TS;

/// Maximum number of characters in the name of a connection.
const LONGEST: usize = 40;
/// Separator between an agent and the model that it drives.
const AGENT: &str = " · ";

/// A provider of models at an address, under a name that the user gave. Requests use the provider's
/// key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct Connection {
    /// First part of its models' ids, before the slash: lower-case letters, digits, `-`, `_` and
    /// `.`.
    pub name: String,
    /// Name of the provider in the registry, such as `openai_compat` or `ollama`.
    pub provider: String,
    /// Address of the server. `null` means the provider's own.
    pub base_url: Option<String>,
    /// Models to offer, by the server's names for them.
    pub models: Vec<String>,
}

/// Validates and normalizes connections.
///
/// # Errors
/// One sentence about the first invalid connection.
pub(crate) fn checked(connections: Vec<Connection>) -> Result<Vec<Connection>, WireError> {
    let mut names = BTreeSet::new();
    let mut tidy = Vec::with_capacity(connections.len());
    for connection in connections {
        let connection = one(connection)?;
        if !names.insert(connection.name.clone()) {
            return Err(WireError::bad_request(say!(
                "there is a connection {} already; give this one another name",
                connection.name
            )));
        }
        tidy.push(connection);
    }
    Ok(tidy)
}

fn one(connection: Connection) -> Result<Connection, WireError> {
    let name = connection.name.trim().to_lowercase();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_plain) {
        return Err(WireError::bad_request(say!(
            "`{name}` cannot name a connection; use up to {LONGEST} letters a to z, digits, -, _ and ."
        )));
    }
    if registry::list().iter().any(|provider| provider.name == name) {
        return Err(WireError::bad_request(say!("{name} is a provider; give the connection another name")));
    }
    let provider = connection.provider.trim().to_lowercase();
    let entry = registry::list().iter().find(|entry| entry.name == provider);
    let Some(entry) =
        entry.filter(|entry| !matches!(entry.location, Location::Baseline | Location::Embedded))
    else {
        return Err(WireError::bad_request(say!("`{provider}` is not a provider of models behind a server")));
    };
    let base_url = connection.base_url.map(|url| url.trim().trim_end_matches('/').to_owned());
    let base_url = base_url.filter(|url| !url.is_empty());
    match &base_url {
        None if entry.location == Location::Named => {
            return Err(WireError::bad_request(say!(
                "the connection {name} has no address; give one like http://localhost:8000/v1"
            )));
        }
        None => {}
        Some(url) => {
            registry::check_base_url(url).map_err(|error| WireError::bad_request(error.to_sentence()))?
        }
    }
    let mut models: Vec<String> = Vec::new();
    for model in connection.models {
        let model = model.trim().to_owned();
        if !model.is_empty() && !models.contains(&model) {
            models.push(model);
        }
    }
    Ok(Connection { name, provider, base_url, models })
}

/// Model id whose connection name has been replaced by the provider and address. An id without a
/// connection is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelAddress {
    /// `provider/model`.
    pub id: String,
    /// Address of the server, if it differs from the provider's own.
    pub base_url: Option<String>,
}

/// Resolves a model id with the given connections. An explicit address takes precedence over the
/// address of the connection.
pub fn resolve(connections: &[Connection], id: &str, base_url: Option<&str>) -> ModelAddress {
    let explicit_url = base_url.map(str::trim).filter(|url| !url.is_empty()).map(str::to_owned);
    let connection = id.trim().split_once('/').and_then(|(name, model)| {
        let connection = connections.iter().find(|one| one.name.eq_ignore_ascii_case(name))?;
        Some((connection, model))
    });
    match connection {
        Some((connection, model)) => ModelAddress {
            id: format!("{}/{model}", connection.provider),
            base_url: explicit_url.or_else(|| connection.base_url.clone()),
        },
        None => ModelAddress { id: id.to_owned(), base_url: explicit_url },
    }
}

/// Display name of a model at an address. [`resolve`] and [`id_of`] turn the name back into an id.
///
/// The name is `connection/model` if a connection has the provider and address, otherwise the id.
/// An agent that drove the model, in front of the last ` · `, stays part of the name.
pub fn named(connections: &[Connection], id: &str, base_url: Option<&str>) -> String {
    let (agent, of_model) = behind_agent(id);
    let whole = |url: &'_ str| url.trim().trim_end_matches('/').to_owned();
    let leads_there = |one: &&Connection, provider: &str| {
        let there = one.base_url.as_deref().map(whole);
        one.provider == provider && there.is_some() && there == base_url.map(whole)
    };
    let name = of_model.split_once('/').and_then(|(provider, model)| {
        let connection = connections.iter().find(|one| leads_there(one, provider))?;
        Some(format!("{agent}{}/{model}", connection.name))
    });
    name.unwrap_or_else(|| id.to_owned())
}

/// Id of a model from the display name that [`named`] made.
pub fn id_of(connections: &[Connection], name: &str) -> String {
    let (agent, of_model) = behind_agent(name);
    format!("{agent}{}", resolve(connections, of_model, None).id)
}

/// Splits a name into the agent, including the separator, and the model. The agent may be
/// empty.
fn behind_agent(name: &str) -> (&str, &str) {
    match name.rfind(AGENT) {
        Some(at) => name.split_at(at + AGENT.len()),
        None => ("", name),
    }
}

/// Checks that an id is a model of a provider or of one of these connections.
///
/// # Errors
/// One sentence about the fault of the id.
pub fn check_id(connections: &[Connection], id: &str) -> Result<(), WireError> {
    match ModelId::parse(&resolve(connections, id, None).id) {
        Ok(_) => Ok(()),
        Err(error) => Err(WireError::bad_request(error.to_sentence())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab() -> Connection {
        Connection {
            name: "Lab ".to_owned(),
            provider: "openai_compat".to_owned(),
            base_url: Some(" http://127.0.0.1:9/v1/ ".to_owned()),
            models: vec!["qwen3 ".to_owned(), "qwen3".to_owned(), String::new()],
        }
    }

    #[test]
    fn a_connection_is_tidied_and_stands_for_provider_and_address() {
        let kept = checked(vec![lab()]).expect("kept");
        assert_eq!((kept[0].name.as_str(), kept[0].models.as_slice()), ("lab", &["qwen3".to_owned()][..]));
        let of = |id: &str, url| resolve(&kept, id, url);
        let address = |id: &str, url: Option<&str>| ModelAddress {
            id: id.to_owned(),
            base_url: url.map(str::to_owned),
        };
        assert_eq!(
            of("LAB/org/qwen3:8b", None),
            address("openai_compat/org/qwen3:8b", Some("http://127.0.0.1:9/v1"))
        );
        assert_eq!(of("lab/m", Some("http://[::1]/v1")), address("openai_compat/m", Some("http://[::1]/v1")));
        assert_eq!(of("openai/m", Some(" ")), address("openai/m", None));
        check_id(&kept, "lab/m").expect("known");
        check_id(&kept, "other/m").expect_err("not known");
        check_id(&kept, "lab/").expect_err("names no model");
    }

    #[test]
    fn a_model_at_an_address_has_the_name_of_the_connection_that_leads_there() {
        let kept = checked(vec![lab()]).expect("kept");
        let there = Some("http://127.0.0.1:9/v1/");
        for (id, url, name) in [
            ("openai_compat/org/qwen3:8b", there, "lab/org/qwen3:8b"),
            ("codex 1.0 · openai_compat/m", there, "codex 1.0 · lab/m"),
            ("openai_compat/m", Some("http://127.0.0.1:8/v1"), "openai_compat/m"),
            ("openai_compat/m", None, "openai_compat/m"),
            ("openai/m", there, "openai/m"),
            ("folder", there, "folder"),
        ] {
            assert_eq!(named(&kept, id, url), name);
            assert_eq!(id_of(&kept, name), id);
        }
        let back = resolve(&kept, "lab/org/qwen3:8b", None);
        assert_eq!(named(&kept, &back.id, back.base_url.as_deref()), "lab/org/qwen3:8b");
    }

    #[test]
    fn connections_that_make_no_sense_are_refused_in_a_sentence() {
        let with = |change: fn(&mut Connection)| {
            let mut one = lab();
            change(&mut one);
            one
        };
        for (connections, why) in [
            (vec![with(|one| one.name = "my lab".to_owned())], "`my lab` cannot name a connection"),
            (vec![with(|one| one.name = String::new())], "`` cannot name a connection"),
            (vec![with(|one| one.name = "openai".to_owned())], "openai is a provider"),
            (vec![with(|one| one.provider = "baseline".to_owned())], "`baseline` is not a provider"),
            (vec![with(|one| one.base_url = None)], "the connection lab has no address"),
            (vec![with(|one| one.base_url = Some("ftp://x".to_owned()))], ""),
            (vec![lab(), lab()], "there is a connection lab already"),
        ] {
            let error = checked(connections).expect_err("refused").message.to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
