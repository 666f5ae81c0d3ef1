//! The packs of a workspace: which there are, which is used, and whether they are still what was
//! imported.

use crate::benchmarks::{self, BenchmarkCounts};
use crate::db::Store;
use crate::error::{Error, Result};
use crate::import::{documents, records};
use crate::table;
use crate::table::setting::ACTIVE_PACK;
use koab_core::cache_key::sha256_hex;
use koab_core::finding::{Fault, Problem};
use koab_core::pack::{Pack, PackManifest};
use koab_core::say;
use serde::{Deserialize, Serialize};

/// What an import found among the cached responses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordCounts {
    /// Records (files, or lines of a `.jsonl`) that were looked at.
    pub seen: u32,
    /// Those kept.
    pub kept: u32,
    /// Kept, and their published key follows from the current catalog.
    pub current: u32,
    /// Kept, but recorded under an earlier description or schema of the tool.
    pub stale: u32,
    /// Kept, but of a tool that the catalog does not have; no call can find them.
    pub orphan: u32,
    /// Those that answer a call: one for each tool and arguments.
    pub answering: u32,
    /// Answering although stale, since no current record has those arguments.
    pub answering_stale: u32,
    /// Left out because they could not be read.
    pub unreadable: u32,
    /// Left out because the tool has another record under the same key.
    pub duplicate: u32,
    /// Kept, but the file's name is not the record's key.
    pub misnamed: u32,
}

/// An installed pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackInfo {
    /// What it says about itself; the counts are those of what was kept.
    pub manifest: PackManifest,
    /// Its cached responses.
    pub records: RecordCounts,
    /// Rises with every import: with the version it pins what a run read.
    pub generation: i64,
    /// When it was imported, UTC, ISO 8601.
    pub imported_at: String,
    /// Whether runs use it unless told otherwise.
    pub active: bool,
    /// What it holds, where it is of another benchmark and has items in the place of tasks.
    pub benchmark: Option<BenchmarkCounts>,
}

impl Store {
    /// Every installed pack, by name; of own packs with several versions the newest.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn packs(&self) -> Result<Vec<PackInfo>> {
        let connection = self.lock();
        let active = table::setting::get(&connection, ACTIVE_PACK)?;
        table::pack::all(&connection)?
            .iter()
            .filter(|row| !is_set_aside(row))
            .map(|row| info(row, active.as_deref()))
            .collect()
    }

    /// Has the groups of all packs known to [`Level::find`]. A pack that cannot be read says so to
    /// whoever wants it.
    pub fn name_groups(&self) {
        for pack in self.packs().unwrap_or_default() {
            let _ = pack.benchmark.map(|held| held.rows());
        }
    }

    /// The pack of this name, or of a label `name@version`: versions of own packs stay beside the
    /// newest. Every function that takes a pack's name finds it so.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names there are.
    pub fn pack_info(&self, name: &str) -> Result<PackInfo> {
        let connection = self.lock();
        let active = table::setting::get(&connection, ACTIVE_PACK)?;
        info(&require(&connection, name)?, active.as_deref())
    }

    /// Name of the pack that runs use unless told otherwise, if one is installed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn active_pack(&self) -> Result<Option<String>> {
        table::setting::get(&self.lock(), ACTIVE_PACK)
    }

    /// Makes a pack the active one.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed, [`Error::Busy`] when it is an earlier version
    /// of an own pack.
    pub fn use_pack(&self, name: &str) -> Result<()> {
        let connection = self.lock();
        let row = require_tasks(&connection, name)?;
        if is_set_aside(&row) {
            return Err(Error::Busy(say!(
                "{name} is an earlier version, and runs use the newest unless told otherwise; run it with `koab run --pack {name}`"
            )));
        }
        table::setting::set(&connection, ACTIVE_PACK, Some(&row.name))
    }

    /// Removes a pack with its records, an own one with its earlier versions. Runs and verdicts
    /// stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed.
    pub fn remove_pack(&self, name: &str) -> Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let name = require(&transaction, name)?.name;
        let name = name.as_str();
        for earlier in table::pack::set_aside(&transaction, name)? {
            table::pack::delete(&transaction, &earlier)?;
        }
        table::pack::delete(&transaction, name)?;
        if table::setting::get(&transaction, ACTIVE_PACK)?.as_deref() == Some(name) {
            let next = table::pack::all(&transaction)?
                .iter()
                .find(|row| !is_set_aside(row) && benchmarks::refuse(row).is_ok())
                .map(|row| manifest(row).map(|m| m.name))
                .transpose()?;
            table::setting::set(&transaction, ACTIVE_PACK, next.as_deref())?;
        }
        Ok(transaction.commit()?)
    }

    /// Reads a pack: tasks, tools and prompts, with everything that is wrong with them.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed.
    pub fn pack(&self, name: &str) -> Result<(Pack, Vec<Problem>)> {
        let (manifest, rows) = {
            let connection = self.lock();
            let row = require_tasks(&connection, name)?;
            (manifest(&row)?, table::document::of_pack(&connection, row.id)?)
        };
        Ok(documents::read(manifest, &rows))
    }

    /// Everything that was wrong with a pack's source when it was imported.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed.
    pub fn pack_problems(&self, name: &str) -> Result<Vec<Problem>> {
        let kept = require(&self.lock(), name)?.problems;
        match kept {
            Some(kept) => serde_json::from_str(&kept).map_err(damaged),
            None => Ok(self.pack(name)?.1),
        }
    }

    /// Records a tool.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn cache_stats(&self, name: &str) -> Result<Vec<table::record::ToolRecords>> {
        let connection = self.lock();
        let row = require_tasks(&connection, name)?;
        table::record::count_by_tool(&connection, row.id)
    }

    /// Checks that a pack is still what was imported. An empty list means it is.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed.
    pub fn verify_pack(&self, name: &str) -> Result<Vec<Problem>> {
        // A connection of its own: reading every record must not keep others from writing.
        let connection = self.reader()?;
        let row = require(&connection, name)?;
        let (manifest, kept) = (manifest(&row)?, counts(&row)?.kept);
        let mut problems = Vec::new();
        for document in table::document::of_pack(&connection, row.id)? {
            let now = sha256_hex(&document.content);
            if now != document.sha256 {
                problems
                    .push(Fault::Changed.warning(say!("is not what was imported")).in_file(&document.path));
            } else if manifest.sha256.get(&document.path).is_some_and(|stated| *stated != now) {
                problems.push(
                    Fault::Changed
                        .warning(say!("is not what the pack's manifest states"))
                        .in_file(&document.path),
                );
            }
        }
        let mut found = 0;
        table::record::each(&connection, row.id, |record| {
            found += 1;
            if records::fingerprint(&record) != record.sha256 {
                let file = format!("cache/{}/{}", record.tool, record.published_key);
                problems.push(Fault::Changed.warning(say!("is not what was imported")).in_file(file));
            }
            Ok(())
        })?;
        if found != kept {
            problems.push(
                Fault::Count
                    .warning(say!("{kept} records were imported, {found} are there"))
                    .in_file("cache"),
            );
        }
        Ok(problems)
    }
}

