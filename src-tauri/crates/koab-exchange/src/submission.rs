//! Submissions to the leaderboard's maintainers. This module gathers a run's files and writes a
//! folder, an archive or a bundle.
//!
//! `koab_bundle::submission` writes the other files of a submission and lists objections. A
//! person's statements about a model (names, licence, contact) are saved in the workspace by
//! report, so that the page and the command line use the same statements. Nothing is sent anywhere.

mod bundle;
mod disk;
mod gather;
mod statement;

use crate::Exchange;
use crate::wire::{SubmissionArchive, SubmissionRequest, SubmissionSaved, SubmissionView};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gather::{PreparedSubmission, no_summary};
use koab_bundle::submission::{Files, Objection, Submission, check, paths, row};
use koab_core::level::Level;
use koab_core::pack_identity::tasks_sha256;
use koab_core::sentence::ToSentence;
use koab_core::task::Task;
use koab_report::comparability::Comparability;
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::path::Path;

impl Exchange {
    /// Shows the submission of a run or report: row, texts, files and objections. The names in the
    /// request are saved for later submissions.
    ///
    /// # Errors
    /// When there is no such run or report, it has no logs or no `evaluation_report.json`, or a
    /// file cannot be read or written.
    pub fn submission_view(&self, request: &SubmissionRequest) -> Result<SubmissionView, WireError> {
        let prepared = self.submission_prepared(request)?;
        let objections = self.objections_to(&prepared.files)?;
        let summary = prepared.files.find(paths::REPORTS, paths::SUMMARY);
        let row = match summary {
            Some((path, bytes)) => {
                row(paths::parent(&path), &String::from_utf8_lossy(bytes), &prepared.submission.names)
                    .map_err(|error| WireError::bad_file(error.to_sentence()))?
            }
            None => return Err(no_summary(&prepared.report_id)),
        };
        let text = |path: &str| {
            let bytes = prepared.files.get(path).unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        let mut files = prepared.files.entries();
        if let Some(own) = prepared.files.get(paths::SUBMISSION) {
            files.push(koab_bundle::submission::entry(paths::SUBMISSION, own));
        }
        Ok(SubmissionView {
            report: prepared.report_id,
            run: prepared.run_id,
            model_id: prepared.submission.model_id.clone(),
            name: prepared.name,
            defaults: prepared.defaults,
            names: prepared.submission.names.clone(),
            header: row.header,
            cells: row.cells,
            blocked: is_blocked(&objections),
            objections,
            readme: text(paths::README),
            pull_request: text(paths::PULL_REQUEST),
            eval_results: prepared.files.get(paths::EVAL_RESULTS).map(|_| text(paths::EVAL_RESULTS)),
            files,
            comparability: Comparability::from_facts(prepared.submission.facts),
        })
    }

    /// Writes the submission into a folder, in the leaderboard's layout. An earlier submission in
    /// the folder is deleted.
    ///
    /// # Errors
    /// Every error of [`Exchange::submission_view`]. Also when the folder contains other files.
    pub fn submission_save(
        &self,
        request: &SubmissionRequest,
        folder: &Path,
    ) -> Result<SubmissionSaved, WireError> {
        self.save_submission(self.submission_prepared(request)?, folder)
    }

    /// Writes the submission into a new folder below `under`. The name of the folder is that of the
    /// submission.
    ///
    /// # Errors
    /// Every error of [`Exchange::submission_save`].
    pub fn submission_save_under(
        &self,
        request: &SubmissionRequest,
        under: &Path,
    ) -> Result<SubmissionSaved, WireError> {
        let prepared = self.submission_prepared(request)?;
        let folder = under.join(&prepared.name);
        self.save_submission(prepared, &folder)
    }

    fn save_submission(
        &self,
        prepared: PreparedSubmission,
        folder: &Path,
    ) -> Result<SubmissionSaved, WireError> {
        disk::write(folder, &prepared.files)?;
        let objections = self.objections_to(&prepared.files)?;
        Ok(SubmissionSaved {
            place: std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).display().to_string(),
            report: prepared.report_id,
            files: prepared.files.iter().count() as u32,
            bytes: prepared.files.iter().map(|(_, content)| content.len() as u64).sum(),
            blocked: is_blocked(&objections),
            objections,
        })
    }

    /// Packs the submission's folder as a ZIP archive.
    ///
    /// # Errors
    /// Every error of [`Exchange::submission_view`].
    pub fn submission_archive(&self, request: &SubmissionRequest) -> Result<SubmissionArchive, WireError> {
        let prepared = self.submission_prepared(request)?;
        let bytes = koab_store::export::zip_of(prepared.files.iter()).map_err(WireError::internal)?;
        Ok(SubmissionArchive { name: format!("{}.zip", prepared.name), base64: STANDARD.encode(bytes) })
    }

    /// Objections to a submission. Tasks are compared with the pack that the run names, if the pack
    /// is installed and unchanged.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub(crate) fn objections_to(&self, files: &Files) -> Result<Vec<Objection>, WireError> {
        // A missing or invalid submission.json is one of the objections.
        let submission =
            files.get(paths::SUBMISSION).and_then(|bytes| serde_json::from_slice::<Submission>(bytes).ok());
        let tasks = match &submission {
            Some(submission) => self.submission_tasks(submission)?,
            None => None,
        };
        Ok(check(files, tasks.as_ref()))
    }

    fn submission_tasks(
        &self,
        submission: &Submission,
    ) -> Result<Option<BTreeMap<Level, Vec<Task>>>, WireError> {
        let facts = &submission.facts;
        let (Some(pack), Some(hash)) = (&facts.pack.value, &facts.tasks_sha256.value) else {
            return Ok(None);
        };
        let pack = self.workspace.installed_pack(&pack.label())?;
        let same = pack.filter(|pack| *hash == tasks_sha256(&pack.tasks));
        Ok(same.map(|pack| pack.tasks))
    }

    fn submission_prepared(&self, request: &SubmissionRequest) -> Result<PreparedSubmission, WireError> {
        let (report, run) = self.runs.library.report_meant(&request.of)?;
        if let Some(names) = &request.names {
            self.keep_names(&report, names)?;
        }
        self.gather_submission(&report, run, request.language)
    }
}

fn is_blocked(objections: &[Objection]) -> bool {
    objections.iter().any(Objection::is_error)
}
