//! What judges answered, kept so that scoring again asks nobody.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE verdict (
        question_hash  TEXT NOT NULL,       -- of everything the judge is shown
        judge          TEXT NOT NULL,       -- provider/model
        prompt_version TEXT NOT NULL,
        answer         TEXT NOT NULL,       -- JSON
        answered_at    TEXT NOT NULL,       -- UTC, ISO 8601
        PRIMARY KEY (question_hash, judge, prompt_version)
    ) WITHOUT ROWID;
";

pub(crate) fn get(connection: &Connection, key: [&str; 3]) -> Result<Option<String>> {
    let sql = "SELECT answer FROM verdict WHERE question_hash = ?1 AND judge = ?2 AND prompt_version = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(key, |row| row.get(0)).optional()?)
}

/// Keeps an answer; one given before stays. Returns whether it is new.
pub(crate) fn put(
    connection: &Connection,
    [question, judge, version]: [&str; 3],
    answer: &str,
) -> Result<bool> {
    let sql = "INSERT OR IGNORE INTO verdict
               VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
    Ok(connection.execute(sql, params![question, judge, version, answer])? > 0)
}
