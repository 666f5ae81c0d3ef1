//! Opens `koab.sqlite`: one file for packs, cached responses, settings and verdicts.
//!
//! All writes use the one connection inside [`Store`]. Each run reads through its own connection
//! ([`crate::PackCache`]), so a long import never makes a run wait.

use crate::error::{Error, Result};
use crate::{migrate, table};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The database of a workspace.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Store {
    /// Opens the database at `path`. Creates the file and its folder when they are missing.
    ///
    /// # Errors
    /// When the disk refuses, the file is not a database, or a newer version wrote it.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
        }
        let start = Instant::now();
        let mut connection = loop {
            match connect(path) {
                // Two processes that create a new file at once wait for each other, and SQLite
                // refuses one of them immediately.
                Err(error) if is_busy(&error) && start.elapsed() < BUSY_TIMEOUT => {
                    std::thread::sleep(BUSY_TIMEOUT / 500)
                }
                connected => break connected?,
            }
        };
        migrate::migrate(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection), path: path.to_owned() })
    }

    /// Path of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Value of a setting, such as the active pack.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn setting(&self, name: &str) -> Result<Option<String>> {
        table::setting::get(&self.lock(), name)
    }

    /// Stores the value of a setting. `None` deletes it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn set_setting(&self, name: &str, value: Option<&str>) -> Result<()> {
        table::setting::set(&self.lock(), name, value)
    }

    /// Locks the connection that writes. If an earlier holder panicked, at most a transaction is
    /// open, and SQLite rolls it back.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a second connection that writes, for long transactions.
    pub(crate) fn writer(&self) -> Result<Connection> {
        let connection = Connection::open(&self.path)?;
        prepare(&connection)?;
        Ok(connection)
    }

    /// Opens a read-only connection.
    pub(crate) fn reader(&self) -> Result<Connection> {
        let connection = Connection::open_with_flags(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        prepare(&connection)?;
        Ok(connection)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    // Records have a few kilobytes each, so larger pages mean fewer pages per look-up. The setting
    // takes effect only in a new file.
    connection.pragma_update(None, "page_size", 8192)?;
    prepare(&connection)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    Ok(connection)
}

/// Truncates the write-ahead log before a connection is closed. Does nothing while another
/// connection reads.
pub(crate) fn give_space_back(connection: &Connection) {
    let _ = connection.busy_timeout(Duration::ZERO);
    let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // With a write-ahead log a crash of the program loses no commit. Only a crash of the machine
    // can.
    connection.pragma_update(None, "synchronous", "normal")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_made_opened_again_and_shared() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/koab.sqlite");
        let first = Store::open(&path).expect("made");
        first.set_setting("active_pack", Some("가")).expect("set");
        let second = Store::open(&path).expect("opened beside the first");
        assert_eq!(second.setting("active_pack").expect("read").as_deref(), Some("가"));
        second.set_setting("active_pack", None).expect("forgotten");
        assert_eq!(first.setting("active_pack").expect("read"), None);
    }

    #[test]
    fn a_file_that_is_no_database_is_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("koab.sqlite");
        std::fs::write(
            &path,
            "{\"this\": \"is not a database, although it is long enough to look like one\"}".repeat(99),
        )
        .expect("written");
        let error = Store::open(&path).expect_err("no database").to_string();
        insta::assert_snapshot!(error, @"koab.sqlite is damaged; move it away and import the packs again (runs and reports are kept)");
    }
}
