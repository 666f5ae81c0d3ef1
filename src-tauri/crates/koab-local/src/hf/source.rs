//! Where a folder's model comes from, as far as the folder tells.

use std::fs;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

/// Where a model comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The repository (`org/name`) if the folder lies in a Hugging Face cache, otherwise the
    /// folder's name.
    pub name: String,
    /// The repository's revision, if the folder lies in a cache.
    pub revision: Option<String>,
    /// The licence's short name, as the README's head says it.
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

/// `license` of the head between two lines `---`, or `license_name` where that is the telling one.
fn licence(readme: &str) -> Option<String> {
    let head = readme.trim_start_matches('\u{feff}').strip_prefix("---")?.split("\n---").next()?;
    let said = |field: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
        let word = line.trim().trim_matches(['"', '\'']);
        (!word.is_empty() && word.len() <= 100).then(|| word.to_owned())
    };
    match said("license") {
        Some(word) if word == "other" => said("license_name").or(Some(word)),
        word => word,
    }
}
