//! Table of cached responses, and the choice of the record that answers a call.

use super::packed::{pack as pack_text, unpack, unpack_text};
use crate::error::Result;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use std::ops::Range;

pub(crate) const CREATE: &str = "
    CREATE TABLE record (
        id            INTEGER PRIMARY KEY,
        pack          INTEGER NOT NULL REFERENCES pack (id) ON DELETE CASCADE,
        tool          TEXT NOT NULL,
        args          TEXT NOT NULL,            -- canonical JSON of the normalized arguments
        published_key TEXT NOT NULL,
        standing      TEXT NOT NULL,            -- current, stale or orphan
        answers       INTEGER NOT NULL DEFAULT 0, -- 1: the record that a look-up finds
        sha256        TEXT NOT NULL,            -- of what was imported, for verifying
        created_at    TEXT NOT NULL,
        input_params  TEXT NOT NULL,            -- as recorded
        raw_args      TEXT NOT NULL,            -- as recorded
        original      TEXT,                     -- the answer as recorded, where a model sees less of it
        data          TEXT NOT NULL             -- the answer as a model sees it, JSON
    );
    CREATE UNIQUE INDEX record_key ON record (pack, tool, published_key);
    CREATE UNIQUE INDEX record_answer ON record (pack, tool, args) WHERE answers = 1;
";

/// Relation of a record to the current catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The published key belongs to the current definition of the tool.
    Current,
    /// The record was made under an earlier description or schema of the tool.
    Stale,
    /// The catalog lacks the tool.
    Orphan,
}

impl Standing {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Standing::Current => "current",
            Standing::Stale => "stale",
            Standing::Orphan => "orphan",
        }
    }
}

/// A row of `record`, without its id and its `answers` flag.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RecordRow {
    pub(crate) tool: String,
    pub(crate) args: String,
    pub(crate) published_key: String,
    pub(crate) standing: Standing,
    pub(crate) sha256: String,
    pub(crate) created_at: String,
    pub(crate) input_params: String,
    pub(crate) raw_args: String,
    pub(crate) original: Option<String>,
    pub(crate) data: String,
}

/// Adds a record. Returns false when the pack already has a record of that tool with that key; the
/// existing record stays.
///
/// When several records match a call, a current one answers it, otherwise the newest. The order of
/// insertion does not matter.
pub(crate) fn insert(connection: &Connection, pack: i64, row: &RecordRow) -> Result<bool> {
    let sql = "SELECT 1 FROM record WHERE pack = ?1 AND tool = ?2 AND published_key = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    if statement.exists(params![pack, row.tool, row.published_key])? {
        return Ok(false);
    }
    let answers = row.standing != Standing::Orphan && replaces_answering(connection, pack, row)?;
    let sql = "INSERT INTO record (pack, tool, args, published_key, standing, answers, sha256, created_at,
                   input_params, raw_args, original, data)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![
        pack,
        row.tool,
        row.args,
        row.published_key,
        row.standing.as_str(),
        answers,
        row.sha256,
        row.created_at,
        row.input_params,
        row.raw_args,
        row.original.as_deref().map(pack_text),
        pack_text(&row.data),
    ])?;
    Ok(true)
}

/// Whether a new record will answer its call. If so, clears the flag of the record that has
/// answered it.
fn replaces_answering(connection: &Connection, pack: i64, row: &RecordRow) -> Result<bool> {
    let sql = "SELECT id, standing = 'current', created_at, published_key
               FROM record WHERE pack = ?1 AND tool = ?2 AND args = ?3 AND answers = 1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![pack, row.tool, row.args])?;
    let Some(other) = rows.next()? else {
        return Ok(true);
    };
    let (id, is_current): (i64, bool) = (other.get(0)?, other.get(1)?);
    let (created_at, published_key): (String, String) = (other.get(2)?, other.get(3)?);
    let new = (row.standing == Standing::Current, &row.created_at);
    let loses = new
        .cmp(&(is_current, &created_at))
        // Among equals the lesser key answers, as in `elect`.
        .then_with(|| published_key.cmp(&row.published_key))
        .is_lt();
    if loses {
        return Ok(false);
    }
    connection.prepare_cached("UPDATE record SET answers = 0 WHERE id = ?1")?.execute([id])?;
    Ok(true)
}

/// Copies the records of one pack to another. Returns their number.
pub(crate) fn copy(connection: &Connection, from: i64, to: i64) -> Result<u32> {
    let sql = "INSERT INTO record (pack, tool, args, published_key, standing, sha256, created_at, input_params, raw_args, original,
                   data)
               SELECT ?2, tool, args, published_key, standing, sha256, created_at, input_params, raw_args, original, data
               FROM record WHERE pack = ?1";
    Ok(connection.execute(sql, [from, to])? as u32)
}

