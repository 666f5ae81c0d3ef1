//! Queues of questions that a person answers without knowing what judges said, and the answers.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::Value;

/// A queue as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredQueue {
    /// Its id.
    pub id: String,
    /// What it holds; null when it is damaged.
    pub document: Value,
    /// When it was made, UTC, ISO 8601.
    pub made_at: String,
    /// When what judges said was shown; null while it is blind.
    pub revealed_at: Option<String>,
    /// When its answers became overrides, the last time.
    pub applied_at: Option<String>,
    /// By whom.
    pub applied_by: Option<String>,
}

/// An answer to a question of a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueAnswer {
    /// Place of the question, from 1.
    pub number: u32,
    /// The answer; null when it is damaged.
    pub answer: Value,
    /// When, UTC, ISO 8601.
    pub at: String,
}

pub(crate) const CREATE: &str = "
    CREATE TABLE judge_queue (
        id          TEXT PRIMARY KEY,
        document    TEXT NOT NULL,          -- JSON: the questions as they stood when it was made
        made_at     TEXT NOT NULL,          -- UTC, ISO 8601
        revealed_at TEXT,                   -- null while it is blind; answers end with it
        applied_at  TEXT,                   -- when its answers became overrides
        applied_by  TEXT
    ) WITHOUT ROWID;
    CREATE TABLE judge_queue_answer (
        queue       TEXT NOT NULL REFERENCES judge_queue (id) ON DELETE CASCADE,
        number      INTEGER NOT NULL,       -- place of the question, from 1
        answer      TEXT NOT NULL,          -- JSON
        said_at     TEXT NOT NULL,          -- UTC, ISO 8601
        PRIMARY KEY (queue, number)
    ) WITHOUT ROWID;
";

const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
const COLUMNS: &str = "id, document, made_at, revealed_at, applied_at, applied_by";

/// Keeps a queue; one with the same id stays. Returns whether it is new.
pub(crate) fn put(connection: &Connection, id: &str, document: &str) -> Result<bool> {
    let sql = format!("INSERT OR IGNORE INTO judge_queue (id, document, made_at) VALUES (?1, ?2, {NOW})");
    Ok(connection.execute(&sql, [id, document])? > 0)
}

pub(crate) fn get(connection: &Connection, id: &str) -> Result<Option<StoredQueue>> {
    let sql = format!("SELECT {COLUMNS} FROM judge_queue WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([id], read).optional()?)
}

/// All queues, the newest first.
pub(crate) fn all(connection: &Connection) -> Result<Vec<StoredQueue>> {
    let sql = format!("SELECT {COLUMNS} FROM judge_queue ORDER BY made_at DESC, id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Puts an answer in the place of the one before, as long as the queue is blind. Returns whether it
/// was.
pub(crate) fn answer(connection: &Connection, id: &str, number: u32, answer: &str) -> Result<bool> {
    let sql = format!(
        "INSERT OR REPLACE INTO judge_queue_answer (queue, number, answer, said_at)
         SELECT id, ?2, ?3, {NOW} FROM judge_queue WHERE id = ?1 AND revealed_at IS NULL"
    );
    Ok(connection.execute(&sql, params![id, number, answer])? > 0)
}

/// Takes an answer back, as long as the queue is blind. Returns whether there was one.
pub(crate) fn unanswer(connection: &Connection, id: &str, number: u32) -> Result<bool> {
    let sql = "DELETE FROM judge_queue_answer WHERE queue = ?1 AND number = ?2
               AND EXISTS (SELECT 1 FROM judge_queue WHERE id = ?1 AND revealed_at IS NULL)";
    Ok(connection.execute(sql, params![id, number])? > 0)
}

pub(crate) fn answers(connection: &Connection, id: &str) -> Result<Vec<QueueAnswer>> {
    let sql = "SELECT number, answer, said_at FROM judge_queue_answer WHERE queue = ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([id], |row| {
        let answer: String = row.get(1)?;
        Ok(QueueAnswer {
            number: row.get(0)?,
            answer: serde_json::from_str(&answer).unwrap_or_default(),
            at: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Ends the blindness; the first time counts.
pub(crate) fn reveal(connection: &Connection, id: &str) -> Result<()> {
    let sql = format!("UPDATE judge_queue SET revealed_at = {NOW} WHERE id = ?1 AND revealed_at IS NULL");
    connection.execute(&sql, [id])?;
    Ok(())
}

pub(crate) fn applied(connection: &Connection, id: &str, by: &str) -> Result<()> {
    let sql = format!("UPDATE judge_queue SET applied_at = {NOW}, applied_by = ?2 WHERE id = ?1");
    connection.execute(&sql, [id, by])?;
    Ok(())
}

/// Forgets a queue with its answers. Returns whether there was one.
pub(crate) fn remove(connection: &Connection, id: &str) -> Result<bool> {
    connection.execute("DELETE FROM judge_queue_answer WHERE queue = ?1", [id])?;
    Ok(connection.execute("DELETE FROM judge_queue WHERE id = ?1", [id])? > 0)
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredQueue> {
    let document: String = row.get(1)?;
    Ok(StoredQueue {
        id: row.get(0)?,
        document: serde_json::from_str(&document).unwrap_or_default(),
        made_at: row.get(2)?,
        revealed_at: row.get(3)?,
        applied_at: row.get(4)?,
        applied_by: row.get(5)?,
    })
}
