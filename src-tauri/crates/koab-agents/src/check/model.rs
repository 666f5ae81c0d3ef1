//! The model of a check: it calls the task's tool under whatever name it is offered, and says one
//! sentence once it has the result; where the tool is to fail, it asks once more before.

use async_trait::async_trait;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{
    FinishReason, Message, ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall, Usage,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The tool of the check's task.
pub(super) const TOOL: &str = "koab_check_value";
/// What the model says in the end.
pub(super) const ANSWER: &str = "점검 결과: 내일 제주의 값은 42입니다.";
/// The same where the tool failed.
pub(super) const FAILED: &str = "점검 결과: 도구가 두 번 실패하여 값을 알 수 없습니다.";
/// Failed calls that it asks for, one after the other: some agents end at the second.
const FAILURES: usize = 2;
/// Names of tools that are kept in mind.
const MOST: usize = 60;

/// What it saw.
#[derive(Clone, Debug, Default)]
pub(super) struct Observation {
    pub(super) offered_as: Option<String>,
    pub(super) at_once: bool,
    pub(super) others: Vec<String>,
    /// What it was told last in the place of a tool's answer.
    pub(super) told: Option<String>,
    asked: u32,
    /// Whether the tool fails by now.
    fails: bool,
}

#[derive(Default)]
pub(super) struct CheckModel(Mutex<Observation>);

impl CheckModel {
    pub(super) fn seen(&self) -> Observation {
        self.state().clone()
    }

    /// From here on the tool fails. What was seen stays as it is.
    pub(super) fn begin_failures(&self) {
        self.state().fails = true;
    }

    /// Keeps in mind what it is offered and told. Says whether the tool fails by now.
    fn see(&self, tools: &[ToolSpec], told: Option<&String>) -> bool {
        let mut seen = self.state();
        if seen.fails {
            return true;
        }
        seen.asked += 1;
        let is_ours = |tool: &ToolSpec| tool.name.ends_with(TOOL);
        seen.at_once |= seen.asked == 1 && tools.iter().any(is_ours);
        for tool in tools {
            if is_ours(tool) {
                seen.offered_as.get_or_insert_with(|| tool.name.clone());
            } else if seen.others.len() < MOST && !seen.others.contains(&tool.name) {
                seen.others.push(tool.name.clone());
            }
        }
        if let Some(told) = told {
            seen.told = Some(told.clone());
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
        let made = results.len();
        let fails = self.see(request.tools, results.last().copied());
        let (calls, answer) = match fails {
            true => (FAILURES, FAILED),
            false => (1, ANSWER),
        };
        let call = ours.filter(|_| made < calls).map(|tool| RequestedCall {
            id: format!("call_check_{}", made + 1),
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
