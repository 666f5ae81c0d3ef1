//! The plan of a download, as it is stored on the disk.

use crate::weights::{LocalKind, PullStanding, PullState};
use koab_core::say;
use koab_engine::atomic::{self, Readers};
use koab_engine::files::if_there;
use koab_hub::Repository as Cached;
use koab_local::library::choose::Offer;
use koab_providers::hub::{FileHash, HubFile, Repository};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A model at a commit, and its files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) id: String,
    pub(super) repo: String,
    pub(super) revision: String,
    pub(super) commit: String,
    /// First file of the weights.
    pub(super) file: String,
    pub(super) kind: LocalKind,
    /// Files, the smallest first, so that a fault in a small file is detected early.
    pub(super) files: Vec<PlanFile>,
}

/// A file of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PlanFile {
    pub(super) path: String,
    pub(super) size: u64,
    /// Hash of the content, as the cache names it.
    pub(super) hash: String,
    /// Whether the cache did not have the file before the download. Such files are deleted if the
    /// download is cancelled.
    pub(super) brought: bool,
}

impl Plan {
    /// Makes the plan for an offer.
    pub(super) fn new(
        (repo, revision): (&str, &str),
        listing: &Repository,
        offer: &Offer,
        cached: &Cached,
    ) -> Self {
        let mut files: Vec<PlanFile> = offer
            .files
            .iter()
            .filter_map(|needed| listing.files.iter().find(|file| file.path == needed.path))
            .map(|file| PlanFile {
                path: file.path.clone(),
                size: file.size,
                hash: file.hash.hex().to_owned(),
                brought: !cached.has(&listing.commit, &file.path),
            })
            .collect();
        files.sort_by(|a, b| (a.size, &a.path).cmp(&(b.size, &b.path)));
        let commit = &listing.commit[..8.min(listing.commit.len())];
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }
        };
        let id = format!("{repo}-{commit}-{}", offer.file.trim_end_matches(".gguf"));
        Self {
            id: id.chars().map(plain).collect(),
            repo: repo.to_owned(),
            revision: revision.to_owned(),
            commit: listing.commit.clone(),
            file: offer.file.clone(),
            kind: offer.kind.into(),
            files,
        }
    }

    /// The plans in a folder, by id; none if the folder does not exist.
    ///
    /// # Errors
    /// When the folder or one of its plans cannot be read.
    pub(super) fn all(folder: &Path) -> Result<Vec<Self>, WireError> {
        let entries = if_there(std::fs::read_dir(folder)).map_err(WireError::storage)?;
        let mut plans = Vec::new();
        for entry in entries.into_iter().flatten() {
            let path = entry.map_err(WireError::storage)?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                plans.push(Self::read(&path)?);
            }
        }
        plans.sort_by(|a: &Self, b| a.id.cmp(&b.id));
        Ok(plans)
    }

    fn read(path: &Path) -> Result<Self, WireError> {
        let text = std::fs::read(path).map_err(|error| WireError::unreadable(path, error))?;
        serde_json::from_slice(&text).map_err(|error| WireError::damaged(path, &error))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), WireError> {
        let path = self.path(folder);
        let text = serde_json::to_string_pretty(self).map_err(WireError::internal)?;
        std::fs::create_dir_all(folder).and_then(|()| atomic::write(&path, Readers::Everyone, text)).map_err(
            |error| WireError::storage(say!("{} cannot be written: {error}; free the disk", path.display())),
        )
    }

    pub(super) fn remove(&self, folder: &Path) -> Result<(), WireError> {
        let removed = if_there(std::fs::remove_file(self.path(folder)));
        removed.map(drop).map_err(WireError::storage)
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.json", self.id))
    }

    pub(super) fn total(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// State of the download; `here` returns the number of received bytes of a file.
    pub(super) fn state(&self, standing: PullStanding, here: impl Fn(usize, &PlanFile) -> u64) -> PullState {
        let bytes: Vec<u64> = self.files.iter().enumerate().map(|(at, file)| here(at, file)).collect();
        let complete = self.files.iter().zip(&bytes).filter(|(file, bytes)| file.size == **bytes);
        PullState {
            id: self.id.clone(),
            repo: self.repo.clone(),
            revision: self.revision.clone(),
            commit: self.commit.clone(),
            file: self.file.clone(),
            kind: self.kind,
            standing,
            error: None,
            done: bytes.iter().sum(),
            total: self.total(),
            speed: None,
            eta_s: None,
            files: (complete.count() as u32, self.files.len() as u32),
        }
    }
}

impl PlanFile {
    /// Received bytes of the file.
    pub(super) fn here(&self, cache: &Cached, commit: &str) -> u64 {
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
        if cache.has(commit, &self.path) || cache.blob(&self.hash).is_file() {
            return self.size;
        }
        size(&cache.incomplete(&self.hash)).min(self.size)
    }

    /// The file in the form of the hub's client; `None` if the stored hash is invalid.
    pub(super) fn wanted(&self) -> Option<HubFile> {
        Some(HubFile { path: self.path.clone(), size: self.size, hash: FileHash::of_hex(&self.hash)? })
    }
}

#[cfg(test)]
mod tests;
