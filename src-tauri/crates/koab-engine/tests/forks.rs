//! A fork goes on from the middle of an attempt by the rules of a run, seen from outside.

use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::event::{AnswerSource, RunOutcome};
use koab_core::fork::{ForkEdit, ForkEditTo, begin};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::RunSpec;
use koab_core::run_record::{AttemptRecord, StopReason};
use koab_core::task::{Task, parse_level};
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Cancel, ChangeInbox, Pause, ResponseCache, StoreError};
use koab_engine::{RunInput, RunPorts, run, run_fork};
use koab_stand_ins::{EventList, Finished, MemoryCache, MemoryLog, Scripted, ScriptedModel, StepClock};
use serde_json::{Value, json};
use std::sync::Arc;

const SEOUL: &str = r#"{"query": "서울"}"#;

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("{name} for tests"),
        parameters: json!({ "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"] }),
    }
}

fn tasks(level: Level, tasks: Value) -> Vec<Task> {
    parse_level(&level, &tasks).0
}

fn l1() -> Vec<Task> {
    tasks(
        Level::L1,
        json!([{ "task_id": "L1-001", "instruction": "서울 검색", "task_level": 1, "task_category": "Single",
            "golden_action": [{ "tool": "WebSearch_naver", "args": { "query": "서울" } }],
            "resp_schema": { "type": "string" } }]),
    )
}

fn l5() -> Vec<Task> {
    tasks(
        Level::L5,
        json!([{ "task_id": "L5-001", "instruction": "서울 검색", "task_level": 5,
            "golden_action": [{ "tool": "WebSearch_naver", "args": { "query": "서울" } }],
            "error_injection": { "tool": "WebSearch_naver", "error_type": "timeout" },
            "fallback_options": [{ "tool": "WebSearch_daum", "args": { "query": "서울" } }] }]),
    )
}

struct Edges {
    input: RunInput,
    ports: RunPorts,
    model: Arc<ScriptedModel>,
    log: MemoryLog,
}

fn edges(tasks: Vec<Task>, script: Vec<Scripted>, max_steps: u32) -> Edges {
    let id: &'static str = match tasks[0].level {
        Level::L5 => "L5-001",
        Level::L6 => "L6-001",
        _ => "L1-001",
    };
    let model = Arc::new(ScriptedModel::new([(id, script)]));
    let mut cache = MemoryCache::default();
    for name in ["WebSearch_naver", "WebSearch_daum"] {
        let key = (name.to_owned(), SEOUL.to_owned());
        cache.0.insert(key, json!({ "items": [{ "title": name }] }));
    }
    let log = MemoryLog::default();
    let mut spec = RunSpec::published("r", "test@1", "scripted/one");
    spec.settings.max_steps = max_steps;
    Edges {
        input: RunInput::new(spec, tasks, ToolCatalog::new(["WebSearch_naver", "WebSearch_daum"].map(tool))),
        ports: RunPorts {
            model: model.clone(),
            agent: None,
            cache: Arc::new(cache),
            live: None,
            log: Some(Box::new(log.clone())),
            sink: Arc::new(EventList::default()),
            clock: Arc::new(StepClock::default()),
            pause: Pause::default(),
            changes: ChangeInbox::default(),
            folder: None,
        },
        model,
        log,
    }
}

async fn original(tasks: Vec<Task>, script: Vec<Scripted>) -> AttemptRecord {
    let edges = edges(tasks, script, 10);
    run(edges.input, edges.ports, Cancel::new()).await;
    edges.log.attempts().remove(0)
}

async fn forked(
    edges: Edges,
    record: &AttemptRecord,
    step: u32,
    edits: &[ForkEdit],
) -> (Finished, Vec<String>) {
    let prefix = begin(record, step, edits, None).expect("begun");
    let report = run_fork(edges.input, prefix, edges.ports, Cancel::new()).await;
    (Finished::new(report, &edges.log), edges.model.requests())
}

fn result(at: u32, json: &str) -> ForkEdit {
    let to = ForkEditTo::Result { json: json.to_owned() };
    ForkEdit { at, to }
}

