//! A Rust source for the checks.

/// A parsed Rust source.
pub(super) struct Source {
    /// Path below the checkout.
    pub(super) name: String,
    pub(super) code: syn::File,
}
