//! Takes the keys of a `.env` file over: what is known goes in, the rest is named and left.

use crate::Api;
use crate::keys::file::Keys;
use crate::keys::{KeyPlace, dotenv, names, value};
use crate::wire::{ErrorCode, WireError};
use serde::Serialize;
use std::path::Path;
use ts_rs::TS;

/// What an import would store. Names and reasons only.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[ts(export, rename = "KeysImport")]
pub struct ImportPreview {
    /// Names that would be stored.
    pub known: Vec<String>,
    /// Names that nobody here asks for.
    pub unknown: Vec<String>,
    /// Known names without a usable value, each with the reason, and lines that are no assignment.
    pub refused: Vec<String>,
}

/// A `.env` file, read.
#[derive(Debug)]
pub struct Import {
    /// What would be stored.
    pub preview: ImportPreview,
    keys: Keys,
}

impl Import {
    /// Reads a file. Of several assignments to one name the last counts, as everywhere.
    ///
    /// # Errors
    /// When it cannot be read as text.
    pub fn read(path: &Path) -> Result<Self, WireError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("{} cannot be read: {error}", path.display());
            WireError::new(ErrorCode::BadFile, message)
        })?;
        Ok(Self::of(&text))
    }

    fn of(text: &str) -> Self {
        let (assignments, strange) = dotenv::parse(text);
        let (mut preview, mut keys) = (ImportPreview::default(), Keys::new());
        for assignment in assignments {
            // Spelling counts here: a file is not typed, and its other readers mind letter case.
            let Some(known) = names::all()
                .into_iter()
                .find(|known| known.name == assignment.name)
            else {
                // What stands before the `=` on a line of some other kind may be anything, a part of a key included.
                let shown = if names::looks_like_one(&assignment.name) {
                    assignment.name
                } else {
                    format!("a name on line {}", assignment.line)
                };
                if !preview.unknown.contains(&shown) {
                    preview.unknown.push(shown);
                }
                continue;
            };
            match value::check(assignment.value.expose()) {
                Ok(value) => {
                    keys.insert(known.name.to_owned(), value);
                }
                Err(why) => {
                    let line = assignment.line;
                    preview
                        .refused
                        .push(format!("{} on line {line} {why}", known.name));
                }
            }
        }
        let strange = strange
            .into_iter()
            .map(|line| format!("line {line} is no NAME=value"));
        preview.refused.extend(strange);
        preview.known = keys.keys().cloned().collect();
        Self { preview, keys }
    }
}

impl Api {
    /// Stores the keys of a file that was read.
    ///
    /// # Errors
    /// When the file has no known key, or the place is not there.
    pub async fn keys_import(&self, import: Import, place: KeyPlace) -> Result<ImportPreview, WireError> {
        if import.keys.is_empty() {
            return Err(WireError::bad_request(
                "the file has no key that is known here; `koab keys list` shows the names",
            ));
        }
        self.store_keys(import.keys, place).await?;
        Ok(import.preview)
    }
}

impl Api {
    /// What [`Api::keys_import_file`] would take from a file. Names only.
    ///
    /// # Errors
    /// When the file cannot be read as text.
    pub fn keys_preview(&self, path: &Path) -> Result<ImportPreview, WireError> {
        Ok(Import::read(path)?.preview)
    }

    /// Stores the keys of a `.env` file.
    ///
    /// # Errors
    /// As [`Api::keys_preview`] and [`Api::keys_import`].
    pub async fn keys_import_file(&self, path: &Path, place: KeyPlace) -> Result<ImportPreview, WireError> {
        self.keys_import(Import::read(path)?, place).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_taken_and_the_rest_is_named() {
        let import = Import::of(
            "OPENAI_API_KEY=sk-old\nPATH=/bin\nexport TMAP_APP_KEY='t'\nGROQ_API_KEY=\nOPENAI_API_KEY=\"sk-new\"\n\
             LS_APP_KEY=\"a\\nb\"\nnonsense\nsecretpart9=x",
        );
        insta::assert_debug_snapshot!(import.preview, @r#"
        ImportPreview {
            known: [
                "OPENAI_API_KEY",
                "TMAP_APP_KEY",
            ],
            unknown: [
                "PATH",
                "a name on line 8",
            ],
            refused: [
                "GROQ_API_KEY on line 4 is empty; give the key as its provider shows it",
                "LS_APP_KEY on line 6 holds a line break inside; give it in one line",
                "line 7 is no NAME=value",
            ],
        }
        "#);
        assert_eq!(import.keys["OPENAI_API_KEY"].expose(), "sk-new");
    }
}
