//! The failure atlas: the attempts of reports and runs, sorted by why they lost points.
//!
//! What the rules are belongs to [`koab_analysis::atlas`]; here is what they are given: logs,
//! scores and verdicts of a report whose run is in the workspace, or the log alone of a run that
//! was never scored. Nothing is asked and nothing is written.

mod export;
mod gather;
mod table;
#[cfg(test)]
mod tests;

pub use table::{AtlasLine, AtlasTable};

use crate::Compare;
use crate::several::{distinct, read_all};
use crate::wire::{AtlasAttempt, AtlasCause, AtlasItem, AtlasSource, AtlasView};
use gather::AtlasInput;
use koab_analysis::atlas::{AttemptCauses, Cause, ItemFault};
use koab_core::say;
use koab_runs::WireError;

/// A source with its attempts and, of another benchmark, what was answered wrong.
type Sorted = (AtlasSource, Vec<AtlasAttempt>, Vec<ItemFault>);

/// Reports and runs at once, as many as can be compared.
const MOST: usize = 60;

impl Compare {
    /// Sorts the attempts of reports and runs, in the order of their ids. One whose logs are not in
    /// the workspace is there with the reason.
    ///
    /// # Errors
    /// When none or too many are named, or one is neither a report nor a run.
    pub fn atlas(&self, ids: &[String]) -> Result<AtlasView, WireError> {
        let wanted = distinct(ids);
        if wanted.is_empty() {
            return Err(WireError::bad_request(say!(
                "name a report or a run whose attempts are to be sorted"
            )));
        }
        if wanted.len() > MOST {
            return Err(WireError::bad_request(say!("choose at most {MOST} reports or runs")));
        }
        let mut view = AtlasView {
            sources: Vec::new(),
            causes: Cause::ALL
                .iter()
                .map(|cause| AtlasCause { id: *cause, owner: cause.owner(), needs: cause.needs() })
                .collect(),
            attempts: Vec::new(),
            items: Vec::new(),
        };
        for (source, sorted, items) in self.sorted_all(&wanted)? {
            let place = view.sources.len() as u32;
            let items = items.into_iter();
            view.items.extend(items.map(|found| AtlasItem { source: place, found }));
            view.sources.push(source);
            view.attempts.extend(sorted.into_iter().map(|attempt| AtlasAttempt { source: place, ..attempt }));
        }
        Ok(view)
    }

    /// One task of a run, sorted; null when the run has no scored attempt at it. With a report, by
    /// its scores and verdicts, else by those of the log alone.
    ///
    /// # Errors
    /// When there is no such run or report, or it cannot be read.
    pub fn atlas_attempt(
        &self,
        run: &str,
        task: &str,
        report: Option<&str>,
    ) -> Result<Option<AttemptCauses>, WireError> {
        let gathered = match report {
            Some(report) => self.gather(report)?,
            None => self.gather_run(run)?,
        };
        Ok(gathered.sorted_task(task))
    }

    /// Several at once: each reads megabytes of its own.
    fn sorted_all(&self, ids: &[&String]) -> Result<Vec<Sorted>, WireError> {
        let ended = say!("the sorting of a report ended early");
        read_all(ids, |id| self.gather(id).map(AtlasInput::sorted), &ended)
    }
}
