//! What is asked of an engine, and the answer as it comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;

use super::error::EngineError;
use crate::grammar::Grammar;

/// A text to continue.
#[derive(Clone, Debug)]
pub struct Generate {
    /// The prompt.
    pub tokens: Vec<u32>,
    /// The answer's most tokens.
    pub max_tokens: u32,
    /// 0 takes the likeliest token always; above, the distribution's sharpness.
    pub temperature: f32,
    /// Of the distribution after temperature, the likeliest tokens that make this share; 1 keeps
    /// all.
    pub top_p: f32,
    /// Of the random numbers. The same seed and request give the same text, see
    /// [`Engine`](super::Engine).
    pub seed: u64,
    /// Holds the answer to a form.
    pub grammar: Option<Grammar>,
    /// Tokens that end the answer, beside those that the model file names.
    pub stop: Vec<u32>,
    /// Whether the whole prompt is read, also what is in memory already. The answer is the same,
    /// and later.
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

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// In the model's vocabulary.
    pub id: u32,
    /// The model's number for it, before temperature. Equal requests have equal ones, see
    /// [`Engine`](super::Engine).
    pub logit: f32,
    /// What it stands for; a syllable may begin in one token and end in the next.
    pub bytes: Vec<u8>,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// The model ended it with a stop token, which is not part of it.
    Stop,
    /// It has as many tokens as were asked for.
    Length,
    /// The context is full.
    ContextFull,
    /// Nobody wanted the rest.
    Cancelled,
}

/// What an answer took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Of the prompt.
    pub prompt_tokens: usize,
    /// Of these, those that were in memory from before.
    pub reused_tokens: usize,
    /// Of the answer, without the stop token.
    pub generated_tokens: usize,
    /// From the request to the start of its prompt: others were first.
    pub waited: Duration,
    /// From the start of the prompt to the first token; nothing when none came.
    pub prompt: Option<Duration>,
    /// From the first token to the last; nothing when none came.
    pub generation: Option<Duration>,
}

impl Usage {
    /// From the request to the first token; nothing when none came.
    #[must_use]
    pub fn first_token(&self) -> Option<Duration> {
        Some(self.waited + self.prompt?)
    }
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why.
    pub finish: Finish,
    /// The token that ended it, for [`Finish::Stop`].
    pub stopped_by: Option<u32>,
    /// What it took.
    pub usage: Usage,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its tokens.
    pub tokens: Vec<u32>,
    /// Their logits.
    pub logits: Vec<f32>,
    /// Their bytes, one after another.
    pub bytes: Vec<u8>,
    /// How it ended.
    pub outcome: Outcome,
}

/// What the engine's thread sends.
#[derive(Debug)]
pub(super) enum Event {
    Token(Token),
    Done(Outcome),
    Failed(EngineError),
}

/// What both sides of a request know. Each side writes one flag and then reads the other's, so that
/// one of them always sees that computing has to be interrupted.
#[derive(Debug, Default)]
pub(super) struct Ticket {
    /// Set by the asker.
    cancelled: AtomicBool,
    /// Set by the engine while it computes for this request: then a cancel has to interrupt it.
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

/// An answer as it is generated. Dropping it cancels the rest within one token, also while its
/// prompt is processed.
#[derive(Debug)]
pub struct Generation {
    pub(super) events: UnboundedReceiver<Event>,
    pub(super) ticket: Arc<Ticket>,
    /// Interrupts the engine's computing.
    pub(super) alarm: Arc<AtomicBool>,
    pub(super) outcome: Option<Outcome>,
    pub(super) ended: bool,
}

impl Generation {
    /// The next token; nothing after the last one.
    ///
    /// # Errors
    /// When the request cannot be fulfilled or computing fails. Nothing comes after an error.
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

    /// The whole answer.
    ///
    /// # Errors
    /// As [`Self::next`].
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

    /// Whether it is being computed: its turn has come, and it has not ended.
    #[must_use]
    pub fn is_computing(&self) -> bool {
        self.ticket.computing.load(Ordering::SeqCst)
    }

    /// How it ended, once [`Self::next`] gave nothing more.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Ends it within one token. What was generated until then can still be read, and
    /// [`Self::outcome`] afterwards.
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
