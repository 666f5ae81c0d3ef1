//! Makes a fork in its own folder, with the same preparation and engine as a run.

use super::offer::ForkBasis;
use crate::Runs;
use crate::runs::PreparedRun;
use koab_core::fork::{FORK_FORMAT, FORK_KIND, ForkFile, ForkPrefix};
use koab_core::say;
use koab_engine::ports::{Cancel, Clock as _, EventSink, Pause, RunLog};
use koab_engine::{RunInput, RunPorts, run_fork};
use koab_library::live::LiveRun;
use koab_library::{ForkRequest, ForkStarted, ForkView, RunRequest};
use koab_store::forks::PREFIX;
use koab_workspace::WireError;
use koab_workspace::clock::{SystemClock, folder_date};
use std::sync::Arc;

/// A fork that is checked and ready for its first call.
struct PreparedFork {
    id: String,
    input: RunInput,
    ports: RunPorts,
    prefix: ForkPrefix,
}

impl Runs {
    /// Makes a fork and returns after its end. `sink` receives the events when they happen.
    ///
    /// # Errors
    /// When the fork cannot start. Later errors are part of the result.
    pub async fn fork_make(
        &self,
        request: ForkRequest,
        sink: Arc<dyn EventSink>,
        cancel: Cancel,
    ) -> Result<ForkView, WireError> {
        let (live, begun) = self.begin_fork(request, Some(sink), &cancel).await?;
        let PreparedFork { id, input, ports, prefix } = begun;
        run_fork(input, prefix, ports, cancel).await;
        debug_assert!(live.finished(), "the last event has been sent");
        live.job.finish(self.fork_show(&id))
    }

    /// Starts a fork in the background, and returns once it has started. The fork has events and
    /// can be cancelled like a run.
    ///
    /// # Errors
    /// Every error of [`Runs::fork_make`]. Also when a run is being made.
    pub async fn fork_start(&self, request: ForkRequest) -> Result<ForkStarted, WireError> {
        if self.is_busy() {
            return Err(WireError::busy(say!("a run is already under way; cancel it or wait for it")));
        }
        let cancel = Cancel::new();
        let (live, begun) = self.begin_fork(request, None, &cancel).await?;
        let started = ForkStarted { id: begun.id, run: live.run.clone() };
        let (input, ports, prefix) = (begun.input, begun.ports, begun.prefix);
        let api = self.clone();
        tokio::spawn(async move {
            run_fork(input, prefix, ports, cancel).await;
            // Runs that were queued meanwhile can start now.
            api.begin_next();
            let _ = live.job.finish(Ok(()));
        });
        Ok(started)
    }

    async fn begin_fork(
        &self,
        request: ForkRequest,
        sink: Option<Arc<dyn EventSink>>,
        cancel: &Cancel,
    ) -> Result<(Arc<LiveRun>, PreparedFork), WireError> {
        let basis = self.fork_ready(&request)?;
        let name = format!("{}_{}", folder_date(), plain(&basis.source.of.task));
        // A fork of the same second may have ended and still be in memory.
        let mut run = format!("{PREFIX}{name}");
        while self.library.live_run(&run).is_some() {
            run.push('+');
        }
        let options = RunRequest { run, ..basis.options.clone() };
        let live = self.enter(&options.run, cancel.clone(), Pause::default())?;
        let _snapshot = sink.map(|sink| live.subscribe(sink));
        match self.prepare_fork(&name, &options, basis, &request, &live, cancel).await {
            Ok(begun) => Ok((live, begun)),
            Err(error) => {
                self.leave(&live);
                live.job.finish(Err(error))
            }
        }
    }

    async fn prepare_fork(
        &self,
        name: &str,
        options: &RunRequest,
        basis: ForkBasis,
        request: &ForkRequest,
        live: &Arc<LiveRun>,
        cancel: &Cancel,
    ) -> Result<PreparedFork, WireError> {
        let prepared = self.prepare(options, Arc::clone(live), cancel).await?;
        let PreparedRun { input, mut ports, .. } = prepared;
        let source = basis.source;
        let log = self.forks().create(
            name,
            ForkFile {
                format: FORK_FORMAT,
                kind: FORK_KIND.to_owned(),
                id: String::new(),
                name: request.name.clone().unwrap_or_default().trim().to_owned(),
                created_ms: SystemClock.now_ms(),
                step: request.step,
                changes: basis.changes,
                settings: basis.settings,
                kept_steps: basis.kept_steps,
                from_log: source.from_log,
                pack: source.pack.label(),
                protocol: options.settings.protocol,
                model: options.model.clone(),
                source_model: source.options.model.clone(),
                source: source.record,
                of: source.of,
                run: None,
                record: None,
            },
        )?;
        let id = log.file().id.clone();
        let _ = live.id.set(format!("{PREFIX}{id}"));
        ports.folder = Some(log.folder().display().to_string());
        ports.log = Some(Box::new(log) as Box<dyn RunLog>);
        Ok(PreparedFork { id, input, ports, prefix: basis.prefix })
    }
}

/// Returns the id of a task in a form that the name of a folder can contain.
pub(super) fn plain(task: &str) -> String {
    let replace = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    task.chars().map(replace).take(60).collect()
}
