//! How an attempt goes under each protocol, seen from outside: what is asked, offered, recorded and logged.

use koab_core::catalog::ToolCatalog;
use koab_core::event::{RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::RunSpec;
use koab_core::run_record::StopReason;
use koab_core::task::{Task, parse_level};
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Cancel, ChangeInbox, ModelError, Pause};
use koab_engine::{RunInput, RunPorts, run};
use koab_stand_ins::{EventList, Finished, MemoryCache, MemoryLog, Scripted, ScriptedModel, StepClock};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A run over scripted edges, and all that it left.
struct Bench {
    tasks: Vec<Task>,
    spec: RunSpec,
    cache: MemoryCache,
    log: MemoryLog,
    cancel: Cancel,
    model: Arc<ScriptedModel>,
    events: Arc<EventList>,
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("{name} for tests"),
        parameters: json!({
            "type": "object",
            "properties": { "query": { "type": "string" }, "size": { "type": "integer", "minimum": 1, "maximum": 9, "default": 3 } },
            "required": ["query"]
        }),
    }
}

fn bench(level: Level, tasks: Value, script: Vec<(&'static str, Vec<Scripted>)>) -> Bench {
    let (tasks, _) = parse_level(&level, &tasks);
    let mut spec = RunSpec::published("run-1", "test@1", "scripted/one");
    spec.concurrency = 1;
    let mut cache = MemoryCache::default();
    for name in ["WebSearch_naver", "WebSearch_daum"] {
        let key = (name.to_owned(), r#"{"query": "서울", "size": 3}"#.to_owned());
        cache.0.insert(key, json!({ "items": [{ "title": "서울" }] }));
    }
    Bench {
        tasks,
        spec,
        cache,
        log: MemoryLog::default(),
        cancel: Cancel::new(),
        model: Arc::new(ScriptedModel::new(script)),
        events: Arc::new(EventList::default()),
    }
}

impl Bench {
    async fn go(self) -> (Finished, MemoryLog, Arc<ScriptedModel>, Arc<EventList>) {
        let input = RunInput::new(
            self.spec,
            self.tasks,
            ToolCatalog::new(["WebSearch_naver", "WebSearch_daum", "NewsSearch_naver"].map(tool)),
        );
        let ports = RunPorts {
            model: self.model.clone(),
            agent: None,
            cache: Arc::new(self.cache),
            live: None,
            log: Some(Box::new(self.log.clone())),
            sink: self.events.clone(),
            clock: Arc::new(StepClock::default()),
            pause: Pause::default(),
            changes: ChangeInbox::default(),
            folder: None,
        };
        let report = Finished::new(run(input, ports, self.cancel).await, &self.log);
        (report, self.log, self.model, self.events)
    }
}

fn l1() -> Value {
    json!([{ "task_id": "L1-001", "instruction": "서울 검색", "task_level": 1, "task_category": "Single",
        "golden_action": [{ "tool": "WebSearch_naver", "args": { "query": "서울" } }],
        "resp_schema": { "type": "string" } }])
}

fn l5() -> Value {
    json!([{ "task_id": "L5-001", "instruction": "서울 검색", "task_level": 5,
        "golden_action": [{ "tool": "WebSearch_naver", "args": { "query": "서울" } }],
        "error_injection": { "tool": "WebSearch_naver", "error_type": "timeout" },
        "fallback_options": [{ "tool": "WebSearch_daum", "args": { "query": "서울" } }] }])
}

const SEOUL: &str = r#"{"query": "서울"}"#;

#[tokio::test]
async fn a_recorded_answer_reaches_the_model_and_the_log() {
    let script = vec![Scripted::Calls(vec![("WebSearch_naver", SEOUL)]), Scripted::Text("서울입니다.")];
    let (report, log, model, _) = bench(Level::L1, l1(), vec![("L1-001", script)]).go().await;
    assert_eq!(report.outcome, RunOutcome::Completed);
    let mut level = log.written.lock().unwrap().levels[&Level::L1].clone();
    for time in [
        "/results/0/execution_time",
        "/metadata/total_execution_time",
        "/metadata/average_execution_time",
        "/metadata/average_tps",
    ] {
        *level.pointer_mut(time).unwrap() = json!("[time]");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&level["results"][0]["tool_calls"]).unwrap(), @r#"
    [
      {
        "step": 1,
        "tool_name": "WebSearch_naver",
        "arguments": {
          "query": "서울"
        },
        "success": true,
        "error": null,
        "result": {
          "items": [
            {
              "title": "서울"
            }
          ]
        }
      }
    ]
    "#);
    insta::assert_snapshot!(level["metadata"].to_string(), @r#"{"timestamp":"2026-01-01T00:00:00.000001","model":"scripted/one","level":"L1","total_tasks":1,"successful_tasks":1,"failed_tasks":0,"success_rate":100.0,"total_execution_time":"[time]","average_execution_time":"[time]","total_steps":2,"average_steps":2.0,"total_tool_calls":1,"average_tool_calls":1.0,"total_tokens":30,"average_tokens_per_task":30.0,"average_prompt_tokens":20.0,"average_completion_tokens":10.0,"average_tps":"[time]","ttft":{"average":0.001,"min":0.001,"max":0.001,"unit":"seconds"}}"#);
    assert_eq!(level["results"][0]["conversation_log"]["total_messages"], 4);
    // The published harness escapes what it hands to the model.
    assert!(model.requests()[1].contains(r#"\\uc11c\\uc6b8"#), "{}", model.requests()[1]);
}

#[tokio::test]
async fn an_answer_that_was_cut_off_is_one_under_leaderboard_only() {
    for (protocol, stop, success) in [
        (Protocol::Leaderboard, StopReason::Answered, true),
        (Protocol::Corrected, StopReason::CutOff, false),
    ] {
        for (level, task, id) in [(Level::L1, l1(), "L1-001"), (Level::L7, l7(3), "L7-001")] {
            let mut bench = bench(level.clone(), task, vec![(id, vec![Scripted::CutOff("서울은")])]);
            bench.spec.settings.protocol = protocol;
            let (report, log, model, events) = bench.go().await;
            let record = &report.attempts[0];
            assert_eq!((record.stop, record.success, record.cut_off()), (stop, success, true));
            assert_eq!((report.tally.cut_off, report.tally.failed, model.requests().len()), (1, 0, 1));
            assert_eq!(record.final_response.as_deref(), Some("서울은"));
            let written = log.written.lock().unwrap();
            assert_eq!(written.manifest["attempts"]["cut_off"], 1);
            let logged = &written.levels[&level]["results"][0];
            let error = (!success).then_some("the answer was cut off at the limit of 1024 output tokens");
            assert_eq!((&logged["success"], logged["error"].as_str()), (&success.into(), error));
            let told = events.events().into_iter().any(|event| {
                matches!(event.kind, RunEventKind::AttemptFinished { cut_off: true, stop: told, .. } if told == stop)
            });
            assert!(told);
        }
    }
    // A reply that was cut off while it called a tool is no last answer.
    let script = vec![Scripted::Calls(vec![("WebSearch_naver", SEOUL)]), Scripted::Text("서울")];
    let (report, ..) = bench(Level::L1, l1(), vec![("L1-001", script)]).go().await;
    assert_eq!(report.tally.cut_off, 0);
}

#[tokio::test]
async fn faulty_calls_become_errors_that_the_model_sees() {
    for (arguments, error) in [
        ("{not json", "the arguments are not valid JSON: key must be a string at line 1 column 2"),
        ("[1]", "the arguments must be a JSON object, not an array"),
        ("{}", "invalid input for WebSearch_naver: the required argument 'query' is missing"),
        (r#"{"query": 1}"#, "invalid input for WebSearch_naver: 'query' must be a string, not an integer"),
        (
            r#"{"query": "서울", "size": 10}"#,
            "invalid input for WebSearch_naver: 'size' must be an integer of 9 or less, not an integer",
        ),
        (
            r#"{"query": "서울", "size": 1.0}"#,
            "invalid input for WebSearch_naver: 'size' must be an integer, not a decimal number",
        ),
        (r#"{"query": "부산"}"#, "no recorded response for WebSearch_naver with these arguments"),
    ] {
        let script =
            vec![Scripted::Calls(vec![("WebSearch_naver", arguments)]), Scripted::Text("못 찾았습니다.")];
        let (report, _, model, _) = bench(Level::L1, l1(), vec![("L1-001", script)]).go().await;
        let call = &report.attempts[0].calls[0];
        assert!(
            !call.success && call.error.as_deref().is_some_and(|e| e.starts_with(error)),
            "{arguments}: {call:?}"
        );
        assert!(model.requests()[1].contains("error"), "the model is told about {arguments}");
        assert_eq!(
            call.unreadable_arguments.is_some(),
            !arguments.starts_with(r#"{"#) || arguments == "{not json"
        );
    }
}

#[tokio::test]
async fn l5_offers_fallbacks_in_a_second_conversation_under_leaderboard_and_at_once_under_corrected() {
    let script = || {
        vec![
            Scripted::Calls(vec![("WebSearch_naver", SEOUL)]),
            Scripted::Text("안 됩니다."),
            Scripted::Calls(vec![("WebSearch_daum", SEOUL)]),
            Scripted::Text("찾았습니다."),
        ]
    };
    let (report, log, model, _) = bench(Level::L5, l5(), vec![("L5-001", script())]).go().await;
    let record = &report.attempts[0];
    let steps: Vec<_> =
        record.calls.iter().map(|c| (c.step, c.tool.as_str(), c.success, c.error.clone())).collect();
    assert_eq!(steps[0], (1, "WebSearch_naver", false, Some("Request timeout".to_owned())));
    assert_eq!(steps[1], (3, "WebSearch_daum", true, None));
    assert_eq!(record.final_response.as_deref(), Some("찾았습니다."));
    assert!(model.requests()[0].contains(r#"tools ["WebSearch_naver"] "#));
    assert!(
        model.requests()[2]
            .contains(r#"tools ["WebSearch_naver", "WebSearch_daum"] last Some(User("서울 검색"))"#)
    );
    let roles = |log: &MemoryLog| {
        let log = log.written.lock().unwrap().levels[&Level::L5].clone();
        let messages = log["results"][0]["conversation_log"]["messages"].as_array().unwrap().clone();
        messages.iter().map(|m| m["role"].as_str().unwrap()[..1].to_owned()).collect::<String>()
    };
    assert_eq!(roles(&log), "uataata");

    let mut bench = bench(Level::L5, l5(), vec![("L5-001", script())]);
    bench.spec.settings.protocol = Protocol::Corrected;
    let (report, log, model, _) = bench.go().await;
    assert!(model.requests()[0].contains(r#"tools ["WebSearch_naver", "WebSearch_daum"]"#));
    assert_eq!((report.attempts[0].steps.len(), roles(&log).as_str()), (2, "uata"));
}

#[tokio::test]
async fn an_empty_answer_starts_a_single_turn_task_again_once() {
    let (report, ..) = bench(Level::L1, l1(), vec![("L1-001", vec![Scripted::Text("")])]).go().await;
    let record = &report.attempts[0];
    assert_eq!((record.steps.len(), record.success, record.final_response.as_deref()), (2, true, None));
}

#[tokio::test(start_paused = true)]
async fn a_hanging_model_ends_when_the_task_s_time_is_up() {
    let (report, log, ..) = bench(Level::L1, l1(), vec![("L1-001", vec![Scripted::Hang])]).go().await;
    let record = &report.attempts[0];
    assert_eq!(record.stop, StopReason::TimedOut);
    assert_eq!(
        record.error.as_ref().map(ToString::to_string).as_deref(),
        Some("Task exceeded timeout of 60 seconds")
    );
    assert!(!record.success && report.outcome == RunOutcome::Completed && report.tally.failed == 1);
    let level = &log.written.lock().unwrap().levels[&Level::L1];
    assert_eq!(
        level["results"][0]["conversation_log"]["total_messages"], 0,
        "as the published runner leaves it"
    );
}

#[tokio::test(start_paused = true)]
async fn passing_faults_are_asked_again_and_lasting_ones_are_not() {
    let busy = ModelError::RateLimited {
        url: "http://h/v1".to_owned(),
        retry_after: Some(Duration::from_secs(7)),
        message: "slow down".to_owned(),
    };
    let (report, _, model, events) =
        bench(Level::L1, l1(), vec![("L1-001", vec![Scripted::Fail(busy)])]).go().await;
    assert_eq!((model.requests().len(), report.attempts[0].stop), (10, StopReason::ModelFailed));
    let waits: Vec<u64> = events
        .events()
        .iter()
        .filter_map(|e| match e.kind {
            RunEventKind::Waiting { wait_ms, until_ms, .. } => {
                assert!(until_ms.is_some_and(|until| until > wait_ms), "the end is told as well");
                Some(wait_ms)
            }
            _ => None,
        })
        .collect();
    assert_eq!(waits.len(), 9);
    assert_eq!(waits[..3], [7000; 3], "the server's wish beats the own shorter waits");
    assert!(waits[8] >= 30_000, "own waits grow: {waits:?}");
    assert!(report.attempts[0].took_s < 1.0, "waits are not the model's time");

    let shut = ModelError::RateLimited {
        url: "http://h/v1".to_owned(),
        retry_after: Some(Duration::from_secs(86_400)),
        message: "daily limit".to_owned(),
    };
    let (report, _, model, _) =
        bench(Level::L1, l1(), vec![("L1-001", vec![Scripted::Fail(shut)])]).go().await;
    assert_eq!((model.requests().len(), report.outcome), (1, RunOutcome::Failed));
    assert!(report.reason.clone().is_some_and(|r| r.to_string().contains("daily limit")));

    let refused = ModelError::Unauthorized {
        url: "http://h/v1".to_owned(),
        status: 401,
        message: "bad key".to_owned(),
    };
    let (report, _, model, _) =
        bench(Level::L1, l1(), vec![("L1-001", vec![Scripted::Fail(refused)])]).go().await;
    assert_eq!((model.requests().len(), report.outcome), (1, RunOutcome::Failed));
    assert!(report.reason.clone().is_some_and(|r| r.to_string().contains("refuses the key")));
}

fn l7(tested_turn: u32) -> Value {
    json!([{ "task_id": "L7-001", "instruction": "서울 어때?", "task_level": 7, "conversation_tracking": {
        "turns": [
            { "turn_number": 1, "role": "user", "content": "서울 어때?" },
            { "turn_number": 2, "role": "assistant", "content": "좋아요.",
              "action": { "tool": "WebSearch_naver", "args": { "query": "서울" }, "result": { "items": [1] } } },
            { "turn_number": 3, "role": "user", "content": "아까 그 도시는?" },
            { "turn_number": 4, "role": "assistant", "content": "데이터의 답",
              "action": { "tool": "WebSearch_naver", "args": { "query": "서울" }, "result": { "items": [2] } } }
        ],
        "evaluation_context": { "context_tests": [{ "turn": tested_turn }] } } }])
}

#[tokio::test]
async fn conversations_are_seeded_up_to_the_tested_turn() {
    let roles = |report: &Finished| {
        let messages = &report.attempts[0].messages;
        messages.iter().map(|m| m["role"].as_str().unwrap()[..1].to_owned()).collect::<String>()
    };
    for (tested, protocol, expected) in [
        (3, Protocol::Leaderboard, "uatua"),
        // The published harness hands out the dataset's own answer when the test names its turn.
        (4, Protocol::Leaderboard, "uatuata"),
        (4, Protocol::Corrected, "uatua"),
    ] {
        let mut bench = bench(Level::L7, l7(tested), vec![("L7-001", vec![Scripted::Text("서울이요.")])]);
        bench.spec.settings.protocol = protocol;
        let (report, _, model, _) = bench.go().await;
        assert_eq!(roles(&report), expected, "tested turn {tested} under {protocol}");
        assert_eq!(report.attempts[0].final_response.as_deref(), Some("서울이요."));
        assert_eq!(model.requests().len(), 1);
    }
    let mut bench = bench(Level::L7, l7(3), vec![("L7-001", vec![Scripted::Text("네.")])]);
    bench.spec.settings.full_rollout = true;
    let (report, ..) = bench.go().await;
    assert_eq!((roles(&report).as_str(), report.attempts[0].steps.len()), ("uaua", 2));
}

#[tokio::test]
async fn a_seeded_answer_stands_in_for_none_under_leaderboard_only() {
    for (protocol, answer) in [(Protocol::Leaderboard, Some("좋아요.")), (Protocol::Corrected, None)] {
        let mut bench = bench(Level::L7, l7(3), vec![("L7-001", vec![Scripted::Text("")])]);
        bench.spec.settings.protocol = protocol;
        let (report, ..) = bench.go().await;
        assert_eq!(report.attempts[0].final_response.as_deref(), answer, "{protocol}");
    }
}

#[tokio::test]
async fn a_full_disk_ends_the_run_and_says_so() {
    let mut bench = bench(Level::L1, l1(), vec![("L1-001", vec![Scripted::Text("답")])]);
    bench.log.room = Some(1);
    let (report, log, _, events) = bench.go().await;
    assert_eq!(
        (report.outcome, report.reason.as_ref().map(ToString::to_string).as_deref()),
        (RunOutcome::Failed, Some("the disk is full"))
    );
    assert_eq!(log.written.lock().unwrap().journal.len(), 1, "what was written stays");
    assert!(matches!(events.events().last().unwrap().kind, RunEventKind::RunFinished { .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_slower_than_the_model_holds_the_run_up_and_does_not_end_it() {
    let mut bench = bench(Level::L1, l1(), vec![("L1-001", vec![Scripted::Text("서울입니다.")])]);
    bench.spec.settings.repetitions = 2000;
    bench.spec.concurrency = 8;
    bench.log.sync_takes = Some(Duration::from_millis(20));
    let (report, ..) = bench.go().await;
    assert_eq!((report.outcome, &report.reason), (RunOutcome::Completed, &None));
    assert_eq!(report.attempts.len(), 2000);
}

#[tokio::test]
async fn cancelling_ends_a_hanging_call_and_keeps_what_is_done() {
    let tasks = json!([l1()[0], { "task_id": "L1-002", "instruction": "둘", "golden_action": [] }]);
    let script = vec![("L1-001", vec![Scripted::Text("답")]), ("L1-002", vec![Scripted::Hang])];
    let bench = bench(Level::L1, tasks, script);
    let (cancel, events) = (bench.cancel.clone(), bench.events.clone());
    let watcher = async {
        let waiting = async {
            while !events.events().iter().any(|e| matches!(e.kind, RunEventKind::AttemptFinished { .. })) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let finished = tokio::time::timeout(Duration::from_secs(60), waiting).await;
        cancel.cancel();
        finished.expect("the first attempt finishes");
    };
    let ((report, log, ..), ()) = tokio::join!(bench.go(), watcher);
    assert_eq!((report.outcome, report.attempts.len(), report.planned), (RunOutcome::Cancelled, 1, 2));
    let written = log.written.lock().unwrap();
    assert_eq!(written.levels[&Level::L1]["metadata"]["total_tasks"], 1);
    assert_eq!(written.manifest["status"], "cancelled");
}

#[tokio::test]
async fn the_log_s_order_is_the_dataset_s_whatever_finished_first() {
    const IDS: [&str; 6] = ["L1-000", "L1-001", "L1-002", "L1-003", "L1-004", "L1-005"];
    let tasks = IDS.map(|id| json!({ "task_id": id, "instruction": id, "golden_action": [] }));
    // The earlier a task stands, the longer its model takes.
    let script = || {
        let of = |(i, id)| (id, vec![Scripted::Late(100 * (IDS.len() - i), "답")]);
        IDS.into_iter().enumerate().map(of).collect()
    };
    for (concurrency, finished) in [(1, IDS.to_vec()), (6, IDS.into_iter().rev().collect())] {
        let mut bench = bench(Level::L1, json!(tasks), script());
        bench.spec.concurrency = concurrency;
        let (_, log, _, events) = bench.go().await;
        let ended = events.events().into_iter().filter_map(|event| match event.kind {
            RunEventKind::AttemptFinished { task, .. } => Some(task),
            _ => None,
        });
        assert_eq!(ended.collect::<Vec<_>>(), finished, "{concurrency} at once");
        let level = log.written.lock().unwrap().levels[&Level::L1].clone();
        let logged = level["results"].as_array().unwrap().iter();
        let ids: Vec<&str> = logged.map(|result| result["task_id"].as_str().unwrap()).collect();
        assert_eq!(ids, IDS, "{concurrency} at once");
    }
}

#[tokio::test]
async fn repetitions_of_tasks_at_once_stand_under_their_task() {
    let tasks: Vec<Value> = (0..20)
        .map(
            |i| json!({ "task_id": format!("L1-{i:03}"), "instruction": i.to_string(), "golden_action": [] }),
        )
        .collect();
    let mut bench = bench(Level::L1, json!(tasks), Vec::new());
    bench.spec.concurrency = 16;
    bench.spec.settings.repetitions = 3;
    let (_, log, ..) = bench.go().await;
    let level = log.written.lock().unwrap().levels[&Level::L1].clone();
    let results = level["results"].as_array().unwrap();
    assert_eq!(results.len(), 20);
    for (result, task) in results.iter().zip(&tasks) {
        assert_eq!(result["task_id"], task["task_id"]);
        assert_eq!(result["repetition_results"], json!([true, true, true]));
    }
}
