//! Runs behind a gate: what a busy server and a budget do to them.

use koab_core::catalog::ToolCatalog;
use koab_core::event::{RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::price::Price;
use koab_core::run_record::RunSpec;
use koab_core::run_record::TokenUsage;
use koab_core::sentence::Sentence;
use koab_core::task::parse_level;
use koab_engine::budget::{Budget, Caps};
use koab_engine::call_limits::CallLimits;
use koab_engine::limited_model::LimitedModel;
use koab_engine::limiter::Limiter;
use koab_engine::ports::{
    Amount, Cancel, ChangeInbox, FinishReason, Ledger, ModelAdapter, ModelError, ModelReply, ModelRequest,
    Pause, StoreError, Usage,
};
use koab_engine::{RunInput, RunPorts, run};
use koab_stand_ins::{EventList, Finished, MemoryCache, MemoryLog, StepClock};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// When the server is gone.
const NEVER: u32 = u32::MAX;

/// A server that answers after 100 ms and bears `bears` calls at once; more are told off for two seconds.
#[derive(Default)]
struct Server {
    bears: u32,
    in_flight: AtomicU32,
    most: AtomicU32,
    refused: AtomicU32,
    answered: AtomicU32,
    /// Answers after which nobody is there, and calls that find nobody before somebody is again.
    dies_after: Option<(u32, u32)>,
    lost: AtomicU32,
}

struct Leaving<'a>(&'a AtomicU32);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait::async_trait]
impl ModelAdapter for Server {
    async fn complete(&self, _: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        let _leaving = Leaving(&self.in_flight);
        self.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(100)).await;
        if let Some((answers, gone)) = self.dies_after
            && self.answered.load(Ordering::SeqCst) >= answers
            && self.lost.load(Ordering::SeqCst) < gone
        {
            self.lost.fetch_add(1, Ordering::SeqCst);
            return Err(ModelError::Unreachable {
                url: "http://h/v1".to_owned(),
                cause: "Connection refused".into(),
            });
        }
        if now > self.bears {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(ModelError::RateLimited {
                url: "http://h/v1".to_owned(),
                retry_after: Some(Duration::from_secs(2)),
                message: "slow down".to_owned(),
            });
        }
        self.answered.fetch_add(1, Ordering::SeqCst);
        Ok(ModelReply {
            content: "답".to_owned(),
            calls: Vec::new(),
            usage: Some(Usage { prompt_tokens: 300, completion_tokens: 40, total_tokens: 340 }),
            finish: FinishReason::Stop,
            first_token: None,
            latency: Duration::from_millis(100),
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        })
    }
}

struct Made {
    report: Finished,
    events: Arc<EventList>,
    log: MemoryLog,
}

async fn make(tasks: usize, concurrency: u32, model: Arc<Server>, limits: CallLimits) -> Made {
    make_with(Pause::default(), tasks, concurrency, model, limits).await
}

async fn make_with(
    pause: Pause,
    tasks: usize,
    concurrency: u32,
    model: Arc<Server>,
    limits: CallLimits,
) -> Made {
    let tasks: Vec<Value> = (0..tasks)
        .map(|i| json!({ "task_id": format!("L1-{i:03}"), "instruction": "서울", "golden_action": [] }))
        .collect();
    let mut spec = RunSpec::published("run-1", "test@1", "scripted/one");
    spec.concurrency = concurrency;
    spec.settings.timeout_s = 1.0;
    spec.settings.max_tokens = Some(100);
    let input = RunInput::new(spec, parse_level(&Level::L1, &json!(tasks)).0, ToolCatalog::new([]));
    let (events, log) = (Arc::new(EventList::default()), MemoryLog::default());
    let ports = RunPorts {
        model: Arc::new(LimitedModel::new(model, limits)),
        agent: None,
        cache: Arc::new(MemoryCache::default()),
        live: None,
        log: Some(Box::new(log.clone())),
        sink: events.clone(),
        clock: Arc::new(StepClock::default()),
        pause,
        changes: ChangeInbox::default(),
        folder: None,
    };
    let report = Finished::new(run(input, ports, Cancel::new()).await, &log);
    Made { report, events, log }
}

