//! Tables of blind reviews: queues of questions that a person answers without seeing the judges'
//! answers, and the person's answers.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::Value;

/// Stored queue of a blind review.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredQueue {
    /// Id of the queue.
    pub id: String,
    /// Content of the queue. Null when it is damaged.
    pub document: Value,
    /// Time of creation, UTC, ISO 8601.
    pub made_at: String,
    /// Time when the judges' answers were revealed. Null while the review is blind.
    pub revealed_at: Option<String>,
    /// Time when the answers last became overrides.
    pub applied_at: Option<String>,
    /// Name of the person who last turned the answers into overrides.
    pub applied_by: Option<String>,
}

/// An answer to a question of a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueAnswer {
    /// Position of the question, from 1.
    pub number: u32,
    /// Answer to the question. Null when it is damaged.
    pub answer: Value,
    /// Time of the answer, UTC, ISO 8601.
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

/// Stores a queue. An existing queue with the same id stays unchanged. Returns whether the queue is
/// new.
pub(crate) fn put(connection: &Connection, id: &str, document: &str) -> Result<bool> {
    let sql = format!("INSERT OR IGNORE INTO judge_queue (id, document, made_at) VALUES (?1, ?2, {NOW})");
    Ok(connection.execute(&sql, [id, document])? > 0)
}

pub(crate) fn get(connection: &Connection, id: &str) -> Result<Option<StoredQueue>> {
    let sql = format!("SELECT {COLUMNS} FROM judge_queue WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([id], read).optional()?)
}

/// All queues, newest first.
pub(crate) fn all(connection: &Connection) -> Result<Vec<StoredQueue>> {
    let sql = format!("SELECT {COLUMNS} FROM judge_queue ORDER BY made_at DESC, id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores an answer, replacing an earlier one, while the queue is blind. Returns whether the queue
/// was blind.
pub(crate) fn answer(connection: &Connection, id: &str, number: u32, answer: &str) -> Result<bool> {
    let sql = format!(
        "INSERT OR REPLACE INTO judge_queue_answer (queue, number, answer, said_at)
         SELECT id, ?2, ?3, {NOW} FROM judge_queue WHERE id = ?1 AND revealed_at IS NULL"
    );
    Ok(connection.execute(&sql, params![id, number, answer])? > 0)
}

/// Removes an answer, while the queue is blind. Returns whether there was one.
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

/// Ends the blind review. Only the first call sets the time.
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

/// Deletes a queue with its answers. Returns whether it existed.
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
