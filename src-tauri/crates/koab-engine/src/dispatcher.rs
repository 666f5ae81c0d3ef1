//! Owns the state of a run: begins attempts, orders their events, and writes journal and logs.
//!
//! Executors and dispatcher share only a channel. If the journal cannot be written, the run ends,
//! since its records are its result.

mod attempts;
mod changes;
mod events;
mod group;
mod output;

use crate::budget::Caps;
use crate::call_limits::CallLimits;
use crate::disk_work::disk_work;
use crate::executor::{AttemptContext, NoRecord, Progress, agent_attempt, attempt};
use crate::plan::{Attempt, Plan, level_plans};
use crate::ports::{Cancel, Held, StoreError};
use crate::retry::RetryPolicy;
use crate::run::{RunInput, RunPorts, RunReport};
use crate::turn::Control;
use attempts::AttemptTable;
use group::Group;
use koab_core::cache_source::CacheSource;
use koab_core::catalog::ToolCatalog;
use koab_core::event::{CallFault, RunEventKind, RunOutcome, TaskSoFar};
use koab_core::fork::ForkPrefix;
use koab_core::level::Level;
use koab_core::run_record::{
    AgentFacts, AttemptEnd as _, AttemptRecord, AttemptSummary, CacheMode, ChangeRecord, EarlierLimits,
    JournalLine, OpenSteps, RunFormat, RunSpec, Spending, StopReason, left_out,
};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::task::Task;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// Number of consecutive attempts without any call by the agent after which the run ends.
const MOST_IDLE: u32 = 3;
/// Number of consecutive attempts without an answer of the server after which the run ends. Each of
/// these attempts has used all its retries.
const MOST_UNANSWERED: u32 = 3;
/// Interval between the tries of a run that waits for its server.
const SERVER_RETRY_INTERVAL: Duration = Duration::from_secs(60);

enum Message {
    Progress(Progress),
    Ended(Attempt, Box<Result<AttemptRecord, NoRecord>>),
}

struct Shared {
    source: CacheSource,
    retry: RetryPolicy,
    tasks: Vec<Task>,
    catalog: ToolCatalog,
}

pub(crate) struct Dispatcher {
    shared: Arc<Shared>,
    /// Current settings. An attempt keeps the settings with which it begins.
    spec: Arc<RunSpec>,
    /// Changes of the run, over all starts.
    changes: Vec<ChangeRecord>,
    ports: RunPorts,
    cancel: Cancel,
    /// Token that ends the attempts in flight when the user cancels or the run itself fails.
    stop: Cancel,
    plan: Plan,
    table: AttemptTable,
    /// Attempts that are written but not yet synced to the disk.
    group: Group,
    /// Totals of an earlier start, present until their events are sent.
    so_far: Vec<TaskSoFar>,
    /// Steps of unfinished attempts from an earlier start.
    steps: OpenSteps,
    /// Limits of unfinished attempts that began before the limits were changed.
    limits: EarlierLimits,
    /// Tasks and repetitions of the attempts in flight.
    under_way: BTreeSet<(usize, u32)>,
    /// Attempts to make besides those that the plan still has: failed ones that are made again.
    again: VecDeque<Attempt>,
    /// Levels whose log is written completely.
    written: Vec<Level>,
    started_ms: u64,
    failure: Option<Sentence>,
    /// Reason for beginning no further attempt, if another start has taken over this shard.
    taken_over: Option<Sentence>,
    /// Caps of the run, if they were changed in this start.
    changed_caps: Option<Caps>,
    /// Reason for sending no further call, if the budget is spent.
    budget_spent: Option<Sentence>,
    /// Faults of the journal, present until they are reported.
    problems: Vec<Sentence>,
    /// Number of consecutive attempts without any call by the agent.
    idle: u32,
    /// Attempts whose last call reached no server.
    unanswered: BTreeSet<(String, u32)>,
    unanswered_in_a_row: u32,
    /// Prefix of the fork that this run continues; `None` for a normal run.
    prefix: Option<Arc<ForkPrefix>>,
}

