//! Finds tasks of a report whose instruction differs from that of the installed pack's task with
//! the same id. The pack's data about such a task belongs to another task.

use crate::Library;
use koab_core::level::Level;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Comparison of the instructions in a report's run with those of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherInstructions {
    /// Report id.
    pub report: String,
    /// Id of the report's run, if the run's logs are in the workspace.
    pub run: Option<String>,
    /// The compared pack: the pack of the run, or otherwise the active pack.
    pub pack: Option<String>,
    /// Number of tasks that both run and pack have.
    pub compared: u32,
    /// Tasks with a different instruction, by level and in the order of the log.
    pub tasks: Vec<TaskOfLevel>,
}

/// Id of a task, with the level that its file belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskOfLevel {
    /// Level.
    pub level: Level,
    /// Task id.
    pub task: String,
}

impl Library {
    /// Returns the tasks of these reports whose instruction differs from that of the pack. The list
    /// is empty for a report without logs or pack, because its instructions cannot be compared.
    ///
    /// # Errors
    /// When a report does not exist, or its data cannot be read.
    pub fn other_instructions(&self, ids: &[String]) -> Result<Vec<OtherInstructions>, WireError> {
        ids.iter().map(|id| self.instructions_of(id)).collect()
    }

    /// Compares the instructions in the logs of one report's run with those of the pack's tasks.
    ///
    /// # Errors
    /// Every error of [`Library::other_instructions`].
    pub fn instructions_of(&self, id: &str) -> Result<OtherInstructions, WireError> {
        let open = self.open_report(id)?;
        let mut comparison = OtherInstructions {
            report: id.to_owned(),
            run: None,
            pack: None,
            compared: 0,
            tasks: Vec::new(),
        };
        let Ok(run) = self.scored_run(&open) else {
            return Ok(comparison);
        };
        let pack = self.pack_of(&self.open_run(&run.entry.id)?)?;
        comparison.run = Some(run.entry.id);
        let Some(pack) = pack else {
            return Ok(comparison);
        };
        comparison.pack = Some(pack.label());
        for log in &run.logs {
            for logged in &log.tasks {
                let Some(pack_task) = pack.task(&logged.id) else {
                    continue;
                };
                comparison.compared += 1;
                if logged.get("instruction").as_str() != Some(pack_task.instruction()) {
                    comparison.tasks.push(TaskOfLevel { level: log.level.clone(), task: logged.id.clone() });
                }
            }
        }
        comparison.tasks.sort_by(|one, other| one.level.cmp(&other.level));
        Ok(comparison)
    }
}
