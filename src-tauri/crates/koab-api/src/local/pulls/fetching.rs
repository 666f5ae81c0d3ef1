//! The work of a download: its files into the shared cache, and its end into its state.

use super::Live;
use super::plan::Plan;
use crate::Api;
use crate::activities::{ActivityKind, Underway};
use crate::hugging_face::Files;
use crate::wire::{ErrorCode, WireError};
use koab_engine::egress::Purpose;
use koab_hub::Repository as Cached;
use koab_providers::hub::RepoKind;
use std::path::Path;
use std::sync::Arc;

/// The files of a plan; an error when what stands on the disk is none.
pub(super) fn files(hub: &Path, plan: &Plan) -> Result<Files, WireError> {
    let files = plan.files.iter().map(|file| file.wanted()).collect::<Option<_>>();
    Ok(Files {
        cache: Cached::of_model(hub, &plan.repo),
        kind: RepoKind::Model,
        repo: plan.repo.clone(),
        revision: plan.revision.clone(),
        commit: plan.commit.clone(),
        files: files.ok_or_else(|| {
            WireError::new(
                ErrorCode::BadFile,
                format!("the plan of {} is damaged; fetch it anew", plan.repo),
            )
        })?,
    })
}

/// Fetches what a plan lacks. However it ends, the download's state says it.
pub(super) async fn fetch(api: Api, files: Arc<Files>, live: Arc<Live>) {
    let about = vec![live.plan.repo.clone()];
    let underway = Arc::new(api.begin_activity(ActivityKind::ModelPull, about, Some(&live.pause)));
    let ended = all_files(&api, &files, &live, &underway).await;
    let ended = match Arc::into_inner(underway) {
        Some(underway) => underway.finish(ended),
        None => ended,
    };
    if ended.is_ok() {
        // A plan that stays is shown as a paused download, which is whole at its next start.
        let _ = live.plan.remove(&api.plans());
    }
    let _ = live.end.set(ended);
    live.over.cancel();
}

async fn all_files(
    api: &Api,
    files: &Arc<Files>,
    live: &Arc<Live>,
    underway: &Arc<Underway>,
) -> Result<(), WireError> {
    let (noted, shown, total) = (Arc::clone(live), Arc::clone(underway), files.total());
    let note = move |at: usize, bytes: u64| {
        noted.note(at, bytes);
        shown.progress(noted.done(), total);
    };
    let asked = Arc::new(api.hub(Purpose::Weights).await?);
    files.fetch(&asked, Arc::new(note), &live.pause).await
}
