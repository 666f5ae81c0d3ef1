//! Makes those tasks of a run again whose cache misses have a response now.
//!
//! The result is a new run that names the run it completes. New attempts in the old run would mix
//! two kinds of responses under one name, and the results of the old run would be lost.

use crate::Runs;
use koab_core::run_record::CacheMode;
use koab_core::say;
use koab_library::{Origin, RunRequest};
use koab_workspace::WireError;

impl Runs {
    /// Completes a request of a new run.
    ///
    /// A run that completes another gets the settings of that run, and its tasks that are worth
    /// making again. In other requests, the name of a connection is replaced by the model's id and
    /// address.
    ///
    /// # Errors
    /// When the run to complete does not exist or was not made here, its pack has changed, or none
    /// of its misses has a response.
    pub fn settled(&self, options: &RunRequest) -> Result<RunRequest, WireError> {
        match options.origin.completed() {
            Some(run) => self.completing(run, options),
            None => self.addressed(options.clone()),
        }
    }

    /// Replaces the name of a connection by the model's id and address.
    pub(super) fn addressed(&self, options: RunRequest) -> Result<RunRequest, WireError> {
        let address = self.models.resolve(&options.model, options.base_url.as_deref())?;
        Ok(RunRequest { model: address.id, base_url: address.base_url, ..options })
    }

    fn completing(&self, run: &str, options: &RunRequest) -> Result<RunRequest, WireError> {
        let entry = self.library.run_meant(run)?;
        let misses = self.library.cache_misses(&entry.id)?;
        if misses.misses.is_empty() {
            return Err(WireError::bad_request(say!(
                "the run {} missed no call, so there is nothing to make again",
                entry.id
            )));
        }
        if misses.filled.is_empty() {
            return Err(WireError::bad_request(say!(
                "none of the calls that the run {} missed has an answer yet; fill them first with `koab cache fill {}`",
                entry.id,
                entry.id
            )));
        }
        if entry.run.manifest()?.is_none() {
            return Err(WireError::bad_request(say!(
                "the run {} was not made here, so its settings are not known; make its tasks again with `koab run --with-overlay --tasks {}`",
                entry.id,
                misses.filled.join(",")
            )));
        }
        let earlier = self.earlier(&entry)?;
        let settled = self.options_of(&earlier, options)?;
        let installed =
            self.workspace.load_pack(&self.workspace.pack_name(settled.pack.as_deref())?)?.label();
        if earlier.pack() != installed {
            return Err(WireError::not_found(say!(
                "the run was made with pack {0}, but {installed} is installed; import pack {0} to resume",
                earlier.pack()
            )));
        }
        Ok(RunRequest {
            tasks: misses.filled,
            save_logs: options.save_logs,
            cache_mode: CacheMode::Read,
            without_keys: false,
            with_overlay: true,
            origin: Origin::Completes { run: entry.id },
            ..settled
        })
    }
}

#[cfg(test)]
mod tests;
