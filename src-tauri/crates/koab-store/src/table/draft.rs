//! Tables of drafts, and of their tasks, tools and cached responses.

use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE draft (
        name       TEXT PRIMARY KEY,            -- of the pack that it becomes
        revision   INTEGER NOT NULL,            -- rises with every change
        base       TEXT,                        -- label of the installed pack that it goes on from
        head       TEXT NOT NULL,               -- DraftHead as JSON
        prompts    TEXT NOT NULL,               -- the judge prompts, YAML
        changed_at TEXT NOT NULL                -- UTC, ISO 8601
    ) WITHOUT ROWID;
    CREATE TABLE draft_item (
        id      INTEGER PRIMARY KEY,
        draft   TEXT NOT NULL REFERENCES draft (name) ON DELETE CASCADE,
        kind    TEXT NOT NULL,                  -- task, tool or record
        level   TEXT,                           -- of a task
        place   REAL NOT NULL,                  -- the order within the kind
        removed INTEGER NOT NULL DEFAULT 0,     -- 1: taken away, and can come back until the draft is saved
        content TEXT NOT NULL                   -- as it was written; need not be JSON
    );
    CREATE INDEX draft_items ON draft_item (draft, kind, place);
";

/// A row of `draft`.
#[derive(Clone, Debug)]
pub(crate) struct DraftRow {
    pub(crate) name: String,
    pub(crate) revision: i64,
    pub(crate) base: Option<String>,
    pub(crate) head: String,
    pub(crate) prompts: String,
    pub(crate) changed_at: String,
}

/// A row of `draft_item`.
#[derive(Clone, Debug)]
pub(crate) struct ItemRow {
    pub(crate) id: i64,
    pub(crate) kind: String,
    pub(crate) level: Option<String>,
    pub(crate) place: f64,
    pub(crate) content: String,
}

const COLUMNS: &str = "name, revision, base, head, prompts, changed_at";
const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

fn read(row: &Row<'_>) -> rusqlite::Result<DraftRow> {
    Ok(DraftRow {
        name: row.get(0)?,
        revision: row.get(1)?,
        base: row.get(2)?,
        head: row.get(3)?,
        prompts: row.get(4)?,
        changed_at: row.get(5)?,
    })
}

pub(crate) fn all(connection: &Connection) -> Result<Vec<DraftRow>> {
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM draft ORDER BY name"))?;
    let rows = statement.query_map([], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn find(connection: &Connection, name: &str) -> Result<Option<DraftRow>> {
    let sql = format!("SELECT {COLUMNS} FROM draft WHERE name = ?1");
    Ok(connection.query_row(&sql, [name], read).optional()?)
}

pub(crate) fn insert(
    connection: &Connection,
    name: &str,
    base: Option<&str>,
    head: &str,
    prompts: &str,
) -> Result<()> {
    let sql = format!("INSERT INTO draft VALUES (?1, 1, ?2, ?3, ?4, {NOW})");
    connection.execute(&sql, params![name, base, head, prompts])?;
    Ok(())
}

/// Increases the revision if it is still `seen`. Returns whether it was increased.
pub(crate) fn raise(connection: &Connection, name: &str, seen: i64) -> Result<bool> {
    let sql = format!(
        "UPDATE draft SET revision = revision + 1, changed_at = {NOW} WHERE name = ?1 AND revision = ?2"
    );
    Ok(connection.execute(&sql, params![name, seen])? > 0)
}

pub(crate) fn set_head(connection: &Connection, name: &str, head: &str) -> Result<()> {
    connection.execute("UPDATE draft SET head = ?2 WHERE name = ?1", params![name, head])?;
    Ok(())
}

pub(crate) fn set_prompts(connection: &Connection, name: &str, prompts: &str) -> Result<()> {
    connection.execute("UPDATE draft SET prompts = ?2 WHERE name = ?1", params![name, prompts])?;
    Ok(())
}

pub(crate) fn set_base(connection: &Connection, name: &str, base: &str) -> Result<()> {
    connection.execute("UPDATE draft SET base = ?2 WHERE name = ?1", params![name, base])?;
    Ok(())
}

pub(crate) fn delete(connection: &Connection, name: &str) -> Result<bool> {
    Ok(connection.execute("DELETE FROM draft WHERE name = ?1", [name])? > 0)
}

/// Items of a draft without the removed ones, by kind and place.
pub(crate) fn items(connection: &Connection, draft: &str) -> Result<Vec<ItemRow>> {
    let sql = "SELECT id, kind, level, place, content FROM draft_item
               WHERE draft = ?1 AND removed = 0 ORDER BY kind, place, id";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([draft], item)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn item(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    Ok(ItemRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        level: row.get(2)?,
        place: row.get(3)?,
        content: row.get(4)?,
    })
}

/// Adds an item and returns its id. `kind` is `task`, `tool` or `record`, and `place` the sort key
/// within the kind.
pub(crate) fn add_item(
    connection: &Connection,
    draft: &str,
    kind: &str,
    level: Option<&str>,
    place: f64,
    content: &str,
) -> Result<i64> {
    let sql = "INSERT INTO draft_item (draft, kind, level, place, content) VALUES (?1, ?2, ?3, ?4, ?5)";
    connection.prepare_cached(sql)?.execute(params![draft, kind, level, place, content])?;
    Ok(connection.last_insert_rowid())
}

/// Changes the text of an item. Returns whether the item exists.
pub(crate) fn put_item(
    connection: &Connection,
    draft: &str,
    id: i64,
    level: Option<&str>,
    content: &str,
) -> Result<bool> {
    let sql = "UPDATE draft_item SET level = ?3, content = ?4 WHERE draft = ?1 AND id = ?2";
    Ok(connection.execute(sql, params![draft, id, level, content])? > 0)
}

pub(crate) fn set_removed(connection: &Connection, draft: &str, id: i64, removed: bool) -> Result<bool> {
    let sql = "UPDATE draft_item SET removed = ?3 WHERE draft = ?1 AND id = ?2";
    Ok(connection.execute(sql, params![draft, id, removed])? > 0)
}

pub(crate) fn set_place(connection: &Connection, id: i64, place: f64) -> Result<()> {
    connection.execute("UPDATE draft_item SET place = ?2 WHERE id = ?1", params![id, place])?;
    Ok(())
}

/// Deletes the removed items of a draft, and its responses that were written by hand. The saved
/// pack contains these responses now.
pub(crate) fn settle(connection: &Connection, draft: &str) -> Result<()> {
    let sql = "DELETE FROM draft_item WHERE draft = ?1 AND (removed = 1 OR kind = 'record')";
    connection.execute(sql, [draft])?;
    Ok(())
}
