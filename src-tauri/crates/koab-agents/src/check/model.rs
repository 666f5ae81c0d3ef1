//! The model of a check: it calls the task's tool under whatever name it is offered, and says one sentence once it has the result.

use async_trait::async_trait;
use koab_engine::ports::{
    FinishReason, Message, ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall, Usage,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The tool of the check's task.
pub(super) const TOOL: &str = "koab_check_value";
/// What the model says in the end.
pub(super) const ANSWER: &str = "점검 결과: 내일 제주의 값은 42입니다.";
/// Names of tools that are kept in mind.
const MOST: usize = 60;

/// What it saw.
#[derive(Clone, Debug, Default)]
pub(super) struct Observation {
    pub(super) offered_as: Option<String>,
    pub(super) at_once: bool,
    pub(super) others: Vec<String>,
    asked: u32,
}

#[derive(Default)]
pub(super) struct CheckModel(Mutex<Observation>);

impl CheckModel {
    pub(super) fn seen(&self) -> Observation {
        self.state().clone()
    }

    fn state(&self) -> MutexGuard<'_, Observation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ModelAdapter for CheckModel {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let ours = request.tools.iter().find(|tool| tool.name.ends_with(TOOL));
        let mut seen = self.state();
        seen.asked += 1;
        seen.at_once |= seen.asked == 1 && ours.is_some();
        for tool in request.tools {
            if tool.name.ends_with(TOOL) {
                seen.offered_as.get_or_insert_with(|| tool.name.clone());
            } else if seen.others.len() < MOST && !seen.others.contains(&tool.name) {
                seen.others.push(tool.name.clone());
            }
        }
        drop(seen);
        let has_result = request
            .messages
            .iter()
            .any(|message| matches!(message, Message::Tool { .. }));
        let call = ours.filter(|_| !has_result).map(|tool| RequestedCall {
            id: "call_check_1".to_owned(),
            name: tool.name.clone(),
            arguments: r#"{"place": "제주"}"#.to_owned(),
        });
        Ok(ModelReply {
            content: if call.is_some() { "" } else { ANSWER }.to_owned(),
            finish: match call {
                Some(_) => FinishReason::ToolCalls,
                None => FinishReason::Stop,
            },
            calls: call.into_iter().collect(),
            usage: Some(Usage {
                prompt_tokens: 10,
                completion_tokens: 5,
                total_tokens: 15,
            }),
            first_token: None,
            latency: Duration::ZERO,
            opaque: None,
            left_out: None,
            message: None,
        })
    }
}
