//! The index of the report folders, and what the user says about reports. The index can be made again from the folders
//! at any time; the remarks cannot.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE report (
        id    TEXT PRIMARY KEY,             -- name of the folder
        stamp TEXT NOT NULL,                -- state of the folder's files when it was read
        facts TEXT NOT NULL                 -- JSON, the caller's
    ) WITHOUT ROWID;
    CREATE TABLE report_remark (
        id   TEXT PRIMARY KEY,              -- name of the folder, there or not
        tags TEXT NOT NULL,                 -- JSON array of texts
        note TEXT NOT NULL
    ) WITHOUT ROWID;
";

pub(crate) type Indexed = (String, String, String);

pub(crate) fn all(connection: &Connection) -> Result<Vec<Indexed>> {
    let mut statement = connection.prepare_cached("SELECT id, stamp, facts FROM report")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn put(connection: &Connection, id: &str, stamp: &str, facts: &str) -> Result<()> {
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO report VALUES (?1, ?2, ?3)")?;
    statement.execute(params![id, stamp, facts])?;
    Ok(())
}

pub(crate) fn forget(connection: &Connection, id: &str) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM report WHERE id = ?1")?
        .execute([id])?;
    Ok(())
}

/// All remarks: id, tags, note.
pub(crate) fn remarks(connection: &Connection) -> Result<Vec<Indexed>> {
    let mut statement = connection.prepare_cached("SELECT id, tags, note FROM report_remark")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn remark(connection: &Connection, id: &str) -> Result<Option<(String, String)>> {
    let sql = "SELECT tags, note FROM report_remark WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?)
}

pub(crate) fn set_remark(connection: &Connection, id: &str, tags: &str, note: &str) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO report_remark VALUES (?1, ?2, ?3)";
    connection.execute(sql, params![id, tags, note])?;
    Ok(())
}
