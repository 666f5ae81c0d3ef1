//! Detection of secrets that must not be recorded: values that koab passed to the server as
//! environment variables or in a header, in all their spellings, and lists of environment
//! variables.

use crate::command_keys::{BLANK, is_name_of_key, without_keys};
use koab_core::secrets;
use koab_core::sensitive::Sensitive;
use regex::Regex;
use serde_json::Value;

/// Minimum length of a secret in bytes. Shorter texts would also match by chance.
const MIN_SECRET_BYTES: usize = 6;
/// Maximum number of characters of a secret's place in a message.
const MAX_PLACE_CHARS: usize = 200;
/// Minimum number of environment variables in one text that make the text a list of the
/// environment.
const MIN_LISTED_VARIABLES: usize = 2;
/// Secrets to look for.
#[derive(Clone, Debug)]
pub(crate) struct Secrets {
    given: secrets::Secrets,
    /// Environment variables of this process.
    environment: Vec<(String, Sensitive<String>)>,
    /// Pattern of a variable's name with the following character. Most answers do not match the
    /// pattern and are not searched further.
    names: Option<Regex>,
}

/// Place of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecretPlace {
    /// Path of the text in the JSON, such as `content[0].text`; empty for the whole JSON.
    pub(crate) place: String,
    /// Whether the secret is a list of environment variables.
    pub(crate) environment: bool,
}

impl Secrets {
    /// Creates the secrets from the values that koab passed to the server (`given`) and from this
    /// process's environment variables.
    pub(crate) fn new(given: impl IntoIterator<Item = String>) -> Self {
        let environment: Vec<_> = std::env::vars()
            .filter(|(_, value)| value.len() > 1)
            .map(|(name, value)| (name, Sensitive::new(value)))
            .collect();
        let names: Vec<String> = environment.iter().map(|(name, _)| regex::escape(name)).collect();
        Self {
            given: secrets::Secrets::new(BLANK, MIN_SECRET_BYTES, given),
            names: Regex::new(&format!(r#"(?:{})(?:=|\\*")"#, names.join("|"))).ok(),
            environment,
        }
    }

    /// First place of a secret in a JSON text.
    pub(crate) fn find(&self, json: &str) -> Option<SecretPlace> {
        let value: Value = serde_json::from_str(json).unwrap_or_else(|_| Value::from(json));
        let in_text = self.given_in(&value).map(|place| (place, false));
        let hit = in_text.or_else(|| {
            // Also finds secrets in numbers and across several texts.
            let is_in = self.is_in(json) || self.given.value(value.clone()) != value;
            is_in.then(|| (String::new(), false))
        });
        let hit = hit.or_else(|| self.environment_in(&value, json).map(|place| (place, true)));
        hit.map(|(place, environment)| SecretPlace { place, environment })
    }

    fn given_in(&self, value: &Value) -> Option<String> {
        walk(value, String::new(), &|text| self.is_in(text))
    }

    fn is_in(&self, text: &str) -> bool {
        self.given.are_in(text)
    }

    fn environment_in(&self, value: &Value, json: &str) -> Option<String> {
        if self.names.as_ref().is_some_and(|names| !names.is_match(json)) {
            return None;
        }
        let shows = |text: &str| self.shown(text).take(MIN_LISTED_VARIABLES).count() == MIN_LISTED_VARIABLES;
        walk(value, String::new(), &shows).or_else(|| shows(json).then(String::new))
    }

    /// Environment variables whose name and value a text contains.
    fn shown<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a (String, Sensitive<String>)> {
        self.environment.iter().filter(move |(name, value)| {
            // The cheap test comes first: there are many variables, and most texts contain none of
            // their names.
            if !text.contains(name.as_str()) {
                return false;
            }
            let value = value.expose();
            let quoted = Value::from(value.as_str()).to_string();
            text.contains(&format!("{name}={value}"))
                || [" ", ""].iter().any(|space| text.contains(&format!("\"{name}\":{space}{quoted}")))
        })
    }

    /// Masks the secrets in a JSON text.
    pub(crate) fn masked(&self, json: &str) -> String {
        let mut text = self.given.text(json);
        // A spelling that JSON escapes once more, and a secret in pieces, are found only in the
        // decoded text.
        if let Ok(value) = serde_json::from_str(json) {
            let masked: Value = self.given.value(value);
            if serde_json::from_str::<Value>(&text).ok().as_ref() != Some(&masked) {
                text = masked.to_string();
            }
        }
        for (name, value) in &self.environment {
            let values = depths(value.expose());
            for value in values.iter().rev() {
                for lead in [
                    format!("{name}="),
                    format!("\"{name}\":\""),
                    format!("\"{name}\": \""),
                    format!("\\\"{name}\\\":\\\""),
                    format!("\\\"{name}\\\": \\\""),
                ] {
                    text = text.replace(&format!("{lead}{value}"), &format!("{lead}{BLANK}"));
                }
            }
        }
        text
    }

    /// Masks the values that koab passed to the server, in a text for the user.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.given.text(text)
    }

    /// Place of a secret for a message to the user. Names of fields are masked and shortened, since
    /// they may contain a secret or be very long.
    pub(crate) fn place(&self, hit: &SecretPlace) -> String {
        self.clipped(&self.masked(&hit.place), MAX_PLACE_CHARS)
    }

    /// Text of the server for a message to the user, with the values that koab passed to it masked,
    /// cut to at most `letters` characters.
    pub(crate) fn clipped(&self, text: &str, letters: usize) -> String {
        let clean = self.redact(text).replace(char::is_control, " ");
        match clean.char_indices().nth(letters) {
            Some((at, _)) => format!("{}…", &clean[..at]),
            None => clean,
        }
    }

    /// Command without arguments that look like keys.
    pub(crate) fn command(&self, words: &[String]) -> Vec<String> {
        let mut cut = Vec::new();
        let mut next_is_key = false;
        for word in words {
            let word = self.redact(word);
            let is_key = next_is_key && !word.starts_with('-');
            let clean = if is_key { BLANK.to_owned() } else { without_keys(&word) };
            next_is_key = word.starts_with('-') && !word.contains('=') && is_name_of_key(&word);
            cut.push(clean);
        }
        cut
    }
}

/// Spellings of a value inside JSON texts, up to a JSON text within a JSON text, the shortest
/// first.
fn depths(value: &str) -> Vec<String> {
    let mut depths = vec![value.to_owned()];
    for _ in 0..2 {
        let quoted = Value::from(depths.last().map_or("", String::as_str)).to_string();
        let within = quoted[1..quoted.len() - 1].to_owned();
        if !depths.contains(&within) {
            depths.push(within);
        }
    }
    depths
}

/// Place of the first text that `is` returns true for. Names of fields are checked too.
fn walk(value: &Value, place: String, is: &dyn Fn(&str) -> bool) -> Option<String> {
    match value {
        Value::String(text) => is(text).then_some(place),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(i, item)| walk(item, format!("{place}[{i}]"), is))
        }
        Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            let dot = if place.is_empty() { "" } else { "." };
            let below = format!("{place}{dot}{name}");
            if is(name) { Some(below) } else { walk(field, below, is) }
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
