//! Values that identify an answer.

/// Identity of an answer, and the stop sequence that ended it.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// 32 random hexadecimal digits.
    pub(crate) id: String,
    /// Time of the answer, seconds since the Unix epoch.
    pub(crate) created: u64,
    /// Name of the model as the caller wrote it.
    pub(crate) model: String,
    /// Stop sequence that ended the answer.
    pub(crate) stopped: Option<String>,
}
