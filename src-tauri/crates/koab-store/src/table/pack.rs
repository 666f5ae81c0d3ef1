//! Installed packs.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE pack (
        id          INTEGER PRIMARY KEY,
        name        TEXT NOT NULL UNIQUE,
        version     TEXT NOT NULL,
        manifest    TEXT NOT NULL,          -- PackManifest as JSON
        records     TEXT NOT NULL,          -- RecordCounts as JSON
        generation  INTEGER NOT NULL,       -- rises with every import and change of records
        imported_at TEXT NOT NULL           -- UTC, ISO 8601
    );
";

/// Packs of before have none kept: theirs are found again as far as the documents tell.
pub(crate) const ADD_PROBLEMS: &str = "
    ALTER TABLE pack ADD COLUMN problems TEXT;  -- of its import, Problem[] as JSON
";

/// A row of `pack`.
pub(crate) struct PackRow {
    pub(crate) id: i64,
    pub(crate) manifest: String,
    pub(crate) records: String,
    pub(crate) generation: i64,
    pub(crate) imported_at: String,
    pub(crate) problems: Option<String>,
}

const COLUMNS: &str = "id, manifest, records, generation, imported_at, problems";

fn read(row: &Row<'_>) -> rusqlite::Result<PackRow> {
    Ok(PackRow {
        id: row.get(0)?,
        manifest: row.get(1)?,
        records: row.get(2)?,
        generation: row.get(3)?,
        imported_at: row.get(4)?,
        problems: row.get(5)?,
    })
}

pub(crate) fn find(connection: &Connection, name: &str) -> Result<Option<PackRow>> {
    let sql = format!("SELECT {COLUMNS} FROM pack WHERE name = ?1");
    Ok(connection.query_row(&sql, [name], read).optional()?)
}

pub(crate) fn all(connection: &Connection) -> Result<Vec<PackRow>> {
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM pack ORDER BY name"))?;
    let rows = statement.query_map([], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Adds a pack and returns its id..
pub(crate) fn insert(connection: &Connection, name: &str, version: &str, manifest: &str) -> Result<i64> {
    let sql = "INSERT INTO pack (name, version, manifest, records, generation, imported_at)
               SELECT ?1, ?2, ?3, '{}', 0, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
    connection.execute(sql, params![name, version, manifest])?;
    Ok(connection.last_insert_rowid())
}

/// Notes what an import found, under the generation it makes.
pub(crate) fn finish(
    connection: &Connection,
    id: i64,
    manifest: &str,
    records: &str,
    generation: i64,
    problems: &str,
) -> Result<()> {
    let sql = "UPDATE pack SET manifest = ?2, records = ?3, generation = ?4, problems = ?5 WHERE id = ?1";
    connection.execute(sql, params![id, manifest, records, generation, problems])?;
    Ok(())
}

/// Removes a pack with its documents and records. Returns whether there was one.
pub(crate) fn delete(connection: &Connection, name: &str) -> Result<bool> {
    Ok(connection.execute("DELETE FROM pack WHERE name = ?1", [name])? > 0)
}
