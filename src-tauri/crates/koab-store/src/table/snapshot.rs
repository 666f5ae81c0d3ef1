//! Table of snapshots: named states of a pack's cached responses.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE snapshot (
        id         INTEGER PRIMARY KEY,
        name       TEXT NOT NULL UNIQUE,
        pack       INTEGER NOT NULL REFERENCES pack (id), -- whose records it reads; that row stays while this one does
        hash       TEXT,                                  -- of what it holds; null until it is computed
        note       TEXT NOT NULL,
        created_at TEXT NOT NULL                          -- UTC, ISO 8601
    );
";

/// A row of `snapshot`.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotRow {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) pack: i64,
    pub(crate) hash: Option<String>,
    pub(crate) note: String,
    pub(crate) created_at: String,
}

const COLUMNS: &str = "id, name, pack, hash, note, created_at";

fn read(row: &Row<'_>) -> rusqlite::Result<SnapshotRow> {
    Ok(SnapshotRow {
        id: row.get(0)?,
        name: row.get(1)?,
        pack: row.get(2)?,
        hash: row.get(3)?,
        note: row.get(4)?,
        created_at: row.get(5)?,
    })
}

/// Adds a snapshot of a pack's records and returns its id.
pub(crate) fn insert(connection: &Connection, name: &str, pack: i64, note: &str) -> Result<i64> {
    let sql = "INSERT INTO snapshot (name, pack, note, created_at)
               VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
    connection.execute(sql, params![name, pack, note])?;
    Ok(connection.last_insert_rowid())
}

/// Stores the hash of a snapshot's content.
pub(crate) fn set_hash(connection: &Connection, id: i64, hash: &str) -> Result<()> {
    connection.execute("UPDATE snapshot SET hash = ?2 WHERE id = ?1", params![id, hash])?;
    Ok(())
}

pub(crate) fn find(connection: &Connection, name: &str) -> Result<Option<SnapshotRow>> {
    let sql = format!("SELECT {COLUMNS} FROM snapshot WHERE name = ?1");
    Ok(connection.query_row(&sql, [name], read).optional()?)
}

/// All snapshots, in the order of their creation.
pub(crate) fn all(connection: &Connection) -> Result<Vec<SnapshotRow>> {
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM snapshot ORDER BY id"))?;
    let rows = statement.query_map([], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Removes a snapshot with its own answers.
pub(crate) fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.execute("DELETE FROM snapshot WHERE id = ?1", [id])?;
    Ok(())
}
