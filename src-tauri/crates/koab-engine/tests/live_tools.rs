//! Write mode, seen from outside: who is asked, what is kept, and what a run records of it.

use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::event::{AnswerSource, RunOutcome};
use koab_core::level::Level;
use koab_core::run_record::RunSpec;
use koab_core::run_record::{CallRecord, StopReason};
use koab_core::say;
use koab_core::task::parse_level;
use koab_core::tool::{FaultOwner, ToolSpec};
use koab_engine::ports::{
    AnswerOverlay as _, Cancel, ChangeInbox, LiveTools, Pause, ServiceFault, ToolServices,
};
use koab_engine::{RunInput, RunPorts, run};
use koab_stand_ins::{
    EventList, Finished, MemoryCache, MemoryLog, MemoryOverlay, Scripted, ScriptedModel, ScriptedServices,
    StepClock,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const LIST: &str = "MarketList_upbit";
const SEARCH: &str = "WebSearch_naver";

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("{name} for tests"),
        parameters: json!({
            "type": "object",
            "properties": { "query": { "type": "string" }, "size": { "type": "integer", "default": 3 } },
            "required": ["query"]
        }),
    }
}

/// A task whose model makes these calls, one a step, and then answers.
struct Bench {
    calls: Vec<(&'static str, &'static str)>,
    services: Arc<ScriptedServices>,
    overlay: Arc<MemoryOverlay>,
    log: MemoryLog,
    timeout: Duration,
    injected: bool,
    /// Whether services may be asked at all.
    asks: bool,
}

impl Bench {
    fn new(calls: Vec<(&'static str, &'static str)>, services: ScriptedServices) -> Self {
        Bench {
            calls,
            services: Arc::new(services),
            overlay: Arc::default(),
            log: MemoryLog::default(),
            timeout: Duration::from_secs(60),
            injected: false,
            asks: true,
        }
    }

