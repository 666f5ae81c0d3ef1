//! Checks whether an agent's calls arrive at the task's tool. The check uses a small task and a
//! scripted model that needs no key.

mod model;
mod traps;

use crate::attempt_file::attempt_file;
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
use koab_engine::ports::{Cancel, ChangeInbox, EventSink, Pause, ResponseCache, RunLog, StoreError};
use koab_engine::{RunInput, RunPorts, run};
use koab_gateway::RunModel;
use koab_workspace::WireError;
use koab_workspace::clock::SystemClock;
use model::{ANSWER, CheckModel, TOOL};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Prompt of the check.
const PROMPT: &str = "내일 제주의 점검용 값을 도구로 조회해서 알려줘.";
/// Id of the check's task whose tool answers.
const ANSWERS: &str = "CHECK-1";
/// Id of the check's task whose tool fails.
const FAILS: &str = "CHECK-2";
/// Time limit of the task whose tool answers, in seconds.
const ANSWERS_TIMEOUT_S: f64 = 120.0;
/// Time limit of the task whose tool fails, in seconds.
const FAILS_TIMEOUT_S: f64 = 60.0;

/// Checks an agent in the same environment as its runs, which is a container or this computer.
///
/// # Errors
/// When the check cannot be performed.
pub async fn check(definition: &Definition, isolation: Isolation) -> Result<AgentCheck, WireError> {
    if definition.is_by_hand() {
        return Err(WireError::bad_request(say!(
            "{} is used by hand, so it cannot be checked; make a run of one task instead",
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
    let mut spec = RunSpec::published("check", "check@1", "check/scripted");
    spec.settings.protocol = Protocol::Corrected;
    spec.settings.timeout_s = ANSWERS_TIMEOUT_S.min(definition.timeout_s);
    let start = Instant::now();
    let record = attempt(&spec, answering(), &model, &agent)
        .await
        .map_err(|why| WireError::bad_request(say!("{} cannot be checked: {why}", definition.name)))?;
    let wire = crate::run::forms(folder.path())?.into_iter().next();
    let observation = model.seen();
    let facts = record.agent.clone().unwrap_or_default();
    let mut checked = AgentCheck {
        name: definition.name.clone(),
        version,
        definition: definition.hash(),
        contained,
        passed: false,
        startup_s: facts.startup_s,
        seconds: 0.0,
        wire,
        offered_as: observation.offered_as.clone(),
        offered_at_once: observation.at_once,
        own_tools: observation.others.clone(),
        call_arrived: record.calls.iter().any(|call| call.tool == TOOL && call.success),
        answer_equal: record.final_response.as_deref() == Some(ANSWER),
        goes_on_after_error: None,
        side_calls: facts.side_calls,
        outlived: false,
        hosts_asked_for: Vec::new(),
        traps: Vec::new(),
    };
    let file = attempt_file(folder.path(), ANSWERS, 1).unwrap_or_default();
    checked.traps = traps::of_call(definition, &checked, &record, &observation, file.tools_listed);
    checked.passed = checked.call_arrived && checked.answer_equal;
    if checked.passed {
        model.begin_failures();
        spec.settings.timeout_s = FAILS_TIMEOUT_S.min(definition.timeout_s);
        match attempt(&spec, failing(), &model, &agent).await {
            Ok(record) => {
                let (goes_on, more) = traps::of_failures(&record);
                checked.goes_on_after_error = Some(goes_on);
                checked.traps.extend(more);
            }
            Err(why) => checked.traps.push(why),
        }
    }
    checked.seconds = start.elapsed().as_secs_f64();
    checked.outlived = crate::run::outlived(folder.path());
    checked.hosts_asked_for = agent.hosts_asked_for();
    Ok(checked)
}

/// Makes an attempt at one task of the check.
///
/// # Errors
/// When the attempt has no record, with the reason.
async fn attempt(
    spec: &RunSpec,
    tasks: Vec<Task>,
    model: &Arc<CheckModel>,
    agent: &Arc<RunAgent>,
) -> Result<AttemptRecord, Sentence> {
    let log = OneRecord::default();
    let report = run(
        RunInput::new(spec.clone(), tasks, ToolCatalog::new([tool()])),
        RunPorts {
            model: Arc::clone(model) as Arc<_>,
            agent: Some(Arc::clone(agent) as Arc<_>),
            cache: Arc::new(OneAnswer),
            live: None,
            log: Some(Box::new(log.clone())),
            sink: Arc::new(NoSink),
            clock: Arc::new(SystemClock),
            pause: Pause::default(),
            changes: ChangeInbox::default(),
            folder: None,
        },
        Cancel::new(),
    )
    .await;
    let record = log.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    record.ok_or_else(|| report.reason.unwrap_or_default())
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

/// Task of the check whose tool answers.
fn answering() -> Vec<Task> {
    let tasks = json!([{
        "task_id": ANSWERS, "instruction": PROMPT, "task_level": 1, "task_category": "check",
        "golden_action": [{"tool": TOOL, "args": {"place": "제주"}}],
        "resp_schema": {"type": "string"},
    }]);
    task::parse_level(&Level::L1, &tasks).0
}

/// Task of the check whose tool fails, as in L5.
fn failing() -> Vec<Task> {
    let tasks = json!([{
        "task_id": FAILS, "instruction": PROMPT, "task_level": 5, "task_category": "check",
        "golden_action": [{"tool": TOOL, "args": {"place": "제주"}}],
        "error_injection": {"tool": TOOL, "error_type": "timeout"},
        "resp_schema": {"type": "string"},
    }]);
    task::parse_level(&Level::L5, &tasks).0
}

/// A cache that has one response for all calls.
struct OneAnswer;

impl ResponseCache for OneAnswer {
    fn lookup(&self, _tool: &str, _args: &NormalizedArgs) -> Result<Option<Value>, StoreError> {
        Ok(Some(json!({"value": 42, "unit": "koab"})))
    }
}

/// A log that keeps only the record of the attempt.
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
        let record = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        record.ok_or_else(|| StoreError(say!("no attempt is recorded")))
    }

    fn wants_levels(&self) -> bool {
        false
    }

    fn write_level(&mut self, _level: &Level, _log: &Value) -> Result<(), StoreError> {
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

#[cfg(test)]
mod tests;
