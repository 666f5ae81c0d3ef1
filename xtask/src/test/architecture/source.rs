//! A Rust source as the rules read it.

/// A Rust source.
pub(super) struct Source {
    /// Its path below the checkout.
    pub(super) name: String,
    pub(super) code: syn::File,
}
