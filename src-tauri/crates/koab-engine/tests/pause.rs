//! A run that the user holds and lets go on: nothing begins meanwhile, nothing is lost, nobody's time runs out.

use koab_core::catalog::ToolCatalog;
use koab_core::event::{RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::run_record::RunSpec;
use koab_core::run_record::StopReason;
use koab_core::task::parse_level;
use koab_engine::budget::Budget;
use koab_engine::call_limits::CallLimits;
use koab_engine::limited_model::LimitedModel;
use koab_engine::limiter::Limiter;
use koab_engine::ports::{
    Cancel, ChangeInbox, EventSink, ModelAdapter, ModelError, ModelReply, ModelRequest, Pause,
};
use koab_engine::{RunInput, RunPorts, RunReport, run};
use koab_stand_ins::{EventList, Finished, MemoryCache, MemoryLog, Scripted, ScriptedModel, StepClock};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// A scripted model whose calls come to their end one by one, as the test lets them.
struct Held {
    model: ScriptedModel,
    ends: Semaphore,
}

#[async_trait::async_trait]
impl ModelAdapter for Held {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let reply = self.model.complete(request).await;
        self.ends.acquire().await.expect("never closed").forget();
        reply
    }
}

/// Sets the pause as soon as the first call is out, before anything else can happen.
struct PausesAtOnce(Arc<EventList>, Pause);

impl EventSink for PausesAtOnce {
    fn send(&self, event: &koab_core::event::RunEvent) {
        if matches!(event.kind, RunEventKind::StepStarted { .. }) {
            self.1.set(true);
        }
        self.0.send(event);
    }
}

struct Going {
    model: Arc<Held>,
    events: Arc<EventList>,
    pause: Pause,
    cancel: Cancel,
    log: MemoryLog,
    run: JoinHandle<RunReport>,
}

/// Begins a run of `tasks` tasks of two turns each, two at a time and a second for each, and pauses it with its first
/// call. `places`: calls at once that the server bears; none for a model without a gate.
async fn paused_run(tasks: usize, places: Option<u32>) -> Going {
    let ids: Vec<String> = (1..=tasks).map(|i| format!("L1-{i:03}")).collect();
    let turns = vec![Scripted::Calls(vec![("None", "{}")]), Scripted::Text("답")];
    let scripts = ids.iter().map(|id| (&*id.clone().leak(), turns.clone()));
    let model = Arc::new(Held { model: ScriptedModel::new(scripts), ends: Semaphore::new(0) });
    let documents: Vec<Value> =
        ids.iter().map(|id| json!({ "task_id": id, "instruction": "서울", "golden_action": [] })).collect();
    let mut spec = RunSpec::published("run-1", "test@1", "scripted/one");
    spec.concurrency = 2;
    spec.settings.timeout_s = 1.0;
    let input = RunInput::new(spec, parse_level(&Level::L1, &json!(documents)).0, ToolCatalog::new([]));
    let (events, pause, cancel) = (Arc::new(EventList::default()), Pause::default(), Cancel::new());
    let log = MemoryLog::default();
    let limited: Arc<dyn ModelAdapter> = match places {
        None => model.clone(),
        Some(places) => Arc::new(LimitedModel::new(
            model.clone(),
            CallLimits {
                limiter: Arc::new(Limiter::new(places, places)),
                budget: Arc::new(Budget::unlimited(None)),
            },
        )),
    };
    let ports = RunPorts {
        model: limited,
        agent: None,
        cache: Arc::new(MemoryCache::default()),
        live: None,
        log: Some(Box::new(log.clone())),
        sink: Arc::new(PausesAtOnce(events.clone(), pause.clone())),
        clock: Arc::new(StepClock::default()),
        pause: pause.clone(),
        changes: ChangeInbox::default(),
        folder: None,
    };
    let run = tokio::spawn(run(input, ports, cancel.clone()));
    Going { model, events, pause, cancel, log, run }
}

/// Lets everything happen that can, and an hour pass.
async fn an_hour() {
    tokio::time::sleep(Duration::from_secs(3600)).await;
}

fn count(events: &EventList, wanted: fn(&RunEventKind) -> bool) -> usize {
    events.events().iter().filter(|event| wanted(&event.kind)).count()
}

#[tokio::test(start_paused = true)]
async fn a_paused_run_begins_nothing_and_goes_on_where_it_was() {
    for places in [None, Some(2), Some(1)] {
        let going = paused_run(5, places).await;
        going.pause.until(true).await;
        going.model.ends.add_permits(100);
        an_hour().await;
        let asked = going.model.model.requests().len();
        assert!((1..=2).contains(&asked), "{asked} calls went out before the pause was seen");
        assert_eq!(count(&going.events, |k| matches!(k, RunEventKind::RunPaused { .. })), 1);
        assert_eq!(
            count(&going.events, |k| matches!(k, RunEventKind::StepFinished { .. })),
            asked,
            "calls that are out come to their end"
        );
        let waits = count(
            &going.events,
            |k| matches!(k, RunEventKind::Waiting { reason, until_ms: None, .. } if reason == "the run is paused"),
        );
        assert!(waits >= 1, "an attempt under way says what it waits for");

        // The model sets it again with every call that goes out, so this lets one round through at a time.
        for _ in 0..100 {
            if going.run.is_finished() {
                break;
            }
            going.pause.set(false);
            an_hour().await;
        }
        assert!(going.run.is_finished(), "a hundred rounds are more than it has calls");
        let report = Finished::new(going.run.await.unwrap(), &going.log);
        assert_eq!((report.outcome, report.attempts.len()), (RunOutcome::Completed, 5));
        for attempt in &report.attempts {
            assert_eq!(attempt.stop, StopReason::Answered, "an hour's pause is not the task's");
            assert!(attempt.took_s < 1.0, "nor does it count as work: {}", attempt.took_s);
        }
        assert_eq!(going.model.model.requests().len(), 10, "nothing is asked twice");
        let (paused, resumed) = (
            count(&going.events, |k| matches!(k, RunEventKind::RunPaused { .. })),
            count(&going.events, |k| matches!(k, RunEventKind::RunResumed {})),
        );
        assert!(paused > 1 && paused - resumed <= 1, "{paused} pauses, {resumed} ends");
    }
}

#[tokio::test(start_paused = true)]
async fn a_paused_run_can_be_cancelled_and_keeps_what_is_done() {
    let going = paused_run(3, None).await;
    going.pause.until(true).await;
    going.model.ends.add_permits(100);
    an_hour().await;
    assert!(!going.run.is_finished());
    going.cancel.cancel();
    let report = going.run.await.unwrap();
    assert_eq!(report.outcome, RunOutcome::Cancelled);
    let written = going.log.written.lock().unwrap();
    assert_eq!(written.manifest["status"], "cancelled");
    assert!(written.journal.iter().all(|line| line["type"] != "pause"), "a pause is not part of the record");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_paused_before_it_begins_waits() {
    let going = paused_run(1, None).await;
    // Nothing has run yet: the task that was just spawned has not been polled.
    going.pause.set(true);
    going.model.ends.add_permits(100);
    an_hour().await;
    assert!(going.model.model.requests().is_empty());
    assert_eq!(count(&going.events, |k| matches!(k, RunEventKind::RunStarted { .. })), 1);
    assert_eq!(count(&going.events, |k| matches!(k, RunEventKind::AttemptStarted { .. })), 0);
}
