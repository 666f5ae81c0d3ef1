//! Saved responses in a snapshot. They are copies, since the originals continue to change.

use crate::error::Result;
use rusqlite::{Connection, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE snapshot_answer (
        snapshot      INTEGER NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
        tool          TEXT NOT NULL,
        args          TEXT NOT NULL,            -- this and all that follow as in `overlay`
        published_key TEXT NOT NULL,
        origin        TEXT NOT NULL,
        created_at    TEXT NOT NULL,
        raw_args      TEXT NOT NULL,
        data          TEXT NOT NULL,
        PRIMARY KEY (snapshot, tool, args)
    ) WITHOUT ROWID;
";

/// Copies the saved responses of the pack `name` into a snapshot, except for calls that the pack's
/// own records answer. Returns their number.
pub(crate) fn copy_overlay(connection: &Connection, snapshot: i64, pack: i64, name: &str) -> Result<usize> {
    let sql = "INSERT INTO snapshot_answer (snapshot, tool, args, published_key, origin, created_at, raw_args, data)
               SELECT ?1, tool, args, published_key, origin, created_at, raw_args, data FROM overlay AS o
               WHERE pack = ?3 AND NOT EXISTS (
                   SELECT 1 FROM record AS r
                   WHERE r.pack = ?2 AND r.tool = o.tool AND r.args = o.args AND r.answers = 1
               )";
    Ok(connection.execute(sql, params![snapshot, pack, name])?)
}
