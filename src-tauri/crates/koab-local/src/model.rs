//! A local model as the engine's [`ModelAdapter`]: conversation in, text and tool calls out.
//!
//! The conversation is shortened to fit, rendered by the chat template and continued by llama.cpp;
//! then the tool calls are parsed from the text. The caller chooses the files to load.

mod examination;
mod files;

pub use examination::Examination;
pub use files::ModelFiles;

use crate::chat_template::ChatTemplate;
use crate::engine::{Device, Engine, Finish, Generate, LoadError, LoadSpec};
use crate::fitting::{FitError, Fitted, fit};
use crate::grammar::{self, Grammar, GrammarError};
use crate::texts::{TextFiles, Texts, TextsError};
use crate::tokenizer::Tokenizer;
use crate::tool_text::{self, ToolForm};
use async_trait::async_trait;
use koab_core::run_record::LeftOut;
use koab_core::sentence::ToSentence;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{
    FinishReason, Message, ModelAdapter, ModelError, ModelReply, ModelRequest, OPEN_END, RequestedCall, Usage,
};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Share of the probability mass for sampling when the temperature is above 0; the same value as in
/// the published code of Ko-AgentBench.
const TOP_P: f32 = 0.9;

/// Default context of one conversation in tokens, if the model was trained for that much.
pub const USUAL_CONTEXT: u32 = 16_384;

/// Options of a local model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelOptions {
    /// Device that computes.
    pub device: Device,
    /// Tokens of context of one conversation. `None` means the trained context, at most
    /// [`USUAL_CONTEXT`].
    pub context: Option<u32>,
    /// Number of conversations at once.
    pub parallel: u32,
    /// Number of threads; `None` means one per core.
    pub threads: Option<u32>,
    /// Markup of tool calls; `None` means the markup that the chat template shows. Calls are parsed
    /// only in that markup, as a server of the model does; `Auto` accepts every known markup.
    pub form: Option<ToolForm>,
    /// Whether a grammar constrains tool calls to the tools' schemas. It is never used for
    /// published runs.
    pub constrained: bool,
}

/// Reason why a model cannot be used.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum OpenModelError {
    /// The model cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The tokenizer or chat template cannot be used.
    #[error(transparent)]
    Texts(#[from] TextsError),
}

/// A loaded model.
pub struct LocalModel {
    engine: Engine,
    parts: Arc<Parts>,
}

/// Parts that convert conversations to tokens and back. They are shared, because blocking threads
/// do this work.
struct Parts {
    tokenizer: Tokenizer,
    template: ChatTemplate,
    /// Tokens that end an answer, in addition to those that the model's file names.
    ends: Vec<u32>,
    form: ToolForm,
    constrained: bool,
    context: u32,
}

impl LocalModel {
    /// Loads a model. This blocks and takes seconds.
    ///
    /// # Errors
    /// One sentence about the fault of the files, or what this machine lacks.
    pub fn open(files: &ModelFiles, options: &ModelOptions) -> Result<Self, OpenModelError> {
        let texts = TextFiles::read(files)?;
        let engine = Engine::load(&LoadSpec {
            path: files.weights.clone(),
            device: options.device,
            context_per_sequence: options.context.unwrap_or(USUAL_CONTEXT),
            parallel: options.parallel,
            threads: options.threads,
        })?;
        let Texts { tokenizer, template, ends } = texts.with(&engine)?;
        let form = options.form.unwrap_or_else(|| template.tool_form());
        let context = engine.facts().context_per_sequence;
        Ok(Self {
            engine,
            parts: Arc::new(Parts {
                tokenizer,
                // The date is fixed at load time: a date that changes at midnight would prevent the
                // reuse of equal beginnings of prompts.
                template: template.at(jiff::Zoned::now().datetime()),
                ends,
                form,
                constrained: options.constrained,
                context,
            }),
        })
    }

    /// The engine of the loaded model, for its facts.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Markup of the tool calls that the model writes.
    pub fn form(&self) -> ToolForm {
        self.parts.form
    }

    /// The chat template in use.
    pub fn template(&self) -> &ChatTemplate {
        &self.parts.template
    }

    /// Number of tokens in a text, as the model counts them.
    pub fn count(&self, text: &str) -> usize {
        self.parts.tokenizer.encode(text).len()
    }
}

/// A prompt, what was left out of it, and the grammar of its answer.
struct Prompt {
    tokens: Vec<u32>,
    left_out: Option<LeftOut>,
    grammar: Option<Grammar>,
}

impl Parts {
    /// Maximum tokens of an answer without a limit of its own. Without a maximum it might never
    /// end, and the prompt needs room in the context too.
    fn own_limit(&self) -> u32 {
        OPEN_END.min(self.context / 2)
    }

