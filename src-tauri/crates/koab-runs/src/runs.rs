//! Makes runs, and keeps a list of the runs of this process.

pub mod agent;
mod change;
mod completion;
mod current;
mod defaults;
mod dry_run;
pub(crate) mod estimate;
#[cfg(test)]
mod histories {
    mod tests;
}
pub mod library;
pub(crate) mod operator;
pub mod prepare;
mod replay;
pub mod request;
pub mod shards;
mod start;
mod taken_in;
pub mod workers;

pub use self::dry_run::{DryRun, DryRunLevel};
pub(crate) use self::prepare::PreparedRun;

use crate::Runs;
use koab_core::event::RunOutcome;
use koab_core::run_record::{CacheUse, Spending};
use koab_core::sentence::Sentence;
use koab_engine::budget::Caps;
use koab_engine::plan::Shard;
use koab_engine::ports::{Cancel, EventSink, Pause};
use koab_engine::run;
use koab_library::live::LiveRun;
use koab_library::{RunRequest, SpanDelivery};
use koab_workspace::WireError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunEnd {
    /// Outcome of the run.
    pub outcome: RunOutcome,
    /// Reason for an early end, in one sentence.
    pub reason: Option<Sentence>,
    /// Number of planned attempts.
    pub planned: u32,
    /// Number of attempts that have ended, including failed ones.
    pub done: u32,
    /// Number of attempts that ended for technical reasons, such as a server error.
    pub failed: u32,
    /// Attempts whose last answer was cut off at the output limit. They are counted under both
    /// protocols, leaderboard and corrected.
    pub cut_off: u32,
    /// Attempts with a prompt that omitted a part of the conversation, since the model's context
    /// was full.
    pub shortened: u32,
    /// Unknown finish reasons of servers, with the number of attempts of each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown_endings: BTreeMap<String, u32>,
    /// Number of tool calls for each source of their response (cache, live API and so on); `None`
    /// for a benchmark that executes no tools.
    pub cache: Option<CacheUse>,
    /// Whether no attempt called a tool although tasks need it, for example because the model or
    /// its server does not support tool calls. Always false for a baseline, which is a built-in
    /// model that makes no API calls.
    pub no_tool_called: bool,
    /// Whether an agent made the attempts, so that the agent is to blame for missing calls.
    pub by_agent: bool,
    /// Tokens and cost, including earlier sessions; `None` for a model that costs nothing.
    pub spending: Option<Spending>,
    /// Caps at the end of the run, if they were changed while it was being made.
    #[serde(skip)]
    pub caps: Option<Caps>,
    /// Wall time of this session, in seconds.
    pub seconds: f64,
    /// The run's folder; `None` when the run was not saved.
    pub folder: Option<String>,
    /// The command that resumes the run, when it is incomplete and was saved.
    pub resume: Option<String>,
    /// Result of the delivery of the run's spans; `None` without a collector.
    pub spans: Option<SpanDelivery>,
}

impl Runs {
    /// Makes a run and returns after its end. `sink` receives the events as they happen.
    ///
    /// # Errors
    /// When the run cannot start: the pack or a task does not exist, the model cannot be called, or
    /// a folder cannot be written. Later problems are part of the result.
    pub async fn run(
        &self,
        options: RunRequest,
        sink: Arc<dyn EventSink>,
        cancel: Cancel,
    ) -> Result<RunEnd, WireError> {
        let live = self.enter(&options.run, cancel.clone(), Pause::default())?;
        let _missed = live.subscribe(sink);
        let prepared = self.prepare(&options, live.clone(), &cancel).await;
        let end = match prepared {
            Ok(prepared) => self.carry_out(prepared, &live, cancel).await,
            Err(error) => Err(error),
        };
        self.leave(&live);
        live.job.finish(end)
    }

    pub(crate) async fn carry_out(
        &self,
        prepared: PreparedRun,
        live: &Arc<LiveRun>,
        cancel: Cancel,
    ) -> Result<RunEnd, WireError> {
        let begun = Instant::now();
        let PreparedRun { input, ports, folder, id, export } = prepared;
        let by_agent = input.spec.agent.is_some();
        let own_model = input.spec.agent.as_ref().is_some_and(|agent| agent.own_model);
        let asks_for_tools = !input.spec.model.starts_with("baseline/")
            // Nothing is known here about an agent's own model.
            && !own_model
            && input.tasks.iter().any(|task| !task.golden_calls().is_empty());
        let executes_tools = input.tasks.iter().any(|task| task.request().is_none());
        let Shard { index, of } = input.shard;
        let part = (of > 1).then(|| format!("{index}/{of}"));
        let requests_end = Cancel::new();
        // A shard is not changed while it is made.
        let requests = folder.clone().filter(|_| part.is_none()).map(|folder| {
            let end = requests_end.clone();
            tokio::spawn(self.clone().answer_requests(Arc::clone(live), folder, end))
        });
        let report = run(input, ports, cancel).await;
        requests_end.cancel();
        if let Some(requests) = requests {
            let _ = requests.await;
        }
        let spans = match export {
            Some(export) => Some(export.end().await),
            None => None,
        };
        debug_assert!(live.finished(), "the last event has been sent");
        if let (None, Some(folder)) = (&part, folder.clone()) {
            // Index the journal now, so that opening the run later is fast.
            let runs = self.clone();
            let _ = tokio::task::spawn_blocking(move || runs.library.journal(&folder)).await;
        }
        let tally = report.tally;
        Ok(RunEnd {
            outcome: report.outcome,
            planned: report.planned as u32,
            done: tally.done as u32,
            failed: tally.failed as u32,
            cut_off: tally.cut_off as u32,
            shortened: tally.shortened as u32,
            unknown_endings: tally.unknown_endings,
            reason: report.reason,
            no_tool_called: asks_for_tools && tally.done > tally.failed && tally.calls == 0,
            by_agent,
            cache: executes_tools.then_some(tally.answers),
            resume: id.filter(|_| report.outcome != RunOutcome::Completed || tally.failed > 0).map(|id| {
                format!(
                    "koab run --resume {id}{}",
                    part.map_or_else(String::new, |part| format!(" --shard {part}"))
                )
            }),
            spending: report.spending,
            caps: report.caps,
            seconds: begun.elapsed().as_secs_f64(),
            folder: folder.map(|f| f.display().to_string()),
            spans,
        })
    }
}
