//! Types of the judge lab: runs under several judges, judging again, and the blind review of
//! disagreements.

use super::{JudgeEstimate, QueueDraw};
use koab_analysis::judge_lab::{
    JudgeAgainstPeople, JudgeCoverage, JudgesEffect, LabAgreement, LabFlip, ShownInput,
};
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Selection of the runs, questions and judges to compare.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabRequest {
    /// Runs by id or folder.
    pub runs: Vec<String>,
    /// Report ids; each selects the run behind the report.
    pub reports: Vec<String>,
    /// Scorer whose questions are compared; the two scorers ask differently.
    pub scorer: Protocol,
    /// Judges to leave out where all judges are taken together.
    #[serde(default)]
    pub without: Vec<String>,
    /// Judges to include where all judges are taken together, although they have answered few
    /// questions.
    #[serde(default)]
    pub with: Vec<String>,
}

/// A run in the lab.
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
    /// The id as the request names it.
    pub id: String,
    /// Reason for leaving it out.
    pub reason: Sentence,
}

/// Comparison of several judges on the same runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabView {
    /// The runs; lists by run have this order.
    pub runs: Vec<LabRun>,
    /// Requested runs and reports that the comparison leaves out.
    pub left_out: Vec<LabLeftOut>,
    /// Scorer whose questions are compared.
    pub scorer: Protocol,
    /// Numbers of answered questions per judge.
    pub coverage: Vec<JudgeCoverage>,
    /// The judges that count where all are taken together.
    pub together: Vec<String>,
    /// Agreement of the judges; empty with fewer than two.
    pub agreement: Vec<LabAgreement>,
    /// Effect of the choice of judges on scores and ranks.
    pub effect: JudgesEffect,
    /// Yes-or-no questions on which the judges that count disagree.
    pub flips: Vec<LabFlip>,
    /// Number of questions on which judges, or the votes of one judge, disagree and which could
    /// change a score.
    pub disagreements: u32,
    /// Further remarks for the reader, one sentence each.
    pub notes: Vec<Sentence>,
}

/// Request to judge again.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskRequest {
    /// Selection of the runs and their questions.
    pub of: LabRequest,
    /// Judges as `provider/model`; each gets every question that it has not answered.
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
    /// Cost of all judges in USD; null when a judge to be called has no known price.
    pub usd: Option<f64>,
    /// Sentence on the source of the token figures.
    pub from: Sentence,
}

/// Result of judging again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskEnd {
    /// Whether a cap left questions unasked; judging again continues with them.
    pub stopped: bool,
    /// Number of answers that now exist to the questions that the judges were to answer.
    pub answered: u32,
    /// Number of failed calls of judges.
    pub failed: u32,
    /// Further remarks for the reader, one sentence each.
    pub notes: Vec<Sentence>,
}

/// Request to make a review queue.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueRequest {
    /// Selection of the runs and their questions.
    pub of: LabRequest,
    /// Maximum number of questions; null means 20 disputed or 60 random ones.
    pub most: Option<u32>,
    /// Metric whose questions are drawn at random, for an estimate. Null selects the disputed
    /// questions of all metrics first.
    #[serde(default)]
    pub metric: Option<String>,
    /// Seed of the draw, or of the order among equally ranked questions.
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
    /// Ids of the runs that the questions come from.
    pub runs: Vec<String>,
    /// Number of questions.
    pub questions: u32,
    /// Number of questions with an answer, including unsure and skipped ones.
    pub answered: u32,
    /// Creation time, UTC, ISO 8601.
    pub made_at: String,
    /// Time at which the queue was revealed; null while it is blind.
    pub revealed_at: Option<String>,
    /// Time at which the answers became overrides.
    pub applied_at: Option<String>,
    /// Seed of the queue's order or draw.
    #[ts(type = "number")]
    pub seed: u64,
    /// Parameters of the random draw; null for a queue of the most disputed questions.
    pub draw: Option<QueueDraw>,
}

/// A question as the reviewer sees it: without model, judge, vote and score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BlindQuestion {
    /// 1-based position in the queue.
    pub number: u32,
    /// Metric that the question decides.
    pub metric: String,
    /// Whether the answer is yes or no; else it is a grade from 1 to 5.
    pub yes_no: bool,
    /// Texts on which the reviewer bases the answer.
    pub inputs: Vec<ShownInput>,
    /// The reviewer's answer so far.
    pub answer: Option<BlindAnswer>,
}

/// A reviewer's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BlindAnswer {
    /// Yes or no; null for a grade, an unsure answer and a skipped question.
    pub success: Option<bool>,
    /// Grade from 1 to 5; null for yes or no, an unsure answer and a skipped question.
    pub score: Option<u8>,
    /// Whether the reviewer looked at the question and could not decide.
    pub unsure: bool,
    /// The reviewer's note.
    pub note: String,
}

/// A review queue with its questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueView {
    /// The queue, as the list of queues has it.
    pub queue: QueueSummary,
    /// The questions in order.
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
    pub metric: String,
    /// The judges' answers at the time the queue was made, as yes or no or a grade.
    pub judges: Vec<JudgeAnswer>,
    /// The reviewer's answer.
    pub answer: Option<BlindAnswer>,
    /// Weight that selected the question: `d · (e + s) / 2`.
    pub weight: f64,
    /// `d`: disagreement of the judges.
    pub disagreement: f64,
    /// `e`: share of the task's score that depends on the answer.
    pub effect: f64,
    /// `s`: share of the other runs whose rank could be exchanged with this run's.
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
    /// The queue, as the list of queues has it.
    pub queue: QueueSummary,
    /// Agreement of each judge with the reviewer, the closest judge first.
    pub judges: Vec<JudgeAgainstPeople>,
    /// The questions in order.
    pub questions: Vec<RevealedQuestion>,
    /// Reason why the judges cannot be compared with the reviewer; null when they can.
    pub reason: Option<Sentence>,
}

/// Result of applying a queue's answers as overrides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueApplied {
    /// Number of answers that are now overrides.
    pub applied: u32,
    /// Number of questions without an answer or with an unsure one; they result in no override.
    pub left: u32,
    /// Answers that could not be applied, with the reason.
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
    /// The queue with the new answers.
    pub queue: QueueSummary,
    /// Number of answers read from the file.
    pub taken: u32,
    /// Number of lines without an answer.
    pub empty: u32,
}
