//! The `config.yaml` that the user adds to every trial.
//!
//! The tool agbench copies a configuration into each trial's folder, byte by byte, and its
//! scenarios read it there. Earlier tools have no such file. The copy stays in the results, so a
//! file that contains a key is refused before any trial runs. Source: `docs/spec/autogenbench.md`
//! §1.2, §2.3 and §10.

use koab_core::say;
use std::path::Path;

use serde::Deserialize as _;
use serde_norway::{Deserializer, Value};

use crate::environment::sounds_secret;
use crate::error::{Error, Result};

/// Name of the file in a trial's folder, and of the default file that is copied there.
pub const CONFIG_YAML: &str = "config.yaml";
/// Minimum length of a key in bytes. Shorter values are placeholders such as "none" or "EMPTY".
const MIN_KEY_BYTES: usize = 8;

/// Whether a name has a YAML suffix. agbench expects such a file under `--config`, its predecessors
/// expect JSON.
#[must_use]
pub fn is_yaml(name: &str) -> bool {
    let suffix = Path::new(name).extension();
    suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("yaml") || suffix.eq_ignore_ascii_case("yml"))
}

/// Reads a configuration for every trial.
///
/// # Errors
/// When the file cannot be read, is not YAML, or contains a value that looks like a key.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).map_err(Error::io(say!("read"), path))?;
    for document in Deserializer::from_slice(&bytes) {
        let value =
            Value::deserialize(document).map_err(|error| Error::bad(path, say!("is not YAML: {error}")))?;
        if let Some(place) = key_in(&value) {
            return Err(Error::bad(
                path,
                say!(
                    "{place} looks like a key, which the results of every trial would keep; take it out of the file, and \
                     give it to scenarios by --secret or in ENV.yaml"
                ),
            ));
        }
    }
    Ok(bytes)
}

/// Path of the first key in a value, such as `model.api_key`.
fn key_in(value: &Value) -> Option<String> {
    match value {
        Value::Mapping(entries) => entries.iter().find_map(|(name, value)| {
            let name = name.as_str().unwrap_or("?");
            match value {
                Value::String(text) if names_a_key(name) && could_be_a_key(text) => Some(name.to_owned()),
                inner => key_in(inner).map(|rest| format!("{name}.{rest}")),
            }
        }),
        Value::Sequence(items) => {
            items.iter().enumerate().find_map(|(at, item)| key_in(item).map(|rest| format!("{at}.{rest}")))
        }
        Value::Tagged(tagged) => key_in(&tagged.value),
        _ => None,
    }
}

/// Whether the last word of a name suggests a key: true for `api_key`, false for `token_encoding`.
fn names_a_key(name: &str) -> bool {
    let last = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next();
    last.is_some_and(sounds_secret)
}

/// Whether a text could be a key, and is neither a reference such as `${OPENAI_API_KEY}` nor a
/// placeholder such as `<your key>`.
fn could_be_a_key(text: &str) -> bool {
    let text = text.trim().trim_start_matches("Bearer ");
    text.len() >= MIN_KEY_BYTES && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~+/=:".contains(c))
}

#[cfg(test)]
mod tests {
    use super::{is_yaml, read};

    fn refusal(text: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.yaml");
        std::fs::write(&path, text).unwrap();
        match read(&path) {
            Ok(bytes) => {
                assert_eq!(bytes, text.as_bytes());
                None
            }
            Err(error) => Some(error.to_string().replace(&folder.path().display().to_string(), ".")),
        }
    }

    #[test]
    fn what_holds_no_key_is_taken_as_it_stands() {
        for text in [
            "",
            "model_config:\n  provider: Client\n  config: {model: gpt-4o, max_tokens: 4096, token_encoding: cl100k_base}\r\n",
            "api_key: ${OPENAI_API_KEY}\n",
            "api_key: <your key goes here>\napi_key2: EMPTY\n",
            "stop_token: <|endoftext|>\n---\n!custom {a: 1}\n",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }

    #[test]
    fn a_key_is_refused_by_its_place_without_being_told() {
        let words = refusal("model:\n  - config:\n      api_key: sk-canary-config\n").unwrap();
        insta::assert_snapshot!(words, @"./config.yaml: model.0.config.api_key looks like a key, which the results of every trial would keep; take it out of the file, and give it to scenarios by --secret or in ENV.yaml");
        for text in [
            "password: hunter-and-hunter",
            "a: 1\n---\n!x {apiKey: abcdefgh}",
            "headers: {X-Auth: Bearer abc.def-012}",
        ] {
            assert!(refusal(text).unwrap().contains("looks like a key"), "{text}");
        }
    }

    #[test]
    fn what_scenarios_would_fail_on_is_said_before() {
        let words = refusal("a: [1\n").unwrap();
        assert!(words.starts_with("./config.yaml: is not YAML: "), "{words}");
    }

    #[test]
    fn yaml_is_known_by_its_name() {
        let names = ["OAI_CONFIG_LIST", "list.json", "config.yaml", "a/b.YML", "yaml"];
        assert_eq!(names.map(is_yaml), [false, false, true, true, false]);
    }
}
