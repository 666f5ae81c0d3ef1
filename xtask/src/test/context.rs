//! Input that all steps share.

use crate::binaries::Selection;
use crate::checkout::Checkout;

/// Input that all steps share.
pub(super) struct Context<'a> {
    pub(super) checkout: &'a Checkout,
    /// Selection of packages for cargo.
    pub(super) selection: Selection,
    /// Treatment of tests that this machine cannot run.
    pub(super) required: Required,
}

/// Treatment of tests that this machine cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Required {
    /// Tests are skipped with the reason.
    Nothing,
    /// Tests fail, except those that compare with the reference data, which is not part of the
    /// repository.
    AllExceptReference,
    /// All tests fail.
    All,
}
