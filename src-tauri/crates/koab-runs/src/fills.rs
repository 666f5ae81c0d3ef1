//! Fills a run's cache misses: makes every distinct call once at the live APIs, and saves the
//! responses.
//!
//! The calls follow from the current misses of the run, so a second fill makes only the calls that
//! are still without a response. Two concurrent fills for one pack are refused, because they would
//! make the same calls.

mod state;

pub(crate) use state::Fills;

use crate::Runs;
use crate::services::NeededServices;
use koab_core::args::NormalizedArgs;
use koab_core::event::AnswerSource;
use koab_core::say;
use koab_engine::live;
use koab_engine::ports::{Cancel, LiveTools, ServiceFault, StoreError};
use koab_library::misses::PackState;
use koab_library::{
    FillEnd, FillError, FillPlan, FillRequest, FillService, FilledTool, Miss, MissStanding, RunMisses,
    ServiceState,
};
use koab_providers::services;
use koab_workspace::jobs::{JobKind, Underway};
use koab_workspace::{ErrorCode, WireError};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// Maximum number of concurrent calls to all services. Each service has a lower limit of its own.
const MAX_CONCURRENT_CALLS: usize = 16;

/// One distinct call to a tool.
#[derive(Clone)]
struct Call {
    tool: String,
    raw: Map<String, Value>,
    args: NormalizedArgs,
}

/// The calls of a fill, and the numbers of calls that cannot be made.
struct FillCalls {
    misses: RunMisses,
    against: PackState,
    calls: Vec<Call>,
    answered: u32,
    refused: u32,
    no_service: u32,
    needed: NeededServices,
}

/// Outcome of a call; `None` if the call was not made.
type FillAnswer = Option<Result<AnswerSource, ServiceFault>>;

impl Runs {
    /// Returns the plan of a fill, without making calls.
    ///
    /// # Errors
    /// When the run or task does not exist, or no pack is installed that the misses can be compared
    /// with.
    pub async fn cache_fill_plan(&self, request: FillRequest) -> Result<FillPlan, WireError> {
        let calls = self.fill_calls(&request)?;
        let states = self.service_states(&calls.needed).await?;
        let calls_of = |state: &ServiceState| {
            let of_it = |call: &&Call| state.tools.contains(&call.tool);
            calls.calls.iter().filter(of_it).count() as u32
        };
        let services: Vec<FillService> =
            states.into_iter().map(|service| FillService { calls: calls_of(&service), service }).collect();
        let ready = services.iter().filter(|row| row.service.ready);
        Ok(FillPlan {
            run: calls.misses.run,
            pack: calls.against.label,
            calls: calls.calls.len() as u32,
            ready: ready.map(|row| row.calls).sum(),
            answered: calls.answered,
            refused: calls.refused,
            no_service: calls.no_service,
            services,
        })
    }

    /// Makes the missed calls of a run at the live APIs and saves the successful responses for the
    /// run's pack.
    ///
    /// The fill continues if the caller is dropped. After a cancellation, the saved responses
    /// remain.
    ///
    /// # Errors
    /// Every error of [`Runs::cache_fill_plan`]. Also when a key is missing and `without_keys` is
    /// false, the pack is already being filled, or the database cannot be written.
    pub async fn cache_fill(&self, request: FillRequest, cancel: &Cancel) -> Result<FillEnd, WireError> {
        let (api, cancel) = (self.clone(), cancel.clone());
        tokio::spawn(async move { api.filled(&request, &cancel).await }).await.map_err(WireError::internal)?
    }

    /// Returns the result of the last fill of a run in this process.
    ///
    /// # Errors
    /// Never, but all commands of the API return a `Result`.
    pub fn cache_fill_end(&self, run: &str) -> Result<Option<FillEnd>, WireError> {
        Ok(self.fills().ends.get(run).cloned())
    }