/// What must be the same: everything but times.
fn essence(record: &AttemptRecord) -> Value {
    let mut value = serde_json::to_value(record).expect("JSON");
    value["took_s"] = Value::Null;
    for step in value["steps"].as_array_mut().expect("steps") {
        step["latency_s"] = Value::Null;
    }
    value
}

#[tokio::test]
async fn an_unchanged_fork_at_any_step_is_the_attempt_itself() {
    let search = || Scripted::Calls(vec![("WebSearch_naver", SEOUL)]);
    let other = || Scripted::Calls(vec![("WebSearch_daum", SEOUL)]);
    let single = vec![search(), Scripted::Text("서울입니다.")];
    // The first phase fails and gives up, the second finds the fallback.
    let phases = vec![search(), Scripted::Text("안 됩니다."), other(), Scripted::Text("찾았습니다.")];
    for (tasks, script) in [(l1 as fn() -> Vec<Task>, single), (l5, phases)] {
        let was = original(tasks(), script.clone()).await;
        for step in 1..=was.steps.len() as u32 {
            let (report, asked) = forked(edges(tasks(), script.clone(), 10), &was, step, &[]).await;
            assert_eq!(report.outcome, RunOutcome::Completed);
            assert_eq!(essence(&report.attempts[0]), essence(&was), "step {step}");
            assert_eq!(asked.len(), was.steps.len() + 1 - step as usize);
        }
    }
}

