//! Files of the sweeps that were started on the command line or in the window. They are in the
//! folder `sweeps/`, and each is named by the hash of its content.
//!
//! Caps and concurrency are not part of the hash, so a sweep with a higher budget is the same
//! sweep.

use super::Sweep;
use super::file::SweepFile;
use crate::Compare;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_engine::files::if_there;
use koab_store::atomic;
use koab_workspace::WireError;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

/// Number of hex digits of a sweep's id.
const DIGITS: usize = 16;

/// A sweep that was started.
pub(super) struct SweepEntry {
    pub(super) id: String,
    /// Time of the sweep's last start, in milliseconds since the Unix epoch.
    pub(super) begun_ms: u64,
    pub(super) file: Result<SweepFile, WireError>,
}

impl Compare {
    pub(super) fn sweeps_folder(&self) -> PathBuf {
        self.workspace.home().path().join("sweeps")
    }

    /// Stores the sweep's file and returns its id.
    pub(super) fn keep_sweep(&self, sweep: &Sweep) -> Result<String, WireError> {
        let file = self.to_keep(&sweep.file)?;
        let id = id(&file)?;
        let path = self.sweeps_folder().join(format!("{id}.toml"));
        atomic::write(&path, file.text()?.as_bytes())?;
        Ok(id)
    }

    /// Id of the sweep that a file describes; `None` if the sweep was never started.
    pub(super) fn begun_id(&self, file: &SweepFile) -> Result<Option<String>, WireError> {
        let id = id(&self.to_keep(file)?)?;
        let is_begun = self.sweep_file(&id)?.is_file();
        Ok(is_begun.then_some(id))
    }

    /// The sweep's file as it is stored: with all texts and the name of the pack, and without
    /// secrets.
    fn to_keep(&self, file: &SweepFile) -> Result<SweepFile, WireError> {
        let mut file = file.whole()?.without_secrets();
        // The active pack may change later.
        if file.packs.is_none() {
            file.packs = Some(vec![self.workspace.pack_name(None)?]);
        }
        Ok(file)
    }

    /// Sweeps that were started, newest first.
    pub(super) fn kept_sweeps(&self) -> Result<Vec<SweepEntry>, WireError> {
        let entries = if_there(std::fs::read_dir(self.sweeps_folder())).map_err(WireError::internal)?;
        let entries = entries.into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name());
        let ids = names.filter_map(|name| Some(name.to_str()?.strip_suffix(".toml")?.to_owned()));
        let mut sweeps: Vec<SweepEntry> =
            ids.filter(|id| is_id(id)).filter_map(|id| self.kept_sweep(&id).ok()).collect();
        sweeps.sort_by(|one, other| (other.begun_ms, &other.id).cmp(&(one.begun_ms, &one.id)));
        Ok(sweeps)
    }

    /// The started sweep that has this id.
    pub(super) fn kept_sweep(&self, id: &str) -> Result<SweepEntry, WireError> {
        let path = self.sweep_file(id)?;
        let missing = || WireError::not_found(say!("there is no sweep {id}"));
        let modified = path.metadata().and_then(|about| about.modified()).map_err(|_| missing())?;
        let since_epoch = modified.duration_since(UNIX_EPOCH);
        Ok(SweepEntry {
            id: id.to_owned(),
            begun_ms: since_epoch.map_or(0, |since| since.as_millis() as u64),
            file: SweepFile::read(&path),
        })
    }

    /// Path of a sweep's file.
    pub(super) fn sweep_file(&self, id: &str) -> Result<PathBuf, WireError> {
        if !is_id(id) {
            return Err(WireError::not_found(say!("there is no sweep {id}")));
        }
        Ok(self.sweeps_folder().join(format!("{id}.toml")))
    }
}

fn is_id(id: &str) -> bool {
    id.len() == DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn id(file: &SweepFile) -> Result<String, WireError> {
    let decides = SweepFile { concurrency: None, max_cost: None, max_total_tokens: None, ..file.clone() };
    Ok(sha256_hex(&decides.text()?)[..DIGITS].to_owned())
}
