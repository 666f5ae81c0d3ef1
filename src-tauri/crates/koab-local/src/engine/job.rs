//! One request at work in a slot.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;

use super::error::EngineError;
use super::request::{Event, Finish, Generate, Outcome, Ticket, Token, Usage};
use super::sampling::Sampling;

/// A request on its way to the engine's thread.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) generate: Generate,
    pub(super) events: UnboundedSender<Event>,
    pub(super) ticket: Arc<Ticket>,
    pub(super) submitted: Instant,
}

impl Request {
    /// Ends it before it was begun.
    pub(super) fn end(self, finish: Finish) {
        let usage = Usage {
            prompt_tokens: self.generate.tokens.len(),
            waited: self.submitted.elapsed(),
            ..Usage::default()
        };
        let outcome = Outcome { finish, stopped_by: None, usage };
        // Nobody may be listening any more; that is as good.
        let _ = self.events.send(Event::Done(outcome));
    }

    pub(super) fn fail(self, error: EngineError) {
        let _ = self.events.send(Event::Failed(error));
    }
}

/// A request at work.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) prompt: Vec<i32>,
    pub(super) sampling: Sampling,
    /// Chosen and told, but not yet computed.
    pub(super) next: Option<i32>,
    /// Tokens of the prompt that others had computed.
    pub(super) reused: usize,
    generated: usize,
    started: Instant,
    /// When the first and the last token were chosen.
    told: Option<(Instant, Instant)>,
}

impl Job {
    pub(super) fn new(request: Request, prompt: Vec<i32>, sampling: Sampling, reused: usize) -> Self {
        request.ticket.computing(true);
        Self {
            request,
            prompt,
            sampling,
            next: None,
            reused,
            generated: 0,
            started: Instant::now(),
            told: None,
        }
    }

    /// Tells a token. True when it was the last one that was asked for.
    pub(super) fn tell(&mut self, token: Token) -> bool {
        let now = Instant::now();
        self.told = Some((self.told.map_or(now, |(first, _)| first), now));
        self.generated += 1;
        // A listener that went away has cancelled, and that is seen before the next step.
        let _ = self.request.events.send(Event::Token(token));
        self.generated >= self.request.generate.max_tokens as usize
    }

    pub(super) fn end(self, finish: Finish, stopped_by: Option<u32>) {
        let usage = Usage {
            prompt_tokens: self.prompt.len(),
            reused_tokens: self.reused,
            generated_tokens: self.generated,
            waited: self.started - self.request.submitted,
            prompt: self.told.map(|(first, _)| first - self.started),
            generation: self.told.map(|(first, last)| last - first),
        };
        let outcome = Outcome { finish, stopped_by, usage };
        self.request.ticket.computing(false);
        let _ = self.request.events.send(Event::Done(outcome));
    }

    pub(super) fn fail(self, error: EngineError) {
        self.request.ticket.computing(false);
        self.request.fail(error);
    }
}
