//! Types of the judge lab: runs under several judges, judging again, and the blind review of
//! disagreements.

use super::{JudgeEstimate, QueueDraw};
use koab_analysis::judge_lab::{
    JudgeAgainstPeople, JudgeCoverage, JudgesEffect, LabAgreement, LabFlip, ShownInput,
};
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Selection of the runs, questions and judges to compare.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabRequest {
    /// Runs, each by its id or folder.
    pub runs: Vec<String>,
    /// Report ids. Each id selects the run that the report belongs to.
    pub reports: Vec<String>,
    /// Scorer whose questions are compared. The two scorers ask judges different questions.
    pub scorer: Protocol,
    /// Judges that do not count when all judges are combined.
    #[serde(default)]
    pub without: Vec<String>,
    /// Judges that count when all judges are combined, although they have answered few questions.
    #[serde(default)]
    pub with: Vec<String>,
}

/// Run whose judges the lab compares, with its counts of questions and tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabRun {
    /// Run id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Number of questions to judges.
    pub questions: u32,
    /// Number of scored tasks.
    pub tasks: u32,
    /// Reports of the run whose recorded verdicts were read.
    pub reports: Vec<String>,
}

/// A run or report that the comparison leaves out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabLeftOut {
    /// The id in the request.
    pub id: String,
    /// Reason why the run or report is left out.
    pub reason: Sentence,
}

/// Comparison of several judges on the same runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabView {
    /// The compared runs. All lists by run have the order of this list.
    pub runs: Vec<LabRun>,
    /// Requested runs and reports that the comparison leaves out.
    pub left_out: Vec<LabLeftOut>,
    /// Scorer whose questions are compared.
    pub scorer: Protocol,
    /// Number of answered questions of each judge.
    pub coverage: Vec<JudgeCoverage>,
    /// The judges that count when all judges are combined.
    pub together: Vec<String>,
    /// Agreement of the judges; empty if there are fewer than two judges.
    pub agreement: Vec<LabAgreement>,
    /// Effect of the choice of judges on scores and ranks.
    pub effect: JudgesEffect,
    /// Yes-or-no questions with different answers of the judges that count.
    pub flips: Vec<LabFlip>,
    /// Number of questions that could change a score and have different answers of judges, or
    /// different votes of one judge.
    pub disagreements: u32,
    /// Other remarks for the reader, one sentence each.
    pub notes: Vec<Sentence>,
}

/// Request to judge again.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskRequest {
    /// Selection of the runs and their questions.
    pub of: LabRequest,
    /// Judges as `provider/model`. Each judge is asked every question that it has not answered.
    pub judges: Vec<String>,
    /// Address of the judges' server.
    pub base_url: Option<String>,
    /// Cap on the cost of all judges, in USD.
    pub max_cost: Option<f64>,
    /// Cap on the tokens of all judges.
    #[ts(type = "number | null")]
    pub max_total_tokens: Option<u64>,
}

/// Estimate for judging again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskPlan {
    /// Run ids.
    pub runs: Vec<String>,
    /// Estimates over all runs, one per judge.
    pub judges: Vec<JudgeEstimate>,
    /// Cost of all judges in USD; null if the price of a judge to be called is not known.
    pub usd: Option<f64>,
    /// Sentence on the source of the token figures.
    pub from: Sentence,
}

/// Result of judging again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskEnd {
    /// Whether a cap left questions unanswered. The next request to judge again continues with
    /// them.
    pub stopped: bool,
    /// Number of answers that now exist, of all answers that the request needs.
    pub answered: u32,
    /// Number of failed calls of judges.
    pub failed: u32,
    /// Other remarks for the reader, one sentence each.
    pub notes: Vec<Sentence>,
}

/// Request to make a review queue.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueRequest {
    /// Selection of the runs and their questions.
    pub of: LabRequest,
    /// Maximum number of questions; null means 20 disputed questions or 60 random questions.
    pub most: Option<u32>,
    /// Metric whose questions are drawn at random, for an estimate. Null selects the most disputed
    /// questions of all metrics.
    #[serde(default)]
    pub metric: Option<MetricId>,
    /// Seed of the random draw. For disputed questions, the seed of the order of equally ranked
    /// questions.
    #[ts(type = "number")]
    pub seed: u64,
    /// Name of the reviewer.
    pub by: String,
}

