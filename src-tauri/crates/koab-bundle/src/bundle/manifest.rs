//! `koab.json`: what a bundle says about itself.

use super::check::{CheckName, Findings};
use super::names::{self, MANIFEST};
use super::subject::Subject;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The form of bundles that this version writes, and the newest that it reads.
pub const FORMAT: u32 = 1;

/// The manifest. Its keys are in this order, and there are no others: what a reader does not know
/// could say anything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: u32,
    /// `run`.
    pub kind: String,
    /// The program and its version, such as `koab 0.1.0`.
    pub made_by: String,
    /// When what is in it was done: the last scoring, or the end of the run. Not when the bundle
    /// was made, so that the same run always gives the same bytes.
    pub created: String,
    /// What it is of.
    pub subject: Subject,
    /// Its reports.
    pub reports: Vec<ReportEntry>,
    /// What it lacks, and why.
    pub without: Vec<Without>,
    /// Every other file, by path.
    pub files: Vec<BundleFile>,
}

/// A report of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportEntry {
    /// By which rules it was scored; its files lie in the folder of that name.
    pub scorer: Protocol,
    /// Whether judges were named for it, in the order that the report has. Else whoever the
    /// verdicts name judged, and who comes first there votes on SR.
    pub judges_named: bool,
}

/// What could not be put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithoutWhat {
    /// The run was made elsewhere: no `run.json`, no journal.
    Journal,
    /// Recordings that some calls hit.
    Records,
    /// Reports.
    Reports,
}

/// Something that a bundle lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Without {
    /// What.
    pub what: WithoutWhat,
    /// How many; of one thing, 1.
    pub count: u64,
}

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleFile {
    /// Its name in the archive.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its content, lower-case hex.
    pub sha256: String,
}

/// The part that every version can read.
#[derive(Deserialize)]
struct Probe {
    format: u64,
}

impl Manifest {
    /// How many of something the bundle says that it lacks.
    pub fn lacks(&self, what: WithoutWhat) -> u64 {
        let of = self.without.iter().filter(|without| without.what == what);
        of.map(|without| without.count).sum()
    }

    /// The manifest as it is written: two spaces deep, with a line end.
    ///
    /// # Errors
    /// When a number in it is none that JSON has.
    pub fn text(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Reads a manifest; what is wrong with it goes to `findings`. Without one nothing else can be
    /// read.
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
        // One meaning, one spelling: a key twice, or numbers that two readers would round
        // differently, cannot hide in it.
        if manifest.text().ok().as_deref() != Some(text) {
            fail(say!("is not spelled as koab writes it, so it was changed by something else"));
        }
        manifest.check_files(findings);
        Some(manifest)
    }

    fn check_files(&self, findings: &mut Findings) {
        let mut seen = BTreeSet::new();
        for file in &self.files {
            let mut fail = |sentence: Sentence| findings.failed(CheckName::Manifest, &file.path, sentence);
            if let Err(why) = names::is_place(&file.path) {
                fail(say!("the manifest names a file that {why}"));
            }
            if file.path == MANIFEST || file.path == names::SIGNATURE {
                fail(say!("the manifest names itself or its signature, which it cannot hold the hash of"));
            }
            if !seen.insert(file.path.to_lowercase()) {
                fail(say!("the manifest names this file twice, letter case aside"));
            }
        }
        if !self.files.is_sorted_by(|one, other| one.path <= other.path) {
            let said = say!("does not list its files in the order of their names");
            findings.failed(CheckName::Manifest, MANIFEST, said);
        }
    }
}
