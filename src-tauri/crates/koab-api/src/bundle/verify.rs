//! Verifying a bundle: the archive, every hash, the signature, and then everything against everything (`koab_core::bundle`).
//!
//! Needs the file and nothing else: no workspace, no network, no clock. Files are read part by part; what is held in memory
//! are the parsed logs, reports and verdicts of one run.

use super::gather::Lines;
use super::sign::{PublicKey, signer};
use super::submission::{self, SubmissionFiles};
use crate::import::last_part;
use crate::wire::{ErrorCode, SignatureState, Verification, VerifiedCounts, WireError};
use koab_core::bundle::{
    CheckName, Contents, Findings, JOURNAL, JournalReader, MANIFEST, Manifest, SIGNATURE, Said, examine,
};
use koab_engine::ports::Cancel;
use koab_store::bundle_file::{BundleFile, LIMITS, Refusal};
use std::collections::BTreeSet;
use std::path::Path;

/// A signature has four short lines.
const SIGNATURE_BYTES: u64 = 4096;

/// Holds the bundle at `path` against itself. `key` is the public key, or the file that holds it, that must have signed
/// it. `progress` hears of bytes done and all of them.
///
/// # Errors
/// When `key` is no key, or it was cancelled.
pub fn verify(
    path: &Path,
    key: Option<&str>,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<Verification, WireError> {
    let wanted = key.map(wanted_key).transpose()?;
    let mut found = Verification {
        file: last_part(path),
        ok: false,
        subject: None,
        made_by: None,
        created: None,
        signature: SignatureState::Unsigned,
        signed_by: None,
        checks: Vec::new(),
        failures: 0,
        counts: VerifiedCounts::default(),
    };
    let mut findings = Findings::default();
    match BundleFile::open(path, LIMITS) {
        Err(refusal) => refused(&mut findings, CheckName::Container, refusal),
        Ok(mut file) => look(&mut file, wanted, &mut found, &mut findings, progress, cancel)?,
    }
    found.failures = findings.failures() as u32;
    found.ok = found.failures == 0;
    found.checks = findings.into_checks();
    Ok(found)
}

/// The key as it was given: the key itself, or a file of minisign's.
fn wanted_key(text: &str) -> Result<PublicKey, WireError> {
    let of_file = || {
        std::fs::read_to_string(text)
            .ok()
            .and_then(|text| PublicKey::read(&text))
    };
    PublicKey::read(text).or_else(of_file).ok_or_else(|| {
        WireError::bad_request(
            "--key takes a public key of 56 letters that begins with RW, as `koab submit key` shows it, or a file that holds one",
        )
    })
}

fn refused(findings: &mut Findings, name: CheckName, refusal: Refusal) {
    findings.failed(name, refusal.place, refusal.why);
}

fn look(
    file: &mut BundleFile,
    wanted: Option<PublicKey>,
    found: &mut Verification,
    findings: &mut Findings,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<(), WireError> {
    if file.names().first().map(String::as_str) != Some(MANIFEST) {
        findings.failed(CheckName::Container, MANIFEST, Said::NotFirst {});
        return Ok(());
    }
    let text = match file.read(MANIFEST, LIMITS.manifest_bytes) {
        Ok(text) => text,
        Err(refusal) => {
            refused(findings, CheckName::Manifest, refusal);
            return Ok(());
        }
    };
    let Some(manifest) = Manifest::read(&text, findings) else {
        return Ok(());
    };
    found.subject = Some(manifest.subject.clone());
    found.made_by = Some(manifest.made_by.clone());
    found.created = Some(manifest.created.clone());
    if findings.failures() == 0 {
        let program = manifest.made_by.clone();
        findings.held(CheckName::Manifest, MANIFEST, Said::ManifestHeld { program });
    }
    check_signature(file, &text, wanted, found, findings);
    if !check_names(file, &manifest, findings) {
        return Ok(());
    }
    let mut read = Read::default();
    if !read.files(file, &manifest, found, findings, progress, cancel)? {
        return Ok(());
    }
    let (counts, again) = examine(&manifest, &read.contents, findings);
    submission::check(&read.submission, &again, findings);
    found.counts.reports = counts.reports as u32;
    found.counts.values = counts.values as u32;
    found.counts.judged = counts.judged as u32;
    found.counts.tasks = counts.tasks as u32;
    found.counts.calls = counts.calls as u32;
    found.counts.verdicts = counts.verdicts as u32;
    Ok(())
}

fn check_signature(
    file: &mut BundleFile,
    manifest: &[u8],
    wanted: Option<PublicKey>,
    found: &mut Verification,
    findings: &mut Findings,
) {
    let name = CheckName::Signature;
    if file.stated(SIGNATURE).is_none() {
        match wanted {
            Some(wanted) => {
                found.signature = SignatureState::Refused;
                let key = wanted.text();
                findings.failed(name, SIGNATURE, Said::SignatureMissing { key });
            }
            None => findings.open(name, SIGNATURE, Said::Unsigned {}),
        }
        return;
    }
    found.signature = SignatureState::Refused;
    let text = match file.read(SIGNATURE, SIGNATURE_BYTES) {
        Ok(text) => text,
        Err(refusal) => return refused(findings, name, refusal),
    };
    let Some(key) = signer(&text, manifest) else {
        return findings.failed(name, SIGNATURE, Said::SignatureWrong {});
    };
    found.signed_by = Some(key.text());
    match wanted {
        Some(wanted) if wanted != key => {
            let said = Said::SignatureOther {
                key: key.text(),
                wanted: wanted.text(),
            };
            findings.failed(name, SIGNATURE, said);
        }
        Some(_) => {
            found.signature = SignatureState::Trusted;
            findings.held(name, SIGNATURE, Said::SignedByWanted { key: key.text() });
        }
        None => {
            found.signature = SignatureState::Signed;
            findings.held(name, SIGNATURE, Said::SignedBy { key: key.text() });
        }
    }
}

/// Whether the archive holds what the manifest names, in its order, and nothing else.
fn check_names(file: &BundleFile, manifest: &Manifest, findings: &mut Findings) -> bool {
    let before = findings.failures();
    let named: BTreeSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
    let held: Vec<&str> = file
        .names()
        .iter()
        .map(String::as_str)
        .filter(|name| ![MANIFEST, SIGNATURE].contains(name))
        .collect();
    for name in &held {
        if !named.contains(name) {
            findings.failed(CheckName::Files, *name, Said::FileExtra {});
        }
    }
    let mut missing = false;
    for name in &named {
        if file.stated(name).is_none() {
            missing = true;
            findings.failed(CheckName::Files, *name, Said::FileMissing {});
        }
    }
    let first = usize::from(file.stated(SIGNATURE).is_some());
    let second = file.names().get(first).map(String::as_str);
    let in_order = held.is_sorted() && (first == 0 || second == Some(SIGNATURE));
    if findings.failures() == before && !in_order {
        findings.failed(CheckName::Container, MANIFEST, Said::EntriesMoved {});
    }
    if findings.failures() == before {
        let count = file.names().len().to_string();
        findings.held(CheckName::Container, "", Said::ContainerHeld { count });
    }
    !missing
}

/// The files as they are read.
#[derive(Default)]
struct Read {
    contents: Contents,
    submission: SubmissionFiles,
}

impl Read {
    /// Reads every file; `false` when one cannot be read at all.
    fn files(
        &mut self,
        file: &mut BundleFile,
        manifest: &Manifest,
        found: &mut Verification,
        findings: &mut Findings,
        progress: &dyn Fn(u64, u64),
        cancel: &Cancel,
    ) -> Result<bool, WireError> {
        let total: u64 = manifest
            .files
            .iter()
            .filter_map(|entry| file.stated(&entry.path))
            .sum();
        let (mut done, before, mut whole) = (0, findings.failures(), true);
        for entry in &manifest.files {
            let path = entry.path.as_str();
            let mut content = Vec::new();
            let (mut lines, mut journal) = (Lines::default(), JournalReader::default());
            let unpacked = file.each(path, |part| {
                if cancel.is_cancelled() {
                    return Err(Refusal {
                        place: String::new(),
                        why: String::new(),
                    });
                }
                done += part.len() as u64;
                progress(done, total);
                match path {
                    JOURNAL => lines.add(part, |line| journal.line(line, findings)),
                    _ => content.extend_from_slice(part),
                }
                Ok(())
            });
            if cancel.is_cancelled() {
                let said = "cancelled; nothing was found out";
                return Err(WireError::new(ErrorCode::Cancelled, said));
            }
            let digest = match unpacked {
                Ok(digest) => digest,
                Err(refusal) => {
                    whole = false;
                    refused(findings, CheckName::Files, refusal);
                    continue;
                }
            };
            if digest.bytes != entry.bytes {
                let said = Said::FileSize {
                    found: digest.bytes.to_string(),
                    stated: entry.bytes.to_string(),
                };
                findings.failed(CheckName::Files, path, said);
            } else if digest.sha256 != entry.sha256 {
                findings.failed(CheckName::Files, path, Said::FileHash {});
            }
            if path == JOURNAL {
                let facts = journal.finish(lines.is_cut_off(), findings);
                self.contents.journal = Some(facts);
            } else if let Some(name) = path.strip_prefix("submission/") {
                self.submission.insert(name.to_owned(), content);
            } else if !self.contents.take(path, content, findings) {
                findings.failed(CheckName::Files, path, Said::FileUnknown {});
            }
        }
        found.counts.files = manifest.files.len() as u32;
        found.counts.bytes = done;
        if findings.failures() == before {
            let said = Said::FilesHeld {
                count: manifest.files.len().to_string(),
                bytes: done.to_string(),
            };
            findings.held(CheckName::Files, "", said);
        }
        Ok(whole)
    }
}