/// Whether it is an earlier version of an own pack: those have their version in their name, which
/// names of packs cannot have.
pub(crate) fn is_set_aside(row: &table::pack::PackRow) -> bool {
    row.name.contains('@')
}

/// The pack of a label such as `mine@2+3fa9c1d2e4b5`, or of its beginning, `mine@2`.
fn labelled(connection: &rusqlite::Connection, label: &str) -> Result<Option<table::pack::PackRow>> {
    let Some((name, version)) = label.split_once('@') else {
        return Ok(None);
    };
    let fits = |stated: &str| stated == version || stated.split('+').next() == Some(version);
    let mut found = None;
    for candidate in std::iter::once(name.to_owned()).chain(table::pack::set_aside(connection, name)?) {
        if let Some(row) = table::pack::find(connection, &candidate)?
            && fits(&manifest(&row)?.version)
        {
            found = Some(row);
        }
    }
    Ok(found)
}

/// The pack of a label, else another version of it under its name.
pub(crate) fn of_label(connection: &rusqlite::Connection, label: &str) -> Result<table::pack::PackRow> {
    match (require(connection, label), label.split_once('@')) {
        (Err(_), Some((name, _))) => require(connection, name),
        (found, _) => found,
    }
}

/// Keeps the installed version of a pack beside the one that takes its place, where it was saved
/// here and would be lost otherwise.
pub(crate) fn set_aside(connection: &rusqlite::Connection, name: &str, coming: &str) -> Result<()> {
    // The version that comes may have been set aside itself, as when an earlier one is imported
    // again.
    table::pack::delete(connection, &format!("{name}@{coming}"))?;
    let Some(row) = table::pack::find(connection, name)? else {
        return Ok(());
    };
    let version = manifest(&row)?.version;
    if version == coming || !table::pack_version::has(connection, name, &version)? {
        return Ok(());
    }
    table::pack::rename(connection, name, &format!("{name}@{version}"))
}

/// The row of an installed pack, by its name or label.
pub(crate) fn require(connection: &rusqlite::Connection, name: &str) -> Result<table::pack::PackRow> {
    if let Some(row) = table::pack::find(connection, name)? {
        return Ok(row);
    }
    if let Some(row) = labelled(connection, name)? {
        return Ok(row);
    }
    let rows = table::pack::all(connection)?;
    let names = rows.iter().filter(|row| !is_set_aside(row)).map(|row| row.name.as_str());
    let names: Vec<&str> = names.collect();
    let there =
        if names.is_empty() { say!("none is installed") } else { say!("there are {}", names.join(", ")) };
    Err(Error::NotFound(say!("there is no pack `{name}`: {there}; install one with `koab pack import`")))
}

/// As [`require`], of a pack of tasks.
pub(crate) fn require_tasks(connection: &rusqlite::Connection, name: &str) -> Result<table::pack::PackRow> {
    let row = require(connection, name)?;
    benchmarks::refuse(&row)?;
    Ok(row)
}

/// Makes the first pack of a workspace the active one.
pub(crate) fn activate_first(connection: &rusqlite::Connection, name: &str) -> Result<()> {
    match table::setting::get(connection, ACTIVE_PACK)? {
        Some(_) => Ok(()),
        None => table::setting::set(connection, ACTIVE_PACK, Some(name)),
    }
}

fn info(row: &table::pack::PackRow, active: Option<&str>) -> Result<PackInfo> {
    let manifest = manifest(row)?;
    Ok(PackInfo {
        active: active == Some(manifest.name.as_str()),
        benchmark: BenchmarkCounts::stated(&row.manifest),
        manifest,
        records: counts(row)?,
        generation: row.generation,
        imported_at: row.imported_at.clone(),
    })
}

pub(crate) fn manifest(row: &table::pack::PackRow) -> Result<PackManifest> {
    serde_json::from_str(&row.manifest).map_err(damaged)
}

fn counts(row: &table::pack::PackRow) -> Result<RecordCounts> {
    serde_json::from_str(&row.records).map_err(damaged)
}

fn damaged(error: serde_json::Error) -> Error {
    Error::BadFile(say!("koab.sqlite holds a pack that cannot be read ({error}); import the pack again"))
}
