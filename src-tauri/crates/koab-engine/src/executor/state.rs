//! The context, the state and the possible ends of an attempt.

use crate::ports::{LiveTools, ModelAdapter, ModelError, ResponseCache, StoreError};
use crate::repeated_calls::CallsMade;
use crate::retry::RetryPolicy;
use crate::tools::NoAnswer;
use crate::turn::{Control, Deadline};
use koab_core::catalog::ToolCatalog;
use koab_core::event::{CallFault, RunEventKind};
use koab_core::protocol::Rules;
use koab_core::run_record::{CallRecord, RunSpec, StepLine, StepRecord};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use std::collections::VecDeque;
use std::time::Duration;

/// Messages from a running executor to the dispatcher.
pub(crate) enum Progress {
    /// An event of the run.
    Event(RunEventKind),
    /// A wait begins. The message has its reason, and its length if that is known.
    Waiting {
        task: String,
        repetition: u32,
        reason: Sentence,
        wait: Option<Duration>,
        fault: Option<CallFault>,
    },
    /// A step with its calls, for the journal.
    Step(Box<StepLine>),
}

/// Reason why an attempt has no record.
pub(crate) enum NoRecord {
    Cancelled,
    /// The cache cannot be read.
    Store(StoreError),
    /// The model refuses all calls (because of the key, its name or a day's limit), or koab is
    /// offline. All other attempts would also fail.
    Refused(ModelError),
    /// The next call might exceed a cap, so the attempt is not finished.
    BudgetSpent(Sentence),
    /// The agent cannot be started at all.
    Agent(Sentence),
}

impl From<NoAnswer> for NoRecord {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Store(error) => Self::Store(error),
            NoAnswer::Offline(offline) => Self::Refused(offline.into()),
        }
    }
}

/// The parts of a run that an attempt needs.
pub(crate) struct AttemptContext<'a> {
    pub(crate) spec: &'a RunSpec,
    pub(crate) retry: &'a RetryPolicy,
    pub(crate) catalog: &'a ToolCatalog,
    pub(crate) model: &'a dyn ModelAdapter,
    pub(crate) cache: &'a dyn ResponseCache,
    pub(crate) live: Option<&'a LiveTools>,
    pub(crate) control: Control<'a>,
    pub(crate) tell: &'a (dyn Fn(Progress) + Send + Sync),
}

/// The end of a phase.
pub(super) enum PhaseEnd {
    Answered,
    /// The answer was cut off at the output limit, and the protocol does not accept it.
    CutOff,
    StepLimit,
    TimedOut,
    ModelFailed(ModelError),
}

/// An attempt in progress.
pub(super) struct Attempt<'a> {
    pub(super) context: &'a AttemptContext<'a>,
    pub(super) task: &'a Task,
    pub(super) repetition: u32,
    pub(super) rules: Rules,
    pub(super) steps: Vec<StepRecord>,
    pub(super) calls: Vec<CallRecord>,
    pub(super) made: CallsMade,
    pub(super) deadline: Deadline,
    /// Number of model turns that the continued phase has from the fork's prefix.
    pub(super) taken: u32,
    /// Recorded turns of an earlier start. They are replayed without model calls.
    pub(super) kept: VecDeque<StepLine>,
}

/// Error message for an answer that was cut off.
pub(super) fn cut_off(limit: Option<u32>) -> Sentence {
    match limit {
        Some(limit) => say!("the answer was cut off at the limit of {limit} output tokens"),
        None => say!("the answer was cut off at the server's own limit of output tokens"),
    }
}
