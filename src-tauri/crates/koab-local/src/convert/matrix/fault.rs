//! What can be wrong with a tensor.

/// What can be wrong with numbers.
pub(super) enum Fault {
    NotFinite,
    TooLarge(f32),
    Blocks,
}