impl Dispatcher {
    pub(crate) fn new(input: RunInput, ports: RunPorts, cancel: Cancel) -> Self {
        let plan = Plan::new(&input.tasks, &input.spec, input.shard);
        let mut table = AttemptTable::new(&input.tasks, input.spec.settings.repetitions);
        let earlier = attempts::planned(&plan, &input.tasks, input.spec.settings.repetitions, input.kept);
        // One at a time, since all of them together would be in memory twice.
        let earlier = earlier.map(|(attempt, ended)| {
            table.end(attempt, plan.number(attempt), &ended);
            ended
        });
        let so_far = TaskSoFar::by_task(earlier);
        let started_ms = ports.clock.now_ms();
        let stop = cancel.child_token();
        let limits = ports.model.limits();
        let caps = limits.map(|limits| limits.budget.caps()).unwrap_or_default();
        let asks = ports.live.as_ref().map(|live| live.services.is_some());
        let spec = RunSpec {
            max_cost: caps.cost,
            max_total_tokens: caps.tokens,
            cache_mode: asks.map(|asks| if asks { CacheMode::Write } else { CacheMode::Read }),
            // In addition to the mode: saved responses make the numbers of a run without live calls
            // incomparable as well.
            overlay: ports.live.as_ref().map(|live| live.overlay.is_some()),
            without_keys: input.spec.without_keys && asks == Some(true),
            ..input.spec
        };
        let described = spec.texts.as_ref().and_then(|texts| texts.tools.as_ref());
        let catalog = match described {
            Some(texts) => input.catalog.described(&texts.text),
            None => input.catalog,
        };
        let shared = Shared { source: input.source, retry: input.retry, tasks: input.tasks, catalog };
        let mut dispatcher = Self {
            shared: Arc::new(shared),
            spec: Arc::new(spec),
            changes: input.changes,
            ports,
            cancel,
            stop,
            plan,
            table,
            group: Group::default(),
            so_far,
            steps: input.steps,
            limits: input.earlier_limits,
            under_way: BTreeSet::new(),
            again: VecDeque::new(),
            written: Vec::new(),
            started_ms,
            failure: None,
            taken_over: None,
            changed_caps: None,
            budget_spent: None,
            problems: input.problems,
            idle: 0,
            unanswered: BTreeSet::new(),
            unanswered_in_a_row: 0,
            prefix: None,
        };
        for task in left_out(&dispatcher.changes.clone()) {
            dispatcher.leave_out(task);
        }
        dispatcher
    }

    /// Sets the prefix of the fork that this run continues.
    pub(crate) fn from(self, prefix: ForkPrefix) -> Self {
        Self { prefix: Some(Arc::new(prefix)), ..self }
    }

    pub(crate) async fn run(mut self) -> RunReport {
        self.begin();
        let (send, mut receive) = mpsc::unbounded_channel();
        let mut waiting = self.plan.attempts().peekable();
        let mut flying = JoinSet::new();
        let (pause, stop) = (self.ports.pause.clone(), self.stop.clone());
        let (mut held, mut try_again) = (Held::No, Instant::now());
        while self.failure.is_none() {
            if pause.held() != held {
                held = pause.held();
                try_again = Instant::now() + SERVER_RETRY_INTERVAL;
                self.event(match held.clone() {
                    Held::No => RunEventKind::RunResumed {},
                    Held::ByHand => RunEventKind::RunPaused { reason: None },
                    Held::ForServer(why) => RunEventKind::RunPaused { reason: Some(why) },
                });
            }
            let paused = held != Held::No;
            while waiting.next_if(|attempt| self.is_over(*attempt)).is_some() {}
            while !paused && self.has_place(flying.len()) && self.may_begin(flying.len()) {
                let Some(attempt) = self.again.pop_front().or_else(|| waiting.next()) else { break };
                if self.is_over(attempt) {
                    continue;
                }
                if self.has_been_taken_over() {
                    break;
                }
                self.event(RunEventKind::AttemptStarted {
                    task: self.shared.tasks[attempt.task].id.clone(),
                    level: self.shared.tasks[attempt.task].level.clone(),
                    repetition: attempt.repetition,
                });
                flying.spawn(self.executor(attempt, send.clone()));
            }
            self.sync();
            // With nothing in flight, only a paused run has something to wait for.
            let is_left = waiting.peek().is_some() || !self.again.is_empty();
            let is_waited_for = paused && is_left && self.budget_spent.is_none() && !stop.is_cancelled();
            // A running sync may be the only reason why no further attempt begins.
            if flying.is_empty() && !is_waited_for && !self.group.is_syncing() {
                break;
            }
            tokio::select! {
                // Messages of an attempt are handled before its end, so that no more attempts seem
                // to be in flight than are.
                biased;
                Some(message) = receive.recv() => self.hear(message),
                Some(ended) = flying.join_next() => {
                    if let Err(panic) = ended && panic.is_panic() {
                        self.fail(say!("an attempt was interrupted by a fault of this program: {panic}"));
                    }
                }
                synced = self.group.synced(), if self.group.is_syncing() => self.settle(synced),
                asked = self.ports.changes.next() => self.change(asked).await,
                () = pause.changed_from(&held) => {}
                () = sleep_until(try_again), if matches!(held, Held::ForServer(_)) => pause.set(false),
                () = stop.cancelled(), if is_waited_for => {}
            }
        }
        self.stop.cancel();
        while flying.join_next().await.is_some() {}
        while let Ok(message) = receive.try_recv() {
            self.hear(message);
        }
        self.sync_all().await;
        self.end().await
    }

