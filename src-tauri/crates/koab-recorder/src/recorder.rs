//! The recorder of a workspace.

use crate::current::CurrentRecording;
use koab_packs::Packs;
use koab_workspace::Workspace;
use std::sync::Arc;

/// Recordings of a workspace. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Recorder {
    pub(crate) workspace: Workspace,
    pub(crate) packs: Packs,
    pub(crate) current: Arc<CurrentRecording>,
}

impl Recorder {
    /// Creates the recorder of a workspace.
    pub fn new(workspace: Workspace, packs: Packs) -> Self {
        Self { workspace, packs, current: Arc::default() }
    }
}
