//! Table of failures: the last failure of a judge on a question that it has not answered yet.
//!
//! A failure is stored for display only; the next scoring requests the answer again.

use crate::error::Result;
use rusqlite::{Connection, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE verdict_failure (
        question_hash  TEXT NOT NULL,
        judge          TEXT NOT NULL,
        prompt_version TEXT NOT NULL,
        reason         TEXT NOT NULL,
        failed_at      TEXT NOT NULL,       -- UTC, ISO 8601
        PRIMARY KEY (question_hash, judge, prompt_version)
    ) WITHOUT ROWID;
";

pub(crate) fn put(
    connection: &Connection,
    [question, judge, version]: [&str; 3],
    reason: &str,
) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO verdict_failure
               VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
    connection.execute(sql, params![question, judge, version, reason])?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, key: [&str; 3]) -> Result<()> {
    let sql = "DELETE FROM verdict_failure WHERE question_hash = ?1 AND judge = ?2 AND prompt_version = ?3";
    connection.execute(sql, key)?;
    Ok(())
}

/// Failures on a question: judge, prompt version, reason and time of each.
pub(crate) fn of_question(connection: &Connection, question: &str) -> Result<Vec<[String; 4]>> {
    let sql = "SELECT judge, prompt_version, reason, failed_at FROM verdict_failure WHERE question_hash = ?1
               ORDER BY judge, prompt_version";
    super::verdict::four_columns(connection, sql, question)
}
