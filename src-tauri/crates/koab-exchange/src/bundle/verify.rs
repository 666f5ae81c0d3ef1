//! Verifying a bundle: the archive, every hash, the signature, and then everything against
//! everything (`koab_bundle::bundle`).
//!
//! Needs the file and nothing else: no workspace, no network, no clock. Files are read part by
//! part; what is held in memory are the parsed logs, reports and verdicts of one run.

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

/// Most that one attempt takes in a journal, on average. A conversation with long answers of tools
/// has some hundred thousand.
const ATTEMPT_BYTES: u64 = 1 << 20;
/// A signature has four short lines.
const SIGNATURE_BYTES: u64 = 4096;

/// Compares the bundle at `path` with itself. `key` is the public key, or the file that holds it,
/// that must have signed it. `progress` hears of bytes done and all of them.
///
/// # Errors
/// When `key` is not a key, or it was cancelled.
pub fn verify(
    path: &Path,
    key: Option<&str>,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<Verification, WireError> {
    verified(path, key, progress, cancel).map(|found| found.verification)
}

/// What was found of a bundle, and its reports as they come out of it.
pub(super) struct Verified {
    pub(super) verification: Verification,
    pub(super) reports: BTreeMap<Protocol, Recomputed>,
    /// The verdicts behind them.
    pub(super) verdicts: BTreeMap<Protocol, Vec<VerdictLine>>,
}

/// As [`verify`], with what was computed again.
pub(super) fn verified(
    path: &Path,
    key: Option<&str>,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<Verified, WireError> {
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
    let mut again = Again::default();
    match BundleFile::open(path, LIMITS) {
        Err(refusal) => refused(&mut findings, CheckName::Container, refusal),
        Ok(mut file) => again = look(&mut file, wanted, &mut found, &mut findings, progress, cancel)?,
    }
    found.failures = findings.failures() as u32;
    found.ok = found.failures == 0;
    found.checks = findings.into_checks();
    let (reports, verdicts) = again;
    Ok(Verified { verification: found, reports, verdicts })
}

/// Reports as they come out of a bundle and the verdicts behind them, by scorer.
type Again = (BTreeMap<Protocol, Recomputed>, BTreeMap<Protocol, Vec<VerdictLine>>);

/// The key as it was given: the key itself, or a file of minisign's.
fn wanted_key(text: &str) -> Result<PublicKey, WireError> {
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
    wanted: Option<PublicKey>,
    found: &mut Verification,
    findings: &mut Findings,
    progress: &dyn Fn(u64, u64),
    cancel: &Cancel,
) -> Result<Again, WireError> {
    if file.names().first().map(String::as_str) != Some(MANIFEST) {
        findings.failed(CheckName::Container, MANIFEST, say!("is not the first entry, as it is in a bundle"));
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
    found.subject = Some(manifest.subject.clone());
    found.made_by = Some(manifest.made_by.clone());
    found.created = Some(manifest.created.clone());
    if findings.failures() == 0 {
        let program = manifest.made_by.clone();
        findings.held(CheckName::Manifest, MANIFEST, say!("is a manifest of format 1, made by {program}"));
    }
    check_signature(file, &text, wanted, found, findings);
    if !check_names(file, &manifest, findings) || !check_length(file, &manifest, findings) {
        return Ok(Again::default());
    }
    let mut read = BundleFiles::default();
    if !read.files(file, &manifest, found, findings, progress, cancel)? {
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
    found.counts.reports = counts.reports as u32;
    found.counts.values = counts.values as u32;
    found.counts.judged = counts.judged as u32;
    found.counts.tasks = counts.tasks as u32;
    found.counts.calls = counts.calls as u32;
    found.counts.verdicts = counts.verdicts as u32;
    let verdicts = read.contents.verdicts.into_iter();
    let verdicts =
        verdicts.map(|(scorer, lines)| (scorer, lines.into_iter().map(|(_, line)| line).collect()));
    Ok((again, verdicts.collect()))
}

/// Unpacks the journal a second time; `None` when what comes out is not what came out before.
fn counted(
    file: &mut BundleFile,
    mut reader: AttemptReader<'_>,
    manifest: &Manifest,
    findings: &mut Findings,
    cancel: &Cancel,
) -> Result<Option<CountedAttempts>, WireError> {
    let mut lines = Lines::default();
    let unpacked = file.each(JOURNAL, |part| {
        going(cancel)?;
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
            let stated = manifest.files.iter().find(|entry| entry.path == JOURNAL);
            // Where the first reading found another hash, it has said so.
            if before == 0 && stated.is_some_and(|stated| stated.sha256 != digest.sha256) {
                findings.failed(CheckName::Files, JOURNAL, other_content());
            }
        }
    }
    let is_same = findings.failures() == before;
    Ok(is_same.then(|| reader.finish(manifest, findings)))
}

/// Ends the reading of a file once it was cancelled.
fn going(cancel: &Cancel) -> Result<(), Refusal> {
    match cancel.is_cancelled() {
        true => Err(Refusal { place: String::new(), why: Sentence::EMPTY }),
        false => Ok(()),
    }
}

fn cancelled() -> WireError {
    WireError::cancelled(say!("cancelled; nothing was found out"))
}

fn other_content() -> Sentence {
    say!("the content does not have the hash that the manifest says; it was changed or damaged")
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
                let said = say!("the bundle is not signed, and a signature of {key} was asked for");
                findings.failed(name, SIGNATURE, said);
            }
            None => {
                findings.open(name, SIGNATURE, say!("the bundle is not signed: nothing says who made it"))
            }
        }
        return;
    }
    found.signature = SignatureState::Refused;
    let text = match file.read(SIGNATURE, SIGNATURE_BYTES) {
        Ok(text) => text,
        Err(refusal) => return refused(findings, name, refusal),
    };
    let Some(key) = signer(&text, manifest) else {
        let said = say!("is not a signature of this manifest by the key that it names");
        return findings.failed(name, SIGNATURE, said);
    };
    found.signed_by = Some(key.text());
    match wanted {
        Some(wanted) if wanted != key => {
            let said = say!(
                "the bundle is signed by {key}, and a signature of {wanted} was asked for",
                key = key.text(),
                wanted = wanted.text()
            );
            findings.failed(name, SIGNATURE, said);
        }
        Some(_) => {
            found.signature = SignatureState::Trusted;
            let said = say!("the manifest is signed by the key that was asked for, {key}", key = key.text());
            findings.held(name, SIGNATURE, said);
        }
        None => {
            found.signature = SignatureState::Signed;
            let said = say!(
                "the manifest is signed by the key {key}; whose key that is, you must know",
                key = key.text()
            );
            findings.held(name, SIGNATURE, said);
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
            let said = say!("the bundle holds this file and the manifest does not name it");
            findings.failed(CheckName::Files, *name, said);
        }
    }
    let mut missing = false;
    for name in &named {
        if file.stated(name).is_none() {
            missing = true;
            let said = say!("the manifest names this file and the bundle does not hold it");
            findings.failed(CheckName::Files, *name, said);
        }
    }
    let first = usize::from(file.stated(SIGNATURE).is_some());
    let second = file.names().get(first).map(String::as_str);
    let in_order = held.is_sorted() && (first == 0 || second == Some(SIGNATURE));
    if findings.failures() == before && !in_order {
        let said = say!("names the files in another order than the archive holds them");
        findings.failed(CheckName::Container, MANIFEST, said);
    }
    let count = file.names().len();
    let said = say!("{count} plain entries lie one after the other, with nothing between or around them");
    findings.held_since(before, CheckName::Container, "", said);
    !missing
}

/// Whether the journal is as long as one of so many attempts can be.
fn check_length(file: &BundleFile, manifest: &Manifest, findings: &mut Findings) -> bool {
    let most = manifest.subject.attempts().saturating_mul(ATTEMPT_BYTES);
    let most = most.max(LIMITS.file_bytes);
    let fits = file.stated(JOURNAL).is_none_or(|bytes| bytes <= most);
    if !fits {
        let most = most >> 20;
        let said = say!("unpacks to more than {most} MB, which nothing in a bundle does");
        findings.failed(CheckName::Files, JOURNAL, said);
    }
    fits
}

/// The files as they are read.
#[derive(Default)]
struct BundleFiles {
    contents: Contents,
    submission: SubmissionFiles,
}

impl BundleFiles {
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
        let total: u64 = manifest.files.iter().filter_map(|entry| file.stated(&entry.path)).sum();
        let (mut done, before, mut whole) = (0, findings.failures(), true);
        for entry in &manifest.files {
            let path = entry.path.as_str();
            let mut content = Vec::new();
            let (mut lines, mut journal) = (Lines::default(), JournalReader::default());
            let unpacked = file.each(path, |part| {
                going(cancel)?;
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
                let said = say!(
                    "holds {found} bytes where the manifest says {stated}",
                    found = digest.bytes,
                    stated = entry.bytes
                );
                findings.failed(CheckName::Files, path, said);
            } else if digest.sha256 != entry.sha256 {
                findings.failed(CheckName::Files, path, other_content());
            }
            if path == JOURNAL {
                let facts = journal.finish(lines.is_cut_off(), findings);
                self.contents.journal = Some(facts);
            } else if let Some(name) = path.strip_prefix("submission/") {
                self.submission.insert(name.to_owned(), content);
            } else if !self.contents.take(path, content, findings) {
                findings.failed(CheckName::Files, path, say!("is a file that no bundle has"));
            }
        }
        found.counts.files = manifest.files.len() as u32;
        found.counts.bytes = done;
        let said = say!(
            "{count} files have the {bytes} bytes and the hashes that the manifest says",
            count = manifest.files.len(),
            bytes = done
        );
        findings.held_since(before, CheckName::Files, "", said);
        Ok(whole)
    }
}
