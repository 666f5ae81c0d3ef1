//! Table of settings: single values by name.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, params};

/// Name of the setting with the active pack.
pub(crate) const ACTIVE_PACK: &str = "active_pack";

pub(crate) const CREATE: &str = "
    CREATE TABLE setting (
        name  TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
";

pub(crate) fn get(connection: &Connection, name: &str) -> Result<Option<String>> {
    let sql = "SELECT value FROM setting WHERE name = ?1";
    Ok(connection.query_row(sql, [name], |row| row.get(0)).optional()?)
}

pub(crate) fn set(connection: &Connection, name: &str, value: Option<&str>) -> Result<()> {
    match value {
        Some(value) => {
            connection.execute("INSERT OR REPLACE INTO setting VALUES (?1, ?2)", params![name, value])?
        }
        None => connection.execute("DELETE FROM setting WHERE name = ?1", [name])?,
    };
    Ok(())
}
