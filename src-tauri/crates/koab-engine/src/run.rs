//! What a run is given, and what it comes to.

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

/// What is run.
pub struct RunInput {
    /// How. Caps and the use of services are those of the ports, whatever it says of them.
    pub spec: RunSpec,
    /// Which cached responses it reads; only written down.
    pub source: CacheSource,
    /// How failed model calls are repeated.
    pub retry: RetryPolicy,
    /// The tasks, in the dataset's order.
    pub tasks: Vec<Task>,
    /// The pack's tools.
    pub catalog: ToolCatalog,
    /// The part of the plan that is made here.
    pub shard: Shard,
    /// Attempts that an earlier start of the same run has finished; they are not made again.
    pub kept: Attempts<AttemptSummary>,
    /// Steps of attempts that an earlier start has not finished, by task and repetition; they are
    /// not asked for again.
    pub steps: OpenSteps,
    /// What is wrong with the journal that they are from, one sentence each; told in the first
    /// event.
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

/// The edges a run is connected to.
pub struct RunPorts {
    /// The model under test.
    pub model: Arc<dyn ModelAdapter>,
    /// Who drives the model; `None` where the run does it itself.
    pub agent: Option<Arc<dyn Agent>>,
    /// Cached responses.
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

/// The outcome of a run.
#[derive(Debug)]
pub struct RunReport {
    /// How it ended.
    pub outcome: RunOutcome,
    /// Why it ended early, in one sentence.
    pub reason: Option<Sentence>,
    /// What the finished attempts come to.
    pub tally: AttemptTally,
    /// Attempts that were planned.
    pub planned: usize,
    /// What was spent over all starts of the run; `None` for a model that costs nothing.
    pub spending: Option<Spending>,
}
