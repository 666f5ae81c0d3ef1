//! A run as it is read to be scored.

use koab_core::log::LevelLog;
use koab_core::record::RunManifest;
use koab_core::report::Report;
use koab_core::report::repetitions::{AttemptFact, Repetitions, gather};
use koab_core::sentence::Sentence;
use koab_store::runs::RunEntry;

/// The run to score, read.
pub struct Run {
    /// Where it lies.
    pub entry: RunEntry,
    pub(crate) manifest: Option<RunManifest>,
    /// What is wrong with its journal, one sentence each.
    pub(crate) problems: Vec<Sentence>,
    pub(crate) logs: Vec<LevelLog>,
    /// The attempts that the logs do not have, where they were asked for and there are any.
    pub(crate) attempts: Option<Attempts>,
    pub(crate) execution_date: String,
    pub(crate) folder_name: String,
}

impl Run {
    /// The logs of later repetitions that judges are to be asked about.
    pub(crate) fn later_to_judge(&self) -> &[(u32, Vec<LevelLog>)] {
        match &self.attempts {
            Some(attempts) if !attempts.first_only => &attempts.later,
            _ => &[],
        }
    }
}

/// All attempts of a run with several at a task.
pub(crate) struct Attempts {
    /// Attempts a task that were planned.
    pub(crate) planned: u32,
    /// Whether judges are asked about the attempts in the logs only.
    pub(crate) first_only: bool,
    pub(crate) facts: Vec<AttemptFact>,
    /// Logs of the attempts that the run's own logs do not have, by repetition.
    pub(crate) later: Vec<(u32, Vec<LevelLog>)>,
}

impl Attempts {
    /// The scores of all attempts, given the report of those in the logs. `score` makes the report of a repetition.
    pub(crate) fn scored(&self, logged: &Report, score: impl Fn(u32, &[LevelLog]) -> Report) -> Repetitions {
        let later: Vec<(u32, Report)> = self
            .later
            .iter()
            .map(|(repetition, logs)| (*repetition, score(*repetition, logs)))
            .collect();
        gather(self.planned, self.first_only, self.facts.clone(), logged, &later)
    }
}
