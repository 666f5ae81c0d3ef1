//! Where things lie: the checkout, cargo's target folder, scratch folders.
//!
//! Nothing here is configured: the root follows from where this program was compiled, the target
//! folder is asked of cargo, because `CARGO_TARGET_DIR` and `.cargo/config.toml` may move it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde_json::Value;

use crate::command;

/// The checkout that the commands work on.
pub(crate) struct Checkout {
    /// The repository's root, absolute.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, absolute.
    pub(crate) target: PathBuf,
}

impl Checkout {
    /// Finds the checkout that holds this program's sources.
    ///
    /// # Errors
    /// When cargo cannot describe the workspace, for instance because a manifest does not parse.
    pub(crate) fn find() -> anyhow::Result<Self> {
        // The variable is set under `cargo run`; the compiled-in path serves a binary started by
        // hand.
        let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root =
            manifest_dir.parent().ok_or_else(|| anyhow!("the xtask folder has no parent"))?.to_path_buf();
        let metadata = metadata(&root, &["--no-deps"])?;
        let target = metadata["target_directory"]
            .as_str()
            .ok_or_else(|| anyhow!("cargo metadata names no target folder"))?;
        Ok(Self { target: PathBuf::from(target), root })
    }

    /// The UI's folder.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// The reference data that some tests and benchmarks read; it lies beside the checkout or
    /// nowhere.
    pub(crate) fn shared(&self) -> Option<PathBuf> {
        let shared = self.root.parent()?.join("shared");
        shared.is_dir().then_some(shared)
    }

    /// Makes an empty folder of this name under the target folder; it goes away with the returned
    /// value.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub(crate) fn scratch(&self, name: &str) -> anyhow::Result<Scratch> {
        let path = self.target.join("xtask").join(format!("{name}-{}", std::process::id()));
        if path.exists() {
            std::fs::remove_dir_all(&path).with_context(|| format!("cannot empty {}", path.display()))?;
        }
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Scratch { path })
    }
}

/// A folder of this name in the user's cache, which no checkout and no target folder owns; nobody
/// has made it yet.
pub(crate) fn user_cache(name: &str) -> PathBuf {
    let set = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty());
    let cache = set("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| {
        let home = set("HOME").or_else(|| set("USERPROFILE"))?;
        Some(PathBuf::from(home).join(".cache"))
    });
    cache.unwrap_or_else(std::env::temp_dir).join(name)
}

/// A folder that is removed when the value is dropped.
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A left-over folder under target/ harms nobody.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Asks `cargo metadata` about the workspace at `root`.
///
/// # Errors
/// When cargo fails; its own message has then been shown.
pub(crate) fn metadata(root: &Path, options: &[&str]) -> anyhow::Result<Value> {
    let mut cargo = command::cargo(root);
    cargo.args(["metadata", "--format-version", "1"]).args(options);
    let text = command::stdout_of(&mut cargo)?;
    serde_json::from_str(&text).context("cargo metadata did not answer with JSON")
}
