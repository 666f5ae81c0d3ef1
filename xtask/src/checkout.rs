//! Paths of the checkout, cargo's target folder, and scratch folders.
//!
//! Nothing here is configured. The root is the checkout where this program was compiled. Cargo
//! reports the target folder, because `CARGO_TARGET_DIR` and `.cargo/config.toml` may move it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde_json::Value;

use crate::command;

/// The checkout that the commands use.
pub(crate) struct Checkout {
    /// Absolute path of the repository's root.
    pub(crate) root: PathBuf,
    /// Absolute path of cargo's target folder.
    pub(crate) target: PathBuf,
}

impl Checkout {
    /// Finds the checkout that contains this program's sources.
    ///
    /// # Errors
    /// When cargo cannot describe the workspace, for instance because a manifest is invalid.
    pub(crate) fn find() -> anyhow::Result<Self> {
        // The variable is set under `cargo run`. The compiled-in path is for a binary that is
        // started by hand.
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

    /// Folder of the UI.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// Folder of the reference data for some tests and benchmarks: `shared` next to the checkout,
    /// if it exists.
    pub(crate) fn shared(&self) -> Option<PathBuf> {
        let shared = self.root.parent()?.join("shared");
        shared.is_dir().then_some(shared)
    }

    /// Creates an empty folder with this name under the target folder. It is deleted when the
    /// returned value is dropped.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub(crate) fn scratch(&self, name: &str) -> anyhow::Result<Scratch> {
        let path = self.target.join("xtask").join(format!("{name}-{}", std::process::id()));
        if path.exists() {
            std::fs::remove_dir_all(&path).with_context(|| format!("cannot empty {}", path.display()))?;
        }
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Scratch { path })
    }
}

/// Path of a folder in the user's cache, which all checkouts and target folders share. The folder
/// may not exist yet.
pub(crate) fn user_cache(name: &str) -> PathBuf {
    let set = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty());
    let cache = set("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| {
        let home = set("HOME").or_else(|| set("USERPROFILE"))?;
        Some(PathBuf::from(home).join(".cache"))
    });
    cache.unwrap_or_else(std::env::temp_dir).join(name)
}

/// A folder that is deleted on drop.
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that remains under target/ does no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Runs `cargo metadata` on the workspace at `root`.
///
/// # Errors
/// When cargo fails. Cargo has then already shown its own message.
pub(crate) fn metadata(root: &Path, options: &[&str]) -> anyhow::Result<Value> {
    let mut cargo = command::cargo(root);
    cargo.args(["metadata", "--format-version", "1"]).args(options);
    let text = command::stdout_of(&mut cargo)?;
    serde_json::from_str(&text).context("cargo metadata did not answer with JSON")
}
