//! Cancellation and progress of an import.

use koab_engine::ports::Cancel;

/// Cancellation and progress of an import, for its caller.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// When triggered, the import ends with [`crate::Error::Cancelled`] and leaves the workspace
    /// unchanged.
    pub cancel: &'a Cancel,
    /// Called with the finished and the total amount of work.
    pub progress: &'a dyn Fn(u64, u64),
}

impl<'a> Watch<'a> {
    /// Allows cancellation but ignores progress.
    pub fn only(cancel: &'a Cancel) -> Self {
        Self { cancel, progress: &|_, _| {} }
    }
}
