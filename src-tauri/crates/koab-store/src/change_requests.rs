//! Requests of other processes to change a running run: files in the folder `changes` of the run's
//! folder.
//!
//! Each file has one writer and is put in place by one rename, since folders that many machines see
//! have no reliable locks. `<id>.json` is a request, and `<id>.answer.json` is the answer of the
//! process that makes the run. The process that asked removes both. The record of a change is in
//! the run's journal.

use crate::error::{Error, Result};
use crate::{atomic, folder, json_file};
use koab_core::run_record::{ChangeRecord, RunChange};
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the folder of requests in a run's folder.
pub const CHANGES: &str = "changes";
/// End of the name of a request's file.
const REQUEST: &str = ".json";
/// End of the name of an answer's file.
const ANSWER: &str = ".answer.json";

/// A request to change a running run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangeFile {
    /// The changes: all are made, or none.
    pub changes: Vec<RunChange>,
}

/// Answer of the process that makes the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeAnswer {
    /// The changes that were made.
    Made(Vec<ChangeRecord>),
    /// Reason why no change was made.
    Refused(Sentence),
}

/// Writes a request. `id` is a new name that is a valid part of a path.
///
/// # Errors
/// When the disk refuses.
pub fn ask(run: &Path, id: &str, changes: &[RunChange]) -> Result<()> {
    let folder = run.join(CHANGES);
    fs::create_dir_all(&folder).map_err(|error| Error::io("create", &folder, &error))?;
    write(&path(run, id, REQUEST), &ChangeFile { changes: changes.to_vec() })
}

/// Requests without an answer, in the order of their ids. A request that cannot be read has the
/// reason.
///
/// # Errors
/// When the folder exists and cannot be read.
pub fn pending(run: &Path) -> Result<Vec<(String, Result<ChangeFile>)>> {
    let names = folder::entries(&run.join(CHANGES))?.into_iter();
    let names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let with_answer: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(ANSWER)).collect();
    let requests = names.iter().filter(|name| !name.ends_with(ANSWER));
    let mut ids: Vec<&str> = requests.filter_map(|name| name.strip_suffix(REQUEST)).collect();
    ids.retain(|id| !with_answer.contains(id));
    ids.sort_unstable();
    let read = |id: &str| (id.to_owned(), json_file::read_json(&path(run, id, REQUEST)));
    Ok(ids.into_iter().map(read).collect())
}

/// Answers a request.
///
/// # Errors
/// When the disk refuses.
pub fn answer(run: &Path, id: &str, answer: &ChangeAnswer) -> Result<()> {
    write(&path(run, id, ANSWER), answer)
}

/// The answer to a request, if there is one.
///
/// # Errors
/// When the answer exists and cannot be read.
pub fn answered(run: &Path, id: &str) -> Result<Option<ChangeAnswer>> {
    let path = path(run, id, ANSWER);
    if path.is_file() { json_file::read_json(&path).map(Some) } else { Ok(None) }
}

/// Removes a request and its answer.
///
/// # Errors
/// When the disk refuses.
pub fn forget(run: &Path, id: &str) -> Result<()> {
    for end in [REQUEST, ANSWER] {
        let path = path(run, id, end);
        if_there(fs::remove_file(&path)).map_err(|error| Error::io("remove", &path, &error))?;
    }
    // Fails while there are other requests.
    let _ = fs::remove_dir(run.join(CHANGES));
    Ok(())
}

/// Removes answered requests that the process which asked has not removed.
///
/// # Errors
/// When the folder cannot be read, or the disk refuses.
pub fn tidy(run: &Path) -> Result<()> {
    for entry in folder::entries(&run.join(CHANGES))? {
        let name = entry.file_name();
        if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(ANSWER)) {
            forget(run, id)?;
        }
    }
    Ok(())
}

fn path(run: &Path, id: &str, end: &str) -> PathBuf {
    run.join(CHANGES).join(format!("{id}{end}"))
}

fn write(path: &Path, content: &impl Serialize) -> Result<()> {
    let text = serde_json::to_vec(content).map_err(|error| Error::io("write", path, &error.into()))?;
    atomic::write(path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::say;

    #[test]
    fn a_request_is_pending_until_it_is_answered_and_gone_when_it_is_forgotten() {
        let run = tempfile::tempdir().expect("a folder");
        let run = run.path();
        assert!(pending(run).expect("no folder is no request").is_empty());
        let changes = [RunChange::Concurrency { to: 4, from: None }];
        ask(run, "b", &changes).expect("written");
        ask(run, "a", &changes).expect("written");
        fs::write(run.join(CHANGES).join("c.json"), "{").expect("written");
        let ids = |run: &Path| {
            let all = pending(run).expect("read").into_iter();
            all.map(|(id, request)| (id, request.is_ok())).collect::<Vec<_>>()
        };
        let named = |id: &str, is_read| (id.to_owned(), is_read);
        assert_eq!(ids(run), [named("a", true), named("b", true), named("c", false)]);
        assert_eq!(answered(run, "a").expect("none yet"), None);
        let refused = ChangeAnswer::Refused(say!("the run has no task {task}", task = "L9"));
        answer(run, "a", &refused).expect("written");
        assert_eq!(answered(run, "a").expect("read"), Some(refused));
        forget(run, "a").expect("removed");
        assert_eq!(ids(run), [named("b", true), named("c", false)]);
        answer(run, "c", &ChangeAnswer::Made(Vec::new())).expect("written");
        tidy(run).expect("removed");
        assert_eq!(ids(run), [named("b", true)]);
        forget(run, "b").expect("removed");
        tidy(run).expect("nothing is there");
        assert!(!run.join(CHANGES).exists());
    }
}
