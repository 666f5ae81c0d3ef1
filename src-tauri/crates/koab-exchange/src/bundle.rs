//! Bundles: one file with everything that a run's numbers can be computed from again, written,
//! verified and taken in.
//!
//! What belongs together and how it is compared with each other is `koab_bundle::bundle`'s, the
//! archive `koab_store::bundle_file`'s. Here a run's files, records, verdicts and reports are
//! gathered from the workspace, and a bundle is read. Verifying needs no workspace and never looks
//! into one. See `docs/design/submission.md`.

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

/// Name of the private key among the keys: 32 bytes in Base64.
pub(crate) use koab_keys::SIGNING_KEY;

impl Exchange {
    /// Writes the bundle of a run. What would not verify is not written. `extra` goes below
    /// `submission/`.
    ///
    /// # Errors
    /// When there is no such run, it is not over, its pack is not what it was made with, a report
    /// cannot be computed again, a key would get into it, or the disk refuses.
    pub async fn bundle_write(
        &self,
        request: BundleRequest,
        extra: Vec<BundleExtra>,
        to: PathBuf,
        cancel: &Cancel,
    ) -> Result<BundleWritten, WireError> {
        let key = match request.sign {
            true => Some(self.signing_key().await?),
            false => None,
        };
        let api = self.clone();
        let cancel = cancel.clone();
        let underway = self.workspace.begin_job(JobKind::Export, vec![last_part(&to)], Some(&cancel));
        tokio::task::spawn_blocking(move || {
            let written = api.write_bundle(&request, extra, &to, key.as_ref(), &cancel);
            underway.finish(written)
        })
        .await
        .map_err(WireError::internal)?
    }

    /// Compares a bundle with itself, offline and without the workspace. `key` is the public key
    /// that must have signed it.
    ///
    /// # Errors
    /// When `key` is not a key, or it was cancelled. What is wrong with the bundle is in the
    /// answer.
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
            let found = verify(&path, key.as_deref(), &progress, &cancel);
            underway.finish(found)
        })
        .await
        .map_err(WireError::internal)?
    }

    /// The key that bundles are signed with; made and kept where `place` says when there is none.
    ///
    /// # Errors
    /// When what is kept is no such key, or the place refuses.
    pub async fn bundle_key(&self, place: KeyPlace) -> Result<SigningKey, WireError> {
        let found = self.keys.named(&[SIGNING_KEY]).await?;
        if let Some(kept) = found.get(SIGNING_KEY) {
            return Ok(SigningKey { public_key: sign::Signer::read(&kept)?.public_key(), made: false });
        }
        let (signer, secret) = sign::Signer::make()?;
        self.keys.set(SIGNING_KEY, &secret, place).await?;
        Ok(SigningKey { public_key: signer.public_key(), made: true })
    }

    async fn signing_key(&self) -> Result<sign::Signer, WireError> {
        let found = self.keys.named(&[SIGNING_KEY]).await?;
        let Some(kept) = found.get(SIGNING_KEY) else {
            let none =
                say!("there is no key to sign with; make one with `koab submit key`, or leave --sign out");
            return Err(WireError::not_found(found.explain(none)));
        };
        sign::Signer::read(&kept)
    }
}

/// Whether a path is that of a bundle, by its ending or its first bytes.
pub(crate) fn is_bundle(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("koab"))
        || koab_store::bundle_file::is_bundle(path)
}
