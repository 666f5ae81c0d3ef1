//! Which report a word of the user means: every command that is about a report takes its run's
//! names as well.

use crate::Library;
use crate::wire::WireError;
use koab_core::say;
use koab_store::report_files;
use koab_store::runs::{self, RunEntry};

impl Library {
    /// The id of the report that a word means, as [`Library::report_meant`] finds it.
    ///
    /// # Errors
    /// When there is none.
    pub fn report_id(&self, word: &str) -> Result<String, WireError> {
        Ok(self.report_meant(word)?.0)
    }

    /// The report that a word means, which may be the report's own name or its run's, by id, folder
    /// or `last`, and the run when that was named.
    ///
    /// # Errors
    /// When there is neither, or the run has no report.
    pub fn report_meant(&self, word: &str) -> Result<(String, Option<RunEntry>), WireError> {
        let reports = self.workspace.home().reports();
        if report_files::is_name(word) && reports.join(word).is_dir() {
            return Ok((word.to_owned(), None));
        }
        let found = match runs::find(&self.workspace.home().logs(), word) {
            Ok(found) => found,
            Err(error) if word == runs::LAST => return Err(error.into()),
            // A published report may be here without its run, by whose name it is known then.
            Err(_) => {
                let known = self.report_show(word)?.map(|view| view.id);
                let known = known.filter(|id| reports.join(id).is_dir());
                return known.map(|id| (id, None)).ok_or_else(|| neither(word));
            }
        };
        let report = match self.report_show(&found.id)? {
            Some(view) => Some(view.id),
            // Only a narrower one, such as a corrected or sampled report: it is shown with what
            // speaks against it.
            None => self
                .reports_library()?
                .into_iter()
                .find(|row| row.run.as_deref() == Some(found.id.as_str()))
                .map(|row| row.id),
        };
        let run = &found.id;
        let report = report.ok_or_else(|| {
            WireError::not_found(say!("run {run} has no report yet; score it with `koab evaluate {run}`"))
        })?;
        Ok((report, Some(found)))
    }
}

/// What is said of a word that names nothing.
pub fn neither(word: &str) -> WireError {
    WireError::not_found(say!(
        "there is neither a run nor a report `{word}`; `koab runs list` and `koab report list` show those there are"
    ))
}

#[cfg(test)]
mod tests;