    async fn go(&self) -> Finished {
        let mut task = json!({ "task_id": "L5-001", "instruction": "찾아 줘", "task_level": 5,
            "golden_action": [{ "tool": SEARCH, "args": { "query": "a" } }],
            "fallback_options": [{ "tool": LIST, "args": { "query": "a" } }] });
        if self.injected {
            task["error_injection"] = json!({ "tool": SEARCH, "error_type": "timeout" });
        }
        let (tasks, _) = parse_level(&Level::L5, &json!([task]));
        let mut script: Vec<Scripted> =
            self.calls.iter().map(|(tool, args)| Scripted::Calls(vec![(tool, args)])).collect();
        script.push(Scripted::Text("끝"));
        let mut spec = RunSpec::published("run-1", "test@1", "scripted/one");
        spec.settings.timeout_s = self.timeout.as_secs_f64();
        let recorded =
            ((SEARCH.to_owned(), r#"{"query": "recorded", "size": 3}"#.to_owned()), json!("recorded"));
        let ports = RunPorts {
            model: Arc::new(ScriptedModel::new([("L5-001", script)])),
            agent: None,
            cache: Arc::new(MemoryCache([recorded].into())),
            live: Some(LiveTools {
                services: self.asks.then(|| self.services.clone() as Arc<dyn ToolServices>),
                overlay: Some(self.overlay.clone()),
            }),
            log: Some(Box::new(self.log.clone())),
            sink: Arc::new(EventList::default()),
            clock: Arc::new(StepClock::default()),
            pause: Pause::default(),
            changes: ChangeInbox::default(),
            folder: None,
        };
        let input = RunInput::new(spec, tasks, ToolCatalog::new([SEARCH, LIST].map(tool)));
        Finished::new(run(input, ports, Cancel::new()).await, &self.log)
    }

    fn asked(&self) -> Vec<String> {
        self.services.asked.lock().expect("nobody panicked").clone()
    }
}

fn services(answers: Vec<(&str, &str, Result<Value, ServiceFault>)>) -> ScriptedServices {
    let answers = answers.into_iter().map(|(tool, query, answer)| {
        let args = format!(r#"{{"query": "{query}", "size": 3}}"#);
        ((tool.to_owned(), args), answer)
    });
    ScriptedServices { answers: answers.collect(), tools: vec![SEARCH, LIST], ..ScriptedServices::default() }
}

fn calls(report: &Finished) -> &[CallRecord] {
    &report.attempts[0].calls
}

#[tokio::test]
async fn what_is_not_recorded_is_asked_for_once_and_kept() {
    let long: Vec<u32> = (0..25).collect();
    let live = services(vec![(SEARCH, "new", Ok(json!("live"))), (LIST, "all", Ok(json!(long)))]);
    let bench = Bench::new(
        vec![
            (SEARCH, r#"{"query": "recorded"}"#),
            (SEARCH, r#"{"query": "new", "more": 1}"#),
            (SEARCH, r#"{"query": "new"}"#),
            (LIST, r#"{"query": "all"}"#),
        ],
        live,
    );
    let report = bench.go().await;
    assert_eq!(report.outcome, RunOutcome::Completed);
    let sources: Vec<AnswerSource> = calls(&report).iter().map(|call| call.source).collect();
    use AnswerSource::{Hit, Live, Overlay};
    assert_eq!(sources, [Hit, Live, Overlay, Live]);
    assert_eq!(
        bench.asked(),
        [r#"WebSearch_naver {"query": "new", "size": 3}"#, r#"MarketList_upbit {"query": "all", "size": 3}"#,]
    );
    assert_eq!(calls(&report)[2].result, Some(json!("live")), "as it was kept");
    assert_eq!(calls(&report)[3].result, Some(json!(long[..20])), "cut as a recorded answer is");
    let kept = bench.overlay.kept.lock().unwrap();
    let (raw, answer) = &kept[&(SEARCH.to_owned(), r#"{"query": "new", "size": 3}"#.to_owned())];
    assert_eq!((json!(raw), answer), (json!({ "query": "new", "more": 1 }), &json!("live")));
    let (_, cut) = &kept[&(LIST.to_owned(), r#"{"query": "all", "size": 3}"#.to_owned())];
    assert_eq!(*cut, json!(long[..20]));
    let written = bench.log.written.lock().unwrap();
    insta::assert_snapshot!(written.manifest["cache"], @r#"{"mode":"write","snapshot":null,"pack":{"name":"test","version":"1","hash":null},"hit":1,"miss":0,"injected":0,"refused":0,"live":2,"overlay":1}"#);
    assert_eq!(written.manifest["spec"]["cache_mode"], "write");
}

#[tokio::test]
async fn what_is_kept_answers_without_any_service_and_the_run_says_so() {
    let live = services(vec![(SEARCH, "new", Ok(json!("live")))]);
    let mut bench = Bench::new(vec![(SEARCH, r#"{"query": "kept"}"#), (SEARCH, r#"{"query": "new"}"#)], live);
    bench.asks = false;
    let raw = json!({ "query": "kept", "size": 3 });
    let raw = raw.as_object().unwrap();
    let args = NormalizedArgs::from_record(raw);
    bench.overlay.keep(SEARCH, &args, raw, &json!("kept")).unwrap();
    let report = bench.go().await;
    let sources: Vec<AnswerSource> = calls(&report).iter().map(|call| call.source).collect();
    assert_eq!(sources, [AnswerSource::Overlay, AnswerSource::Miss]);
    assert_eq!(bench.asked(), Vec::<String>::new());
    let written = bench.log.written.lock().unwrap();
    let spec = &written.manifest["spec"];
    assert_eq!((&spec["cache_mode"], &spec["overlay"]), (&json!("read"), &json!(true)));
}

#[tokio::test]
async fn a_failure_is_shown_as_published_and_never_kept() {
    let shown = json!({ "error": { "name": 404, "message": "Code not found" } });
    let plain = ServiceFault { message: say!("it is down"), shown: None, offline: None };
    let worded = ServiceFault { message: say!("no such code"), shown: Some(shown.clone()), offline: None };
    let live = services(vec![(SEARCH, "a", Err(plain)), (LIST, "a", Err(worded))]);
    let twice = vec![(SEARCH, r#"{"query": "a"}"#), (LIST, r#"{"query": "a"}"#), (LIST, r#"{"query": "a"}"#)];
    let bench = Bench::new(twice, live);
    let report = bench.go().await;
    for (call, said) in calls(&report).iter().zip(["it is down", "no such code", "no such code"]) {
        assert_eq!((call.success, call.error.as_deref(), &call.result), (false, Some(said), &None));
        assert_eq!((call.owner, call.source), (Some(FaultOwner::Service), AnswerSource::Live));
    }
    assert_eq!(bench.asked().len(), 3, "a failure is asked for again");
    assert!(bench.overlay.kept.lock().unwrap().is_empty());
    let written = bench.log.written.lock().unwrap();
    let messages = &written.levels[&Level::L5]["results"][0]["conversation_log"]["messages"];
    let tools: Vec<Value> = messages
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].clone())
        .collect();
    assert_eq!(tools[0], json!({ "error": "it is down", "error_type": null }));
    assert_eq!(tools[1], shown);
}

#[tokio::test]
async fn injected_and_faulty_calls_and_tools_without_a_service_ask_nobody() {
    let mut live = services(Vec::new());
    live.tools = vec![SEARCH];
    let mut bench = Bench::new(
        vec![
            (SEARCH, r#"{"query": "a"}"#),
            (LIST, r#"{"query": 1}"#),
            ("Nobody", "{}"),
            (LIST, r#"{"query": "a"}"#),
        ],
        live,
    );
    bench.injected = true;
    let report = bench.go().await;
    use AnswerSource::{Injected, Miss, Refused};
    let sources: Vec<AnswerSource> = calls(&report).iter().take(4).map(|call| call.source).collect();
    assert_eq!(sources, [Injected, Refused, Refused, Miss]);
    assert_eq!(bench.asked(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_service_that_hangs_costs_no_more_than_the_tasks_time() {
    let bench = Bench::new(vec![(SEARCH, r#"{"query": "hangs"}"#)], services(Vec::new()));
    let report = bench.go().await;
    assert_eq!(report.attempts[0].stop, StopReason::TimedOut);
    let said = "the service behind WebSearch_naver did not answer before the task's time was up";
    assert_eq!(calls(&report)[0].error.as_deref(), Some(said));
}

#[tokio::test]
async fn an_answer_that_cannot_be_kept_ends_the_run() {
    let mut bench =
        Bench::new(vec![(SEARCH, r#"{"query": "a"}"#)], services(vec![(SEARCH, "a", Ok(json!(1)))]));
    bench.overlay = Arc::new(MemoryOverlay { full: true, ..MemoryOverlay::default() });
    let report = bench.go().await;
    assert_eq!(report.outcome, RunOutcome::Failed);
    assert_eq!(report.reason.as_ref().map(ToString::to_string).as_deref(), Some("the disk is full"));
}
