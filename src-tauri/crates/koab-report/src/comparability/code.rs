//! Stable names of findings about comparability, and of objections to a submission.

use serde::{Deserialize, Serialize};

/// Stable name of the topic of a finding about comparability, or of an objection to a submission.
///
/// A difference is one from the other side of the comparison, or from the published runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum FindingCode {
    /// A name, the vendor, the type or a contact is not given.
    MissingName,
    /// The model is a built-in baseline.
    NotAModel,
    /// Not all levels were run.
    MissingLevels,
    /// Not all tasks of a level were run.
    FewerTasks,
    /// Only the first tasks of each level were scored.
    Sampled,
    /// The rules of the run differ.
    OtherProtocol,
    /// Steps, time, sampling or similar settings differ.
    OtherSettings,
    /// An external agent program drove the model.
    OtherAgent,
    /// The number of attempts per task differs.
    Repetitions,
    /// Calls found no cached response.
    LowHitRate,
    /// Tool calls were answered by other cached responses, or by a snapshot, saved responses or
    /// live APIs.
    OtherRecordings,
    /// The tasks differ.
    OtherTasks,
    /// The texts of tools differ.
    OtherTools,
    /// The judges' prompts are not the published ones.
    OtherPrompts,
    /// A deciding fact is unknown.
    #[default]
    NotKnown,
    /// The run was changed while it was being made.
    ChangedRun,
    /// Attempts were not made.
    IncompleteRun,
    /// Attempts failed for technical reasons.
    TechnicalFailures,
    /// Prompts of attempts did not fit the model's context.
    Shortened,
    /// The rules of scoring differ.
    OtherScorer,
    /// No judge was called.
    NoJudge,
    /// The judges differ.
    OtherJudges,
    /// The number of votes differs.
    OtherVotes,
    /// The aggregation of several judges' grades differs.
    OtherAggregate,
    /// The judge is the leaderboard's model on another host.
    SameJudge,
    /// A judge and the model have the same maker.
    OwnFamily,
    /// Failed judge calls count as bad grades.
    JudgeErrors,
    /// Tasks or metrics have no score.
    Unscored,
    /// Logs and report come from different runs.
    MixedRuns,
    /// A log differs from the journal.
    EditedLog,
    /// The journal is missing.
    NoJournal,
    /// The report differs from the report that the logs and the judges' answers give.
    EditedReport,
    /// The row differs from the row that the report gives.
    EditedRow,
    /// The facts about the run in `submission.json` differ from the journal.
    EditedFacts,
    /// A file differs from the file as it was prepared.
    ChangedFile,
    /// A file is missing.
    MissingFile,
    /// A file cannot be read.
    Unreadable,
    /// A part of the bundle cannot be checked.
    Unverified,
}
