//! Index of the report folders, which can be rebuilt from them at any time, and the table of
//! remarks on reports (`remark`).

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

/// Outcomes for comparing pairs of reports in a library. They are written and deleted with the
/// index.
pub(crate) const CREATE_OUTCOMES: &str = "
    CREATE TABLE report_outcomes (
        id         TEXT PRIMARY KEY,        -- name of the folder
        conditions TEXT NOT NULL,           -- JSON, the caller's; the same text for reports made alike
        outcomes   TEXT NOT NULL            -- JSON, the caller's
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
    for table in ["DELETE FROM report WHERE id = ?1", "DELETE FROM report_outcomes WHERE id = ?1"] {
        connection.prepare_cached(table)?.execute([id])?;
    }
    Ok(())
}

pub(crate) fn outcomes(connection: &Connection) -> Result<Vec<Indexed>> {
    let mut statement = connection.prepare_cached("SELECT id, conditions, outcomes FROM report_outcomes")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn put_outcomes(
    connection: &Connection,
    id: &str,
    conditions: &str,
    outcomes: &str,
) -> Result<()> {
    let mut statement =
        connection.prepare_cached("INSERT OR REPLACE INTO report_outcomes VALUES (?1, ?2, ?3)")?;
    statement.execute(params![id, conditions, outcomes])?;
    Ok(())
}