#[tokio::test]
async fn the_model_is_shown_the_changed_result_and_the_record_has_it() {
    let script = vec![Scripted::Calls(vec![("WebSearch_naver", SEOUL)]), Scripted::Text("없습니다.")];
    let was = original(l1(), script.clone()).await;
    let edges = edges(l1(), script, 10);
    let log = edges.log.clone();
    let (report, asked) = forked(edges, &was, 1, &[result(2, r#"{"items": []}"#)]).await;
    assert_eq!(asked.len(), 1, "the changed step is not asked again");
    assert!(asked[0].contains("step 2") && asked[0].contains("items\\\": []"), "{asked:?}");
    let record = &report.attempts[0];
    assert_eq!(record.calls[0].result, Some(json!({"items": []})));
    assert_eq!(record.messages[2]["content"], json!({"items": []}));
    assert_eq!(record.final_response.as_deref(), Some("없습니다."));
    let journal = &log.written.lock().unwrap().journal;
    let steps = journal.iter().filter(|line| line["type"] == "step").count();
    assert_eq!(steps, 1, "what was kept is not written as done again");
}

#[tokio::test]
async fn an_error_in_the_place_of_a_result_is_one_as_l5_injects() {
    let script = vec![Scripted::Calls(vec![("WebSearch_naver", SEOUL)]), Scripted::Text("안 됩니다.")];
    let was = original(l1(), script.clone()).await;
    let to = ForkEditTo::Error { error_type: "timeout".to_owned() };
    let (report, asked) = forked(edges(l1(), script, 10), &was, 1, &[ForkEdit { at: 2, to }]).await;
    assert!(asked[0].contains("Request timeout"), "{asked:?}");
    assert_eq!(report.attempts[0].calls[0].source, AnswerSource::Injected);
}

#[tokio::test]
async fn kept_steps_count_against_the_step_limit() {
    let script = vec![Scripted::Calls(vec![("WebSearch_naver", SEOUL)])];
    let was = {
        let edges = edges(l1(), script.clone(), 3);
        run(edges.input, edges.ports, Cancel::new()).await;
        edges.log.attempts().remove(0)
    };
    // Without an answer the published protocol begins again, with as many steps.
    assert_eq!((was.steps.len(), was.stop), (6, StopReason::StepLimit));
    for step in [2, 5] {
        let (report, asked) = forked(edges(l1(), script.clone(), 3), &was, step, &[]).await;
        assert_eq!(asked.len(), 7 - step as usize);
        assert_eq!(essence(&report.attempts[0]), essence(&was));
    }
}

fn l6() -> Vec<Task> {
    tasks(
        Level::L6,
        json!([{ "task_id": "L6-001", "instruction": "서울 검색", "task_level": 6,
            "golden_action": [{ "tool": "WebSearch_naver", "args": { "query": "서울" } }],
            "conversation_tracking": { "turns": [
                { "turn": 1, "role": "user", "content": "서울 검색" },
                { "turn": 2, "role": "assistant", "content": "서울입니다.",
                  "actions": [{ "tool": "WebSearch_naver", "args": { "query": "서울" }, "result": { "items": ["가"] } }] },
                { "turn": 3, "role": "user", "content": "다시" }
            ] } }]),
    )
}

#[tokio::test]
async fn a_seeded_history_can_be_changed_and_keeps_its_calls() {
    let script = vec![Scripted::Text("네.")];
    let mut before = edges(l6(), script.clone(), 10);
    before.input.spec.settings.protocol = Protocol::Corrected;
    run(before.input, before.ports, Cancel::new()).await;
    let was = before.log.attempts().remove(0);
    let last = was.messages.iter().rposition(|message| message["role"] == "user").expect("asked") as u32;
    let to = ForkEditTo::Text { text: "부산은?".to_owned() };
    let mut after = edges(l6(), script, 10);
    after.input.spec.settings.protocol = Protocol::Corrected;
    let (report, asked) = forked(after, &was, 1, &[ForkEdit { at: last, to }]).await;
    assert!(asked[0].contains("부산은?"), "{asked:?}");
    assert_eq!(report.outcome, RunOutcome::Completed);
    assert_eq!(report.attempts[0].messages.len(), was.messages.len());
}

#[tokio::test]
async fn a_cancelled_fork_leaves_no_record() {
    let script = vec![Scripted::Calls(vec![("WebSearch_naver", SEOUL)]), Scripted::Text("서울")];
    let was = original(l1(), script).await;
    let edges = edges(l1(), vec![Scripted::Hang], 10);
    let cancel = Cancel::new();
    let prefix = begin(&was, 1, &[], None).expect("begun");
    let going = run_fork(edges.input, prefix, edges.ports, cancel.clone());
    cancel.cancel();
    let report = going.await;
    assert_eq!((report.outcome, report.tally.done), (RunOutcome::Cancelled, 0));
}

/// A recorded server, whose answer to a call says how often the attempt was answered it before.
struct ByTurn;

impl ResponseCache for ByTurn {
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<Value>, StoreError> {
        self.lookup_again(tool, args, 0)
    }

    fn lookup_again(
        &self,
        tool: &str,
        _args: &NormalizedArgs,
        made: usize,
    ) -> Result<Option<Value>, StoreError> {
        Ok(Some(json!({ "tool": tool, "before": made })))
    }
}

/// Equal calls have their turns within an attempt, whatever stands between them, and a fork goes on counting where it begins.
#[tokio::test]
async fn equal_calls_are_answered_by_turn_also_behind_the_beginning_of_a_fork() {
    let search = || Scripted::Calls(vec![("WebSearch_naver", SEOUL)]);
    let script = [
        search(),
        Scripted::Calls(vec![("WebSearch_daum", SEOUL), ("WebSearch_naver", "{}")]),
        search(),
        Scripted::Text("서울입니다."),
    ];
    let mut whole = edges(l1(), script.to_vec(), 10);
    whole.ports.cache = Arc::new(ByTurn);
    run(whole.input, whole.ports, Cancel::new()).await;
    let record = whole.log.attempts().remove(0);
    let told = |record: &AttemptRecord| {
        let answers = record.calls.iter().map(|call| call.result.as_ref());
        answers.map(|answer| answer.map(|answer| answer["before"].clone())).collect::<Vec<_>>()
    };
    // A call that is refused takes no turn.
    let expected = [Some(json!(0)), Some(json!(0)), None, Some(json!(1))];
    assert_eq!(told(&record), expected);
    for step in [2, 3] {
        let mut rest = edges(l1(), script.to_vec(), 10);
        rest.ports.cache = Arc::new(ByTurn);
        let (report, _) = forked(rest, &record, step, &[]).await;
        assert_eq!(told(&report.attempts[0]), expected, "from step {step}");
    }
}
