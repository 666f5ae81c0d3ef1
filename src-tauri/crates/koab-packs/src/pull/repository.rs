//! Import of a dataset repository from a hub at a fixed commit. Its list of files shows what it
//! contains, and only needed files are downloaded.

use crate::Packs;
use crate::pull::download::Download;
use crate::pull::published::PulledPack;
use crate::wire::{PackPullRequest, PackPulled, PublishedSummary, PulledFrom};
use koab_core::say;
use koab_engine::egress::Purpose;
use koab_engine::ports::Cancel;
use koab_hub::Repository as Cached;
use koab_models::downloads::{Files, HubAccess, named};
use koab_providers::hub::{Repo, RepoKind};
use koab_store::import::Origin;
use koab_store::repository_files::{self, RepositoryKind, TasksRead};
use koab_workspace::WireError;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) async fn pull(
    packs: &Packs,
    request: &PackPullRequest,
    cancel: &Cancel,
) -> Result<PackPulled, WireError> {
    let access = Arc::new(packs.models.hub(Purpose::Pack).await?);
    let hub = access.hub.shown();
    let (name, revision) = named(&request.from, &hub);
    let kind = RepoKind::Dataset;
    let repo = Repo { kind, name };
    let page = access.hub.page(repo);
    let cache = packs.models.hub_folder()?;
    let download = Download::begin(packs, name, cancel);
    let fetched = fetch(&access, repo, revision, &cache, &download, cancel).await;
    let (files, kind, licence) = download.finish(fetched)?;
    let from = PulledFrom {
        name: name.to_owned(),
        page: page.clone(),
        revision: Some(revision.to_owned()),
        commit: Some(files.commit.clone()),
        files: files.files.len() as u32,
        bytes: files.total(),
        sha256: None,
    };
    let origin = Origin {
        name: Origin::name_of(name),
        source: format!("{page}@{}", files.commit),
        licence: licence.clone(),
    };
    let snapshot = files.cache.snapshot(&files.commit);
    if kind == RepositoryKind::Pack {
        let import = move |store: &koab_store::Store, watch: koab_store::import::Watch<'_>| {
            store.import_fetched(&snapshot, Vec::new(), &origin, watch)
        };
        let imported = packs.import_pulled(Path::new(name), cancel, import).await?.into();
        return Ok(PackPulled::Pack { from, imported });
    }
    let read = read(&snapshot, &origin.source, &files).await?;
    match (kind, read) {
        (RepositoryKind::Tasks, TasksRead { whole: Some(tasks), problems, .. }) => {
            let with = packs.workspace.pack_name(request.pack.as_deref())?;
            let base = with.clone();
            let import = move |store: &koab_store::Store, watch: koab_store::import::Watch<'_>| {
                store.import_tasks(&tasks, &origin, &base, problems, watch)
            };
            let imported = packs.import_pulled(Path::new(name), cancel, import).await?.into();
            Ok(PackPulled::Tasks { from, imported, with })
        }
        (_, read) => {
            let remembered = PulledPack {
                summary: PublishedSummary {
                    repo: name.to_owned(),
                    page,
                    revision: revision.to_owned(),
                    commit: files.commit.clone(),
                    licence,
                    pulled_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
                    tasks: read.tasks.len() as u32,
                },
                files: files.files.iter().map(|file| file.path.clone()).collect(),
            };
            let (packs, pack) = (packs.clone(), request.pack.clone());
            let view = move || {
                packs.remember_published(&remembered)?;
                packs.published_of(&remembered, read, pack.as_deref())
            };
            let published = tokio::task::spawn_blocking(view).await.map_err(WireError::internal)??;
            Ok(PackPulled::Published { from, published })
        }
    }
}

/// Finds out what a repository contains and downloads the needed files. Also returns the licence
/// that the repository states.
async fn fetch(
    access: &Arc<HubAccess>,
    repo: Repo<'_>,
    revision: &str,
    cache: &Path,
    download: &Download,
    cancel: &Cancel,
) -> Result<(Arc<Files>, RepositoryKind, Option<String>), WireError> {
    let info = tokio::select! {
        biased;
        () = cancel.cancelled() => return Err(stopped()),
        info = access.hub.repository(repo, revision) => info.map_err(|error| access.wire_error(error))?,
    };
    let paths: Vec<&str> = info.files.iter().map(|file| file.path.as_str()).collect();
    let (kind, needed) =
        repository_files::kind_of_repository(&paths).ok_or_else(|| holds_nothing(repo.name))?;
    let needed: BTreeSet<&str> = needed.into_iter().collect();
    let files = Arc::new(Files {
        cache: Cached::of_dataset(cache, repo.name),
        kind: repo.kind,
        repo: repo.name.to_owned(),
        revision: revision.to_owned(),
        files: info.files.iter().filter(|file| needed.contains(file.path.as_str())).cloned().collect(),
        commit: info.commit.clone(),
    });
    files.check_room(cache)?;
    let here: Vec<AtomicU64> = files.files.iter().map(|_| AtomicU64::new(0)).collect();
    let (total, progress) = (files.total(), download.progress());
    progress(0, Some(total));
    let note = move |at: usize, bytes: u64| {
        here[at].store(bytes, Ordering::Relaxed);
        let done = here.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum();
        progress(done, Some(total));
    };
    files.fetch(access, Arc::new(note), cancel).await?;
    Ok((files, kind, info.licence))
}

async fn read(snapshot: &Path, shown: &str, files: &Arc<Files>) -> Result<TasksRead, WireError> {
    let (snapshot, shown, files) = (snapshot.to_owned(), shown.to_owned(), Arc::clone(files));
    let read = move || {
        let paths: Vec<&str> = files.files.iter().map(|file| file.path.as_str()).collect();
        repository_files::read(&snapshot, &shown, &paths)
    };
    let read = tokio::task::spawn_blocking(read).await.map_err(WireError::internal)?;
    Ok(read?)
}

fn holds_nothing(name: &str) -> WireError {
    WireError::bad_file(say!(
        "{name} holds no tasks: neither tasks/pack.json, nor level files beside a tool catalog, nor files named by level, such as \
             data/L1-00000-of-00001.parquet or L1.jsonl"
    ))
}

fn stopped() -> WireError {
    WireError::cancelled(say!("stopped before it was done"))
}