/// Chooses the records that answer calls, after [`copy`]: for each tool and arguments a current
/// one, otherwise the newest.
pub(crate) fn elect(connection: &Connection, pack: i64) -> Result<()> {
    connection.execute("UPDATE record SET answers = 0 WHERE pack = ?1 AND answers = 1", [pack])?;
    let sql = "UPDATE record SET answers = 1 WHERE id IN (
                   SELECT id FROM (
                       SELECT id, ROW_NUMBER() OVER (
                           PARTITION BY tool, args
                           ORDER BY standing = 'current' DESC, created_at DESC, published_key
                       ) AS place
                       FROM record WHERE pack = ?1 AND standing <> 'orphan'
                   ) WHERE place = 1
               )";
    connection.execute(sql, [pack])?;
    Ok(())
}

/// Answer to a call. `parse` reads the answer in place, because copying a large answer takes as
/// long as finding it.
pub(crate) fn answer<T>(
    connection: &Connection,
    pack: i64,
    tool: &str,
    args: &str,
    parse: impl FnOnce(&[u8]) -> Result<T>,
) -> Result<Option<T>> {
    let sql = "SELECT data FROM record WHERE pack = ?1 AND tool = ?2 AND args = ?3 AND answers = 1";
    data_of(connection, sql, params![pack, tool, args], parse)
}

/// The answer that a statement selects. `parse` reads it in place.
fn data_of<T>(
    connection: &Connection,
    sql: &str,
    key: &[&dyn rusqlite::ToSql],
    parse: impl FnOnce(&[u8]) -> Result<T>,
) -> Result<Option<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(key)?;
    match rows.next()? {
        Some(row) => parse(&unpack(row.get_ref(0)?)?).map(Some),
        None => Ok(None),
    }
}

