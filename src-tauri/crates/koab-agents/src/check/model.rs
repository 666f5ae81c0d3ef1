//! The scripted model of a check.
//!
//! The model calls the task's tool under the name that the agent offers, and answers with one
//! sentence when it has the result. If the tool fails, the model calls the tool a second time
//! before it answers.

use async_trait::async_trait;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{
    FinishReason, Message, ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall, Usage,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Name of the tool of the check's task.
pub(super) const TOOL: &str = "koab_check_value";
/// Final answer of the model.
pub(super) const ANSWER: &str = "점검 결과: 내일 제주의 값은 42입니다.";
/// Final answer of the model if the tool failed.
pub(super) const FAILED: &str = "점검 결과: 도구가 두 번 실패하여 값을 알 수 없습니다.";
/// Number of failing calls that the model requests, one after the other. There are two, because
/// some agents end at the second failing call.
const FAILURES: usize = 2;
/// Maximum number of tool names that are remembered.
const MAX_TOOL_NAMES: usize = 60;

/// Observations of the scripted model about the agent.
#[derive(Clone, Debug, Default)]
pub(super) struct Observation {
    pub(super) offered_as: Option<String>,
    pub(super) at_once: bool,
    pub(super) others: Vec<String>,
    /// Content of the last tool message that the model received.
    pub(super) told: Option<String>,
    asked: u32,
    /// Whether the tool fails, as it does in the second part of the check.
    fails: bool,
}

#[derive(Default)]
pub(super) struct CheckModel(Mutex<Observation>);

impl CheckModel {
    pub(super) fn seen(&self) -> Observation {
        self.state().clone()
    }

    /// Makes the tool fail from now on. The recorded observations stay as they are.
    pub(super) fn begin_failures(&self) {
        self.state().fails = true;
    }

    /// Records the offered tools and the last tool message. Returns whether the tool fails now.
    fn see(&self, tools: &[ToolSpec], told: Option<&String>) -> bool {
        let mut observation = self.state();
        if observation.fails {
            return true;
        }
        observation.asked += 1;
        let is_ours = |tool: &ToolSpec| tool.name.ends_with(TOOL);
        observation.at_once |= observation.asked == 1 && tools.iter().any(is_ours);
        for tool in tools {
            if is_ours(tool) {
                observation.offered_as.get_or_insert_with(|| tool.name.clone());
            } else if observation.others.len() < MAX_TOOL_NAMES && !observation.others.contains(&tool.name) {
                observation.others.push(tool.name.clone());
            }
        }
        if let Some(told) = told {
            observation.told = Some(told.clone());
        }
        false
    }

    fn state(&self) -> MutexGuard<'_, Observation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ModelAdapter for CheckModel {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let ours = request.tools.iter().find(|tool| tool.name.ends_with(TOOL));
        let results = request.messages.iter().filter_map(|message| match message {
            Message::Tool { content, .. } => Some(content),
            _ => None,
        });
        let results: Vec<&String> = results.collect();
        let call_count = results.len();
        let fails = self.see(request.tools, results.last().copied());
        let (calls, answer) = if fails { (FAILURES, FAILED) } else { (1, ANSWER) };
        let call = ours.filter(|_| call_count < calls).map(|tool| RequestedCall {
            id: format!("call_check_{}", call_count + 1),
            name: tool.name.clone(),
            arguments: r#"{"place": "제주"}"#.to_owned(),
        });
        Ok(ModelReply {
            content: if call.is_some() { "" } else { answer }.to_owned(),
            finish: match call {
                Some(_) => FinishReason::ToolCalls,
                None => FinishReason::Stop,
            },
            calls: call.into_iter().collect(),
            usage: Some(Usage { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
            first_token: None,
            latency: Duration::ZERO,
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        })
    }
}