    fn fills(&self) -> MutexGuard<'_, Fills> {
        self.inner.fills.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill_calls(&self, request: &FillRequest) -> Result<FillCalls, WireError> {
        let (misses, against) = self.library.misses_held(&request.run)?;
        let Some(against) = against else {
            return Err(WireError::new(
                ErrorCode::NoPack,
                say!(
                    "no pack is installed that the misses can be compared with; import the run's pack first"
                ),
            ));
        };
        let chosen = request.tasks.as_deref();
        if let Some(unknown) =
            chosen.into_iter().flatten().find(|id| !misses.misses.iter().any(|miss| miss.task == **id))
        {
            return Err(WireError::not_found(say!(
                "the run {} missed no call of the task {unknown}; see `koab cache misses {}`",
                misses.run,
                misses.run
            )));
        }
        let mut plan = FillCalls {
            calls: Vec::new(),
            answered: 0,
            refused: 0,
            no_service: 0,
            needed: NeededServices::new(),
            misses,
            against,
        };
        let mut identities = BTreeSet::new();
        for miss in &plan.misses.misses {
            if !chosen.is_none_or(|ids| ids.contains(&miss.task)) {
                continue;
            }
            let raw = raw(miss);
            let Ok(args) = plan.against.catalog.normalized(&miss.tool, &raw) else {
                let plain = NormalizedArgs::from_record(&raw).canonical();
                plan.refused += u32::from(identities.insert((miss.tool.clone(), plain)));
                continue;
            };
            if !identities.insert((miss.tool.clone(), args.canonical())) {
                continue;
            }
            if miss.standing != (MissStanding::Open {}) {
                plan.answered += 1;
            } else if let Some(service) = services::of_tool(&miss.tool) {
                let tools = plan.needed.entry(service.name).or_default();
                tools.insert(miss.tool.clone());
                plan.calls.push(Call { tool: miss.tool.clone(), raw, args });
            } else {
                plan.no_service += 1;
            }
        }
        Ok(plan)
    }

    async fn filled(&self, request: &FillRequest, cancel: &Cancel) -> Result<FillEnd, WireError> {
        let plan = self.fill_calls(request)?;
        let states = self.service_states(&plan.needed).await?;
        let services = self.services_for(&plan.needed, request.without_keys, |keys, services| {
            say!(
                "the missed calls need services whose keys are missing: {keys} (for {services}); store them with `koab keys set NAME`, choose other tasks, or add --without-keys to leave these services out"
            )
        });
        let services = services.await?;
        let run = plan.misses.run.clone();
        let origin = format!("fill {run}");
        let pack = self.workspace.load_pack(&self.workspace.pack_of_label(&plan.against.label)?)?;
        let live = self.live_tools(Some(services), &pack, &origin)?;
        let underway = self.begin_fill(&run, &plan.against.label, cancel)?;
        let progress = |done: usize, all: usize| underway.progress(done as u64, all as u64);
        let outcomes = answers(&live, &plan.calls, cancel, progress).await;
        let outcomes = match outcomes {
            Ok(outcomes) => outcomes,
            Err(error) => return underway.finish(Err(error.into())),
        };
        let mut end = fill_end(&plan.calls, &outcomes, &states, cancel.is_cancelled());
        end.tasks = self.library.cache_misses(&run)?.filled;
        (end.run, end.origin) = (run, origin);
        self.fills().ends.insert(end.run.clone(), end.clone());
        // A stopped fill also has a result, which shows the number of its calls.
        let stopped = || WireError::cancelled(say!("stopped before all calls were asked for"));
        let _ = underway.finish(if cancel.is_cancelled() { Err(stopped()) } else { Ok(()) });
        Ok(end)
    }

