//! Making runs and keeping track of them.

mod completion;
mod defaults;
mod dry_run;
pub(crate) mod estimate;
pub(crate) mod library;
pub(crate) mod live;
mod remote;
mod replay;
mod shards;

pub use self::dry_run::{DryRun, DryRunLevel};
pub(crate) use self::remote::Progress as RemoteProgress;
pub use self::shards::WorkerHome;

use crate::Runs;
use crate::runs::library::{Earlier, made_here};
use crate::runs::live::LiveRun;
use crate::wire::{CacheUse, ErrorCode, RunRequest, RunSnapshot, ShardRequest, WireError};
use koab_core::catalog::ToolCatalog;
use koab_core::comparability::PackIdentity;
use koab_core::event::{RunEvent, RunOutcome};
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::record::CacheMode;
use koab_core::record::{RunSpec, Spending};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_engine::egress::Purpose;
use koab_engine::plan::Shard;
use koab_engine::ports::{Cancel, EventSink, RunLog};
use koab_engine::retry::RetryPolicy;
use koab_engine::{RunInput, RunPorts, run};
use koab_models::LocalUse;
use koab_models::concurrency;
use koab_otlp::{Export, RequestFacts, SpanDelivery};
use koab_providers::registry;
use koab_store::FolderLog;
use koab_store::shards::ShardLog;
use koab_workspace::clock::{SystemClock, folder_date};
use koab_workspace::jobs::JobKind;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Attempts that a plan may have.
const MOST_ATTEMPTS: u64 = 10_000_000;

/// Runs that are over and whose events are kept all the same.
const REMEMBERED: usize = 3;

/// The outcome of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunEnd {
    /// How it ended.
    pub outcome: RunOutcome,
    /// Why it ended early, in one sentence.
    pub reason: Option<Sentence>,
    /// Attempts planned.
    pub planned: u32,
    /// Attempts that ended.
    pub done: u32,
    /// Attempts that ended for technical reasons.
    pub failed: u32,
    /// Attempts whose last answer was cut off at the output limit, whatever the protocol makes of it.
    pub cut_off: u32,
    /// How tool calls were answered.
    pub cache: CacheUse,
    /// Whether no attempt called a tool although tasks ask for it, as where the model or its server knows no tool calls. Never of
    /// a baseline, which does what it is for.
    pub no_tool_called: bool,
    /// What was spent over all starts of the run; `None` for a model that costs nothing.
    pub spending: Option<Spending>,
    /// Wall time, seconds.
    pub seconds: f64,
    /// The run's folder; `None` when nothing was to be kept.
    pub folder: Option<String>,
    /// The command that goes on with it, when it is not complete and was kept.
    pub resume: Option<String>,
    /// The outcome of its spans; `None` when nobody was to get any.
    pub spans: Option<SpanDelivery>,
}

/// Everything that a run needs, checked before anything is spent.
pub(crate) struct PreparedRun {
    pub(crate) input: RunInput,
    pub(crate) ports: RunPorts,
    folder: Option<PathBuf>,
    /// `<model folder>/<date>`.
    id: Option<String>,
    export: Option<Arc<Export>>,
}

impl Runs {
    /// Makes a run and returns when it is over. The events go to `sink` as they happen.
    ///
    /// # Errors
    /// When the run cannot begin: no pack, no such task, a model that cannot be asked, a folder that cannot be written.
    /// What goes wrong later is in the answer.
    pub async fn run(
        &self,
        options: RunRequest,
        sink: Arc<dyn EventSink>,
        cancel: Cancel,
    ) -> Result<RunEnd, WireError> {
        let live = self.enter(&options.run, cancel.clone())?;
        let _missed = live.subscribe(sink);
        let prepared = self.prepare(&options, live.clone(), &cancel).await;
        let end = match prepared {
            Ok(prepared) => self.carry_out(prepared, &live, cancel).await,
            Err(error) => Err(error),
        };
        self.leave(&live);
        live.job.finish(end)
    }

