//! Limiter, budget and the day's ledger under schedules of all that a server and a user do, in time
//! that is only counted: two runs on one ledger, each call answered, refused, broken or hanging,
//! runs paused, cancelled and killed.
//!
//! What holds is asked of the server's side, by sums of its own, whenever a call comes out of a
//! run. `KOAB_HISTORIES` asks for more schedules, `KOAB_TEST_SEED` for others.

use koab_core::catalog::ToolCatalog;
use koab_core::event::RunOutcome;
use koab_core::level::Level;
use koab_core::price::Price;
use koab_core::run_record::{RunSpec, TokenUsage};
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use koab_core::task::{Task, parse_level};
use koab_engine::budget::{Budget, Caps};
use koab_engine::call_limits::CallLimits;
use koab_engine::limited_model::LimitedModel;
use koab_engine::limiter::Limiter;
use koab_engine::ports::{
    Amount, Cancel, ChangeInbox, FinishReason, Ledger, Message, ModelAdapter, ModelError, ModelReply,
    ModelRequest, Pause, StoreError, Usage,
};
use koab_engine::{RunInput, RunPorts, RunReport, run};
use koab_stand_ins::{EventList, MemoryCache, MemoryLog, StepClock};
use koab_store::Store;
use koab_store::spending::SpendingLedger;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// Schedules in an ordinary test run.
const SCHEDULES: u32 = 300;
/// Output tokens that a call may take.
const MOST_OUTPUT: u32 = 100;
const PRICE: Price = Price { input: 1.0, output: 10.0 };
/// More than all waits of any schedule together; in time that is only counted it costs nothing.
const FOR_EVER: Duration = Duration::from_secs(30 * 24 * 3600);

/// The day of the schedule that goes: each has one of its own, so that one database serves all.
static DAY: AtomicU32 = AtomicU32::new(0);

fn today() -> String {
    format!("day-{}", DAY.load(Ordering::SeqCst))
}

/// How a server takes calls.
#[derive(Clone, Copy, Debug)]
struct Manners {
    /// Of a hundred calls, those that are refused for being too many, that fail, that break off,
    /// that hang, and whose tokens nobody reports.
    refused: u8,
    failed: u8,
    broken: u8,
    hanging: u8,
    silent: u8,
    /// Of a hundred answers, those that take more tokens than any request may.
    beyond: u8,
    dice: u64,
}

/// What the user does to a run, seconds after its beginning.
#[derive(Clone, Copy, Debug)]
enum Act {
    Pause(u16, u16),
    Cancel(u16),
    Kill(u16),
}

#[derive(Clone, Debug)]
struct Process {
    tasks: u8,
    concurrency: u8,
    /// Calls at once that its limiter begins with, and the most.
    places: (u8, u8),
    /// Tokens and thousandths of a cent that it may take.
    tokens: Option<u16>,
    cost: Option<u16>,
    acts: Vec<Act>,
}

#[derive(Clone, Debug)]
struct Schedule {
    manners: Manners,
    processes: Vec<Process>,
    /// Whether all runs share one limiter, as those of one process do.
    one_limiter: bool,
    day_tokens: Option<u16>,
    day_cost: Option<u16>,
}

/// What is known of a call from outside: the bytes of its request, 16 a message and 600, and the
/// output limit.
fn bound(request: &ModelRequest<'_>) -> (u64, u64) {
    let bytes = |message: &Message| match message {
        Message::User(text) => text.len(),
        other => panic!("{other:?}"),
    };
    let prompt = request.messages.iter().map(|message| bytes(message) + 16).sum::<usize>() + 600;
    assert!(request.tools.is_empty(), "these tasks have none");
    (prompt as u64, u64::from(MOST_OUTPUT))
}

/// Tokens and USD.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    tokens: u64,
    cost: f64,
}

impl Sum {
    fn of((prompt, completion): (u64, u64)) -> Self {
        Self {
            tokens: prompt + completion,
            cost: (prompt as f64 * PRICE.input + completion as f64 * PRICE.output) / 1e6,
        }
    }

    fn add(&mut self, more: Self) {
        self.tokens += more.tokens;
        self.cost += more.cost;
    }

    fn take(&mut self, less: Self) {
        self.tokens -= less.tokens;
        self.cost -= less.cost;
    }

    /// Dust of floats apart.
    fn fits(self, tokens: Option<u64>, cost: Option<f64>) -> bool {
        tokens.is_none_or(|cap| self.tokens <= cap) && cost.is_none_or(|cap| self.cost <= cap + 1e-9)
    }
}

