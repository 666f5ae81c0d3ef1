//! Last stage of preparing a run: its folder, its budget, its agent and its spans.

use super::PreparedRun;
use super::check::CheckedRun;
use super::settle::SettledRun;
use crate::Runs;
use crate::otlp::{Export, RequestFacts};
use crate::runs::library::Changed;
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunEvent;
use koab_core::run_record::{RunSpec, TokenUsage};
use koab_core::say;
use koab_core::task::Task;
use koab_engine::budget::Budget;
use koab_engine::plan::{Plan, Shard};
use koab_engine::ports::{EventSink, LiveTools, RunLog, change_channel};
use koab_engine::retry::RetryPolicy;
use koab_engine::{RunInput, RunPorts};
use koab_library::ShardRequest;
use koab_library::live::{LiveChanges, LiveRun};
use koab_models::provider;
use koab_providers::collector::Collector;
use koab_providers::registry;
use koab_providers::services::Services;
use koab_scoring::holds;
use koab_scoring::worker_home::workers;
use koab_store::FolderLog;
use koab_store::holds::Spender;
use koab_workspace::WireError;
use koab_workspace::blocking;
use koab_workspace::clock::{SystemClock, folder_date};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The files of a run, and what is read from the disk before its first call.
struct RunFiles {
    /// Folder of the run; `None` if the run is not saved.
    folder: Option<PathBuf>,
    /// Run id; `None` if the run is not saved.
    id: Option<String>,
    /// Journal of the run; `None` if the run is not saved.
    log: Option<Box<dyn RunLog>>,
    live_tools: Option<LiveTools>,
    budget: Budget,
}

impl Runs {
    /// Opens the files of a run and starts its agent.
    ///
    /// # Errors
    /// When the folder or a file cannot be written, or the agent cannot be started.
    pub(super) async fn opened_run(
        &self,
        checked: CheckedRun,
        live: Arc<LiveRun>,
    ) -> Result<PreparedRun, WireError> {
        let CheckedRun { mut settled, model, cache, source, services, collector } = checked;
        let is_new = settled.log.is_none() && settled.request.save_logs;
        let folder = if is_new { Some(self.new_folder(&settled.request.model).await?) } else { None };
        let (runs, shown) = (self.clone(), Arc::clone(&live));
        let (mut settled, files) = blocking(move || {
            let files = runs.run_files(&mut settled, folder, services, &shown)?;
            Ok((settled, files))
        })
        .await?;
        let RunFiles { folder, id, log, live_tools, budget } = files;
        let request = &settled.request;
        let conversations = model.local.as_ref().map(|local| local.parallel);
        let (sender, changes) = change_channel();
        let possible = match (&log, settled.shard) {
            (None, _) => Err(say!("the run saves no logs, so its changes would be in no record")),
            (_, Some(_)) => Err(say!("a worker makes a part of the run, which cannot be changed meanwhile")),
            _ if request.fixed => {
                Err(say!("the run is one of several that must be alike, so it cannot be changed"))
            }
            _ => Ok(LiveChanges {
                sender,
                model: request.model.clone(),
                seed: request.settings.seed,
                conversations,
            }),
        };
        let model = if request.own_model {
            model.model
        } else {
            let workers = settled.shard.map_or(1, |_| workers());
            self.models.limited_share(model, request.concurrency, workers, budget)
        };
        let by_hand = request.by_hand.clone();
        let agent =
            self.agent(settled.agent.take(), by_hand, &settled.spec, &model, folder.as_deref()).await?;
        let export = collector.map(|collector| export_to(collector, &settled, &live));
        let pause = live.pause.clone();
        let _ = live.changes.set(possible);
        let (log, sink): (_, Arc<dyn EventSink>) = match &export {
            Some(export) => (export.listening(log), also(live, export)),
            None => (log, live),
        };
        let ports = RunPorts {
            model,
            agent,
            cache,
            live: live_tools,
            log,
            pause,
            changes,
            sink,
            clock: Arc::new(SystemClock),
            folder: folder.as_ref().map(|folder| folder.display().to_string()),
        };
        let SettledRun { shard, earlier, pack, tasks, spec, remarks, .. } = settled;
        let done = earlier.map(|earlier| {
            let Changed { changes, limits } = earlier.changed;
            (earlier.attempts, earlier.steps, earlier.problems, changes, limits)
        });
        let (kept, steps, mut problems, changes, earlier_limits) = done.unwrap_or_default();
        problems.extend(remarks);
        let input = RunInput {
            spec,
            source,
            retry: RetryPolicy::default(),
            tasks,
            catalog: ToolCatalog::new(pack.tools),
            shard: shard.map_or(Shard::WHOLE, |ShardRequest { index, of }| Shard { index, of }),
            kept,
            steps,
            earlier_limits,
            changes,
            problems,
        };
        Ok(PreparedRun { input, ports, folder, id, export })
    }

