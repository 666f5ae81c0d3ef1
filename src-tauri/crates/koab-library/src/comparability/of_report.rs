//! Facts about a report and its run.

use super::run;
use crate::Library;
use crate::reports::load::LoadedReport;
use koab_core::level::Level;
use koab_core::pack_identity::tasks_sha256;
use koab_core::sentence::Sentence;
use koab_core::{say, text};
use koab_report::Report;
use koab_report::comparability::{
    CallFacts, Fact, Facts, LevelTasks, MADE_ELSEWHERE, NOT_MERGED, PackName, Scoring,
};
use koab_store::runs::{self, RunEntry};
use koab_workspace::{WireError, if_found};

impl Library {
    /// Returns the facts about a report from its own folder. Facts that a report of an earlier
    /// version lacks come from its run.
    pub fn facts_of(&self, loaded: &LoadedReport) -> Facts {
        let view = loaded.view.as_ref();
        if let Some(kept) = view.and_then(|view| view.comparability.as_ref()) {
            return kept.facts.clone();
        }
        let run = view.and_then(|view| view.run.as_deref());
        let entry = run.map(|run| runs::find(&self.workspace.home().logs(), run).map_err(WireError::from));
        let facts = match (entry.map(if_found), view) {
            (Some(Ok(Some(entry))), _) => self.facts_of_entry(&entry),
            (Some(Err(error)), _) => Facts::unknown("", &error.message),
            (Some(Ok(None)) | None, Some(_)) => {
                Facts::unknown("", &text!("the run is not in this workspace").into())
            }
            (Some(Ok(None)) | None, None) => Facts::unknown("", &MADE_ELSEWHERE.into()),
        };
        with_report(facts, &loaded.report, loaded.names_judges)
    }

    /// Returns the facts about a report that is being made from a run.
    pub fn facts_of_scored(&self, entry: &RunEntry, report: &Report) -> Facts {
        with_report(self.facts_of_entry(entry), report, true)
    }

    /// Returns the facts about a run. For a run of replies that another program recorded, only the
    /// pack is known.
    pub(crate) fn facts_of_entry(&self, entry: &RunEntry) -> Facts {
        let mut facts = run::facts(entry, &self.inner.kept);
        if facts.pack.value.is_none()
            && let Some(label) = entry.run.pack_of_logs()
        {
            facts.tasks_sha256 = match self.tasks_sha256_of(&label) {
                Ok(hash) => Fact::from_option(hash, MADE_ELSEWHERE),
                Err(error) => Fact::unknown(error.message),
            };
            facts.pack = Fact::known(PackName::read(&label));
        }
        match self.unmerged(entry) {
            Ok(None) => {}
            Ok(Some(attempts)) => {
                facts.attempts = Fact::known(attempts);
                facts.calls = Fact::unknown(Sentence::from(NOT_MERGED));
            }
            Err(error) => {
                let why = error.message;
                let why = say!("the files of its workers cannot be read: {why}");
                facts.attempts = Fact::unknown(why.clone());
                facts.calls = Fact::unknown(why);
            }
        }
        facts
    }

    /// Returns the hash of a pack's tasks; `None` if the pack is not installed.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub fn tasks_sha256_of(&self, label: &str) -> Result<Option<String>, WireError> {
        let pack = if_found(self.workspace.load_pack(label))?;
        Ok(pack.map(|pack| tasks_sha256(&pack.tasks)))
    }
}

/// Returns the facts about a report of replies that another program recorded.
pub fn of_replies(report: &Report, pack: &str, tasks_sha256: Option<String>) -> Facts {
    let facts = Facts {
        pack: Fact::known(PackName::read(pack)),
        tasks_sha256: Fact::from_option(tasks_sha256, MADE_ELSEWHERE),
        ..Facts::unknown("", &MADE_ELSEWHERE.into())
    };
    with_report(facts, report, true)
}

/// Adds the facts of a report to those of its run: the scored tasks, and the settings of the
/// scoring.
fn with_report(mut facts: Facts, report: &Report, names_judges: bool) -> Facts {
    facts.model.clone_from(&report.model);
    let levels: Option<Vec<LevelTasks>> = report
        .levels
        .iter()
        .map(|level| {
            let count = level.evaluated_tasks.or(level.total_tasks)?;
            let ids = level.tasks.iter().map(|task| task.id.clone()).collect();
            Some(LevelTasks { level: level.level.clone(), count: count as u32, ids })
        })
        .collect();
    facts.tasks = Fact::from_option(levels, text!("the report's file does not list single tasks"));
    only_reported(&mut facts, report);
    facts.scoring = Some(Scoring::from_report(report, names_judges));
    facts
}

/// Removes the calls of levels that the report does not contain.
pub(super) fn only_reported(facts: &mut Facts, report: &Report) {
    let is_of = |level: &Level| report.levels.iter().any(|one| one.level == *level);
    if let Some(CallFacts { levels, misses, .. }) = &mut facts.calls.value {
        levels.retain(|calls| calls.level.as_ref().is_some_and(is_of));
        misses.retain(|miss| is_of(&miss.level));
    }
}