    /// Whether another start has taken over this shard. If so, this start is cancelled.
    fn has_been_taken_over(&mut self) -> bool {
        let is_taken_over = self.ports.log.as_mut().is_some_and(|log| log.is_taken_over());
        if is_taken_over {
            self.taken_over = Some(say!("another start of this shard has taken it over"));
            self.cancel.cancel();
        }
        is_taken_over
    }

    /// Whether an attempt has ended or is not begun any more. If an attempt of a left-out task had
    /// begun, it is continued.
    fn is_over(&self, attempt: Attempt) -> bool {
        let has_begun = || {
            let task = self.shared.tasks[attempt.task].id.clone();
            self.steps.contains_key(&(task, attempt.repetition))
        };
        self.table.has_ended(self.plan.number(attempt))
            || self.table.is_left_out(attempt.task) && !has_begun()
    }

    fn has_place(&self, flying: usize) -> bool {
        flying < self.spec.concurrency.max(1) as usize
    }

    /// Whether a further attempt can begin without waiting. If nothing is in flight, an attempt
    /// always begins, so that the run shows its wait.
    fn may_begin(&self, flying: usize) -> bool {
        let has_room = |limits: &CallLimits| limits.limiter.has_room(flying) && !limits.budget.is_tight();
        !self.stop.is_cancelled()
            && self.budget_spent.is_none()
            && self.group.has_room()
            && (flying == 0 || self.ports.model.limits().is_none_or(has_room))
    }

    fn executor(
        &mut self,
        place: Attempt,
        send: mpsc::UnboundedSender<Message>,
    ) -> impl Future<Output = ()> + use<> {
        let shared = Arc::clone(&self.shared);
        let (model, cache) = (Arc::clone(&self.ports.model), Arc::clone(&self.ports.cache));
        let (live, prefix) = (self.ports.live.clone(), self.prefix.clone());
        let agent = self.ports.agent.clone();
        let (stop, pause) = (self.stop.clone(), self.ports.pause.clone());
        let key = (shared.tasks[place.task].id.clone(), place.repetition);
        let steps = self.steps.remove(&key).unwrap_or_default();
        // An attempt that begins anew has the current limits.
        let limits = self.limits.remove(&key).filter(|_| !steps.is_empty() && agent.is_none());
        let spec = match limits {
            Some(limits) => Arc::new(limits.applied(&self.spec)),
            None => Arc::clone(&self.spec),
        };
        self.under_way.insert((place.task, place.repetition));
        async move {
            // The receiver outlives every executor; a failed send means the run is over anyway.
            let tell = |told| drop(send.send(Message::Progress(told)));
            let context = AttemptContext {
                spec: &spec,
                retry: &shared.retry,
                catalog: &shared.catalog,
                model: &*model,
                cache: &*cache,
                live: live.as_ref(),
                control: Control { cancel: &stop, pause: &pause },
                tell: &tell,
            };
            let task = &shared.tasks[place.task];
            let result = match agent {
                // An agent's attempt begins again, since an agent cannot be restored to an earlier
                // state.
                Some(agent) => agent_attempt(&context, &*agent, task, place.repetition).await,
                None => attempt(&context, task, place.repetition, prefix.as_deref(), steps).await,
            };
            drop(send.send(Message::Ended(place, Box::new(result))));
        }
    }

