//! Where a pack comes from.

/// Where a pack was fetched from, for layouts that say nothing about themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The pack's name in the workspace.
    pub name: String,
    /// The repository with its commit, as people find it.
    pub source: String,
    /// Licence of the data, where the repository states one.
    pub licence: Option<String>,
}

impl Origin {
    /// The name of a pack for a repository: its last part in small letters, as
    /// [`koab_core::pack::PackManifest::name`] may be.
    pub fn name_of(repository: &str) -> String {
        let last = repository.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        };
        let name: String = last.trim_end_matches(".git").chars().map(plain).take(64).collect();
        let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        if name.is_empty() { "pulled".to_owned() } else { name.to_owned() }
    }
}
