//! What every step is given.

use crate::binaries::Selection;
use crate::checkout::Checkout;

/// What every step is given.
pub(super) struct Context<'a> {
    pub(super) checkout: &'a Checkout,
    /// What cargo works on: everything where the window can be compiled.
    pub(super) selection: Selection,
    /// What happens to tests that cannot run here.
    pub(super) required: Required,
}

/// What happens to tests that cannot run here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Required {
    /// They are skipped, with the reason.
    Nothing,
    /// They fail, but for those that compare with the reference data: it lies beside the
    /// repository, not in it.
    AllButReference,
    /// They fail.
    All,
}