/// Fingerprints of a pack's records, by tool and key.
pub(crate) fn fingerprints(connection: &Connection, pack: i64) -> Result<Vec<String>> {
    let sql = "SELECT sha256 FROM record WHERE pack = ?1 ORDER BY tool, published_key";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([pack], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Passes every record of one tool to `visit`, by key.
pub(crate) fn each_of_tool(
    connection: &Connection,
    pack: i64,
    tool: &str,
    mut visit: impl FnMut(RecordRow) -> Result<()>,
) -> Result<()> {
    let sql = "SELECT tool, args, published_key, standing, sha256, created_at, input_params, raw_args, original, data
               FROM record WHERE pack = ?1 AND tool = ?2 ORDER BY published_key";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query(params![pack, tool])?;
    while let Some(row) = rows.next()? {
        visit(read(row)?)?;
    }
    Ok(())
}

/// Deletes the records of a call. Returns their number.
pub(crate) fn delete_call(connection: &Connection, pack: i64, tool: &str, args: &str) -> Result<usize> {
    let sql = "DELETE FROM record WHERE pack = ?1 AND tool = ?2 AND args = ?3";
    Ok(connection.execute(sql, params![pack, tool, args])?)
}

/// Answer in a tool's record with this key. `parse` reads it in place.
pub(crate) fn by_key<T>(
    connection: &Connection,
    pack: i64,
    tool: &str,
    key: &str,
    parse: impl FnOnce(&[u8]) -> Result<T>,
) -> Result<Option<T>> {
    let sql = "SELECT data FROM record WHERE pack = ?1 AND tool = ?2 AND published_key = ?3";
    data_of(connection, sql, params![pack, tool, key], parse)
}

/// Number of cached responses of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ToolRecordsView"))]
pub struct ToolRecords {
    /// Tool name.
    pub tool: String,
    /// Number of all records.
    pub records: u32,
    /// Number of records whose key belongs to the current definition of the tool.
    pub current: u32,
    /// Number of records made under an earlier definition of the tool.
    pub stale: u32,
    /// Number of records whose tool is not in the catalog.
    pub orphan: u32,
    /// Number of distinct arguments that have an answer.
    pub answering: u32,
}

/// Number of records for each tool, by its name.
pub(crate) fn count_by_tool(connection: &Connection, pack: i64) -> Result<Vec<ToolRecords>> {
    let sql = "SELECT tool, COUNT(*), SUM(standing = 'current'), SUM(standing = 'stale'),
                   SUM(standing = 'orphan'), SUM(answers)
               FROM record WHERE pack = ?1 GROUP BY tool ORDER BY tool";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([pack], |row| {
        Ok(ToolRecords {
            tool: row.get(0)?,
            records: row.get(1)?,
            current: row.get(2)?,
            stale: row.get(3)?,
            orphan: row.get(4)?,
            answering: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Number of answering records that were made under an earlier definition of their tool.
pub(crate) fn count_answering_stale(connection: &Connection, pack: i64) -> Result<u32> {
    let sql = "SELECT COUNT(*) FROM record WHERE pack = ?1 AND answers = 1 AND standing = 'stale'";
    Ok(connection.query_row(sql, [pack], |row| row.get(0))?)
}

/// Passes every record of a pack to `visit`, by tool and key.
pub(crate) fn each(
    connection: &Connection,
    pack: i64,
    mut visit: impl FnMut(RecordRow) -> Result<()>,
) -> Result<()> {
    let sql = "SELECT tool, args, published_key, standing, sha256, created_at, input_params, raw_args, original, data
               FROM record WHERE pack = ?1 ORDER BY tool, published_key";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([pack])?;
    while let Some(row) = rows.next()? {
        visit(read(row)?)?;
    }
    Ok(())
}

/// Passes tool, key and hash of every record of a pack to `visit`, by tool and key. Does not read
/// the answers.
pub(crate) fn each_fingerprint(
    connection: &Connection,
    pack: i64,
    mut visit: impl FnMut(&str, &str, &str),
) -> Result<()> {
    let sql = "SELECT tool, published_key, sha256 FROM record WHERE pack = ?1 ORDER BY tool, published_key";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([pack])?;
    while let Some(row) = rows.next()? {
        let text = |i: usize| row.get_ref(i)?.as_str().map_err(rusqlite::Error::from);
        visit(text(0)?, text(1)?, text(2)?);
    }
    Ok(())
}

/// Id of the last record, if a pack answers more than `most` calls. `None` if it answers fewer or
/// equally many.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn more_calls_than(connection: &Connection, pack: i64, most: usize) -> Result<Option<i64>> {
    let sql = "SELECT 1 FROM record WHERE pack = ?1 AND answers = 1 LIMIT 1 OFFSET ?2";
    let mut statement = connection.prepare(sql)?;
    if !statement.exists(params![pack, i64::try_from(most).unwrap_or(i64::MAX)])? {
        return Ok(None);
    }
    let last = "SELECT MAX(id) FROM record";
    Ok(Some(connection.query_row(last, [], |row| row.get(0))?))
}

/// Tools and arguments of recorded calls at these places.
///
/// Without `last`, places count all calls of the pack in the order of their ids. With `last`, the
/// places are mapped to ids that are spread evenly up to it, and ids without a matching record are
/// skipped.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn some_calls(
    connection: &Connection,
    pack: i64,
    last: Option<i64>,
    places: Range<usize>,
) -> Result<Vec<(String, String)>> {
    let call = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let Some(last) = last else {
        let sql =
            "SELECT tool, args FROM record WHERE pack = ?1 AND answers = 1 ORDER BY id LIMIT ?2 OFFSET ?3";
        let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let calls = connection
            .prepare(sql)?
            .query_map(params![pack, number(places.len()), number(places.start)], call)?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        return Ok(calls);
    };
    let sql = "SELECT tool, args FROM record WHERE id = ?1 AND pack = ?2 AND answers = 1";
    let mut statement = connection.prepare(sql)?;
    let mut calls = Vec::with_capacity(places.len());
    for place in places {
        // Multiples of the golden ratio, modulo 1, are spread evenly for any number of them.
        let part = (place as f64 * 0.618_033_988_749_895).fract();
        let id = (part * last as f64) as i64 + 1;
        let mut rows = statement.query(params![id, pack])?;
        if let Some(row) = rows.next()? {
            calls.push(call(row)?);
        }
    }
    Ok(calls)
}

/// Arguments, as canonical JSON texts, of all calls to a tool that the pack answers.
pub(crate) fn answered_args(connection: &Connection, pack: i64, tool: &str) -> Result<Vec<String>> {
    let sql = "SELECT args FROM record WHERE pack = ?1 AND tool = ?2 AND answers = 1 ORDER BY args";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![pack, tool], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Record that answers a call.
pub(crate) fn find(connection: &Connection, pack: i64, tool: &str, args: &str) -> Result<Option<RecordRow>> {
    let sql = "SELECT tool, args, published_key, standing, sha256, created_at, input_params, raw_args, original, data
               FROM record WHERE pack = ?1 AND tool = ?2 AND args = ?3 AND answers = 1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![pack, tool, args])?;
    rows.next()?.map(read).transpose()
}

fn read(row: &Row<'_>) -> Result<RecordRow> {
    let standing: String = row.get(3)?;
    Ok(RecordRow {
        tool: row.get(0)?,
        args: row.get(1)?,
        published_key: row.get(2)?,
        standing: match standing.as_str() {
            "current" => Standing::Current,
            "orphan" => Standing::Orphan,
            _ => Standing::Stale,
        },
        sha256: row.get(4)?,
        created_at: row.get(5)?,
        input_params: row.get(6)?,
        raw_args: row.get(7)?,
        original: match row.get_ref(8)? {
            ValueRef::Null => None,
            value => Some(unpack_text(value)?),
        },
        data: unpack_text(row.get_ref(9)?)?,
    })
}
