//! Making a fork: a run's preparation and engine, and a fork's place on the disk.

use super::offer::ForkBasis;
use crate::Runs;
use crate::runs::PreparedRun;
use crate::runs::live::LiveRun;
use crate::wire::{ForkRequest, ForkStarted, ForkView, RunRequest, WireError};
use koab_core::fork::{FORK_FORMAT, FORK_KIND, ForkFile, ForkPrefix};
use koab_core::say;
use koab_engine::ports::{Cancel, Clock as _, EventSink, Pause, RunLog};
use koab_engine::{RunInput, RunPorts, run_fork};
use koab_store::forks::PREFIX;
use koab_workspace::clock::{SystemClock, folder_date};
use std::sync::Arc;

/// Everything that a fork needs, checked before anything is spent.
struct Begun {
    id: String,
    input: RunInput,
    ports: RunPorts,
    prefix: ForkPrefix,
}

impl Runs {
    /// Makes a fork and returns when it is over. The events go to `sink` as they happen.
    ///
    /// # Errors
    /// When it cannot begin. What goes wrong later is in the answer.
    pub async fn fork_make(
        &self,
        request: ForkRequest,
        sink: Arc<dyn EventSink>,
        cancel: Cancel,
    ) -> Result<ForkView, WireError> {
        let (live, begun) = self.begin_fork(request, Some(sink), &cancel).await?;
        let Begun { id, input, ports, prefix } = begun;
        run_fork(input, prefix, ports, cancel).await;
        debug_assert!(live.finished(), "the last event has been sent");
        live.job.finish(self.fork_show(&id))
    }

    /// Begins a fork and returns once it has begun; it goes on in the background, and is watched
    /// and cancelled as a run.
    ///
    /// # Errors
    /// As [`Runs::fork_make`], and when a run is under way.
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
            // Runs that were queued meanwhile waited for it.
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
    ) -> Result<(Arc<LiveRun>, Begun), WireError> {
        let basis = self.fork_ready(&request)?;
        let wanted = format!("{}_{}", folder_date(), plain(&basis.source.of.task));
        // One of the same second may be over and still be known.
        let mut run = format!("{PREFIX}{wanted}");
        while self.library.live_run(&run).is_some() {
            run.push('+');
        }
        let options = RunRequest { run, ..basis.options.clone() };
        let live = self.enter(&options.run, cancel.clone(), Pause::default())?;
        let _missed = sink.map(|sink| live.subscribe(sink));
        match self.prepare_fork(&wanted, &options, basis, &request, &live, cancel).await {
            Ok(begun) => Ok((live, begun)),
            Err(error) => {
                self.leave(&live);
                live.job.finish(Err(error))
            }
        }
    }

    async fn prepare_fork(
        &self,
        wanted: &str,
        options: &RunRequest,
        basis: ForkBasis,
        request: &ForkRequest,
        live: &Arc<LiveRun>,
        cancel: &Cancel,
    ) -> Result<Begun, WireError> {
        let prepared = self.prepare(options, Arc::clone(live), cancel).await?;
        let PreparedRun { input, mut ports, .. } = prepared;
        let source = basis.source;
        let log = self.forks().create(
            wanted,
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
                protocol: options.protocol,
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
        Ok(Begun { id, input, ports, prefix: basis.prefix })
    }
}

/// A task's id as part of a folder's name.
pub(super) fn plain(task: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    task.chars().map(kept).take(60).collect()
}
