//! Filling what a run missed: every different call once, from the live APIs, into the user's
//! overlay.
//!
//! What is asked follows from the run's misses as they stand now, so a second fill asks only for
//! what the first did not get. Two fills beside one pack at the same time are refused: they would
//! ask for the same calls.

mod state;

pub(crate) use state::Fills;

use crate::Runs;
use crate::misses::PackState;
use crate::services::NeededServices;
use crate::wire::{
    ErrorCode, FillEnd, FillError, FillPlan, FillRequest, FillService, FilledTool, Miss, MissStanding,
    RunMisses, ServiceState, WireError,
};
use koab_core::args::NormalizedArgs;
use koab_core::event::AnswerSource;
use koab_core::say;
use koab_engine::live;
use koab_engine::ports::{Cancel, LiveTools, ServiceFault, StoreError};
use koab_providers::services;
use koab_workspace::jobs::{JobKind, Underway};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// Calls under way at once. Each service lets only a few through, so this is about several services
/// beside each other.
const AT_ONCE: usize = 16;

/// One different call.
#[derive(Clone)]
struct Call {
    tool: String,
    raw: Map<String, Value>,
    args: NormalizedArgs,
}

/// What is to be asked, sorted by what stands in its way.
struct FillCalls {
    misses: RunMisses,
    against: PackState,
    calls: Vec<Call>,
    answered: u32,
    refused: u32,
    no_service: u32,
    needed: NeededServices,
}

/// The outcome of a call; `None`: it was not asked for.
type FillAnswer = Option<Result<AnswerSource, ServiceFault>>;

impl Runs {
    /// What a fill would ask, without asking anybody.
    ///
    /// # Errors
    /// When there is no such run or task, or no pack that its misses can be compared with.
    pub async fn cache_fill_plan(&self, request: FillRequest) -> Result<FillPlan, WireError> {
        let wanted = self.wanted(&request)?;
        let states = self.service_states(&wanted.needed).await?;
        let calls_of = |state: &ServiceState| {
            let of_it = |call: &&Call| state.tools.contains(&call.tool);
            wanted.calls.iter().filter(of_it).count() as u32
        };
        let services: Vec<FillService> =
            states.into_iter().map(|service| FillService { calls: calls_of(&service), service }).collect();
        let ready = services.iter().filter(|row| row.service.ready);
        Ok(FillPlan {
            run: wanted.misses.run,
            pack: wanted.against.label,
            calls: wanted.calls.len() as u32,
            ready: ready.map(|row| row.calls).sum(),
            answered: wanted.answered,
            refused: wanted.refused,
            no_service: wanted.no_service,
            services,
        })
    }

    /// Asks the live APIs for what a run missed and keeps good answers beside its pack. It goes on
    /// when whoever asked goes away; what was answered is kept when it is stopped.
    ///
    /// # Errors
    /// As [`Runs::cache_fill_plan`]; when a key is missing and nobody said to go on without, the
    /// pack is being filled already, or the database refuses.
    pub async fn cache_fill(&self, request: FillRequest, cancel: &Cancel) -> Result<FillEnd, WireError> {
        let (api, cancel) = (self.clone(), cancel.clone());
        tokio::spawn(async move { api.filled(&request, &cancel).await }).await.map_err(WireError::internal)?
    }

