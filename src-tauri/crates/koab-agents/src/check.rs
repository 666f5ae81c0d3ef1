//! Whether an agent's calls really arrive: it is given one small task of its own and a model that is scripted, without a key.

mod model;

use crate::check_result::AgentCheck;
use crate::definition::Definition;
use crate::isolation::Isolation;
use crate::run::RunAgent;
use koab_core::args::NormalizedArgs;
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunEvent;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::{AttemptRecord, JournalLine, LinePlace, RunManifest, RunSpec};
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_core::tool::ToolSpec;
use koab_core::{say, task};
use koab_engine::ports::{Cancel, EventSink, Pause, ResponseCache, RunLog, StoreError};
use koab_engine::{RunInput, RunPorts, run};
use koab_scenarios::gateway::RunModel;
use koab_workspace::WireError;
use koab_workspace::clock::SystemClock;
use model::{ANSWER, CheckModel, TOOL};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What the agent is asked.
const PROMPT: &str = "내일 제주의 점검용 값을 도구로 조회해서 알려줘.";
/// Seconds that it may take.
const TIME: f64 = 120.0;

/// Checks an agent where its runs would be made.
///
/// # Errors
/// When the check itself cannot be made.
pub async fn check(definition: &Definition, isolation: Isolation) -> Result<AgentCheck, WireError> {
    if definition.is_by_hand() {
        return Err(WireError::bad_request(say!(
            "{} is used by hand, which no check can do; make a run of one task instead",
            definition.name
        )));
    }
    let version = isolation.version(definition).await?;
    let contained = isolation.is_contained();
    let model = Arc::new(CheckModel::default());
    let served = RunModel {
        id: "check/scripted".to_owned(),
        model: Arc::clone(&model) as Arc<_>,
        price: None,
        max_tokens: 4096,
    };
    let folder = tempfile::tempdir().map_err(WireError::storage)?;
    let agent = Arc::new(RunAgent::begin(definition.clone(), isolation, served, Some(folder.path())).await?);
    let spec = RunSpec {
        protocol: Protocol::Corrected,
        timeout_s: TIME.min(definition.timeout_s),
        ..RunSpec::published("check", "check@1", "check/scripted")
    };
    let log = OneRecord::default();
    let begun = Instant::now();
    let report = run(
        RunInput::new(spec, tasks(), ToolCatalog::new([tool()])),
        RunPorts {
            model: Arc::clone(&model) as Arc<_>,
            agent: Some(Arc::clone(&agent) as Arc<_>),
            cache: Arc::new(OneAnswer),
            live: None,
            log: Some(Box::new(log.clone())),
            sink: Arc::new(NoSink),
            clock: Arc::new(SystemClock),
            pause: Pause::default(),
            folder: None,
        },
        Cancel::new(),
    )
    .await;
    let seconds = begun.elapsed().as_secs_f64();
    let record = log.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(record) = record else {
        let why = report.reason.unwrap_or_default();
        return Err(WireError::bad_request(say!(
            "{} cannot be checked: {why}",
            definition.name
        )));
    };
    let wire = crate::run::forms(folder.path())?.into_iter().next();
    let seen = model.seen();
    let facts = record.agent.clone().unwrap_or_default();
    let mut checked = AgentCheck {
        name: definition.name.clone(),
        version,
        definition: definition.hash(),
        contained,
        passed: false,
        startup_s: facts.startup_s,
        seconds,
        wire,
        offered_as: seen.offered_as,
        offered_at_once: seen.at_once,
        own_tools: seen.others,
        call_arrived: record.calls.iter().any(|call| call.tool == TOOL && call.success),
        answer_equal: record.final_response.as_deref() == Some(ANSWER),
        side_calls: facts.side_calls,
        outlived: crate::run::outlived(folder.path()),
        hosts_asked_for: agent.hosts_asked_for(),
        traps: Vec::new(),
    };
    checked.traps = traps(definition, &checked, &record);
    checked.passed = checked.call_arrived && checked.answer_equal;
    Ok(checked)
}

