//! One model per process: the memory of a machine is rarely enough for two.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::error::LoadError;

/// Path of the model in memory.
///
/// Workspaces of one process share the memory of the machine, so this is not a value of a
/// workspace.
static LOADED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The right to have a model in memory. Dropping the value returns it.
#[derive(Debug)]
pub(super) struct Lease(());

impl Lease {
    pub(super) fn take(path: &Path) -> Result<Self, LoadError> {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = &*loaded {
            return Err(LoadError::Busy { loaded: loaded.clone(), wanted: path.to_owned() });
        }
        *loaded = Some(path.to_owned());
        Ok(Self(()))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        *LOADED.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