/// What one run has taken, by the server's own count.
#[derive(Debug, Default)]
struct Account {
    caps: (Option<u64>, Option<f64>),
    /// What the answers took.
    reported: Sum,
    /// Most of what nobody reported may have taken.
    assumed: Sum,
    unreported: u32,
    /// Most of what the calls in flight may take.
    in_flight: Sum,
    calls: u32,
}

impl Account {
    fn all(&self) -> Sum {
        let mut all = self.reported;
        all.add(self.assumed);
        all.add(self.in_flight);
        all
    }
}

#[derive(Debug, Default)]
struct Counts {
    accounts: Vec<Account>,
    day: (Option<u64>, Option<f64>),
    /// Until when no call may come, by limiter.
    closed: Vec<Option<Instant>>,
    faults: Vec<String>,
}

/// The server of all runs.
#[derive(Clone)]
struct Server {
    manners: Manners,
    dice: Arc<Mutex<SplitMix>>,
    counts: Arc<Mutex<Counts>>,
}

impl Server {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn below(&self, end: u32) -> u32 {
        let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
        dice.below(end as usize) as u32
    }

    fn chance(&self, of_a_hundred: u8) -> bool {
        self.below(100) < of_a_hundred.into()
    }
}

/// The server as one run sees it.
struct Line {
    server: Server,
    run: usize,
    /// The run's limiter, by number.
    way: usize,
    limiter: Arc<Limiter>,
    is_dead: Arc<AtomicBool>,
}

/// A call in flight; what becomes of it when it is dropped is known by then.
struct Call<'a> {
    line: &'a Line,
    most: Sum,
    /// Whether it ended as one that nobody reported.
    is_open: bool,
}

impl Line {
    fn comes(&self, request: &ModelRequest<'_>) -> Call<'_> {
        let most = Sum::of(bound(request));
        let mut counts = self.server.counts();
        let mut faults = Vec::new();
        let account = &mut counts.accounts[self.run];
        account.calls += 1;
        account.in_flight.add(most);
        let ((tokens, cost), all) = (account.caps, account.all());
        if !all.fits(tokens, cost) {
            faults.push(format!("run {} passes its cap: {account:?}", self.run));
        }
        let mut day = Sum::default();
        counts.accounts.iter().for_each(|account| day.add(account.all()));
        if !day.fits(counts.day.0, counts.day.1) {
            faults.push(format!("the day's cap {:?} is passed: {:?}", counts.day, counts.accounts));
        }
        // Of a limiter that several runs share, all their calls.
        let of_way = |number: usize| counts.closed.len() == 1 || number == self.run;
        let calls = counts.accounts.iter().enumerate().filter(|(number, _)| of_way(*number));
        let calls: u32 = calls.map(|(_, account)| account.calls).sum();
        let limit = self.limiter.limit();
        if calls as usize > limit {
            faults.push(format!("{calls} calls are in flight, and {limit} may be"));
        }
        if counts.closed[self.way].is_some_and(|until| Instant::now() < until) {
            faults.push(format!("run {} asks before the time that the server named", self.run));
        }
        counts.faults.extend(faults);
        Call { line: self, most, is_open: true }
    }
}

impl Call<'_> {
    fn over(&mut self, end: impl FnOnce(&mut Account)) {
        self.is_open = false;
        let mut counts = self.line.server.counts();
        let account = &mut counts.accounts[self.line.run];
        account.calls -= 1;
        account.in_flight.take(self.most);
        end(account);
    }

    fn unreported(&mut self) {
        let most = self.most;
        self.over(|account| {
            account.assumed.add(most);
            account.unreported += 1;
        });
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        if !self.is_open {
            return;
        }
        match self.line.is_dead.load(Ordering::SeqCst) {
            false => self.unreported(),
            // Its place is free; what it took may be paid for.
            true => self.line.server.counts().accounts[self.line.run].calls -= 1,
        }
    }
}

