//! Tasks of other benchmarks. A task is one request with one reply, and no tool is executed.

use super::Task;
use crate::level::Level;
use serde_json::{Map, Value};

/// The request to the model, exactly as it is sent, in the form of OpenAI's Chat Completions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskRequest<'a> {
    /// Messages of the request.
    pub messages: &'a [Value],
    /// Tools that the model is offered.
    pub tools: &'a [Value],
}

/// The parts of a task of another benchmark.
#[derive(Clone, Debug)]
pub struct RequestTask {
    /// Id in the benchmark.
    pub id: String,
    /// Group of the task.
    pub group: Level,
    /// Messages of the request.
    pub messages: Vec<Value>,
    /// Tools that the model is offered.
    pub tools: Vec<Value>,
    /// Data that the scoring of the benchmark needs.
    pub source: Value,
}

impl From<RequestTask> for Task {
    fn from(made: RequestTask) -> Self {
        let asks = made.messages.iter().rev().find(|message| message["role"] == "user");
        let instruction = asks.and_then(|message| message["content"].as_str()).unwrap_or_default();
        let mut raw = Map::new();
        raw.insert("task_id".to_owned(), made.id.as_str().into());
        raw.insert("instruction".to_owned(), instruction.into());
        raw.insert("messages".to_owned(), made.messages.into());
        raw.insert("tools".to_owned(), made.tools.into());
        raw.insert("source".to_owned(), made.source);
        Self { id: made.id, level: made.group, raw }
    }
}

impl Task {
    /// The request of a task of another benchmark. `None` for a task of Ko-AgentBench, even if it
    /// has such fields.
    pub fn request(&self) -> Option<TaskRequest<'_>> {
        let list = |name: &str| self.raw.get(name).and_then(Value::as_array).map(Vec::as_slice);
        (self.level.place().is_none()).then(|| TaskRequest {
            messages: list("messages").unwrap_or_default(),
            tools: list("tools").unwrap_or_default(),
        })
    }
}
