//! Writes bundles. Each bundle is first verified in the same way as by its recipient, so that
//! nobody hands in a bundle that fails.

use super::gather::Lines;
use super::sign::Signer;
use crate::Exchange;
use crate::wire::{BundleExtra, BundleRequest, BundleWritten};
use koab_bundle::bundle::{
    AttemptReader, BundleFile, Contents, CountedAttempts, FORMAT, Findings, JOURNAL, MANIFEST, Manifest,
    SIGNATURE, Subject, Without, WithoutWhat, created, examine, is_place,
};
use koab_bundle::submission::recheck;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Cancel;
use koab_store::RunLock;
use koab_store::bundle_file::{self, Digest, Source};
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::path::Path;

impl Exchange {
    pub(super) fn write_bundle(
        &self,
        request: &BundleRequest,
        extra: Vec<BundleExtra>,
        to: &Path,
        signer: Option<&Signer>,
        cancel: &Cancel,
    ) -> Result<BundleWritten, WireError> {
        let entry = self.runs.library.run_meant(&request.run)?;
        if RunLock::holder(&entry.run.folder).is_some() {
            return Err(WireError::busy(say!(
                "the run {} is still being made; wait until it has ended",
                entry.id
            )));
        }
        let reports = self.reports_to_bundle(&entry, &request.reports)?;
        let mut gathered = self.gather_bundle(&entry, reports)?;
        if let Some(run) = &gathered.contents.run
            && run.outcome.is_none()
        {
            return Err(WireError::bad_request(say!(
                "{} was interrupted; finish it with `koab run --resume {}` first",
                entry.id,
                entry.id
            )));
        }
        let mut files = std::mem::take(&mut gathered.files);
        for file in extra {
            put_extra(&mut files, file)?;
        }
        self.hold_back_keys(&files)?;
        let mut digests: BTreeMap<&str, Digest> = BTreeMap::new();
        for (path, source) in &files {
            check_cancel(cancel)?;
            digests.insert(path, source.digest()?);
        }
        let manifest_files = digests.iter().map(|(path, digest)| BundleFile {
            path: (*path).to_owned(),
            bytes: digest.bytes,
            sha256: digest.sha256.clone(),
        });
        let manifest = Manifest {
            format: FORMAT,
            kind: "run".to_owned(),
            made_by: format!("koab {}", env!("CARGO_PKG_VERSION")),
            created: created(&gathered.contents),
            subject: Subject::from_contents(&entry.id, &gathered.contents),
            reports: gathered.reports.clone(),
            without: gathered.without.clone(),
            files: manifest_files.collect(),
        };
        let mut findings = gathered.findings;
        let attempts = counted(&files, &manifest, &gathered.contents, &mut findings)?;
        let (_, again) = examine(&manifest, &gathered.contents, attempts.as_ref(), &mut findings);
        recheck(&files_below_submission(&files)?, &again, &mut findings);
        let checks = findings.into_checks();
        if let Some(failed) = checks.iter().find(|check| check.is_error()) {
            return Err(WireError::bad_file(say!(
                "{} cannot be bundled, because it would not verify: {failed}",
                entry.id,
                failed = failed.located()
            )));
        }
        let text = manifest.text().map_err(WireError::internal)?;
        let mut entries = Vec::with_capacity(files.len() + 2);
        let mut put = |name: &str, content: Vec<u8>| -> Result<(), WireError> {
            let source = Source::Bytes(content);
            let digest = source.digest()?;
            entries.push((name.to_owned(), source, digest));
            Ok(())
        };
        put(MANIFEST, text.clone())?;
        if let Some(signer) = signer {
            put(SIGNATURE, signer.sign(&text).into_bytes())?;
        }
        let digests: Vec<Digest> = digests.into_values().collect();
        entries.extend(files.into_iter().zip(digests).map(|((path, source), digest)| (path, source, digest)));
        let each = || if cancel.is_cancelled() { Err(koab_store::Error::Cancelled) } else { Ok(()) };
        bundle_file::write(to, &entries, each)?;
        let bytes = std::fs::metadata(to).map_or(0, |meta| meta.len());
        Ok(BundleWritten {
            path: std::path::absolute(to).unwrap_or_else(|_| to.to_owned()),
            bytes,
            subject: manifest.subject,
            signed_by: signer.map(Signer::public_key),
            without: manifest.without.iter().map(without_text).collect(),
        })
    }
}

/// Reads the run's journal a second time, to check the attempts in it.
fn counted(
    files: &BTreeMap<String, Source>,
    manifest: &Manifest,
    contents: &Contents,
    findings: &mut Findings,
) -> Result<Option<CountedAttempts>, WireError> {
    let Some(mut reader) = AttemptReader::new(contents, findings) else {
        return Ok(None);
    };
    let mut lines = Lines::default();
    files[JOURNAL].each(|part| {
        lines.add(part, |line| reader.line(line, findings));
        Ok(())
    })?;
    Ok(Some(reader.finish(manifest, findings)))
}

fn put_extra(files: &mut BTreeMap<String, Source>, file: BundleExtra) -> Result<(), WireError> {
    let inside = file.path.strip_prefix("submission/").is_some_and(|name| !name.is_empty());
    let why = match is_place(&file.path) {
        Err(why) => Some(why),
        Ok(()) if !inside => Some(say!("lies outside submission/")),
        Ok(()) => None,
    };
    if let Some(why) = why {
        return Err(WireError::bad_request(say!("{} {why}, so it cannot go into a bundle", file.path)));
    }
    files.insert(file.path, Source::Bytes(file.content));
    Ok(())
}

fn files_below_submission(files: &BTreeMap<String, Source>) -> Result<super::SubmissionFiles, WireError> {
    let mut submission = super::SubmissionFiles::new();
    for (path, source) in files {
        if let (Some(name), Source::Bytes(content)) = (path.strip_prefix("submission/"), source) {
            submission.insert(name.to_owned(), content.clone());
        }
    }
    Ok(submission)
}

fn check_cancel(cancel: &Cancel) -> Result<(), WireError> {
    if cancel.is_cancelled() {
        return Err(WireError::cancelled(say!("cancelled; no bundle was written")));
    }
    Ok(())
}

/// Sentence about content that a bundle lacks.
fn without_text(without: &Without) -> Sentence {
    let count = without.count;
    match without.what {
        WithoutWhat::Journal => {
            say!("the run was made elsewhere and has no journal, so its logs cannot be rebuilt from it")
        }
        WithoutWhat::Records => {
            say!("the cached responses behind {count} tool calls are not in the workspace any more")
        }
        WithoutWhat::Reports => say!("the run has no report, so there is no number to compute again"),
    }
}