#[async_trait::async_trait]
impl ModelAdapter for Line {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        if self.is_dead.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        let mut call = self.comes(&request);
        let (server, url) = (&self.server, || "http://h/v1".to_owned());
        let manners = server.manners;
        if server.chance(manners.hanging) {
            std::future::pending::<()>().await;
        }
        sleep(Duration::from_millis(u64::from(server.below(4_000)))).await;
        if server.chance(manners.refused) {
            let wait = server.below(40);
            let retry_after = (wait > 9).then(|| Duration::from_secs(wait.into()));
            if let Some(wait) = retry_after {
                let until = Instant::now() + wait;
                let mut counts = server.counts();
                let closed = &mut counts.closed[self.way];
                *closed = (*closed).max(Some(until));
            }
            call.over(|_| ());
            return Err(ModelError::RateLimited { url: url(), retry_after, message: "slow down".to_owned() });
        }
        if server.chance(manners.failed) {
            call.over(|_| ());
            return Err(ModelError::Http { url: url(), status: 500, message: "no".to_owned() });
        }
        if server.chance(manners.broken) {
            call.unreported();
            return Err(ModelError::BadAnswer { url: url(), cause: "it broke off".into(), transient: true });
        }
        let (prompt, completion) = bound(&request);
        let is_beyond = server.chance(manners.beyond);
        let usage = match is_beyond {
            true => (prompt + u64::from(server.below(400)), completion + u64::from(server.below(200))),
            false => (u64::from(server.below(prompt as u32)), u64::from(server.below(completion as u32))),
        };
        let is_silent = server.chance(manners.silent);
        if is_silent {
            call.unreported();
        } else {
            call.over(|account| account.reported.add(Sum::of(usage)));
        }
        Ok(ModelReply {
            content: "답".to_owned(),
            calls: Vec::new(),
            usage: (!is_silent).then_some(Usage {
                prompt_tokens: usage.0,
                completion_tokens: usage.1,
                total_tokens: usage.0 + usage.1,
            }),
            finish: FinishReason::Stop,
            first_token: None,
            latency: Duration::from_millis(100),
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        })
    }

    fn most_output(&self, _: &ModelRequest<'_>) -> u32 {
        MOST_OUTPUT
    }
}

/// The day's ledger as a process has it until it is killed.
struct OwnLedger {
    ledger: SpendingLedger,
    is_dead: Arc<AtomicBool>,
}

impl Ledger for OwnLedger {
    fn hold(&self, most: Amount) -> Result<Option<Sentence>, StoreError> {
        self.ledger.hold(most)
    }

    fn settle(&self, held: Amount, spent: Amount) -> Result<(), StoreError> {
        match self.is_dead.load(Ordering::SeqCst) {
            true => Ok(()),
            false => self.ledger.settle(held, spent),
        }
    }
}

fn tasks(count: u8) -> Vec<Task> {
    let tasks = (0..count).map(
        |task| json!({ "task_id": format!("L1-{task:03}"), "instruction": "서울", "golden_action": [] }),
    );
    parse_level(&Level::L1, &Value::from(tasks.collect::<Vec<_>>())).0
}

/// How one start of a run ended.
struct Ended {
    report: Option<RunReport>,
    shown: TokenUsage,
    shown_usd: Option<f64>,
    unreported: u32,
}

async fn go(process: &Process, line: Line, budget: Budget, acts: &[Act], cancel: Cancel) -> Ended {
    let mut spec = RunSpec::published("schedule", "test@1", "scripted/one");
    spec.concurrency = process.concurrency.into();
    spec.settings.max_tokens = Some(MOST_OUTPUT);
    let input = RunInput::new(spec, tasks(process.tasks), ToolCatalog::new([]));
    let (pause, is_dead) = (Pause::default(), Arc::clone(&line.is_dead));
    let budget = Arc::new(budget);
    let limits = CallLimits { limiter: Arc::clone(&line.limiter), budget: Arc::clone(&budget) };
    let ports = RunPorts {
        model: Arc::new(LimitedModel::new(Arc::new(line), limits)),
        agent: None,
        cache: Arc::new(MemoryCache::default()),
        live: None,
        log: Some(Box::new(MemoryLog::default())),
        sink: Arc::new(EventList::default()),
        clock: Arc::new(StepClock::default()),
        pause: pause.clone(),
        changes: ChangeInbox::default(),
        folder: None,
    };
    let (killed, dies) = tokio::sync::oneshot::channel();
    let mut killed = Some(killed);
    let begun = Instant::now();
    let mut moments: Vec<(u16, Act)> = Vec::new();
    for act in acts {
        match *act {
            Act::Pause(from, seconds) => {
                moments.push((from, *act));
                moments.push((from.saturating_add(seconds), Act::Pause(from, 0)));
            }
            Act::Cancel(at) | Act::Kill(at) => moments.push((at, *act)),
        }
    }
    moments.sort_by_key(|(at, _)| *at);
    let stop = cancel.clone();
    let user = async move {
        for (at, act) in moments {
            tokio::time::sleep_until(begun + Duration::from_secs(at.into())).await;
            match act {
                Act::Pause(_, seconds) => pause.set(seconds > 0),
                Act::Cancel(_) => stop.cancel(),
                Act::Kill(_) => {
                    is_dead.store(true, Ordering::SeqCst);
                    if let Some(killed) = killed.take() {
                        let _ = killed.send(());
                    }
                }
            }
        }
        // Nobody leaves a run paused.
        pause.set(false);
        std::future::pending::<()>().await;
    };
    // In this order: a run that is killed and cancelled in one second does not see the cancel.
    let report = tokio::select! {
        biased;
        () = user => unreachable!("the user stays"),
        Ok(()) = dies => None,
        report = timeout(FOR_EVER, run(input, ports, cancel)) => Some(report.expect("nobody waits for ever")),
    };
    let spending = budget.spending();
    Ended { report, shown: spending.usage, shown_usd: spending.usd, unreported: spending.calls_without_usage }
}

