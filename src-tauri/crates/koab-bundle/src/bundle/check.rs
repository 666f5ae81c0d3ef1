//! What was looked at in a bundle and how it stands.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Failures of one kind that are listed one by one; of more only the number is told.
const LISTED: usize = 20;

/// What is looked at, in the order in which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "BundleCheckName")
)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// The archive: one form, plain entries, nothing hidden between them.
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

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "BundleCheckState")
)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// It is as it must be.
    Held,
    /// It is not: the bundle is refused.
    Failed,
    /// What it would be compared with is not there, and why is said.
    NotCheckable,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "BundleCheck"))]
pub struct Check {
    /// What kind of thing.
    pub name: CheckName,
    /// Where in the bundle; empty for the whole.
    pub place: String,
    /// How it stands.
    pub state: CheckState,
    /// What was found, one sentence fragment that goes on from the place.
    pub sentence: Sentence,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "{}", self.sentence),
            place => write!(f, "{place}: {}", self.sentence),
        }
    }
}

/// Checks as they are made.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    checks: Vec<Check>,
    unlisted: usize,
}

impl Findings {
    /// Notes that something is as it must be.
    pub fn held(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        self.add(name, place, CheckState::Held, sentence);
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
        let failed = |check: &&Check| check.name == name && check.state == CheckState::Failed;
        if self.checks.iter().filter(failed).count() < LISTED {
            self.add(name, place, CheckState::Failed, sentence);
        } else {
            self.unlisted += 1;
        }
    }

    /// Notes that something cannot be compared with anything.
    pub fn open(&mut self, name: CheckName, place: impl Into<String>, sentence: impl Into<Sentence>) {
        self.add(name, place, CheckState::NotCheckable, sentence);
    }

    /// Failures so far, listed or not.
    pub fn failures(&self) -> usize {
        let failed = |check: &&Check| check.state == CheckState::Failed;
        self.checks.iter().filter(failed).count() + self.unlisted
    }

    /// Failures that are counted and not listed.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }

    /// All checks, by what they are about.
    pub fn into_checks(mut self) -> Vec<Check> {
        self.checks.sort_by_key(|check| check.name);
        self.checks
    }

    fn add(
        &mut self,
        name: CheckName,
        place: impl Into<String>,
        state: CheckState,
        sentence: impl Into<Sentence>,
    ) {
        self.checks.push(Check {
            name,
            place: place.into(),
            state,
            sentence: sentence.into(),
        });
    }
}
