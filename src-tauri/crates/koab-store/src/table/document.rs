//! Table of a pack's documents: a level's tasks, the tool catalog, the judge prompts.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE document (
        pack    INTEGER NOT NULL REFERENCES pack (id) ON DELETE CASCADE,
        path    TEXT NOT NULL,              -- tasks/L1.json, tools.json, judge_prompts.yaml
        sha256  TEXT NOT NULL,              -- of the content as imported
        content TEXT NOT NULL,
        PRIMARY KEY (pack, path)
    ) WITHOUT ROWID;
";

/// A row of `document`.
pub(crate) struct DocumentRow {
    pub(crate) path: String,
    pub(crate) sha256: String,
    pub(crate) content: String,
}

pub(crate) fn insert(connection: &Connection, pack: i64, row: &DocumentRow) -> Result<()> {
    let sql = "INSERT INTO document (pack, path, sha256, content) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, params![pack, row.path, row.sha256, row.content])?;
    Ok(())
}

pub(crate) fn of_pack(connection: &Connection, pack: i64) -> Result<Vec<DocumentRow>> {
    let sql = "SELECT path, sha256, content FROM document WHERE pack = ?1 ORDER BY path";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([pack], |row| {
        Ok(DocumentRow { path: row.get(0)?, sha256: row.get(1)?, content: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Content of a pack's document at this path.
pub(crate) fn find(connection: &Connection, pack: i64, path: &str) -> Result<Option<String>> {
    let sql = "SELECT content FROM document WHERE pack = ?1 AND path = ?2";
    let mut statement = connection.prepare(sql)?;
    Ok(statement.query_row(params![pack, path], |row| row.get(0)).optional()?)
}
