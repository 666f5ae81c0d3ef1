//! Table of judges' answers. They are stored so that scoring again makes no API calls.

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

/// Stores an answer. An earlier one stays. Returns whether the answer is new.
pub(crate) fn put(
    connection: &Connection,
    [question, judge, version]: [&str; 3],
    answer: &str,
) -> Result<bool> {
    let sql = "INSERT OR IGNORE INTO verdict
               VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
    Ok(connection.execute(sql, params![question, judge, version, answer])? > 0)
}

/// Replaces an answer that cannot be read.
pub(crate) fn replace(
    connection: &Connection,
    [question, judge, version]: [&str; 3],
    answer: &str,
) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO verdict
               VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
    connection.execute(sql, params![question, judge, version, answer])?;
    Ok(())
}

/// Judge, prompt version, answer and time of all answers to a question.
pub(crate) fn of_question(connection: &Connection, question: &str) -> Result<Vec<[String; 4]>> {
    let sql = "SELECT judge, prompt_version, answer, answered_at FROM verdict WHERE question_hash = ?1
               ORDER BY judge, prompt_version";
    four_columns(connection, sql, question)
}

/// Runs a statement with one parameter, the question, and reads rows of four texts.
pub(super) fn four_columns(connection: &Connection, sql: &str, question: &str) -> Result<Vec<[String; 4]>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows =
        statement.query_map([question], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