    fn begin(&mut self) {
        self.manifest(None, None);
        let spec = Arc::clone(&self.spec);
        let kind = RunEventKind::RunStarted {
            model: spec.model.clone(),
            pack: spec.pack.clone(),
            protocol: spec.settings.protocol,
            levels: level_plans(&self.shared.tasks),
            repetitions: spec.settings.repetitions,
            concurrency: spec.concurrency,
            attempts: self.planned() as u32,
            price: self.ports.model.limits().and_then(|limits| limits.budget.price()),
            max_cost: spec.max_cost,
            max_total_tokens: spec.max_total_tokens,
            problems: std::mem::take(&mut self.problems),
            resumed: !self.so_far.is_empty() || !self.steps.is_empty(),
        };
        let spec = Box::new((*spec).clone());
        let format = RunFormat::of(!self.changes.is_empty());
        self.journal(&JournalLine::Run { format, at_ms: self.started_ms, spec });
        self.event(kind);
        for record in self.changes.clone() {
            self.event(RunEventKind::RunChanged { record, planned: self.planned() as u32 });
        }
        for so_far in std::mem::take(&mut self.so_far) {
            self.event(RunEventKind::AttemptsEnded { so_far });
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Progress(Progress::Event(kind)) => {
                if let RunEventKind::CallFailed { task, repetition, fault, .. } = &kind {
                    let attempt = (task.clone(), *repetition);
                    match fault {
                        CallFault::Unreachable => self.unanswered.insert(attempt),
                        _ => self.unanswered.remove(&attempt),
                    };
                }
                self.event(kind);
            }
            Message::Progress(Progress::Waiting { task, repetition, reason, wait, fault }) => {
                let wait_ms = wait.map(|wait| wait.as_millis() as u64);
                let until_ms = wait_ms.map(|wait| self.ports.clock.now_ms() + wait);
                self.journal(&JournalLine::Wait {
                    task: task.clone(),
                    repetition,
                    reason: reason.clone(),
                    until_ms,
                    fault,
                });
                self.event(RunEventKind::Waiting {
                    task,
                    repetition,
                    reason,
                    wait_ms: wait_ms.unwrap_or(0),
                    until_ms,
                });
            }
            Message::Progress(Progress::Step(step)) => {
                self.unanswered.remove(&(step.task.clone(), step.repetition));
                self.unanswered_in_a_row = 0;
                self.journal(&JournalLine::Step(step));
            }
            Message::Ended(place, ended) => {
                // An attempt with a record is under way until it counts.
                if ended.is_err() {
                    self.under_way.remove(&(place.task, place.repetition));
                }
                self.ended(place, *ended);
            }
        }
    }

    /// Handles the end of an attempt that was in flight.
    fn ended(&mut self, place: Attempt, ended: Result<AttemptRecord, NoRecord>) {
        match ended {
            Ok(record) => self.keep(place, record),
            Err(NoRecord::Cancelled) => {}
            Err(NoRecord::Store(StoreError(cause))) => self.fail(cause),
            Err(NoRecord::Refused(error)) => self.fail(error.to_sentence()),
            Err(NoRecord::Agent(why)) => self.fail(why),
            Err(NoRecord::BudgetSpent(why)) => {
                self.journal(&JournalLine::Unfinished {
                    task: self.shared.tasks[place.task].id.clone(),
                    repetition: place.repetition,
                    stop: StopReason::BudgetSpent,
                });
                // A start that was taken over gets no budget either, but then no cap was reached.
                if !self.has_been_taken_over() {
                    self.budget_spent.get_or_insert(why);
                }
            }
        }
    }