    fn prompt(
        &self,
        messages: &[Message],
        tools: &[ToolSpec],
        max_tokens: u32,
        answer_schema: Option<&Value>,
    ) -> Result<Prompt, PromptError> {
        let room = self.context.saturating_sub(max_tokens);
        if room == 0 {
            return Err(PromptError::NoRoom { context: self.context, max_tokens });
        }
        // Usually the first prompt fits; its tokens are then reused.
        let last = RefCell::new((String::new(), Vec::new()));
        let count = |text: &str| {
            let tokens = self.tokenizer.encode(text);
            let length = tokens.len();
            *last.borrow_mut() = (text.to_owned(), tokens);
            length
        };
        let Fitted { prompt, dropped, dropped_exchanges, .. } =
            fit(messages, tools, &self.template, &count, room as usize)?;
        let left_out = (!dropped.is_empty() || dropped_exchanges > 0).then_some(LeftOut {
            tool_results: dropped.len() as u32,
            exchanges: dropped_exchanges as u32,
            room,
        });
        let grammar = match answer_schema {
            Some(schema) => Some(grammar::of_schema(schema)?),
            None if self.constrained && !tools.is_empty() => Some(grammar::of_tools(self.form, tools)?),
            None => None,
        };
        let (counted, tokens) = last.into_inner();
        Ok(Prompt {
            tokens: if counted == prompt { tokens } else { self.tokenizer.encode(&prompt) },
            left_out,
            grammar,
        })
    }
}

/// Reason why a conversation cannot be given to the model.
#[derive(Debug, thiserror::Error, koab_core::Say)]
enum PromptError {
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    #[error(
        "the model's context of {context} tokens has no room for a prompt and an answer of {max_tokens}; choose a larger --context or a smaller --max-tokens"
    )]
    NoRoom { context: u32, max_tokens: u32 },
}

#[async_trait]
impl ModelAdapter for LocalModel {
    fn own_limit(&self) -> Option<u32> {
        Some(self.parts.own_limit())
    }

    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let start = Instant::now();
        let parts = Arc::clone(&self.parts);
        let (messages, tools) = (request.messages.to_vec(), request.tools.to_vec());
        let max_tokens = request.max_tokens.unwrap_or_else(|| self.parts.own_limit());
        let schema = request.answer_schema.map(|(_, schema)| schema.clone());
        // Templates and tokenizers take milliseconds, which must not block the threads that drive
        // runs.
        let prompt =
            tokio::task::spawn_blocking(move || parts.prompt(&messages, &tools, max_tokens, schema.as_ref()))
                .await
                .map_err(|error| ModelError::Embedded(error.to_string().into()))?
                .map_err(|error| failed(&error))?;
        let prompt_tokens = prompt.tokens.len() as u64;
        let mut generation = self.engine.generate(Generate {
            tokens: prompt.tokens,
            max_tokens,
            temperature: request.temperature as f32,
            top_p: TOP_P,
            seed: request.seed.unwrap_or_else(any_seed),
            grammar: prompt.grammar,
            stop: self.parts.ends.clone(),
            reads_anew: false,
        });
        let mut first_token: Option<Duration> = None;
        let mut tokens = Vec::new();
        while let Some(token) = generation.next().await {
            let token = token.map_err(|error| failed(&error))?;
            first_token.get_or_insert_with(|| start.elapsed());
            tokens.push(token.id);
        }
        let finish = generation.outcome().map(|outcome| outcome.finish);
        let completion_tokens = tokens.len() as u64;
        let text = self.parts.tokenizer.decode(&tokens);
        let read = tool_text::read(&text, self.parts.form, request.tools);
        let is_taken_apart = !read.calls.is_empty() || read.reasoning.is_some();
        let earlier = calls_in(request.messages);
        let calls: Vec<RequestedCall> = read
            .calls
            .into_iter()
            .enumerate()
            .map(|(place, call)| RequestedCall {
                id: call_id(earlier + place),
                name: call.name,
                arguments: call.arguments,
            })
            .collect();
        Ok(ModelReply {
            content: read.content,
            finish: match finish {
                Some(Finish::Length | Finish::ContextFull) => FinishReason::Length,
                _ if calls.is_empty() => FinishReason::Stop,
                _ => FinishReason::ToolCalls,
            },
            calls,
            usage: Some(Usage {
                prompt_tokens,
                completion_tokens,
                total_tokens: prompt_tokens + completion_tokens,
            }),
            first_token,
            latency: start.elapsed(),
            // Templates of reasoning models show them the reasoning before their calls, until the
            // next question.
            opaque: read.reasoning.map(|thought| Arc::new(json!({ "reasoning_content": thought }))),
            left_out: prompt.left_out,
            written: is_taken_apart.then_some(text),
            message: None,
        })
    }
}

fn failed(error: &impl ToSentence) -> ModelError {
    ModelError::Embedded(error.to_sentence())
}

/// A random seed, for requests without one.
fn any_seed() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(())
}

/// Number of calls in a conversation.
fn calls_in(messages: &[Message]) -> usize {
    messages
        .iter()
        .map(|message| match message {
            Message::Assistant { calls, .. } => calls.len(),
            _ => 0,
        })
        .sum()
}

/// A call id that is unique in the conversation. It has nine letters and digits, the only length
/// that Mistral's templates accept.
fn call_id(place: usize) -> String {
    format!("call{place:05}")
}
