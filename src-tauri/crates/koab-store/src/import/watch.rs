//! Whoever waits for an import.

use koab_engine::ports::Cancel;

/// Whoever waits for an import: hears how far it is, and may stop it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Once triggered, the import ends with [`crate::Error::Cancelled`] and leaves the workspace as
    /// it was.
    pub cancel: &'a Cancel,
    /// Hears how much of all is done.
    pub progress: &'a dyn Fn(u64, u64),
}

impl<'a> Watch<'a> {
    /// Whoever may stop it and does not want to know more.
    pub fn only(cancel: &'a Cancel) -> Self {
        Self { cancel, progress: &|_, _| {} }
    }
}