/// Queues of questions for reviewers.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct QueueList {
    /// Queues, the newest first.
    pub queues: Vec<QueueSummary>,
    /// A sentence for each queue that cannot be read.
    pub unreadable: Vec<Sentence>,
}

/// A review queue in the list of queues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueSummary {
    /// Id of the queue. The same questions, reviewer and seed result in the same id.
    pub id: String,
    /// Name of the reviewer.
    pub by: String,
    /// Ids of the runs that contain the questions.
    pub runs: Vec<String>,
    /// Number of questions.
    pub questions: u32,
    /// Number of questions with an answer, including unsure answers and skipped questions.
    pub answered: u32,
    /// Creation time, UTC, ISO 8601.
    pub made_at: String,
    /// Time at which the queue was revealed; null while the review is blind.
    pub revealed_at: Option<String>,
    /// Time at which the answers became overrides.
    pub applied_at: Option<String>,
    /// Seed of the order of the queue, or of its random draw.
    #[ts(type = "number")]
    pub seed: u64,
    /// Parameters of the random draw; null for a queue of the most disputed questions.
    pub draw: Option<QueueDraw>,
}

/// A question as the reviewer sees it, without models, judges, votes and scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BlindQuestion {
    /// 1-based position in the queue.
    pub number: u32,
    /// Metric that the question decides.
    pub metric: MetricId,
    /// Whether the answer is yes or no. Otherwise the answer is a grade from 1 to 5.
    pub yes_no: bool,
    /// Texts that the reviewer bases the answer on.
    pub inputs: Vec<ShownInput>,
    /// The current answer of the reviewer.
    pub answer: Option<BlindAnswer>,
}

/// A reviewer's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BlindAnswer {
    /// Yes or no. Null for a grade, an unsure answer and a skipped question.
    pub success: Option<bool>,
    /// Grade from 1 to 5. Null for yes or no, an unsure answer and a skipped question.
    pub score: Option<u8>,
    /// Whether the reviewer has read the question and could not decide.
    pub unsure: bool,
    /// The reviewer's note.
    pub note: String,
}

/// A review queue with its questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueView {
    /// The queue, as in the list of queues.
    pub queue: QueueSummary,
    /// The questions in the order of the queue.
    pub questions: Vec<BlindQuestion>,
}

/// A question of a revealed queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RevealedQuestion {
    /// 1-based position in the queue.
    pub number: u32,
    /// Run id.
    pub run: String,
    /// Model id of the run.
    pub model: String,
    /// Task id.
    pub task: String,
    /// Metric that the question decides.
    pub metric: MetricId,
    /// Answers of the judges when the queue was made: yes or no, or a grade.
    pub judges: Vec<JudgeAnswer>,
    /// The reviewer's answer.
    pub answer: Option<BlindAnswer>,
    /// Weight in the selection of questions: `d · (e + s) / 2`.
    pub weight: f64,
    /// `d`: disagreement of the judges.
    pub disagreement: f64,
    /// `e`: share of the task's score that depends on the answer.
    pub effect: f64,
    /// `s`: share of the other runs that this run could change ranks with.
    pub swaps: f64,
}

/// A judge's answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeAnswer {
    /// Judge model id.
    pub judge: String,
    /// Yes or no; null for a grade.
    pub success: Option<bool>,
    /// Grade from 1 to 5; null for yes or no.
    pub score: Option<u8>,
}

/// Result of a blind review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueReveal {
    /// The queue, as in the list of queues.
    pub queue: QueueSummary,
    /// Agreement of each judge with the reviewer, the closest judge first.
    pub judges: Vec<JudgeAgainstPeople>,
    /// The questions in the order of the queue.
    pub questions: Vec<RevealedQuestion>,
    /// Reason why the judges cannot be compared with the reviewer; null if they can be compared.
    pub reason: Option<Sentence>,
}

/// Result of applying a queue's answers as overrides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueApplied {
    /// Number of answers that became overrides.
    pub applied: u32,
    /// Number of questions without an answer or with an unsure answer. They do not become
    /// overrides.
    pub left: u32,
    /// Answers that could not become overrides, each with the reason.
    pub refused: Vec<LabLeftOut>,
}

/// A review queue as a file for a reviewer on another computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueFile {
    /// Suggested file name.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

/// Result of reading a reviewer's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueAnswered {
    /// The queue after the answers of the file were added.
    pub queue: QueueSummary,
    /// Number of answers that were read from the file.
    pub taken: u32,
    /// Number of lines without an answer.
    pub empty: u32,
}
