//! What adaptive runs found, whoever began them: a file each in `adaptive/`, written as more
//! becomes known.

use super::{Adaptive, AdaptiveSummary};
use crate::Compare;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_engine::files::if_there;
use koab_engine::ports::Clock as _;
use koab_runs::WireError;
use koab_runs::options::JudgeChoice;
use koab_store::atomic;
use koab_workspace::clock::SystemClock;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// An adaptive run with what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveView {
    /// Its id.
    pub id: String,
    /// When it began, milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub begun_ms: u64,
    /// Whether it has come to an end. One that has not and is not here is another process's, or was
    /// interrupted.
    pub is_over: bool,
    /// Whether it is a job of this process; known to whoever lists it, and in its file always
    /// false.
    #[serde(default)]
    pub is_here: bool,
    /// Rules that it scores by.
    pub scorer: Protocol,
    /// Who judges; none asks nobody.
    pub judges: Vec<String>,
    /// Tasks that it was expected to take.
    pub expected: usize,
    /// What is known by now; its runs by their ids.
    pub found: AdaptiveSummary,
}

/// The file of one that is under way.
pub(super) struct AdaptiveFile {
    path: PathBuf,
    pub(super) view: AdaptiveView,
}

impl AdaptiveFile {
    /// What is known by now.
    pub(super) fn so_far(&mut self, found: &AdaptiveSummary) -> Result<(), WireError> {
        self.view.found = found.clone();
        let found = &mut self.view.found;
        let of_tasks = found.tasks.iter_mut().map(|task| &mut task.run);
        for run in found.runs.iter_mut().chain(of_tasks) {
            *run = id_of(run);
        }
        self.write_again()
    }

    /// It has ended.
    pub(super) fn end(&mut self, played: &Result<AdaptiveSummary, WireError>) -> Result<(), WireError> {
        self.view.is_over = true;
        match played {
            Ok(found) => self.so_far(found),
            Err(error) => {
                self.view.found.stopped = Some(error.message.clone());
                self.write_again()
            }
        }
    }

    /// One that was taken out of the list meanwhile, by another process, stays out.
    fn write_again(&self) -> Result<(), WireError> {
        match self.path.try_exists() {
            Ok(false) => Ok(()),
            // What cannot be looked for cannot be written either, and that is said.
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

    /// Makes the file of one that begins.
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
                scorer: request.run.protocol,
                judges: match &request.judges {
                    JudgeChoice::Models { ids, .. } => ids.clone(),
                    _ => Vec::new(),
                },
                expected: adaptive.outlook().expected,
                found: adaptive.before(adaptive.plan.so_far(&vec![None; adaptive.bank.tasks.len()])),
            },
        };
        // An id that nothing is written of stays nobody's.
        if let Err(error) = file.write() {
            let _ = std::fs::remove_file(&file.path);
            return Err(error);
        }
        Ok(file)
    }

    /// Those that were begun, the newest first.
    ///
    /// # Errors
    /// When the folder or one of its files cannot be read.
    pub(super) fn kept_adaptive(&self) -> Result<Vec<AdaptiveView>, WireError> {
        let entries = if_there(std::fs::read_dir(self.adaptive_folder())).map_err(WireError::storage)?;
        let mut kept = Vec::new();
        for entry in entries.into_iter().flatten() {
            let path = entry.map_err(WireError::storage)?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                kept.extend(read(&path)?);
            }
        }
        kept.sort_by(|one, other| (other.begun_ms, &other.id).cmp(&(one.begun_ms, &one.id)));
        Ok(kept)
    }

    /// One of them, with its file.
    pub(super) fn adaptive_of(&self, id: &str) -> Result<(AdaptiveView, PathBuf), WireError> {
        let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let path = self.adaptive_folder().join(format!("{id}.json"));
        let kept = if is_id { read(&path)? } else { None };
        kept.map(|view| (view, path))
            .ok_or_else(|| WireError::not_found(say!("there is no adaptive run {id}")))
    }
}

/// Takes the first free id from this one on. Two may begin in one moment, in two processes: whoever
/// makes the file has it.
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

/// An adaptive run that is kept; `None` where there is no file, or an empty one: an id that was
/// taken and not used.
///
/// # Errors
/// When the file cannot be read, or holds anything else.
fn read(path: &Path) -> Result<Option<AdaptiveView>, WireError> {
    let text = if_there(std::fs::read(path)).map_err(|error| WireError::unreadable(path, error))?;
    match text.filter(|text| !text.is_empty()) {
        Some(text) => serde_json::from_slice(&text).map_err(|error| WireError::damaged(path, &error)),
        None => Ok(None),
    }
}

/// A run by its id, which stays when the workspace is moved: its model's folder and its own.
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
