//! Changes of a run that this process is making.

use crate::Runs;
use koab_core::address;
use koab_core::run_record::{ChangeRecord, RunChange};
use koab_core::say;
use koab_engine::egress::Purpose;
use koab_engine::ports::{ChangeRequest, ModelAdapter};
use koab_library::live::{LiveChanges, LiveRun};
use koab_models::{LocalSettings, LocalUse, SpendingCaps};
use koab_workspace::{WireError, blocking};
use std::sync::Arc;

impl Runs {
    /// Changes a run of this process.
    pub(super) async fn change_here(
        &self,
        live: &Arc<LiveRun>,
        changes: Vec<RunChange>,
    ) -> Result<Vec<ChangeRecord>, WireError> {
        let possible = live.changes.get().ok_or_else(|| {
            WireError::busy(say!("the run has not begun yet; change it when its first attempt has begun"))
        })?;
        let LiveChanges { sender, model: id, seed, conversations } =
            possible.as_ref().map_err(|why| WireError::bad_request(why.clone()))?;
        let (mut model, mut changes, mut judges_before) = (None, changes, None);
        for change in &changes {
            match change {
                RunChange::Concurrency { to, .. } if conversations.is_some_and(|most| *to > most) => {
                    return Err(WireError::bad_request(say!(
                        "the model inside the application was loaded for {most} conversations at the same time",
                        most = conversations.unwrap_or_default()
                    )));
                }
                RunChange::MaxCost { to: Some(to), .. } => {
                    let caps = SpendingCaps { max_cost: Some(*to), ..SpendingCaps::default() };
                    let (models, ids) = (self.models.clone(), [id.clone()]);
                    blocking(move || models.check_caps(&ids, &caps)).await?;
                }
                RunChange::BaseUrl { to, .. } => {
                    model = Some(model_at(self, id, *seed, to).await?);
                }
                _ => {}
            }
        }
        for change in &mut changes {
            if let RunChange::Judges { to, base_url, from } = change {
                let before = self.set_judges(live, to, base_url.as_deref()).await?;
                from.clone_from(&before.judges);
                judges_before = Some(before);
            }
        }
        let result = sender.ask(ChangeRequest { changes, model }).await;
        if let (Err(_), Some(before)) = (&result, judges_before) {
            self.restore_judges(live, before);
        }
        live.job.news();
        result.map_err(WireError::bad_request)
    }
}

/// Opens and checks a model at another address.
async fn model_at(
    runs: &Runs,
    model: &str,
    seed: Option<u64>,
    base_url: &str,
) -> Result<Arc<dyn ModelAdapter>, WireError> {
    if base_url.trim().is_empty() || address::kept(base_url) != base_url.trim() {
        return Err(WireError::bad_request(say!(
            "a new address must be one that the run's record can have: without a user name, a password and a query"
        )));
    }
    let local = LocalUse { settings: &LocalSettings::default(), parallel: None };
    let opened = runs.models.open(model, Some(base_url), seed, &[], local, Purpose::Model).await?;
    opened.model.check().await?;
    Ok(opened.model)
}
