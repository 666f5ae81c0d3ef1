//! Numbers of a report with the human overrides of today. Overrides that are newer than the report
//! count, and so do overrides on imported reports.

use super::other_scorer::{means, options_of};
use crate::Library;
use crate::people::OverriddenVerdicts;
use crate::reports::figures::composites;
use crate::run::Run;
use crate::wire::PeoplesWord;
use koab_report::{Report, evaluate};
use koab_workspace::WireError;

impl Library {
    /// Returns the numbers of a report with human overrides; `None` if no override concerns its
    /// tasks.
    pub(super) fn peoples_word(&self, report: &Report, run: &Run) -> Result<Option<PeoplesWord>, WireError> {
        if self.holding()?.is_empty() {
            return Ok(None);
        }
        let dataset = self.dataset(run)?;
        let options = options_of(report);
        let judge_verdicts = self.known_answers(report, run, &dataset, &options)?.verdicts;
        let OverriddenVerdicts { verdicts, applied, notes } =
            self.overridden_verdicts(run, &dataset, &options, &judge_verdicts)?;
        if applied.is_empty() && notes.is_empty() {
            return Ok(None);
        }
        let with = evaluate(&run.logs, &dataset, &verdicts, &options);
        let is_about = |level: &koab_core::level::Level, metric: koab_core::score::MetricId| {
            let mut rows = applied.iter();
            rows.any(|(of, row)| of == level && row.place.metric == metric)
        };
        Ok(Some(PeoplesWord {
            levels: means(&with, is_about),
            composites: composites(&with, None),
            overrides: applied.into_iter().map(|(_, row)| row).collect(),
            notes,
        }))
    }
}
