//! Table of installed packs.

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

/// Column added later. Older rows have no problems stored, so these are computed again from the
/// documents.
pub(crate) const ADD_PROBLEMS: &str = "
    ALTER TABLE pack ADD COLUMN problems TEXT;  -- of its import, Problem[] as JSON
";

/// Columns for snapshots. A pack that was replaced or removed stays, retired (1), while a snapshot
/// reads its records. A pack in the trash has the value 2. The hash is computed on first use.
pub(crate) const ADD_RETIRED: &str = "
    ALTER TABLE pack ADD COLUMN retired INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE pack ADD COLUMN hash TEXT;      -- `<generation> <hash of documents and records>`
";

/// A row of `pack`.
pub(crate) struct PackRow {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) manifest: String,
    pub(crate) records: String,
    pub(crate) generation: i64,
    pub(crate) imported_at: String,
    pub(crate) problems: Option<String>,
}

const COLUMNS: &str = "id, name, manifest, records, generation, imported_at, problems";

fn read(row: &Row<'_>) -> rusqlite::Result<PackRow> {
    Ok(PackRow {
        id: row.get(0)?,
        name: row.get(1)?,
        manifest: row.get(2)?,
        records: row.get(3)?,
        generation: row.get(4)?,
        imported_at: row.get(5)?,
        problems: row.get(6)?,
    })
}

pub(crate) fn find(connection: &Connection, name: &str) -> Result<Option<PackRow>> {
    let sql = format!("SELECT {COLUMNS} FROM pack WHERE name = ?1 AND retired = 0");
    Ok(connection.query_row(&sql, [name], read).optional()?)
}

pub(crate) fn all(connection: &Connection) -> Result<Vec<PackRow>> {
    let mut statement =
        connection.prepare(&format!("SELECT {COLUMNS} FROM pack WHERE retired = 0 ORDER BY name"))?;
    let rows = statement.query_map([], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Adds a pack and returns its id.
pub(crate) fn insert(connection: &Connection, name: &str, version: &str, manifest: &str) -> Result<i64> {
    let sql = "INSERT INTO pack (name, version, manifest, records, generation, imported_at)
               SELECT ?1, ?2, ?3, '{}', 0, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
    connection.execute(sql, params![name, version, manifest])?;
    Ok(connection.last_insert_rowid())
}

/// Sets the version of a pack that was added before the version was known.
pub(crate) fn set_version(connection: &Connection, id: i64, version: &str) -> Result<()> {
    connection.execute("UPDATE pack SET version = ?2 WHERE id = ?1", params![id, version])?;
    Ok(())
}

/// Renames a pack in the workspace. Its manifest stays.
pub(crate) fn rename(connection: &Connection, name: &str, other: &str) -> Result<()> {
    connection.execute("UPDATE pack SET name = ?2 WHERE name = ?1", [name, other])?;
    Ok(())
}

/// Names of a pack's earlier versions that are still installed.
pub(crate) fn set_aside(connection: &Connection, name: &str) -> Result<Vec<String>> {
    let sql = "SELECT name FROM pack WHERE substr(name, 1, length(?1) + 1) = ?1 || '@' AND retired = 0
               ORDER BY id";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([name], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores the results of an import, with its generation.
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

/// Finds a pack by its row id, retired or not.
pub(crate) fn by_id(connection: &Connection, id: i64) -> Result<PackRow> {
    let sql = format!("SELECT {COLUMNS} FROM pack WHERE id = ?1");
    Ok(connection.query_row(&sql, [id], read)?)
}

/// Removes a pack with its documents and records. A pack that a snapshot reads is retired instead.
/// Returns whether the pack existed.
pub(crate) fn delete(connection: &Connection, name: &str) -> Result<bool> {
    // No name of a pack contains `#`.
    let sql = "UPDATE pack SET retired = 1, name = name || '#' || id
               WHERE name = ?1 AND retired = 0 AND id IN (SELECT pack FROM snapshot)";
    if connection.execute(sql, [name])? > 0 {
        return Ok(true);
    }
    Ok(connection.execute("DELETE FROM pack WHERE name = ?1 AND retired = 0", [name])? > 0)
}

/// Moves a pack to the trash: renames it, and hides it from everything but snapshots.
pub(crate) fn trash(connection: &Connection, id: i64, name: &str) -> Result<()> {
    connection.execute("UPDATE pack SET retired = 2, name = ?2 WHERE id = ?1", params![id, name])?;
    Ok(())
}

/// Packs in the trash, each with its size in bytes.
pub(crate) fn trashed(connection: &Connection) -> Result<Vec<(PackRow, u64)>> {
    let sql = format!(
        "SELECT {COLUMNS},
            (SELECT coalesce(sum(octet_length(content)), 0) FROM document WHERE pack = pack.id),
            (SELECT coalesce(sum(octet_length(data) + coalesce(octet_length(original), 0)), 0)
             FROM record WHERE pack = pack.id)
         FROM pack WHERE retired = 2 ORDER BY id"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| {
        let bytes = row.get::<_, i64>(7)? + row.get::<_, i64>(8)?;
        Ok((read(row)?, u64::try_from(bytes).unwrap_or_default()))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Brings a pack back from the trash under this name.
pub(crate) fn untrash(connection: &Connection, id: i64, name: &str) -> Result<()> {
    connection
        .execute("UPDATE pack SET retired = 0, name = ?2 WHERE id = ?1 AND retired = 2", params![id, name])?;
    Ok(())
}

/// Removes a pack from the trash. One that a snapshot reads is retired instead.
pub(crate) fn discard(connection: &Connection, id: i64) -> Result<()> {
    connection.execute("UPDATE pack SET retired = 1 WHERE id = ?1 AND retired = 2", [id])?;
    sweep(connection)
}

/// Whether a pack is retired or in the trash.
pub(crate) fn is_retired(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "SELECT retired FROM pack WHERE id = ?1";
    Ok(connection.query_row(sql, [id], |row| row.get(0))?)
}

/// Removes the retired packs that no snapshot reads any more.
pub(crate) fn sweep(connection: &Connection) -> Result<()> {
    let sql = "DELETE FROM pack WHERE retired = 1 AND id NOT IN (SELECT pack FROM snapshot)";
    connection.execute(sql, [])?;
    Ok(())
}

/// Stored hash of this generation of a pack.
pub(crate) fn hash(connection: &Connection, id: i64, generation: i64) -> Result<Option<String>> {
    let sql = "SELECT hash FROM pack WHERE id = ?1";
    let stored: Option<String> = connection.query_row(sql, [id], |row| row.get(0))?;
    let stored = stored.as_deref().and_then(|stored| stored.split_once(' '));
    Ok(stored.filter(|(of, _)| *of == generation.to_string()).map(|(_, hash)| hash.to_owned()))
}

/// Stores the hash of a generation of a pack.
pub(crate) fn set_hash(connection: &Connection, id: i64, generation: i64, hash: &str) -> Result<()> {
    let sql = "UPDATE pack SET hash = ?2 WHERE id = ?1 AND generation = ?3";
    connection.execute(sql, params![id, format!("{generation} {hash}"), generation])?;
    Ok(())
}
