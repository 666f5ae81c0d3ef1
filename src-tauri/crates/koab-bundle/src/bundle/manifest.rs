//! `koab.json`: the manifest of a bundle.

use super::check::{CheckName, Findings};
use super::names::{self, MANIFEST};
use super::subject::Subject;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of the bundle format that this version of koab writes. It is also the newest version
/// that koab reads.
pub const FORMAT: u32 = 1;

/// The manifest of a bundle, with its keys in this order. Other keys are refused, because a reader
/// does not know their meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the format, [`FORMAT`].
    pub format: u32,
    /// Kind of the content, always `run`.
    pub kind: String,
    /// Name and version of the program that wrote the bundle, such as `koab 0.1.0`.
    pub made_by: String,
    /// Time of the content: the time of the last scoring, or of the last log if there is no report.
    ///
    /// The time of bundling is not stored, so that the same run always results in the same bytes.
    pub created: String,
    /// Summary of the run.
    pub subject: Subject,
    /// Reports in the bundle.
    pub reports: Vec<ReportEntry>,
    /// Content that the bundle lacks.
    pub without: Vec<Without>,
    /// All files except the manifest and the signature, by path.
    pub files: Vec<BundleFile>,
}

/// A report of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportEntry {
    /// Rules that the report was scored by. The folder of its files has the same name.
    pub scorer: Protocol,
    /// Whether the user named the judges for the scoring. If so, a new scoring uses the judges that
    /// the report names, in the report's order.
    ///
    /// Otherwise a new scoring uses the judges of the bundled verdicts, and the first of them votes
    /// on SR (the success rate).
    pub judges_named: bool,
}

/// Kind of content that may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithoutWhat {
    /// `run.json` and the journal, which are missing when another tool made the run.
    Journal,
    /// Cached responses that answered some calls.
    Records,
    /// Reports of the run.
    Reports,
}

/// Content that a bundle lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Without {
    /// Kind of the content.
    pub what: WithoutWhat,
    /// Number of missing entries; 1 for content that exists only once.
    pub count: u64,
}

/// Path, size and hash of a file in the bundle. The file is checked against them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleFile {
    /// Path in the archive.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the file's content, lower-case hex.
    pub sha256: String,
}

/// Part of a manifest that every version of koab can read.
#[derive(Deserialize)]
struct Probe {
    format: u64,
}

impl Manifest {
    /// Number of missing entries of this kind, according to the manifest.
    pub fn lacks(&self, what: WithoutWhat) -> u64 {
        let of = self.without.iter().filter(|without| without.what == what);
        of.map(|without| without.count).sum()
    }

    /// Text of the manifest, indented by two spaces and with a newline at the end.
    ///
    /// # Errors
    /// When a number in the manifest cannot be written as JSON.
    pub fn text(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Reads a manifest and adds its problems to `findings`. Without a manifest, no other file of
    /// the bundle can be read.
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
            fail(say!("is not in the form in which koab writes it, so another program has changed it"));
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
                fail(say!("the manifest names itself or its signature, whose hash it cannot contain"));
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
