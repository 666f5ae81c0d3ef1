//! Packs and their cached responses. A pack is an installed set of tasks with the definitions of
//! their tools and recorded responses to calls of these tools. A run with the pack answers calls
//! from these responses.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answers;
mod drafts;
mod nearest;
mod pull;
mod snapshots;
mod tasks;
pub mod wire;

pub use nearest::nearest;
pub use snapshots::ShareOptions;

use crate::wire::*;
use koab_benchmarks::Scoring;
use koab_core::args;
use koab_core::catalog::ToolCatalog;
use koab_core::finding::Problem;
use koab_core::pack::Pack;
use koab_core::pack_identity::tasks_sha256;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolFault;
use koab_engine::ports::{Cancel, ResponseCache as _};
use koab_models::Models;
use koab_report::comparability::PUBLISHED_TASKS;
use koab_store::import::{Imported, Watch};
use koab_store::{
    BenchmarkPack, Deleted, Error, GroupItems, PackInfo, SnapshotInfo, Store, ToolRecords, TrashKind,
};
use koab_workspace::jobs::JobKind;
use koab_workspace::starter;
use koab_workspace::{Recent, WireError, Workspace, commands, paths::last_part};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use ts_rs::TS;

/// Maximum number of look-ups that the window times: enough for a 99th percentile, and done within
/// a few seconds.
pub(crate) const MAX_TIMED_LOOKUPS: usize = 20_000;

/// Maximum number of differences between two snapshots that the window lists.
const MAX_DIFFERENCES: usize = 500;

/// One pack with more details than in the list.
#[derive(Clone, Debug, Serialize)]
pub struct PackDetail {
    /// Row of the pack in the list.
    pub summary: PackSummary,
    /// Source of the data.
    pub source: String,
    /// Number of records, by whether they belong to the current definitions of the tools.
    pub records: koab_store::RecordCounts,
    /// Time of the import, UTC, ISO 8601.
    pub imported_at: String,
}

/// Result of an import.
#[derive(Clone, Debug, Serialize)]
pub struct PackImported {
    /// Imported pack.
    pub pack: PackSummary,
    /// All problems of the pack's data.
    pub problems: Vec<Problem>,
    /// Duration of the import in seconds.
    pub seconds: f64,
}

/// Number of cached responses in a pack.
#[derive(Clone, Debug, Serialize)]
pub struct CacheStats {
    /// `name@version` of the pack.
    pub pack: String,
    /// Counts for each tool.
    pub tools: Vec<ToolStats>,
}

/// Number of cached responses of one tool.
#[derive(Clone, Debug, Serialize)]
pub struct ToolStats {
    /// Tool name.
    pub tool: String,
    /// Number of records, each with the response to one recorded call.
    pub records: u32,
    /// Number of records whose key belongs to the current definition of the tool.
    pub current: u32,
    /// Number of distinct arguments that have a cached response.
    pub reachable: u32,
}

/// Duration of look-ups in the cache.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct CacheTimes {
    /// Number of calls that were looked up.
    pub calls: usize,
    /// Median duration in microseconds.
    pub p50_us: f64,
    /// 99th percentile of the duration in microseconds.
    pub p99_us: f64,
    /// Longest duration in microseconds.
    pub max_us: f64,
}

/// Result of a look-up in the cache.
#[derive(Clone, Debug, Serialize)]
pub struct Lookup {
    /// Cache key of the call, in the form that the published data use.
    pub key: String,
    /// Normalized arguments.
    pub args: Value,
    /// Cached response, if there is one.
    pub result: Option<Value>,
    /// Reason why there is no cached response.
    pub fault: Option<Sentence>,
}

/// Packs of a workspace. A clone is cheap and shares everything.
#[derive(Clone)]
pub struct Packs {
    workspace: Workspace,
    models: Models,
    /// Most recently used pack.
    recent: Arc<Recent<Pack>>,
}

impl Packs {
    /// Opens the packs of this workspace. `models` supplies the hub to download packs from.
    pub fn new(workspace: Workspace, models: Models) -> Self {
        Self { workspace, models, recent: Arc::new(Recent::new(1)) }
    }

