//! What was looked at in a bundle and how it stands.

use koab_core::finding::{Finding, Severity};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// Failures of one kind that are listed one by one; of more only the number is told.
const LISTED: usize = 20;

/// What is looked at, in the order in which it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundleCheckName"))]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// The archive: one form, plain entries, nothing hidden between them.
    #[default]
    Container,
    /// `koab.json`.
    Manifest,
    /// Every file against the manifest's sizes and hashes.
    Files,
    /// The signature.
    Signature,
    /// Tasks, tool texts and prompts, against what the run wrote down of its pack.
    Pack,
    /// `run.json` against the journal.
    Run,
    /// The journal's attempts against its steps.
    Journal,
    /// Level logs, rebuilt from the journal.
    Logs,
    /// Answers of tool calls against recordings, tool texts and injected failures.
    Calls,
    /// Verdicts against the questions that the logs and prompts give.
    Verdicts,
    /// Reports, scored again.
    Reports,
    /// What the manifest says of the run, against all this.
    Subject,
    /// Files for a leaderboard, against the reports.
    Submission,
}

/// One thing that was looked at. What failed is an error, and refuses the bundle; what cannot be
/// compared with anything is a note.
pub type Check = Finding<CheckName>;

/// Checks as they are made.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    checks: Vec<Check>,
    unlisted: usize,
}

impl Findings {
    /// Notes that something is as it must be.
    pub fn held(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        self.add(name, place, Severity::Pass, sentence);
    }

    /// Notes that something is as it must be if nothing failed since there were `before` failures.
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

    /// Notes that something is not as it must be.
    pub fn failed(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        let failed = |check: &&Check| check.code == name && check.is_error();
        if self.checks.iter().filter(failed).count() < LISTED {
            self.add(name, place, Severity::Error, sentence);
        } else {
            self.unlisted += 1;
        }
    }

    /// Notes so many failures more than those that were told.
    pub fn failed_unlisted(&mut self, count: usize) {
        self.unlisted += count;
    }

    /// Notes that something cannot be compared with anything.
    pub fn open(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        self.add(name, place, Severity::Note, sentence);
    }

    /// Failures so far, listed or not.
    pub fn failures(&self) -> usize {
        self.checks.iter().filter(|check| check.is_error()).count() + self.unlisted
    }

    /// Failures that are counted and not listed.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }

    /// All checks, by what they are about.
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
        self.checks.push(match place.is_empty() {
            true => check,
            false => check.in_file(place),
        });
    }
}
