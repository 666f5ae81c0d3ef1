//! Tasks of a report that ask something else than the installed pack asks under the same id.

use crate::Runs;
use crate::wire::WireError;
use serde::Serialize;

/// Where the logs behind a report and the pack at hand ask different things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherInstructions {
    /// The pack, `name@version`.
    pub pack: String,
    /// Tasks that both have.
    pub tasks: u32,
    /// Those of them whose instruction in the log is another one.
    pub other: Vec<String>,
}

impl Runs {
    /// Compares the instructions in the logs behind a report with those of the run's pack, else of the active one. `None` where
    /// the workspace has no such logs or no pack.
    ///
    /// # Errors
    /// When there is no such report.
    pub fn report_instructions(&self, id: &str) -> Result<Option<OtherInstructions>, WireError> {
        let open = self.open_report(id)?;
        let Ok(run) = self.scored_run(&open) else {
            return Ok(None);
        };
        let opened = self.open_run(&run.entry.id)?;
        let Some(pack) = self.pack_of(&opened) else {
            return Ok(None);
        };
        let mut compared = OtherInstructions {
            pack: pack.label(),
            tasks: 0,
            other: Vec::new(),
        };
        for logged in run.logs.iter().flat_map(|log| &log.tasks) {
            if let Some(stated) = pack.task(&logged.id) {
                compared.tasks += 1;
                if logged.get("instruction").as_str() != Some(stated.instruction()) {
                    compared.other.push(logged.id.clone());
                }
            }
        }
        Ok(Some(compared))
    }
}
