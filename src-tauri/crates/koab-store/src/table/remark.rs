//! Tables of the user's tags and notes on reports and runs.
//!
//! Tags and notes cannot be rebuilt from other data, so they are kept when the folder is deleted,
//! in case the folder comes back.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, params};

pub(crate) const CREATE_OF_RUNS: &str = "
    CREATE TABLE run_remark (
        id   TEXT PRIMARY KEY,              -- run id, there or not
        tags TEXT NOT NULL,                 -- JSON array of texts
        note TEXT NOT NULL
    ) WITHOUT ROWID;
";

/// Subject of a remark.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About {
    /// A report. Its table is created with that of the index.
    Report,
    /// A run. It has a table of its own.
    Run,
}

impl About {
    fn table(self) -> &'static str {
        match self {
            About::Report => "report_remark",
            About::Run => "run_remark",
        }
    }
}

/// All remarks: id, tags, note.
pub(crate) fn all(connection: &Connection, about: About) -> Result<Vec<(String, String, String)>> {
    let sql = format!("SELECT id, tags, note FROM {}", about.table());
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Tags and note of one report or run.
pub(crate) fn get(connection: &Connection, about: About, id: &str) -> Result<Option<(String, String)>> {
    let sql = format!("SELECT tags, note FROM {} WHERE id = ?1", about.table());
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

pub(crate) fn set(connection: &Connection, about: About, id: &str, tags: &str, note: &str) -> Result<()> {
    let sql = format!("INSERT OR REPLACE INTO {} VALUES (?1, ?2, ?3)", about.table());
    connection.execute(&sql, params![id, tags, note])?;
    Ok(())
}
