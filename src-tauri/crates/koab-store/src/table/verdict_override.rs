//! What people said instead of judges. Rows are never changed but for being ended, so that who said
//! what stays known.

use crate::error::Result;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

/// Something to say.
#[derive(Clone, Copy, Debug)]
pub struct NewOverride<'a> {
    /// Hash of the question.
    pub question_hash: &'a str,
    /// Whose answer it stands for; null for all judges.
    pub judge: Option<&'a str>,
    /// Run, task and metric where it is said.
    pub run: &'a str,
    /// The task.
    pub task: &'a str,
    /// The metric.
    pub metric: &'a str,
    /// The answer, which is the caller's to read.
    pub answer: &'a Value,
    /// Who says so.
    pub by: &'a str,
    /// Why.
    pub why: &'a str,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Its number.
    pub id: i64,
    /// Hash of the question.
    pub question_hash: String,
    /// Whose answer it stands for; null for all judges.
    pub judge: Option<String>,
    /// Run where it was said.
    pub run: String,
    /// The task.
    pub task: String,
    /// The metric.
    pub metric: String,
    /// The answer; null when it is damaged.
    pub answer: Value,
    /// Who said so.
    pub by: String,
    /// Why.
    pub why: String,
    /// When, UTC, ISO 8601.
    pub at: String,
    /// Who ended it; null while it holds.
    pub ended_by: Option<String>,
    /// When it was ended.
    pub ended_at: Option<String>,
}

impl Override {
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.ended_at.is_none()
    }
}

pub(crate) const CREATE: &str = "
    CREATE TABLE verdict_override (
        id            INTEGER PRIMARY KEY,
        question_hash TEXT NOT NULL,        -- the question that it answers, in whichever run it is asked
        judge         TEXT NOT NULL,        -- whose answer it stands for; '' for all judges
        run           TEXT NOT NULL,        -- where it was said
        task          TEXT NOT NULL,
        metric        TEXT NOT NULL,
        answer        TEXT NOT NULL,        -- JSON
        said_by       TEXT NOT NULL,
        why           TEXT NOT NULL,
        said_at       TEXT NOT NULL,        -- UTC, ISO 8601
        ended_by      TEXT,                 -- null while it holds
        ended_at      TEXT
    );
    CREATE UNIQUE INDEX verdict_override_that_holds ON verdict_override (question_hash, judge)
        WHERE ended_at IS NULL;
";

const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

/// Ends what held for the same question and judge, and adds the row.
pub(crate) fn add(connection: &Connection, new: &NewOverride<'_>) -> Result<()> {
    let judge = new.judge.unwrap_or_default();
    let end = format!(
        "UPDATE verdict_override SET ended_by = ?3, ended_at = {NOW}
         WHERE question_hash = ?1 AND judge = ?2 AND ended_at IS NULL"
    );
    connection.execute(&end, [new.question_hash, judge, new.by])?;
    let add = format!(
        "INSERT INTO verdict_override
             (question_hash, judge, run, task, metric, answer, said_by, why, said_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, {NOW})"
    );
    let answer = new.answer.to_string();
    connection.execute(
        &add,
        params![new.question_hash, judge, new.run, new.task, new.metric, answer, new.by, new.why],
    )?;
    Ok(())
}

/// Ends a row. Returns whether it held until now.
pub(crate) fn end(connection: &Connection, id: i64, by: &str) -> Result<bool> {
    let sql = format!(
        "UPDATE verdict_override SET ended_by = ?2, ended_at = {NOW} WHERE id = ?1 AND ended_at IS NULL"
    );
    Ok(connection.execute(&sql, params![id, by])? > 0)
}

/// All rows, the oldest first.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Override>> {
    let sql = "SELECT id, question_hash, judge, run, task, metric, answer, said_by, why, said_at, ended_by, ended_at
               FROM verdict_override ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Override> {
    let judge: String = row.get(2)?;
    let answer: String = row.get(6)?;
    Ok(Override {
        id: row.get(0)?,
        question_hash: row.get(1)?,
        judge: Some(judge).filter(|judge| !judge.is_empty()),
        run: row.get(3)?,
        task: row.get(4)?,
        metric: row.get(5)?,
        answer: serde_json::from_str(&answer).unwrap_or_default(),
        by: row.get(7)?,
        why: row.get(8)?,
        at: row.get(9)?,
        ended_by: row.get(10)?,
        ended_at: row.get(11)?,
    })
}
