//! Table of saved versions of the user's own packs.
//!
//! Rows refer to the pack's name rather than its row, so that a number is never used twice, even
//! after the pack was removed.

use crate::error::Result;
use rusqlite::{Connection, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE pack_version (
        pack     TEXT NOT NULL,             -- pack name
        number   INTEGER NOT NULL,          -- 1, 2, …
        version  TEXT NOT NULL,             -- as the manifest and runs have it: the number, and how its content's hash begins
        sha256   TEXT NOT NULL,             -- of texts and records
        changes  TEXT NOT NULL,             -- DraftChanges as JSON
        saved_at TEXT NOT NULL,             -- UTC, ISO 8601
        PRIMARY KEY (pack, number)
    ) WITHOUT ROWID;
";

/// A row of `pack_version`.
pub(crate) struct VersionRow {
    pub(crate) pack: String,
    pub(crate) number: u32,
    pub(crate) version: String,
    pub(crate) sha256: String,
    pub(crate) changes: String,
    pub(crate) saved_at: String,
}

/// All versions of the user's own packs, by name, newest first.
pub(crate) fn all(connection: &Connection) -> Result<Vec<VersionRow>> {
    let sql = "SELECT pack, number, version, sha256, changes, saved_at FROM pack_version ORDER BY pack, number DESC";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(VersionRow {
            pack: row.get(0)?,
            number: row.get(1)?,
            version: row.get(2)?,
            sha256: row.get(3)?,
            changes: row.get(4)?,
            saved_at: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Highest version number that a pack has had. 0 when none was saved here.
pub(crate) fn last(connection: &Connection, pack: &str) -> Result<u32> {
    let sql = "SELECT COALESCE(MAX(number), 0) FROM pack_version WHERE pack = ?1";
    Ok(connection.query_row(sql, [pack], |row| row.get(0))?)
}

/// Whether this version of a pack was saved here.
pub(crate) fn has(connection: &Connection, pack: &str, version: &str) -> Result<bool> {
    let sql = "SELECT COUNT(*) FROM pack_version WHERE pack = ?1 AND version = ?2";
    let count: u32 = connection.query_row(sql, [pack, version], |row| row.get(0))?;
    Ok(count > 0)
}

pub(crate) fn insert(connection: &Connection, row: &VersionRow) -> Result<()> {
    let sql = "INSERT INTO pack_version VALUES (?1, ?2, ?3, ?4, ?5, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
    connection.execute(sql, params![row.pack, row.number, row.version, row.sha256, row.changes])?;
    Ok(())
}
