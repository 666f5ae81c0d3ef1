//! The list of models on this disk, added paths, deletion, verification.

use crate::Models;
use crate::downloads::{space, wire_error as hub_error};
use crate::weights::{
    LocalConversion, LocalKind, LocalModel, LocalModels, LocalPart, LocalPlace, LocalRemoval, LocalVerified,
};
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_hub::Repository;
use koab_local::library::{Entry, EntryOrigin, Kind, LibraryError, Part, Removal};
use koab_providers::hub::{FileHash, hash_of};
use koab_workspace::jobs::JobKind;
use koab_workspace::{ErrorCode, WireError};
use std::path::Path;

impl Models {
    /// The models on this disk and the unfinished downloads. No network is used.
    ///
    /// # Errors
    /// When the system names no home folder.
    pub fn local_list(&self) -> Result<LocalModels, WireError> {
        let library = self.library()?;
        let pulls = self.pulls_list()?;
        // A model that is being downloaded is listed as a download, not also as a model with
        // missing files.
        let is_coming = |entry: &Entry| match &entry.origin {
            EntryOrigin::Hub { repo, commit, .. } => {
                entry.problem.is_some()
                    && pulls.iter().any(|pull| pull.repo == *repo && pull.commit == *commit)
            }
            _ => false,
        };
        let models = library.list().into_iter().filter(|entry| !is_coming(entry));
        Ok(LocalModels {
            models: models.map(LocalModel::from).collect(),
            pulls,
            hub: library.hub().display().to_string(),
            folder: library.models().display().to_string(),
            free: space::free(library.hub()),
        })
    }

    /// Adds a folder or GGUF file as a model; nothing is copied.
    ///
    /// # Errors
    /// When it contains no model.
    pub fn local_add(&self, path: &Path) -> Result<LocalModel, WireError> {
        self.workspace.home().create()?;
        Ok(self.library()?.add(path).map_err(refused)?.into())
    }

    /// Effect of deleting a model, before it is deleted.
    ///
    /// # Errors
    /// When there is no such model.
    pub fn local_removal(&self, name: &str, part: &LocalPart) -> Result<LocalRemoval, WireError> {
        let library = self.library()?;
        let entry = library.find(name).map_err(refused)?;
        let removal = library.removal(&entry, &part_of(part));
        Ok(removal_view(&entry, &removal))
    }

    /// Deletes a model, or a part of it. Files of added paths are kept.
    ///
    /// # Errors
    /// When there is no such model, it is being downloaded, or the file system reports an error.
    pub fn local_delete(&self, name: &str, part: &LocalPart) -> Result<LocalRemoval, WireError> {
        let library = self.library()?;
        let entry = library.find(name).map_err(refused)?;
        if let EntryOrigin::Hub { repo, .. } = &entry.origin
            && self.workspace.has_job(JobKind::ModelPull, repo)
        {
            return Err(WireError::busy(say!("{repo} is being fetched; stop that first")));
        }
        let underway = self.workspace.begin_job(JobKind::Deletion, vec![entry.name.clone()], None);
        let removed = library.remove(&entry, &part_of(part)).map_err(refused);
        let removed = underway.finish(removed)?;
        if matches!(entry.origin, EntryOrigin::Hub { .. }) && !matches!(part, LocalPart::Conversions { .. }) {
            self.forget_pulls_of(&entry);
        }
        Ok(removal_view(&entry, &removed))
    }

    /// Reads a downloaded model's files again and compares them with their hashes. No network is
    /// used: the cache names contents by their hashes.
    ///
    /// # Errors
    /// When there is no such model, a file cannot be read, or the check was cancelled.
    pub async fn local_verify(&self, name: &str) -> Result<LocalVerified, WireError> {
        let library = self.library()?;
        let entry = library.find(name).map_err(refused)?;
        let EntryOrigin::Hub { repo, commit, .. } = &entry.origin else {
            return Err(WireError::bad_request(say!(
                "{} did not come from a hub, so there are no hashes to compare its files with",
                entry.name
            )));
        };
        let files = Repository::of_model(library.hub(), repo).hashes(commit);
        let (model_name, cancel) = (entry.name.clone(), Cancel::new());
        let underway = self.workspace.begin_job(JobKind::ModelCheck, vec![model_name.clone()], Some(&cancel));
        let verify = move || {
            let size = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
            let total = files.iter().map(|(_, path, _)| size(path)).sum();
            let mut verified = LocalVerified { name: model_name, sound: 0, wrong: Vec::new(), unknown: 0 };
            let mut done = 0;
            let verdict = || {
                for (file, path, hash) in files {
                    if cancel.is_cancelled() {
                        return Err(WireError::cancelled(say!("stopped before all was read")));
                    }
                    match hash.as_deref().and_then(FileHash::of_hex) {
                        None => verified.unknown += 1,
                        Some(hash) => {
                            let digest = hash_of(&path, &hash).map_err(hub_error)?;
                            if digest == hash.hex() {
                                verified.sound += 1;
                            } else {
                                verified.wrong.push(file);
                            }
                        }
                    }
                    done += size(&path);
                    underway.progress(done, total);
                }
                Ok(())
            };
            let outcome = verdict().map(|()| verified);
            underway.finish(outcome)
        };
        tokio::task::spawn_blocking(verify).await.map_err(WireError::internal)?
    }
}

fn part_of(part: &LocalPart) -> Part {
    match part {
        LocalPart::Everything => Part::Everything,
        LocalPart::Source => Part::Source,
        LocalPart::Conversions { precision } => Part::Conversions(precision.clone()),
    }
}

fn removal_view(entry: &Entry, removal: &Removal) -> LocalRemoval {
    LocalRemoval {
        name: entry.name.clone(),
        frees: removal.frees,
        stays: removal.stays.as_ref().map(|path| path.display().to_string()),
    }
}

impl From<Kind> for LocalKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Safetensors => Self::Safetensors,
            Kind::Gguf => Self::Gguf,
        }
    }
}

impl From<Entry> for LocalModel {
    fn from(entry: Entry) -> Self {
        let (place, commit, commits) = match entry.origin {
            EntryOrigin::Hub { commit, commits, .. } => (LocalPlace::Hub, Some(commit), commits.len()),
            EntryOrigin::Converted => (LocalPlace::Converted, None, 0),
            EntryOrigin::Added => (LocalPlace::Added, None, 0),
        };
        Self {
            id: format!("local/{}", entry.name),
            name: entry.name,
            kind: entry.kind.into(),
            place,
            path: entry.path.display().to_string(),
            commit,
            commits: commits as u32,
            architecture: entry.facts.architecture,
            parameters: entry.facts.parameters,
            context: entry.facts.context,
            quantization: entry.facts.quantization,
            licence: entry.facts.licence,
            bytes: entry.bytes,
            conversions: entry
                .conversions
                .into_iter()
                .map(|one| LocalConversion { precision: one.precision, bytes: one.bytes })
                .collect(),
            problem: entry.problem,
        }
    }
}

/// Converts an error of the library for the window and the command line.
pub(crate) fn refused(error: LibraryError) -> WireError {
    let code = match error {
        LibraryError::NotThere { .. } | LibraryError::NotThereBut { .. } => ErrorCode::NotFound,
        LibraryError::Several { .. } => ErrorCode::BadRequest,
        LibraryError::NotAModel { .. } => ErrorCode::BadFile,
        LibraryError::Disk { .. } => ErrorCode::Storage,
    };
    WireError::new(code, error)
}

#[cfg(test)]
mod tests;