    /// Opens the files of a run: the log of a resumed run, or a new log in `new_folder`. Stores the
    /// names of the run and of its model in `live`, for those who watch the run.
    fn run_files(
        &self,
        settled: &mut SettledRun,
        new_folder: Option<PathBuf>,
        services: Option<Services>,
        live: &LiveRun,
    ) -> Result<RunFiles, WireError> {
        let (folder, log) = match (settled.log.take(), new_folder) {
            (Some(log), _) => (settled.earlier.as_ref().map(|earlier| earlier.folder.clone()), Some(log)),
            (None, Some(folder)) => {
                let log: Box<dyn RunLog> = Box::new(FolderLog::start(&folder)?);
                (Some(folder), Some(log))
            }
            (None, None) => (None, None),
        };
        let id = folder.as_deref().map(run_id);
        let request = &settled.request;
        if let Some(id) = &id {
            let _ = live.id.set(id.clone());
        }
        let _ = live.model.set(self.library.model_name(&request.model, request.base_url.as_deref()));
        let origin = format!("run {}", id.as_deref().unwrap_or(&request.run));
        let live_tools = (services.is_some() || request.with_overlay)
            .then(|| self.live_tools(services, &settled.pack, &origin))
            .transpose()?;
        let budget = self.budget_of(settled, folder.as_deref(), id.as_deref())?;
        Ok(RunFiles { folder, id, log, live_tools, budget })
    }

    /// Returns the budget of a run, with the spending of its earlier sessions. The budget of a run
    /// with a folder survives kills.
    fn budget_of(
        &self,
        settled: &SettledRun,
        folder: Option<&Path>,
        id: Option<&str>,
    ) -> Result<Budget, WireError> {
        let SettledRun { request, shard, earlier, tasks, spec, agent, .. } = settled;
        let spent = match earlier {
            // The journal has no calls of an agent's interrupted attempts.
            Some(earlier) if agent.is_some() => {
                let part = shard.map(|ShardRequest { index, of }| Shard { index, of });
                koab_agents::spent(&earlier.folder, part.map(|part| shard_attempts(tasks, spec, part)))?
            }
            Some(earlier) => earlier.spent,
            None => TokenUsage::default(),
        };
        let spender = shard.map_or(Spender::Run, |shard| Spender::Part(shard.index));
        let ledger_id = id.map(|id| match spender {
            Spender::Part(index) => format!("{id} part {index}"),
            _ => id.to_owned(),
        });
        let budget = self.models.run_budget(&request.model, &request.caps(), ledger_id.as_deref(), spent)?;
        let makes_no_call = request.own_model || provider(&request.model) == "baseline";
        match folder {
            Some(folder) if !makes_no_call => holds::kept(budget, folder, spender, spent),
            _ => Ok(budget),
        }
    }

    /// Creates a folder whose name is the current second. If another run has started in the same
    /// second, waits for the next second.
    pub async fn new_folder(&self, model: &str) -> Result<PathBuf, WireError> {
        loop {
            let folder = koab_store::runs::new_folder(&self.workspace.home().logs(), model, &folder_date());
            let created = folder.clone();
            if blocking(move || create_folder(&created)).await? {
                return Ok(folder);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Creates a folder and the folders above it. Returns whether the folder is new.
fn create_folder(folder: &Path) -> Result<bool, WireError> {
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent).map_err(|error| cannot_make(parent, &error))?;
    }
    match std::fs::create_dir(folder) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(cannot_make(folder, &error)),
    }
}

/// Starts to send the run's spans to a collector.
fn export_to(collector: Collector, settled: &SettledRun, live: &LiveRun) -> Arc<Export> {
    let SettledRun { request, spec, .. } = settled;
    let _ = live.spans_to.set(collector.address().to_owned());
    let facts = RequestFacts {
        temperature: spec.settings.temperature,
        max_tokens: spec.settings.max_tokens,
        seed: spec.settings.seed,
        server: request.base_url.as_deref().and_then(registry::host),
    };
    let content = request.otlp.as_ref().is_some_and(|otlp| otlp.content);
    Arc::new(Export::begin(collector, content, facts))
}

/// Returns the attempts of a shard, each with its task and repetition.
fn shard_attempts(tasks: &[Task], spec: &RunSpec, part: Shard) -> Vec<(String, u32)> {
    let attempts = Plan::new(tasks, spec, part).attempts();
    attempts.map(|attempt| (tasks[attempt.task].id.clone(), attempt.repetition)).collect()
}

/// Returns the run id of a run's folder: the names of the model's folder and of this folder.
pub fn run_id(folder: &Path) -> String {
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name).unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    format!("{}/{}", name(folder.parent()), name(Some(folder)))
}

fn cannot_make(folder: &Path, error: &std::io::Error) -> WireError {
    WireError::storage(say!(
        "the run's folder {} cannot be made: {error}; free some disk space or choose another workspace with --home",
        folder.display()
    ))
}

/// Returns a sink that sends each event to `sink` and to the exporter of spans.
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
