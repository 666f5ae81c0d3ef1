//! The work of a download: its files into the shared cache, and its end into its state.

use super::live::CurrentPull;
use super::plan::Plan;
use crate::Models;
use crate::downloads::Files;
use koab_core::say;
use koab_engine::egress::Purpose;
use koab_engine::ports::Cancel;
use koab_hub::Repository as Cached;
use koab_providers::hub::RepoKind;
use koab_workspace::WireError;
use koab_workspace::jobs::Underway;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How often a download tells of itself where nothing comes: it gets slower then.
const TICK: Duration = Duration::from_secs(1);

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
            WireError::bad_file(say!("the plan of {} is damaged; fetch it anew", plan.repo))
        })?,
    })
}

/// Fetches what a plan lacks. However it ends, the download's job says it.
pub(super) async fn fetch(
    models: Models,
    files: Arc<Files>,
    live: Arc<CurrentPull>,
    pause: Cancel,
    underway: Underway,
) {
    let underway = Arc::new(underway);
    let ended = all_files(&models, &files, &live, &pause, &underway).await;
    if ended.is_ok() {
        // A plan that stays is shown as a paused download, which is whole at its next start.
        let _ = live.plan.remove(&models.plans());
    }
    let _ = underway.finish(ended);
}

async fn all_files(
    models: &Models,
    files: &Arc<Files>,
    live: &Arc<CurrentPull>,
    pause: &Cancel,
    underway: &Arc<Underway>,
) -> Result<(), WireError> {
    let (noted, shown, total) = (Arc::clone(live), Arc::clone(underway), files.total());
    let note = move |at: usize, bytes: u64| {
        noted.note(at, bytes);
        shown.progress(noted.done(), total);
    };
    let asked = Arc::new(models.hub(Purpose::Weights).await?);
    let fetching = files.fetch(&asked, Arc::new(note), pause);
    tokio::pin!(fetching);
    let mut ticks = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            biased;
            ended = &mut fetching => return ended,
            _ = ticks.tick() => underway.progress(live.done(), total),
        }
    }
}
