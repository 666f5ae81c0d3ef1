//! Decides which trials of a run still have to run.
//!
//! A finished trial does not run again, even if its answer is wrong. An unfinished trial is set
//! aside and runs again. Trials that failed for technical reasons run again on request.

use crate::layout::{Layout, TrialId};
use crate::outcome::{Outcome, Trial};
use crate::scenario_file::ScenarioFile;
use crate::trial_files;
use koab_core::say;
use koab_core::sentence::Sentence;

/// Next step of a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The trial has not run yet.
    Run,
    /// The trial must run again; its folder must be set aside first.
    Again {
        /// Reason, one sentence without its full stop.
        why: Sentence,
    },
    /// The trial is finished.
    Skip(Box<Outcome>),
}

impl Step {
    /// Whether the trial is skipped.
    #[must_use]
    pub fn is_skip(&self) -> bool {
        matches!(self, Self::Skip(_))
    }
}

/// Next step of `trial`. With `rerun_failed`, a finished trial also runs again unless it completed;
/// a completed trial never runs again, even if its answer is wrong.
pub fn step(layout: &Layout, trial: &TrialId, rerun_failed: bool) -> Step {
    match trial_files::outcome(&layout.trial(trial)) {
        Trial::Missing => Step::Run,
        Trial::HalfMade { why } => Step::Again { why },
        Trial::Finished(outcome) if rerun_failed && outcome.cause.is_technical() => {
            Step::Again { why: say!("it ended with the outcome {}", outcome.cause.name()) }
        }
        Trial::Finished(outcome) => Step::Skip(outcome),
    }
}

/// All trials of `files` in their order, with all repetitions of an instance before the next
/// instance.
pub fn trials(files: &[ScenarioFile], repetitions: u32) -> impl Iterator<Item = TrialId> {
    files.iter().flat_map(move |file| {
        file.instances.iter().flat_map(move |instance| {
            (0..repetitions).map(move |repetition| TrialId {
                scenario: file.name.clone(),
                instance: instance.id.clone(),
                repetition,
            })
        })
    })
}
