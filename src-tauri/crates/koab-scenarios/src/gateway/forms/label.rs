//! What tells an answer from others.

/// An answer's own.
#[derive(Clone, Debug)]
pub(in crate::gateway) struct Label {
    /// 32 random hexadecimal digits.
    pub(in crate::gateway) id: String,
    /// Seconds since 1970.
    pub(in crate::gateway) created: u64,
    /// The model's name as the caller wrote it.
    pub(in crate::gateway) model: String,
    /// The stop sequence that ended it.
    pub(in crate::gateway) stopped: Option<String>,
}
