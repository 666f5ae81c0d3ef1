//! The reports of a run: which of them stands for it, and whether the run went on after one was
//! made.

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

/// What stands behind the name of a whole report that lacks judges, or some of their answers
/// (`scoring.rs`, `report_name`).
pub(crate) const UNJUDGED: &str = ".unjudged";
pub(crate) const UNFINISHED: &str = ".unfinished";
pub(crate) const CORRECTED: &str = ".corrected";
/// And behind one whose own name a report has that was made elsewhere.
pub(crate) const RESCORED: &str = ".rescored";

impl Library {
    /// Says that a run went on after a report was made of that many of its attempts: then the
    /// report's numbers are not the run's any more.
    pub(crate) fn gone_on(&self, run: &str, made_of: AttemptCounts) -> Option<Sentence> {
        let (model, date) = run.split_once('/').filter(|(model, date)| is_name(model) && is_name(date))?;
        let folder = self.workspace.home().logs().join(BY_MODEL).join(model).join(date);
        let manifest = RunFolder::open(&folder).ok()?.manifest().ok()??;
        let now = manifest.attempts.counts;
        // What failed for technical reasons is made again, and then there are as many attempts and
        // others.
        let went_on = now.done > made_of.done || now.failed < made_of.failed;
        went_on.then(|| {
            say!(
                "the run went on after this report was made of {} of its attempts; it has {} now: score it again",
                made_of.done, now.done
            )
        })
    }

    /// As [`Library::gone_on`], of a report.
    pub(crate) fn outdated(&self, view: &ReportView) -> Option<Sentence> {
        self.gone_on(view.run.as_deref()?, made_of(view)?)
    }

    /// What this product kept of a report that it made.
    pub(crate) fn made_here(&self, id: &str) -> Option<ReportView> {
        stored_view(&self.workspace.home().reports().join(id)).ok()?
    }

    /// The report that stands for a run, by id: of all its attempts before of fewer, by the scorer
    /// of its protocol, judged before half judged before unjudged.
    pub(crate) fn report_of_run(&self, run: &str) -> Option<String> {
        let (model, date) = run.rsplit_once('/')?;
        let name = format!("{model}_{}", date.replace('_', "-"));
        let ways = [UNFINISHED, UNJUDGED, ""];
        let scorers = ["", CORRECTED].into_iter();
        let wholes = scorers.flat_map(|scorer| [RESCORED, ""].map(|other| format!("{name}{scorer}{other}")));
        let names = wholes.flat_map(|whole| ways.map(|way| format!("{whole}{way}")));
        let known = names.filter_map(|id| {
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
        // Of equals the last, which is the one without a word behind its name.
        known.max_by_key(|(rank, _)| *rank).map(|(_, id)| id)
    }
}
