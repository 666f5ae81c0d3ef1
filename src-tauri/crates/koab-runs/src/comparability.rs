//! Whether a number can be compared: gathers what is known of runs and reports; the rules are
//! `koab_report::comparability`.
//!
//! What a report's folder keeps (`report_view.json`) counts first, since the run may be gone or
//! gone on meanwhile; it is judged anew each time, so that all reports are compared with the same
//! rules.

mod calls;
mod export;
mod identity;
mod lookup;
mod of_report;
mod run;

pub(crate) use export::beside;
pub(crate) use of_report::of_replies;

use crate::Library;
use crate::options::{EvaluateOptions, RunChoice};
use crate::reports::detail::Open;
use crate::wire::{ComparableRun, WireError};
use koab_report::comparability::{Comparability, Fact, Facts};
use koab_store::runs::RunEntry;
use of_report::only_reported;

impl Library {
    /// How a run can be compared with the published leaderboard, as far as no score is concerned.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run_comparability(&self, run: &str) -> Result<Comparability, WireError> {
        let entry = self.run_meant(run)?;
        let mut facts = self.facts_of_entry(&entry);
        self.add_looked_up(&mut facts, &entry);
        Ok(Comparability::from_facts(facts))
    }

    /// One run, with how it can be compared and what its agent did.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run_shown(&self, id: &str) -> Result<ComparableRun, WireError> {
        let run = self.run_show(id)?;
        let comparability = self.run_comparability(id)?;
        let conduct = self.run_conduct(id)?;
        Ok(ComparableRun { run, comparability, conduct })
    }

    /// How a report can be compared with the published leaderboard.
    ///
    /// # Errors
    /// When there is no such report, or its data cannot be read.
    pub fn report_comparability(&self, id: &str) -> Result<Comparability, WireError> {
        let open = self.open_report(id)?;
        Ok(Comparability::from_facts(self.facts_of_open(&open)))
    }

    /// What is known of an open report, calls included that are only looked up.
    pub fn facts_of_open(&self, open: &Open) -> Facts {
        let mut facts = self.facts_of(&open.loaded);
        if facts.calls.value.is_none()
            && let Ok(run) = self.scored_run(open)
        {
            self.add_looked_up(&mut facts, &run.entry);
            only_reported(&mut facts, &open.loaded.report);
        }
        facts
    }

    /// Compares the calls of logs that do not say how they were answered with the installed pack.
    fn add_looked_up(&self, facts: &mut Facts, entry: &RunEntry) {
        if facts.calls.value.is_some() || !matches!(self.unmerged(entry), Ok(None)) {
            return;
        }
        let options = EvaluateOptions::published(RunChoice::Run(entry.run.folder.display().to_string()));
        let looked_up =
            self.read_run(&options).and_then(|run| self.looked_up(facts.pack.value.as_ref(), &run.logs));
        match looked_up {
            Ok(Some(calls)) => facts.calls = Fact::known(calls),
            // Without a pack there is nothing to compare them with, and the reason stays that the
            // logs do not say it.
            Ok(None) => {}
            Err(error) => facts.calls = Fact::unknown(error.message),
        }
    }
}

#[cfg(test)]
mod tests;
