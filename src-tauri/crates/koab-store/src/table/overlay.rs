//! Table of saved responses: answers of live APIs, stored next to a pack.

use crate::error::Result;
use rusqlite::{Connection, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE overlay (
        pack          TEXT NOT NULL,            -- name; the overlay outlives the pack's versions
        tool          TEXT NOT NULL,
        args          TEXT NOT NULL,            -- canonical JSON of the normalized arguments
        published_key TEXT NOT NULL,            -- under the catalog that the call was made with
        origin        TEXT NOT NULL,            -- who asked, such as a run
        created_at    TEXT NOT NULL,            -- UTC, as published records have it
        raw_args      TEXT NOT NULL,            -- as the model wrote them
        data          TEXT NOT NULL,            -- the answer as a model sees it, JSON
        PRIMARY KEY (pack, tool, args)
    ) WITHOUT ROWID;
";

/// A row of `overlay`, without its time.
pub(crate) struct OverlayRow<'a> {
    pub(crate) pack: &'a str,
    pub(crate) tool: &'a str,
    pub(crate) args: &'a str,
    pub(crate) published_key: &'a str,
    pub(crate) origin: &'a str,
    pub(crate) raw_args: &'a str,
    pub(crate) data: &'a str,
}

/// Stores an answer. When the same call was answered twice at once, the later answer counts.
pub(crate) fn put(connection: &Connection, row: &OverlayRow<'_>) -> Result<()> {
    // The database's clock has milliseconds, and the published form has six digits.
    let sql =
        "INSERT OR REPLACE INTO overlay (pack, tool, args, published_key, origin, created_at, raw_args, data)
               VALUES (?1, ?2, ?3, ?4, ?5, strftime('%Y-%m-%dT%H:%M:%f000', 'now'), ?6, ?7)";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![
        row.pack,
        row.tool,
        row.args,
        row.published_key,
        row.origin,
        row.raw_args,
        row.data
    ])?;
    Ok(())
}

/// Answer to a call. `parse` reads it in place, without a copy.
pub(crate) fn answer<T>(
    connection: &Connection,
    pack: &str,
    tool: &str,
    args: &str,
    parse: impl FnOnce(&[u8]) -> Result<T>,
) -> Result<Option<T>> {
    let sql = "SELECT data FROM overlay WHERE pack = ?1 AND tool = ?2 AND args = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![pack, tool, args])?;
    match rows.next()? {
        Some(row) => parse(row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?).map(Some),
        None => Ok(None),
    }
}

/// Saved responses of a pack without their content, by tool and arguments: tool, arguments, key,
/// origin, time.
pub(crate) fn list(connection: &Connection, pack: &str) -> Result<Vec<[String; 5]>> {
    let sql = "SELECT tool, args, published_key, origin, created_at FROM overlay WHERE pack = ?1 ORDER BY tool, args";
    let mut statement = connection.prepare(sql)?;
    let rows = statement
        .query_map([pack], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?]))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Deletes all saved responses of a pack. Returns their number.
pub(crate) fn clear(connection: &Connection, pack: &str) -> Result<usize> {
    Ok(connection.execute("DELETE FROM overlay WHERE pack = ?1", [pack])?)
}
