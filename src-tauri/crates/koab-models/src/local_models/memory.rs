//! The local model that this process has loaded.

use koab_local::model::{LocalModel, ModelFiles, ModelOptions};
use std::sync::{Arc, Weak};

/// The model that is loaded in this process, while it is used.
#[derive(Default)]
pub(crate) struct Loaded(pub(super) Arc<tokio::sync::Mutex<Option<LoadedModel>>>);

pub(super) struct LoadedModel {
    pub(super) files: ModelFiles,
    pub(super) options: ModelOptions,
    pub(super) model: Weak<LocalModel>,
}
