//! Packs and their recorded responses.

use crate::Api;
use crate::activities::ActivityKind;
use crate::import::last_part;
use crate::starter;
use crate::wire::{
    ErrorCode, LevelCount, PackImport, PackProblem, PackRemoval, PackSummary, PackView, ToolRecordsView,
    WireError,
};
use koab_core::args;
use koab_core::cache_key::published_key;
use koab_core::pack::Pack;
use koab_core::task::Problem;
use koab_core::tool::{ToolCatalog, ToolFault};
use koab_engine::ports::{Cancel, ResponseCache as _};
use koab_store::import::{Imported, Watch};
use koab_store::{Error, PackInfo, Store};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Instant;
use ts_rs::TS;

/// Look-ups that the window times at most: enough for a 99th percentile, and done within a few seconds.
pub(crate) const TIMED: usize = 20_000;

/// One pack, with more than the list shows.
#[derive(Clone, Debug, Serialize)]
pub struct PackDetail {
    /// As in the list.
    pub summary: PackSummary,
    /// Where the data comes from.
    pub source: String,
    /// How its records stand to its catalog.
    pub records: koab_store::RecordCounts,
    /// When it was imported.
    pub imported_at: String,
}

/// What an import brought.
#[derive(Clone, Debug, Serialize)]
pub struct PackImported {
    /// The pack.
    pub pack: PackSummary,
    /// Everything that is wrong with its data.
    pub problems: Vec<Problem>,
    /// How long it took.
    pub seconds: f64,
}

/// Recorded responses of a pack.
#[derive(Clone, Debug, Serialize)]
pub struct CacheStats {
    /// `name@version`.
    pub pack: String,
    /// By tool.
    pub tools: Vec<ToolStats>,
}

/// Recorded responses of one tool.
#[derive(Clone, Debug, Serialize)]
pub struct ToolStats {
    /// Tool name.
    pub tool: String,
    /// All records.
    pub records: u32,
    /// Under the keys of the current catalog.
    pub current: u32,
    /// Distinct arguments that are answered.
    pub reachable: u32,
}

/// How long look-ups take.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct CacheTimes {
    /// Calls that were looked up.
    pub calls: usize,
    /// Median, microseconds.
    pub p50_us: f64,
    /// 99th percentile, microseconds.
    pub p99_us: f64,
    /// Longest, microseconds.
    pub max_us: f64,
}

/// What a look-up found.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// Published key of the call.
    pub key: String,
    /// Normalized arguments.
    pub args: Value,
    /// The recorded response.
    pub result: Option<Value>,
    /// Why there is none.
    pub fault: Option<String>,
}

