//! Keys that an agent may repeat: taken out of all that it says before that leaves here, and of what it leaves on the disk.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What stands in the place of a secret, as in a console log.
const MASK: &str = "[secret]";
/// Letters of a secret at least. What is shorter is a word that stands for none, such as `none`, and would be found in any text.
const LEAST: usize = 8;

/// Secrets of an attempt.
#[derive(Clone)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    pub(crate) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut secrets: Vec<String> = secrets.into_iter().filter(|one| one.len() >= LEAST).collect();
        // One that holds another is replaced whole.
        secrets.sort_by_key(|one| std::cmp::Reverse(one.len()));
        Self(secrets)
    }

    /// A text without them.
    pub(crate) fn text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| {
            text.replace(secret.as_str(), MASK)
        })
    }

    /// JSON without them, however its strings are escaped; spelled as it came where it has none. It is read before anything is
    /// replaced, so that a number that is one leaves JSON behind, and not a call that nobody made; what is not JSON stays a text.
    pub(crate) fn json(&self, text: &str) -> String {
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return self.text(text);
        };
        let masked = self.value(value.clone());
        // Of a name that is there twice only the last is in the value.
        match masked == value {
            true => self.text(text),
            false => self.text(&masked.to_string()),
        }
    }

    /// A sentence without them.
    pub(crate) fn sentence(&self, sentence: Sentence) -> Sentence {
        let Ok(value) = serde_json::to_value(&sentence) else {
            return sentence;
        };
        let masked = self.value(value.clone());
        if masked == value {
            return sentence;
        }
        serde_json::from_value(masked).unwrap_or_else(|_| self.text(&sentence.to_string()).into())
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.text(&text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, field)| (self.text(&name), self.value(field)))
                .collect(),
            Value::Number(number) if self.are_in(&number.to_string()) => {
                self.text(&number.to_string()).into()
            }
            other => other,
        }
    }

    fn are_in(&self, text: &str) -> bool {
        self.0.iter().any(|secret| text.contains(secret.as_str()))
    }
}

/// What an attempt with a model of its own leaves in its folder: its home, where programs keep logins, and files with its keys.
/// Gone when this is.
pub(crate) struct KeyFiles {
    folder: PathBuf,
    home: PathBuf,
    keys: Secrets,
}

impl KeyFiles {
    /// Those of an attempt in this folder, if it is given keys.
    pub(crate) fn for_attempt(folder: &Path, home: PathBuf, keys: &Secrets) -> Option<Self> {
        (!keys.0.is_empty()).then(|| Self {
            folder: folder.to_owned(),
            home,
            keys: keys.clone(),
        })
    }

    /// Takes it away.
    ///
    /// # Errors
    /// When something stays.
    pub(crate) fn remove(&self) -> Result<(), Sentence> {
        let removed = if_there(fs::remove_dir_all(&self.home)).and_then(|_| self.remove_in(&self.folder));
        removed.map_err(|error| {
            say!(
                "what the agent left in {} may hold the key of its own model and cannot be removed: {error}",
                self.folder.display()
            )
        })
    }

    fn remove_in(&self, folder: &Path) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                self.remove_in(&path)?;
            } else if kind.is_file() && self.keys.are_in(&String::from_utf8_lossy(&fs::read(&path)?)) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }
}

impl Drop for KeyFiles {
    fn drop(&mut self) {
        // An attempt that was broken off has nobody to tell.
        let _removed = self.remove();
    }
}

#[cfg(test)]
mod tests;
