//! Forks: an attempt from one of its steps on, with something in it changed
//! (`docs/design/forks.md`).
//!
//! What can be changed is offered by [`offer`], made in [`making`], and shown beside its original
//! in [`view`]. A fork is no run: it lies in a folder of its own (`koab_store::forks`), and nothing
//! that scores or sends runs takes one.

mod offer;
mod source;
mod start;
mod store;
mod view;

use crate::Runs;
use crate::wire::{ForkSummary, WireError};
use koab_core::say;
use koab_store::forks::PREFIX;

impl Runs {
    /// The forks of the workspace, the newest first: all, those of a run (forks of its forks
    /// included), or those of a task.
    ///
    /// # Errors
    /// When their folder cannot be read.
    pub fn forks_list(&self, run: Option<&str>, task: Option<&str>) -> Result<Vec<ForkSummary>, WireError> {
        // A run may be named by the id under which this process makes it, or by its folder.
        let run = run.map(|run| match self.library.open_run(run) {
            Ok(opened) => opened.entry.id,
            Err(_) => run.to_owned(),
        });
        // Asked before their files are read: one that ends meanwhile is still going here, and is
        // asked for again.
        let going = self.current_run();
        let files = self.forks().list()?.into_iter().filter(|file| {
            run.as_ref().is_none_or(|run| file.of.run == *run)
                && task.is_none_or(|task| file.of.task == *task)
        });
        let goes_on = |id: &str| {
            let live = going.as_ref().and_then(|run| self.library.live_run(run));
            live.is_some_and(|live| live.is(&format!("{PREFIX}{id}")))
        };
        Ok(files.map(|file| self.fork_summary(&file, goes_on(&file.id))).collect())
    }

    /// Gives a fork a name, in place of the one it has.
    ///
    /// # Errors
    /// When there is no such fork, or the disk refuses.
    pub fn fork_rename(&self, id: &str, name: &str) -> Result<ForkSummary, WireError> {
        let goes_on = self.fork_goes_on(id);
        let file = self.forks().rename(id, name)?;
        Ok(self.fork_summary(&file, goes_on))
    }

    /// Moves a fork to the workspace's trash, from where [`Runs::fork_restore`] brings it back.
    ///
    /// # Errors
    /// When there is no such fork, it goes on, or the disk refuses.
    pub fn fork_trash(&self, id: &str) -> Result<(), WireError> {
        let file = self.forks().read(id)?;
        if self.fork_goes_on(&file.id) {
            return Err(WireError::busy(say!("the fork {} is running; cancel it or wait for it", file.id)));
        }
        Ok(self.forks().trash(&file.id)?)
    }

    /// Brings a fork back from the trash.
    ///
    /// # Errors
    /// When it is not there.
    pub fn fork_restore(&self, id: &str) -> Result<(), WireError> {
        Ok(self.forks().restore(id)?)
    }
}

#[cfg(test)]
mod tests;
