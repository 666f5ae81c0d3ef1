//! Whoever waits for an import.

use koab_engine::ports::Cancel;

/// Whoever waits for an import: hears how far it is, and may stop it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Once triggered, the import ends with [`crate::Error::Cancelled`] and leaves the workspace as it was.
    pub cancel: &'a Cancel,
    /// Hears the files of cached responses that are read, and all of them.
    pub progress: &'a dyn Fn(u64, u64),
}
