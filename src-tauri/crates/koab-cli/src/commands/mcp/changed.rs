//! Changes of a run that the agent started in this session, while the run is being made.
//!
//! The budget is not among them: it is what the user agreed to.

use super::super::change;
use super::session_run::SessionRun;
use super::text_result::TextResult;
use koab_api::{Api, WireError};
use koab_core::run_record::{RetriedAttempt, RunChange};
use koab_core::say;
use koab_core::sentence::Language;
use serde::Deserialize;

/// Arguments of the tool `change`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeWords {
    pub(super) run: String,
    #[serde(default)]
    concurrency: Option<u32>,
    #[serde(default)]
    timeout: Option<f64>,
    #[serde(default)]
    max_steps: Option<u32>,
    #[serde(default)]
    base_url: Option<String>,
    #[serde(default)]
    leave_out: Vec<String>,
}

/// Arguments of the tool `retry`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RetryWords {
    pub(super) run: String,
    #[serde(default)]
    tasks: Vec<String>,
}

/// Changes a run.
///
/// # Errors
/// When no change is named, no connection of the user has the address, or the run refuses a change.
pub(super) async fn make(api: &Api, run: &SessionRun, words: ChangeWords) -> TextResult {
    let ChangeWords { run: _, concurrency, timeout, max_steps, base_url, leave_out } = words;
    if let Some(base_url) = &base_url {
        let live = api.runs.library.live_run(&run.name);
        let live = live.as_ref().and_then(|live| live.changes.get()?.as_ref().ok());
        let model = live.map_or("", |live| live.model.as_str());
        // The agent must not choose where the user's keys are sent.
        api.models.check_connected(model, Some(base_url))?;
    }
    let changes = [
        concurrency.map(|to| RunChange::Concurrency { to, from: None }),
        timeout.map(|to| RunChange::Timeout { to, from: None }),
        max_steps.map(|to| RunChange::MaxSteps { to, from: None }),
        base_url.map(|to| RunChange::BaseUrl { to, from: None }),
        (!leave_out.is_empty()).then_some(RunChange::LeaveOut { tasks: leave_out }),
    ];
    let changes: Vec<RunChange> = changes.into_iter().flatten().collect();
    if changes.is_empty() {
        return Err(WireError::bad_request(say!("nothing is to be changed; name at least one new value")));
    }
    let records = api.runs.run_change(&run.name, changes).await?;
    Ok(change::text(&records, Language::ENGLISH))
}

/// Makes failed attempts of a run again.
///
/// # Errors
/// When no attempt has failed, or the run has ended.
pub(super) async fn retry(api: &Api, run: &SessionRun, words: RetryWords) -> TextResult {
    let attempts = words.tasks.into_iter().map(|task| RetriedAttempt { task, repetition: None });
    let records = api.runs.run_retry(&run.name, attempts.collect()).await?;
    Ok(change::text(&records, Language::ENGLISH))
}
