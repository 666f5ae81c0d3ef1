//! Requests to an engine, and the answer as it is generated.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;

use super::error::EngineError;
use crate::grammar::Grammar;

/// A text to continue.
#[derive(Clone, Debug)]
pub struct Generate {
    /// Tokens of the prompt.
    pub tokens: Vec<u32>,
    /// Maximum number of tokens of the answer.
    pub max_tokens: u32,
    /// Sampling temperature; 0 always takes the likeliest token.
    pub temperature: f32,
    /// Share of the probability mass, after temperature, that the likeliest tokens are sampled
    /// from; 1 keeps all tokens.
    pub top_p: f32,
    /// Seed of the random numbers. The same seed and request give the same text, see
    /// [`Engine`](super::Engine).
    pub seed: u64,
    /// Grammar that constrains the answer.
    pub grammar: Option<Grammar>,
    /// Tokens that end the answer, in addition to those that the model file names.
    pub stop: Vec<u32>,
    /// Whether the whole prompt is computed, including parts that are in memory already. The answer
    /// is the same, but comes later.
    pub reads_anew: bool,
}

impl Generate {
    /// A greedy continuation of at most 512 tokens.
    #[must_use]
    pub fn new(tokens: Vec<u32>) -> Self {
        Self {
            tokens,
            max_tokens: 512,
            temperature: 0.0,
            top_p: 0.9,
            seed: 0,
            grammar: None,
            stop: Vec::new(),
            reads_anew: false,
        }
    }
}

/// A token of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Token id in the model's vocabulary.
    pub id: u32,
    /// Logit of the token, before temperature. Equal requests have equal logits, see
    /// [`Engine`](super::Engine).
    pub logit: f32,
    /// Text of the token as bytes. A syllable may begin in one token and end in the next.
    pub bytes: Vec<u8>,
}

/// Reason why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// The model wrote a stop token, which is not part of the answer.
    Stop,
    /// The answer reached the maximum number of tokens.
    Length,
    /// The prompt and the answer so far fill the model's context.
    ContextFull,
    /// The caller cancelled the answer.
    Cancelled,
}

/// Tokens and times of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens of the prompt that were in memory from earlier requests.
    pub reused_tokens: usize,
    /// Tokens of the answer, without the stop token.
    pub generated_tokens: usize,
    /// Time from the request to the start of its prompt, while other requests were computed.
    pub waited: Duration,
    /// Time from the start of the prompt to the first token; `None` if there was no token.
    pub prompt: Option<Duration>,
    /// Time from the first token to the last; `None` if there was no token.
    pub generation: Option<Duration>,
}

impl Usage {
    /// Time from the request to the first token; `None` if there was no token.
    #[must_use]
    pub fn first_token(&self) -> Option<Duration> {
        Some(self.waited + self.prompt?)
    }
}

/// End of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Reason of the end.
    pub finish: Finish,
    /// Token that ended the answer, for [`Finish::Stop`].
    pub stopped_by: Option<u32>,
    /// Tokens and times of the answer.
    pub usage: Usage,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Tokens of the answer.
    pub tokens: Vec<u32>,
    /// Logit of each token.
    pub logits: Vec<f32>,
    /// Bytes of all tokens, one after another.
    pub bytes: Vec<u8>,
    /// End of the answer.
    pub outcome: Outcome,
}

/// Message of the engine's thread about a request.
#[derive(Debug)]
pub(super) enum Event {
    Token(Token),
    Done(Outcome),
    Failed(EngineError),
}

/// Flags that the caller and the engine share for one request. Each side writes one flag and then
/// reads the other's, so at least one side detects that the computation must be interrupted.
#[derive(Debug, Default)]
pub(super) struct Ticket {
    /// Set by the caller.
    cancelled: AtomicBool,
    /// Set by the engine while it computes this request; a cancellation then has to interrupt it.
    computing: AtomicBool,
}

impl Ticket {
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    pub(super) fn computing(&self, now: bool) {
        self.computing.store(now, Ordering::SeqCst);
    }
}

/// An answer while it is generated. Dropping it cancels the rest within one token, even while its
/// prompt is processed.
#[derive(Debug)]
pub struct Generation {
    pub(super) events: UnboundedReceiver<Event>,
    pub(super) ticket: Arc<Ticket>,
    /// Interrupts the engine's computation.
    pub(super) alarm: Arc<AtomicBool>,
    pub(super) outcome: Option<Outcome>,
    pub(super) ended: bool,
}

impl Generation {
    /// The next token; `None` after the last one.
    ///
    /// # Errors
    /// When the request cannot be fulfilled or the computation fails. No tokens follow an error.
    pub async fn next(&mut self) -> Option<Result<Token, EngineError>> {
        if self.ended {
            return None;
        }
        match self.events.recv().await {
            Some(Event::Token(token)) => Some(Ok(token)),
            Some(Event::Done(outcome)) => {
                self.ended = true;
                self.outcome = Some(outcome);
                None
            }
            Some(Event::Failed(error)) => {
                self.ended = true;
                Some(Err(error))
            }
            None => {
                self.ended = true;
                Some(Err(EngineError::Ended))
            }
        }
    }

    /// Waits for the whole answer.
    ///
    /// # Errors
    /// The errors of [`Self::next`].
    pub async fn collect(mut self) -> Result<Answer, EngineError> {
        let (mut tokens, mut logits, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(token) = self.next().await {
            let token = token?;
            tokens.push(token.id);
            logits.push(token.logit);
            bytes.extend(token.bytes);
        }
        let outcome = self.outcome.take().ok_or(EngineError::Ended)?;
        Ok(Answer { tokens, logits, bytes, outcome })
    }

    /// Whether the request is being computed: it no longer waits, and it has not ended.
    #[must_use]
    pub fn is_computing(&self) -> bool {
        self.ticket.computing.load(Ordering::SeqCst)
    }

    /// End of the answer, once [`Self::next`] has returned `None`.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Cancels the answer within one token. Tokens that were generated before can still be read,
    /// and then [`Self::outcome`].
    pub fn cancel(&self) {
        self.ticket.cancelled.store(true, Ordering::SeqCst);
        if self.is_computing() {
            self.alarm.store(true, Ordering::Release);
        }
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        if !self.ended {
            self.cancel();
        }
    }
}