    /// Begins a run and returns once it has begun; it goes on in the background.
    ///
    /// # Errors
    /// As [`Runs::run`], and when a run is already under way.
    pub async fn run_start(&self, request: RunRequest, sink: Arc<dyn EventSink>) -> Result<(), WireError> {
        if self.is_busy() {
            return Err(WireError::new(
                ErrorCode::Busy,
                say!("a run is already under way; cancel it or wait for it"),
            ));
        }
        self.check_request(&request)?;
        let cancel = Cancel::new();
        let options = self.asked_in_view(request)?;
        let live = self.enter(&options.run, cancel.clone())?;
        let _missed = live.subscribe(sink);
        let prepared = match self.prepare(&options, live.clone(), &cancel).await {
            Ok(prepared) => prepared,
            Err(error) => {
                self.leave(&live);
                return live.job.finish(Err(error));
            }
        };
        let api = self.clone();
        tokio::spawn(async move {
            let end = api.carry_out(prepared, &live, cancel).await;
            api.begin_next();
            // The last event tells the window how it ended; there is nobody else to tell.
            let _ = live.job.finish(end);
        });
        Ok(())
    }

    /// Watches a run of this process: all events so far at once, later ones through `sink`.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_subscribe(&self, run: &str, sink: Arc<dyn EventSink>) -> Result<RunSnapshot, WireError> {
        Ok(self.live(run)?.subscribe(sink))
    }

    /// Cancels a run of this process and its scoring, whoever asked for that. What was done is kept.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_cancel(&self, run: &str) -> Result<(), WireError> {
        let live = self.live(run);
        let id = live.as_ref().ok().and_then(|live| live.id.get());
        let was_scored = self
            .workspace
            .cancel_jobs(JobKind::Evaluation, id.map_or(run, String::as_str));
        match live {
            Ok(live) => {
                self.workspace.cancel_jobs(JobKind::Run, &live.run);
            }
            Err(error) if !was_scored => return Err(error),
            Err(_) => {}
        }
        Ok(())
    }

    /// Holds a run of this process: nothing begins any more, calls that are out come to their end.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_pause(&self, run: &str) -> Result<(), WireError> {
        self.hold(run, true)
    }

    /// Lets a held run go on.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_unpause(&self, run: &str) -> Result<(), WireError> {
        self.hold(run, false)
    }

    fn hold(&self, run: &str, on: bool) -> Result<(), WireError> {
        let live = self.live(run)?;
        live.pause.set(on);
        live.job.news();
        Ok(())
    }

    /// The run under way in this process.
    pub(crate) fn current_run(&self) -> Option<String> {
        self.runs_here()
            .iter()
            .rev()
            .find(|live| !live.finished())
            .map(|live| live.run.clone())
    }

    /// The run under way that a page can show as one; forks have a page of their own.
    pub fn current_shown(&self) -> Option<String> {
        self.current_run()
            .filter(|run| !run.starts_with(koab_store::forks::PREFIX))
    }

    pub(crate) fn runs_here(&self) -> std::sync::MutexGuard<'_, Vec<Arc<LiveRun>>> {
        self.inner.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run of this process.
    pub(crate) fn live_run(&self, run: &str) -> Option<Arc<LiveRun>> {
        // A run that went on in this process is here twice under its id in the list; its last start is the run.
        self.runs_here().iter().rev().find(|live| live.is(run)).cloned()
    }

    fn live(&self, run: &str) -> Result<Arc<LiveRun>, WireError> {
        self.live_run(run)
            .ok_or_else(|| WireError::not_found(say!("no run {run} is under way")))
    }

    /// Takes a run up among those of this process. Its job is under way from then on.
    pub(crate) fn enter(&self, run: &str, cancel: Cancel) -> Result<Arc<LiveRun>, WireError> {
        let mut live = self.runs_here();
        if live.iter().any(|other| other.run == run) {
            return Err(WireError::bad_request(say!("there is a run {run} already")));
        }
        // What they wrote is on the disk; their events would only fill the memory.
        let over: Vec<String> = live
            .iter()
            .filter(|run| run.finished())
            .map(|run| run.run.clone())
            .collect();
        let forgotten = &over[..over.len().saturating_sub(REMEMBERED)];
        live.retain(|run| !forgotten.contains(&run.run));
        let about = vec![run.to_owned()];
        let job = self.workspace.begin_job(JobKind::Run, about, Some(&cancel));
        let entered = Arc::new(LiveRun::new(run.to_owned(), cancel, job));
        live.push(Arc::clone(&entered));
        Ok(entered)
    }

    pub(crate) fn leave(&self, gone: &Arc<LiveRun>) {
        self.runs_here().retain(|live| !Arc::ptr_eq(live, gone));
    }

    fn pack_for(&self, wanted: Option<&str>) -> Result<Pack, WireError> {
        // A folder or archive is imported first; a name that is also a folder means the pack that is there already.
        if let Some(wanted) = wanted
            && Path::new(wanted).exists()
            && !self
                .workspace
                .store()?
                .packs()?
                .iter()
                .any(|p| p.manifest.name == wanted)
        {
            let imported = self.workspace.store()?.import(Path::new(wanted))?;
            return self.workspace.load_pack(&imported.pack.manifest.name);
        }
        self.workspace.load_pack(&self.workspace.pack_name(wanted)?)
    }

    /// Options of a run that goes on: with the very version of its pack where that is installed.
    pub(crate) fn with_its_pack(&self, options: RunRequest) -> Result<RunRequest, WireError> {
        let label = options.pack.as_deref();
        let pack = label
            .map(|label| self.workspace.pack_of_label(label))
            .transpose()?;
        Ok(RunRequest { pack, ..options })
    }

    /// The pack and tasks that a run is of.
    pub(crate) fn tasks_of(&self, options: &RunRequest) -> Result<(Pack, Vec<Task>), WireError> {
        let pack = self.pack_for(options.pack.as_deref())?;
        let tasks = chosen(&pack, options)?;
        Ok((pack, tasks))
    }

    /// Refuses a request that makes no sense, as far as that is known without asking anybody.
    pub(crate) fn check_request(&self, request: &RunRequest) -> Result<(), WireError> {
        if request.resume.is_some() {
            return Ok(());
        }
        let request = &self.settled(request)?;
        if request.completes.is_some() {
            return self
                .models
                .check_caps(std::slice::from_ref(&request.model), &request.caps());
        }
        if request.levels.is_empty() && request.tasks.is_empty() {
            return Err(WireError::bad_request(say!(
                "no level is chosen; choose at least one, or single tasks"
            )));
        }
        if request
            .score
            .as_ref()
            .is_some_and(|score| score.scorers.is_empty())
        {
            return Err(WireError::bad_request(say!(
                "no scorer is named; choose at least one"
            )));
        }
        let pack = self.pack_for(request.pack.as_deref())?;
        chosen(&pack, request)?;
        spec(request, &pack)?;
        self.models
            .check_caps(std::slice::from_ref(&request.model), &request.caps())
    }

    pub(crate) async fn prepare(
        &self,
        options: &RunRequest,
        live: Arc<LiveRun>,
        cancel: &Cancel,
    ) -> Result<PreparedRun, WireError> {
        // The run is this process's before anybody looks into its journal.
        let (earlier, mut log) = match (&options.resume, options.shard) {
            (Some(run), Some(shard)) => {
                let (earlier, log) = self.start_shard(&self.to_resume(run)?, shard)?;
                (Some(earlier), Some(RunFiles::Shard(log)))
            }
            (Some(run), None) => {
                let entry = self.to_resume(run)?;
                // Before the log makes files in a folder that is nobody's to write in.
                let manifest = made_here(&entry)?;
                self.check_no_workers(&entry).await?;
                let mut log = FolderLog::resume(&entry.run.folder)?;
                // What workers have made is not made again.
                koab_store::shards::take_in(&entry.run, &mut log, &manifest.plan_hash())?;
                (Some(self.earlier(&entry)?), Some(RunFiles::Whole(log)))
            }
            (None, _) => (None, None),
        };
        let asked = options;
        let options = match &earlier {
            Some(earlier) => self.with_its_pack(earlier.options(options)?)?,
            None => options.clone(),
        };
        let settled = self.settled(&options)?;
        let mut options = self.with_settings(&settled)?;
        if earlier.is_some() {
            // A run goes on as it was made, whatever the workspace's own number is by now.
            options.concurrency = settled.concurrency;
        }
        let pack = self.pack_for(options.pack.as_deref())?;
        if let Some(earlier) = &earlier
            && earlier.pack() != pack.label()
        {
            return Err(WireError::not_found(say!(
                "the run was made with pack {}, but {} is installed; import the former to go on",
                earlier.pack(),
                pack.label()
            )));
        }
        let tasks = chosen(&pack, &options)?;
        let mut spec = spec(&options, &pack)?;
        let identity = self.pack_identity(&pack, &tasks, options.protocol)?;
        if let Some(was) = earlier.as_ref().and_then(Earlier::identity)
            && !is_same_pack(was, &identity, options.cache_snapshot.is_some())
        {
            return Err(WireError::not_found(say!(
                "the run was made with other tasks, tools or recordings than pack {} has now; import that pack again as it was, or make a new run",
                pack.label()
            )));
        }
        spec.identity = Some(identity);
        let local = LocalUse {
            settings: &options.local,
            parallel: options.concurrency,
        };
        let opened = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(WireError::new(ErrorCode::Cancelled, say!("cancelled before the run began"))),
            opened = self.models.open(&options.model, options.base_url.as_deref(), options.seed, &tasks, local, Purpose::Model) => opened?,
        };
        spec.local = opened
            .local
            .as_ref()
            .map(serde_json::to_value)
            .transpose()
            .map_err(WireError::internal)?;
        // Refused before anything is asked, and before a folder is made that would stay empty.
        self.models
            .check_caps(std::slice::from_ref(&options.model), &options.caps())?;
        let collector = options.otlp.as_ref().map(|otlp| otlp.collector()).transpose()?;
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(WireError::new(ErrorCode::Cancelled, say!("cancelled before the run began"))),
            checked = opened.model.check() => checked?,
        }
        let (cache, source) = self
            .packs
            .recorded(&pack.label(), options.cache_snapshot.as_deref())?;
        if let Some(before) = earlier.as_ref().and_then(|earlier| earlier.snapshot.as_ref())
            && source.snapshot.as_ref() != Some(before)
        {
            return Err(WireError::not_found(say!(
                "the run reads the snapshot `{}` with the hash {}, and the one of that name here holds something else; bring back the former to go on",
                before.name,
                before.hash
            )));
        }
        // Before a folder is made, which a missing key would leave empty.
        let services = self.open_services(&options, &pack, &tasks).await?;
        let folder = match (&log, options.save_logs) {
            (Some(_), _) => earlier.as_ref().map(|earlier| earlier.folder.clone()),
            (None, true) => Some(self.new_folder(&options.model)?),
            (None, false) => None,
        };
        if let (None, Some(folder)) = (&log, &folder) {
            log = Some(RunFiles::Whole(FolderLog::start(folder)?));
        }
        let id = folder.as_deref().map(run_id);
        if let Some(id) = &id {
            let _ = live.id.set(id.clone());
        }
        let origin = format!("run {}", id.as_deref().unwrap_or(&options.run));
        let live_tools = (services.is_some() || options.with_overlay)
            .then(|| self.live_tools(services, &pack, &origin))
            .transpose()?;
        let spent = earlier.as_ref().map(|earlier| earlier.spent).unwrap_or_default();
        let budget = self
            .models
            .run_budget(&options.model, &options.caps(), id.as_deref(), spent)?;
        let workers = asked.shard.map_or(1, |_| shards::workers());
        let model = self
            .models
            .gated_share(opened, options.concurrency, workers, budget);
        let log = log.map(RunFiles::into_log);
        let content = options.otlp.as_ref().is_some_and(|otlp| otlp.content);
        let export = collector.map(|collector| {
            let _ = live.spans_to.set(collector.address().to_owned());
            let facts = RequestFacts {
                temperature: spec.temperature,
                max_tokens: spec.max_tokens,
                seed: spec.seed,
                server: options.base_url.as_deref().and_then(registry::host),
            };
            Arc::new(Export::begin(collector, content, facts))
        });
        let pause = live.pause.clone();
        let done = earlier.map(|earlier| (earlier.attempts, earlier.steps, earlier.problems));
        let (kept, steps, problems) = done.unwrap_or_default();
        let (log, sink): (_, Arc<dyn EventSink>) = match &export {
            Some(export) => (export.listening(log), also(live, export)),
            None => (log, live),
        };
        Ok(PreparedRun {
            input: RunInput {
                spec,
                source,
                retry: RetryPolicy::default(),
                tasks,
                catalog: ToolCatalog::new(pack.tools),
                shard: asked
                    .shard
                    .map_or(Shard::WHOLE, |ShardRequest { index, of }| Shard { index, of }),
                kept,
                steps,
                problems,
            },
            ports: RunPorts {
                model,
                cache,
                live: live_tools,
                log,
                pause,
                sink,
                clock: Arc::new(SystemClock),
                folder: folder.as_ref().map(|f| f.display().to_string()),
            },
            folder,
            id,
            export,
        })
    }

    pub(crate) async fn carry_out(
        &self,
        prepared: PreparedRun,
        live: &Arc<LiveRun>,
        cancel: Cancel,
    ) -> Result<RunEnd, WireError> {
        let begun = Instant::now();
        let PreparedRun {
            input,
            ports,
            folder,
            id,
            export,
        } = prepared;
        let asks_for_tools = !input.spec.model.starts_with("baseline/")
            && input.tasks.iter().any(|task| !task.golden_calls().is_empty());
        let Shard { index, of } = input.shard;
        let part = (of > 1).then(|| format!("{index}/{of}"));
        let report = run(input, ports, cancel).await;
        let spans = match export {
            Some(export) => Some(export.end().await),
            None => None,
        };
        debug_assert!(live.finished(), "the last event has been sent");
        if let (None, Some(folder)) = (&part, folder.clone()) {
            // Whoever opens the run next need not read its journal for that.
            let runs = self.clone();
            let _ = tokio::task::spawn_blocking(move || runs.inner.kept.journal(&folder)).await;
        }
        let tally = report.tally;
        Ok(RunEnd {
            outcome: report.outcome,
            planned: report.planned as u32,
            done: tally.done as u32,
            failed: tally.failed as u32,
            cut_off: tally.cut_off as u32,
            reason: report.reason,
            no_tool_called: asks_for_tools && tally.done > tally.failed && tally.calls == 0,
            cache: tally.answers,
            resume: id.filter(|_| report.outcome != RunOutcome::Completed).map(|id| {
                format!(
                    "koab run --resume {id}{}",
                    part.map_or_else(String::new, |part| format!(" --shard {part}"))
                )
            }),
            spending: report.spending,
            seconds: begun.elapsed().as_secs_f64(),
            folder: folder.map(|f| f.display().to_string()),
            spans,
        })
    }

    /// A folder of this second's name; a run begun in the same second gets the next one.
    fn new_folder(&self, model: &str) -> Result<PathBuf, WireError> {
        loop {
            let folder = koab_store::runs::new_folder(&self.workspace.home().logs(), model, &folder_date());
            if let Some(parent) = folder.parent() {
                std::fs::create_dir_all(parent).map_err(|error| cannot_make(parent, &error))?;
            }
            match std::fs::create_dir(&folder) {
                Ok(()) => return Ok(folder),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Err(error) => return Err(cannot_make(&folder, &error)),
            }
        }
    }
}

