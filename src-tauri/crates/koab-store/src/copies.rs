//! Copies of the database for workers on other machines, which cannot share one database.

use crate::db::Store;
use crate::error::{Error, Result};
use crate::table;
use rusqlite::Connection;
use std::path::Path;

/// Tables with the user's own data: settings, drafts, verdicts, reports, remarks, spending.
const OWN: [&str; 14] = [
    "setting",
    "draft_item",
    "draft",
    "overlay",
    "judge_queue_answer",
    "judge_queue",
    "verdict",
    "verdict_failure",
    "verdict_override",
    "spending",
    "task_flag",
    "run_remark",
    "report_remark",
    "report",
];

impl Store {
    /// Writes a copy with packs, recordings and snapshots but without the user's own data, for
    /// workers on other machines.
    ///
    /// # Errors
    /// When the database cannot be read or the disk refuses. The previous file stays.
    pub fn copy_packs(&self, to: &Path) -> Result<()> {
        self.copy_without(to, &OWN)
    }

    /// Writes a copy as [`Store::copy_packs`] does, plus human overrides and the name of the active
    /// pack. It is for the worker that merges the judges' answers of all shards and scores the run.
    ///
    /// # Errors
    /// See [`Store::copy_packs`].
    pub fn copy_for_scoring(&self, to: &Path) -> Result<()> {
        let own: Vec<&str> = OWN.into_iter().filter(|table| *table != "verdict_override").collect();
        self.copy_without(to, &own)?;
        let active = self.active_pack()?;
        let copy = Connection::open(to)?;
        table::setting::set(&copy, table::setting::ACTIVE_PACK, active.as_deref())?;
        copy.close().map_err(|(_, error)| error.into())
    }

    fn copy_without(&self, to: &Path, own: &[&str]) -> Result<()> {
        let folder = to.parent().unwrap_or(Path::new("."));
        let part = tempfile::Builder::new()
            .prefix(".koab-")
            .tempdir_in(folder)
            .map_err(|error| Error::io("write", to, &error))?;
        let path = part.path().join("packs.sqlite");
        self.reader()?.execute("VACUUM INTO ?1", [path.to_string_lossy()])?;
        let copy = Connection::open(&path)?;
        copy.pragma_update(None, "journal_mode", "delete")?;
        for table in own {
            copy.execute(&format!("DELETE FROM {table}"), [])?;
        }
        copy.execute("VACUUM", [])?;
        copy.close().map_err(|(_, error)| error)?;
        std::fs::rename(&path, to).map_err(|error| Error::io("write", to, &error))
    }
}
