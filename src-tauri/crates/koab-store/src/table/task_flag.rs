//! Table of tasks that the user has flagged as faulty.
//!
//! Rows refer to the pack's name rather than its row, so a pack that is imported again keeps its
//! flags.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE task_flag (
        pack       TEXT NOT NULL,           -- pack name
        task       TEXT NOT NULL,           -- task id
        note       TEXT NOT NULL,
        flagged_at TEXT NOT NULL,           -- UTC, ISO 8601
        PRIMARY KEY (pack, task)
    ) WITHOUT ROWID;
";

/// A row of `task_flag`.
pub(crate) struct FlagRow {
    pub(crate) task: String,
    pub(crate) note: String,
    pub(crate) flagged_at: String,
}

fn read(row: &Row<'_>) -> rusqlite::Result<FlagRow> {
    Ok(FlagRow { task: row.get(0)?, note: row.get(1)?, flagged_at: row.get(2)? })
}

pub(crate) fn of_pack(connection: &Connection, pack: &str) -> Result<Vec<FlagRow>> {
    let sql = "SELECT task, note, flagged_at FROM task_flag WHERE pack = ?1 ORDER BY task";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([pack], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn get(connection: &Connection, pack: &str, task: &str) -> Result<Option<FlagRow>> {
    let sql = "SELECT task, note, flagged_at FROM task_flag WHERE pack = ?1 AND task = ?2";
    Ok(connection.query_row(sql, [pack, task], read).optional()?)
}

/// Sets a flag or changes its note. The date of the first flag stays.
pub(crate) fn set(connection: &Connection, pack: &str, task: &str, note: &str) -> Result<()> {
    let sql = "INSERT INTO task_flag VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
               ON CONFLICT DO UPDATE SET note = ?3";
    connection.execute(sql, params![pack, task, note])?;
    Ok(())
}

pub(crate) fn delete(connection: &Connection, pack: &str, task: &str) -> Result<()> {
    connection.execute("DELETE FROM task_flag WHERE pack = ?1 AND task = ?2", [pack, task])?;
    Ok(())
}