impl Api {
    /// Every pack of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn packs_list(&self) -> Result<Vec<PackSummary>, WireError> {
        Ok(self.store()?.packs()?.iter().map(summary).collect())
    }

    /// One pack; the active one when no name is given.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn pack_show(&self, name: Option<&str>) -> Result<PackDetail, WireError> {
        let name = self.pack_name(name)?;
        let info = self.store()?.pack_info(&name)?;
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
    pub fn pack_use(&self, name: &str) -> Result<(), WireError> {
        Ok(self.store()?.use_pack(name)?)
    }

    /// Imports a folder or an archive.
    ///
    /// # Errors
    /// When it is no pack at all, or the disk refuses. Faults of single files are in the answer.
    pub fn pack_import(&self, path: &Path) -> Result<PackImported, WireError> {
        self.pack_imported(|store| store.import(path))
    }

    /// Imports a folder or an archive as an activity, which shows how far it is and can be stopped.
    ///
    /// # Errors
    /// As [`Api::pack_import`], and when it was stopped; nothing is imported then.
    pub async fn pack_import_in_view(&self, path: PathBuf) -> Result<PackImported, WireError> {
        let (api, cancel) = (self.clone(), Cancel::new());
        let underway = self.begin_activity(ActivityKind::PackImport, vec![last_part(&path)], Some(&cancel));
        tokio::task::spawn_blocking(move || {
            let progress = |done: u64, total: u64| underway.progress(done, total);
            let watch = Watch {
                cancel: &cancel,
                progress: &progress,
            };
            let imported = api.pack_imported(|store| store.import_watched(&path, watch));
            underway.finish(imported)
        })
        .await
        .map_err(WireError::internal)?
    }

    fn pack_imported(
        &self,
        import: impl FnOnce(&Store) -> Result<Imported, Error>,
    ) -> Result<PackImported, WireError> {
        let begun = Instant::now();
        let imported = import(self.store()?)?;
        Ok(PackImported {
            pack: summary(&imported.pack),
            problems: imported.problems,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    /// One pack with what its import found.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn pack_view(&self, name: &str) -> Result<PackView, WireError> {
        let store = self.store()?;
        let info = store.pack_info(name)?;
        let problems = store.pack_problems(name)?.into_iter();
        Ok(PackView {
            summary: summary(&info),
            source: info.manifest.source.clone(),
            imported_at: info.imported_at.clone(),
            records: (&info.records).into(),
            problems: problems.map(PackProblem::from).collect(),
            flags: store.task_flags(name)?.len() as u32,
        })
    }

    /// What removing a pack would take along.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn pack_removal(&self, name: &str) -> Result<PackRemoval, WireError> {
        let store = self.store()?;
        let info = store.pack_info(name)?;
        let of_it = |pack: &str| pack.rsplit_once('@').map_or(pack, |(name, _)| name) == name;
        let runs = self.runs_list()?;
        let others = store.packs()?.into_iter().map(|pack| pack.manifest.name);
        let next = others.into_iter().find(|other| other != name);
        Ok(PackRemoval {
            tasks: info.manifest.counts.tasks.values().sum(),
            records: info.records.kept,
            runs: runs
                .iter()
                .filter(|run| run.pack.as_deref().is_some_and(of_it))
                .count() as u32,
            flags: store.task_flags(name)?.len() as u32,
            versions: {
                let versions = store.own_versions()?.into_iter();
                let earlier = versions.filter(|version| {
                    version.pack == name && version.installed && version.version != info.manifest.version
                });
                earlier.count() as u32
            },
            snapshots: store.snapshots()?.iter().filter(|one| one.pack == name).count() as u32,
            active: if info.active { next } else { store.active_pack()? },
            starter: name == starter::NAME,
        })
    }

    /// Removes a pack with its recorded responses. Runs, reports and flags stay. The starter pack does not come back
    /// by itself.
    ///
    /// # Errors
    /// When there is no such pack, or a run is being made in this process.
    pub fn pack_remove(&self, name: &str) -> Result<(), WireError> {
        if self.current_run().is_some() {
            return Err(WireError::new(
                ErrorCode::Busy,
                "a run is under way and may be using the pack; remove it when the run is over",
            ));
        }
        let store = self.store()?;
        store.remove_pack(name)?;
        if name == starter::NAME {
            store.set_setting(starter::REMOVED, Some("1"))?;
        }
        Ok(())
    }

    /// Brings the starter pack back; one that is there stays.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn pack_starter(&self) -> Result<PackSummary, WireError> {
        let store = self.store()?;
        store.set_setting(starter::REMOVED, None)?;
        starter::install(store)?;
        Ok(summary(&store.pack_info(starter::NAME)?))
    }

    /// Recorded responses of a pack by tool.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn tool_records(&self, pack: &str) -> Result<Vec<ToolRecordsView>, WireError> {
        let tools = self.store()?.cache_stats(pack)?.into_iter();
        let rows = tools.map(|tool| ToolRecordsView {
            tool: tool.tool,
            records: tool.records,
            current: tool.current,
            stale: tool.stale,
            orphan: tool.orphan,
            answering: tool.answering,
        });
        Ok(rows.collect())
    }

    /// Holds a pack against the hashes of its manifest; an empty list means that nothing is wrong.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn pack_verify(&self, name: Option<&str>) -> Result<Vec<String>, WireError> {
        let name = self.pack_name(name)?;
        Ok(self
            .store()?
            .verify_pack(&name)?
            .iter()
            .map(ToString::to_string)
            .collect())
    }

    /// Recorded responses of the active pack by tool.
    ///
    /// # Errors
    /// When no pack is active.
    pub fn cache_stats(&self) -> Result<CacheStats, WireError> {
        let name = self.pack_name(None)?;
        let info = self.store()?.pack_info(&name)?;
        let tools = self.store()?.cache_stats(&name)?.into_iter().map(|t| ToolStats {
            tool: t.tool,
            records: t.records,
            current: t.current,
            reachable: t.answering,
        });
        Ok(CacheStats {
            pack: format!("{name}@{}", info.manifest.version),
            tools: tools.collect(),
        })
    }

    /// The recorded response of the active pack for a call, found as a run would find it.
    ///
    /// # Errors
    /// When no pack is active or the tool does not exist. Faulty arguments and a miss are in the answer.
    pub fn cache_lookup(&self, tool: &str, arguments: &str) -> Result<Found, WireError> {
        let name = self.pack_name(None)?;
        let pack = self.load_pack(&name)?;
        let catalog = ToolCatalog::new(pack.tools);
        let spec = catalog.get(tool).ok_or_else(|| {
            WireError::not_found(format!("pack {name} has no tool {tool}; see `koab cache stats`"))
        })?;
        let raw = args::parse(arguments).map_err(|fault| WireError::bad_request(fault.to_string()))?;
        let normalized = args::normalize(spec, &raw);
        let key = published_key(tool, catalog.signature(tool).unwrap_or_default(), &normalized);
        let result = match args::check(spec, &raw) {
            Ok(()) => self.store()?.cache(&name)?.lookup(tool, &normalized)?,
            Err(fault) => return Err(WireError::bad_request(fault.to_string())),
        };
        let fault = result.is_none().then(|| {
            ToolFault::NotCached {
                tool: tool.to_owned(),
                key: key.clone(),
            }
            .to_string()
        });
        Ok(Found {
            key,
            args: normalized.as_value().clone(),
            result,
            fault,
        })
    }

    /// Looks recorded calls of a pack, the active one when none is named, up as a run would, each once, and times that: all, or
    /// `most` of them.
    ///
    /// # Errors
    /// When there is no such pack, or it has no records.
    pub fn cache_time(&self, pack: Option<&str>, most: usize) -> Result<CacheTimes, WireError> {
        let name = self.pack_name(pack)?;
        let cache = self.store()?.cache(&name)?;
        let mut times = Vec::new();
        cache.each_of_some_calls(most, |tool, args| {
            let begun = Instant::now();
            let found = cache.lookup(tool, args)?;
            times.push(begun.elapsed().as_secs_f64() * 1e6);
            // Freeing a large answer is not part of finding it.
            drop(found);
            Ok::<_, WireError>(())
        })?;
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            times
                .get((times.len().saturating_sub(1) as f64 * share) as usize)
                .copied()
        };
        let (Some(p50_us), Some(p99_us), Some(max_us)) = (at(0.5), at(0.99), times.last().copied()) else {
            return Err(WireError::not_found(format!(
                "pack {name} has no recorded responses"
            )));
        };
        Ok(CacheTimes {
            calls: times.len(),
            p50_us,
            p99_us,
            max_us,
        })
    }

    /// The name given, else the active pack's.
    pub(crate) fn pack_name(&self, name: Option<&str>) -> Result<String, WireError> {
        match name {
            Some(name) => Ok(name.to_owned()),
            None => self.store()?.active_pack()?.ok_or_else(|| {
                WireError::new(
                    ErrorCode::NoPack,
                    "no pack is active; choose one with `koab pack use NAME` or import one with `koab pack import PATH`",
                )
            }),
        }
    }

    /// The name by which the pack of a label `name@version` is found: the label itself where that version is installed, else the name.
    pub(crate) fn pack_of_label(&self, label: &str) -> Result<String, WireError> {
        Ok(match label.split_once('@') {
            Some((name, _)) if self.store()?.pack_info(label).is_err() => name.to_owned(),
            _ => label.to_owned(),
        })
    }

    /// Reads a pack. What is wrong with its data was told at its import.
    pub(crate) fn load_pack(&self, name: &str) -> Result<Pack, WireError> {
        Ok(self.store()?.pack(name)?.0)
    }
}