    /// Opens the packs of a workspace in this folder, for tests.
    #[cfg(test)]
    fn at(folder: &Path) -> Self {
        let workspace = Workspace::open(Some(folder.to_owned())).expect("opened");
        let keys = koab_keys::Keys::new(workspace.clone());
        Self::new(workspace.clone(), Models::new(workspace, keys))
    }

    /// Returns a pack with the content of its last import. The pack stays in memory until another
    /// one is requested.
    ///
    /// # Errors
    /// When it is not installed or cannot be read.
    pub fn recent(&self, name: &str) -> Result<Arc<Pack>, WireError> {
        let store = self.workspace.store()?;
        let generation = store.pack_info(name)?.generation;
        let read = || Ok(store.any_pack(name)?);
        self.recent.get(Path::new(name), generation.to_string(), read)
    }

    /// Whether a pack's tasks are the published ones, word for word.
    pub fn is_published(&self, name: &str) -> bool {
        let pack = self.recent(name);
        pack.is_ok_and(|pack| tasks_sha256(&pack.tasks) == PUBLISHED_TASKS)
    }
}

impl Packs {
    /// All packs of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn list(&self) -> Result<Vec<PackSummary>, WireError> {
        Ok(self.workspace.store()?.packs()?.iter().map(summary).collect())
    }

    /// Details of one pack. Without a name, the details of the active pack.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn show(&self, name: Option<&str>) -> Result<PackDetail, WireError> {
        let name = self.workspace.pack_name(name)?;
        let info = self.workspace.store()?.pack_info(&name)?;
        Ok(PackDetail {
            summary: summary(&info),
            source: info.manifest.source.clone(),
            records: info.records,
            imported_at: info.imported_at,
        })
    }

    /// Makes a pack the active one.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn activate(&self, name: &str) -> Result<(), WireError> {
        Ok(self.workspace.store()?.use_pack(name)?)
    }

    /// Imports a folder or an archive.
    ///
    /// # Errors
    /// When it is not a pack, or the disk refuses. Faults of single files are part of the result.
    pub fn import(&self, path: &Path) -> Result<PackImported, WireError> {
        self.imported(|store| store.import(path))
    }

    /// Imports a folder or an archive as a job with progress. The user or `cancel` can stop it.
    ///
    /// # Errors
    /// See [`Packs::import`], and when it was stopped. Nothing is imported then.
    pub async fn import_in_view(&self, path: PathBuf, cancel: &Cancel) -> Result<PackImported, WireError> {
        let (packs, cancel) = (self.clone(), cancel.clone());
        let underway = self.workspace.begin_job(JobKind::PackImport, vec![last_part(&path)], Some(&cancel));
        tokio::task::spawn_blocking(move || {
            let progress = |done: u64, total: u64| underway.progress(done, total);
            let watch = Watch { cancel: &cancel, progress: &progress };
            let imported = packs.imported(|store| store.import_watched(&path, watch));
            underway.finish(imported)
        })
        .await
        .map_err(WireError::internal)?
    }

    fn imported(
        &self,
        import: impl FnOnce(&Store) -> Result<Imported, Error>,
    ) -> Result<PackImported, WireError> {
        let start = Instant::now();
        let imported = import(self.workspace.store()?)?;
        Ok(PackImported {
            pack: summary(&imported.pack),
            problems: imported.problems,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// One pack, with the problems that its import found.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn view(&self, name: &str) -> Result<PackView, WireError> {
        let store = self.workspace.store()?;
        let info = store.pack_info(name)?;
        let problems = store.pack_problems(name)?;
        Ok(PackView {
            summary: summary(&info),
            source: info.manifest.source.clone(),
            imported_at: info.imported_at.clone(),
            records: (&info.records).into(),
            problems,
            flags: store.task_flags(name)?.len() as u32,
        })
    }

    /// Scoring of replies to another benchmark's items.
    ///
    /// # Errors
    /// See [`Packs::benchmark`].
    pub fn scoring(&self, name: &str) -> Result<Arc<Scoring>, WireError> {
        let pack = self.benchmark(name)?;
        Ok(Arc::new(Scoring::new(pack.benchmark, pack.items)))
    }

    /// Items of another benchmark's pack.
    ///
    /// # Errors
    /// When there is no such pack, or it contains tasks of Ko-AgentBench.
    pub fn benchmark(&self, name: &str) -> Result<BenchmarkPack, WireError> {
        Ok(self.workspace.store()?.benchmark_pack(name)?)
    }

    /// Effects of removing a pack. `runs` is the number of runs that use it.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn removal(&self, name: &str, runs: u32) -> Result<PackRemoval, WireError> {
        let store = self.workspace.store()?;
        let info = store.pack_info(name)?;
        let others = store.packs()?.into_iter().filter(|pack| pack.benchmark.is_none());
        let others = others.map(|pack| pack.manifest.name);
        let next = others.into_iter().find(|other| other != name);
        Ok(PackRemoval {
            tasks: match &info.benchmark {
                Some(counts) => counts.items(),
                None => info.manifest.counts.tasks.values().sum(),
            },
            records: info.records.kept,
            runs,
            flags: store.task_flags(name)?.len() as u32,
            versions: {
                let versions = store.own_versions()?.into_iter();
                let earlier = versions.filter(|(pack, version)| {
                    pack == name && version.installed && version.version != info.manifest.version
                });
                earlier.count() as u32
            },
            snapshots: store.snapshots()?.iter().filter(|one| one.pack == name).count() as u32,
            active: if info.active { next } else { store.active_pack()? },
            starter: name == starter::NAME,
        })
    }

    /// Moves a pack with its cached responses to the trash. Runs, reports and flags stay. The
    /// starter pack is not reinstalled automatically.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn remove(&self, name: &str) -> Result<Deleted, WireError> {
        let store = self.workspace.store()?;
        let deleted = self.workspace.trash_put(TrashKind::Pack, name)?;
        if name == starter::NAME {
            store.set_setting(starter::REMOVED, Some("1"))?;
        }
        Ok(deleted)
    }

    /// Installs the starter pack again. An installed one stays.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn starter(&self) -> Result<PackSummary, WireError> {
        let store = self.workspace.store()?;
        store.set_setting(starter::REMOVED, None)?;
        starter::install(store)?;
        Ok(summary(&store.pack_info(starter::NAME)?))
    }

    /// Number of cached responses in a pack for each tool.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn tool_records(&self, pack: &str) -> Result<Vec<ToolRecords>, WireError> {
        Ok(self.workspace.store()?.cache_stats(pack)?)
    }

    /// Compares a pack with the hashes in its manifest. An empty list means that nothing is wrong.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn verify(&self, name: Option<&str>) -> Result<Vec<String>, WireError> {
        let name = self.workspace.pack_name(name)?;
        Ok(self.workspace.store()?.verify_pack(&name)?.iter().map(ToString::to_string).collect())
    }

    /// Number of cached responses in the active pack for each tool.
    ///
    /// # Errors
    /// When no pack is active.
    pub fn cache_stats(&self) -> Result<CacheStats, WireError> {
        let name = self.workspace.pack_name(None)?;
        let info = self.workspace.store()?.pack_info(&name)?;
        let tools = self.workspace.store()?.cache_stats(&name)?.into_iter().map(|t| ToolStats {
            tool: t.tool,
            records: t.records,
            current: t.current,
            reachable: t.answering,
        });
        Ok(CacheStats { pack: format!("{name}@{}", info.manifest.version), tools: tools.collect() })
    }

    /// Cached response of the active pack to a call, looked up as in a run.
    ///
    /// # Errors
    /// When no pack is active or the tool does not exist. Faulty arguments and a miss are part of
    /// the result.
    pub fn cache_lookup(&self, tool: &str, arguments: &str) -> Result<Lookup, WireError> {
        let name = self.workspace.pack_name(None)?;
        let pack = self.workspace.load_pack(&name)?;
        let catalog = ToolCatalog::new(pack.tools);
        let spec = catalog.get(tool).ok_or_else(|| {
            WireError::not_found(say!("pack {name} has no tool {tool}; see `koab cache stats`"))
        })?;
        let raw = args::parse(arguments).map_err(|fault| WireError::bad_request(fault.to_sentence()))?;
        let normalized = args::normalize(spec, &raw);
        let key = catalog.key(tool, &normalized);
        let result = match args::check(spec, &raw) {
            Ok(()) => self.workspace.store()?.cache(&name)?.lookup(tool, &normalized)?,
            Err(fault) => return Err(WireError::bad_request(fault.to_sentence())),
        };
        let fault = result
            .is_none()
            .then(|| ToolFault::NotCached { tool: tool.to_owned(), key: key.clone() }.to_sentence());
        Ok(Lookup { key, args: normalized.as_value().clone(), result, fault })
    }

    /// Times look-ups of recorded calls as in a run, each call once: all calls, or a sample of
    /// about `most`. Without a name, the calls of the active pack are looked up.
    ///
    /// # Errors
    /// When there is no such pack, or it has no records.
    pub fn cache_time(&self, pack: Option<&str>, most: usize) -> Result<CacheTimes, WireError> {
        let name = self.workspace.pack_name(pack)?;
        let cache = self.workspace.store()?.cache(&name)?;
        let mut times = Vec::new();
        cache.each_of_some_calls(most, |tool, args| {
            let start = Instant::now();
            let response = cache.lookup(tool, args)?;
            times.push(start.elapsed().as_secs_f64() * 1e6);
            // Freeing a large answer is not part of the look-up.
            drop(response);
            Ok::<_, WireError>(())
        })?;
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times.get((times.len().saturating_sub(1) as f64 * share) as usize).copied();
        let (Some(p50_us), Some(p99_us), Some(max_us)) = (at(0.5), at(0.99), times.last().copied()) else {
            return Err(WireError::not_found(say!("pack {name} has no cached responses")));
        };
        Ok(CacheTimes { calls: times.len(), p50_us, p99_us, max_us })
    }
}

