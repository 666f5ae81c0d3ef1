//! What an attempt is made with, what it has so far, and how it can end.

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

/// What an executor tells the dispatcher while it goes.
pub(crate) enum Progress {
    /// Something to show.
    Event(RunEventKind),
    /// A wait begins: why, and how long when that is known.
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

/// Why there is no record.
pub(crate) enum NoRecord {
    Cancelled,
    /// The cache cannot be read.
    Store(StoreError),
    /// The model refuses everybody (key, name, a day's limit), or koab is offline: no other attempt
    /// would fare better.
    Refused(ModelError),
    /// The next call might pass a cap, so the attempt is not finished.
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

/// What one attempt needs of the run.
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

/// Why a phase is over.
pub(super) enum PhaseEnd {
    Answered,
    /// At the output limit, under a protocol that does not take that for an answer.
    CutOff,
    StepLimit,
    TimedOut,
    ModelFailed(ModelError),
}

/// An attempt under way.
pub(super) struct Attempt<'a> {
    pub(super) context: &'a AttemptContext<'a>,
    pub(super) task: &'a Task,
    pub(super) repetition: u32,
    pub(super) rules: Rules,
    pub(super) steps: Vec<StepRecord>,
    pub(super) calls: Vec<CallRecord>,
    pub(super) made: CallsMade,
    pub(super) deadline: Deadline,
    /// Model turns that the phase which goes on had before.
    pub(super) taken: u32,
    /// Turns that an earlier start has; they are gone through again and not asked for again.
    pub(super) kept: VecDeque<StepLine>,
}

/// Why an answer that was cut off is none.
pub(super) fn cut_off(limit: Option<u32>) -> Sentence {
    match limit {
        Some(limit) => say!("the answer was cut off at the limit of {limit} output tokens"),
        None => say!("the answer was cut off at the server's own limit of output tokens"),
    }
}
