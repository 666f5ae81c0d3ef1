//! The input, the ports and the result of a run.

use crate::plan::Shard;
use crate::ports::{Agent, Clock, EventSink, LiveTools, ModelAdapter, Pause, ResponseCache, RunLog};
use crate::retry::RetryPolicy;
use koab_core::cache_source::{CacheSource, PackRef};
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunOutcome;
use koab_core::run_record::{AttemptSummary, AttemptTally, Attempts, OpenSteps, RunSpec, Spending};
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use std::sync::Arc;

/// The input of a run.
pub struct RunInput {
    /// Settings of the run. Caps and the use of services are taken from the ports instead.
    pub spec: RunSpec,
    /// The cached responses that the run reads, only for its manifest.
    pub source: CacheSource,
    /// Policy for the retries of failed model calls.
    pub retry: RetryPolicy,
    /// The tasks, in the dataset's order.
    pub tasks: Vec<Task>,
    /// The pack's tools.
    pub catalog: ToolCatalog,
    /// The shard of the plan to make.
    pub shard: Shard,
    /// Attempts that an earlier start of the run has finished; they are not repeated.
    pub kept: Attempts<AttemptSummary>,
    /// Steps of attempts that an earlier start has not finished, by task and repetition; they are
    /// replayed without model calls.
    pub steps: OpenSteps,
    /// Faults of the earlier journal, one sentence each, for the first event.
    pub problems: Vec<Sentence>,
}

impl RunInput {
    /// A run from its beginning, over its pack's own records.
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
            problems: Vec::new(),
        }
    }
}

/// The ports of a run.
pub struct RunPorts {
    /// The model under test.
    pub model: Arc<dyn ModelAdapter>,
    /// The agent that drives the model; `None` if the run does it itself.
    pub agent: Option<Arc<dyn Agent>>,
    /// Cached responses.
    pub cache: Arc<dyn ResponseCache>,
    /// Sources of answers to cache misses; `None` for no such sources.
    pub live: Option<LiveTools>,
    /// The files of the run; `None` writes nothing to the disk.
    pub log: Option<Box<dyn RunLog>>,
    /// Receiver of the run's events.
    pub sink: Arc<dyn EventSink>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Pauses the run while it is set.
    pub pause: Pause,
    /// The run's folder, for the last event.
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
}
