//! How many attempts of its run a report was made of, and what it lacks for those that were not
//! measured.

use crate::wire::ReportView;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::comparability::AttemptCounts;

/// Reports of earlier versions say it in a sentence only, and of whole runs they say nothing.
const INCOMPLETE: &str = "the run is incomplete: ";

/// How many attempts a report was made of.
pub(crate) fn made_of(view: &ReportView) -> Option<AttemptCounts> {
    let told = || {
        let mut notes = view.notes.iter().map(ToString::to_string);
        let note = notes.find_map(|note| Some(note.strip_prefix(INCOMPLETE)?.to_owned()))?;
        let mut numbers = note.split(' ').filter_map(|word| word.parse().ok());
        let (done, planned) = (numbers.next()?, numbers.next()?);
        Some(AttemptCounts { planned, done, failed: 0 })
    };
    view.attempts.or_else(told)
}

/// Why a report has no number over all its tasks: what stands for attempts that failed for
/// technical reasons is not the model's. Its levels and tasks stand, each attempt with its reason.
pub(crate) fn unmeasured(attempts: Option<AttemptCounts>) -> Option<Sentence> {
    let AttemptCounts { planned, failed, .. } = attempts?;
    (failed > 0).then(|| {
        say!(
            "{failed} of {planned} attempts failed for technical reasons and were not measured; repeat them and score the run again"
        )
    })
}
