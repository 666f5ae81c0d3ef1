//! A run that is changed while it goes: what a change does to attempts that begin later, and to those in flight.

use koab_core::catalog::ToolCatalog;
use koab_core::event::{RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::run_record::{
    AttemptSummary, Journal, JournalLine, LinePlace, OpenSteps, RecordHead, RetriedAttempt, RunChange,
    RunSpec, StopReason, TokenUsage,
};
use koab_core::task::parse_level;
use koab_engine::budget::{Budget, Caps};
use koab_engine::call_limits::CallLimits;
use koab_engine::limited_model::LimitedModel;
use koab_engine::limiter::Limiter;
use koab_engine::ports::{
    Cancel, ChangeRequest, ChangeResult, ChangeSender, FinishReason, ModelAdapter, ModelError, ModelReply,
    ModelRequest, Pause, RequestedCall, Usage, change_channel,
};
use koab_engine::{RunInput, RunPorts, RunReport, run};
use koab_stand_ins::{EventList, Finished, MemoryCache, MemoryLog, StepClock, refused};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// A server whose answers the test lets out one by one.
struct Server {
    ends: Semaphore,
    asked: Mutex<Vec<String>>,
    /// Tasks whose next call fails for good.
    fails: Mutex<BTreeSet<String>>,
    /// Whether it always calls a tool, so that only the step limit ends an attempt.
    calls: bool,
    /// Whether it has too many calls and names a long time.
    is_busy: bool,
}

impl Server {
    fn new(calls: bool) -> Self {
        Self {
            ends: Semaphore::new(0),
            asked: Mutex::default(),
            fails: Mutex::default(),
            calls,
            is_busy: false,
        }
    }

    fn asked(&self) -> usize {
        self.asked.lock().expect("no test panicked").len()
    }
}

#[async_trait::async_trait]
impl ModelAdapter for Server {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let at = request.attempt;
        self.asked.lock().expect("no test panicked").push(format!("{}#{}", at.task, at.step));
        let url = "http://h/v1".to_owned();
        if self.is_busy {
            let retry_after = Some(Duration::from_secs(600));
            return Err(ModelError::RateLimited { url, retry_after, message: "slow down".to_owned() });
        }
        if self.fails.lock().expect("no test panicked").remove(at.task) {
            return Err(ModelError::Http { url, status: 400, message: "no".to_owned() });
        }
        self.ends.acquire().await.expect("never closed").forget();
        let call = RequestedCall {
            id: format!("call_{}", at.step),
            name: "None".to_owned(),
            arguments: "{}".to_owned(),
        };
        Ok(ModelReply {
            content: "답".to_owned(),
            calls: if self.calls { vec![call] } else { Vec::new() },
            usage: Some(Usage { prompt_tokens: 300, completion_tokens: 40, total_tokens: 340 }),
            finish: if self.calls { FinishReason::ToolCalls } else { FinishReason::Stop },
            first_token: None,
            latency: Duration::from_millis(1),
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        })
    }
}

/// A run under way.
struct Going {
    server: Arc<Server>,
    changes: ChangeSender,
    events: Arc<EventList>,
    log: MemoryLog,
    cancel: Cancel,
    run: JoinHandle<RunReport>,
}

/// Begins a run of this many tasks, with these caps.
fn begun(tasks: usize, server: Server, caps: Caps, edit: impl FnOnce(&mut RunSpec)) -> Going {
    let documents = (1..=tasks).map(
        |task| json!({ "task_id": format!("L1-{task:03}"), "instruction": "서울", "golden_action": [] }),
    );
    let documents: Vec<Value> = documents.collect();
    let mut spec = RunSpec::published("run-1", "test@1", "scripted/one");
    spec.concurrency = 1;
    spec.settings.timeout_s = 10.0 * 3600.0;
    edit(&mut spec);
    let input = RunInput::new(spec, parse_level(&Level::L1, &json!(documents)).0, ToolCatalog::new([]));
    going(input, server, caps)
}

