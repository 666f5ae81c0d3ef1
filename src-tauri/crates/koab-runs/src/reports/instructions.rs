//! Tasks of a report whose log asks otherwise than the pack does under the same id: what is read of
//! the pack about them is about another task.

use crate::Library;
use crate::wire::WireError;
use koab_core::level::Level;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a report's run and the pack ask under the same ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherInstructions {
    /// The report.
    pub report: String,
    /// The run that it is of, when its logs are in the workspace.
    pub run: Option<String>,
    /// The pack that it was compared with: the run's own, else the active one.
    pub pack: Option<String>,
    /// Tasks that run and pack have both.
    pub compared: u32,
    /// Those with another instruction, by level and in the log's order.
    pub tasks: Vec<TaskOfLevel>,
}

/// A task and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskOfLevel {
    /// Level.
    pub level: Level,
    /// Task id.
    pub task: String,
}

impl Library {
    /// Which tasks of these reports ask otherwise than the pack at hand. A report without logs or
    /// pack has none: nothing is known.
    ///
    /// # Errors
    /// When there is no such report, or its data cannot be read.
    pub fn other_instructions(&self, ids: &[String]) -> Result<Vec<OtherInstructions>, WireError> {
        ids.iter().map(|id| self.instructions_of(id)).collect()
    }

    /// The same of one report.
    ///
    /// # Errors
    /// As [`Library::other_instructions`].
    pub fn instructions_of(&self, id: &str) -> Result<OtherInstructions, WireError> {
        let open = self.open_report(id)?;
        let mut found = OtherInstructions {
            report: id.to_owned(),
            run: None,
            pack: None,
            compared: 0,
            tasks: Vec::new(),
        };
        let Ok(run) = self.scored_run(&open) else {
            return Ok(found);
        };
        let pack = self.pack_of(&self.open_run(&run.entry.id)?)?;
        found.run = Some(run.entry.id);
        let Some(pack) = pack else {
            return Ok(found);
        };
        found.pack = Some(pack.label());
        for log in &run.logs {
            for logged in &log.tasks {
                let Some(stated) = pack.task(&logged.id) else {
                    continue;
                };
                found.compared += 1;
                if logged.get("instruction").as_str() != Some(stated.instruction()) {
                    found.tasks.push(TaskOfLevel { level: log.level, task: logged.id.clone() });
                }
            }
        }
        found.tasks.sort_by_key(|task| task.level);
        Ok(found)
    }
}
