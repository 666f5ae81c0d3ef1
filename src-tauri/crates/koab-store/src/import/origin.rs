//! Origin of a pack that was fetched.

/// Origin of a fetched pack, for layouts without a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Name of the pack in the workspace.
    pub name: String,
    /// Repository and commit, in a readable form.
    pub source: String,
    /// Licence of the data, if the repository states one.
    pub licence: Option<String>,
}

impl Origin {
    /// Makes a pack's name from a repository: its last part in lower case, with only characters
    /// that [`koab_core::pack::PackManifest::name`] allows.
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
