//! Checks and opens everything that a run needs before the first call.

use super::request::{chosen, spec};
use crate::Runs;
use crate::runs::holds;
use crate::runs::library::{EarlierRun, made_here};
use crate::runs::live::LiveRun;
use crate::wire::{RunRequest, ShardRequest, WireError};
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunEvent;
use koab_core::pack_identity::PackIdentity;
use koab_core::run_record::{RunSpec, TokenUsage};
use koab_core::say;
use koab_core::task::Task;
use koab_engine::egress::Purpose;
use koab_engine::plan::{Plan, Shard};
use koab_engine::ports::{Cancel, EventSink, RunLog};
use koab_engine::retry::RetryPolicy;
use koab_engine::{RunInput, RunPorts};
use koab_models::{LocalUse, ModelHandle, provider};
use koab_otlp::{Export, RequestFacts};
use koab_providers::registry;
use koab_store::FolderLog;
use koab_store::holds::Spender;
use koab_store::shards::ShardLog;
use koab_workspace::clock::{SystemClock, folder_date};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A run with everything it needs, checked before the first call.
pub(crate) struct PreparedRun {
    pub(crate) input: RunInput,
    pub(crate) ports: RunPorts,
    pub(super) folder: Option<PathBuf>,
    /// `<model folder>/<date>`.
    pub(super) id: Option<String>,
    pub(super) export: Option<Arc<Export>>,
}