/// One schedule; what did not hold in it.
async fn faults(store: &Store, schedule: &Schedule) -> Vec<String> {
    DAY.fetch_add(1, Ordering::SeqCst);
    let cost = |thousandths: Option<u16>| thousandths.map(|cost| f64::from(cost) / 1e5);
    let tokens = |tokens: Option<u16>| tokens.map(u64::from);
    let processes = &schedule.processes;
    let ways = if schedule.one_limiter { 1 } else { processes.len() };
    let server = Server {
        manners: schedule.manners,
        dice: Arc::new(Mutex::new(SplitMix(schedule.manners.dice))),
        counts: Arc::new(Mutex::new(Counts {
            accounts: processes
                .iter()
                .map(|process| Account {
                    caps: (tokens(process.tokens), cost(process.cost)),
                    ..Account::default()
                })
                .collect(),
            day: (tokens(schedule.day_tokens), cost(schedule.day_cost)),
            closed: vec![None; ways],
            faults: Vec::new(),
        })),
    };
    let limiters: Vec<Arc<Limiter>> = processes[..ways]
        .iter()
        .map(|process| Arc::new(Limiter::new(process.places.0.into(), process.places.1.into())))
        .collect();
    let start = |number: usize, spent: TokenUsage| {
        let process = &processes[number];
        let way = number.min(ways - 1);
        let is_dead = Arc::new(AtomicBool::new(false));
        let day = Caps { cost: cost(schedule.day_cost), tokens: tokens(schedule.day_tokens) };
        let ledger = OwnLedger {
            ledger: store.spending_ledger(&format!("m/{number}"), day, today).expect("opened"),
            is_dead: Arc::clone(&is_dead),
        };
        let caps = Caps { cost: cost(process.cost), tokens: tokens(process.tokens) };
        let line =
            Line { server: server.clone(), run: number, way, limiter: Arc::clone(&limiters[way]), is_dead };
        (line, Budget::new(Some(PRICE), caps, spent, Some(Arc::new(ledger))))
    };
    let mut all = Vec::new();
    for (number, process) in processes.iter().enumerate() {
        let (line, budget) = start(number, TokenUsage::default());
        all.push(go(process, line, budget, &process.acts, Cancel::new()));
    }
    let ended = match all.len() {
        1 => vec![all.remove(0).await],
        _ => {
            let second = all.remove(1);
            let (first, second) = tokio::join!(all.remove(0), second);
            vec![first, second]
        }
    };
    let mut counts = server.counts();
    let mut faults = std::mem::take(&mut counts.faults);
    for (number, ended) in ended.iter().enumerate() {
        let account = &counts.accounts[number];
        if ended.shown.total_tokens > account.reported.tokens {
            faults.push(format!("run {number} shows {:?} of {account:?}", ended.shown));
        }
        if ended.shown_usd.is_some_and(|usd| usd > account.reported.cost + 1e-9) {
            faults.push(format!("run {number} shows ${:?} of {account:?}", ended.shown_usd));
        }
        let Some(report) = &ended.report else { continue };
        if ended.shown.total_tokens != account.reported.tokens || ended.unreported != account.unreported {
            faults.push(format!(
                "run {number} counts {:?} and {} unreported of {account:?}",
                ended.shown, ended.unreported
            ));
        }
        let (is_cancelled, is_capped) = (
            processes[number].acts.iter().any(|act| matches!(act, Act::Cancel(_))),
            [processes[number].tokens, processes[number].cost, schedule.day_tokens, schedule.day_cost]
                .iter()
                .any(Option::is_some),
        );
        let may_be = match report.outcome {
            RunOutcome::Completed => true,
            RunOutcome::Cancelled => is_cancelled,
            RunOutcome::BudgetSpent => is_capped,
            RunOutcome::Failed => false,
        };
        if !may_be {
            faults.push(format!("run {number} came to {:?}: {:?}", report.outcome, report.reason));
        }
        if account.calls > 0 {
            faults.push(format!("run {number} left calls behind: {account:?}"));
        }
    }
    // What a killed run set aside stays so, since those calls may be paid for.
    let mut day = Sum::default();
    counts.accounts.iter().for_each(|account| day.add(account.all()));
    let kept = store.spent_on(&today()).expect("read");
    let is_capped = schedule.day_tokens.is_some() || schedule.day_cost.is_some();
    let is_killed = ended.iter().any(|ended| ended.report.is_none());
    let wanted = match is_capped || !is_killed {
        true => day,
        // Without caps of a day nothing is held, so that nobody knows of the calls that a kill
        // broke off.
        false => {
            let mut known = Sum::default();
            for account in &counts.accounts {
                known.add(account.reported);
                known.add(account.assumed);
            }
            known
        }
    };
    // A server that reported more than its bound raises it for the calls that nobody reports.
    let is_exact = !is_killed && schedule.manners.beyond == 0;
    if kept.tokens < wanted.tokens || (is_exact && kept.tokens != wanted.tokens) {
        faults.push(format!("the ledger has {kept:?} of {wanted:?}"));
    }
    faults
}

