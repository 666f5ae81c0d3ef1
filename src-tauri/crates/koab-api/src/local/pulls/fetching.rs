//! The work of a download: several files at a time into the shared cache, each linked into its commit when it is whole.

use super::Live;
use super::plan::{Plan, PlanFile};
use crate::Api;
use crate::activities::{ActivityKind, Underway};
use crate::local::hub::Asked;
use crate::local::space;
use crate::wire::{ErrorCode, WireError};
use koab_engine::ports::Cancel;
use koab_local::library::Library;
use koab_local::library::cache::Repository as Cached;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Files at a time. One connection to the storage behind a hub is rarely as fast as the line.
const AT_ONCE: usize = 4;

/// What is left free beside the model.
const SPARE: u64 = 256 << 20;

/// How often a file that another program fetches is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(300);

/// What the files' tasks share.
struct Shared {
    asked: Asked,
    cache: Cached,
    live: Arc<Live>,
    underway: Underway,
    /// Triggered by a pause and by the first error.
    stop: Cancel,
}

/// Refuses what the disk has no room for.
pub(super) fn check_room(library: &Library, plan: &Plan) -> Result<(), WireError> {
    let cache = Cached::of(library.hub(), &plan.repo);
    let here: u64 = plan
        .files
        .iter()
        .map(|file| file.here(&cache, &plan.commit))
        .sum();
    let missing = plan.total().saturating_sub(here);
    let gb = |bytes: u64| bytes as f64 / 1e9;
    match space::free(library.hub()) {
        Some(free) if missing > 0 && free < missing + SPARE => Err(WireError::storage(format!(
            "{} needs {:.1} GB more and {} has {:.1} GB free; free some, or put the cache elsewhere with HF_HOME",
            plan.repo,
            gb(missing),
            library.hub().display(),
            gb(free),
        ))),
        _ => Ok(()),
    }
}

/// Fetches what a plan lacks. However it ends, the download's state says it.
pub(super) async fn fetch(api: Api, live: Arc<Live>) {
    let about = vec![live.plan.repo.clone()];
    let underway = api.begin_activity(ActivityKind::ModelPull, about, Some(&live.pause));
    let ended = all_files(&api, &live, underway).await;
    if ended.is_ok() {
        // A plan that stays is shown as a paused download, which is whole at its next start.
        let _ = live.plan.remove(&api.plans());
    }
    let _ = live.end.set(ended);
    live.over.cancel();
}

async fn all_files(api: &Api, live: &Arc<Live>, underway: Underway) -> Result<(), WireError> {
    let cache = Cached::of(api.library()?.hub(), &live.plan.repo);
    let (prepared, plan) = (cache.clone(), live.plan.clone());
    tokio::task::spawn_blocking(move || {
        prepared.prepare()?;
        prepared.set_ref(&plan.revision, &plan.commit)
    })
    .await
    .map_err(WireError::internal)?
    .map_err(|error| disk(cache.folder(), &error))?;
    let shared = Arc::new(Shared {
        asked: api.hub().await?,
        cache,
        live: Arc::clone(live),
        underway,
        stop: live.pause.child_token(),
    });
    let (places, mut files) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
    for at in 0..live.plan.files.len() {
        let (shared, places) = (Arc::clone(&shared), Arc::clone(&places));
        files.spawn(async move {
            let _place = places.acquire_owned().await.map_err(WireError::internal)?;
            shared.file(at).await
        });
    }
    let mut first = None;
    while let Some(ended) = files.join_next().await {
        if let Err(error) = ended.map_err(WireError::internal).and_then(|ended| ended) {
            shared.stop.cancel();
            // What stops because of it says only that it was stopped.
            first.get_or_insert(error);
        }
    }
    let ended = first.map_or(Ok(()), Err);
    match Arc::into_inner(shared) {
        Some(shared) => shared.underway.finish(ended),
        None => ended,
    }
}

impl Shared {
    async fn file(&self, at: usize) -> Result<(), WireError> {
        let plan = &self.live.plan;
        let file = &plan.files[at];
        let note = |bytes: u64| {
            self.live.note(at, bytes);
            self.underway.progress(self.live.done(), plan.total());
        };
        if self.stop.is_cancelled() {
            note(file.here(&self.cache, &plan.commit));
            return Err(stopped());
        }
        if !self.cache.has(&plan.commit, &file.path) {
            let _only_we = self.lock(file).await?;
            let blob = self.cache.blob(&file.hash);
            if !blob.is_file() {
                let wanted = file.wanted().ok_or_else(|| {
                    WireError::new(
                        ErrorCode::BadFile,
                        format!("the plan of {} is damaged; fetch it anew", plan.repo),
                    )
                })?;
                let from = (plan.repo.as_str(), plan.commit.as_str());
                let fetched = self
                    .asked
                    .hub
                    .fetch(from, &wanted, &blob, &note, &self.stop)
                    .await;
                fetched.map_err(|error| self.asked.told(error))?;
            }
            self.cache
                .link(&plan.commit, &file.path, &file.hash)
                .map_err(|error| disk(&self.cache.snapshot(&plan.commit), &error))?;
        }
        note(file.size);
        Ok(())
    }

    /// Waits until no other program fetches the same content; Python's tools take the same lock.
    async fn lock(&self, file: &PlanFile) -> Result<File, WireError> {
        let path = self.cache.lock(&file.hash);
        let open = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        let lock = open.map_err(|error| disk(&path, &error))?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                // File systems without locks: whoever shares one has been warned by its maker.
                Err(TryLockError::Error(_)) => return Ok(lock),
                Err(TryLockError::WouldBlock) => tokio::select! {
                    biased;
                    () = self.stop.cancelled() => return Err(stopped()),
                    () = tokio::time::sleep(LOOK_AGAIN) => {}
                },
            }
        }
    }
}

fn stopped() -> WireError {
    WireError::new(ErrorCode::Cancelled, "stopped; what is there is kept")
}

fn disk(path: &Path, error: &std::io::Error) -> WireError {
    WireError::storage(format!(
        "{} cannot be written: {error}; free the disk",
        path.display()
    ))
}
