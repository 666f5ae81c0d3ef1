//! Stand-ins for the ports, for tests here and in the crates above: no network, no disk, no waiting.

use async_trait::async_trait;
use koab_core::args::NormalizedArgs;
use koab_core::event::RunEvent;
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, JournalLine, LinePlace, RunManifest};
use koab_engine::RunReport;
use koab_engine::egress::{Gate, Purpose, WorkspaceSwitch};
use koab_engine::ports::{
    AnswerOverlay, Clock, EventSink, FinishReason, ModelAdapter, ModelError, ModelReply, ModelRequest,
    RequestedCall, ResponseCache, RunLog, ServiceFault, StoreError, SyncWork, ToolServices, Usage,
};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A gate without a workspace: it refuses nothing and logs nothing.
pub fn gate() -> Gate {
    Gate::new(Arc::new(AlwaysOnline))
}

struct AlwaysOnline;

impl WorkspaceSwitch for AlwaysOnline {
    fn is_offline(&self) -> bool {
        false
    }

    fn note(&self, _host: &str, _purpose: Purpose, _allowed: bool) {}
}

/// What a scripted model does in one turn.
#[derive(Clone, Debug)]
pub enum Scripted {
    /// Answers with text.
    Text(&'static str),
    /// Lets others go on so many times, then answers with text.
    Late(usize, &'static str),
    /// Answers with text and is cut off at the output limit.
    CutOff(&'static str),
    /// Calls tools: name and argument text.
    Calls(Vec<(&'static str, &'static str)>),
    /// Never answers.
    Hang,
    /// Fails.
    Fail(ModelError),
}

/// A model that plays a script: per task a list of turns; past its end the last turn is repeated.
#[derive(Default)]
pub struct ScriptedModel {
    scripts: HashMap<String, Vec<Scripted>>,
    asked: Mutex<Vec<String>>,
}

impl ScriptedModel {
    /// A model that knows these tasks.
    pub fn new(scripts: impl IntoIterator<Item = (&'static str, Vec<Scripted>)>) -> Self {
        Self { scripts: scripts.into_iter().map(|(t, s)| (t.to_owned(), s)).collect(), ..Self::default() }
    }

    /// Every request so far: task, step, phase, offered tools and the last message.
    pub fn requests(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl ModelAdapter for ScriptedModel {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let at = request.attempt;
        let tools: Vec<&str> = request.tools.iter().map(|t| t.name.as_str()).collect();
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(format!(
            "{}#{} step {} phase {} tools {:?} last {:?}",
            at.task,
            at.repetition,
            at.step,
            at.phase,
            tools,
            request.messages.last()
        ));
        let script = self.scripts.get(at.task);
        let turn = script.and_then(|s| s.get(at.step as usize - 1).or(s.last())).cloned();
        let reply = |content: &str, calls: Vec<RequestedCall>| ModelReply {
            content: content.to_owned(),
            finish: if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls },
            calls,
            usage: Some(Usage { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
            first_token: Some(Duration::from_millis(1)),
            latency: Duration::from_millis(2),
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        };
        match turn.unwrap_or(Scripted::Text("no script")) {
            Scripted::Text(text) => Ok(reply(text, Vec::new())),
            Scripted::Late(turns, text) => {
                for _ in 0..turns {
                    tokio::task::yield_now().await;
                }
                Ok(reply(text, Vec::new()))
            }
            Scripted::CutOff(text) => {
                Ok(ModelReply { finish: FinishReason::Length, ..reply(text, Vec::new()) })
            }
            Scripted::Calls(calls) => {
                let calls = calls.into_iter().enumerate().map(|(i, (name, arguments))| RequestedCall {
                    id: format!("call_{}_{i}", at.step),
                    name: name.to_owned(),
                    arguments: arguments.to_owned(),
                });
                Ok(reply("", calls.collect()))
            }
            Scripted::Hang => std::future::pending().await,
            Scripted::Fail(error) => Err(error),
        }
    }
}

/// Cached responses in memory, by tool and canonical arguments.
#[derive(Default)]
pub struct MemoryCache(pub HashMap<(String, String), Value>);

impl ResponseCache for MemoryCache {
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<Value>, StoreError> {
        Ok(self.0.get(&(tool.to_owned(), args.canonical())).cloned())
    }
}

/// Services that say what they are told to, by tool and canonical arguments, and remember who was asked.
#[derive(Default)]
pub struct ScriptedServices {
    /// The answers; a tool without one never answers.
    pub answers: HashMap<(String, String), Result<Value, ServiceFault>>,
    /// Tools that there is a service for.
    pub tools: Vec<&'static str>,
    /// The calls so far, in order.
    pub asked: Mutex<Vec<String>>,
}

#[async_trait]
impl ToolServices for ScriptedServices {
    async fn call(&self, tool: &str, args: &NormalizedArgs) -> Option<Result<Value, ServiceFault>> {
        if !self.tools.contains(&tool) {
            return None;
        }
        let canonical = args.canonical();
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{tool} {canonical}"));
        match self.answers.get(&(tool.to_owned(), canonical)) {
            Some(answer) => Some(answer.clone()),
            None => std::future::pending().await,
        }
    }
}

/// What the model wrote, and the answer.
pub type SavedResponse = (Map<String, Value>, Value);

/// An overlay in memory; it can be made to refuse.
#[derive(Default)]
pub struct MemoryOverlay {
    /// What was kept, by tool and canonical arguments.
    pub kept: Mutex<HashMap<(String, String), SavedResponse>>,
    /// Whether its disk is full.
    pub full: bool,
}

impl AnswerOverlay for MemoryOverlay {
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<Value>, StoreError> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(kept.get(&(tool.to_owned(), args.canonical())).map(|(_, answer)| answer.clone()))
    }

    fn keep(
        &self,
        tool: &str,
        args: &NormalizedArgs,
        raw: &Map<String, Value>,
        answer: &Value,
    ) -> Result<(), StoreError> {
        if self.full {
            return Err(StoreError("the disk is full".into()));
        }
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert((tool.to_owned(), args.canonical()), (raw.clone(), answer.clone()));
        Ok(())
    }
}

/// What a [`MemoryLog`] has been given.
#[derive(Default, Debug)]
pub struct WrittenFiles {
    /// Journal lines.
    pub journal: Vec<Value>,
    /// Level logs, the last version of each.
    pub levels: BTreeMap<Level, Value>,
    /// The manifest, last version.
    pub manifest: Value,
}

/// A run log in memory, shared with the test. It can be made to fail from a given journal line on.
#[derive(Clone, Default)]
pub struct MemoryLog {
    /// What was written.
    pub written: Arc<Mutex<WrittenFiles>>,
    /// The number of journal lines that still fit; `None` when the disk is endless.
    pub room: Option<usize>,
    /// How long its disk takes to make lines safe; `None` when they are so at once.
    pub sync_takes: Option<Duration>,
}

impl MemoryLog {
    /// The attempts in the journal, in the order in which they ended.
    pub fn attempts(&self) -> Vec<AttemptRecord> {
        self.with(|written| {
            let attempts = written.journal.iter().filter(|line| line["type"] == "attempt");
            let record = |line: &Value| serde_json::from_value(line["record"].clone()).ok();
            attempts.filter_map(record).collect()
        })
    }

    /// Number and calls of each step in the journal.
    pub fn steps(&self) -> Vec<(u32, usize)> {
        self.with(|written| {
            let steps = written.journal.iter().filter(|line| line["type"] == "step");
            let number = |line: &Value| line["step"]["step"].as_u64().unwrap_or_default() as u32;
            let calls = |line: &Value| line["calls"].as_array().map_or(0, Vec::len);
            steps.map(|line| (number(line), calls(line))).collect()
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut WrittenFiles) -> T) -> T {
        act(&mut self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl RunLog for MemoryLog {
    fn append(&mut self, line: &JournalLine) -> Result<LinePlace, StoreError> {
        let room = self.room;
        self.with(|written| {
            if room.is_some_and(|room| written.journal.len() >= room) {
                return Err(StoreError("the disk is full".into()));
            }
            written.journal.push(serde_json::json!(line));
            // Lines are counted here, not bytes.
            Ok(LinePlace { offset: written.journal.len() as u64 - 1, length: 1 })
        })
    }

    fn attempt(&mut self, place: LinePlace) -> Result<AttemptRecord, StoreError> {
        self.with(|written| {
            let line = written.journal.get(place.offset as usize);
            let record = line.and_then(|line| serde_json::from_value(line["record"].clone()).ok());
            record.ok_or_else(|| StoreError("the journal has no attempt there".into()))
        })
    }

    fn write_level(&mut self, level: &Level, log: &Value) -> Result<(), StoreError> {
        self.with(|written| drop(written.levels.insert(level.clone(), log.clone())));
        Ok(())
    }

    fn remove_level(&mut self, level: &Level) -> Result<(), StoreError> {
        self.with(|written| drop(written.levels.remove(level)));
        Ok(())
    }

    fn write_manifest(&mut self, manifest: &RunManifest) -> Result<(), StoreError> {
        self.with(|written| written.manifest = serde_json::json!(manifest));
        Ok(())
    }

    fn sync(&mut self) -> Result<Option<SyncWork>, StoreError> {
        Ok(self.sync_takes.map(|time| -> SyncWork {
            Box::new(move || {
                std::thread::sleep(time);
                Ok(())
            })
        }))
    }
}

/// What a run over a [`MemoryLog`] came to, with its attempts.
pub struct Finished {
    report: RunReport,
    /// The attempts in the journal, by task and repetition.
    pub attempts: Vec<AttemptRecord>,
}

impl Finished {
    /// A report and the attempts in its log.
    pub fn new(report: RunReport, log: &MemoryLog) -> Self {
        let mut attempts = log.attempts();
        attempts.sort_by(|a, b| (&a.task, a.repetition).cmp(&(&b.task, b.repetition)));
        Self { report, attempts }
    }
}

impl std::ops::Deref for Finished {
    type Target = RunReport;

    fn deref(&self) -> &RunReport {
        &self.report
    }
}

/// Keeps every event.
#[derive(Default)]
pub struct EventList(Mutex<Vec<RunEvent>>);

impl EventList {
    /// The events so far.
    pub fn events(&self) -> Vec<RunEvent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl EventSink for EventList {
    fn send(&self, event: &RunEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
    }
}

/// A clock that moves one millisecond each time it is read.
#[derive(Default)]
pub struct StepClock(AtomicU64);

impl Clock for StepClock {
    fn now_ms(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }

    fn local_iso(&self) -> String {
        "2026-01-01T00:00:00.000001".to_owned()
    }
}

/// Asserts a refusal whose sentence has this part in English.
///
/// # Panics
/// When it is none, or another one.
#[track_caller]
pub fn refused<T, E: Display>(result: Result<T, E>, part: &str) {
    let why = result.err().map(|error| error.to_string());
    let why = why.unwrap_or_else(|| panic!("it is not refused: {part}"));
    assert!(why.contains(part), "{why}\ninstead of\n{part}");
}