fn going(input: RunInput, server: Server, caps: Caps) -> Going {
    let server = Arc::new(server);
    let (events, log) = (Arc::new(EventList::default()), MemoryLog::default());
    let limits = CallLimits {
        limiter: Arc::new(Limiter::new(8, 8)),
        budget: Arc::new(Budget::new(None, caps, TokenUsage::default(), None)),
    };
    let (changes, inbox) = change_channel();
    let ports = RunPorts {
        model: Arc::new(LimitedModel::new(server.clone(), limits)),
        agent: None,
        cache: Arc::new(MemoryCache::default()),
        live: None,
        log: Some(Box::new(log.clone())),
        sink: events.clone(),
        clock: Arc::new(StepClock::default()),
        pause: Pause::default(),
        changes: inbox,
        folder: None,
    };
    let cancel = Cancel::new();
    let run = tokio::spawn(run(input, ports, cancel.clone()));
    Going { server, changes, events, log, cancel, run }
}

impl Going {
    async fn change(&self, change: RunChange) -> ChangeResult {
        self.changes.ask(ChangeRequest { changes: vec![change], model: None }).await
    }

    fn begun(&self) -> usize {
        let events = self.events.events();
        events.iter().filter(|event| matches!(event.kind, RunEventKind::AttemptStarted { .. })).count()
    }

    async fn end(self) -> (Finished, Value) {
        self.server.ends.add_permits(1000);
        let report = Finished::new(self.run.await.expect("the run ended"), &self.log);
        let manifest = self.log.written.lock().expect("no test panicked").manifest.clone();
        (report, manifest)
    }
}

