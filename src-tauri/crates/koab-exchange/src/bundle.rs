//! Bundles: files that contain everything that is needed to recompute the numbers of a run. This
//! module writes, verifies and imports bundles.
//!
//! `koab_bundle::bundle` defines a bundle's contents and the checks between them.
//! `koab_store::bundle_file` reads and writes the archive. This module gathers a run's files,
//! cached responses, verdicts and reports from the workspace. Verifying needs no workspace and
//! never reads from one. See `docs/design/submission.md`.

mod gather;
mod items;
mod reports;
mod secrets;
mod sign;
mod submission;
mod take_in;
mod verify;
mod write;

pub use submission::SubmissionFiles;
pub(crate) use submission::submission_in;
pub(crate) use take_in::{BundleFolder, take_out};
pub use verify::verify;

use crate::Exchange;
use crate::wire::{BundleExtra, BundleRequest, BundleWritten, SigningKey, Verification};
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_keys::KeyPlace;
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use koab_workspace::paths::last_part;
use std::path::{Path, PathBuf};

/// Name of the private key in the key store. The value is 32 bytes in Base64.
pub(crate) use koab_keys::SIGNING_KEY;

impl Exchange {
    /// Writes the bundle of a run. A bundle that would not pass its verification is not written.
    /// The files of `extra` are stored below `submission/`.
    ///
    /// # Errors
    /// When the run does not exist or has not ended, its pack differs from the installed pack, a
    /// report cannot be recomputed, a file contains a key, or the file cannot be written.
    pub async fn bundle_write(
        &self,
        request: BundleRequest,
        extra: Vec<BundleExtra>,
        to: PathBuf,
        cancel: &Cancel,
    ) -> Result<BundleWritten, WireError> {
        let key = if request.sign { Some(self.signing_key().await?) } else { None };
        let api = self.clone();
        let cancel = cancel.clone();
        let underway = self.workspace.begin_job(JobKind::Export, vec![last_part(&to)], Some(&cancel));
        tokio::task::spawn_blocking(move || {
            let bundle = api.write_bundle(&request, extra, &to, key.as_ref(), &cancel);
            underway.finish(bundle)
        })
        .await
        .map_err(WireError::internal)?
    }

    /// Verifies a bundle without the network and the workspace. If `key` is given, the bundle must
    /// be signed with this public key.
    ///
    /// # Errors
    /// When `key` is not a public key, or the job was cancelled. Faults of the bundle are part of
    /// the returned [`Verification`], not errors.
    pub async fn bundle_verify(
        &self,
        path: PathBuf,
        key: Option<String>,
        cancel: &Cancel,
    ) -> Result<Verification, WireError> {
        let cancel = cancel.clone();
        let about = vec![last_part(&path)];
        let underway = self.workspace.begin_job(JobKind::BundleCheck, about, Some(&cancel));
        tokio::task::spawn_blocking(move || {
            let progress = |done: u64, total: u64| underway.progress(done, total);
            let verification = verify(&path, key.as_deref(), &progress, &cancel);
            underway.finish(verification)
        })
        .await
        .map_err(WireError::internal)?
    }

    /// Returns the key that signs bundles. If there is no key, it is generated and saved in
    /// `place`.
    ///
    /// # Errors
    /// When the stored value is not a private key, or the place cannot be read or written.
    pub async fn bundle_key(&self, place: KeyPlace) -> Result<SigningKey, WireError> {
        let keys = self.keys.named(&[SIGNING_KEY]).await?;
        if let Some(secret) = keys.get(SIGNING_KEY) {
            return Ok(SigningKey { public_key: sign::Signer::read(&secret)?.public_key(), made: false });
        }
        let (signer, secret) = sign::Signer::make()?;
        self.keys.set(SIGNING_KEY, &secret, place).await?;
        Ok(SigningKey { public_key: signer.public_key(), made: true })
    }

    async fn signing_key(&self) -> Result<sign::Signer, WireError> {
        let keys = self.keys.named(&[SIGNING_KEY]).await?;
        let Some(secret) = keys.get(SIGNING_KEY) else {
            let none =
                say!("there is no key to sign with; make one with `koab submit key`, or leave --sign out");
            return Err(WireError::not_found(keys.explain(none)));
        };
        sign::Signer::read(&secret)
    }
}

/// Whether a path is that of a bundle, according to its extension or the first bytes of the file.
pub(crate) fn is_bundle(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("koab"))
        || koab_store::bundle_file::is_bundle(path)
}
