//! Comparability of runs and reports. This module gathers the facts about them; the rules are in
//! `koab_report::comparability`.
//!
//! The facts in a report's folder (`report_view.json`) take precedence, because the run may have
//! been deleted or continued. The comparability is computed each time, so that the same rules apply
//! to all reports.

mod calls;
mod export;
mod identity;
mod lookup;
mod of_report;
mod run;

pub(crate) use export::beside;
pub use of_report::of_replies;

use crate::Library;
use crate::options::{EvaluateOptions, RunChoice};
use crate::reports::detail::Open;
use crate::wire::ComparableRun;
use koab_report::comparability::{Comparability, Fact, Facts};
use koab_store::runs::RunEntry;
use koab_workspace::WireError;
use of_report::only_reported;

impl Library {
    /// Returns the comparability of a run with the published leaderboard. Findings that need scores
    /// are left out.
    ///
    /// # Errors
    /// When the run does not exist.
    pub fn run_comparability(&self, run: &str) -> Result<Comparability, WireError> {
        let entry = self.run_meant(run)?;
        let mut facts = self.facts_of_entry(&entry);
        self.add_looked_up(&mut facts, &entry);
        Ok(Comparability::from_facts(facts))
    }

    /// Returns a run with its comparability and the conduct of its agent.
    ///
    /// # Errors
    /// When the run does not exist.
    pub fn run_shown(&self, id: &str) -> Result<ComparableRun, WireError> {
        let run = self.run_show(id)?;
        let comparability = self.run_comparability(id)?;
        let conduct = self.run_conduct(id)?;
        Ok(ComparableRun { run, comparability, conduct })
    }

    /// Returns the comparability of a report with the published leaderboard.
    ///
    /// # Errors
    /// When the report does not exist, or its data cannot be read.
    pub fn report_comparability(&self, id: &str) -> Result<Comparability, WireError> {
        let open = self.open_report(id)?;
        Ok(Comparability::from_facts(self.facts_of_open(&open)))
    }

    /// Returns the facts about an open report. If its logs do not contain the sources of responses,
    /// the calls are looked up in the pack.
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

    /// Adds facts about calls by a look-up in the installed pack. Only logs that do not contain the
    /// sources of responses need this.
    fn add_looked_up(&self, facts: &mut Facts, entry: &RunEntry) {
        if facts.calls.value.is_some() || !matches!(self.unmerged(entry), Ok(None)) {
            return;
        }
        let options = EvaluateOptions::published(RunChoice::Run(entry.run.folder.display().to_string()));
        let looked_up =
            self.read_run(&options).and_then(|run| self.looked_up(facts.pack.value.as_ref(), &run.logs));
        match looked_up {
            Ok(Some(calls)) => facts.calls = Fact::known(calls),
            // Without a pack no lookup is possible, so the reason remains that the logs do not
            // contain the sources.
            Ok(None) => {}
            Err(error) => facts.calls = Fact::unknown(error.message),
        }
    }
}
