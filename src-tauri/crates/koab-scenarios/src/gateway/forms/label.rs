//! Values that identify an answer.

/// Identity of an answer, and the stop sequence that ended it.
#[derive(Clone, Debug)]
pub(in crate::gateway) struct Label {
    /// 32 random hexadecimal digits.
    pub(in crate::gateway) id: String,
    /// Time of the answer, seconds since the Unix epoch.
    pub(in crate::gateway) created: u64,
    /// Name of the model as the caller wrote it.
    pub(in crate::gateway) model: String,
    /// Stop sequence that ended the answer.
    pub(in crate::gateway) stopped: Option<String>,
}
