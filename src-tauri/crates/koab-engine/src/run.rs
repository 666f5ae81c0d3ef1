//! The input, the ports and the result of a run.

use crate::budget::Caps;
use crate::plan::Shard;
use crate::ports::{
    Agent, ChangeInbox, Clock, EventSink, LiveTools, ModelAdapter, Pause, ResponseCache, RunLog,
};
use crate::retry::RetryPolicy;
use koab_core::cache_source::{CacheSource, PackRef};
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunOutcome;
use koab_core::run_record::{
    AttemptSummary, AttemptTally, Attempts, ChangeRecord, EarlierLimits, OpenSteps, RunSpec, Spending,
};
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use std::sync::Arc;

/// Data of a run: its settings, tasks, tools, and earlier attempts if it is resumed.
pub struct RunInput {
    /// Settings of the run. Its caps and its use of live services come from the ports and not from
    /// these settings.
    pub spec: RunSpec,
    /// Source of the run's cached responses. It is only written to the manifest.
    pub source: CacheSource,
    /// Policy for the retries of failed model calls.
    pub retry: RetryPolicy,
    /// The tasks, in the dataset's order.
    pub tasks: Vec<Task>,
    /// The pack's tools.
    pub catalog: ToolCatalog,
    /// The shard of the plan that the run makes.
    pub shard: Shard,
    /// Attempts that ended in an earlier start of the run. They are not repeated.
    pub kept: Attempts<AttemptSummary>,
    /// Steps of attempts that an earlier start has not finished, by task and repetition. They are
    /// replayed without model calls.
    pub steps: OpenSteps,
    /// Limits of these attempts, if the limits were changed after the attempts had begun.
    pub earlier_limits: EarlierLimits,
    /// Changes of the run in earlier starts, in order. The settings in `spec` include them.
    pub changes: Vec<ChangeRecord>,
    /// Faults of the earlier journal, one sentence each. The first event contains them.
    pub problems: Vec<Sentence>,
}

impl RunInput {
    /// Creates the input of a new run that reads its pack's own cached responses.
    pub fn new(spec: RunSpec, tasks: Vec<Task>, catalog: ToolCatalog) -> Self {
        Self {
            source: CacheSource { snapshot: None, pack: PackRef::of_label(&spec.pack) },
            spec,
            retry: RetryPolicy::default(),
            tasks,
            catalog,
            shard: Shard::WHOLE,
            kept: Attempts::default(),
            steps: OpenSteps::new(),
            earlier_limits: EarlierLimits::new(),
            changes: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// Everything outside of the engine that a run uses: model, agent, cache, live APIs, files and
/// clock.
pub struct RunPorts {
    /// The model under test.
    pub model: Arc<dyn ModelAdapter>,
    /// The agent that drives the model; `None` if this program drives it.
    pub agent: Option<Arc<dyn Agent>>,
    /// Cached responses.
    pub cache: Arc<dyn ResponseCache>,
    /// Sources that answer cache misses; `None` if a cache miss stays without an answer.
    pub live: Option<LiveTools>,
    /// The files of the run; `None` writes nothing to the disk.
    pub log: Option<Box<dyn RunLog>>,
    /// Receiver of the run's events.
    pub sink: Arc<dyn EventSink>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Switch that pauses the run.
    pub pause: Pause,
    /// Receiver of requests to change the run.
    pub changes: ChangeInbox,
    /// Path of the run's folder. The last event contains it.
    pub folder: Option<String>,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct RunReport {
    /// Outcome of the run.
    pub outcome: RunOutcome,
    /// Reason for an early end, one sentence.
    pub reason: Option<Sentence>,
    /// Totals of the finished attempts.
    pub tally: AttemptTally,
    /// Number of planned attempts.
    pub planned: usize,
    /// Tokens and cost over all starts of the run; `None` for a model that costs nothing.
    pub spending: Option<Spending>,
    /// Caps at the end of the run, if they were changed while it was being made.
    pub caps: Option<Caps>,
}
