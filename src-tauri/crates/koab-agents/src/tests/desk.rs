//! Attempts of an agent at a task of the test, with a scripted model behind the gateway, and servers of the test that agents or
//! their clients are.

use crate::check_result::AgentCheck;
use crate::definition::Definition;
use crate::isolation::Isolation;
use crate::run::RunAgent;
use async_trait::async_trait;
use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use koab_core::catalog::ToolCatalog;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::RunSettings;
use koab_core::run_record::{AttemptRecord, RunSpec};
use koab_core::sentence::Sentence;
use koab_core::tool::ToolSpec;
use koab_core::{say, task};
use koab_engine::ports::{
    Agent, AgentEnd, AgentWork, ByHand, Cancel, ChangeInbox, HandTask, Operator, Pause,
};
use koab_engine::{RunInput, RunPorts, run};
use koab_gateway::RunModel;
use koab_stand_ins::{EventList, Finished, MemoryCache, MemoryLog, Scripted, ScriptedModel, StepClock};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The tool of the task.
pub(crate) const TOOL: &str = "find_value";
/// What the task asks.
pub(crate) const PROMPT: &str = "제주의 값은 {얼마}?";
const TASK: &str = "L1-001";

/// What an attempt came to.
pub(crate) struct Ended {
    pub(crate) record: AttemptRecord,
    /// What the agent gave back, whether or not the run believes it.
    pub(crate) answer: Option<String>,
    pub(crate) failed: Option<String>,
    pub(crate) last_words: String,
}

/// An agent whose last end is kept.
struct Watched(RunAgent, Arc<Mutex<AgentEnd>>);

#[async_trait]
impl Agent for Watched {
    async fn attempt(&self, work: AgentWork<'_>) -> Result<AgentEnd, Sentence> {
        let end = self.0.attempt(work).await?;
        *self.1.lock().expect("nobody panicked") = end.clone();
        Ok(end)
    }
}

/// A run of one attempt.
pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    definition: Definition,
    turns: Vec<Scripted>,
    timeout_s: f64,
    by_hand: Option<ByHand>,
    own_model: bool,
    cancel: Cancel,
}

impl Desk {
    pub(crate) fn new(definition: Definition) -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            definition,
            turns: vec![Scripted::Text("the model's answer")],
            timeout_s: 60.0,
            by_hand: None,
            own_model: false,
            cancel: Cancel::new(),
        }
    }

    pub(crate) fn with_turns(self, turns: Vec<Scripted>) -> Self {
        Self { turns, ..self }
    }

    pub(crate) fn with_timeout(self, timeout_s: f64) -> Self {
        Self { timeout_s, ..self }
    }

    pub(crate) fn carried_by(self, by_hand: Option<ByHand>) -> Self {
        Self { by_hand, own_model: true, ..self }
    }

    pub(crate) fn with_own_model(self) -> Self {
        Self { own_model: true, ..self }
    }

    /// Folder of the attempt.
    pub(crate) fn attempt_folder(&self) -> std::path::PathBuf {
        self.folder.path().join("agents").join(TASK).join("1")
    }

    /// A file of the attempt.
    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.attempt_folder().join(name)).expect(name)
    }

    /// Makes the attempt; what it came to, or why the run has no record of it.
    pub(crate) async fn attempt(&self) -> Result<Ended, String> {
        let model = Arc::new(ScriptedModel::new([(TASK, self.turns.clone())]));
        let served = RunModel {
            id: "scripted/m-1".to_owned(),
            model: Arc::clone(&model) as Arc<_>,
            price: None,
            max_tokens: 4096,
        };
        let isolation = match self.own_model {
            true => Isolation::OwnModel,
            false => Isolation::Native(say!("as the test wants")),
        };
        let agent =
            RunAgent::begin(self.definition.clone(), isolation, served, Some(self.folder.path())).await;
        let agent = agent.map_err(|error| error.message.to_string())?;
        let spec = RunSpec {
            settings: RunSettings {
                protocol: Protocol::Corrected,
                timeout_s: self.timeout_s,
                ..RunSettings::published()
            },
            ..RunSpec::published("test", "test@1", "scripted/m-1")
        };
        let (log, end) = (MemoryLog::default(), Arc::default());
        let args = r#"{"place": "제주"}"#.to_owned();
        let report = run(
            RunInput::new(spec, tasks(), ToolCatalog::new([tool()])),
            RunPorts {
                model,
                agent: Some(Arc::new(Watched(agent.carried(self.by_hand.clone()), Arc::clone(&end)))),
                cache: Arc::new(MemoryCache(HashMap::from([(
                    (TOOL.to_owned(), args),
                    json!({"value": 42}),
                )]))),
                live: None,
                log: Some(Box::new(log.clone())),
                sink: Arc::new(EventList::default()),
                clock: Arc::new(StepClock::default()),
                pause: Pause::default(),
                changes: ChangeInbox::default(),
                folder: None,
            },
            self.cancel.clone(),
        )
        .await;
        let finished = Finished::new(report, &log);
        let reason = finished.reason.as_ref().map(ToString::to_string);
        let record = finished.attempts.first().cloned();
        let end = end.lock().expect("nobody panicked").clone();
        Ok(Ended {
            record: record.ok_or_else(|| reason.unwrap_or_default())?,
            answer: end.answer,
            failed: end.failed.map(|why| why.to_string()),
            last_words: end.last_words,
        })
    }
}

