//! Attempts that an agent of somebody else's drives: what belongs to which step, and how they end.

use async_trait::async_trait;
use koab_core::catalog::ToolCatalog;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::{AgentSpec, AttemptRecord, RunSettings, RunSpec, StopReason};
use koab_core::sentence::Sentence;
use koab_core::task::parse_level;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{
    Agent, AgentEnd, AgentWork, AttemptHandle, Cancel, ChangeInbox, FinishReason, ModelReply, NoReply, Pause,
    RequestedCall, Usage,
};
use koab_engine::{RunInput, RunPorts, run};
use koab_stand_ins::{EventList, MemoryCache, MemoryLog, ScriptedModel, StepClock};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What an agent does, one thing after the other.
#[derive(Clone)]
enum Does {
    /// Its model replies with a text and calls.
    Hears(&'static str, Vec<(&'static str, &'static str)>),
    /// It calls a tool.
    Calls(&'static str, &'static str),
    /// It calls these at once.
    CallsAtOnce([(&'static str, &'static str); 2]),
    /// It answers a turn of its user's and is told the next.
    EndsTurn(&'static str),
    /// Its model gives no reply.
    HearsNothing(&'static str),
    /// It waits for its model's server, as long as that.
    Waits(Duration),
    /// It works for so long.
    Works(Duration),
    /// It ends with an answer.
    Answers(&'static str),
    /// It ends as one that failed.
    Fails(&'static str),
    /// It is ended for its memory.
    TakesAllMemory,
}

struct Played {
    does: Vec<Does>,
    prompts: Mutex<Vec<String>>,
    shown: Mutex<Vec<Option<(String, bool)>>>,
}

#[async_trait]
impl Agent for Played {
    async fn attempt(&self, work: AgentWork<'_>) -> Result<AgentEnd, Sentence> {
        let said = [&[work.prompt.to_owned()], work.later_turns].concat();
        self.prompts.lock().expect("prompts").extend(said);
        let doing = self.all(&work.handle);
        // It goes on as far as it can, so that what it is shown does not hang on chance.
        tokio::select! {
            biased;
            end = doing => Ok(end),
            () = work.cancel.cancelled() => Ok(AgentEnd::default()),
        }
    }
}

impl Played {
    async fn all(&self, handle: &AttemptHandle) -> AgentEnd {
        for does in &self.does {
            match does {
                Does::Hears(text, calls) => handle.replied(reply(text, calls)),
                Does::Calls(tool, arguments) => {
                    let shown = handle.call(tool, arguments).await;
                    let shown = shown.map(|shown| (shown.text, shown.is_error));
                    self.shown.lock().expect("shown").push(shown);
                }
                Does::CallsAtOnce([(one, with), (other, and)]) => {
                    let both = tokio::join!(handle.call(one, with), handle.call(other, and));
                    assert!(both.0.is_some() && both.1.is_some());
                }
                Does::EndsTurn(answer) => handle.turn_ended(answer),
                Does::HearsNothing(why) => handle.no_reply(NoReply::TimedOut((*why).into())),
                Does::Waits(time) => {
                    handle.waits("the server is busy".into(), None, None);
                    tokio::time::sleep(*time).await;
                    handle.waits_no_more();
                }
                Does::Works(time) => tokio::time::sleep(*time).await,
                Does::Answers(answer) => {
                    return AgentEnd { answer: Some((*answer).to_owned()), ..AgentEnd::default() };
                }
                Does::TakesAllMemory => {
                    return AgentEnd {
                        failed: Some("no memory was left".into()),
                        out_of_memory: true,
                        ..AgentEnd::default()
                    };
                }
                Does::Fails(why) => {
                    return AgentEnd {
                        answer: Some("not an answer".to_owned()),
                        failed: Some((*why).into()),
                        last_words: "last words".to_owned(),
                        ..AgentEnd::default()
                    };
                }
            }
        }
        AgentEnd::default()
    }
}

fn reply(text: &str, calls: &[(&str, &str)]) -> ModelReply {
    let calls: Vec<RequestedCall> = calls
        .iter()
        .map(|(name, arguments)| RequestedCall {
            id: String::new(),
            name: (*name).to_owned(),
            arguments: (*arguments).to_owned(),
        })
        .collect();
    ModelReply {
        content: text.to_owned(),
        finish: if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls },
        calls,
        usage: Some(Usage { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 }),
        first_token: None,
        latency: Duration::from_millis(5),
        opaque: None,
        left_out: None,
        written: None,
        message: None,
    }
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        parameters: json!({"type": "object", "properties": {
            "query": {"type": "string"}, "size": {"type": "integer", "default": 3}}, "required": ["query"]}),
    }
}

fn task() -> Value {
    json!([{ "task_id": "L1-001", "instruction": "서울 검색", "task_level": 1, "task_category": "Single",
        "golden_action": [{ "tool": "Web", "args": { "query": "서울" } }, { "tool": "News", "args": { "query": "서울" } }],
        "resp_schema": { "type": "string" } }])
}

/// The attempt of an agent that does this, with what it was asked and shown.
async fn played(level: Level, task: &Value, does: Vec<Does>) -> (AttemptRecord, Arc<Played>) {
    let (record, agent, _) = played_by(None, false, level, task, does).await;
    (record, agent)
}

/// The same of an agent that the run says more of, with the journal's steps: number and calls.
async fn played_by(
    of_run: Option<AgentSpec>,
    full_rollout: bool,
    level: Level,
    task: &Value,
    does: Vec<Does>,
) -> (AttemptRecord, Arc<Played>, Vec<(u32, usize)>) {
    let agent = Arc::new(Played { does, prompts: Mutex::default(), shown: Mutex::default() });
    let spec = RunSpec {
        agent: of_run,
        settings: RunSettings {
            protocol: Protocol::Corrected,
            max_steps: 3,
            timeout_s: 5.0,
            full_rollout,
            ..RunSettings::published()
        },
        ..RunSpec::published("run-1", "test@1", "scripted/one")
    };
    let mut cache = MemoryCache::default();
    for name in ["Web", "News"] {
        let key = (name.to_owned(), r#"{"query": "서울", "size": 3}"#.to_owned());
        cache.0.insert(key, json!({ "from": name }));
    }
    let log = MemoryLog::default();
    let ports = RunPorts {
        model: Arc::new(ScriptedModel::default()),
        agent: Some(Arc::clone(&agent) as Arc<_>),
        cache: Arc::new(cache),
        live: None,
        log: Some(Box::new(log.clone())),
        sink: Arc::new(EventList::default()),
        clock: Arc::new(StepClock::default()),
        pause: Pause::default(),
        changes: ChangeInbox::default(),
        folder: None,
    };
    let input = RunInput::new(spec, parse_level(&level, task).0, ToolCatalog::new(["Web", "News"].map(tool)));
    run(input, ports, Cancel::new()).await;
    let mut attempts = log.attempts();
    assert_eq!(attempts.len(), 1);
    (attempts.remove(0), agent, log.steps())
}

const SEOUL: &str = r#"{"query": "서울"}"#;

/// Step and tool of each call.
fn calls(record: &AttemptRecord) -> Vec<(u32, &str)> {
    record.calls.iter().map(|call| (call.step, call.tool.as_str())).collect()
}

#[tokio::test]
async fn calls_of_one_reply_stand_in_its_order_and_side_calls_are_no_steps() {
    let does = vec![
        Does::Hears("a title", vec![]),
        Does::Hears("", vec![("mcp__koab__Web", SEOUL), ("shell", "{}"), ("mcp__koab__News", SEOUL)]),
        Does::Calls("News", r#"{"query":"서울"}"#),
        Does::Calls("Web", SEOUL),
        Does::Hears("답", vec![]),
        Does::Hears("is it done?", vec![("next_speaker", "{}")]),
        Does::Answers("답"),
    ];
    let (record, agent) = played(Level::L1, &task(), does).await;
    assert_eq!((record.stop, record.success), (StopReason::Answered, true));
    assert_eq!(calls(&record), [(1, "Web"), (1, "News")]);
    assert_eq!((record.steps.len(), record.final_response.as_deref()), (2, Some("답")));
    let facts = record.agent.as_deref().expect("facts");
    assert_eq!((facts.model_calls, facts.side_calls, facts.own_tools, facts.unmade), (4, 2, 2, 0));
    let own: Vec<_> = facts.own_tools_by_name.iter().collect();
    assert_eq!(own, [(&"next_speaker".to_owned(), &1), (&"shell".to_owned(), &1)]);
    assert_eq!((facts.changed, facts.by_agent), (0, 0));
    assert_eq!(record.usage().total_tokens, 44, "side calls are paid for, too");
    assert_eq!(agent.prompts.lock().expect("prompts")[..], ["서울 검색"]);
    let shown = agent.shown.lock().expect("shown").clone();
    assert_eq!(shown[0], Some((r#"{"from": "News"}"#.to_owned(), false)));
}

#[tokio::test]
async fn without_replies_calls_that_overlap_share_a_step() {
    let does = vec![
        Does::CallsAtOnce([("News", SEOUL), ("Web", SEOUL)]),
        Does::Calls("Web", SEOUL),
        Does::Answers("답"),
    ];
    let own = AgentSpec {
        name: "own".to_owned(),
        version: None,
        definition: String::new(),
        kind: "command".to_owned(),
        wire: None,
        contained: false,
        image: None,
        own_model: true,
    };
    let (record, _, steps) = played_by(Some(own.clone()), false, Level::L1, &task(), does).await;
    assert_eq!(record.stop, StopReason::Answered, "{:?}", record.error);
    assert_eq!(calls(&record), [(1, "News"), (1, "Web"), (2, "Web")]);
    assert_eq!(record.steps.len(), 3, "the answer has its own");
    assert_eq!(steps, [(1, 2), (2, 1)], "the journal has them as the record");
    let facts = record.agent.as_deref().expect("facts");
    assert!(facts.by_arrival && facts.by_agent == 0);
    // What overlaps with a call behind the limit of three steps lies behind it, too.
    let does = vec![
        Does::Calls("Web", SEOUL),
        Does::Calls("Web", SEOUL),
        Does::Calls("Web", SEOUL),
        Does::CallsAtOnce([("News", SEOUL), ("Web", SEOUL)]),
        Does::Answers("답"),
    ];
    let (record, ..) = played_by(Some(own.clone()), false, Level::L1, &task(), does).await;
    assert_eq!(calls(&record), [(1, "Web"), (2, "Web"), (3, "Web")]);
    // An answer from nowhere is one: its model was not to be seen.
    let (record, ..) =
        played_by(Some(own.clone()), false, Level::L1, &task(), vec![Does::Answers("답")]).await;
    assert_eq!(record.stop, StopReason::Answered, "{:?}", record.error);
    let (record, ..) = played_by(Some(own), false, Level::L1, &task(), Vec::new()).await;
    assert_eq!(record.stop, StopReason::AgentFailed);
}

#[tokio::test]
async fn changed_arguments_belong_to_the_newest_reply_and_other_calls_to_the_agent() {
    let does = vec![
        Does::Hears("", vec![("Web", r#"{"query": "부산"}"#)]),
        Does::Hears("", vec![("Web", r#"{"query": "서울", "size": 3.0}"#)]),
        Does::Calls("Web", r#"{"size": 3, "query": "서울"}"#),
        Does::Calls("Web", r#"{"query": "대전"}"#),
        Does::Calls("News", SEOUL),
        Does::Hears("끝", vec![]),
        Does::Answers("끝"),
    ];
    let (record, _) = played(Level::L1, &task(), does).await;
    let facts = record.agent.as_deref().expect("facts");
    assert_eq!((facts.changed, facts.by_agent), (1, 1));
    // In the order of the replies: the first one's call came last.
    let queries: Vec<_> = record.calls.iter().map(|call| call.arguments["query"].clone()).collect();
    assert_eq!(queries, ["대전", "서울", "서울"]);
    assert_eq!(calls(&record), [(1, "Web"), (2, "Web"), (3, "News")]);
}

#[tokio::test]
async fn calls_behind_the_step_limit_are_told_so_three_times() {
    let mut does = vec![Does::Calls("Web", SEOUL); 20];
    does.push(Does::Answers("never"));
    let (record, agent) = played(Level::L1, &task(), does).await;
    assert_eq!((record.stop, record.success), (StopReason::StepLimit, false));
    assert_eq!((record.calls.len(), record.final_response), (3, None));
    let shown = agent.shown.lock().expect("shown").clone();
    assert_eq!(shown[3], Some((r#"{"error": "step limit reached"}"#.to_owned(), true)));
    assert_eq!(shown.len(), 20);
    assert!(shown[3..6].iter().all(Option::is_some), "three are told");
    assert!(shown[6..].iter().all(Option::is_none), "nobody answers any more");
}

#[tokio::test(start_paused = true)]
async fn time_stands_still_while_the_server_is_waited_for() {
    let minute = Duration::from_secs(60);
    let (seconds, late) = (Duration::from_secs(4), Duration::from_secs(10));
    let ends = |more: Does| {
        vec![Does::Waits(minute), Does::Works(seconds), Does::Hears("답", vec![]), more, Does::Answers("답")]
    };
    let (record, _) = played(Level::L1, &task(), ends(Does::Works(Duration::ZERO))).await;
    assert_eq!(record.stop, StopReason::Answered);
    assert!((4.0..5.0).contains(&record.took_s), "{}", record.took_s);
    let (record, _) = played(Level::L1, &task(), ends(Does::Works(late))).await;
    assert_eq!((record.stop, record.success), (StopReason::TimedOut, false));
}

#[tokio::test]
async fn how_it_ended_is_what_was_seen_and_not_what_the_agent_says() {
    let heard = || Does::Hears("답", vec![]);
    for (does, stop) in [
        (vec![heard(), Does::HearsNothing("late"), Does::Answers("[API Error]")], StopReason::ModelFailed),
        (vec![Does::HearsNothing("late"), heard(), Does::Answers("답")], StopReason::Answered),
        (vec![heard(), Does::Fails("it ended with exit code 1")], StopReason::AgentFailed),
        (vec![heard(), Does::Answers("  ")], StopReason::AgentFailed),
        (vec![Does::Answers("from nowhere")], StopReason::AgentFailed),
    ] {
        let (record, _) = played(Level::L1, &task(), does).await;
        assert_eq!((record.stop, record.success), (stop, stop == StopReason::Answered), "{:?}", record.error);
    }
}

#[tokio::test]
async fn a_history_is_a_transcript_in_front_of_the_last_turn() {
    let task = json!([{ "task_id": "L6-001", "instruction": "", "task_level": 6, "task_category": "Multi",
        "conversation_tracking": { "turns": [
            { "turn_number": 1, "role": "user", "content": "서울 검색" },
            { "turn_number": 2, "role": "assistant", "content": "찾았습니다",
              "action": { "tool": "Web", "args": { "query": "서울" }, "result": { "n": 1 } } },
            { "turn_number": 3, "role": "user", "content": "다시 알려줘" } ] } }]);
    let does = vec![Does::Hears("하나", vec![]), Does::Answers("하나")];
    let (record, agent) = played(Level::L6, &task, does).await;
    let prompt = agent.prompts.lock().expect("prompts")[0].clone();
    assert!(
        prompt.starts_with("=== 지금까지의 대화 ===\n사용자: 서울 검색\n도우미: 찾았습니다\n"),
        "{prompt}"
    );
    assert!(prompt.ends_with("=== 대화 끝, 다음 요청 ===\n\n다시 알려줘"), "{prompt}");
    // The log has them as a native run would.
    assert_eq!(record.messages[0], json!({ "role": "user", "content": "서울 검색" }));
    assert_eq!(record.messages.last(), Some(&json!({ "role": "assistant", "content": "하나" })));
}

#[tokio::test]
async fn a_full_rollout_is_said_turn_by_turn_and_its_answers_are_steps() {
    let task = json!([{ "task_id": "L6-001", "instruction": "", "task_level": 6, "task_category": "Multi",
        "conversation_tracking": { "turns": [
            { "turn_number": 1, "role": "user", "content": "서울 검색" },
            { "turn_number": 2, "role": "assistant", "content": "찾았습니다",
              "action": { "tool": "Web", "args": { "query": "서울" }, "result": { "n": 1 } } },
            { "turn_number": 3, "role": "user", "content": "다시 알려줘" } ] } }]);
    let does = vec![
        Does::Hears("", vec![("Web", SEOUL)]),
        Does::Calls("Web", SEOUL),
        Does::Hears("하나", vec![]),
        Does::Hears("a title", vec![]),
        Does::EndsTurn("하나"),
        Does::Hears("", vec![("Web", SEOUL)]),
        Does::Calls("Web", SEOUL),
        Does::Hears("", vec![("Web", SEOUL)]),
        Does::Calls("Web", SEOUL),
        Does::Hears("둘", vec![]),
        Does::Answers("둘"),
    ];
    let (record, agent, steps) = played_by(None, true, Level::L6, &task, does).await;
    assert_eq!((record.stop, record.success), (StopReason::Answered, true), "{:?}", record.error);
    assert_eq!(
        agent.prompts.lock().expect("prompts")[..],
        ["서울 검색", "다시 알려줘"],
        "no transcript: it makes its own history"
    );
    assert_eq!(calls(&record), [(1, "Web"), (3, "Web"), (4, "Web")]);
    assert_eq!((record.steps.len(), record.agent.as_deref().map(|facts| facts.side_calls)), (5, Some(1)));
    assert_eq!(steps, [(1, 1), (2, 0), (3, 1), (4, 1)]);
    let said: Vec<_> = record
        .messages
        .iter()
        .filter(|message| message["role"] != "tool" && message["content"] != "")
        .map(|message| message["content"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(said, ["서울 검색", "하나", "다시 알려줘", "둘"]);
}

#[tokio::test]
async fn who_had_no_memory_is_not_said_to_have_called_nobody() {
    let (record, _) = played(Level::L1, &task(), vec![Does::TakesAllMemory]).await;
    let error = record.error.expect("a reason").to_string();
    assert_eq!((record.stop, record.success), (StopReason::AgentFailed, false));
    assert!(error.contains("no memory was left"), "{error}");
    let (record, _) = played(Level::L1, &task(), Vec::new()).await;
    let error = record.error.expect("a reason").to_string();
    assert!(error.contains("neither the model nor a tool"), "{error}");
}