    /// Writes an ended attempt to the journal. The attempt counts after the next sync.
    fn keep(&mut self, attempt: Attempt, record: AttemptRecord) {
        self.watch_start(&record);
        let gone = self.watch_server(&record);
        let line = JournalLine::Attempt { record };
        let place = self.journal(&line);
        if let JournalLine::Attempt { record } = line {
            self.group.add(attempt, AttemptSummary::from_record(record.into(), place));
        }
        if let Some(why) = gone {
            self.fail(why);
        }
    }

    /// Ends the run if the agent makes no call in several consecutive attempts, since its set-up
    /// must be wrong.
    fn watch_start(&mut self, record: &AttemptRecord) {
        let is_idle = |agent: &AgentFacts| agent.model_calls == 0 && record.calls.is_empty();
        let Some(agent) = &record.agent else { return };
        if record.stop != StopReason::AgentFailed || !is_idle(agent) {
            self.idle = 0;
            return;
        }
        self.idle += 1;
        if self.idle == MOST_IDLE {
            let why = record.error.clone().unwrap_or_default();
            self.fail(say!(
                "the agent does not start: {MOST_IDLE} attempts in a row failed, the last one with: {why}"
            ));
        }
    }

    /// Reason for ending the run if no server answers in several consecutive attempts, since the
    /// remaining attempts would fail too.
    fn watch_server(&mut self, record: &AttemptRecord) -> Option<Sentence> {
        let is_unanswered = self.unanswered.remove(&(record.task.clone(), record.repetition));
        if record.stop != StopReason::ModelFailed || !is_unanswered {
            self.unanswered_in_a_row = 0;
            return None;
        }
        self.unanswered_in_a_row += 1;
        (self.unanswered_in_a_row == MOST_UNANSWERED).then(|| {
            let why = record.error.clone().unwrap_or_default();
            say!("{MOST_UNANSWERED} attempts in a row reached no server: {why}")
        })
    }

    async fn end(mut self) -> RunReport {
        let (done, failed) = (self.table.tally().done, self.table.tally().failed);
        let shared = Arc::clone(&self.shared);
        let groups: BTreeSet<&Level> = shared.tasks.iter().map(|task| &task.level).collect();
        for level in groups {
            if !self.written.contains(level) {
                disk_work(|| self.write_level(level));
            }
        }
        let mut outcome = if self.failure.is_some() {
            RunOutcome::Failed
        } else if done == self.planned() {
            RunOutcome::Completed
        } else if self.cancel.is_cancelled() {
            RunOutcome::Cancelled
        } else if self.budget_spent.is_some() {
            RunOutcome::BudgetSpent
        } else {
            self.fail(say!(
                "the run ended before all attempts were made, by a fault of this program; resume it"
            ));
            RunOutcome::Failed
        };
        let reason = self.failure.clone().or_else(|| self.taken_over.clone());
        let reason = reason.or_else(|| self.budget_spent.clone());
        self.journal(&JournalLine::End { outcome, reason: reason.clone() });
        self.sync_all().await;
        self.manifest(Some(outcome), reason.clone());
        // Writing the end may itself fail.
        if self.failure.is_some() {
            outcome = RunOutcome::Failed;
        }
        let reason = self.failure.clone().or(reason);
        let spending = self.spending();
        self.event(RunEventKind::RunFinished {
            outcome,
            done: done as u32,
            failed: failed as u32,
            folder: self.ports.folder.clone(),
            reason: reason.clone(),
            spent: spending.as_ref().and_then(Spending::spent),
        });
        RunReport {
            outcome,
            reason,
            tally: self.table.tally().clone(),
            planned: self.planned(),
            spending,
            caps: self.changed_caps,
        }
    }
}

/// Makes a run and returns its report with the outcome. Faults of the model, the pack or the disk
/// never cause a panic.
pub async fn run(input: RunInput, ports: RunPorts, cancel: Cancel) -> RunReport {
    Dispatcher::new(input, ports, cancel).run().await
}

/// Continues a fork from its prefix, under the rules of a run.
///
/// The input has one task with one repetition. Steps of the prefix count against the step limit;
/// the time limit of the task begins again. The caller has to call [`crate::fork::check`] first.
pub async fn fork(input: RunInput, prefix: ForkPrefix, ports: RunPorts, cancel: Cancel) -> RunReport {
    Dispatcher::new(input, ports, cancel).from(prefix).run().await
}
