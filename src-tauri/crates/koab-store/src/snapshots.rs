//! Snapshots: named states of a pack's cached responses that never change.
//!
//! A snapshot consists of the pack's own records and copies of its saved responses. The records are
//! not copied: a pack that is replaced or removed stays in the database, hidden, while a snapshot
//! needs it.
//!
//! The content of a snapshot has a hash (`state.rs`), the same in every workspace, so that a run
//! can record what it has read. `diff.rs` compares states; `export.rs` and `archive.rs` write them
//! to files.

mod archive;
mod diff;
mod export;
mod layout;
mod state;

pub use archive::{Archived, ShareAs};
pub use diff::{AnswerChange, AnswerDifference, AnswerDifferenceTool, AnswerFrom, StateDiff};
pub use export::Exported;
pub use state::{CacheState, RecordedAnswer, SnapshotTool};

use crate::db::Store;
use crate::error::{Error, Result};
use crate::table::state::SideAnswers;
use crate::{packs, table};
use koab_core::cache_source::PackRef;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// Words that cannot be names of snapshots. `pack` means the pack's own records. `now` and
/// `overlay` mean the own records with the current saved responses.
pub const RESERVED: [&str; 3] = ["pack", "now", "overlay"];

/// A state of cached responses, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateOf {
    /// Own records of the pack with this name.
    Pack(String),
    /// Own records of the pack with this name, and its current saved responses.
    Now(String),
    /// Snapshot with this name.
    Snapshot(String),
}

impl StateOf {
    /// Reads the word that a user gives: `pack`, `now`, or the name of a snapshot.
    pub fn named(word: &str, pack: impl FnOnce() -> String) -> Self {
        match word {
            "pack" => StateOf::Pack(pack()),
            "now" | "overlay" => StateOf::Now(pack()),
            name => StateOf::Snapshot(name.to_owned()),
        }
    }
}

impl fmt::Display for StateOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateOf::Pack(_) => f.write_str("pack"),
            StateOf::Now(_) => f.write_str("now"),
            StateOf::Snapshot(name) => f.write_str(name),
        }
    }
}

/// Description of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "SnapshotView"))]
pub struct SnapshotInfo {
    /// Name of the snapshot.
    pub name: String,
    /// Hash of the snapshot's content, lower-case hex.
    pub hash: String,
    /// Name of the pack that the snapshot was made from.
    pub pack: String,
    /// Version of the pack that the snapshot was made from.
    pub version: String,
    /// Whether the pack is still installed with the same content. Otherwise its records are kept
    /// only for snapshots.
    pub installed: bool,
    /// Note of the user.
    pub note: String,
    /// Time of creation, UTC, ISO 8601.
    pub created_at: String,
    /// Number of calls that the pack's own records answer.
    pub recorded: u32,
    /// Number of calls that only saved responses answer.
    pub added: u32,
}

/// Checks that a snapshot can have this name.
///
/// # Errors
/// Clause that says what is wrong with the name.
pub fn check_name(name: &str) -> std::result::Result<(), Sentence> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if RESERVED.contains(&name) {
        return Err(say!("is a reserved word; choose another name"));
    }
    if name.chars().count() > 64
        || !name.starts_with(|c: char| c.is_alphanumeric())
        || !name.chars().all(fits)
    {
        return Err(say!("is not a name; write at most 64 letters, digits, dots, dashes and underscores"));
    }
    Ok(())
}

impl Store {
    /// Makes a snapshot of a pack's records and its current saved responses.
    ///
    /// # Errors
    /// When the pack is not installed, the name is taken or not valid, or the database cannot be
    /// written.
    pub fn create_snapshot(&self, pack: &str, name: &str, note: &str) -> Result<SnapshotInfo> {
        check_name(name).map_err(|why| Error::BadFile(say!("`{name}` {why}")))?;
        let mut connection = self.writer()?;
        // A short transaction: its rows never change again, so their hash is computed later, while
        // others write.
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        if table::snapshot::find(&transaction, name)?.is_some() {
            return Err(Error::Busy(say!(
                "there is a snapshot `{name}` already; choose another name or delete it first"
            )));
        }
        let of = packs::require_tasks(&transaction, pack)?;
        let id = table::snapshot::insert(&transaction, name, of.id, note)?;
        table::snapshot_answer::copy_overlay(&transaction, id, of.id, &packs::manifest(&of)?.name)?;
        transaction.commit()?;
        self.snapshot(name)
    }

