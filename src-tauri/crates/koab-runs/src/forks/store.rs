//! Reads the files of the forks, and determines whether a fork is running.

use crate::Runs;
use koab_store::Forks;
use koab_store::forks::PREFIX;

impl Runs {
    pub(crate) fn forks(&self) -> Forks {
        Forks::new(self.workspace.home().forks())
    }

    pub(super) fn fork_goes_on(&self, id: &str) -> bool {
        self.library.live_run(&format!("{PREFIX}{id}")).is_some_and(|live| !live.finished())
    }
}
