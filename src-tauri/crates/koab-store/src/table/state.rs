//! Queries over a cache state: a pack's own records together with saved responses.
//!
//! The pack's own records come first, so a saved response to the same call is left out of every
//! query.

use super::packed::unpack_str;
use crate::error::Result;
use rusqlite::types::{ToSql, ValueRef};
use rusqlite::{Connection, Row, Rows, Statement};
use std::borrow::Cow;

/// Source of the saved responses in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SideAnswers {
    /// No saved responses.
    Nothing,
    /// Current saved responses of the pack with this name.
    Overlay(String),
    /// Saved responses of the snapshot with this row id.
    Snapshot(i64),
}

/// Answer of a state. Texts are borrowed from the database, except for compressed ones.
pub(crate) struct Answer<'a> {
    pub(crate) tool: &'a str,
    pub(crate) args: &'a str,
    pub(crate) published_key: &'a str,
    pub(crate) created_at: &'a str,
    pub(crate) input_params: &'a str,
    pub(crate) raw_args: &'a str,
    /// The answer as it was recorded, if a model sees only a part of it.
    pub(crate) original: Option<Cow<'a, str>>,
    pub(crate) data: Cow<'a, str>,
    /// Run that made the call. Only saved responses have one.
    pub(crate) origin: Option<&'a str>,
}

const OF_PACK: &str =
    "SELECT tool, args, published_key, created_at, input_params, raw_args, original, data, NULL AS origin
                       FROM record WHERE pack = ?1";

/// Statement that selects the saved responses with the same columns as [`OF_PACK`], and the value
/// of its parameter `?2`.
fn beside_sql(beside: &SideAnswers) -> Option<(&'static str, &dyn ToSql)> {
    match beside {
        SideAnswers::Nothing => None,
        SideAnswers::Overlay(name) => Some((
            "SELECT tool, args, published_key, created_at, args, raw_args, NULL, data, origin FROM overlay AS o
             WHERE pack = ?2 AND NOT EXISTS (
                 SELECT 1 FROM record AS r
                 WHERE r.pack = ?1 AND r.tool = o.tool AND r.args = o.args AND r.answers = 1
             )",
            name,
        )),
        // The snapshot was made without calls that the pack answers.
        SideAnswers::Snapshot(id) => Some((
            "SELECT tool, args, published_key, created_at, args, raw_args, NULL, data, origin
             FROM snapshot_answer WHERE snapshot = ?2",
            id,
        )),
    }
}

/// Prepares the query for a state's answers by tool and arguments: those that calls can find, or
/// with `all` every record. [`read`] reads the rows.
pub(crate) fn prepare<'c>(
    connection: &'c Connection,
    beside: &SideAnswers,
    all: bool,
) -> Result<Statement<'c>> {
    let filter = if all { "" } else { " AND answers = 1" };
    // With `all`, in the order of paths in the published layout.
    let order = if all { "tool, published_key" } else { "tool, args" };
    let sql = match beside_sql(beside) {
        None => format!("{OF_PACK}{filter} ORDER BY {order}"),
        Some((sql, _)) => format!("{OF_PACK}{filter} UNION ALL {sql} ORDER BY {order}"),
    };
    Ok(connection.prepare(&sql)?)
}

/// Runs a statement of [`prepare`].
pub(crate) fn query<'s>(
    statement: &'s mut Statement<'_>,
    pack: i64,
    beside: &SideAnswers,
) -> Result<Rows<'s>> {
    Ok(match beside_sql(beside) {
        None => statement.query([pack])?,
        Some((_, of)) => statement.query(rusqlite::params![pack, of])?,
    })
}

pub(crate) fn read<'r>(row: &'r Row<'_>) -> Result<Answer<'r>> {
    let text = |i: usize| -> Result<&'r str> { Ok(row.get_ref(i)?.as_str().map_err(rusqlite::Error::from)?) };
    let optional = |i: usize| -> Result<Option<&'r str>> {
        Ok(row.get_ref(i)?.as_str_or_null().map_err(rusqlite::Error::from)?)
    };
    Ok(Answer {
        tool: text(0)?,
        args: text(1)?,
        published_key: text(2)?,
        created_at: text(3)?,
        input_params: text(4)?,
        raw_args: text(5)?,
        original: match row.get_ref(6)? {
            ValueRef::Null => None,
            value => Some(unpack_str(value)?),
        },
        data: unpack_str(row.get_ref(7)?)?,
        origin: optional(8)?,
    })
}

/// Number of answers for each tool: those of the pack, and saved responses.
pub(crate) fn count_by_tool(
    connection: &Connection,
    pack: i64,
    beside: &SideAnswers,
) -> Result<Vec<(String, u32, u32)>> {
    let own = "SELECT tool, 1 AS own FROM record WHERE pack = ?1 AND answers = 1";
    let all = match beside_sql(beside) {
        None => own.to_owned(),
        Some((sql, _)) => format!("{own} UNION ALL SELECT tool, 0 FROM ({sql})"),
    };
    let sql = format!("SELECT tool, SUM(own), SUM(1 - own) FROM ({all}) GROUP BY tool ORDER BY tool");
    let mut statement = connection.prepare(&sql)?;
    let mut rows = query(&mut statement, pack, beside)?;
    let mut counts = Vec::new();
    while let Some(row) = rows.next()? {
        counts.push((row.get(0)?, row.get(1)?, row.get(2)?));
    }
    Ok(counts)
}

/// Finds the saved response to a call.
pub(crate) fn find_beside<T>(
    connection: &Connection,
    beside: &SideAnswers,
    tool: &str,
    args: &str,
    take: impl FnOnce(&Answer<'_>) -> Result<T>,
) -> Result<Option<T>> {
    let (table, of): (_, &dyn ToSql) = match beside {
        SideAnswers::Nothing => return Ok(None),
        SideAnswers::Overlay(name) => ("overlay WHERE pack", name),
        SideAnswers::Snapshot(id) => ("snapshot_answer WHERE snapshot", id),
    };
    let sql = format!(
        "SELECT tool, args, published_key, created_at, args, raw_args, NULL, data, origin FROM {table} = ?1
         AND tool = ?2 AND args = ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(rusqlite::params![of, tool, args])?;
    match rows.next()? {
        Some(row) => take(&read(row)?).map(Some),
        None => Ok(None),
    }
}