impl From<PackImported> for PackImport {
    fn from(imported: PackImported) -> Self {
        Self { pack: imported.pack, problems: imported.problems, seconds: imported.seconds }
    }
}

pub(crate) fn summary(info: &PackInfo) -> PackSummary {
    let manifest = &info.manifest;
    let rows = match &info.benchmark {
        Some(counts) => counts.rows(),
        None => manifest.counts.tasks.clone().into_iter().collect(),
    };
    let is_own = info.benchmark.is_none();
    PackSummary {
        name: manifest.name.clone(),
        version: manifest.version.clone(),
        title: manifest.title.clone(),
        licence: manifest.licence.clone(),
        sample: manifest.sample,
        active: info.active,
        levels: rows.into_iter().map(|(level, tasks)| LevelCount { level, tasks }).collect(),
        tools: is_own.then_some(manifest.counts.tools),
        records: is_own.then_some(info.records.kept),
        kind: info.benchmark.as_ref().map(|counts| counts.kind.clone()),
        groups: groups(info),
    }
}

fn groups(info: &PackInfo) -> Vec<GroupCount> {
    let groups = info.benchmark.iter().flat_map(|counts| counts.groups.iter());
    let groups = groups.map(|GroupItems { group, items }| GroupCount { group: group.clone(), items: *items });
    groups.collect()
}

