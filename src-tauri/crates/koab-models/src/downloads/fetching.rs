//! Files on their way into the shared cache: several at a time, each linked into its commit when it
//! is whole.

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

/// Files at a time. One connection to the storage behind a hub is rarely as fast as the line.
const AT_ONCE: usize = 4;

/// What is left free beside what is fetched, at most; never more than that is.
const SPARE: u64 = 256 << 20;

/// How often a file that another program fetches is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(300);

/// Files of a repository at a commit, and the cache that they belong in.
pub struct Files {
    /// The cache of the repository.
    pub cache: Cached,
    /// Model or dataset.
    pub kind: RepoKind,
    /// Its name, `org/name`.
    pub repo: String,
    /// The revision that was asked for.
    pub revision: String,
    /// The commit that it is.
    pub commit: String,
    /// The files that are wanted.
    pub files: Vec<HubFile>,
}

impl Files {
    /// Bytes of all files.
    pub fn total(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Bytes of a file that are here.
    pub fn here(&self, file: &HubFile) -> u64 {
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
        let hash = file.hash.hex();
        if self.cache.has(&self.commit, &file.path) || self.cache.blob(hash).is_file() {
            return file.size;
        }
        size(&self.cache.incomplete(hash)).min(file.size)
    }

    /// Refuses what the disk has no room for; `hub` is the cache's folder.
    pub fn check_room(&self, hub: &Path) -> Result<(), WireError> {
        let here: u64 = self.files.iter().map(|file| self.here(file)).sum();
        let missing = self.total().saturating_sub(here);
        match space::free(hub) {
            Some(free) if missing > 0 && free < missing + SPARE.min(missing) => {
                Err(WireError::storage(say!(
                    "{} needs {} more and {} has {} free; free some, or put the cache elsewhere with HF_HOME",
                    self.repo,
                    shown::bytes(missing),
                    hub.display(),
                    shown::bytes(free),
                )))
            }
            _ => Ok(()),
        }
    }

    /// Fetches what is not here. `note` hears how many bytes of a file, by its place in the list,
    /// are here; `stop` ends it, and what came is kept.
    ///
    /// # Errors
    /// Of the first file that could not be had; the others are stopped then.
    pub async fn fetch(
        self: &Arc<Self>,
        asked: &Arc<HubAccess>,
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
        let (places, mut fetched) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
        for at in 0..self.files.len() {
            let (all, asked, note) = (Arc::clone(self), Arc::clone(asked), Arc::clone(&note));
            let (places, stop) = (Arc::clone(&places), stop.clone());
            fetched.spawn(async move {
                let _place = places.acquire_owned().await.map_err(WireError::internal)?;
                let file = &all.files[at];
                all.file(file, &asked, &|bytes| note(at, bytes), &stop).await
            });
        }
        let mut first = None;
        while let Some(ended) = fetched.join_next().await {
            if let Err(error) = ended.map_err(WireError::internal).and_then(|ended| ended) {
                stop.cancel();
                // What stops because of it says only that it was stopped.
                first.get_or_insert(error);
            }
        }
        first.map_or(Ok(()), Err)
    }

    async fn file(
        &self,
        file: &HubFile,
        asked: &HubAccess,
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
                let fetched = asked.hub.fetch((repo, &self.commit), file, &blob, note, stop).await;
                fetched.map_err(|error| asked.wire_error(error))?;
            }
            self.cache
                .link(&self.commit, &file.path, hash)
                .map_err(|error| disk(&self.cache.snapshot(&self.commit), &error))?;
        }
        note(file.size);
        Ok(())
    }

    /// Waits until no other program fetches the same content; Python's tools take the same lock.
    async fn lock(&self, hash: &str, stop: &Cancel) -> Result<File, WireError> {
        let path = self.cache.lock(hash);
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = open.map_err(|error| disk(&path, &error))?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                // File systems without locks: whoever shares one has been warned by its maker.
                Err(TryLockError::Error(_)) => return Ok(lock),
                Err(TryLockError::WouldBlock) => tokio::select! {
                    biased;
                    () = stop.cancelled() => return Err(stopped()),
                    () = tokio::time::sleep(LOOK_AGAIN) => {}
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
