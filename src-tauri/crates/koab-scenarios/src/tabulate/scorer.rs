//! Verdicts on trials.
//!
//! The corrected rules read the scenario's own output, and the last of several answers. The
//! original's rules, which read the whole log and the first answer, are in [`super::original`].

use super::{gaia, math};
use crate::markers::{PASSED, log_text, scenario_output};
use crate::outcome::CONSOLE_LOG;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Line that the tests of `HumanEval` print when they fail. The line tells the agent to try again.
const NOT_PASSED: &str = "SOME TESTS FAILED - TRY AGAIN !#!#";

/// Rules for the verdict on a trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, rename = "ScenarioScorer")]
pub enum Scorer {
    /// The scenario prints a marker when it passes.
    #[default]
    Markers,
    /// The scenario prints `FINAL ANSWER: …`, and `expected_answer.txt` contains the expected
    /// answer.
    Gaia,
    /// The file `checker_messages.json` contains the judgment of a checking agent on the answer.
    Math,
}

impl Scorer {
    /// Verdict on the trial in `folder`, from its files.
    pub fn verdict(self, folder: &Path) -> Verdict {
        let log = match log_text(&folder.join(CONSOLE_LOG)) {
            Ok(log) => log,
            Err(error) => return Verdict::missing(say!("{CONSOLE_LOG} cannot be read: {error}")),
        };
        let output = scenario_output(&log);
        match self {
            Self::Markers => Verdict::new(passed(output)),
            Self::Gaia => match gaia::expected(folder) {
                Ok(expected) => Verdict::new(
                    gaia::last_answer(output).is_some_and(|answer| gaia::is_right(&expected, answer)),
                ),
                Err(why) => Verdict::missing(why),
            },
            Self::Math => match math::checked(folder) {
                Ok(correct) => Verdict::new(correct),
                Err(why) => Verdict::missing(why),
            },
        }
    }
}

/// Whether the last result that the tests printed is a pass.
fn passed(output: &str) -> bool {
    match (output.rfind(PASSED), output.rfind(NOT_PASSED)) {
        (Some(passed), Some(failed)) => passed > failed,
        (passed, _) => passed.is_some(),
    }
}

/// Verdict on a trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(tag = "verdict", rename_all = "snake_case")]
#[ts(export, rename = "ScenarioVerdict")]
pub enum Verdict {
    /// The trial solved its task.
    Passed,
    /// The trial did not solve its task.
    Failed,
    /// The verdict is not known.
    Missing {
        /// Reason, one sentence without its full stop.
        why: Sentence,
    },
}

impl Verdict {
    /// Creates a known verdict.
    pub fn new(passed: bool) -> Self {
        if passed { Self::Passed } else { Self::Failed }
    }

    pub(super) fn missing(why: impl Into<Sentence>) -> Self {
        Self::Missing { why: why.into() }
    }
}
