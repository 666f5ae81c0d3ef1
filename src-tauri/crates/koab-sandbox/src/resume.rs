//! Which trials of a run still have to run.
//!
//! A finished trial is left alone, whatever its verdict. One that was begun and not finished is run
//! again, after what there is of it is set aside. Failures that may end otherwise next time are run
//! again on demand.

use crate::layout::{Layout, TrialId};
use crate::outcome::{Outcome, Trial};
use crate::scenario_file::ScenarioFile;
use crate::trial_files;
use koab_core::say;
use koab_core::sentence::Sentence;

/// What to do with a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// It was never run.
    Run,
    /// It was run, and has to be again; its folder is to be set aside first.
    Again {
        /// One sentence without its full stop.
        why: Sentence,
    },
    /// It is finished.
    Skip(Box<Outcome>),
}

impl Step {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_skip(&self) -> bool {
        matches!(self, Self::Skip(_))
    }
}

/// What to do with `trial`. With `rerun_failed`, a trial that ended for another reason than its own
/// end with code 0 runs again; a wrong answer never does.
pub fn step(layout: &Layout, trial: &TrialId, rerun_failed: bool) -> Step {
    match trial_files::outcome(&layout.trial(trial)) {
        Trial::Missing => Step::Run,
        Trial::HalfMade { why } => Step::Again { why },
        Trial::Finished(outcome) if rerun_failed && outcome.cause.is_technical() => {
            Step::Again { why: say!("it ended as {}", outcome.cause.name()) }
        }
        Trial::Finished(outcome) => Step::Skip(outcome),
    }
}

/// All trials of `files` in their order: all repetitions of an instance before the next instance.
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
