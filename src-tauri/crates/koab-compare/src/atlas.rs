//! The failure atlas: the attempts of reports and runs, classified by why they lost points.
//!
//! The rules are in [`koab_analysis::atlas`]. This module collects the input of the rules: logs,
//! scores and verdicts of a report whose run is in the workspace, or only the logs of a run that
//! was never scored. The module makes no API calls and writes nothing.

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
use koab_workspace::WireError;

/// A report or run with its classified attempts and, for another benchmark, the items answered
/// wrong.
type Sorted = (AtlasSource, Vec<AtlasAttempt>, Vec<ItemFault>);

/// Maximum number of reports and runs in one atlas, the same as in a comparison.
const MAX_SOURCES: usize = 60;

impl Compare {
    /// Classifies the attempts of reports and runs, in the order of their ids. A report or run
    /// whose logs are not in the workspace is included with the reason.
    ///
    /// # Errors
    /// When no id or too many ids are given, or an id is neither that of a report nor that of a
    /// run.
    pub fn atlas(&self, ids: &[String]) -> Result<AtlasView, WireError> {
        let ids = distinct(ids);
        if ids.is_empty() {
            return Err(WireError::bad_request(say!(
                "name a report or a run whose attempts are to be classified"
            )));
        }
        if ids.len() > MAX_SOURCES {
            return Err(WireError::bad_request(say!(
                "choose at most {MOST} reports or runs",
                MOST = MAX_SOURCES
            )));
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
        for (source, sorted, items) in self.sorted_all(&ids)? {
            let place = view.sources.len() as u32;
            let items = items.into_iter();
            view.items.extend(items.map(|found| AtlasItem { source: place, found }));
            view.sources.push(source);
            view.attempts.extend(sorted.into_iter().map(|attempt| AtlasAttempt { source: place, ..attempt }));
        }
        Ok(view)
    }

    /// Classifies the attempt of a run at one task; null when there is no scored attempt. The
    /// scores and verdicts are those of the report. Without a report, they are computed from the
    /// log alone.
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

    /// Collects and classifies the attempts of several reports and runs in parallel, because each
    /// has megabytes of data.
    fn sorted_all(&self, ids: &[&String]) -> Result<Vec<Sorted>, WireError> {
        let panicked = say!("the classification of a report ended early");
        read_all(ids, |id| self.gather(id).map(AtlasInput::sorted), &panicked)
    }
}
