//! The public entry: one run from plan to report of what happened.

use crate::budget::Spending;
use crate::dispatcher::Dispatcher;
use crate::plan::RunSpec;
use crate::ports::{Cancel, Clock, EventSink, LiveTools, ModelAdapter, Pause, ResponseCache, RunLog};
use koab_core::event::RunOutcome;
use koab_core::fork::Beginning;
use koab_core::record::AttemptRecord;
use koab_core::task::Task;
use koab_core::tool::ToolCatalog;
use std::sync::Arc;

/// What is run.
pub struct RunInput {
    /// How.
    pub spec: RunSpec,
    /// The tasks, in the dataset's order.
    pub tasks: Vec<Task>,
    /// The pack's tools.
    pub catalog: ToolCatalog,
    /// Attempts that an earlier start of the same run has finished; they are not made again.
    pub kept: Vec<AttemptRecord>,
}

/// The edges a run is connected to.
pub struct RunPorts {
    /// The model under test.
    pub model: Arc<dyn ModelAdapter>,
    /// Recorded responses.
    pub cache: Arc<dyn ResponseCache>,
    /// Who answers what is not recorded; `None` makes that a miss.
    pub live: Option<LiveTools>,
    /// Where the run is written; `None` keeps nothing on disk.
    pub log: Option<Box<dyn RunLog>>,
    /// Who watches.
    pub sink: Arc<dyn EventSink>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Holds the run when somebody sets it.
    pub pause: Pause,
    /// The run's folder, told in the last event.
    pub folder: Option<String>,
}

/// What became of a run.
#[derive(Debug)]
pub struct RunReport {
    /// How it ended.
    pub outcome: RunOutcome,
    /// Why it ended early, in one sentence.
    pub reason: Option<String>,
    /// Finished attempts, in the dataset's order and by repetition.
    pub attempts: Vec<AttemptRecord>,
    /// Attempts that were planned.
    pub planned: usize,
    /// What was spent over all starts of the run; `None` for a model that costs nothing.
    pub spending: Option<Spending>,
}

impl RunReport {
    /// Attempts whose last answer was cut off at the output limit.
    pub fn cut_off(&self) -> usize {
        self.attempts.iter().filter(|a| a.cut_off()).count()
    }

    /// Attempts that ended for technical reasons.
    pub fn failed(&self) -> usize {
        self.attempts.iter().filter(|a| a.stop.is_technical()).count()
    }
}

/// Runs. Never panics for what the model, the pack or the disk does; the report says how it ended.
pub async fn run(input: RunInput, ports: RunPorts, cancel: Cancel) -> RunReport {
    Dispatcher::new(input, ports, cancel).run().await
}

/// Goes on from the beginning of a fork, by the rules of a run.
///
/// Tools, phases, step limit, retries, budget, cancelling. The
/// input holds the one task, once. The step limit counts the kept steps; the task's time begins anew. Whether the beginning
/// can be gone on from is [`crate::fork::check`]'s to say before.
pub async fn fork(input: RunInput, beginning: Beginning, ports: RunPorts, cancel: Cancel) -> RunReport {
    Dispatcher::new(input, ports, cancel).from(beginning).run().await
}