impl From<PackImported> for PackImport {
    fn from(imported: PackImported) -> Self {
        Self {
            pack: imported.pack,
            problems: imported.problems.into_iter().map(PackProblem::from).collect(),
            seconds: imported.seconds,
        }
    }
}

pub(crate) fn summary(info: &PackInfo) -> PackSummary {
    let manifest = &info.manifest;
    PackSummary {
        name: manifest.name.clone(),
        version: manifest.version.clone(),
        title: manifest.title.clone(),
        licence: manifest.licence.clone(),
        sample: manifest.sample,
        active: info.active,
        levels: manifest
            .counts
            .tasks
            .iter()
            .map(|(level, tasks)| LevelCount {
                level: *level,
                tasks: *tasks,
            })
            .collect(),
        tools: manifest.counts.tools,
        records: info.records.kept,
    }
}

impl From<Error> for WireError {
    fn from(error: Error) -> Self {
        let code = match error {
            Error::NotFound(_) => ErrorCode::NotFound,
            Error::BadFile(_) => ErrorCode::BadFile,
            Error::Busy(_) => ErrorCode::Busy,
            Error::Disk(_) => ErrorCode::Storage,
            Error::Cancelled => ErrorCode::Cancelled,
        };
        WireError::new(code, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_import_in_view_is_an_activity_that_counts_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = Api::open(Some(folder.path().to_owned())).expect("opened");
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let imported = api.pack_import_in_view(checkout).await.expect("imported");
        let nowhere = api.pack_import_in_view("no/such/path".into()).await;
        let error = nowhere.expect_err("nothing is there");
        let told = api.activities_list().expect("told");
        let [done, refused] = &told[..] else {
            panic!("two activities: {told:?}")
        };
        assert_eq!(done.kind, ActivityKind::PackImport);
        assert!(done.finished && done.error.is_none());
        assert_eq!(done.total, Some(imported.pack.tools.into()), "a file a tool");
        assert_eq!(done.done, done.total.unwrap_or_default());
        assert_eq!(refused.about, ["path"]);
        assert_eq!(refused.error.as_ref().map(|e| &e.message), Some(&error.message));
    }
}
