//! Finds the report that the user means. Every command on a report also accepts the names of its
//! run.

use crate::Library;
use koab_core::nearest::nearest;
use koab_core::say;
use koab_store::report_files;
use koab_store::runs::{self, RunEntry};
use koab_workspace::WireError;

impl Library {
    /// Returns the id of the report that a word names, see [`Library::report_meant`].
    ///
    /// # Errors
    /// When the word does not name a report.
    pub fn report_id(&self, word: &str) -> Result<String, WireError> {
        Ok(self.report_meant(word)?.0)
    }

    /// Returns the report that a word names, and its run if the word names a run. The word is the
    /// id of a report, or the id or folder of a run, or `last`.
    ///
    /// # Errors
    /// When there is no such report or run, or the run has no report.
    pub fn report_meant(&self, word: &str) -> Result<(String, Option<RunEntry>), WireError> {
        let reports = self.workspace.home().reports();
        if report_files::is_name(word) && reports.join(word).is_dir() {
            return Ok((word.to_owned(), None));
        }
        let entry = match runs::find(&self.workspace.home().logs(), word) {
            Ok(entry) => entry,
            Err(error) if word == runs::LAST => return Err(error.into()),
            // A published report may be here without its run, and still be found by the run's name.
            Err(_) => {
                let id = self.report_show(word)?.map(|view| view.id);
                let id = id.filter(|id| reports.join(id).is_dir());
                return id.map(|id| (id, None)).ok_or_else(|| neither_but_similar(self, word));
            }
        };
        let report = match self.report_show(&entry.id)? {
            Some(view) => Some(view.id),
            // Only a narrower report, for example a corrected or sampled one. It is shown with its
            // caveats.
            None => self
                .reports_library()?
                .into_iter()
                .find(|row| row.run.as_deref() == Some(entry.id.as_str()))
                .map(|row| row.id),
        };
        let run = &entry.id;
        let report = report.ok_or_else(|| {
            WireError::not_found(say!("run {run} has no report yet; score it with `koab score {run}`"))
        })?;
        Ok((report, Some(entry)))
    }
}

/// Error for a word that names neither a run nor a report. It has the most similar names.
fn neither_but_similar(library: &Library, word: &str) -> WireError {
    let reports = library.reports_library().unwrap_or_default().into_iter().map(|row| row.id);
    let runs = runs::list(&library.workspace.home().logs()).unwrap_or_default();
    let names: Vec<String> = reports.chain(runs.into_iter().map(|entry| entry.id)).collect();
    let similar = nearest(word, names.iter().map(String::as_str)).join(", ");
    if similar.is_empty() {
        return neither(word);
    }
    WireError::not_found(say!("there is neither a run nor a report `{word}`; did you mean {similar}?"))
}

/// Error message for a word that names neither a run nor a report.
pub fn neither(word: &str) -> WireError {
    WireError::not_found(say!(
        "there is neither a run nor a report `{word}`; `koab runs list` and `koab report list` show those there are"
    ))
}
