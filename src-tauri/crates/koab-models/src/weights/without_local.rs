//! The commands about local models in a build without them.

use crate::Models;
use crate::weights::{
    HubModel, LocalModel, LocalModels, LocalPart, LocalRemoval, LocalVerified, PullRequest, PullState,
};
use koab_workspace::WireError;
use std::path::Path;

fn absent<T>() -> Result<T, WireError> {
    Err(WireError::bad_request(crate::without_local::LIBRARY))
}

#[expect(missing_docs, reason = "documented where they do something")]
#[expect(clippy::missing_errors_doc, reason = "there is one error, and it is above")]
#[expect(clippy::unused_async, reason = "as where they do something")]
impl Models {
    pub fn local_list(&self) -> Result<LocalModels, WireError> {
        absent()
    }
    pub fn local_add(&self, _path: &Path) -> Result<LocalModel, WireError> {
        absent()
    }
    pub fn local_removal(&self, _name: &str, _part: &LocalPart) -> Result<LocalRemoval, WireError> {
        absent()
    }
    pub fn local_delete(&self, _name: &str, _part: &LocalPart) -> Result<LocalRemoval, WireError> {
        absent()
    }
    pub async fn local_verify(&self, _name: &str) -> Result<LocalVerified, WireError> {
        absent()
    }
    pub async fn hub_model(&self, _repo: &str) -> Result<HubModel, WireError> {
        absent()
    }
    pub async fn pull_start(&self, _request: PullRequest) -> Result<PullState, WireError> {
        absent()
    }
    pub async fn pull_resume(&self, _id: &str) -> Result<PullState, WireError> {
        absent()
    }
    pub fn pull_pause(&self, _id: &str) -> Result<(), WireError> {
        absent()
    }
    pub async fn pull_cancel(&self, _id: &str) -> Result<(), WireError> {
        absent()
    }
    pub fn pulls_list(&self) -> Result<Vec<PullState>, WireError> {
        absent()
    }
    pub async fn pull_wait(
        &self,
        _id: &str,
        _progress: &(dyn Fn(&PullState) + Sync),
    ) -> Result<PullState, WireError> {
        absent()
    }
}
