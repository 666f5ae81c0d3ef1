//! What a maintainer of the leaderboard would object to.

mod data;
mod evidence;
mod integrity;
mod made;
mod naming;
mod scoring;
#[cfg(test)]
mod tests;

use super::document::Submission;
use super::files::{Files, paths};
use super::said::Told;
use crate::level::Level;
use crate::task::Task;
use evidence::Evidence;
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

/// What an objection is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ObjectionCode {
    /// A name, the vendor, the type or a contact is not given.
    MissingName,
    /// A built-in baseline.
    NotAModel,
    /// Levels are left out.
    MissingLevels,
    /// Tasks of a level are left out.
    FewerTasks,
    /// Only the first tasks of each level were scored.
    Sampled,
    /// Not the leaderboard's rules of running.
    OtherProtocol,
    /// Steps, time, sampling or the like are not the published ones.
    OtherSettings,
    /// Not one attempt a task.
    Repetitions,
    /// Too many calls found no recorded answer.
    LowHitRate,
    /// Answers came from elsewhere than the published recordings.
    OtherRecordings,
    /// Not the published tasks.
    OtherTasks,
    /// Not the published texts of tools.
    OtherTools,
    /// Not the published prompts of judges.
    OtherPrompts,
    /// Something that decides is not known.
    NotKnown,
    /// Attempts were not made.
    IncompleteRun,
    /// Attempts failed for technical reasons.
    TechnicalFailures,
    /// Not the leaderboard's rules of scoring.
    OtherScorer,
    /// Nobody judged.
    NoJudge,
    /// Not the leaderboard's judge.
    OtherJudges,
    /// Not three votes.
    OtherVotes,
    /// Errors of judges count as bad grades.
    JudgeErrors,
    /// Tasks or metrics have no score.
    Unscored,
    /// Logs or report of different runs.
    MixedRuns,
    /// A log is not what the journal has.
    EditedLog,
    /// The journal is not there.
    NoJournal,
    /// The report is not what logs and judges' answers give.
    EditedReport,
    /// The row is not what the report gives.
    EditedRow,
    /// What `submission.json` says of the run is not what the journal has.
    EditedFacts,
    /// A file is not the one that was prepared.
    ChangedFile,
    /// A file is not there.
    MissingFile,
    /// A file cannot be read.
    Unreadable,
    /// Something in the bundle does not verify.
    Unverified,
}

/// One thing that a maintainer would object to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Objection {
    /// What it is about.
    pub code: ObjectionCode,
    /// How much it weighs.
    pub severity: ObjectionSeverity,
    /// Where: a file, with the level, task or column behind it.
    pub place: String,
    /// What it is, one sentence.
    pub sentence: String,
    /// What to do about it, one sentence.
    pub remedy: String,
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
            data::check(&evidence, &mut found);
            made::check(&evidence, &mut found);
            scoring::check(&evidence, &mut found);
            integrity::check(&evidence, &mut found);
        }
        None => found.blocks(
            ObjectionCode::Unreadable,
            paths::SUBMISSION,
            Told::NoSubmission {},
            Told::PrepareAgain {},
        ),
    }
    found
        .0
        .sort_by_key(|objection| std::cmp::Reverse(objection.severity));
    found.0
}

/// Objections as they are found.
#[derive(Default)]
struct Objections(Vec<Objection>);

impl Objections {
    fn blocks(
        &mut self,
        code: ObjectionCode,
        place: impl Into<String>,
        sentence: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.push(code, ObjectionSeverity::Blocks, place, sentence, remedy);
    }

    fn asked(
        &mut self,
        code: ObjectionCode,
        place: impl Into<String>,
        sentence: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.push(code, ObjectionSeverity::Asked, place, sentence, remedy);
    }

    fn push(
        &mut self,
        code: ObjectionCode,
        severity: ObjectionSeverity,
        place: impl Into<String>,
        sentence: impl Into<String>,
        remedy: impl Into<String>,
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
                ObjectionCode::OtherProtocol
                    | ObjectionCode::OtherSettings
                    | ObjectionCode::OtherTasks
                    | ObjectionCode::OtherTools
                    | ObjectionCode::OtherPrompts
                    | ObjectionCode::OtherScorer
            )
        })
    }
}
