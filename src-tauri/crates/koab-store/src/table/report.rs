//! The index of the report folders, which can be made again from them at any time, and the table for what the user says
//! about reports (`remark`).

use crate::error::Result;
use rusqlite::{Connection, params};

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
