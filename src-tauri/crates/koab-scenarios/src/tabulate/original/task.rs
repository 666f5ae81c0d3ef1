//! A task and its trials, as the original tool reads them.

/// A task, as the original tool reads it.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) trials: Vec<Trial>,
}

#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) number: u32,
    pub(super) success: Option<bool>,
    pub(super) seconds: Option<f64>,
}
