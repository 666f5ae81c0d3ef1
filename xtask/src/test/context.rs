//! Shared input of all steps.

use crate::binaries::Selection;
use crate::checkout::Checkout;

/// Shared input of all steps.
pub(super) struct Context<'a> {
    pub(super) checkout: &'a Checkout,
    /// Selection of packages for cargo.
    pub(super) selection: Selection,
    /// Treatment of tests that cannot run here.
    pub(super) required: Required,
}

/// Treatment of tests that cannot run here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Required {
    /// They are skipped with the reason.
    Nothing,
    /// They fail, except those that compare with the reference data, which is not part of the
    /// repository.
    AllExceptReference,
    /// All of them fail.
    All,
}
