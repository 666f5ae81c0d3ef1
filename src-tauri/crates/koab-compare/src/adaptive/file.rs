//! Results of adaptive runs: one file per run in the folder `adaptive/`, rewritten after each new
//! result.
//!
//! The command line and the window share this folder.

use super::{Adaptive, AdaptiveSummary};
use crate::Compare;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_engine::files::if_there;
use koab_engine::ports::Clock as _;
use koab_library::options::JudgeChoice;
use koab_store::atomic;
use koab_workspace::WireError;
use koab_workspace::clock::SystemClock;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// An adaptive run with its results so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveView {
    /// Id of the adaptive run.
    pub id: String,
    /// Start time in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub begun_ms: u64,
    /// Whether the adaptive run has ended. A run that has not ended and is not `is_here` belongs to
    /// another process or was interrupted.
    pub is_over: bool,
    /// Whether the adaptive run is a job of this process. Set when adaptive runs are listed; always
    /// false in the file.
    #[serde(default)]
    pub is_here: bool,
    /// Rules that the attempts are scored by.
    pub scorer: Protocol,
    /// Judge models; empty without judges.
    pub judges: Vec<String>,
    /// Number of tasks that the adaptive run was expected to need.
    pub expected: usize,
    /// Results so far, with the ids of the runs.
    pub found: AdaptiveSummary,
}

/// The file of an adaptive run that is under way.
pub(super) struct AdaptiveFile {
    path: PathBuf,
    pub(super) view: AdaptiveView,
}

impl AdaptiveFile {
    /// Writes the results so far to the file.
    pub(super) fn so_far(&mut self, summary: &AdaptiveSummary) -> Result<(), WireError> {
        self.view.found = summary.clone();
        let summary = &mut self.view.found;
        let of_tasks = summary.tasks.iter_mut().map(|task| &mut task.run);
        for run in summary.runs.iter_mut().chain(of_tasks) {
            *run = id_of(run);
        }
        self.write_again()
    }

    /// Marks the run as ended and writes its results, or the error that ended it.
    pub(super) fn end(&mut self, played: &Result<AdaptiveSummary, WireError>) -> Result<(), WireError> {
        self.view.is_over = true;
        match played {
            Ok(summary) => self.so_far(summary),
            Err(error) => {
                self.view.found.stopped = Some(error.message.clone());
                self.write_again()
            }
        }
    }

    /// Rewrites the file, unless another process has removed it in the meantime.
    fn write_again(&self) -> Result<(), WireError> {
        match self.path.try_exists() {
            Ok(false) => Ok(()),
            // A file that cannot be checked cannot be written either, and the write reports that.
            Ok(true) | Err(_) => self.write(),
        }
    }

    fn write(&self) -> Result<(), WireError> {
        let text = serde_json::to_vec_pretty(&self.view).map_err(WireError::internal)?;
        Ok(atomic::write(&self.path, &text)?)
    }
}

impl Compare {
    pub(super) fn adaptive_folder(&self) -> PathBuf {
        self.workspace.home().path().join("adaptive")
    }

    /// Creates the file of a new adaptive run.
    pub(super) fn begin_adaptive(&self, adaptive: &Adaptive) -> Result<AdaptiveFile, WireError> {
        let folder = self.adaptive_folder();
        std::fs::create_dir_all(&folder).map_err(WireError::storage)?;
        let begun_ms = SystemClock.now_ms();
        let id = take_id(&folder, begun_ms)?.to_string();
        let request = &adaptive.request;
        let file = AdaptiveFile {
            path: folder.join(format!("{id}.json")),
            view: AdaptiveView {
                id,
                begun_ms,
                is_over: false,
                is_here: false,
                scorer: request.run.settings.protocol,
                judges: match &request.judges {
                    JudgeChoice::Models { ids, .. } => ids.clone(),
                    _ => Vec::new(),
                },
                expected: adaptive.outlook().expected,
                found: adaptive.before(adaptive.plan.so_far(&vec![None; adaptive.bank.tasks.len()])),
            },
        };
        // Nothing was written, so the reserved id is released.
        if let Err(error) = file.write() {
            let _ = std::fs::remove_file(&file.path);
            return Err(error);
        }
        Ok(file)
    }

    /// All adaptive runs that have a file, newest first.
    ///
    /// # Errors
    /// When the folder or one of its files cannot be read.
    pub(super) fn kept_adaptive(&self) -> Result<Vec<AdaptiveView>, WireError> {
        let entries = if_there(std::fs::read_dir(self.adaptive_folder())).map_err(WireError::storage)?;
        let mut views = Vec::new();
        for entry in entries.into_iter().flatten() {
            let path = entry.map_err(WireError::storage)?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                views.extend(read(&path)?);
            }
        }
        views.sort_by(|one, other| (other.begun_ms, &other.id).cmp(&(one.begun_ms, &one.id)));
        Ok(views)
    }

    /// One adaptive run with the path of its file.
    pub(super) fn adaptive_of(&self, id: &str) -> Result<(AdaptiveView, PathBuf), WireError> {
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let path = self.adaptive_folder().join(format!("{id}.json"));
        let view = if is_id { read(&path)? } else { None };
        view.map(|view| (view, path))
            .ok_or_else(|| WireError::not_found(say!("there is no adaptive run {id}")))
    }
}

/// Reserves the first free id that is at least `first`, by creating its file. Two processes that
/// start at the same moment get different ids.
fn take_id(folder: &Path, first: u64) -> Result<u64, WireError> {
    let mut id = first;
    loop {
        match File::create_new(folder.join(format!("{id}.json"))) {
            Ok(_) => return Ok(id),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => id += 1,
            Err(error) => return Err(WireError::storage(error)),
        }
    }
}

/// Reads an adaptive run. `None` when there is no file, or when the file is empty because its id
/// was reserved and not used.
///
/// # Errors
/// When the file cannot be read or has other content.
fn read(path: &Path) -> Result<Option<AdaptiveView>, WireError> {
    let text = if_there(std::fs::read(path)).map_err(|error| WireError::unreadable(path, error))?;
    match text.filter(|text| !text.is_empty()) {
        Some(text) => serde_json::from_slice(&text).map_err(|error| WireError::damaged(path, &error)),
        None => Ok(None),
    }
}

/// Id of a run, formed from the name of its model's folder and of its own folder. The id stays the
/// same when the workspace is moved.
pub(super) fn id_of(folder: &str) -> String {
    let parts: Vec<&str> = folder.rsplit(['/', '\\']).take(2).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::take_id;
    use std::collections::BTreeSet;

    #[test]
    fn those_that_begin_in_one_moment_have_ids_of_their_own() {
        const EACH: usize = 40;
        let folder = tempfile::tempdir().unwrap();
        let ids = std::thread::scope(|scope| {
            let take = || -> Vec<u64> { (0..EACH).map(|_| take_id(folder.path(), 7).unwrap()).collect() };
            let takers = [scope.spawn(take), scope.spawn(take)];
            takers.map(|taker| taker.join().unwrap()).concat()
        });
        let distinct: BTreeSet<u64> = ids.iter().copied().collect();
        assert_eq!((ids.len(), distinct.len()), (2 * EACH, 2 * EACH));
    }
}
