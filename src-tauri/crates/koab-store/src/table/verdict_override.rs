//! Table of human overrides. Rows are never changed except to end them, so the history of answers
//! and their authors stays complete.

use crate::error::Result;
use koab_core::score::{MetricId, UnknownMetric};
use rusqlite::Error::FromSqlConversionFailure;
use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Verdict that an override replaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct VerdictPlace {
    /// Run id.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Metric of the question.
    pub metric: MetricId,
    /// Judge whose answer the override replaces; null for all judges.
    pub judge: Option<String>,
}

/// New override of a judge's answer.
#[derive(Clone, Copy, Debug)]
pub struct NewOverride<'a> {
    /// Overridden verdict.
    pub place: &'a VerdictPlace,
    /// Answer, in a form that the caller defines.
    pub answer: &'a Value,
    /// Name of the person who answers.
    pub by: &'a str,
    /// Reason for the override.
    pub why: &'a str,
}

/// Stored override of a judge's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Number of the override.
    pub id: i64,
    /// Hash of the question.
    pub question_hash: String,
    /// Overridden verdict.
    pub place: VerdictPlace,
    /// Answer. Null when it is damaged.
    pub answer: Value,
    /// Name of the person who answered.
    pub by: String,
    /// Reason for the override.
    pub why: String,
    /// Time of the override, UTC, ISO 8601.
    pub at: String,
    /// Name of the person who ended the override. Null while the override is in force.
    pub ended_by: Option<String>,
    /// Time when the override was ended.
    pub ended_at: Option<String>,
}

impl Override {
    /// Whether the override is in force.
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

/// Adds an override of a question's verdict, and ends the current one for the same judge.
pub(crate) fn add(connection: &Connection, question_hash: &str, new: &NewOverride<'_>) -> Result<()> {
    let VerdictPlace { run, task, metric, judge } = new.place;
    let judge = judge.as_deref().unwrap_or_default();
    let end = format!(
        "UPDATE verdict_override SET ended_by = ?3, ended_at = {NOW}
         WHERE question_hash = ?1 AND judge = ?2 AND ended_at IS NULL"
    );
    connection.execute(&end, [question_hash, judge, new.by])?;
    let add = format!(
        "INSERT INTO verdict_override
             (question_hash, judge, run, task, metric, answer, said_by, why, said_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, {NOW})"
    );
    let answer = new.answer.to_string();
    connection
        .execute(&add, params![question_hash, judge, run, task, metric.name(), answer, new.by, new.why])?;
    Ok(())
}

/// Ends an override. Returns whether it was in force until now.
pub(crate) fn end(connection: &Connection, id: i64, by: &str) -> Result<bool> {
    let sql = format!(
        "UPDATE verdict_override SET ended_by = ?2, ended_at = {NOW} WHERE id = ?1 AND ended_at IS NULL"
    );
    Ok(connection.execute(&sql, params![id, by])? > 0)
}

/// All overrides, oldest first.
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
    let unknown = |error: UnknownMetric| FromSqlConversionFailure(5, Type::Text, Box::new(error));
    Ok(Override {
        id: row.get(0)?,
        question_hash: row.get(1)?,
        place: VerdictPlace {
            run: row.get(3)?,
            task: row.get(4)?,
            metric: row.get::<_, String>(5)?.parse().map_err(unknown)?,
            judge: Some(judge).filter(|judge| !judge.is_empty()),
        },
        answer: serde_json::from_str(&answer).unwrap_or_default(),
        by: row.get(7)?,
        why: row.get(8)?,
        at: row.get(9)?,
        ended_by: row.get(10)?,
        ended_at: row.get(11)?,
    })
}
