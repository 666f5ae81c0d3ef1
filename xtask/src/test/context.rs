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
    /// A test that this machine cannot run is skipped with the reason.
    Nothing,
    /// A test that this machine cannot run fails, unless it only lacks the reference data, which is
    /// not part of the repository.
    AllExceptReference,
    /// Every test that this machine cannot run fails.
    All,
}
