//! Judges as data: questions, verdicts, and the arithmetic over several judges.
//!
//! A question is a finished prompt with the schema of its answer; other crates send it to the
//! judges. Verdicts are stored under [`JudgeQuestion::hash`] and the judge's name, so that a run
//! can be scored again without new calls (`docs/spec/metrics.md` §4).

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
