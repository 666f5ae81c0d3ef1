//! Numbers of attempts that a report is based on, and the effect of attempts that were not
//! measured.

use crate::wire::ReportView;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_report::comparability::AttemptCounts;

/// Beginning of a note in reports of earlier versions. They contain the numbers of attempts only in
/// this note, and only if the run was incomplete.
const INCOMPLETE: &str = "the run is incomplete: ";

/// Returns the numbers of attempts that a report is based on.
pub(crate) fn made_of(view: &ReportView) -> Option<AttemptCounts> {
    let from_notes = || {
        let mut notes = view.notes.iter().map(ToString::to_string);
        let note = notes.find_map(|note| Some(note.strip_prefix(INCOMPLETE)?.to_owned()))?;
        let mut numbers = note.split(' ').filter_map(|word| word.parse().ok());
        let (done, planned) = (numbers.next()?, numbers.next()?);
        Some(AttemptCounts { planned, done, failed: 0 })
    };
    view.attempts.or_else(from_notes)
}

/// Returns the reason why a report has no number over all its tasks; `None` if it has these
/// numbers.
///
/// Attempts that failed for technical reasons do not measure the model. The numbers of levels and
/// tasks remain, and each of these attempts has its reason.
pub fn unmeasured(attempts: Option<AttemptCounts>) -> Option<Sentence> {
    let AttemptCounts { planned, failed, .. } = attempts?;
    (failed > 0).then(|| {
        say!(
            "{failed} of {planned} attempts failed for technical reasons and were not measured; repeat them and score the run again"
        )
    })
}
