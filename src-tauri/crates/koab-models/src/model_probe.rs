//! Tests whether a model calls tools at all.

use crate::{LocalUse, ModelAddress, Models, SpendingCaps};
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolSpec;
use koab_engine::egress::Purpose;
use koab_engine::ports::{AttemptRef, Cancel, Message, ModelRequest, ToolChoice};
use koab_engine::retry::RetryPolicy;
use koab_engine::single_call::{CallError, ask_once};
use koab_workspace::{ErrorCode, WireError};
use serde::Serialize;
use serde_json::json;
use std::time::{Duration, Instant};
use ts_rs::TS;

/// Time limit of the probe's answer. A server that loads the model first takes a while.
const PROBE_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum number of output tokens of the probe, with room for a model that reasons first.
const MAX_OUTPUT_TOKENS: u32 = 1024;

/// Result of a probe, which offers a model one tool and asks a question that needs it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export)]
pub struct ModelProbe {
    /// Whether the model called the tool, with arguments that are a JSON object.
    pub called: bool,
    /// Text of the answer, at most 300 characters.
    pub text: String,
    /// Seconds from request to answer.
    pub seconds: f64,
    /// Tokens of the question and the answer, as the server counted them; `null` if it did not.
    #[ts(type = "number | null")]
    pub tokens: Option<u64>,
}

impl Models {
    /// Tests whether a model calls tools at all: offers it one tool and asks a question that needs
    /// it. It takes some hundred tokens.
    ///
    /// # Errors
    /// When the model cannot be called.
    pub async fn model_probe(&self, id: &str, base_url: Option<&str>) -> Result<ModelProbe, WireError> {
        let ModelAddress { id, base_url } = self.resolve(id, base_url)?;
        let local = LocalUse::default();
        let opened = self.open(&id, base_url.as_deref(), None, &[], local, Purpose::Model).await?;
        let budget = self.gateway_budget(&id, "connection test", &SpendingCaps::default())?;
        let model = self.limited(opened, Some(1), budget);
        let tools = [ToolSpec {
            name: "weather_today".to_owned(),
            description: "Today's weather of a city".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": { "city": { "type": "string" } },
                "required": ["city"],
            }),
        }];
        let messages = [Message::User("오늘 서울 날씨를 도구로 조회해 줘.".to_owned())];
        let began = Instant::now();
        let request = ModelRequest {
            messages: &messages,
            tools: &tools,
            tool_choice: ToolChoice::Auto,
            listener: None,
            temperature: 0.0,
            max_tokens: Some(MAX_OUTPUT_TOKENS),
            effort: None,
            seed: None,
            answer_schema: None,
            given: None,
            attempt: AttemptRef::default(),
        };
        let reply = ask_once(&*model, request, &RetryPolicy::default(), PROBE_TIMEOUT, &Cancel::new())
            .await
            .map_err(|fault| match fault {
                CallError::Model(error) => error.into(),
                other => WireError::new(ErrorCode::ModelUnreachable, other.to_sentence()),
            })?;
        let is_object = |arguments: &str| {
            serde_json::from_str::<serde_json::Value>(arguments).is_ok_and(|value| value.is_object())
        };
        Ok(ModelProbe {
            called: reply.calls.iter().any(|call| call.name == tools[0].name && is_object(&call.arguments)),
            text: reply.content.trim().chars().take(300).collect(),
            seconds: began.elapsed().as_secs_f64(),
            tokens: reply.usage.map(|usage| usage.total_tokens),
        })
    }
}
