//! Faults of a tensor.

/// Reason why the numbers of a tensor cannot be encoded.
pub(super) enum Fault {
    NotFinite,
    TooLarge(f32),
    Blocks,
}
