//! What crosses about the judge lab: runs under several judges, judging again, and the blind review
//! of disagreements.

use super::{JudgeEstimate, QueueDraw};
use koab_analysis::judge_lab::{
    JudgeAgainstPeople, JudgeCoverage, JudgesEffect, LabAgreement, LabFlip, ShownInput,
};
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which runs to look at, and by whose questions.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabRequest {
    /// Runs, by id or folder.
    pub runs: Vec<String>,
    /// Reports, whose runs are meant.
    pub reports: Vec<String>,
    /// Whose questions: the two scorers ask differently.
    pub scorer: Protocol,
    /// Judges that do not count where all are taken together.
    #[serde(default)]
    pub without: Vec<String>,
    /// Judges that count there although they have answered little.
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
    /// Questions to judges.
    pub questions: u32,
    /// Tasks that are scored.
    pub tasks: u32,
    /// Reports of the run whose recorded verdicts were read.
    pub reports: Vec<String>,
}

/// A run or report that takes no part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabLeftOut {
    /// As it was named.
    pub id: String,
    /// Why.
    pub reason: Sentence,
}

/// Several judges on the same runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabView {
    /// The runs; lists by run have this order.
    pub runs: Vec<LabRun>,
    /// What was named and takes no part.
    pub left_out: Vec<LabLeftOut>,
    /// Whose questions.
    pub scorer: Protocol,
    /// Which judges have answered what.
    pub coverage: Vec<JudgeCoverage>,
    /// The judges that count where all are taken together.
    pub together: Vec<String>,
    /// How far they agree; empty with fewer than two judges.
    pub agreement: Vec<LabAgreement>,
    /// What they do to scores and ranks.
    pub effect: JudgesEffect,
    /// Questions of yes or no on which those judges are not of one mind.
    pub flips: Vec<LabFlip>,
    /// Questions on which judges, or the votes of one, disagree and that could change a score.
    pub disagreements: u32,
    /// What else is to be known.
    pub notes: Vec<Sentence>,
}

/// Judging again.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskRequest {
    /// The runs.
    pub of: LabRequest,
    /// Judges as `provider/model`; each is asked every question that it has not answered.
    pub judges: Vec<String>,
    /// Address of their server.
    pub base_url: Option<String>,
    /// USD that all of them may cost.
    pub max_cost: Option<f64>,
    /// Tokens that all of them may take.
    #[ts(type = "number | null")]
    pub max_total_tokens: Option<u64>,
}

/// What judging again would take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskPlan {
    /// The runs.
    pub runs: Vec<String>,
    /// A judge each, over all runs.
    pub judges: Vec<JudgeEstimate>,
    /// USD of all judges; null when the price of one that would be asked is not known.
    pub usd: Option<f64>,
    /// Where the token figures come from.
    pub from: Sentence,
}

/// What came of judging again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabAskEnd {
    /// Whether a cap left questions unasked; the next time asks for the rest.
    pub stopped: bool,
    /// Answers that are there now, of those that the judges were asked for.
    pub answered: u32,
    /// Calls of judges that failed.
    pub failed: u32,
    /// What is to be known.
    pub notes: Vec<Sentence>,
}

/// A queue to make.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueRequest {
    /// The runs.
    pub of: LabRequest,
    /// Questions at most; null is 20 disputed or 60 random ones.
    pub most: Option<u32>,
    /// Draws this metric's questions at random, for an estimate; null takes the disputed ones of
    /// all metrics first.
    #[serde(default)]
    pub metric: Option<String>,
    /// Seed of the draw, or of the order among equals.
    #[ts(type = "number")]
    pub seed: u64,
    /// Who reviews.
    pub by: String,
}

/// A queue among others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueSummary {
    /// Its id: the same questions, reviewer and seed have the same.
    pub id: String,
    /// Who reviews.
    pub by: String,
    /// The runs that its questions are from.
    pub runs: Vec<String>,
    /// Questions.
    pub questions: u32,
    /// Of these, with an answer, unsure ones and skipped ones among them.
    pub answered: u32,
    /// When it was made, UTC, ISO 8601.
    pub made_at: String,
    /// When it was revealed; null while it is blind.
    pub revealed_at: Option<String>,
    /// When its answers became overrides.
    pub applied_at: Option<String>,
    /// Seed.
    #[ts(type = "number")]
    pub seed: u64,
    /// How it was drawn; null when it has the disputed questions first.
    pub draw: Option<QueueDraw>,
}

/// A question as its reviewer sees it: no model, no judge, no vote, no score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BlindQuestion {
    /// Place, from 1.
    pub number: u32,
    /// Metric that asks.
    pub metric: String,
    /// Whether yes or no is asked, else a grade from 1 to 5.
    pub yes_no: bool,
    /// What to judge by.
    pub inputs: Vec<ShownInput>,
    /// The reviewer's answer so far.
    pub answer: Option<BlindAnswer>,
}

/// What a reviewer says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BlindAnswer {
    /// Yes or no; null for grades, unsure and skipped.
    pub success: Option<bool>,
    /// Grade from 1 to 5; likewise.
    pub score: Option<u8>,
    /// The reviewer looked and cannot tell.
    pub unsure: bool,
    /// A note.
    pub note: String,
}

/// A queue to work through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueView {
    /// As in the list.
    pub queue: QueueSummary,
    /// Its questions in order.
    pub questions: Vec<BlindQuestion>,
}

/// A question of a revealed queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RevealedQuestion {
    /// Place, from 1.
    pub number: u32,
    /// Its run.
    pub run: String,
    /// Its model.
    pub model: String,
    /// Its task.
    pub task: String,
    /// Metric that asked.
    pub metric: String,
    /// What each judge had answered when the queue was made: 1 or 0 for yes or no, or a grade.
    pub judges: Vec<JudgeAnswer>,
    /// What the reviewer answered.
    pub answer: Option<BlindAnswer>,
    /// Why it is in the queue: `d · (e + s) / 2`.
    pub weight: f64,
    /// `d`: how far judges disagreed.
    pub disagreement: f64,
    /// `e`: how much of the task's score was at stake.
    pub effect: f64,
    /// `s`: share of the other runs that it could swap places with.
    pub swaps: f64,
}

/// A judge's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeAnswer {
    /// Judge model id.
    pub judge: String,
    /// Yes or no.
    pub success: Option<bool>,
    /// Grade from 1 to 5.
    pub score: Option<u8>,
}

/// What came of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueReveal {
    /// As in the list.
    pub queue: QueueSummary,
    /// Each judge against the reviewer, the closest first.
    pub judges: Vec<JudgeAgainstPeople>,
    /// Its questions.
    pub questions: Vec<RevealedQuestion>,
    /// Why nothing can be said; null when it can.
    pub reason: Option<Sentence>,
}

/// The outcome of a queue's answers as overrides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueApplied {
    /// Answers that hold as overrides now.
    pub applied: u32,
    /// Questions without an answer, or unsure: nothing is said about them.
    pub left: u32,
    /// Those that could not be applied, and why.
    pub refused: Vec<LabLeftOut>,
}

/// A queue as a file for a reviewer elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueFile {
    /// Name to propose.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What a file brought back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueAnswered {
    /// The queue as it is now.
    pub queue: QueueSummary,
    /// Answers taken from the file.
    pub taken: u32,
    /// Lines without an answer.
    pub empty: u32,
}