fn tasks() -> Vec<task::Task> {
    let tasks = json!([{
        "task_id": TASK, "instruction": PROMPT, "task_level": 1, "task_category": "test",
        "golden_action": [{"tool": TOOL, "args": {"place": "제주"}}], "resp_schema": {"type": "string"},
    }]);
    task::parse_level(&Level::L1, &tasks).0
}

fn tool() -> ToolSpec {
    ToolSpec {
        name: TOOL.to_owned(),
        description: "The value of a place.".to_owned(),
        parameters: json!({"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}),
    }
}

/// A definition of a program.
pub(crate) fn program(command: &[&str], fields: &Value) -> Definition {
    let mut definition =
        json!({"name": "mine", "kind": "command", "command": command, "answer": {"stdout": "all"}});
    for (name, value) in fields.as_object().into_iter().flatten() {
        definition[name] = value.clone();
    }
    Definition::read(&definition.to_string(), "mine").expect("a definition")
}

/// A definition of a server that runs already.
pub(crate) fn running(kind: &str, address: &str, request: &Value) -> Definition {
    let definition = json!({"name": "mine", "kind": kind, "address": address, "request": request,
        "answer": {"stdout": "json", "pointer": "/answer"}});
    Definition::read(&definition.to_string(), "mine").expect("a definition")
}

/// A check that an agent failed.
pub(crate) fn failed_check(definition: &Definition, trap: &'static str) -> AgentCheck {
    AgentCheck {
        name: definition.name.clone(),
        version: None,
        definition: definition.hash(),
        contained: false,
        passed: false,
        startup_s: None,
        seconds: 0.1,
        wire: None,
        offered_as: None,
        offered_at_once: false,
        own_tools: Vec::new(),
        call_arrived: false,
        answer_equal: false,
        goes_on_after_error: None,
        side_calls: 0,
        outlived: false,
        hosts_asked_for: Vec::new(),
        traps: vec![say!("it {trap}")],
    }
}

/// A person who carries prompts.
pub(crate) struct Person(
    pub(crate) Result<Option<&'static str>, Sentence>,
    pub(crate) Arc<Mutex<Vec<HandTask>>>,
);

#[async_trait]
impl Operator for Person {
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        self.1.lock().expect("nobody panicked").push(task);
        self.0.clone().map(|answer| answer.map(str::to_owned))
    }
}

/// A request to a server of the test.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Its first line and its headers, in lower case.
    pub(crate) head: String,
    pub(crate) path: String,
    pub(crate) body: Value,
}

/// A server of the test on a port of this computer, which answers each request with a status and a text.
pub(crate) async fn serve<F>(answer: impl Fn(Asked) -> F + Clone + Send + 'static) -> u16
where
    F: Future<Output = (u16, String)> + Send,
{
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move { answer_one(stream, answer).await });
        }
    });
    port
}

async fn answer_one<F: Future<Output = (u16, String)>>(
    mut stream: TcpStream,
    answer: impl Fn(Asked) -> F,
) -> Option<()> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let path = head.split(' ').nth(1)?.to_owned();
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(Some(0), |length| length.trim().parse().ok())?;
    while bytes.len() < end + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = serde_json::from_slice(&bytes[end..]).unwrap_or_default();
    let (status, text) = answer(Asked { head, path, body }).await;
    let length = text.len();
    let answer =
        format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}");
    stream.write_all(answer.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}

/// Posts a value to an address of this computer, with a token unless that is empty; the status and the answer.
pub(crate) async fn post(url: &str, token: &str, body: &Value) -> (u16, Value) {
    let rest = url.strip_prefix("http://").expect("an address");
    let (host, path) = rest.split_once('/').expect("a path");
    let stream = TcpStream::connect(host).await.expect("a server");
    let mut request = Request::post(format!("/{path}"))
        .header("host", host)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.body(Full::new(Bytes::from(body.to_string()))).expect("a request");
    let answer = koab_mcp::client::send(stream, request, usize::MAX).await.expect("an answer");
    (answer.status().as_u16(), serde_json::from_slice(answer.body()).unwrap_or_default())
}

/// Whether a folder has nothing with this text in any of its files.
pub(crate) fn is_free_of(folder: &Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    paths.all(|path| match path.is_dir() {
        true => is_free_of(&path, text),
        false => !String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).contains(text),
    })
}
