//! The area's struct.

use crate::room::Room;
use koab_packs::Packs;
use koab_workspace::Workspace;
use std::sync::Arc;

/// Recordings of a workspace. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Recorder {
    pub(crate) workspace: Workspace,
    pub(crate) packs: Packs,
    pub(crate) room: Arc<Room>,
}

impl Recorder {
    /// The recorder of this workspace.
    pub fn new(workspace: Workspace, packs: Packs) -> Self {
        Self {
            workspace,
            packs,
            room: Arc::default(),
        }
    }
}
