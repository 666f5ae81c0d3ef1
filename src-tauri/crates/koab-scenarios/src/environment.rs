//! Environment variables of a scenario, and detection of secret values among them.
//!
//! A scenario gets only what it or the user names: the variables of an environment file
//! (`ENV.json`, or YAML in the later form), the model configuration under `OAI_CONFIG_LIST`, and
//! secrets by name. Source: the documented behaviour of the original tool,
//! `docs/spec/autogenbench.md` §1.2 and §5.3. The original tool always forwards `OPENAI_API_KEY`;
//! this product does not, on purpose.

use koab_core::sentence::Sentence;
use koab_core::{say, text_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::{Error, Result};

/// Name of the variable that contains the model configuration.
pub const OAI_CONFIG_LIST: &str = "OAI_CONFIG_LIST";
/// Words in the names of variables that mark their values as secret.
const SECRET_NAMES: [&str; 8] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "PAT", "AUTH"];
/// Minimum length in bytes of a masked value. Masking shorter values would hide much of a log and
/// protect nothing.
const MIN_SECRET_BYTES: usize = 6;

/// Environment variables for a scenario.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    secrets: Vec<String>,
}

impl std::fmt::Debug for Environment {
    /// Formats names only, no values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}

impl Environment {
    /// Names and values of the variables.
    #[must_use]
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// Values that must not appear in logs or results.
    #[must_use]
    pub fn secrets(&self) -> &[String] {
        &self.secrets
    }

