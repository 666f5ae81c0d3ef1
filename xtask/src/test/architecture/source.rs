//! A parsed Rust source, which the checks share.

/// A parsed Rust source.
pub(super) struct Source {
    /// Path of the file below the checkout.
    pub(super) name: String,
    pub(super) code: syn::File,
}
