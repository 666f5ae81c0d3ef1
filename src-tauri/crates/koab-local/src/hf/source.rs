//! Source of a folder's model, as far as the folder shows it.

use std::fs;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

/// Source of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Repository (`org/name`) if the folder is in a Hugging Face cache, otherwise the folder's
    /// name.
    pub name: String,
    /// Revision of the repository, if the folder is in a cache.
    pub revision: Option<String>,
    /// Short name of the licence, from the front matter of the README.
    pub licence: Option<String>,
}

impl Source {
    pub(crate) fn from_folder(folder: &Path) -> Self {
        let names: Vec<&str> = folder
            .components()
            .filter_map(|part| match part {
                Component::Normal(name) => name.to_str(),
                _ => None,
            })
            .collect();
        let (name, revision) = match names.as_slice() {
            [.., repository, "snapshots", revision] if repository.starts_with("models--") => (
                repository.trim_start_matches("models--").replacen("--", "/", 1),
                Some((*revision).to_owned()),
            ),
            [.., name] => ((*name).to_owned(), None),
            [] => ("model".to_owned(), None),
        };
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        Self { name, revision, licence: licence(&readme) }
    }
}

/// `license` of the README's front matter, or `license_name` if `license` is `other`.
fn licence(readme: &str) -> Option<String> {
    let head = readme.trim_start_matches('\u{feff}').strip_prefix("---")?.split("\n---").next()?;
    let field_value = |field: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
        let word = line.trim().trim_matches(['"', '\'']);
        (!word.is_empty() && word.len() <= 100).then(|| word.to_owned())
    };
    match field_value("license") {
        Some(word) if word == "other" => field_value("license_name").or(Some(word)),
        word => word,
    }
}