commands! { Packs: packs, sink;
    disk packs_list() -> Vec<PackSummary> [reads Packs, Drafts] = packs.list();
    disk pack_use(name: String) -> () [writes Packs] = packs.activate(&name);
    disk pack_view(name: String) -> PackView [reads Packs, Drafts] = packs.view(&name);
    slow pack_import(path: PathBuf) -> PackImport [writes Packs, Snapshots] =
        packs.import_in_view(path, &Cancel::new()).await.map(PackImport::from);
    slow pack_pull(request: PackPullRequest) -> PackPulled [writes Packs, Snapshots] =
        packs.pull(request, &Cancel::new()).await;
    disk published_list() -> Vec<PublishedSummary> [reads Packs] = packs.published_list();
    disk published_view(repo: String, commit: Option<String>, pack: Option<String>) -> PublishedView [reads Packs] =
        packs.published_view(&repo, commit.as_deref(), pack.as_deref());
    disk published_forget(repo: String, commit: String) -> Vec<PublishedSummary> [writes Packs] =
        packs.published_forget(&repo, &commit);
    disk pack_starter() -> PackSummary [writes Packs] = packs.starter();
    disk pack_export(name: String) -> PackFile [reads Packs] = packs.export(&name);
    disk drafts_list() -> DraftList [reads Drafts, Packs] = packs.drafts_list();
    disk draft_create(request: DraftRequest) -> DraftSummary [writes Drafts] = packs.draft_create(&request);
    disk draft_open(name: String) -> DraftOpened [reads Drafts, Packs] = packs.draft_open(&name);
    disk draft_item(name: String, key: u32) -> DraftItemView [reads Drafts, Packs] =
        packs.draft_item(&name, key.into());
    disk draft_change(name: String, revision: u32, change: DraftChange) -> DraftChanged [writes Drafts] =
        packs.draft_change(&name, revision.into(), change);
    disk draft_try(name: String, tool: String, arguments: String) -> CallLookup [reads Drafts, Packs] =
        packs.draft_try(&name, &tool, &arguments);
    disk draft_response(name: String, tool: String, arguments: String) -> Option<String> [reads Drafts, Packs] =
        packs.draft_response(&name, &tool, &arguments);
    disk draft_records(name: String, tool: String, words: String) -> DraftRecords [reads Drafts, Packs] =
        packs.draft_records(&name, &tool, &words);
    disk draft_review(name: String) -> DraftReview [reads Drafts, Packs] = packs.draft_review(&name);
    disk draft_save(name: String, revision: u32) -> DraftSaved [writes Packs, Drafts] =
        packs.draft_save(&name, revision.into());
    disk draft_discard(name: String) -> () [writes Packs, Drafts] = packs.draft_discard(&name);
    disk pack_tools(pack: Option<String>) -> Vec<ToolView> [reads Packs, Drafts] = packs.tools(pack.as_deref());
    disk tasks_list(pack: Option<String>) -> TaskList [reads Packs, Drafts] = packs.tasks_list(pack.as_deref());
    disk task_show(pack: Option<String>, id: String) -> TaskDetail [reads Packs, Drafts] =
        packs.task_show(pack.as_deref(), &id);
    disk task_flag(pack: String, id: String, note: Option<String>) -> Option<TaskFlagView> [writes Packs] =
        packs.task_flag(&pack, &id, note.as_deref());
    disk task_flags(pack: Option<String>) -> HashMap<String, TaskFlagView> [reads Packs] =
        packs.task_flags(pack.as_deref());
    disk tool_records(pack: String) -> Vec<ToolRecords> [reads Packs] = packs.tool_records(&pack);
    disk snapshots_list(pack: Option<String>) -> SnapshotList [reads Snapshots, Packs] =
        packs.snapshots_list(pack.as_deref());
    disk snapshots_all() -> Vec<SnapshotInfo> [reads Snapshots, Packs] = packs.snapshots_all();
    disk snapshot_create(pack: Option<String>, name: String, note: String) -> SnapshotInfo [writes Snapshots] =
        packs.snapshot_create(pack.as_deref(), &name, &note);
    disk snapshot_show(name: String, verify: bool) -> SnapshotDetail [reads Snapshots] =
        packs.snapshot_show(&name, verify);
    disk snapshot_diff(pack: Option<String>, then: String, now: String, tool: Option<String>) -> SnapshotDiff [reads Snapshots, Packs] =
        packs.snapshot_diff(pack.as_deref(), (&then, &now), tool.as_deref(), MAX_DIFFERENCES);
    disk snapshot_delete(name: String) -> () [writes Snapshots] = packs.snapshot_delete(&name);
    disk snapshot_export(pack: Option<String>, state: String) -> SnapshotExport [reads Snapshots, Packs] =
        packs.snapshot_export(pack.as_deref(), &state, None);
    disk snapshot_share(pack: Option<String>, state: String, name: Option<String>) -> SnapshotExport [reads Snapshots, Packs] =
        packs.snapshot_share(pack.as_deref(), &state, None, ShareOptions { name, version: None });
    disk call_lookup(pack: Option<String>, tool: String, arguments: String) -> CallLookup [reads Packs] =
        packs.call_lookup(pack.as_deref(), &tool, &arguments);
    disk cache_time(pack: Option<String>) -> CacheTimes [reads Packs] =
        packs.cache_time(pack.as_deref(), MAX_TIMED_LOOKUPS);
}

#[cfg(test)]
mod tests;
