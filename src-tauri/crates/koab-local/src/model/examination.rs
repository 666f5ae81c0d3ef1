//! Examination of a loaded model on this machine: its rendered prompt with tools, its speed, and
//! whether its answers are repeatable.
//!
//! All of this is measured, because the weights file alone does not show it.

use super::LocalModel;
use crate::engine::{Answer, EngineError, Finish, Generate};
use crate::tool_text::ToolForm;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::json;
use std::sync::atomic::{AtomicU32, Ordering};

/// Tokens of the prompt whose reading is timed.
const PROMPT_TOKENS: usize = 512;
/// Tokens whose generation is timed.
const ANSWER_TOKENS: u32 = 64;
/// Number of greedy answers that are compared: three one after another, and two at once.
const COMPARED_ANSWERS: u32 = 5;

/// Results of [`LocalModel::examine`].
#[derive(Clone, Debug, PartialEq)]
pub struct Examination {
    /// A conversation with a tool, a call and its result, as the template renders it.
    pub rendered: String,
    /// Whether the template itself writes the tools into the prompt. If not, they are in the system
    /// message.
    pub handles_tools: bool,
    /// Format of the model's tool calls.
    pub form: ToolForm,
    /// Prompt tokens read per second.
    pub prompt_per_second: Option<f64>,
    /// Tokens generated per second, in one conversation alone.
    pub written_per_second: Option<f64>,
    /// Whether a long prompt had bit-identical answers each time, with and without reuse of
    /// computed tokens; `None` if the model generated no text.
    pub is_deterministic: Option<bool>,
    /// Whether two answers that were generated at once were equal too, which engines do not
    /// guarantee; `None` if the model generates one answer at a time.
    pub is_same_together: Option<bool>,
}

impl LocalModel {
    /// Examines the model, which takes seconds, or minutes on a slow machine.
    ///
    /// `answered` is called at the beginning and after each answer with the number of finished
    /// answers and the total. Dropping the future stops the current answer.
    ///
    /// # Errors
    /// When the template refuses a conversation with tools, or the engine fails.
    pub async fn examine(&self, answered: &(dyn Fn(u32, u32) + Sync)) -> Result<Examination, Sentence> {
        let so_far = AtomicU32::new(0);
        let count = || answered(so_far.fetch_add(1, Ordering::Relaxed) + 1, 1 + COMPARED_ANSWERS);
        answered(0, 1 + COMPARED_ANSWERS);
        let (messages, tools) = example();
        let template = self.template();
        let rendered = template.render(&messages, &tools).map_err(|error| error.to_sentence())?;
        let speed = self.speed().await.map_err(|error| error.to_sentence())?;
        count();
        let (is_deterministic, is_same_together) =
            self.says_the_same(&rendered, &count).await.map_err(|error| error.to_sentence())?;
        Ok(Examination {
            rendered,
            handles_tools: template.handles_tools(),
            form: self.form(),
            prompt_per_second: speed.0,
            written_per_second: speed.1,
            is_deterministic,
            is_same_together,
        })
    }

    /// Tokens read and generated per second.
    async fn speed(&self) -> Result<(Option<f64>, Option<f64>), EngineError> {
        let context = self.engine().facts().context_per_sequence as usize;
        let sample = self.parts.tokenizer.encode("도구를 불러 답하세요. Answer with tools. ");
        let length = PROMPT_TOKENS.min(context.saturating_sub(ANSWER_TOKENS as usize));
        let tokens: Vec<u32> = sample.iter().copied().cycle().take(length).collect();
        if tokens.is_empty() {
            return Ok((None, None));
        }
        let read = tokens.len();
        let answer = self
            .engine()
            .generate(Generate { max_tokens: ANSWER_TOKENS, reads_anew: true, ..Generate::new(tokens) })
            .collect()
            .await?;
        let usage = answer.outcome.usage;
        let rate = |tokens: usize, took: Option<std::time::Duration>| {
            let seconds = took?.as_secs_f64();
            (tokens > 0 && seconds > 0.0).then(|| tokens as f64 / seconds)
        };
        Ok((
            rate(read - usage.reused_tokens, usage.prompt),
            // The time is that from the first token to the last.
            rate(usage.generated_tokens.saturating_sub(1), usage.generation),
        ))
    }

    /// Whether equal requests have equal answers: first when they are computed one at a time, then
    /// when two are computed at once. `None` if unknown.
    async fn says_the_same(
        &self,
        prompt: &str,
        count: &(dyn Fn() + Sync),
    ) -> Result<(Option<bool>, Option<bool>), EngineError> {
        let tokens = self.long(&self.parts.tokenizer.encode(prompt));
        let ask = |reads_anew| {
            self.engine().generate(Generate {
                max_tokens: ANSWER_TOKENS,
                stop: self.parts.ends.clone(),
                reads_anew,
                ..Generate::new(tokens.clone())
            })
        };
        let mut alone = Vec::new();
        for reads_anew in [true, false, true] {
            alone.push(ask(reads_anew).collect().await?);
            count();
        }
        let (one, other) = (ask(false), ask(false));
        let (one, other) = tokio::join!(one.collect(), other.collect());
        let mut together = Vec::new();
        for answer in [one, other] {
            together.push(answer?);
            count();
        }
        let said_nothing =
            |answer: &Answer| answer.tokens.is_empty() && answer.outcome.finish != Finish::Stop;
        if alone.iter().chain(&together).all(said_nothing) {
            return Ok((None, None));
        }
        let is_same = alone.iter().all(|answer| bits(answer) == bits(&alone[0]));
        let is_same_together = together.iter().all(|answer| answer.tokens == alone[0].tokens);
        let several = self.engine().facts().parallel > 1;
        Ok((Some(is_same), several.then_some(is_same_together)))
    }

    /// A prompt of [`PROMPT_TOKENS`] tokens that ends with the given one. It must be long, because
    /// only long prompts are reused.
    fn long(&self, prompt: &[u32]) -> Vec<u32> {
        let context = self.engine().facts().context_per_sequence as usize;
        let length = PROMPT_TOKENS.min(context.saturating_sub(ANSWER_TOKENS as usize)).max(prompt.len());
        let mut tokens: Vec<u32> = prompt.iter().rev().copied().cycle().take(length).collect();
        tokens.reverse();
        tokens
    }
}

/// Tokens with the bits of their logits.
fn bits(answer: &Answer) -> Vec<(u32, u32)> {
    let logits = answer.logits.iter().map(|logit| logit.to_bits());
    answer.tokens.iter().copied().zip(logits).collect()
}

/// A conversation that shows how the template renders tools, a call and its result.
fn example() -> (Vec<Message>, Vec<ToolSpec>) {
    let tool = ToolSpec {
        name: "weather".to_owned(),
        description: "도시의 오늘 날씨".to_owned(),
        parameters: json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
    };
    let id = super::call_id(0);
    let messages = vec![
        Message::User("서울 날씨 어때?".to_owned()),
        Message::Assistant {
            content: String::new(),
            calls: vec![RequestedCall {
                id: id.clone(),
                name: tool.name.clone(),
                arguments: r#"{"city": "서울"}"#.to_owned(),
            }],
            opaque: None,
        },
        Message::Tool { call_id: id, content: r#"{"sky": "맑음"}"#.to_owned() },
    ];
    (messages, vec![tool])
}
