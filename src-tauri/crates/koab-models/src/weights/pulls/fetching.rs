//! Runs a download: fetches its files into the shared cache, and sets its final state.

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

/// Interval of progress reports while no bytes arrive. The reported speed falls with each of these
/// reports.
const TICK: Duration = Duration::from_secs(1);

/// The files of a plan.
///
/// # Errors
/// When the stored plan is damaged.
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

/// Downloads the missing files of a plan. The download's job reports the outcome.
pub(super) async fn fetch(
    models: Models,
    files: Arc<Files>,
    live: Arc<CurrentPull>,
    pause: Cancel,
    underway: Underway,
) {
    let underway = Arc::new(underway);
    let outcome = all_files(&models, &files, &live, &pause, &underway).await;
    if outcome.is_ok() {
        // A plan that cannot be removed is listed as a paused download, which is complete at its
        // next start.
        let _ = live.plan.remove(&models.plans());
    }
    let _ = underway.finish(outcome);
}

async fn all_files(
    models: &Models,
    files: &Arc<Files>,
    live: &Arc<CurrentPull>,
    pause: &Cancel,
    underway: &Arc<Underway>,
) -> Result<(), WireError> {
    let (current, job, total) = (Arc::clone(live), Arc::clone(underway), files.total());
    let note = move |at: usize, bytes: u64| {
        current.note(at, bytes);
        job.progress(current.done(), total);
    };
    let access = Arc::new(models.hub(Purpose::Weights).await?);
    let fetching = files.fetch(&access, Arc::new(note), pause);
    tokio::pin!(fetching);
    let mut ticks = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            biased;
            outcome = &mut fetching => return outcome,
            _ = ticks.tick() => underway.progress(live.done(), total),
        }
    }
}