    /// All snapshots, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        let rows = table::snapshot::all(&self.lock())?;
        rows.into_iter().map(|row| self.snapshot_info(row)).collect()
    }

    /// Finds a snapshot by its name.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names of the existing snapshots.
    pub fn snapshot(&self, name: &str) -> Result<SnapshotInfo> {
        let row = self.snapshot_row(name)?;
        self.snapshot_info(row)
    }

    /// Deletes a snapshot, and the records that were kept only for it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such snapshot; an error when the database cannot be
    /// written.
    pub fn delete_snapshot(&self, name: &str) -> Result<()> {
        let row = self.snapshot_row(name)?;
        let mut connection = self.writer()?;
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        table::snapshot::delete(&transaction, row.id)?;
        table::pack::sweep(&transaction)?;
        Ok(transaction.commit()?)
    }

    /// Opens a state for reading, frozen at this moment.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such pack or snapshot.
    pub fn state(&self, of: &StateOf) -> Result<CacheState> {
        let connection = self.reader()?;
        CacheState::open(connection, |connection| match of {
            StateOf::Pack(pack) => Ok((packs::require(connection, pack)?.id, SideAnswers::Nothing)),
            StateOf::Now(pack) => {
                let row = packs::require_tasks(connection, pack)?;
                // Saved responses belong to a pack's name, not to one version.
                Ok((row.id, SideAnswers::Overlay(packs::manifest(&row)?.name)))
            }
            StateOf::Snapshot(name) => {
                let row = find(connection, name)?;
                Ok((row.pack, SideAnswers::Snapshot(row.id)))
            }
        })
    }

    /// Name and version of a pack, with the hash of its tasks, tools, prompts and records. Equal
    /// packs have the same hash in every workspace.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn pack_ref(&self, name: &str) -> Result<PackRef> {
        let connection = self.reader()?;
        let row = packs::require(&connection, name)?;
        let manifest = packs::manifest(&row)?;
        let hash = match table::pack::hash(&connection, row.id, row.generation)? {
            Some(hash) => hash,
            None => {
                let hash = pack_hash(&connection, row.id)?;
                table::pack::set_hash(&self.lock(), row.id, row.generation, &hash)?;
                hash
            }
        };
        Ok(PackRef { name: manifest.name, version: manifest.version, hash: Some(hash) })
    }

    /// Whether a snapshot was made from the installed pack of this name, or from one with the same
    /// tasks, tools and prompts.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such snapshot or pack.
    pub fn snapshot_fits(&self, snapshot: &str, pack: &str) -> Result<bool> {
        let connection = self.reader()?;
        let (snapshot, pack) = (find(&connection, snapshot)?, packs::require(&connection, pack)?);
        if snapshot.pack == pack.id {
            return Ok(true);
        }
        let texts = |id: i64| -> Result<Vec<(String, String)>> {
            let rows = table::document::of_pack(&connection, id)?.into_iter();
            Ok(rows.map(|row| (row.path, row.sha256)).collect())
        };
        let of_snapshot = packs::manifest(&table::pack::by_id(&connection, snapshot.pack)?)?;
        Ok(of_snapshot.name == packs::manifest(&pack)?.name && texts(snapshot.pack)? == texts(pack.id)?)
    }

    fn snapshot_row(&self, name: &str) -> Result<table::snapshot::SnapshotRow> {
        find(&self.lock(), name)
    }

    fn snapshot_info(&self, row: table::snapshot::SnapshotRow) -> Result<SnapshotInfo> {
        let state = self.state(&StateOf::Snapshot(row.name.clone()))?;
        let hash = match row.hash {
            Some(hash) => hash,
            None => {
                let hash = state.compute_hash()?;
                table::snapshot::set_hash(&self.lock(), row.id, &hash)?;
                hash
            }
        };
        let tools = state.tools()?;
        Ok(SnapshotInfo {
            name: row.name,
            hash,
            pack: state.manifest().name.clone(),
            version: state.manifest().version.clone(),
            installed: !table::pack::is_retired(&self.lock(), row.pack)?,
            note: row.note,
            created_at: row.created_at,
            recorded: tools.iter().map(|tool| tool.recorded).sum(),
            added: tools.iter().map(|tool| tool.added).sum(),
        })
    }
}

fn find(connection: &rusqlite::Connection, name: &str) -> Result<table::snapshot::SnapshotRow> {
    if let Some(row) = table::snapshot::find(connection, name)? {
        return Ok(row);
    }
    let names: Vec<String> = table::snapshot::all(connection)?.into_iter().map(|row| row.name).collect();
    let there = if names.is_empty() { say!("none was made") } else { say!("there are {}", names.join(", ")) };
    Err(Error::NotFound(say!(
        "there is no snapshot `{name}`: {there}; make one with `koab cache snapshot create`"
    )))
}

/// Hash of the hashes of a pack's documents and records, which the import computed.
fn pack_hash(connection: &rusqlite::Connection, pack: i64) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(b"koab-pack 1\n");
    for row in table::document::of_pack(connection, pack)? {
        hash.update(format!("{} {}\n", row.path, row.sha256));
    }
    table::record::each_fingerprint(connection, pack, |tool, key, sha256| {
        hash.update(format!("{tool}/{key} {sha256}\n"));
    })?;
    Ok(hex::encode(hash.finalize()))
}
