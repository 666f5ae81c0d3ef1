//! A submission as one file: a bundle, which contains the evidence for its numbers. This module
//! writes and validates it.

use super::{disk, is_blocked};
use crate::Exchange;
use crate::bundle::{is_bundle, submission_in};
use crate::wire::{BundleExtra, BundleRequest, SubmissionCheck, SubmissionRequest, SubmissionSaved};
use koab_bundle::bundle::Check;
use koab_bundle::submission::{Objection, PREPARE_AGAIN, own_files};
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_report::comparability::FindingCode;
use koab_workspace::WireError;
use koab_workspace::paths::free_path;
use std::path::{Path, PathBuf};

impl Exchange {
    /// Writes the submission as a bundle.
    ///
    /// # Errors
    /// Every error of [`Exchange::submission_view`] and [`Exchange::bundle_write`].
    pub async fn submission_bundle(
        &self,
        request: SubmissionRequest,
        sign: bool,
        to: PathBuf,
        cancel: &Cancel,
    ) -> Result<SubmissionSaved, WireError> {
        let api = self.clone();
        let gather = move || {
            let prepared = api.submission_prepared(&request)?;
            let objections = api.objections_to(&prepared.files)?;
            Ok::<_, WireError>((prepared, objections))
        };
        let (prepared, objections) =
            tokio::task::spawn_blocking(gather).await.map_err(WireError::internal)??;
        let extra = own_files(&prepared.files).into_iter();
        let extra = extra.map(|(path, content)| BundleExtra { path, content }).collect();
        let bundle_request =
            BundleRequest { run: prepared.run_id, reports: vec![prepared.report_id.clone()], sign };
        let bundle = self.bundle_write(bundle_request, extra, to, cancel).await?;
        Ok(SubmissionSaved {
            place: bundle.path.display().to_string(),
            report: prepared.report_id,
            files: prepared.files.iter().count() as u32,
            bytes: bundle.bytes,
            blocked: is_blocked(&objections),
            objections,
        })
    }

    /// Writes the submission as a bundle with a new file name into a folder. The default folder is
    /// the workspace's folder for exports.
    ///
    /// # Errors
    /// Every error of [`Exchange::submission_bundle`].
    pub async fn submission_bundle_under(
        &self,
        request: SubmissionRequest,
        sign: bool,
        under: Option<PathBuf>,
    ) -> Result<SubmissionSaved, WireError> {
        let name = request.of.replace(['/', '\\'], "_");
        let to = match under {
            Some(folder) => free_path(&folder, &name, ".koab"),
            None => self.workspace.free_export(&name, ".koab"),
        };
        self.submission_bundle(request, sign, to, &Cancel::new()).await
    }

    /// Lists a maintainer's objections to a submission, which is a folder or a bundle. A bundle is
    /// also verified.
    ///
    /// # Errors
    /// When there is no submission at the path, or the submission cannot be read.
    pub async fn submission_validate(
        &self,
        place: PathBuf,
        cancel: &Cancel,
    ) -> Result<SubmissionCheck, WireError> {
        let mut objections = Vec::new();
        if place.is_file() {
            objections = self.unverified(&place, cancel).await?;
        }
        let api = self.clone();
        let check = move || {
            let files = match (place.is_file(), submission_in(&place)) {
                (true, Some(files)) => files,
                // A bundle that does not verify may not be readable at all.
                (true, None) if !objections.is_empty() => koab_bundle::submission::Files::new(),
                (true, None) => return Err(no_submission(&place)),
                (false, _) => disk::read(&place)?,
            };
            if files.iter().next().is_some() {
                objections.extend(api.objections_to(&files)?);
            }
            objections.sort_by_key(|objection| std::cmp::Reverse(objection.severity));
            Ok(SubmissionCheck {
                place: place.display().to_string(),
                files: files.iter().count() as u32,
                blocked: is_blocked(&objections),
                objections,
            })
        };
        tokio::task::spawn_blocking(check).await.map_err(WireError::internal)?
    }

    /// Objections that state why a bundle does not verify.
    async fn unverified(&self, place: &Path, cancel: &Cancel) -> Result<Vec<Objection>, WireError> {
        if !is_bundle(place) {
            return Err(WireError::bad_file(say!(
                "{} is neither a folder of a submission nor a bundle; `koab submit prepare` makes both",
                place.display()
            )));
        }
        let verification = self.bundle_verify(place.to_owned(), None, cancel).await?;
        let failed = verification.checks.into_iter().filter(Check::is_error);
        let objection = |check: Check| {
            let objection = Objection::new(FindingCode::Unverified, check.severity, check.sentence);
            let place = check.file.unwrap_or_else(|| verification.file.clone());
            objection.in_file(place).with_remedy(PREPARE_AGAIN)
        };
        Ok(failed.map(objection).collect())
    }
}

fn no_submission(place: &Path) -> WireError {
    WireError::not_found(say!(
        "{} is a bundle without a submission; make one with `koab submit prepare RUN -o FILE`",
        place.display()
    ))
}
