//! Tasks that the user has flagged as faulty, with a note. Flags change no score and are never
//! exported.

use crate::db::Store;
use crate::error::Result;
use crate::table::task_flag::{self, FlagRow};
use serde::Serialize;

/// A flagged task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskFlag {
    /// Task id.
    pub task: String,
    /// The fault, in the user's words.
    pub note: String,
    /// Time of the first flag, UTC, ISO 8601.
    pub flagged_at: String,
}

impl Store {
    /// Flagged tasks of a pack, by id. A pack that is removed or imported again keeps its flags.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn task_flags(&self, pack: &str) -> Result<Vec<TaskFlag>> {
        let rows = task_flag::of_pack(&self.lock(), pack)?;
        Ok(rows.into_iter().map(flag).collect())
    }

    /// Flags a task or changes its note. `None` removes the flag. Returns the current flag.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn flag_task(&self, pack: &str, task: &str, note: Option<&str>) -> Result<Option<TaskFlag>> {
        let connection = self.lock();
        match note {
            Some(note) => task_flag::set(&connection, pack, task, note)?,
            None => task_flag::delete(&connection, pack, task)?,
        }
        Ok(task_flag::get(&connection, pack, task)?.map(flag))
    }
}

fn flag(row: FlagRow) -> TaskFlag {
    TaskFlag { task: row.task, note: row.note, flagged_at: row.flagged_at }
}