/// Where a run is written: its own folder, or a part of it.
enum RunFiles {
    Whole(FolderLog),
    Shard(ShardLog),
}

impl RunFiles {
    fn into_log(self) -> Box<dyn RunLog> {
        match self {
            Self::Whole(log) => Box::new(log),
            Self::Shard(log) => Box::new(log),
        }
    }
}

/// Whether a pack is still what a run had. Its own records do not matter to a run that reads a snapshot.
fn is_same_pack(was: &PackIdentity, now: &PackIdentity, reads_snapshot: bool) -> bool {
    was.tasks_sha256 == now.tasks_sha256
        && was.tools == now.tools
        && (reads_snapshot || was.records_sha256 == now.records_sha256)
}

/// The id under which a run's folder is found again.
fn run_id(folder: &Path) -> String {
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name).unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    format!("{}/{}", name(folder.parent()), name(Some(folder)))
}

fn cannot_make(folder: &Path, error: &std::io::Error) -> WireError {
    WireError::storage(say!(
        "the run's folder {} cannot be made: {error}; free the disk or choose another workspace with --home",
        folder.display()
    ))
}

/// The tasks that were asked for, in the dataset's order.
fn chosen(pack: &Pack, options: &RunRequest) -> Result<Vec<Task>, WireError> {
    for id in &options.tasks {
        if pack.task(id).is_none() {
            return Err(WireError::not_found(say!(
                "pack {} has no task {id}",
                pack.label()
            )));
        }
    }
    let wanted = |task: &&Task| {
        (options.levels.is_empty() || options.levels.contains(&task.level))
            && (options.tasks.is_empty() || options.tasks.contains(&task.id))
    };
    let tasks: Vec<Task> = pack.tasks.values().flatten().filter(wanted).cloned().collect();
    if tasks.is_empty() {
        return Err(WireError::bad_request(say!(
            "pack {} has no task in the chosen levels",
            pack.label()
        )));
    }
    let attempts = tasks.len() as u64 * u64::from(options.repetitions);
    if attempts > MOST_ATTEMPTS {
        return Err(WireError::bad_request(say!(
            "the run would have {attempts} attempts, and one can have {}; choose fewer repetitions or tasks",
            MOST_ATTEMPTS
        )));
    }
    Ok(tasks)
}