fn limits(limiter: Limiter, budget: Budget) -> CallLimits {
    CallLimits { limiter: Arc::new(limiter), budget: Arc::new(budget) }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_died_ends_the_run_and_one_that_comes_back_does_not() {
    // Six tries an attempt; the third that ends so ends the run, and is made again.
    for (gone, outcome, failed, done) in
        [(NEVER, RunOutcome::Failed, 2, 7), (11, RunOutcome::Completed, 1, 20)]
    {
        let server = Arc::new(Server { bears: 1, dies_after: Some((5, gone)), ..Server::default() });
        let made = make(20, 1, server, limits(Limiter::new(1, 1), Budget::unlimited(None))).await;
        let tally = &made.report.tally;
        assert_eq!((made.report.outcome, tally.failed, tally.done), (outcome, failed, done), "{gone}");
        let reason = made.report.reason.as_ref().map(ToString::to_string);
        let says = |reason: String| {
            reason.contains("3 attempts in a row reached no server: no server answers at http://h/v1")
        };
        assert_eq!(reason.is_some_and(says), gone == NEVER);
    }
}

#[tokio::test(start_paused = true)]
async fn where_somebody_is_there_a_run_waits_for_a_server_that_died_and_no_attempt_fails() {
    // Two attempts at once find nobody for some minutes, six tries a minute each.
    let server = Arc::new(Server { bears: 2, dies_after: Some((5, 40)), ..Server::default() });
    let limits = limits(Limiter::new(2, 2), Budget::unlimited(None));
    let made = make_with(Pause::that_waits_for_servers(), 20, 2, server.clone(), limits).await;
    let tally = &made.report.tally;
    assert_eq!((made.report.outcome, tally.failed, tally.done), (RunOutcome::Completed, 0, 20));
    assert_eq!(server.answered.load(Ordering::SeqCst), 20, "nothing is asked twice");
    assert!(
        made.report.attempts.iter().all(|attempt| attempt.took_s < 1.0),
        "waiting is not the task's time"
    );
    let kinds: Vec<RunEventKind> = made.events.events().into_iter().map(|event| event.kind).collect();
    let paused = kinds.iter().filter(|kind| {
        matches!(kind, RunEventKind::RunPaused { reason: Some(why) } if why.to_string().contains("no server answers at http://h/v1"))
    });
    let (paused, resumed) =
        (paused.count(), kinds.iter().filter(|kind| matches!(kind, RunEventKind::RunResumed {})).count());
    assert!((2..=7).contains(&paused) && paused == resumed, "{paused} pauses, {resumed} ends");
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_gets_fewer_calls_and_no_task_fails() {
    let server = Arc::new(Server { bears: 4, ..Server::default() });
    let made = make(60, 32, server.clone(), limits(Limiter::new(16, 32), Budget::unlimited(None))).await;
    assert_eq!((made.report.outcome, made.report.tally.failed), (RunOutcome::Completed, 0));
    assert_eq!(server.answered.load(Ordering::SeqCst), 60, "nothing is asked twice that was answered");
    let (most, refused) = (server.most.load(Ordering::SeqCst), server.refused.load(Ordering::SeqCst));
    assert!(most <= 16 && refused < 60, "{most} at once, {refused} refused");
    let waits = made.events.events().into_iter().filter_map(|event| match event.kind {
        RunEventKind::Waiting { reason, .. } => Some(reason.to_string()),
        _ => None,
    });
    let waits: Vec<String> = waits.collect();
    assert!(waits.iter().any(|why| why.contains("HTTP 429")), "{waits:?}");
    let journal = made.log.written.lock().unwrap();
    assert_eq!(journal.journal.iter().filter(|line| line["type"] == "wait").count(), waits.len());
    // The task's time is 1 s and every pause takes 2 s.
    assert!(made.report.attempts.iter().all(|a| a.took_s < 1.0));
}

#[tokio::test(start_paused = true)]
async fn a_run_stops_before_its_cap_and_goes_on_with_a_higher_one() {
    let price = Price { input: 1.0, output: 10.0 };
    let server = || Arc::new(Server { bears: 99, ..Server::default() });
    for caps in [Caps { tokens: Some(10_000), cost: None }, Caps { tokens: None, cost: Some(0.02) }] {
        let budget = Budget::new(Some(price), caps, TokenUsage::default(), None);
        let made = make(60, 8, server(), limits(Limiter::new(8, 8), budget)).await;
        assert_eq!(made.report.outcome, RunOutcome::BudgetSpent);
        let done = made.report.attempts.len();
        assert!((26..=30).contains(&done), "{done} of 29 that the cap would bear");
        let spending = made.report.spending.clone().expect("it costs something");
        assert_eq!(spending.usage.total_tokens, 340 * done as u64);
        assert!(spending.usage.total_tokens <= 10_000 && spending.usd.is_some_and(|usd| usd <= 0.02));
        let manifest = made.log.written.lock().unwrap().manifest.clone();
        assert_eq!(manifest["status"], "budget_spent");
        assert!(manifest["reason"].to_string().contains("the budget of "));

        let budget = Budget::new(Some(price), Caps::default(), spending.usage, None);
        let made = make(1, 8, server(), limits(Limiter::new(8, 8), budget)).await;
        let spent = made.report.spending.clone().expect("it costs something").usage.total_tokens;
        assert_eq!(spent, 340 * (done as u64 + 1), "what earlier starts spent counts");
    }
}

/// A ledger that lets nothing through once 5,000 tokens are gone.
#[derive(Default)]
struct OneCount(Mutex<(u64, u64)>);

impl Ledger for OneCount {
    fn hold(&self, most: Amount) -> Result<Option<Sentence>, StoreError> {
        let mut ledger = self.0.lock().expect("no test panics in here");
        if ledger.0 + ledger.1 + most.tokens > 5_000 {
            return Ok(Some("today's budget is spent".into()));
        }
        ledger.1 += most.tokens;
        Ok(None)
    }

    fn settle(&self, held: Amount, spent: Amount) -> Result<(), StoreError> {
        let mut ledger = self.0.lock().expect("no test panics in here");
        ledger.1 -= held.tokens;
        ledger.0 += spent.tokens;
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_day_s_cap_holds_over_runs() {
    let ledger = Arc::new(OneCount::default());
    let mut done = 0;
    for run in 0..3 {
        let server = Arc::new(Server { bears: 99, ..Server::default() });
        let budget = Budget::new(None, Caps::default(), TokenUsage::default(), Some(ledger.clone()));
        let made = make(8, 4, server, limits(Limiter::new(4, 4), budget)).await;
        done += made.report.attempts.len();
        if run == 1 {
            assert_eq!(made.report.outcome, RunOutcome::BudgetSpent);
            assert_eq!(
                made.report.reason.as_ref().map(ToString::to_string).as_deref(),
                Some("today's budget is spent")
            );
        }
    }
    let (spent, held) = *ledger.0.lock().unwrap();
    assert_eq!((spent, held), (340 * done as u64, 0));
    assert!((11..=14).contains(&done), "{done}");
}
