//! What a finding or an objection is about, by a name that stays.

use serde::{Deserialize, Serialize};

/// What a finding or an objection is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum FindingCode {
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
    /// Other rules of running.
    OtherProtocol,
    /// Steps, time, sampling or the like are others.
    OtherSettings,
    /// A program of somebody else's drove the model.
    OtherAgent,
    /// Another number of attempts a task.
    Repetitions,
    /// Calls found no cached response.
    LowHitRate,
    /// Answers came from other recordings, or from elsewhere.
    OtherRecordings,
    /// Other tasks.
    OtherTasks,
    /// Other texts of tools.
    OtherTools,
    /// Not the published prompts of judges.
    OtherPrompts,
    /// Something that decides is not known.
    #[default]
    NotKnown,
    /// Attempts were not made.
    IncompleteRun,
    /// Attempts failed for technical reasons.
    TechnicalFailures,
    /// Attempts did not fit the model's context.
    Shortened,
    /// Other rules of scoring.
    OtherScorer,
    /// Nobody judged.
    NoJudge,
    /// Other judges.
    OtherJudges,
    /// Another number of votes.
    OtherVotes,
    /// Grades of several judges are combined otherwise.
    OtherAggregate,
    /// The leaderboard's judge at another host.
    SameJudge,
    /// A judge of the model's own maker.
    OwnFamily,
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
