//! A request, before and while a slot computes it.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;

use super::error::EngineError;
use super::request::{Event, Finish, Generate, Outcome, Ticket, Token, Usage};
use super::sampling::Sampling;

/// A request that is sent to the engine's thread.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) generate: Generate,
    pub(super) events: UnboundedSender<Event>,
    pub(super) ticket: Arc<Ticket>,
    pub(super) submitted: Instant,
}

impl Request {
    /// Ends a request that was not begun.
    pub(super) fn end(self, finish: Finish) {
        let usage = Usage {
            prompt_tokens: self.generate.tokens.len(),
            waited: self.submitted.elapsed(),
            ..Usage::default()
        };
        let outcome = Outcome { finish, stopped_by: None, usage };
        // If nobody receives the answer any more, there is nothing to do.
        let _ = self.events.send(Event::Done(outcome));
    }

    pub(super) fn fail(self, error: EngineError) {
        let _ = self.events.send(Event::Failed(error));
    }
}

/// A request that a slot computes.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) prompt: Vec<i32>,
    pub(super) sampling: Sampling,
    /// Token that was chosen and sent to the caller, but is not computed yet.
    pub(super) next: Option<i32>,
    /// Tokens of the prompt that were reused from other requests.
    pub(super) reused: usize,
    generated: usize,
    started: Instant,
    /// Time when the first and the last token were chosen.
    token_times: Option<(Instant, Instant)>,
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
            token_times: None,
        }
    }

    /// Sends a token to the caller. Returns true if the answer has reached its maximum length.
    pub(super) fn tell(&mut self, token: Token) -> bool {
        let now = Instant::now();
        self.token_times = Some((self.token_times.map_or(now, |(first, _)| first), now));
        self.generated += 1;
        // A receiver that was dropped has cancelled the request, which is detected before the next
        // step.
        let _ = self.request.events.send(Event::Token(token));
        self.generated >= self.request.generate.max_tokens as usize
    }

    pub(super) fn end(self, finish: Finish, stopped_by: Option<u32>) {
        let usage = Usage {
            prompt_tokens: self.prompt.len(),
            reused_tokens: self.reused,
            generated_tokens: self.generated,
            waited: self.started - self.request.submitted,
            prompt: self.token_times.map(|(first, _)| first - self.started),
            generation: self.token_times.map(|(first, last)| last - first),
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
