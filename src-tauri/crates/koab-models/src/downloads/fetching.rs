//! Downloads files into the shared cache: several at a time. Each file is linked into its commit
//! when it is complete.

use crate::downloads::{HubAccess, space};
use koab_core::say;
use koab_core::shown;
use koab_engine::ports::Cancel;
use koab_hub::Repository as Cached;
use koab_providers::hub::{HubFile, Repo, RepoKind};
use koab_workspace::WireError;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Maximum number of files at a time. Several are faster, because a hub's storage rarely sends over
/// one connection as fast as the network allows.
const MAX_CONCURRENT: usize = 4;

/// Disk space in bytes that is kept free during a download, but at most the size of the missing
/// files.
const SPARE_BYTES: u64 = 256 << 20;

/// Interval of checks whether another program has finished the same file.
const LOCK_INTERVAL: Duration = Duration::from_millis(300);

/// Files of a repository at a commit, and the cache for them.
pub struct Files {
    /// Cache of the repository.
    pub cache: Cached,
    /// Kind of the repository: model or dataset.
    pub kind: RepoKind,
    /// Name in the form `org/name`.
    pub repo: String,
    /// Requested revision.
    pub revision: String,
    /// Commit of the revision.
    pub commit: String,
    /// Files to download.
    pub files: Vec<HubFile>,
}

impl Files {
    /// Bytes of all files.
    pub fn total(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Bytes of a file that are in the cache.
    pub fn here(&self, file: &HubFile) -> u64 {
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
        let hash = file.hash.hex();
        if self.cache.has(&self.commit, &file.path) || self.cache.blob(hash).is_file() {
            return file.size;
        }
        size(&self.cache.incomplete(hash)).min(file.size)
    }

    /// Refuses files that the disk has no room for; `hub` is the cache's folder.
    pub fn check_room(&self, hub: &Path) -> Result<(), WireError> {
        let here: u64 = self.files.iter().map(|file| self.here(file)).sum();
        let missing = self.total().saturating_sub(here);
        match space::free(hub) {
            Some(free) if missing > 0 && free < missing + SPARE_BYTES.min(missing) => {
                Err(WireError::storage(say!(
                    "{} needs {} more and {} has {} free; free some space, or put the cache elsewhere with HF_HOME",
                    self.repo,
                    shown::bytes(missing),
                    hub.display(),
                    shown::bytes(free),
                )))
            }
            _ => Ok(()),
        }
    }

    /// Downloads the missing files. `note` is called with a file's index and the number of its
    /// bytes so far. `stop` cancels the download; received bytes are kept.
    ///
    /// # Errors
    /// The error of the first file that failed; the other files are cancelled then.
    pub async fn fetch(
        self: &Arc<Self>,
        access: &Arc<HubAccess>,
        note: Arc<dyn Fn(usize, u64) + Send + Sync>,
        stop: &Cancel,
    ) -> Result<(), WireError> {
        let prepared = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            prepared.cache.prepare()?;
            prepared.cache.set_ref(&prepared.revision, &prepared.commit)
        })
        .await
        .map_err(WireError::internal)?
        .map_err(|error| disk(self.cache.folder(), &error))?;
        let stop = stop.child_token();
        let (places, mut downloads) = (Arc::new(Semaphore::new(MAX_CONCURRENT)), JoinSet::new());
        for at in 0..self.files.len() {
            let (all, access, note) = (Arc::clone(self), Arc::clone(access), Arc::clone(&note));
            let (places, stop) = (Arc::clone(&places), stop.clone());
            downloads.spawn(async move {
                let _place = places.acquire_owned().await.map_err(WireError::internal)?;
                let file = &all.files[at];
                all.file(file, &access, &|bytes| note(at, bytes), &stop).await
            });
        }
        let mut first = None;
        while let Some(outcome) = downloads.join_next().await {
            if let Err(error) = outcome.map_err(WireError::internal).and_then(|outcome| outcome) {
                stop.cancel();
                // The errors of the cancelled files only say that they were cancelled.
                first.get_or_insert(error);
            }
        }
        first.map_or(Ok(()), Err)
    }

    async fn file(
        &self,
        file: &HubFile,
        access: &HubAccess,
        note: &(dyn Fn(u64) + Send + Sync),
        stop: &Cancel,
    ) -> Result<(), WireError> {
        if stop.is_cancelled() {
            note(self.here(file));
            return Err(stopped());
        }
        let hash = file.hash.hex();
        if !self.cache.has(&self.commit, &file.path) {
            let _only_we = self.lock(hash, stop).await?;
            let blob = self.cache.blob(hash);
            if !blob.is_file() {
                let repo = Repo { kind: self.kind, name: &self.repo };
                let outcome = access.hub.fetch((repo, &self.commit), file, &blob, note, stop).await;
                outcome.map_err(|error| access.wire_error(error))?;
            }
            self.cache
                .link(&self.commit, &file.path, hash)
                .map_err(|error| disk(&self.cache.snapshot(&self.commit), &error))?;
        }
        note(file.size);
        Ok(())
    }

    /// Waits until no other program downloads the same content; Python's tools use the same lock.
    async fn lock(&self, hash: &str, stop: &Cancel) -> Result<File, WireError> {
        let path = self.cache.lock(hash);
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = open.map_err(|error| disk(&path, &error))?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                // The file system does not support locks. Hugging Face's tools do not lock there
                // either.
                Err(TryLockError::Error(_)) => return Ok(lock),
                Err(TryLockError::WouldBlock) => tokio::select! {
                    biased;
                    () = stop.cancelled() => return Err(stopped()),
                    () = tokio::time::sleep(LOCK_INTERVAL) => {}
                },
            }
        }
    }
}

fn stopped() -> WireError {
    WireError::cancelled(say!("stopped; what is there is kept"))
}

fn disk(path: &Path, error: &std::io::Error) -> WireError {
    WireError::storage(say!("{} cannot be written: {error}; free the disk", path.display()))
}