impl Runs {
    pub(crate) async fn prepare(
        &self,
        options: &RunRequest,
        live: Arc<LiveRun>,
        cancel: &Cancel,
    ) -> Result<PreparedRun, WireError> {
        // The run is locked by this process before its journal is read.
        let (earlier, mut log) = match (&options.resume, options.shard) {
            (Some(run), Some(shard)) => {
                let entry = self.scoring.to_resume(run)?;
                // Checked before the shard's file is created, which would take the shard over from
                // another worker.
                let settings = EarlierRun::of_manifest(&entry.id, made_here(&entry)?);
                let shard_options = self.with_its_pack(self.options_of(&settings, options)?)?;
                let pack = self.pack_for(shard_options.pack.as_deref())?;
                let identity = self.library.pack_identity(
                    &pack,
                    &chosen(&pack, &shard_options)?,
                    shard_options.protocol,
                )?;
                check_pack(&settings, &pack.label(), &identity, shard_options.cache_snapshot.is_some())?;
                let (earlier, log) = self.start_shard(&entry, shard)?;
                (Some(earlier), Some(RunFiles::Shard(log)))
            }
            (Some(run), None) => {
                let entry = self.scoring.to_resume(run)?;
                // Checked before the log creates files in the folder.
                let manifest = made_here(&entry)?;
                self.check_no_workers(&entry, &manifest, options.without_engine).await?;
                let mut log = FolderLog::resume(&entry.run.folder)?;
                // Attempts of workers are not made again.
                super::taken_in::take_in(&entry, &mut log, &manifest)?;
                (Some(self.earlier(&entry)?), Some(RunFiles::Whole(log)))
            }
            (None, _) => (None, None),
        };
        let request = options;
        let options = match &earlier {
            Some(earlier) => self.with_its_pack(self.options_of(earlier, options)?)?,
            None => options.clone(),
        };
        let settled = self.settled(&options)?;
        let mut options = self.with_settings(&settled)?;
        if earlier.is_some() {
            // A resumed run keeps its concurrency; the workspace's setting does not apply.
            options.concurrency = settled.concurrency;
        }
        let pack = self.pack_for(options.pack.as_deref())?;
        let tasks = chosen(&pack, &options)?;
        let mut spec = spec(&options, &pack)?;
        // Chosen from the request without the workspace's caps, which were not given for this run.
        let definition = super::agent::chosen(&settled, earlier.as_ref())?;
        if super::agent::is_own_model(&options, definition.as_ref()) {
            (options.own_model, options.max_cost_per_day) = (true, None);
            options.max_total_tokens_per_day = None;
        }
        let (mut isolation, mut remark, mut limit_remark) = (None, None, None);
        if let Some(definition) = &definition {
            if definition.is_by_hand() && options.by_hand.is_none() {
                return Err(WireError::bad_request(say!(
                    "{} is used by hand; start the run in the window, or at a terminal with `koab run`",
                    definition.name
                )));
            }
            let agent_isolation = self.isolation(definition, &options, earlier.as_ref()).await?;
            // A check goes through the gateway, so it does not apply to an agent's own model.
            let unchecked = options.unchecked || options.own_model || earlier.is_some();
            let home = Some(self.workspace.home()).filter(|_| !unchecked);
            spec = super::agent::described(definition, &agent_isolation, spec, tasks.len(), home).await?;
            remark = agent_isolation.remark(definition);
            isolation = Some(agent_isolation);
        }
        let identity = self.library.pack_identity(&pack, &tasks, options.protocol)?;
        if let Some(earlier) = &earlier {
            check_pack(earlier, &pack.label(), &identity, options.cache_snapshot.is_some())?;
        }
        spec.identity = Some(identity);
        let local = LocalUse { settings: &options.local, parallel: options.concurrency };
        let opened = tokio::select! {
            biased;
            _ = std::future::ready(()), if options.own_model => ModelHandle {
                model: koab_agents::unasked_model(),
                id: options.model.clone(),
                base_url: None,
                keys: 0,
                local: None,
            },
            () = cancel.cancelled() => return Err(WireError::cancelled(say!("cancelled before the run began"))),
            opened = self.models.open(&options.model, options.base_url.as_deref(), options.seed, &tasks, local, Purpose::Model) => opened?,
        };
        spec.local =
            opened.local.as_ref().map(serde_json::to_value).transpose().map_err(WireError::internal)?;
        if spec.max_tokens.is_none() {
            // The record contains the limit that is sent.
            spec.max_tokens = opened.model.own_limit();
            limit_remark = spec.max_tokens.map(|limit| {
                say!("the benchmark names no limit of output tokens and the model's server demands one: {limit} were sent as the limit")
            });
        }
        // Checked before the first call, and before the creation of a folder that would stay empty.
        self.models.check_caps(std::slice::from_ref(&options.model), &options.caps())?;
        let collector = options.otlp.as_ref().map(|otlp| otlp.collector()).transpose()?;
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(WireError::cancelled(say!("cancelled before the run began"))),
            checked = opened.model.check() => checked?,
        }
        let (cache, source) = self.packs.recorded(&pack.label(), options.cache_snapshot.as_deref())?;
        if let Some(before) = earlier.as_ref().and_then(|earlier| earlier.snapshot.as_ref())
            && source.snapshot.as_ref() != Some(before)
        {
            return Err(WireError::not_found(say!(
                "the run reads the snapshot `{}` with the hash {}, and the one of that name here holds something else; bring back the former to go on",
                before.name,
                before.hash
            )));
        }
        // Opened before the folder is created, which would stay empty after a missing key.
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
        let _ = live.model.set(self.library.model_name(&options.model, options.base_url.as_deref()));
        let origin = format!("run {}", id.as_deref().unwrap_or(&options.run));
        let live_tools = (services.is_some() || options.with_overlay)
            .then(|| self.live_tools(services, &pack, &origin))
            .transpose()?;
        let spent = match &earlier {
            // The journal has no calls of an agent's interrupted attempts.
            Some(earlier) if definition.is_some() => {
                let part = request.shard.map(|ShardRequest { index, of }| Shard { index, of });
                koab_agents::spent(&earlier.folder, part.map(|part| shard_attempts(&tasks, &spec, part)))?
            }
            Some(earlier) => earlier.spent,
            None => TokenUsage::default(),
        };
        let spender = request.shard.map_or(Spender::Run, |shard| Spender::Part(shard.index));
        let ledger_id = id.as_deref().map(|id| match spender {
            Spender::Part(index) => format!("{id} part {index}"),
            _ => id.to_owned(),
        });
        let mut budget =
            self.models.run_budget(&options.model, &options.caps(), ledger_id.as_deref(), spent)?;
        let asks_nobody = options.own_model || provider(&options.model) == "baseline";
        if let Some(folder) = folder.as_deref().filter(|_| !asks_nobody) {
            budget = holds::kept(budget, folder, spender, spent)?;
        }
        let workers = request.shard.map_or(1, |_| super::worker::workers());
        let model = if options.own_model {
            opened.model
        } else {
            self.models.limited_share(opened, options.concurrency, workers, budget)
        };
        let agent = self
            .agent(definition.zip(isolation), options.by_hand.clone(), &spec, &model, folder.as_deref())
            .await?;
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
        let (kept, steps, mut problems) = done.unwrap_or_default();
        problems.extend(remark.into_iter().chain(limit_remark));
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
                shard: request.shard.map_or(Shard::WHOLE, |ShardRequest { index, of }| Shard { index, of }),
                kept,
                steps,
                problems,
            },
            ports: RunPorts {
                model,
                agent,
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

    /// Creates a folder with this second as its name. A run that starts in the same second waits
    /// for the next one.
    pub(crate) fn new_folder(&self, model: &str) -> Result<PathBuf, WireError> {
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

/// The files that a run is written to: its own folder, or a shard's.
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

/// Whether a pack is unchanged since the run. Its cached responses are ignored for a run that reads
/// a snapshot.
pub(super) fn is_same_pack(was: &PackIdentity, now: &PackIdentity, reads_snapshot: bool) -> bool {
    was.tasks_sha256 == now.tasks_sha256
        && was.tools == now.tools
        && (reads_snapshot || was.records_sha256 == now.records_sha256)
}

/// Returns the attempts of a shard, by task and repetition.
fn shard_attempts(tasks: &[Task], spec: &RunSpec, part: Shard) -> Vec<(String, u32)> {
    let attempts = Plan::new(tasks, spec, part).attempts();
    attempts.map(|attempt| (tasks[attempt.task].id.clone(), attempt.repetition)).collect()
}

/// Returns the run id that belongs to a run's folder.
pub(crate) fn run_id(folder: &Path) -> String {
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

/// Returns a sink that sends events to both.
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

/// Refuses to resume a run whose pack has changed here.
fn check_pack(
    earlier: &EarlierRun,
    label: &str,
    identity: &PackIdentity,
    is_snapshot: bool,
) -> Result<(), WireError> {
    if earlier.pack() != label {
        return Err(WireError::not_found(say!(
            "the run was made with pack {}, but {} is installed; import the former to go on",
            earlier.pack(),
            label
        )));
    }
    if let Some(was) = earlier.identity()
        && !is_same_pack(was, identity, is_snapshot)
    {
        return Err(WireError::not_found(say!(
            "the run was made with other tasks, tools or recordings than pack {} has now; import that pack again as it was, or make a new run",
            label
        )));
    }
    Ok(())
}
