//! What must not be kept: the values that a server was given, in every spelling in which an answer
//! can hold them, and answers that show the environment.

use crate::command_keys::{BLANK, is_name_of_key, without_keys};
use koab_core::secrets;
use koab_core::sensitive::Sensitive;
use regex::Regex;
use serde_json::Value;

/// Shorter texts occur by chance.
const LEAST: usize = 6;
/// Letters of a place that are told.
const PLACE: usize = 200;
/// So many variables of the environment in one answer are a list of it.
const LIST: usize = 2;
/// Values to look for.
#[derive(Clone, Debug)]
pub(crate) struct Secrets {
    given: secrets::Secrets,
    /// This process's own environment.
    environment: Vec<(String, Sensitive<String>)>,
    /// A name of it and the sign behind: most answers have none, and are long.
    names: Option<Regex>,
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecretPlace {
    /// Path of the text, such as `content[0].text`; empty for the whole.
    pub(crate) place: String,
    /// Whether it is a list of the environment.
    pub(crate) environment: bool,
}

impl Secrets {
    /// Values that a server was given, beside the environment of this process.
    pub(crate) fn new(given: impl IntoIterator<Item = String>) -> Self {
        let environment: Vec<_> = std::env::vars()
            .filter(|(_, value)| value.len() > 1)
            .map(|(name, value)| (name, Sensitive::new(value)))
            .collect();
        let names: Vec<String> = environment.iter().map(|(name, _)| regex::escape(name)).collect();
        Self {
            given: secrets::Secrets::new(BLANK, LEAST, given),
            names: Regex::new(&format!(r#"(?:{})(?:=|\\*")"#, names.join("|"))).ok(),
            environment,
        }
    }

    /// The first place of a text of JSON at which something stands that must not be kept.
    pub(crate) fn find(&self, json: &str) -> Option<SecretPlace> {
        let value: Value = serde_json::from_str(json).unwrap_or_else(|_| Value::from(json));
        let found = self.given_in(&value).map(|place| (place, false));
        let hit = found.or_else(|| {
            // Numbers too, and whatever a text is made of in two steps.
            self.is_in(json).then(|| (String::new(), false))
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
        let shows = |text: &str| self.shown(text).take(LIST).count() == LIST;
        walk(value, String::new(), &shows).or_else(|| shows(json).then(String::new))
    }

    /// Variables of the environment that a text shows with name and value.
    fn shown<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a (String, Sensitive<String>)> {
        self.environment.iter().filter(move |(name, value)| {
            // The cheap question first: there are many variables, and most texts name none.
            if !text.contains(name.as_str()) {
                return false;
            }
            let value = value.expose();
            let quoted = Value::from(value.as_str()).to_string();
            text.contains(&format!("{name}={value}"))
                || [" ", ""].iter().any(|space| text.contains(&format!("\"{name}\":{space}{quoted}")))
        })
    }

    /// A text of JSON with something in the place of each value.
    pub(crate) fn masked(&self, json: &str) -> String {
        let mut text = self.given.text(json);
        // A spelling that JSON escapes once more is found only in what the text says.
        if serde_json::from_str(&text).is_ok_and(|value| self.given_in(&value).is_some()) {
            text = self.given.json(json);
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

    /// A text for people without the values that were given.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.given.text(text)
    }

    /// The place of a hit for people: a field's name may be the value itself, and as long as the
    /// server likes.
    pub(crate) fn place(&self, hit: &SecretPlace) -> String {
        self.clipped(&self.masked(&hit.place), PLACE)
    }

    /// A text of the server's for people, without what it was given and with so many letters at
    /// most.
    pub(crate) fn clipped(&self, text: &str, letters: usize) -> String {
        let told = self.redact(text).replace(char::is_control, " ");
        match told.char_indices().nth(letters) {
            Some((at, _)) => format!("{}…", &told[..at]),
            None => told,
        }
    }

    /// A command as it is kept: arguments that look like keys are cut.
    pub(crate) fn command(&self, words: &[String]) -> Vec<String> {
        let mut cut = Vec::new();
        let mut next_is_key = false;
        for word in words {
            let word = self.redact(word);
            let shown = match next_is_key && !word.starts_with('-') {
                true => BLANK.to_owned(),
                false => without_keys(&word),
            };
            next_is_key = word.starts_with('-') && !word.contains('=') && is_name_of_key(&word);
            cut.push(shown);
        }
        cut
    }
}

/// A value as it stands in a text of JSON, in a text within that, and in one within that; the
/// shortest first.
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

/// The place of the first text, names of fields included, of which `is` holds.
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
