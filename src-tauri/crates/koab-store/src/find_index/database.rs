//! Opens the database of the index, and has its tables.

use crate::error::{Error, Result};
use koab_core::say;
use koab_engine::files::if_there;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

/// File of the index, in the folder of indexes.
pub(super) const FILE: &str = "find.sqlite";

/// Version of the tables and of their content. An index of another version is made again.
const VERSION: i64 = 1;

const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Tables of FTS5: triples of characters with their places, and shorter parts of texts.
const WORD_INDEXES: [&str; 2] = ["gram", "part"];

/// Memory for new parts of a word index before they are written, in bytes. With SQLite's 1 MiB a
/// first build writes many small parts and merges them again and again.
const PENDING_BYTES: u32 = 64 << 20;

const CREATE: &str = "
    CREATE TABLE run (
        id       INTEGER PRIMARY KEY,
        name     TEXT NOT NULL UNIQUE,   -- <model folder>/<date>
        stamp    TEXT NOT NULL,          -- state of its files
        date     TEXT NOT NULL,
        model    TEXT NOT NULL,
        pack     TEXT,                   -- name@version
        first    INTEGER NOT NULL,       -- id of its first attempt; the ids of a run are consecutive
        attempts INTEGER NOT NULL,
        facts    BLOB NOT NULL,          -- of all attempts, see attempts.rs
        problems TEXT NOT NULL           -- JSON: what could not be read of its files
    );
    CREATE TABLE word (                  -- names of tasks, levels, tools, arguments, ends
        id   INTEGER PRIMARY KEY,
        text TEXT NOT NULL UNIQUE
    );
    CREATE TABLE attempt (
        id     INTEGER PRIMARY KEY,
        places BLOB NOT NULL             -- of its texts, see places.rs
    );
    CREATE TABLE text (
        id   INTEGER PRIMARY KEY,
        hash BLOB NOT NULL UNIQUE,       -- half of SHA-256
        body NOT NULL                    -- text, or compressed
    );
    CREATE TABLE place (
        text    INTEGER NOT NULL,
        field   INTEGER NOT NULL,
        name    INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        PRIMARY KEY (text, field, name, attempt)
    ) WITHOUT ROWID;
    CREATE TABLE score (
        metric  TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        value   REAL NOT NULL,
        PRIMARY KEY (metric, attempt, value)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE gram USING fts5(
        body, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    );
    CREATE VIRTUAL TABLE part USING fts5(
        body, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
    );
";

/// Opens the index for reading; `None` when the file is missing or of another version.
pub(super) fn reader(path: &Path) -> Result<Option<Connection>> {
    if !path.is_file() {
        return Ok(None);
    }
    let open = || -> rusqlite::Result<Option<Connection>> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        Ok((version(&connection)? == VERSION).then_some(connection))
    };
    match open() {
        Err(error) if is_damaged(&error) => Ok(None),
        opened => opened.map_err(refused),
    }
}

/// Opens the index for writing, and makes it if the file is missing or of another version.
pub(super) fn writer(path: &Path) -> Result<Connection> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    }
    match open_writer(path) {
        Ok(Some(connection)) => return Ok(connection),
        Err(error) if !is_damaged(&error) => return Err(refused(error)),
        Ok(None) | Err(_) => {}
    }
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let file = Path::new(&name);
        if_there(std::fs::remove_file(file)).map_err(|error| Error::io("remove", file, &error))?;
    }
    let opened = open_writer(path).map_err(refused)?;
    opened.ok_or_else(|| {
        Error::Busy(say!(
            "another version of the program uses the index of the search; close that program and try again"
        ))
    })
}

/// Opens the index for writing; `None` when the file has another version.
fn open_writer(path: &Path) -> rusqlite::Result<Option<Connection>> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "page_size", 8192)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // After a crash of the machine the index may lack the last runs, which are then read again.
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "cache_size", -65536)?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    match version(&transaction)? {
        VERSION => {}
        0 => {
            transaction.execute_batch(CREATE)?;
            for table in WORD_INDEXES {
                let sql = format!("INSERT INTO {table}({table}, rank) VALUES ('hashsize', ?1)");
                transaction.execute(&sql, [PENDING_BYTES])?;
            }
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        _ => return Ok(None),
    }
    transaction.commit()?;
    Ok(Some(connection))
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn is_damaged(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Runs in the index, each with its stamp.
pub(super) fn runs(connection: &Connection) -> Result<BTreeMap<String, String>> {
    let read = || -> rusqlite::Result<BTreeMap<String, String>> {
        let mut statement = connection.prepare("SELECT name, stamp FROM run")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    };
    read().map_err(refused)
}

/// Merges the parts of the word indexes.
pub(super) fn compact(connection: &Connection) -> Result<()> {
    let merge = || -> rusqlite::Result<()> {
        for table in WORD_INDEXES {
            connection.execute(&format!("INSERT INTO {table}({table}) VALUES ('optimize')"), [])?;
        }
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    };
    merge().map_err(refused)
}

/// Error of the index.
pub(super) fn refused(error: impl Display) -> Error {
    Error::Disk(say!(
        "the index of the search could not be read or written: {error}; remove the file {FILE}, it is made again"
    ))
}

/// Error of a value that ends too early.
pub(super) fn unreadable(error: std::io::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, Box::new(error))
}
