//! The area's struct.

use koab_workspace::Workspace;

/// Recordings of a workspace. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Recorder {
    pub(crate) workspace: Workspace,
}

impl Recorder {
    /// The recorder of this workspace.
    pub fn new(workspace: Workspace) -> Self {
        Self { workspace }
    }
}
