//! What a loaded model can do on this machine: its prompt with tools as it stands, its speed, and
//! whether it says the same twice. Measured, never guessed; reading a file of weights tells none of
//! it.

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
const PROMPT: usize = 512;
/// Tokens whose writing is timed.
const WRITTEN: u32 = 64;
/// Greedy answers that are compared: one after another, and two at once.
const RUNS: u32 = 5;

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Examination {
    /// A conversation with a tool, a call and its result, as the template writes it.
    pub rendered: String,
    /// Whether the template itself tells the model its tools. If not, they stand in the system
    /// message.
    pub handles_tools: bool,
    /// The form in which the model writes its calls.
    pub form: ToolForm,
    /// Tokens of a prompt read in a second.
    pub prompt_per_second: Option<f64>,
    /// Tokens written in a second, one conversation alone.
    pub written_per_second: Option<f64>,
    /// Whether equal long prompts, read anew and reused, had the same answer to the bit, one at a
    /// time; `None` when the model said nothing.
    pub is_deterministic: Option<bool>,
    /// Whether the answer was the same for two at once, which is not promised; `None` where one is
    /// answered at a time.
    pub is_same_together: Option<bool>,
}

impl LocalModel {
    /// Examines the model; takes seconds, or minutes on a slow machine. `answered` hears at the
    /// beginning and after each of its answers how many there are, and of how many. Dropped, it
    /// stops the answer under way.
    ///
    /// # Errors
    /// When the template refuses a conversation with tools, or the engine fails.
    pub async fn examine(&self, answered: &(dyn Fn(u32, u32) + Sync)) -> Result<Examination, Sentence> {
        let so_far = AtomicU32::new(0);
        let count = || answered(so_far.fetch_add(1, Ordering::Relaxed) + 1, 1 + RUNS);
        answered(0, 1 + RUNS);
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

    /// Tokens read and written in a second.
    async fn speed(&self) -> Result<(Option<f64>, Option<f64>), EngineError> {
        let context = self.engine().facts().context_per_sequence as usize;
        let known = self.parts.tokenizer.encode("도구를 불러 답하세요. Answer with tools. ");
        let length = PROMPT.min(context.saturating_sub(WRITTEN as usize));
        let tokens: Vec<u32> = known.iter().copied().cycle().take(length).collect();
        if tokens.is_empty() {
            return Ok((None, None));
        }
        let read = tokens.len();
        let answer = self
            .engine()
            .generate(Generate { max_tokens: WRITTEN, reads_anew: true, ..Generate::new(tokens) })
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

    /// Whether equal requests have equal answers: one at a time, and two at once.
    async fn says_the_same(
        &self,
        prompt: &str,
        count: &(dyn Fn() + Sync),
    ) -> Result<(Option<bool>, Option<bool>), EngineError> {
        let tokens = self.long(&self.parts.tokenizer.encode(prompt));
        let ask = |reads_anew| {
            self.engine().generate(Generate {
                max_tokens: WRITTEN,
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

    /// A prompt of [`PROMPT`] tokens that ends as this one: what is used again shows in long ones.
    fn long(&self, prompt: &[u32]) -> Vec<u32> {
        let context = self.engine().facts().context_per_sequence as usize;
        let length = PROMPT.min(context.saturating_sub(WRITTEN as usize)).max(prompt.len());
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

/// A conversation that shows how tools, a call and its result are written.
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
