//! Installed packs of a workspace: listing, choice of the active pack, and integrity checks.

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

/// Number of cached responses in a pack, by the result of their import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordCounts {
    /// Records (files, or lines of a `.jsonl`) that the import has seen.
    pub seen: u32,
    /// Records that are stored in the database.
    pub kept: u32,
    /// Stored records whose published key belongs to the current definition of the tool.
    pub current: u32,
    /// Stored records that were made under an earlier description or schema of the tool.
    pub stale: u32,
    /// Stored records of tools that the catalog lacks. No call can find them.
    pub orphan: u32,
    /// Stored records that answer a call: one for each tool and arguments.
    pub answering: u32,
    /// Stale records that answer a call, because no current record has its arguments.
    pub answering_stale: u32,
    /// Records left out because they could not be read.
    pub unreadable: u32,
    /// Records left out because the tool has another record with the same key.
    pub duplicate: u32,
    /// Stored records whose file name is not their key.
    pub misnamed: u32,
}

/// Description of an installed pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackInfo {
    /// Manifest of the pack. Its counts are those of the imported content.
    pub manifest: PackManifest,
    /// Counts of the cached responses.
    pub records: RecordCounts,
    /// Number that rises with every import. Together with the version it identifies what a run has
    /// read.
    pub generation: i64,
    /// Time of the import, UTC, ISO 8601.
    pub imported_at: String,
    /// Whether runs use the pack by default.
    pub active: bool,
    /// Counts of items, for a pack of another benchmark, which has items instead of tasks.
    pub benchmark: Option<BenchmarkCounts>,
}

impl Store {
    /// All installed packs, by name. Of a pack with several versions only the newest is listed.
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

    /// Finds a pack by its name, or by a label `name@version` for an earlier version. Every
    /// function with a pack's name accepts both.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names of the installed packs.
    pub fn pack_info(&self, name: &str) -> Result<PackInfo> {
        let connection = self.lock();
        let active = table::setting::get(&connection, ACTIVE_PACK)?;
        info(&require(&connection, name)?, active.as_deref())
    }

    /// Name of the pack that runs use by default, if one is installed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn active_pack(&self) -> Result<Option<String>> {
        table::setting::get(&self.lock(), ACTIVE_PACK)
    }

    /// Makes a pack the active one.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not installed, [`Error::Busy`] when it is an earlier version.
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

    /// Removes a pack for good, with its records and its earlier versions. Runs and verdicts stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn remove_pack(&self, name: &str) -> Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let name = require(&transaction, name)?.name;
        let name = name.as_str();
        for earlier in table::pack::set_aside(&transaction, name)? {
            table::pack::delete(&transaction, &earlier)?;
        }
        table::pack::delete(&transaction, name)?;
        activate_another(&transaction, name)?;
        Ok(transaction.commit()?)
    }

    /// Reads a pack: tasks, tools and prompts, with all their problems.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn pack(&self, name: &str) -> Result<(Pack, Vec<Problem>)> {
        let (manifest, rows) = {
            let connection = self.lock();
            let row = require_tasks(&connection, name)?;
            (manifest(&row)?, table::document::of_pack(&connection, row.id)?)
        };
        Ok(documents::read(manifest, &rows))
    }

    /// All problems that the import of a pack has found.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn pack_problems(&self, name: &str) -> Result<Vec<Problem>> {
        let problems = require(&self.lock(), name)?.problems;
        match problems {
            Some(problems) => serde_json::from_str(&problems).map_err(damaged),
            None => Ok(self.pack(name)?.1),
        }
    }

    /// Number of records for each tool of a pack.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn cache_stats(&self, name: &str) -> Result<Vec<table::record::ToolRecords>> {
        let connection = self.lock();
        let row = require_tasks(&connection, name)?;
        table::record::count_by_tool(&connection, row.id)
    }

    /// Checks that a pack has not changed since its import. An empty list means that there is no
    /// change.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn verify_pack(&self, name: &str) -> Result<Vec<Problem>> {
        // A separate connection: reading every record must not block writers.
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
        let mut count = 0;
        table::record::each(&connection, row.id, |record| {
            count += 1;
            if records::fingerprint(&record) != record.sha256 {
                let file = format!("cache/{}/{}", record.tool, record.published_key);
                problems.push(Fault::Changed.warning(say!("is not what was imported")).in_file(file));
            }
            Ok(())
        })?;
        if count != kept {
            problems.push(
                Fault::Count
                    .warning(say!("{kept} records were imported, {found} are there", found = count))
                    .in_file("cache"),
            );
        }
        Ok(problems)
    }
}

/// Whether a row is an earlier version of a pack. Its name contains the version, which a pack's own
/// name cannot.
pub(crate) fn is_set_aside(row: &table::pack::PackRow) -> bool {
    row.name.contains('@')
}

/// Finds a pack by its label, such as `mine@2+3fa9c1d2e4b5`, or the short form `mine@2`.
fn labelled(connection: &rusqlite::Connection, label: &str) -> Result<Option<table::pack::PackRow>> {
    let Some((name, version)) = label.split_once('@') else {
        return Ok(None);
    };
    let fits = |stated: &str| stated == version || stated.split('+').next() == Some(version);
    let mut result = None;
    for candidate in std::iter::once(name.to_owned()).chain(table::pack::set_aside(connection, name)?) {
        if let Some(row) = table::pack::find(connection, &candidate)?
            && fits(&manifest(&row)?.version)
        {
            result = Some(row);
        }
    }
    Ok(result)
}

/// Finds the pack of a label, or else another version under its name.
pub(crate) fn of_label(connection: &rusqlite::Connection, label: &str) -> Result<table::pack::PackRow> {
    match (require(connection, label), label.split_once('@')) {
        (Err(_), Some((name, _))) => require(connection, name),
        (result, _) => result,
    }
}

/// Keeps the installed version of a pack under its label when a new version replaces it. Only
/// versions that were saved here are kept; others can be imported again.
pub(crate) fn set_aside(connection: &rusqlite::Connection, name: &str, coming: &str) -> Result<()> {
    // The new version may itself be kept under its label, for example when an earlier version is
    // imported again.
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

/// Row of an installed pack, by its name or label.
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

/// Row of an installed pack of Ko-AgentBench tasks, by its name or label.
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

/// Makes another pack the active one if `gone` was. Returns whether it was.
pub(crate) fn activate_another(connection: &rusqlite::Connection, gone: &str) -> Result<bool> {
    if table::setting::get(connection, ACTIVE_PACK)?.as_deref() != Some(gone) {
        return Ok(false);
    }
    let next = table::pack::all(connection)?
        .iter()
        .find(|row| !is_set_aside(row) && benchmarks::refuse(row).is_ok())
        .map(|row| manifest(row).map(|m| m.name))
        .transpose()?;
    table::setting::set(connection, ACTIVE_PACK, next.as_deref())?;
    Ok(true)
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
