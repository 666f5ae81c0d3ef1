//! Verifies a bundle: the archive, every hash, the signature, and then all contents against each
//! other (`koab_bundle::bundle`).
//!
//! Verifying needs only the file: no workspace, network or clock. Files are read in parts; only the
//! parsed logs, reports and verdicts of one run are kept in memory.

use super::SubmissionFiles;
use super::gather::Lines;
use super::items::settle;
use super::sign::{PublicKey, signer};
use crate::wire::{SignatureState, Verification, VerifiedCounts};
use koab_bundle::bundle::{
    AttemptReader, CheckName, Contents, CountedAttempts, Findings, JOURNAL, JournalReader, MANIFEST,
    Manifest, Recomputed, SIGNATURE, VerdictLine, examine,
};
use koab_bundle::submission::recheck;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::Cancel;
use koab_store::bundle_file::{BundleFile, LIMITS, Refusal};
use koab_workspace::WireError;
use koab_workspace::paths::last_part;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Limit for the average size of an attempt in a journal. A conversation with long tool answers has
/// some hundred thousand bytes.
const MAX_ATTEMPT_BYTES: u64 = 1 << 20;
/// Limit for the size of a signature, which has four short lines.
const MAX_SIGNATURE_BYTES: u64 = 4096;

/// Verifies the bundle at `path`.
///
/// If `key` is given, the bundle must be signed with it. `key` is a public key, or the path of a
/// file with a public key. `progress` gets the number of bytes read so far and their total.
///
/// # Errors
/// When `key` is not a public key, or the job was cancelled.
pub fn verify(
    path: &Path,
    key: Option<&str>,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<Verification, WireError> {
    verified(path, key, progress, cancel).map(|verified| verified.verification)
}

/// Result of verifying a bundle, with the reports that were recomputed from its contents.
pub(super) struct Verified {
    pub(super) verification: Verification,
    pub(super) reports: BTreeMap<Protocol, Recomputed>,
    /// Verdicts that the recomputed reports are based on.
    pub(super) verdicts: BTreeMap<Protocol, Vec<VerdictLine>>,
}

/// Verifies a bundle like [`verify`]. Also returns the recomputed reports and their verdicts.
pub(super) fn verified(
    path: &Path,
    key: Option<&str>,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<Verified, WireError> {
    let required_key = key.map(parse_key).transpose()?;
    let mut verification = Verification {
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
    let mut again = Again::default();
    match BundleFile::open(path, LIMITS) {
        Err(refusal) => refused(&mut findings, CheckName::Container, refusal),
        Ok(mut file) => {
            again = look(&mut file, required_key, &mut verification, &mut findings, progress, cancel)?
        }
    }
    verification.failures = findings.failures() as u32;
    verification.ok = verification.failures == 0;
    verification.checks = findings.into_checks();
    let (reports, verdicts) = again;
    Ok(Verified { verification, reports, verdicts })
}

/// Reports that were recomputed from a bundle, and the verdicts that they are based on, by scorer.
type Again = (BTreeMap<Protocol, Recomputed>, BTreeMap<Protocol, Vec<VerdictLine>>);

/// Parses the value of `--key`: the key itself, or the path of a key file of minisign.
fn parse_key(text: &str) -> Result<PublicKey, WireError> {
    let of_file = || std::fs::read_to_string(text).ok().and_then(|text| PublicKey::read(&text));
    PublicKey::read(text).or_else(of_file).ok_or_else(|| {
        WireError::bad_request(
            say!("--key takes a public key of 56 letters that begins with RW, as `koab submit key` shows it, or a file that holds one"),
        )
    })
}

fn refused(findings: &mut Findings, name: CheckName, refusal: Refusal) {
    findings.failed(name, refusal.place, refusal.why);
}

fn look(
    file: &mut BundleFile,
    required_key: Option<PublicKey>,
    verification: &mut Verification,
    findings: &mut Findings,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<Again, WireError> {
    if file.names().first().map(String::as_str) != Some(MANIFEST) {
        findings.failed(CheckName::Container, MANIFEST, say!("is not the first entry, as a bundle requires"));
        return Ok(Again::default());
    }
    let text = match file.read(MANIFEST, LIMITS.manifest_bytes) {
        Ok(text) => text,
        Err(refusal) => {
            refused(findings, CheckName::Manifest, refusal);
            return Ok(Again::default());
        }
    };
    let Some(manifest) = Manifest::read(&text, findings) else {
        return Ok(Again::default());
    };
    verification.subject = Some(manifest.subject.clone());
    verification.made_by = Some(manifest.made_by.clone());
    verification.created = Some(manifest.created.clone());
    if findings.failures() == 0 {
        let program = manifest.made_by.clone();
        findings.held(CheckName::Manifest, MANIFEST, say!("is a manifest of format 1, made by {program}"));
    }
    check_signature(file, &text, required_key, verification, findings);
    if !check_names(file, &manifest, findings) || !check_length(file, &manifest, findings) {
        return Ok(Again::default());
    }
    let mut read = BundleFiles::default();
    if !read.files(file, &manifest, verification, findings, progress, cancel)? {
        return Ok(Again::default());
    }
    settle(&mut read.contents, findings);
    let attempts = match AttemptReader::new(&read.contents, findings) {
        Some(reader) => match counted(file, reader, &manifest, findings, cancel)? {
            Some(attempts) => Some(attempts),
            None => return Ok(Again::default()),
        },
        None => None,
    };
    let (counts, again) = examine(&manifest, &read.contents, attempts.as_ref(), findings);
    recheck(&read.submission, &again, findings);
    verification.counts.reports = counts.reports as u32;
    verification.counts.values = counts.values as u32;
    verification.counts.judged = counts.judged as u32;
    verification.counts.tasks = counts.tasks as u32;
    verification.counts.calls = counts.calls as u32;
    verification.counts.verdicts = counts.verdicts as u32;
    let verdicts = read.contents.verdicts.into_iter();
    let verdicts =
        verdicts.map(|(scorer, lines)| (scorer, lines.into_iter().map(|(_, line)| line).collect()));
    Ok((again, verdicts.collect()))
}

/// Reads the attempts of the journal in a second pass. Returns `None` when this pass finds a new
/// fault.
fn counted(
    file: &mut BundleFile,
    mut reader: AttemptReader<'_>,
    manifest: &Manifest,
    findings: &mut Findings,
    cancel: &Cancel,
) -> Result<Option<CountedAttempts>, WireError> {
    let mut lines = Lines::default();
    let unpacked = file.each(JOURNAL, |part| {
        check_cancel(cancel)?;
        lines.add(part, |line| reader.line(line, findings));
        Ok(())
    });
    if cancel.is_cancelled() {
        return Err(cancelled());
    }
    let before = findings.failures();
    match unpacked {
        Err(refusal) => refused(findings, CheckName::Files, refusal),
        Ok(digest) => {
            let entry = manifest.files.iter().find(|file| file.path == JOURNAL);
            // The first pass already reports a hash that differs from the manifest's.
            if before == 0 && entry.is_some_and(|entry| entry.sha256 != digest.sha256) {
                findings.failed(CheckName::Files, JOURNAL, other_content());
            }
        }
    }
    let is_same = findings.failures() == before;
    Ok(is_same.then(|| reader.finish(manifest, findings)))
}

/// Fails after a cancel, which ends the reading of a file.
fn check_cancel(cancel: &Cancel) -> Result<(), Refusal> {
    if cancel.is_cancelled() { Err(Refusal { place: String::new(), why: Sentence::EMPTY }) } else { Ok(()) }
}

fn cancelled() -> WireError {
    WireError::cancelled(say!("cancelled; there is no result"))
}

fn other_content() -> Sentence {
    say!("the content does not have the hash that the manifest says; it was changed or damaged")
}

fn check_signature(
    file: &mut BundleFile,
    manifest: &[u8],
    required_key: Option<PublicKey>,
    verification: &mut Verification,
    findings: &mut Findings,
) {
    let name = CheckName::Signature;
    if file.stated(SIGNATURE).is_none() {
        match required_key {
            Some(required) => {
                verification.signature = SignatureState::Refused;
                let key = required.text();
                let why = say!("the bundle is not signed, and a signature of {key} was asked for");
                findings.failed(name, SIGNATURE, why);
            }
            None => {
                findings.open(name, SIGNATURE, say!("the bundle is not signed: nothing says who made it"))
            }
        }
        return;
    }
    verification.signature = SignatureState::Refused;
    let text = match file.read(SIGNATURE, MAX_SIGNATURE_BYTES) {
        Ok(text) => text,
        Err(refusal) => return refused(findings, name, refusal),
    };
    let Some(key) = signer(&text, manifest) else {
        let why = say!("is not a signature of this manifest by the key that it names");
        return findings.failed(name, SIGNATURE, why);
    };
    verification.signed_by = Some(key.text());
    match required_key {
        Some(required) if required != key => {
            let why = say!(
                "the bundle is signed by {key}, and a signature of {wanted} was asked for",
                key = key.text(),
                wanted = required.text()
            );
            findings.failed(name, SIGNATURE, why);
        }
        Some(_) => {
            verification.signature = SignatureState::Trusted;
            let note = say!("the manifest is signed by the key that was asked for, {key}", key = key.text());
            findings.held(name, SIGNATURE, note);
        }
        None => {
            verification.signature = SignatureState::Signed;
            let note = say!(
                "the manifest is signed by the key {key}; check yourself whose key that is",
                key = key.text()
            );
            findings.held(name, SIGNATURE, note);
        }
    }
}

/// Checks that the archive contains exactly the files of the manifest, in the manifest's order.
/// Returns `false` when a file is missing.
fn check_names(file: &BundleFile, manifest: &Manifest, findings: &mut Findings) -> bool {
    let before = findings.failures();
    let manifest_names: BTreeSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
    let archive_names: Vec<&str> = file
        .names()
        .iter()
        .map(String::as_str)
        .filter(|name| ![MANIFEST, SIGNATURE].contains(name))
        .collect();
    for name in &archive_names {
        if !manifest_names.contains(name) {
            let why = say!("the bundle holds this file and the manifest does not name it");
            findings.failed(CheckName::Files, *name, why);
        }
    }
    let mut missing = false;
    for name in &manifest_names {
        if file.stated(name).is_none() {
            missing = true;
            let why = say!("the manifest names this file and the bundle does not hold it");
            findings.failed(CheckName::Files, *name, why);
        }
    }
    let first = usize::from(file.stated(SIGNATURE).is_some());
    let second = file.names().get(first).map(String::as_str);
    let in_order = archive_names.is_sorted() && (first == 0 || second == Some(SIGNATURE));
    if findings.failures() == before && !in_order {
        let why = say!("names the files in another order than the archive holds them");
        findings.failed(CheckName::Container, MANIFEST, why);
    }
    let count = file.names().len();
    let note = say!("{count} plain entries follow each other, with nothing between or around them");
    findings.held_since(before, CheckName::Container, "", note);
    !missing
}

/// Checks that the journal is not larger than its number of attempts permits.
fn check_length(file: &BundleFile, manifest: &Manifest, findings: &mut Findings) -> bool {
    let max_bytes = manifest.subject.attempts().saturating_mul(MAX_ATTEMPT_BYTES);
    let max_bytes = max_bytes.max(LIMITS.file_bytes);
    let fits = file.stated(JOURNAL).is_none_or(|bytes| bytes <= max_bytes);
    if !fits {
        let most = max_bytes >> 20;
        let why = say!("unpacks to more than {most} MB, which nothing in a bundle does");
        findings.failed(CheckName::Files, JOURNAL, why);
    }
    fits
}

/// Parsed files of a bundle.
#[derive(Default)]
struct BundleFiles {
    contents: Contents,
    submission: SubmissionFiles,
}

impl BundleFiles {
    /// Reads every file of the bundle. Returns `false` when a file cannot be read at all.
    fn files(
        &mut self,
        file: &mut BundleFile,
        manifest: &Manifest,
        verification: &mut Verification,
        findings: &mut Findings,
        progress: &dyn Fn(u64, u64),
        cancel: &Cancel,
    ) -> Result<bool, WireError> {
        let total: u64 = manifest.files.iter().filter_map(|entry| file.stated(&entry.path)).sum();
        let (mut done, before, mut whole) = (0, findings.failures(), true);
        for entry in &manifest.files {
            let path = entry.path.as_str();
            let mut content = Vec::new();
            let (mut lines, mut journal) = (Lines::default(), JournalReader::default());
            let unpacked = file.each(path, |part| {
                check_cancel(cancel)?;
                done += part.len() as u64;
                progress(done, total);
                match path {
                    JOURNAL => lines.add(part, |line| journal.line(line, findings)),
                    _ => content.extend_from_slice(part),
                }
                Ok(())
            });
            if cancel.is_cancelled() {
                return Err(cancelled());
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
                let why = say!(
                    "holds {found} bytes where the manifest says {stated}",
                    found = digest.bytes,
                    stated = entry.bytes
                );
                findings.failed(CheckName::Files, path, why);
            } else if digest.sha256 != entry.sha256 {
                findings.failed(CheckName::Files, path, other_content());
            }
            if path == JOURNAL {
                let facts = journal.finish(lines.is_cut_off(), findings);
                self.contents.journal = Some(facts);
            } else if let Some(name) = path.strip_prefix("submission/") {
                self.submission.insert(name.to_owned(), content);
            } else if !self.contents.take(path, content, findings) {
                findings.failed(CheckName::Files, path, say!("is not a file of a bundle"));
            }
        }
        verification.counts.files = manifest.files.len() as u32;
        verification.counts.bytes = done;
        let note = say!(
            "{count} files have the {bytes} bytes and the hashes that the manifest says",
            count = manifest.files.len(),
            bytes = done
        );
        findings.held_since(before, CheckName::Files, "", note);
        Ok(whole)
    }
}
