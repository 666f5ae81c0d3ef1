//! Import of keys from a `.env` file: known names are stored, the others are reported.

use crate::Keys;
use crate::file::Values;
use crate::{KeyPlace, dotenv, names, value};
use koab_core::sentence::Sentence;
use koab_core::{say, text_file};
use koab_workspace::WireError;
use serde::Serialize;
use std::path::Path;
use ts_rs::TS;

/// Preview of an import: only names and reasons, never values.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[ts(export, rename = "KeysImport")]
pub struct ImportPreview {
    /// Names that will be stored.
    pub known: Vec<String>,
    /// Names that koab does not use.
    pub unknown: Vec<Sentence>,
    /// Known names without a usable value, each with the reason, and lines that are not
    /// assignments.
    pub refused: Vec<Sentence>,
}

/// Content of a `.env` file.
#[derive(Debug)]
pub struct Import {
    /// Names that will be stored, and problems.
    pub preview: ImportPreview,
    keys: Values,
}

impl Import {
    /// Reads a file. The last of several assignments to one name counts, as in other loaders.
    ///
    /// # Errors
    /// When the file cannot be read as text.
    pub fn read(path: &Path) -> Result<Self, WireError> {
        let text = text_file::text_of(std::fs::read(path))
            .map_err(|why| WireError::bad_file(say!("{} {why}", path.display())))?;
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let (assignments, strange) = dotenv::parse(text);
        let (mut preview, mut keys) = (ImportPreview::default(), Values::new());
        for assignment in assignments {
            // Exact spelling is required here: nobody types it, and other readers of the file are
            // case-sensitive.
            let Some(known) = names::all().into_iter().find(|known| known.name == assignment.name) else {
                // In a line of another kind, the text before the `=` may be anything, even part of
                // a key.
                let label = if names::looks_like_one(&assignment.name) {
                    assignment.name.into()
                } else {
                    say!("a name on line {}", assignment.line)
                };
                if !preview.unknown.contains(&label) {
                    preview.unknown.push(label);
                }
                continue;
            };
            match value::check(assignment.value.expose()) {
                Ok(value) => {
                    keys.insert(known.name.to_owned(), value);
                }
                Err(why) => {
                    let line = assignment.line;
                    let name = known.name;
                    preview.refused.push(say!("{name} on line {line} {why}"));
                }
            }
        }
        let strange = strange.into_iter().map(|line| say!("line {line} is not NAME=value"));
        preview.refused.extend(strange);
        preview.known = keys.keys().cloned().collect();
        Self { preview, keys }
    }
}

impl Keys {
    /// Stores the keys of a file.
    ///
    /// # Errors
    /// When the file has no known key, or the place is not available.
    pub async fn import(&self, import: Import, place: KeyPlace) -> Result<ImportPreview, WireError> {
        if import.keys.is_empty() {
            return Err(WireError::bad_request(say!(
                "the file has no key that is known here; `koab keys list` shows the names"
            )));
        }
        self.store_keys(import.keys, place).await?;
        Ok(import.preview)
    }
}

impl Keys {
    /// Names that [`Keys::import_file`] would store from a file, and problems.
    ///
    /// # Errors
    /// When the file cannot be read as text.
    pub fn preview(&self, path: &Path) -> Result<ImportPreview, WireError> {
        Ok(Import::read(path)?.preview)
    }

    /// Stores the keys of a `.env` file.
    ///
    /// # Errors
    /// See [`Keys::preview`] and [`Keys::import`].
    pub async fn import_file(&self, path: &Path, place: KeyPlace) -> Result<ImportPreview, WireError> {
        self.import(Import::read(path)?, place).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_taken_and_the_rest_is_named() {
        let import = Import::parse(
            "OPENAI_API_KEY=sk-old\nPATH=/bin\nexport TMAP_APP_KEY='t'\nGROQ_API_KEY=\nOPENAI_API_KEY=\"sk-new\"\n\
             LS_APP_KEY=\"a\\nb\"\nnonsense\nsecretpart9=x",
        );
        let ImportPreview { known, unknown, refused } = &import.preview;
        let said = |all: &[Sentence]| all.iter().map(Sentence::to_string).collect();
        insta::assert_debug_snapshot!([known.clone(), said(unknown), said(refused)], @r#"
        [
            [
                "OPENAI_API_KEY",
                "TMAP_APP_KEY",
            ],
            [
                "PATH",
                "a name on line 8",
            ],
            [
                "GROQ_API_KEY on line 4 is empty; give the key as its provider shows it",
                "LS_APP_KEY on line 6 holds a line break inside; give it in one line",
                "line 7 is not NAME=value",
            ],
        ]
        "#);
        assert_eq!(import.keys["OPENAI_API_KEY"].expose(), "sk-new");
    }
}