/// A sink that tells both.
fn also(sink: Arc<dyn EventSink>, export: &Arc<Export>) -> Arc<dyn EventSink> {
    struct Both(Arc<dyn EventSink>, Arc<Export>);
    impl EventSink for Both {
        fn send(&self, event: &RunEvent) {
            self.0.send(event);
            self.1.send(event);
        }
    }
    Arc::new(Both(sink, Arc::clone(export)))
}

fn spec(options: &RunRequest, pack: &Pack) -> Result<RunSpec, WireError> {
    if options.repetitions == 0 || options.max_steps == 0 {
        return Err(WireError::bad_request(say!(
            "repetitions and steps must be 1 or more"
        )));
    }
    if !(options.timeout_s > 0.0 && options.timeout_s <= 86_400.0) {
        return Err(WireError::bad_request(say!(
            "the time limit must be above 0 and at most 86400 seconds"
        )));
    }
    if options.cache_snapshot.is_some() && options.cache_mode == CacheMode::Write {
        return Err(WireError::bad_request(say!(
            "a snapshot is only read; leave --cache-snapshot or --cache-mode write out"
        )));
    }
    // A run that completes another reads what that one read, and what was kept since.
    if options.cache_snapshot.is_some() && options.with_overlay && options.completes.is_none() {
        return Err(WireError::bad_request(say!(
            "a snapshot holds the saved responses of its time already; leave --cache-snapshot or --with-overlay out"
        )));
    }
    if options.local.constrained && options.protocol == Protocol::Leaderboard {
        return Err(WireError::bad_request(say!(
            "constrained tool calls are not part of the leaderboard protocol; choose the corrected protocol, or leave --constrained out"
        )));
    }
    if !(0.0..=2.0).contains(&options.temperature) {
        return Err(WireError::bad_request(say!(
            "the temperature must be from 0 to 2"
        )));
    }
    Ok(RunSpec {
        protocol: options.protocol,
        repetitions: options.repetitions,
        max_steps: options.max_steps,
        timeout_s: options.timeout_s,
        full_rollout: options.full_rollout,
        temperature: options.temperature,
        max_tokens: options.max_tokens,
        effort: options.effort.clone(),
        seed: options.seed,
        // What may hold a password or a key is not written down; the user gives it again.
        base_url: options.base_url.clone().filter(|url| !url.contains(['@', '?'])),
        completes: options.completes.clone(),
        without_keys: options.without_keys,
        concurrency: concurrency(options.concurrency, &options.model, options.base_url.as_deref()).1,
        ..RunSpec::published(&options.run, &pack.label(), &options.model)
    })
}
