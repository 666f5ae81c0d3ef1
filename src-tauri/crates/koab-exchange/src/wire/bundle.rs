//! Types of bundles for the window and the terminal.

use koab_bundle::bundle::{Check, Subject};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use ts_rs::TS;

/// Request to write a bundle.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BundleRequest {
    /// Id or folder of the run.
    pub run: String,
    /// Ids of the run's reports. If empty, the most complete report of each scorer is used.
    pub reports: Vec<String>,
    /// Whether the bundle is signed with the workspace's key.
    pub sign: bool,
}

/// A file that a bundle contains in addition to the run's files. Only its hash is checked.
#[derive(Clone, Debug)]
pub struct BundleExtra {
    /// Path in the bundle, which begins with `submission/`.
    pub path: String,
    /// Content of the file.
    pub content: Vec<u8>,
}

/// Path, size and content of a new bundle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BundleWritten {
    /// Path of the file.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Run that the bundle contains.
    pub subject: Subject,
    /// Public key of the signature; null when the bundle is not signed.
    pub signed_by: Option<String>,
    /// Sentences about content that the bundle lacks, such as cached responses.
    pub without: Vec<Sentence>,
}

/// State of a bundle's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SignatureState {
    /// The bundle is not signed.
    Unsigned,
    /// The signature is valid for the public key that it names. No key was required, so the reader
    /// must find out who owns this key.
    Signed,
    /// The signature is valid and was made by the required key.
    Trusted,
    /// The signature does not fit the content or was not made by the required key, or a required
    /// signature is missing.
    Refused,
}

/// Numbers of files, scores, calls and verdicts that were recomputed or compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct VerifiedCounts {
    /// Number of files that were compared with their hashes.
    pub files: u32,
    /// Total size in bytes of the files that were compared.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Number of reports that were scored again.
    pub reports: u32,
    /// Number of scores of tasks and means of levels that were compared.
    pub values: u32,
    /// Number of the compared scores and means that belong to metrics scored by judges.
    pub judged: u32,
    /// Number of tasks in the logs.
    pub tasks: u32,
    /// Number of tool calls that were compared with their answers.
    pub calls: u32,
    /// Number of verdicts that were compared with their questions.
    pub verdicts: u32,
}

/// Result of verifying a bundle.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Verification {
    /// Name of the file.
    pub file: String,
    /// Whether all checks passed.
    pub ok: bool,
    /// Run that the bundle contains; null if the manifest cannot be read.
    pub subject: Option<Subject>,
    /// Program and version that made the bundle.
    pub made_by: Option<String>,
    /// Date of the newest report in the bundle. If the bundle has no report, the time of the newest
    /// log.
    pub created: Option<String>,
    /// State of the signature.
    pub signature: SignatureState,
    /// Public key of the signature, in minisign's format.
    pub signed_by: Option<String>,
    /// Results of all checks, in the order they were made.
    pub checks: Vec<Check>,
    /// Number of failures, with the failures that `checks` does not list one by one.
    pub failures: u32,
    /// Numbers of files, scores, calls and verdicts that were recomputed or compared.
    pub counts: VerifiedCounts,
}

/// Key that bundles are signed with.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SigningKey {
    /// Public half of the key in minisign's format. It is the value for the option `--key` of `koab
    /// submit verify`.
    pub public_key: String,
    /// Whether this call generated the key.
    pub made: bool,
}
