//! An empty workspace with everything that scores.

use crate::Scoring;
use koab_keys::Keys;
use koab_library::Library;
use koab_models::Models;
use koab_packs::Packs;
pub(crate) use koab_stand_ins::refused;
use koab_workspace::Workspace;
use tempfile::TempDir;

/// An empty workspace with everything that scores.
pub(crate) struct Desk {
    pub(crate) scoring: Scoring,
    pub(crate) folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(Some(folder.path().to_owned())).unwrap();
        let keys = Keys::new(workspace.clone());
        let models = Models::new(workspace.clone(), keys.clone());
        let packs = Packs::new(workspace.clone(), models.clone());
        let library = Library::new(workspace.clone(), models.clone(), packs.clone());
        Self { scoring: Scoring::new(library, workspace, keys, models, packs), folder }
    }
}
