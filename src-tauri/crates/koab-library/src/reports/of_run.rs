//! The reports of a run. This module selects the main report, and detects whether the run has
//! continued since a report.

use crate::Library;
use crate::reports::made_of::made_of;
use crate::reports::report_file::stored_view;
use crate::wire::ReportView;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::comparability::AttemptCounts;
use koab_store::report_files::is_name;
use koab_store::run_folder::RunFolder;
use koab_store::runs::BY_MODEL;

/// Suffix of the name of a report without judges (`report_name` in `koab-scoring`).
pub const UNJUDGED: &str = ".unjudged";
/// Suffix of the name of a report that lacks some of the judges' answers.
pub const UNFINISHED: &str = ".unfinished";
/// Suffix of the name of a report of the corrected scorer.
pub const CORRECTED: &str = ".corrected";
/// Suffix of the name of a report if an imported report has the name without it.
pub const RESCORED: &str = ".rescored";

impl Library {
    /// Returns a warning if a run has continued since a report. The report is based on `made_of`
    /// attempts.
    pub(crate) fn gone_on(&self, run: &str, made_of: AttemptCounts) -> Option<Sentence> {
        let (model, date) = run.split_once('/').filter(|(model, date)| is_name(model) && is_name(date))?;
        let folder = self.workspace.home().logs().join(BY_MODEL).join(model).join(date);
        let manifest = RunFolder::open(&folder).ok()?.manifest().ok()??;
        let now = manifest.attempts.counts;
        // Attempts that failed for technical reasons are made again, which changes attempts without
        // changing their number.
        let went_on = now.done > made_of.done || now.failed < made_of.failed;
        went_on.then(|| {
            say!(
                "the run continued after this report was made of {} of its attempts, and has {} now; score it again",
                made_of.done, now.done
            )
        })
    }

    /// Returns a warning if the run has continued since the report, see [`Library::gone_on`].
    pub fn outdated(&self, view: &ReportView) -> Option<Sentence> {
        self.gone_on(view.run.as_deref()?, made_of(view)?)
    }

    /// Returns this program's own data about a report that it made. `None` for other reports.
    pub(crate) fn made_here(&self, id: &str) -> Option<ReportView> {
        stored_view(&self.workspace.home().reports().join(id)).ok()?
    }

    /// Returns the id of the main report of a run. Reports of the current state come first, then
    /// those of the scorer of the run's protocol, then judged reports, then complete ones.
    pub(crate) fn report_of_run(&self, run: &str) -> Option<String> {
        let (model, date) = run.rsplit_once('/')?;
        let name = format!("{model}_{}", date.replace('_', "-"));
        let ways = [UNFINISHED, UNJUDGED, ""];
        let scorers = ["", CORRECTED].into_iter();
        let wholes = scorers.flat_map(|scorer| [RESCORED, ""].map(|other| format!("{name}{scorer}{other}")));
        let names = wholes.flat_map(|whole| ways.map(|way| format!("{whole}{way}")));
        let ranked = names.filter_map(|id| {
            let view = self.made_here(&id)?;
            let is_of_it = view.run.as_deref().is_none_or(|of| of == run);
            let protocol = view.protocol.unwrap_or(Protocol::Leaderboard);
            let rank = (
                self.outdated(&view).is_none(),
                view.scorer == protocol,
                !view.judges.is_empty(),
                !id.ends_with(UNFINISHED),
            );
            is_of_it.then_some((rank, id))
        });
        // `max_by_key` returns the last of equal elements, which is the name without a suffix.
        ranked.max_by_key(|(rank, _)| *rank).map(|(_, id)| id)
    }
}