    /// How the last fill of a run ended in this process.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn cache_fill_end(&self, run: &str) -> Result<Option<FillEnd>, WireError> {
        Ok(self.fills().ends.get(run).cloned())
    }

    fn fills(&self) -> MutexGuard<'_, Fills> {
        self.inner.fills.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self, request: &FillRequest) -> Result<FillCalls, WireError> {
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
        let mut wanted = FillCalls {
            calls: Vec::new(),
            answered: 0,
            refused: 0,
            no_service: 0,
            needed: NeededServices::new(),
            misses,
            against,
        };
        let mut seen = BTreeSet::new();
        for miss in &wanted.misses.misses {
            if !chosen.is_none_or(|ids| ids.contains(&miss.task)) {
                continue;
            }
            let raw = raw(miss);
            let Ok(args) = wanted.against.catalog.normalized(&miss.tool, &raw) else {
                let plain = NormalizedArgs::from_record(&raw).canonical();
                wanted.refused += u32::from(seen.insert((miss.tool.clone(), plain)));
                continue;
            };
            if !seen.insert((miss.tool.clone(), args.canonical())) {
                continue;
            }
            if miss.standing != (MissStanding::Open {}) {
                wanted.answered += 1;
            } else if let Some(service) = services::of_tool(&miss.tool) {
                let tools = wanted.needed.entry(service.name).or_default();
                tools.insert(miss.tool.clone());
                wanted.calls.push(Call { tool: miss.tool.clone(), raw, args });
            } else {
                wanted.no_service += 1;
            }
        }
        Ok(wanted)
    }

    async fn filled(&self, request: &FillRequest, cancel: &Cancel) -> Result<FillEnd, WireError> {
        let wanted = self.wanted(request)?;
        let states = self.service_states(&wanted.needed).await?;
        let services = self.services_for(&wanted.needed, request.without_keys, |keys, services| {
            say!(
                "the missed calls need services whose keys are missing: {keys} (for {services}); store them with `koab keys set NAME`, choose other tasks, or add --without-keys to leave these services out"
            )
        });
        let services = services.await?;
        let run = wanted.misses.run.clone();
        let origin = format!("fill {run}");
        let pack = self.workspace.load_pack(&self.workspace.pack_of_label(&wanted.against.label)?)?;
        let live = self.live_tools(Some(services), &pack, &origin)?;
        let underway = self.begin_fill(&run, &wanted.against.label, cancel)?;
        let progress = |done: usize, all: usize| underway.progress(done as u64, all as u64);
        let asked = answers(&live, &wanted.calls, cancel, progress).await;
        let asked = match asked {
            Ok(asked) => asked,
            Err(error) => return underway.finish(Err(error.into())),
        };
        let mut end = fill_end(&wanted.calls, &asked, &states, cancel.is_cancelled());
        end.tasks = self.library.cache_misses(&run)?.filled;
        (end.run, end.origin) = (run, origin);
        self.fills().ends.insert(end.run.clone(), end.clone());
        // A fill that was stopped has done something all the same; whoever shows it sees how much.
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

/// Asks for every call, several at once, until all are answered or it is cancelled; what is under
/// way then is dropped.
async fn answers(
    live: &LiveTools,
    calls: &[Call],
    cancel: &Cancel,
    progress: impl Fn(usize, usize),
) -> Result<Vec<FillAnswer>, StoreError> {
    let mut asked: Vec<FillAnswer> = vec![None; calls.len()];
    let (mut flying, mut waiting, mut done) = (JoinSet::new(), calls.iter().enumerate(), 0);
    progress(0, calls.len());
    loop {
        while flying.len() < AT_ONCE
            && let Some((place, call)) = waiting.next()
        {
            let (live, call) = (live.clone(), call.clone());
            flying.spawn(async move {
                let answer = live::answer(&live, &call.tool, &call.raw, &call.args, None).await;
                (place, answer)
            });
        }
        let ended = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(asked),
            ended = flying.join_next() => ended,
        };
        let Some(ended) = ended else {
            return Ok(asked);
        };
        let (place, answer) = ended.map_err(|error| {
            StoreError(say!("a call was interrupted by a fault of this program: {error}"))
        })?;
        asked[place] = answer?.map(|answer| answer.map(|(_, source)| source));
        done += 1;
        progress(done, calls.len());
    }
}

/// The outcome of the calls, by tool; run, origin and tasks are the caller's.
fn fill_end(calls: &[Call], asked: &[FillAnswer], states: &[ServiceState], cancelled: bool) -> FillEnd {
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
    for (call, asked) in calls.iter().zip(asked) {
        let state = states.iter().find(|state| state.tools.contains(&call.tool));
        let row = tools.entry(&call.tool).or_insert_with(|| FilledTool {
            tool: call.tool.clone(),
            service: state.map(|state| state.title.clone()).unwrap_or_default(),
            missing_keys: missing(state),
            ..FilledTool::default()
        });
        match asked {
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
            // A service that was open has answered or failed; nothing else is left.
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

/// The name in `name@version`.
fn name_of(label: &str) -> &str {
    label.rsplit_once('@').map_or(label, |(name, _)| name)
}

#[cfg(test)]
mod tests;
