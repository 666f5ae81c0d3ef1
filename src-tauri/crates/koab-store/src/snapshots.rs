//! Snapshots: named states of a pack's cached responses, which nothing changes any more.
//!
//! A snapshot is the pack's own records and copies of what lay beside them in the user's overlay.
//! The records are not copied: a pack that is imported anew or removed stays in the database, out
//! of sight, as long as a snapshot reads it. What a snapshot holds has a hash (`state.rs`), the
//! same in every workspace, so that a run can say what it read. States are compared in `diff.rs`
//! and written out in `export.rs` and `archive.rs`.

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

/// Words that name a state and so no snapshot: the pack's own records; these with the overlay as it
/// is now, in two spellings.
pub const RESERVED: [&str; 3] = ["pack", "now", "overlay"];

/// Which state of cached responses is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateOf {
    /// The own records of the pack of this name.
    Pack(String),
    /// The own records of the pack of this name and what lies beside them now.
    Now(String),
    /// The snapshot of this name.
    Snapshot(String),
}

impl StateOf {
    /// What people call it; those without a name of their own are `pack` and `now`.
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

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "SnapshotView"))]
pub struct SnapshotInfo {
    /// Its name.
    pub name: String,
    /// Hash of what it holds, lower-case hex.
    pub hash: String,
    /// Name of the pack that it was made of.
    pub pack: String,
    /// That pack's version.
    pub version: String,
    /// Whether that very pack is installed; else its records are kept for snapshots alone.
    pub installed: bool,
    /// What the user says about it.
    pub note: String,
    /// When it was made, UTC, ISO 8601.
    pub created_at: String,
    /// Calls that the pack's own records answer.
    pub recorded: u32,
    /// Calls that only answers of the live APIs answer.
    pub added: u32,
}

/// Whether a snapshot can have this name, else why not.
///
/// # Errors
/// One clause on what a name is.
pub fn check_name(name: &str) -> std::result::Result<(), Sentence> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if RESERVED.contains(&name) {
        return Err(say!("is the word for a state of its own; choose another name"));
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
    /// Makes a snapshot of a pack's records and of what lies beside them now.
    ///
    /// # Errors
    /// When the pack is not installed, the name is taken or cannot be one, or the database cannot
    /// be written.
    pub fn create_snapshot(&self, pack: &str, name: &str, note: &str) -> Result<SnapshotInfo> {
        check_name(name).map_err(|why| Error::BadFile(say!("`{name}` {why}")))?;
        let mut connection = self.writer()?;
        // Short: what is written here does not change any more, so its hash is computed afterwards,
        // while others write.
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

    /// Every snapshot, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        let rows = table::snapshot::all(&self.lock())?;
        rows.into_iter().map(|row| self.snapshot_info(row)).collect()
    }

    /// The snapshot of this name.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names there are.
    pub fn snapshot(&self, name: &str) -> Result<SnapshotInfo> {
        let row = self.snapshot_row(name)?;
        self.snapshot_info(row)
    }

    /// Forgets a snapshot, and the records that were kept for it alone.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none of this name, or the database cannot be written.
    pub fn delete_snapshot(&self, name: &str) -> Result<()> {
        let row = self.snapshot_row(name)?;
        let mut connection = self.writer()?;
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        table::snapshot::delete(&transaction, row.id)?;
        table::pack::sweep(&transaction)?;
        Ok(transaction.commit()?)
    }

    /// Opens a state for reading, as it is at this moment.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such pack or snapshot.
    pub fn state(&self, of: &StateOf) -> Result<CacheState> {
        let connection = self.reader()?;
        CacheState::open(connection, |connection| match of {
            StateOf::Pack(pack) => Ok((packs::require(connection, pack)?.id, SideAnswers::Nothing)),
            StateOf::Now(pack) => {
                let row = packs::require_tasks(connection, pack)?;
                // The overlay is the name's, whatever the version.
                Ok((row.id, SideAnswers::Overlay(packs::manifest(&row)?.name)))
            }
            StateOf::Snapshot(name) => {
                let row = find(connection, name)?;
                Ok((row.pack, SideAnswers::Snapshot(row.id)))
            }
        })
    }

    /// A pack with the hash of its tasks, tools, prompts and records, which is the same in every
    /// workspace.
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

    /// Whether a snapshot was made of the pack of this name as it is installed, or of one with the
    /// same tasks, tools and prompts.
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

/// Over the hashes of documents and records, which were made when they were imported.
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
