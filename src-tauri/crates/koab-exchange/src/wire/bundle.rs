//! Bundles, as the window and the terminal show them.

use koab_bundle::bundle::{Check, Subject};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use ts_rs::TS;

/// What is wanted of a bundle.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BundleRequest {
    /// The run, by id or folder.
    pub run: String,
    /// Its reports by id; empty for the fullest one of each scorer.
    pub reports: Vec<String>,
    /// Whether it is signed with the key of this workspace.
    pub sign: bool,
}

/// A file that goes into a bundle beside what is of the run: opaque, but held to its hash.
#[derive(Clone, Debug)]
pub struct BundleExtra {
    /// Its place, which begins with `submission/`.
    pub path: String,
    /// Its content.
    pub content: Vec<u8>,
}

/// A bundle that was written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BundleWritten {
    /// Where it lies.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// What it is of.
    pub subject: Subject,
    /// The public key that it is signed with; null when it is not signed.
    pub signed_by: Option<String>,
    /// What it lacks, one sentence each.
    pub without: Vec<Sentence>,
}

/// How a bundle is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SignatureState {
    /// Not at all.
    Unsigned,
    /// By the key that is named, which nobody asked for: whose it is, the reader must know.
    Signed,
    /// By the key that was asked for.
    Trusted,
    /// The signature is none of this content, or of another key than was asked for, or missing
    /// where one was asked for.
    Refused,
}

/// What was computed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct VerifiedCounts {
    /// Files compared with their hashes.
    pub files: u32,
    /// Their bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Reports scored again.
    pub reports: u32,
    /// Scores of tasks and means of levels that were compared.
    pub values: u32,
    /// Of these, those of metrics that ask judges.
    pub judged: u32,
    /// Tasks in the logs.
    pub tasks: u32,
    /// Tool calls compared with what answered them.
    pub calls: u32,
    /// Verdicts compared with their questions.
    pub verdicts: u32,
}

/// What was found in a bundle.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Verification {
    /// Name of the file.
    pub file: String,
    /// Whether nothing failed.
    pub ok: bool,
    /// What it is of, as far as its manifest can be read.
    pub subject: Option<Subject>,
    /// Program and version that made it.
    pub made_by: Option<String>,
    /// When what is in it was done.
    pub created: Option<String>,
    /// How it is signed.
    pub signature: SignatureState,
    /// The public key of the signature, in minisign's form.
    pub signed_by: Option<String>,
    /// Everything that was looked at, in the order in which it is.
    pub checks: Vec<Check>,
    /// Failures, those that are not listed one by one included.
    pub failures: u32,
    /// What was computed again.
    pub counts: VerifiedCounts,
}

/// The key that bundles are signed with.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SigningKey {
    /// Its public half, in minisign's form: what others give to `verify --key`.
    pub public_key: String,
    /// Whether it was made just now.
    pub made: bool,
}