    fn begin_fill(&self, run: &str, pack: &str, cancel: &Cancel) -> Result<Underway, WireError> {
        let pack = name_of(pack);
        let mut fills = self.fills();
        if fills.jobs.get(pack).is_some_and(|job| !job.is_over()) {
            return Err(WireError::busy(say!(
                "the misses of a run of {pack} are being filled already; wait until that is done or stop it"
            )));
        }
        let about = vec![run.to_owned()];
        let underway = self.workspace.begin_job(JobKind::CacheFill, about, Some(cancel));
        fills.jobs.insert(pack.to_owned(), underway.state());
        Ok(underway)
    }
}

/// Makes all calls, several concurrently, until all are answered or the fill is cancelled. A
/// cancellation aborts the calls that are in flight.
async fn answers(
    live: &LiveTools,
    calls: &[Call],
    cancel: &Cancel,
    progress: impl Fn(usize, usize),
) -> Result<Vec<FillAnswer>, StoreError> {
    let mut outcomes: Vec<FillAnswer> = vec![None; calls.len()];
    let (mut running, mut waiting, mut done) = (JoinSet::new(), calls.iter().enumerate(), 0);
    progress(0, calls.len());
    loop {
        while running.len() < MAX_CONCURRENT_CALLS
            && let Some((place, call)) = waiting.next()
        {
            let (live, call) = (live.clone(), call.clone());
            running.spawn(async move {
                let answer = live::answer(&live, &call.tool, &call.raw, &call.args, None).await;
                (place, answer)
            });
        }
        let result = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(outcomes),
            result = running.join_next() => result,
        };
        let Some(result) = result else {
            return Ok(outcomes);
        };
        let (place, answer) = result.map_err(|error| {
            StoreError(say!("a call was interrupted by a fault of this program: {error}"))
        })?;
        outcomes[place] = answer?.map(|answer| answer.map(|(_, source)| source));
        done += 1;
        progress(done, calls.len());
    }
}

/// Summarizes the outcomes of the calls by tool. The caller adds run, origin and tasks.
fn fill_end(calls: &[Call], outcomes: &[FillAnswer], states: &[ServiceState], cancelled: bool) -> FillEnd {
    let mut end = FillEnd {
        run: String::new(),
        origin: String::new(),
        calls: calls.len() as u32,
        recorded: 0,
        failed: 0,
        without_keys: 0,
        stopped: 0,
        tools: Vec::new(),
        tasks: Vec::new(),
    };
    let mut tools: BTreeMap<&str, FilledTool> = BTreeMap::new();
    for (call, outcome) in calls.iter().zip(outcomes) {
        let state = states.iter().find(|state| state.tools.contains(&call.tool));
        let row = tools.entry(&call.tool).or_insert_with(|| FilledTool {
            tool: call.tool.clone(),
            service: state.map(|state| state.title.clone()).unwrap_or_default(),
            missing_keys: missing(state),
            ..FilledTool::default()
        });
        match outcome {
            Some(Ok(_)) => {
                row.recorded += 1;
                end.recorded += 1;
            }
            Some(Err(fault)) => {
                row.failed += 1;
                end.failed += 1;
                match row.errors.iter_mut().find(|e| e.message == fault.message) {
                    Some(error) => error.calls += 1,
                    None => row.errors.push(FillError { message: fault.message.clone(), calls: 1 }),
                }
            }
            None if !row.missing_keys.is_empty() => end.without_keys += 1,
            None if cancelled => end.stopped += 1,
            // A service with all keys has answered or failed, so this does not happen.
            None => end.failed += 1,
        }
    }
    end.tools = tools.into_values().collect();
    end
}

fn missing(state: Option<&ServiceState>) -> Vec<String> {
    let keys = state.into_iter().flat_map(|state| &state.keys);
    keys.filter(|key| !key.present).map(|key| key.name.clone()).collect()
}

fn raw(miss: &Miss) -> Map<String, Value> {
    miss.arguments.as_object().cloned().unwrap_or_default()
}

/// Returns the name of a pack from `name@version`.
fn name_of(label: &str) -> &str {
    label.rsplit_once('@').map_or(label, |(name, _)| name)
}

#[cfg(test)]
mod tests;