    /// Sets a variable. Its value is secret if the variable's name suggests that. In a JSON value,
    /// each field is secret if its name suggests that.
    pub fn set(&mut self, name: &str, value: &str) {
        if sounds_secret(name) {
            self.keep_secret(value);
        }
        if let Ok(inner) = serde_json::from_str::<Value>(value) {
            self.keep_inner_secrets(&inner);
        }
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// Sets a variable whose value is always secret.
    pub fn set_secret(&mut self, name: &str, value: &str) {
        self.keep_secret(value);
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// Adds the variables of an environment file: JSON when its suffix is `.json`, otherwise YAML.
    ///
    /// In YAML, `${NAME}` is replaced by the value that `lookup` returns, and objects and lists
    /// become JSON text.
    ///
    /// # Errors
    /// When the file cannot be read, is not an object, or has a value that cannot be an environment
    /// variable.
    pub fn add_file(&mut self, path: &Path, lookup: &dyn Fn(&str) -> Option<String>) -> Result<()> {
        let text = text_file::text_of(std::fs::read(path)).map_err(|why| Error::bad(path, why))?;
        let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let value: Value = if json {
            serde_json::from_str(&text).map_err(|error| Error::bad(path, say!("is not JSON: {error}")))?
        } else {
            serde_norway::from_str(&text).map_err(|error| Error::bad(path, say!("is not YAML: {error}")))?
        };
        let Value::Object(entries) = value else {
            return Err(Error::bad(path, say!("is not an object of names and values")));
        };
        for (name, value) in entries {
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(Error::bad(path, say!("{name:?} cannot name a variable")));
            }
            let text = match if json { value } else { fill_value(value, lookup) } {
                Value::Null => continue,
                Value::String(text) => text,
                other => other.to_string(),
            };
            if text.contains('\0') {
                return Err(Error::bad(path, say!("the value of {name} holds a zero byte")));
            }
            self.set(&name, &text);
        }
        Ok(())
    }

    /// Sets the variable `OAI_CONFIG_LIST` to a model configuration.
    pub fn set_config_list(&mut self, config: &ConfigList) {
        self.keep_inner_secrets(&config.entries);
        self.variables.insert(OAI_CONFIG_LIST.to_owned(), config.entries.to_string());
    }

    fn keep_secret(&mut self, value: &str) {
        let value = value.trim();
        if value.len() >= MIN_SECRET_BYTES && !self.secrets.iter().any(|known| known == value) {
            self.secrets.push(value.to_owned());
        }
    }

    fn keep_inner_secrets(&mut self, value: &Value) {
        match value {
            Value::Object(entries) => {
                for (name, value) in entries {
                    match value {
                        Value::String(text) if sounds_secret(name) => self.keep_secret(text),
                        inner => self.keep_inner_secrets(inner),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.keep_inner_secrets(item)),
            _ => {}
        }
    }
}

/// A list of model configurations in the format of the original tool's library.
#[derive(Clone, PartialEq)]
pub struct ConfigList {
    entries: Value,
    /// Description of where the list was found.
    pub source: Sentence,
}

impl ConfigList {
    /// Finds a model configuration as the original tool does: first in the variable `name`, which
    /// contains a path or JSON, then in the file `name` in `folder`.
    ///
    /// `None` when neither exists.
    ///
    /// # Errors
    /// When the configuration is not a list of objects with a `model` each.
    pub fn find(name: &str, folder: &Path, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>> {
        let variable = lookup(name).filter(|value| !value.is_empty());
        let file: PathBuf = match &variable {
            Some(value) if folder.join(value).is_file() => folder.join(value),
            Some(value) => {
                return Self::parse(value, Path::new(name), say!("the variable {name}")).map(Some);
            }
            None => folder.join(name),
        };
        if !file.is_file() {
            return Ok(None);
        }
        let text = text_file::text_of(std::fs::read(&file)).map_err(|why| Error::bad(&file, why))?;
        Self::parse(&text, &file, file.display().to_string().into()).map(Some)
    }

    /// Creates a model configuration from a description of its source and its entries.
    #[must_use]
    pub fn new(entries: Vec<serde_json::Map<String, Value>>, source: impl Into<Sentence>) -> Self {
        Self { entries: entries.into_iter().map(Value::Object).collect(), source: source.into() }
    }

    fn parse(text: &str, named: &Path, source: Sentence) -> Result<Self> {
        let entries: Value = serde_json::from_str(text)
            .map_err(|error| Error::bad(named, say!("the model configuration is not JSON: {error}")))?;
        let sound = entries
            .as_array()
            .is_some_and(|list| list.iter().all(|entry| entry.get("model").is_some_and(Value::is_string)));
        if !sound {
            return Err(Error::bad(
                named,
                say!("the model configuration is not a list of objects with a \"model\" each"),
            ));
        }
        Ok(Self { entries, source })
    }

    /// Names of the models in the configuration.
    #[must_use]
    pub fn models(&self) -> Vec<&str> {
        let entries = self.entries.as_array().into_iter().flatten();
        entries.filter_map(|entry| entry.get("model")?.as_str()).collect()
    }

    /// Keeps only the entries with this tag; the model of an entry counts as one of its tags.
    /// `None` when no entry is left.
    #[must_use]
    pub fn tagged(mut self, tag: &str) -> Option<Self> {
        let list = self.entries.as_array_mut()?;
        list.retain(|entry| {
            entry.get("model").and_then(Value::as_str) == Some(tag)
                || entry
                    .get("tags")
                    .and_then(Value::as_array)
                    .is_some_and(|tags| tags.iter().any(|it| it.as_str() == Some(tag)))
        });
        (!list.is_empty()).then_some(self)
    }
}

/// Whether a name suggests that its value is secret. `PAT` and `AUTH` must be whole words, so that
/// PATH does not match.
///
/// A wrong match only masks a harmless value; a missed match would show a secret.
pub(crate) fn sounds_secret(name: &str) -> bool {
    let name = name.to_uppercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    SECRET_NAMES.iter().any(|secret| match *secret {
        "PAT" | "AUTH" => words.contains(secret),
        // Also at the end of a word, as in APIKEY.
        _ => words.iter().any(|word| word.ends_with(secret) || word.ends_with(&format!("{secret}S"))),
    })
}

/// Replaces `${NAME}` in the strings of a value. An unknown name is replaced by an empty text.
fn fill_value(value: Value, lookup: &dyn Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => Value::String(fill(&text, lookup)),
        Value::Array(items) => items.into_iter().map(|item| fill_value(item, lookup)).collect(),
        Value::Object(entries) => {
            entries.into_iter().map(|(name, value)| (name, fill_value(value, lookup))).collect()
        }
        other => other,
    }
}

fn fill(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let (before, after) = rest.split_at(start);
        filled.push_str(before);
        let inner = &after[2..];
        let length = inner.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(inner.len());
        if length > 0 && inner[length..].starts_with('}') {
            filled.push_str(&lookup(&inner[..length]).unwrap_or_default());
            rest = &inner[length + 1..];
        } else {
            filled.push_str("${");
            rest = inner;
        }
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::{ConfigList, Environment, sounds_secret};

    fn variable(name: &str) -> Option<String> {
        match name {
            "HOST_KEY" => Some("sk-canary-host".to_owned()),
            "OAI" => Some("list.json".to_owned()),
            "INLINE" => Some(r#"[{"model": "m", "api_key": "sk-inline"}]"#.to_owned()),
            _ => None,
        }
    }

    fn from_file(name: &str, text: &str) -> Result<Environment, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let mut environment = Environment::default();
        environment
            .add_file(&path, &variable)
            .map_err(|error| error.to_string().replace(&folder.path().display().to_string(), "."))?;
        Ok(environment)
    }

    #[test]
    fn names_that_sound_secret() {
        for name in
            ["OPENAI_API_KEY", "apikey", "GITHUB_PAT", "DB_PASSWORD", "access_token", "KEYS", "X-Auth"]
        {
            assert!(sounds_secret(name), "{name}");
        }
        for name in ["PATH", "AUTHOR", "KEYBOARD", "model"] {
            assert!(!sounds_secret(name), "{name}");
        }
    }

    #[test]
    fn json_is_taken_as_it_stands_and_yaml_is_filled_in() {
        let json = from_file(
            "ENV.json",
            r#"{"BING_API_KEY": "k-canary", "N": 5, "T": true, "A": "${HOST_KEY}", "Z": null}"#,
        );
        let json = json.unwrap();
        assert_eq!(json.variables()["A"], "${HOST_KEY}");
        assert_eq!((json.variables()["N"].as_str(), json.variables()["T"].as_str()), ("5", "true"));
        assert!(!json.variables().contains_key("Z"));
        assert_eq!(json.secrets(), ["k-canary"]);
        let yaml = from_file(
            "ENV.yaml",
            "OPENAI_API_KEY: ${HOST_KEY}\nNESTED:\n  - {api_key: 'in-${HOST_KEY}', n: 1}\nNONE: a${NO}b${\n",
        );
        let yaml = yaml.unwrap();
        assert_eq!(yaml.variables()["OPENAI_API_KEY"], "sk-canary-host");
        assert_eq!(yaml.variables()["NESTED"], r#"[{"api_key":"in-sk-canary-host","n":1}]"#);
        assert_eq!(yaml.variables()["NONE"], "ab${");
        assert_eq!(yaml.secrets(), ["sk-canary-host", "in-sk-canary-host"]);
        assert!(!format!("{yaml:?}").contains("canary"));
    }

    #[test]
    fn a_bad_file_is_one_sentence() {
        insta::assert_snapshot!(from_file("ENV.json", "[1]").unwrap_err(), @"./ENV.json: is not an object of names and values");
        insta::assert_snapshot!(from_file("ENV.json", "{").unwrap_err(), @"./ENV.json: is not JSON: EOF while parsing an object at line 1 column 1");
        insta::assert_snapshot!(from_file("ENV.json", r#"{"A=B": "x"}"#).unwrap_err(), @r#"./ENV.json: "A=B" cannot name a variable"#);
    }

    #[test]
    fn a_configuration_is_found_as_documented() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| ConfigList::find(name, folder.path(), &variable);
        assert!(at("OAI_CONFIG_LIST").unwrap().is_none());
        std::fs::write(
            folder.path().join("list.json"),
            r#"[{"model": "a"}, {"model": "b", "tags": ["big"]}]"#,
        )
        .unwrap();
        for name in ["OAI", "list.json"] {
            assert_eq!(at(name).unwrap().unwrap().models(), ["a", "b"], "{name}");
        }
        assert_eq!(at("OAI").unwrap().unwrap().tagged("big").unwrap().models(), ["b"]);
        assert_eq!(at("OAI").unwrap().unwrap().tagged("a").unwrap().models(), ["a"]);
        assert!(at("OAI").unwrap().unwrap().tagged("none").is_none());
        let mut environment = Environment::default();
        environment.set_config_list(&at("INLINE").unwrap().unwrap());
        assert_eq!(environment.secrets(), ["sk-inline"]);
        std::fs::write(folder.path().join("bad"), r#"[{"name": "a"}]"#).unwrap();
        let error = at("bad").err().unwrap().to_string();
        assert!(
            error.ends_with("the model configuration is not a list of objects with a \"model\" each"),
            "{error}"
        );
    }
}
