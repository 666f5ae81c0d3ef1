//! Forks: an attempt is continued from one of its steps with something changed
//! (`docs/design/forks.md`).
//!
//! [`offer`] contains the possible changes and the plan, [`start`] makes a fork, and [`view`]
//! compares it with its original. A fork is not a run. It has a folder of its own
//! (`koab_store::forks`), and the code that scores or sends runs ignores it.

mod offer;
mod source;
mod start;
mod store;
mod view;

use crate::Runs;
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_library::{ForkList, ForkSummary};
use koab_store::forks::{PREFIX, plain};
use koab_store::{Deleted, TrashKind};
use koab_workspace::WireError;

impl Runs {
    /// Returns the forks of the workspace, the newest first. They can be limited to a run
    /// (including forks of its forks) or to a task.
    ///
    /// # Errors
    /// When the forks' folder cannot be read.
    pub fn forks_list(&self, run: Option<&str>, task: Option<&str>) -> Result<ForkList, WireError> {
        // A run may be named by its id in this process, or by its folder.
        let run = run.map(|run| match self.library.open_run(run) {
            Ok(opened) => opened.entry.id,
            Err(_) => run.to_owned(),
        });
        // Checked before the files are read: a fork that ends meanwhile still counts as running,
        // and the window asks again.
        let going = self.current_run();
        let (files, errors) = self.forks().list()?;
        let files = files.into_iter().filter(|file| {
            run.as_ref().is_none_or(|run| file.of.run == *run)
                && task.is_none_or(|task| file.of.task == *task)
        });
        let is_running = |id: &str| {
            let live = going.as_ref().and_then(|run| self.library.live_run(run));
            live.is_some_and(|live| live.is(&format!("{PREFIX}{id}")))
        };
        Ok(ForkList {
            forks: files.map(|file| self.fork_summary(&file, is_running(&file.id))).collect(),
            unreadable: errors.iter().map(ToSentence::to_sentence).collect(),
        })
    }

    /// Replaces the name of a fork.
    ///
    /// # Errors
    /// When the fork does not exist, or its file cannot be written.
    pub fn fork_rename(&self, id: &str, name: &str) -> Result<ForkSummary, WireError> {
        let is_running = self.fork_goes_on(id);
        let file = self.forks().rename(id, name)?;
        Ok(self.fork_summary(&file, is_running))
    }

    /// Moves a fork to the workspace's trash; [`Runs::fork_restore`] restores it.
    ///
    /// # Errors
    /// When the fork does not exist or is running, or its folder cannot be moved.
    pub fn fork_trash(&self, id: &str) -> Result<Deleted, WireError> {
        let file = self.forks().read(id)?;
        if self.fork_goes_on(&file.id) {
            return Err(WireError::busy(say!("the fork {} is running; cancel it or wait for it", file.id)));
        }
        self.workspace.trash_put(TrashKind::Fork, &file.id)
    }

    /// Restores the fork with this id that was deleted last.
    ///
    /// # Errors
    /// When the fork is not in the trash, or another fork now has its id.
    pub fn fork_restore(&self, id: &str) -> Result<String, WireError> {
        self.workspace.trash_restore_last(TrashKind::Fork, plain(id)?)
    }
}

#[cfg(test)]
mod tests;