/// Lets everything happen that can.
async fn a_while() {
    tokio::time::sleep(Duration::from_secs(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_limit_is_for_attempts_that_begin_later_and_the_record_has_both() {
    let going = begun(2, Server::new(true), Caps::default(), |spec| spec.settings.max_steps = 2);
    a_while().await;
    let records = going.change(RunChange::MaxSteps { to: 4, from: None }).await.expect("it is possible");
    assert_eq!(records[0].change, RunChange::MaxSteps { to: 4, from: Some(2) });
    refused(going.change(RunChange::MaxSteps { to: 4, from: None }).await, "has these values already");
    refused(going.change(RunChange::MaxSteps { to: 0, from: None }).await, "must be 1 or more");
    refused(going.change(RunChange::Timeout { to: 0.0, from: None }).await, "the time limit must be");
    let log = going.log.clone();
    let (report, manifest) = going.end().await;
    assert_eq!(report.outcome, RunOutcome::Completed);
    let steps: Vec<usize> = report.attempts.iter().map(|attempt| attempt.steps.len()).collect();
    assert_eq!(steps, [2, 4]);
    assert_eq!((&manifest["spec"]["max_steps"], &manifest["format"]), (&json!(4), &json!(4)));
    assert_eq!(manifest["changes"][0]["change"], json!({"what": "max_steps", "to": 4, "from": 2}));
    let written = log.written.lock().unwrap();
    let line = written.journal.iter().find(|line| line["type"] == "change").expect("it is recorded");
    assert_eq!(line["under_way"], json!([{"task": "L1-001", "repetition": 1}]));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_a_later_start_continues_keeps_the_limits_it_began_with() {
    let first = begun(2, Server::new(true), Caps::default(), |spec| spec.settings.max_steps = 3);
    first.server.ends.add_permits(2);
    a_while().await;
    first.change(RunChange::MaxSteps { to: 1, from: None }).await.expect("it is possible");
    first.cancel.cancel();
    let tasks = [1, 2]
        .map(|task| json!({ "task_id": format!("L1-00{task}"), "instruction": "서울", "golden_action": [] }));
    let log = first.log.clone();
    let (report, _) = first.end().await;
    assert_eq!((report.outcome, report.tally.done), (RunOutcome::Cancelled, 0));

    let mut journal = Journal::<AttemptSummary>::default();
    for line in &log.written.lock().unwrap().journal {
        let line: JournalLine<RecordHead> = serde_json::from_value(line.clone()).expect("a line");
        journal.take(line, LinePlace::default());
    }
    let spec = journal.spec().cloned().expect("it has begun");
    assert_eq!(spec.settings.max_steps, 1);
    let input = RunInput {
        steps: journal.take_steps(OpenSteps::new()),
        earlier_limits: journal.take_limits(),
        changes: journal.changes.clone(),
        ..RunInput::new(spec, parse_level(&Level::L1, &json!(tasks)).0, ToolCatalog::new([]))
    };
    let (report, manifest) = going(input, Server::new(true), Caps::default()).end().await;
    assert_eq!(report.outcome, RunOutcome::Completed);
    let steps: Vec<usize> = report.attempts.iter().map(|attempt| attempt.steps.len()).collect();
    assert_eq!(steps, [3, 1]);
    assert_eq!(manifest["changes"].as_array().map(Vec::len), Some(1), "the record keeps the list");
}

#[tokio::test(start_paused = true)]
async fn more_attempts_at_once_begin_and_fewer_wait() {
    let going = begun(6, Server::new(false), Caps::default(), |_| {});
    a_while().await;
    assert_eq!(going.begun(), 1);
    going.change(RunChange::Concurrency { to: 4, from: None }).await.expect("it is possible");
    a_while().await;
    assert_eq!((going.begun(), going.server.asked()), (4, 4));
    going.change(RunChange::Concurrency { to: 2, from: None }).await.expect("it is possible");
    going.server.ends.add_permits(2);
    a_while().await;
    assert_eq!(going.begun(), 4, "two are still in flight");
    let (report, _) = going.end().await;
    assert_eq!((report.outcome, report.tally.done), (RunOutcome::Completed, 6));
}

#[tokio::test(start_paused = true)]
async fn a_raised_cap_lets_a_waiting_call_out_and_one_below_what_is_spent_is_refused() {
    // One call may take 2 bytes of prompt, 616 for what is added, and 1,024 of output.
    let caps = Caps { tokens: Some(2_000), cost: None };
    let going = begun(2, Server::new(false), caps, |spec| spec.concurrency = 2);
    a_while().await;
    assert_eq!(going.server.asked(), 1, "the other waits for the budget");
    refused(going.change(RunChange::MaxCost { to: Some(1.0), from: None }).await, "is not known");
    let records = going.change(RunChange::MaxTotalTokens { to: Some(9_000), from: None }).await;
    let change = records.expect("it is possible").remove(0).change;
    assert_eq!(change, RunChange::MaxTotalTokens { to: Some(9_000), from: Some(2_000) });
    going.server.ends.add_permits(1);
    a_while().await;
    assert_eq!(going.server.asked(), 2);
    refused(going.change(RunChange::MaxTotalTokens { to: Some(339), from: None }).await, "is too little");
    let (report, manifest) = going.end().await;
    assert_eq!((report.outcome, report.tally.done), (RunOutcome::Completed, 2));
    assert_eq!(report.caps.and_then(|caps| caps.tokens), Some(9_000));
    assert_eq!(manifest["spec"]["max_total_tokens"], 9_000);
}

#[tokio::test(start_paused = true)]
async fn attempts_that_wait_for_a_server_ask_the_new_one_at_once() {
    let busy = Server { is_busy: true, ..Server::new(false) };
    let going = begun(2, busy, Caps::default(), |spec| spec.concurrency = 2);
    let begun_at = tokio::time::Instant::now();
    a_while().await;
    let moved = RunChange::BaseUrl { to: "http://other/v1".to_owned(), from: None };
    refused(going.change(moved.clone()).await, "was not opened");
    let other = Arc::new(Server::new(false));
    other.ends.add_permits(1000);
    let request = ChangeRequest { changes: vec![moved], model: Some(other.clone()) };
    going.changes.ask(request).await.expect("it is possible");
    let (report, manifest) = going.end().await;
    assert_eq!((report.outcome, report.tally.failed), (RunOutcome::Completed, 0));
    assert_eq!(other.asked(), 2);
    assert!(begun_at.elapsed() < Duration::from_secs(60), "nobody waits for the first any more");
    assert_eq!(manifest["spec"]["base_url"], "http://other/v1");
}

#[tokio::test(start_paused = true)]
async fn failed_attempts_are_made_again_and_tasks_left_out_are_not_begun() {
    let server = Server::new(false);
    server.fails.lock().unwrap().insert("L1-001".to_owned());
    let going = begun(3, server, Caps::default(), |_| {});
    let leave_out = |task: &str| RunChange::LeaveOut { tasks: vec![task.to_owned()] };
    let retry = |task: &str| RunChange::Retry {
        attempts: vec![RetriedAttempt { task: task.to_owned(), repetition: None }],
    };
    a_while().await;
    refused(going.change(leave_out("L1-009")).await, "the run has no task L1-009");
    refused(going.change(leave_out("L1-001")).await, "all attempts at L1-001 have ended");
    refused(going.change(retry("L1-002")).await, "no attempt at L1-002 has failed");
    let left_out = going.change(leave_out("L1-003")).await.expect("it is possible");
    assert_eq!(left_out[0].done, 1);
    let again = going.change(RunChange::Retry { attempts: Vec::new() }).await.expect("one has failed");
    let attempts = vec![RetriedAttempt { task: "L1-001".to_owned(), repetition: Some(1) }];
    assert_eq!(again[0].change, RunChange::Retry { attempts });
    refused(going.change(RunChange::Retry { attempts: Vec::new() }).await, "no attempt has failed");
    let (log, changes) = (going.log.clone(), going.changes.clone());
    let (report, manifest) = going.end().await;
    assert_eq!((report.outcome, report.planned), (RunOutcome::Completed, 2));
    assert_eq!((report.tally.done, report.tally.failed), (2, 0));
    assert_eq!(report.attempts.iter().filter(|attempt| attempt.stop == StopReason::ModelFailed).count(), 1);
    let counts = &manifest["attempts"];
    assert_eq!((&counts["planned"], &counts["done"], &counts["failed"]), (&json!(2), &json!(2), &json!(0)));
    let level = log.written.lock().unwrap().levels[&Level::L1].clone();
    let results = level["results"].as_array().expect("a list").iter();
    let logged: Vec<(&str, bool)> =
        results.map(|task| (task["task_id"].as_str().unwrap(), task["success"] == true)).collect();
    assert_eq!(logged, [("L1-001", true), ("L1-002", true)]);
    let request = ChangeRequest { changes: vec![leave_out("L1-002")], model: None };
    refused(changes.ask(request).await, "the run has ended");
}

#[tokio::test(start_paused = true)]
async fn an_attempt_under_way_stays_planned_when_its_task_is_left_out() {
    let going = begun(3, Server::new(false), Caps::default(), |_| {});
    a_while().await;
    for task in ["L1-001", "L1-003"] {
        let left_out = RunChange::LeaveOut { tasks: vec![task.to_owned()] };
        going.change(left_out).await.expect("it is possible");
    }
    let events = going.events.events();
    let planned = events.iter().filter_map(|event| match event.kind {
        RunEventKind::RunChanged { planned, .. } => Some(planned),
        _ => None,
    });
    assert_eq!(planned.collect::<Vec<u32>>(), [3, 2]);
    let (report, manifest) = going.end().await;
    assert_eq!((report.planned, report.tally.done, &manifest["attempts"]["planned"]), (2, 2, &json!(2)));
}

#[tokio::test(start_paused = true)]
async fn changes_of_a_request_are_made_together_or_not_at_all() {
    let going = begun(2, Server::new(false), Caps::default(), |_| {});
    a_while().await;
    let changes = vec![
        RunChange::Concurrency { to: 2, from: None },
        RunChange::LeaveOut { tasks: vec!["L1-001".to_owned(), "L1-002".to_owned()] },
    ];
    let request = ChangeRequest { changes, model: None };
    refused(going.changes.ask(request).await, "no task would be left");
    a_while().await;
    assert_eq!(going.begun(), 1);
    let (_, manifest) = going.end().await;
    assert!(manifest["changes"].is_null() && manifest["format"] == 3);
}
