//! Finds the run that the user means.

use crate::Library;
use crate::reports::library::run_of;
use crate::reports::report_file::stored_view;
use koab_core::nearest::nearest;
use koab_core::say;
use koab_store::runs::{self, RunEntry};
use koab_store::{Error, report_files};
use koab_workspace::WireError;
use std::path::Path;

impl Library {
    /// Returns the run that a word names: the id or folder of a run, or `last`.
    ///
    /// # Errors
    /// When the run does not exist. If the word is the name of a report, the error names its run.
    pub fn run_meant(&self, word: &str) -> Result<RunEntry, WireError> {
        self.run_meant_in(&self.workspace.home().logs(), word)
    }

    /// Returns the run that a word names, among the runs below the folder `logs`.
    pub(crate) fn run_meant_in(&self, logs: &Path, word: &str) -> Result<RunEntry, WireError> {
        runs::find(logs, word).map_err(|error| match (&error, self.id_of_run_of(word)) {
            (Error::NotFound(_), Some(run)) => {
                WireError::not_found(say!("`{word}` is a report; name its run, {run}"))
            }
            (Error::NotFound(_), None) => similar_run(logs, word).unwrap_or_else(|| error.into()),
            _ => error.into(),
        })
    }

    /// Returns the id of the run that a report belongs to, by the name of the report.
    fn id_of_run_of(&self, word: &str) -> Option<String> {
        let folder = self.workspace.home().reports().join(word);
        let view = report_files::is_name(word).then(|| stored_view(&folder).ok())??;
        run_of(word, &view?)
    }
}

/// Error for a run that does not exist, with the most similar ids; `None` if no id is similar.
fn similar_run(logs: &Path, word: &str) -> Option<WireError> {
    if word == runs::LAST || word.starts_with("fork:") || Path::new(word).exists() {
        return None;
    }
    let entries = runs::list(logs).ok()?;
    let similar = nearest(word, entries.iter().map(|entry| entry.id.as_str())).join(", ");
    (!similar.is_empty()).then(|| {
        WireError::not_found(say!(
            "there is no run `{word}`; did you mean {similar}? `koab runs list` lists the runs"
        ))
    })
}
