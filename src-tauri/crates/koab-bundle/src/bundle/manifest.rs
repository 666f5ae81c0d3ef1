//! `koab.json`: the manifest of a bundle.

use super::check::{CheckName, Findings};
use super::names::{self, MANIFEST};
use super::subject::Subject;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of the bundle format that this version of koab writes, and the newest that it reads.
pub const FORMAT: u32 = 1;

/// The manifest. Its keys have this order. Other keys are refused, because a reader does not know
/// what they mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the format, [`FORMAT`].
    pub format: u32,
    /// Kind of the content, `run`.
    pub kind: String,
    /// The program and its version, such as `koab 0.1.0`.
    pub made_by: String,
    /// Time of the content: the last scoring, or without reports the last log. The time of bundling
    /// is not stored, so that the same run always gives the same bytes.
    pub created: String,
    /// Summary of the run.
    pub subject: Subject,
    /// Reports in the bundle.
    pub reports: Vec<ReportEntry>,
    /// Content that is missing.
    pub without: Vec<Without>,
    /// All other files, by path.
    pub files: Vec<BundleFile>,
}

/// A report of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportEntry {
    /// Rules that it was scored by. Its files are in the folder of that name.
    pub scorer: Protocol,
    /// Whether judges were named for the scoring, in the order of the report. Otherwise the judges
    /// are those of the verdicts, and the first of them votes on SR.
    pub judges_named: bool,
}

/// Kind of content that may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithoutWhat {
    /// `run.json` and the journal, because the run was made elsewhere.
    Journal,
    /// Recordings that answered some calls.
    Records,
    /// Reports.
    Reports,
}

/// Content that is missing in a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Without {
    /// Kind of the content.
    pub what: WithoutWhat,
    /// Number of missing things; 1 for content that exists once.
    pub count: u64,
}

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleFile {
    /// Path in the archive.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of its content, lower-case hex.
    pub sha256: String,
}

/// Part of a manifest that every version can read.
#[derive(Deserialize)]
struct Probe {
    format: u64,
}

impl Manifest {
    /// Number of missing things of this kind, according to the manifest.
    pub fn lacks(&self, what: WithoutWhat) -> u64 {
        let of = self.without.iter().filter(|without| without.what == what);
        of.map(|without| without.count).sum()
    }

    /// The manifest as it is written, indented by two spaces and with a line end.
    ///
    /// # Errors
    /// When a number in it cannot be written as JSON.
    pub fn text(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Reads a manifest and adds its problems to `findings`. Nothing else can be read without a
    /// manifest.
    pub fn read(text: &[u8], findings: &mut Findings) -> Option<Self> {
        let mut fail = |sentence: Sentence| findings.failed(CheckName::Manifest, MANIFEST, sentence);
        match serde_json::from_slice::<Probe>(text) {
            Err(error) => {
                fail(say!("is not a manifest of a bundle: {error}"));
                return None;
            }
            Ok(probe) if probe.format != u64::from(FORMAT) => {
                fail(say!(
                    "is of bundle format {found}, and this version reads format {known}; update koab",
                    found = probe.format,
                    known = FORMAT
                ));
                return None;
            }
            Ok(_) => {}
        }
        let manifest: Self = match serde_json::from_slice(text) {
            Ok(manifest) => manifest,
            Err(error) => {
                fail(say!("is not a manifest of a bundle: {error}"));
                return None;
            }
        };
        if manifest.kind != "run" {
            fail(say!(
                "is a bundle of `{found}`, and this version knows bundles of a `run`",
                found = manifest.kind
            ));
        }
        // Only one spelling is allowed, so that no repeated key and no number that readers round
        // differently can hide in it.
        if manifest.text().ok().as_deref() != Some(text) {
            fail(say!("is not spelled as koab writes it, so it was changed by something else"));
        }
        manifest.check_files(findings);
        Some(manifest)
    }

    fn check_files(&self, findings: &mut Findings) {
        let mut paths = BTreeSet::new();
        for file in &self.files {
            let mut fail = |sentence: Sentence| findings.failed(CheckName::Manifest, &file.path, sentence);
            if let Err(why) = names::is_place(&file.path) {
                fail(say!("the manifest names a file that {why}"));
            }
            if file.path == MANIFEST || file.path == names::SIGNATURE {
                fail(say!("the manifest names itself or its signature, which it cannot hold the hash of"));
            }
            if !paths.insert(file.path.to_lowercase()) {
                fail(say!("the manifest names this file twice, letter case aside"));
            }
        }
        if !self.files.is_sorted_by(|one, other| one.path <= other.path) {
            let sentence = say!("does not list its files in the order of their names");
            findings.failed(CheckName::Manifest, MANIFEST, sentence);
        }
    }
}
