//! Asking models for a verdict, as data: questions out, verdicts in, and the arithmetic over
//! several judges.
//!
//! A question is a finished prompt with the schema of its answer; who sends it, when and to whom is
//! not known here. Verdicts are stored by [`JudgeQuestion::hash`] and judge, so that a run is
//! scored again without asking again (`docs/spec/metrics.md` §4).

pub mod agreement;
mod ensemble;
mod family;
mod prompts;
mod question;
mod replay;
mod verdict;

pub use ensemble::{Aggregate, Panel, Scale, majority, scale, settled};
pub use family::family;
pub use prompts::{Inputs, JudgePrompts, PromptError};
pub use question::{AnswerSchema, JudgeQuestion, Votes};
pub use replay::{ReplayError, Verdicts};
pub use verdict::{Answer, Opinion, Verdict};
