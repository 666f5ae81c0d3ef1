//! Checks of a bundle and their results.

use koab_core::finding::{Finding, Severity};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// Maximum number of failures of one kind that are listed. Further failures are only counted.
const LISTED: usize = 20;

/// Subject of a check, in the order of the checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundleCheckName"))]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// The archive file, which must have the expected format, plain entries and no hidden data
    /// between them.
    #[default]
    Container,
    /// The manifest, `koab.json`.
    Manifest,
    /// All files, compared with the sizes and hashes in the manifest.
    Files,
    /// Signature over the manifest.
    Signature,
    /// Tasks, tool texts and prompts, compared with the hashes that the run recorded.
    Pack,
    /// `run.json`, compared with the journal.
    Run,
    /// Attempts of the journal, compared with its steps.
    Journal,
    /// Level logs, compared with logs that are rebuilt from the journal.
    Logs,
    /// Answers of tool calls, compared with cached responses, tool texts and injected failures.
    Calls,
    /// Verdicts, compared with the questions that the logs and prompts give.
    Verdicts,
    /// Reports, compared with reports that are scored again.
    Reports,
    /// Summary of the run in the manifest, compared with all other files.
    Subject,
    /// Files for a leaderboard, compared with the reports.
    Submission,
}

/// Result of one check. An error refuses the bundle. A note means that the content cannot be
/// compared with any other content.
pub type Check = Finding<CheckName>;

/// Results of the checks so far.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    checks: Vec<Check>,
    unlisted: usize,
}

impl Findings {
    /// Records that content is as expected.
    pub fn held(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        self.add(name, place, Severity::Pass, sentence);
    }

    /// Records that content is as expected, unless failures were added since their number was
    /// `before`.
    pub fn held_since(
        &mut self,
        before: usize,
        name: CheckName,
        place: impl Into<String>,
        sentence: impl Into<Sentence>,
    ) {
        if self.failures() == before {
            self.held(name, place, sentence);
        }
    }

    /// Records that content is not as expected.
    pub fn failed(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        let failed = |check: &&Check| check.code == name && check.is_error();
        if self.checks.iter().filter(failed).count() < LISTED {
            self.add(name, place, Severity::Error, sentence);
        } else {
            self.unlisted += 1;
        }
    }

    /// Counts further failures that are not listed.
    pub fn failed_unlisted(&mut self, count: usize) {
        self.unlisted += count;
    }

    /// Records that content cannot be compared with any other content.
    pub fn open(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        self.add(name, place, Severity::Note, sentence);
    }

    /// Number of failures so far, including failures that are not listed.
    pub fn failures(&self) -> usize {
        self.checks.iter().filter(|check| check.is_error()).count() + self.unlisted
    }

    /// Number of failures that are counted but not listed.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }

    /// All results, sorted by the subject of the check.
    pub fn into_checks(mut self) -> Vec<Check> {
        self.checks.sort_by_key(|check| check.code);
        self.checks
    }

    fn add(
        &mut self,
        name: CheckName,
        place: impl Into<String>,
        severity: Severity,
        sentence: impl Into<Sentence>,
    ) {
        let (check, place) = (Finding::new(name, severity, sentence), place.into());
        self.checks.push(if place.is_empty() { check } else { check.in_file(place) });
    }
}
