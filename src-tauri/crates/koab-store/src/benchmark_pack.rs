//! The items of an installed pack of another benchmark.

use crate::benchmarks::{BenchmarkCounts, PackFiles, benchmark};
use crate::db::Store;
use crate::error::{Error, Result};
use crate::{packs, table};
use koab_benchmarks::{Benchmark, Item};
use koab_core::level::Level;
use koab_core::pack::{Pack, PackKind, PackManifest};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_core::task::{RequestTask, Task};
use std::collections::BTreeMap;

/// A benchmark with the items of an installed pack.
#[derive(Debug)]
pub struct BenchmarkPack {
    /// `name@version` of the pack.
    pub label: String,
    /// Benchmark that the items belong to.
    pub benchmark: &'static dyn Benchmark,
    /// All items, in the order of the benchmark's authors.
    pub items: Vec<Item>,
}

/// Files of a benchmark's pack, unchanged since their import.
#[derive(Debug)]
pub struct BenchmarkFiles {
    /// The pack's manifest as JSON: `pack.json` with the number of items per group.
    pub manifest: String,
    /// Path and content of each file.
    pub files: Vec<(String, String)>,
}

impl BenchmarkPack {
    /// Turns the items into the tasks of a pack with this manifest.
    ///
    /// # Errors
    /// [`Error::BadFile`] when a group's name cannot be used, or there are too many groups.
    pub fn into_pack(self, manifest: PackManifest) -> Result<Pack> {
        // Names of groups are never freed, and these may come from any file.
        let counts = BenchmarkCounts::count(self.benchmark, &self.items);
        counts.check(self.benchmark, &self.items).map_err(Error::BadFile)?;
        tasks(manifest, self)
    }
}

impl Store {
    /// Files of a pack of another benchmark. `None` for a pack of Ko-AgentBench tasks.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn benchmark_files(&self, name: &str) -> Result<Option<BenchmarkFiles>> {
        let connection = self.lock();
        let row = packs::require(&connection, name)?;
        if BenchmarkCounts::stated(&row.manifest).is_none() {
            return Ok(None);
        }
        let files = table::document::of_pack(&connection, row.id)?.into_iter();
        Ok(Some(BenchmarkFiles {
            files: files.map(|row| (row.path, row.content)).collect(),
            manifest: row.manifest,
        }))
    }

    /// A pack of any benchmark. The items of another benchmark become tasks.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed, or its items are run only by their
    /// authors' own program; [`Error::BadFile`] when its items cannot be read.
    pub fn any_pack(&self, name: &str) -> Result<Pack> {
        let manifest = {
            let connection = self.lock();
            let row = packs::require(&connection, name)?;
            BenchmarkCounts::stated(&row.manifest).map(|_| packs::manifest(&row)).transpose()?
        };
        match manifest {
            None => Ok(self.pack(name)?.0),
            Some(manifest) => {
                let pack = self.benchmark_pack(name)?;
                match pack.benchmark.scenario() {
                    Some(scenario) => {
                        Err(Error::NotFound(not_asked_here(&pack.label, pack.benchmark, scenario)))
                    }
                    None => tasks(manifest, pack),
                }
            }
        }
    }

    /// Items of an installed pack of another benchmark.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed, [`Error::BadFile`] when it contains
    /// tasks of Ko-AgentBench or cannot be read.
    pub fn benchmark_pack(&self, name: &str) -> Result<BenchmarkPack> {
        let (row, rows) = {
            let connection = self.lock();
            let row = packs::require(&connection, name)?;
            let rows = table::document::of_pack(&connection, row.id)?;
            (row, rows)
        };
        let manifest = packs::manifest(&row)?;
        let label = format!("{}@{}", manifest.name, manifest.version);
        let Some(counts) = BenchmarkCounts::stated(&row.manifest) else {
            return Err(Error::BadFile(say!(
                "pack {label} holds tasks of Ko-AgentBench, which are more than one request and one reply; name the pack of another benchmark ({names})",
                names = crate::benchmarks::names()
            )));
        };
        let benchmark = benchmark(&counts.kind)?;
        let items = benchmark.items(&PackFiles(rows));
        let items = items.map_err(|error| Error::BadFile(say!("pack {label}: {error}", error = error.0)))?;
        Ok(BenchmarkPack { label, benchmark, items })
    }
}

/// Makes a pack. Each of its tasks is an item of the benchmark.
fn tasks(mut manifest: PackManifest, pack: BenchmarkPack) -> Result<Pack> {
    let BenchmarkPack { label, benchmark, items } = pack;
    let mut tasks: BTreeMap<Level, Vec<Task>> = BTreeMap::new();
    for item in items {
        let group = Level::of_another_benchmark(&benchmark.row_of(&item.groups));
        let group = group.map_err(|error| {
            Error::BadFile(say!(
                "pack {label}, item {id}: {error}",
                id = item.id,
                error = error.to_sentence()
            ))
        })?;
        let task = RequestTask {
            id: item.id,
            group: group.clone(),
            messages: item.request.messages,
            tools: item.request.tools,
            source: item.source,
        };
        tasks.entry(group).or_default().push(task.into());
    }
    let counts = tasks.iter().map(|(group, of_group)| (group.clone(), of_group.len() as u32));
    manifest.counts.tasks = counts.collect();
    Ok(Pack {
        manifest,
        kind: PackKind::Request { temperature: benchmark.temperature(), judged: benchmark.asks_judges() },
        tasks,
        ..Pack::default()
    })
}

/// Error text for a pack whose items can only be run by their authors' own program.
pub fn not_asked_here(pack: &str, benchmark: &dyn Benchmark, scenario: &str) -> Sentence {
    say!(
        "pack {pack} holds items of {title}, which its authors’ own program asks and scores; run that program in scenarios (`koab scenario clone {scenario}`) and read its results with `koab score --answers RESULTS --pack {name}`",
        title = benchmark.title(),
        name = benchmark.name()
    )
}