/// What is wrong, in sentences that say what helps.
fn traps(definition: &Definition, checked: &AgentCheck, record: &AttemptRecord) -> Vec<Sentence> {
    let mut traps = Vec::new();
    let facts = record.agent.clone().unwrap_or_default();
    let error = record.error.clone();
    if facts.model_calls == 0 {
        traps.push(say!(
            "it never called the model: look at the address and the key that its settings name"
        ));
    } else if checked.offered_as.is_none() && checked.own_tools.iter().any(|name| name.contains("search")) {
        traps.push(say!(
            "it does not offer the task's tools at once but a search for them: give the model a name that it does not know, or switch its tool search off"
        ));
    } else if checked.offered_as.is_none() {
        traps.push(say!(
            "it does not offer the task's tools to its model: look at the MCP server in its settings"
        ));
    } else if !checked.call_arrived && facts.unmade > 0 {
        traps.push(say!(
            "the model asked for the call and the agent did not make it: look for an approval mode that asks somebody, for tools that have to be allowed, and for arguments that it demands although they are optional"
        ));
    }
    if checked.call_arrived && !checked.answer_equal {
        match &record.final_response {
            Some(answer) => {
                let start: String = answer.chars().take(200).collect();
                traps.push(say!("its answer is not what the model said: {start}"));
            }
            None => traps.push(say!("no answer was found where the definition looks for it")),
        }
    }
    if facts.changed > 0 {
        traps.push(say!("it changes the arguments of calls on their way"));
    }
    if let Some(verified) = &definition.verified
        && checked
            .version
            .as_ref()
            .is_some_and(|version| version != verified)
    {
        traps.push(say!(
            "the definition was tried with version {verified}; this is another one"
        ));
    }
    traps.extend(error.filter(|_| !checked.answer_equal));
    traps
}

fn tool() -> ToolSpec {
    ToolSpec {
        name: TOOL.to_owned(),
        description: "Returns the value of a place on a day. Nothing else knows it.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "place": {"type": "string", "description": "The place"},
                "day": {"type": "string", "description": "The day", "default": "today"},
            },
            "required": ["place"],
        }),
    }
}

fn tasks() -> Vec<Task> {
    let tasks = json!([{
        "task_id": "CHECK-1", "instruction": PROMPT, "task_level": 1, "task_category": "check",
        "golden_action": [{"tool": TOOL, "args": {"place": "제주"}}],
        "resp_schema": {"type": "string"},
    }]);
    task::parse_level(Level::L1, &tasks).0
}

/// Knows one answer.
struct OneAnswer;

impl ResponseCache for OneAnswer {
    fn lookup(&self, _tool: &str, _args: &NormalizedArgs) -> Result<Option<Value>, StoreError> {
        Ok(Some(json!({"value": 42, "unit": "koab"})))
    }
}

/// Keeps the one attempt.
#[derive(Clone, Default)]
struct OneRecord(Arc<Mutex<Option<AttemptRecord>>>);

impl RunLog for OneRecord {
    fn append(&mut self, line: &JournalLine) -> Result<LinePlace, StoreError> {
        if let JournalLine::Attempt { record } = line {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(record.clone());
        }
        Ok(LinePlace::default())
    }

    fn attempt(&mut self, _place: LinePlace) -> Result<AttemptRecord, StoreError> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.ok_or_else(|| StoreError(say!("nothing is kept")))
    }

    fn wants_levels(&self) -> bool {
        false
    }

    fn write_level(&mut self, _level: Level, _log: &Value) -> Result<(), StoreError> {
        Ok(())
    }

    fn write_manifest(&mut self, _manifest: &RunManifest) -> Result<(), StoreError> {
        Ok(())
    }
}

struct NoSink;

impl EventSink for NoSink {
    fn send(&self, _event: &RunEvent) {}
}