fn manners() -> impl Strategy<Value = Manners> {
    let seldom = || prop_oneof![3 => Just(0u8), 2 => 1..20u8];
    (
        seldom(),
        seldom(),
        seldom(),
        seldom(),
        seldom(),
        prop_oneof![2 => Just(0u8), 1 => 1..50u8],
        any::<u64>(),
    )
        .prop_map(|(refused, failed, broken, hanging, silent, beyond, dice)| Manners {
            refused,
            failed,
            broken,
            hanging,
            silent,
            beyond,
            dice,
        })
}

fn process() -> impl Strategy<Value = Process> {
    let act = prop_oneof![
        3 => (0..40u16, 1..300u16).prop_map(|(from, seconds)| Act::Pause(from, seconds)),
        1 => (0..60u16).prop_map(Act::Cancel),
        2 => (0..30u16).prop_map(Act::Kill),
    ];
    (
        1..16u8,
        1..9u8,
        (1..9u8, 1..13u8),
        proptest::option::weighted(0.4, 500..9_000u16),
        proptest::option::weighted(0.3, 100..2_000u16),
        proptest::collection::vec(act, 0..3),
    )
        .prop_map(|(tasks, concurrency, places, tokens, cost, acts)| Process {
            tasks,
            concurrency,
            places,
            tokens,
            cost,
            acts,
        })
}

fn schedule() -> impl Strategy<Value = Schedule> {
    (
        manners(),
        proptest::collection::vec(process(), 1..3),
        any::<bool>(),
        proptest::option::weighted(0.4, 500..12_000u16),
        proptest::option::weighted(0.2, 100..2_500u16),
    )
        .prop_map(|(manners, processes, one_limiter, day_tokens, day_cost)| Schedule {
            manners,
            processes,
            one_limiter,
            day_tokens,
            day_cost,
        })
}

#[test]
fn no_schedule_of_calls_passes_a_cap_or_the_places_of_a_server() {
    let mut runner = koab_draws::runner(SCHEDULES);
    let (cases, seed) = (runner.config().cases, koab_draws::seed());
    let home = match Path::new("/dev/shm") {
        memory if memory.is_dir() => tempfile::tempdir_in(memory),
        _ => tempfile::tempdir(),
    };
    let home = home.expect("a folder");
    let store = Store::open(&home.path().join("koab.sqlite")).expect("opened");
    let (made, first) = (Cell::new(0), Cell::new(None));
    let found = runner.run(&schedule(), |schedule| {
        made.set(made.get() + 1);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .expect("a runtime");
        let faults = runtime.block_on(faults(&store, &schedule));
        if !faults.is_empty() && first.get().is_none() {
            first.set(Some(made.get()));
        }
        prop_assert!(faults.is_empty(), "{faults:#?}");
        Ok(())
    });
    if let Err(error) = found {
        panic!("KOAB_TEST_SEED={seed}, schedule {} of {cases}: {error}", first.get().unwrap_or_default());
    }
}
