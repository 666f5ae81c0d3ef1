//! What a maintainer of the leaderboard would object to.

mod coverage;
mod evidence;
mod journal;
mod naming;
mod one_run;
mod report;
mod rules;
mod scores;
#[cfg(test)]
mod tests;

use super::document::Submission;
use super::files::{Files, paths};
use evidence::Evidence;
use koab_core::comparability::{Aspect, FindingCode};
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_core::{say, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How much an objection weighs. Later is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ObjectionSeverity {
    /// A maintainer will ask; the row can stand beside the others all the same.
    Asked,
    /// The row does not belong beside the others as it is.
    Blocks,
}

/// One thing that a maintainer would object to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Objection {
    /// What it is about.
    pub code: FindingCode,
    /// How much it weighs.
    pub severity: ObjectionSeverity,
    /// Where: a file, with the level, task or column behind it.
    pub place: String,
    /// What it is, one sentence.
    pub sentence: Sentence,
    /// What to do about it, one sentence.
    pub remedy: Sentence,
}

/// Tasks of a pack by level, in dataset order.
pub(super) type PackTasks = BTreeMap<Level, Vec<Task>>;

/// Everything a maintainer would object to, the gravest first. `pack` are the tasks of the pack that the run names, where it
/// is at hand: with them a changed statement of a task in a log is found as well.
pub fn check(files: &Files, pack: Option<&PackTasks>) -> Vec<Objection> {
    let mut found = Objections::default();
    match Evidence::read(files, pack, &mut found) {
        Some(evidence) => {
            naming::check(&evidence, &mut found);
            let departures = rules::Departures::of(&evidence);
            departures.object(&[Aspect::Tasks, Aspect::Tools], &evidence, &mut found);
            rules::check_prompts(&evidence, &mut found);
            departures.object(&[Aspect::Recordings], &evidence, &mut found);
            departures.object(&[Aspect::Protocol, Aspect::Settings], &evidence, &mut found);
            // Levels and tasks are counted in the logs.
            coverage::check(&evidence, &mut found);
            departures.object(&[Aspect::Attempts], &evidence, &mut found);
            rules::check_status(&evidence, &mut found);
            departures.object(&[Aspect::Scorer], &evidence, &mut found);
            scores::check_sample(&evidence, &mut found);
            departures.object(&[Aspect::Judges], &evidence, &mut found);
            scores::check(&evidence, &mut found);
            one_run::check(&evidence, &mut found);
            journal::check(&evidence, &mut found);
            report::check(&evidence, &mut found);
            hashes(&evidence, &mut found);
        }
        None => {
            let said = say!("there is no submission.json that can be read");
            found.blocks(FindingCode::Unreadable, paths::SUBMISSION, said, PREPARE_AGAIN);
        }
    }
    found
        .0
        .sort_by_key(|objection| std::cmp::Reverse(objection.severity));
    found.0
}

/// Files against their hashes.
fn hashes(evidence: &Evidence<'_>, found: &mut Objections) {
    for (file, is_there) in evidence.submission.changed_files(|path| evidence.files.get(path)) {
        if is_there {
            let said = say!("the file is not the one that was prepared");
            found.blocks(FindingCode::ChangedFile, &file.path, said, PREPARE_AGAIN);
        } else {
            found.blocks(FindingCode::MissingFile, &file.path, gone(), PREPARE_AGAIN);
        }
    }
}

/// What to do about a submission whose files do not fit each other.
pub const PREPARE_AGAIN: &str = text!("prepare the submission again with `koab submit prepare`");
const BRING_JOURNAL: &str = text!("prepare again from the workspace that made the run");
const ONE_RUN: &str =
    text!("hand in the logs and the report of one run; run the other levels again within it");

/// Places that are named one by one; what is edited everywhere needs no longer list.
const NAMED: usize = 5;

fn gone() -> Sentence {
    say!("the file is not there")
}

fn other_logs(level: Level) -> Sentence {
    say!("the report of {level} is not of this log: its figures are another log's")
}

/// Objections as they are found.
#[derive(Default)]
struct Objections(Vec<Objection>);

impl Objections {
    fn blocks(
        &mut self,
        code: FindingCode,
        place: impl Into<String>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.push(code, ObjectionSeverity::Blocks, place, sentence, remedy);
    }

    fn asked(
        &mut self,
        code: FindingCode,
        place: impl Into<String>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.push(code, ObjectionSeverity::Asked, place, sentence, remedy);
    }

    fn push(
        &mut self,
        code: FindingCode,
        severity: ObjectionSeverity,
        place: impl Into<String>,
        sentence: impl Into<Sentence>,
        remedy: impl Into<Sentence>,
    ) {
        self.0.push(Objection {
            code,
            severity,
            place: place.into(),
            sentence: sentence.into(),
            remedy: remedy.into(),
        });
    }
}

/// A place within a file.
fn within(file: &str, place: &str) -> String {
    format!("{file}: {place}")
}

impl Submission {
    /// Whether prompts, tools or rules are not the published ones, by these objections.
    pub fn is_custom(objections: &[Objection]) -> bool {
        objections.iter().any(|objection| {
            matches!(
                objection.code,
                FindingCode::OtherProtocol
                    | FindingCode::OtherSettings
                    | FindingCode::OtherTasks
                    | FindingCode::OtherTools
                    | FindingCode::OtherPrompts
                    | FindingCode::OtherScorer
            )
        })
    }
}
