//! One call of a trial, from its body to its answer and its line in the record.

use super::answer;
use super::forms::{Label, Route};
use super::neutral::Neutral;
use super::output_limit;
use super::record::{Matched, RecordedCall};
use super::refusal::Refusal;
use super::replay::in_form;
use super::request::{AnswerFormat, GatewayRequest, ServedModel};
use super::stream::StreamSender;
use super::trial::Trial;
use koab_core::price::Price;
use koab_core::run_record::TokenUsage;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::budget::cost_with;
use koab_engine::ports::{
    AttemptRef, Cancel, Clock as _, Message, ModelAdapter, ModelError, ModelReply, ModelRequest,
};
use koab_engine::retry::RetryPolicy;
use koab_engine::single_call::{CallError, ask_once};
use koab_workspace::clock::SystemClock;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Source of answers.
pub(super) enum Source {
    Model(LiveModel),
    Records {
        /// Maximum output tokens of a request that names no limit.
        max_tokens: u32,
    },
}

impl Source {
    fn read(&self, route: &Route, body: &Value) -> Result<GatewayRequest, Refusal> {
        match self {
            Self::Model(live) => route.read(body, &live.served, live.max_tokens),
            Self::Records { max_tokens } => route.read(body, &ServedModel::any(), *max_tokens),
        }
    }
}

/// A model that answers calls.
pub(super) struct LiveModel {
    pub(super) model: Arc<dyn ModelAdapter>,
    pub(super) price: Option<Price>,
    /// Time limit of one call.
    pub(super) limit: Duration,
    pub(super) served: ServedModel,
    /// Maximum output tokens of a request that names no limit.
    pub(super) max_tokens: u32,
    /// Maximum output tokens of the model according to its server; `u32::MAX` until the server has
    /// reported it.
    pub(super) most: AtomicU32,
}

/// Response to the caller.
pub(super) struct Answer {
    pub(super) status: u16,
    /// Body of the complete answer, even when `format` requires a stream.
    pub(super) body: Value,
    pub(super) format: AnswerFormat,
    pub(super) retry_after: Option<u64>,
    /// Whether the caller's client may retry by itself.
    pub(super) again: bool,
    pub(super) left_out: Vec<String>,
}

/// Result of a call, not yet recorded.
struct CallEnd {
    answer: Answer,
    usage: Option<TokenUsage>,
    cost: Option<f64>,
    unmeasured: Option<Sentence>,
    error: Option<Sentence>,
    first_token: Option<f64>,
    replayed: bool,
    matched: Option<Matched>,
    /// Whether the caller no longer waits for the answer.
    unheard: bool,
}

/// Retry policy with fewer attempts than the policy of a run, because the callers' clients also
/// retry, and a trial has a time limit.
fn retry() -> RetryPolicy {
    RetryPolicy {
        busy_attempts: 4,
        attempts: 3,
        longest_wait: Duration::from_secs(8),
        longest_asked: Duration::from_secs(30),
        ..RetryPolicy::default()
    }
}

/// Parses a body as JSON.
///
/// # Errors
/// When the body is not JSON.
pub(super) fn parsed(body: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::new(400, "invalid_json", format!("the body is not JSON: {error}")))
}

/// Answers a call and records it, even when the caller disconnects early. `left` is cancelled when
/// the caller disconnects.
pub(super) async fn carry(
    source: &Source,
    trial: &Trial,
    route: &Route,
    body: Result<Vec<u8>, Refusal>,
    (stream, left): (&StreamSender, &Cancel),
) -> Answer {
    let (at, came) = (SystemClock.local_iso(), Instant::now());
    let flight = match trial.enter() {
        Ok(flight) => flight,
        Err(refusal) => {
            if let Some(attempt) = &trial.attempt {
                attempt.refused(&refusal);
            }
            return refused(refusal, route, AnswerFormat::default()).answer;
        }
    };
    let body = body.and_then(|bytes| parsed(&bytes));
    let (request, hash, call_end) = match body {
        Ok(body) => {
            let read_result = source.read(route, &body);
            let neutral = match &read_result {
                Ok(request) => Neutral::from_request(request),
                Err(_) => Neutral::unread(route.form, &body),
            };
            let hash = neutral.hash.clone();
            let call_end = match (source, read_result) {
                (Source::Records { .. }, _) => replayed(trial, route, &body, &neutral),
                (Source::Model(_), Err(refusal)) => {
                    if let Some(attempt) = &trial.attempt {
                        attempt.refused(&refusal);
                    }
                    refused(refusal, route, route.format(&body))
                }
                (Source::Model(live), Ok(request)) => {
                    drop(neutral);
                    live.ask(trial, route, (&body, request), (stream, left)).await
                }
            };
            (Some(body), Some(hash), call_end)
        }
        Err(refusal) => (None, None, refused(refusal, route, AnswerFormat::default())),
    };
    let CallEnd { answer, .. } = &call_end;
    let call = RecordedCall {
        call: flight.number,
        trial: trial.name.clone(),
        at,
        seconds: came.elapsed().as_secs_f64(),
        first_token_seconds: call_end.first_token,
        hash,
        form: route.form,
        stream: answer.format.stream,
        request: request.unwrap_or_default(),
        status: (!call_end.unheard).then_some(answer.status),
        response: if call_end.unheard { Value::Null } else { answer.body.clone() },
        retry_after: answer.retry_after,
        again: answer.again,
        left_out: answer.left_out.clone(),
        usage: call_end.usage,
        cost_usd: call_end.cost,
        unmeasured: call_end.unmeasured,
        error: call_end.error,
        replayed: call_end.replayed,
        matched: call_end.matched,
    };
    let answer = match trial.over(&call) {
        Ok(()) => call_end.answer,
        Err(refusal) => refused(refusal, route, call_end.answer.format).answer,
    };
    stream.end(answer.status, &answer.body);
    answer
}

impl LiveModel {
    async fn ask(
        &self,
        trial: &Trial,
        route: &Route,
        (body, mut asked): (&Value, GatewayRequest),
        (stream, left): (&StreamSender, &Cancel),
    ) -> CallEnd {
        let format = route.format(body);
        trial.give_back(&mut asked.messages);
        let label = label(route, body);
        lower(&mut asked, self.most.load(Ordering::Relaxed));
        let target = (stream, route, &label, body);
        let mut result = self.once(trial, &asked, target, format, left).await;
        if let Err(CallError::Model(ModelError::Http { message, .. })) = &result
            && let Some(most) = output_limit::parse(message, asked.max_tokens)
        {
            // A program that does not know the model may ask for more tokens than it allows. The
            // server refused, so nothing was streamed and nothing is paid; the lowered limit is
            // tried once.
            if most.always {
                self.most.fetch_min(most.tokens, Ordering::Relaxed);
            }
            lower(&mut asked, most.tokens);
            result = self.once(trial, &asked, target, format, left).await;
        }
        let mut reply = match result {
            Ok(reply) => reply,
            Err(why) => {
                let mut call_end = failed(&why, route, format, trial.attempt.is_some());
                call_end.answer.left_out = asked.left_out;
                return call_end;
            }
        };
        let stopped = answer::cut(&mut reply, &asked.stop);
        if asked.one_call {
            for number in 1..=answer::first_call(&mut reply) {
                asked.leave_out(&format!("calls[{number}]"));
            }
        }
        if let Some(field) = route.unsupported(&reply) {
            asked.leave_out(field);
        }
        let form_check = answer::keeps_forms(&asked, &reply);
        trial.keep(&reply);
        if let Some(attempt) = &trial.attempt {
            match &form_check {
                Ok(()) => attempt.handle.replied(reply.clone()),
                Err(refusal) => attempt.refused(refusal),
            }
        }
        let label = Label { stopped, ..label };
        self.answered(&reply, (route, &label, body), format, asked.left_out, form_check.err())
    }

    /// Calls the model, and streams the answer to the caller if possible.
    async fn once(
        &self,
        trial: &Trial,
        asked: &GatewayRequest,
        (stream, route, label, body): (&StreamSender, &Route, &Label, &Value),
        format: AnswerFormat,
        left: &Cancel,
    ) -> Result<ModelReply, CallError> {
        let turns = asked.messages.iter();
        let turns = turns.filter(|message| matches!(message, Message::Assistant { .. })).count();
        // An answer that may have to be cut or refused is sent only when it is complete.
        let flows = format.stream && asked.stop.is_empty() && asked.answer.is_none();
        let listener = flows.then(|| stream.listener((route, label, body), format, &asked.left_out));
        let request = ModelRequest {
            messages: &asked.messages,
            tools: &asked.tools,
            tool_choice: asked.tool_choice(),
            listener: listener.as_ref(),
            temperature: asked.temperature,
            max_tokens: Some(asked.max_tokens),
            effort: asked.effort.as_deref(),
            seed: asked.seed,
            answer_schema: asked.answer.as_ref().map(|form| (form.name.as_str(), &form.schema)),
            given: None,
            attempt: AttemptRef {
                step: u32::try_from(turns).unwrap_or(u32::MAX).saturating_add(1),
                ..AttemptRef::default()
            },
        };
        match &trial.attempt {
            Some(attempt) => attempt.ask(&*self.model, request, self.limit, left).await,
            None => ask_once(&*self.model, request, &retry(), self.limit, left).await,
        }
    }

    fn answered(
        &self,
        reply: &ModelReply,
        (route, label, body): (&Route, &Label, &Value),
        format: AnswerFormat,
        left_out: Vec<String>,
        refusal: Option<Refusal>,
    ) -> CallEnd {
        let usage = reply.usage.map(TokenUsage::from);
        let cost = usage.and_then(|usage| Some(cost_with(self.price?, usage)));
        let unmeasured = match (usage, self.price) {
            (None, _) => Some(say!("the server reports no tokens")),
            (_, None) => Some(say!("no price is known for this model")),
            _ => None,
        };
        let error = refusal.as_ref().map(|refusal| refusal.message.clone());
        let answer = match refusal {
            Some(refusal) => refused(refusal, route, format).answer,
            None => Answer {
                status: 200,
                body: route.write(reply, label, body),
                format,
                retry_after: None,
                again: false,
                left_out: Vec::new(),
            },
        };
        CallEnd {
            answer: Answer { left_out, ..answer },
            usage,
            cost,
            unmeasured,
            error,
            first_token: reply.first_token.map(|time| time.as_secs_f64()),
            replayed: false,
            matched: None,
            unheard: false,
        }
    }
}

/// Lowers the token limit of a request to the model's maximum, and records which field named a
/// greater limit.
fn lower(asked: &mut GatewayRequest, most: u32) {
    if asked.max_tokens <= most {
        return;
    }
    asked.max_tokens = most;
    if let Some(field) = asked.limited_by.clone() {
        asked.leave_out(&format!("{field} above {most}"));
    }
}

fn label(route: &Route, body: &Value) -> Label {
    Label {
        id: format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..)),
        created: SystemClock.now_ms() / 1000,
        model: route.model(body),
        stopped: None,
    }
}

/// Result of a call that no model answered.
fn failed(why: &CallError, route: &Route, format: AnswerFormat, for_good: bool) -> CallEnd {
    let free = match why {
        CallError::Model(error) => error.costs_nothing(),
        CallError::Budget(_) => true,
        CallError::TimedOut(_) | CallError::Cancelled => false,
    };
    let refusal = Refusal::from_fault(why);
    let refusal = if for_good { refusal.for_good() } else { refusal };
    let call_end = refused(refusal, route, format);
    CallEnd {
        cost: call_end.cost.filter(|_| free),
        unmeasured: (!free).then(|| say!("the call was interrupted; its tokens and cost are not known")),
        unheard: matches!(why, CallError::Cancelled),
        ..call_end
    }
}

/// Result of a call that was not sent to the model.
fn refused(refusal: Refusal, route: &Route, format: AnswerFormat) -> CallEnd {
    let answer = Answer {
        status: refusal.status,
        body: route.error(&refusal),
        format,
        // Whole seconds, rounded up: a client that comes too early is refused again.
        retry_after: refusal.retry_after.map(|wait| wait.as_secs_f64().ceil() as u64),
        again: refusal.again,
        left_out: Vec::new(),
    };
    CallEnd {
        answer,
        usage: None,
        cost: Some(0.0),
        unmeasured: None,
        error: Some(refusal.message),
        first_token: None,
        replayed: false,
        matched: None,
        unheard: false,
    }
}

fn replayed(trial: &Trial, route: &Route, body: &Value, asked: &Neutral) -> CallEnd {
    let format = route.format(body);
    match trial.replayed(route.form, asked) {
        Err(refusal) => refused(refusal, route, format),
        Ok((call, matched)) => CallEnd {
            answer: Answer {
                status: call.status.unwrap_or(500),
                body: in_form(&call, route, body),
                format,
                retry_after: call.retry_after,
                // A client that retried when this was recorded must retry now: the record contains
                // that call too.
                again: call.again,
                left_out: call.left_out,
            },
            usage: call.usage,
            cost: call.cost_usd,
            unmeasured: call.unmeasured,
            error: call.error,
            first_token: call.first_token_seconds,
            replayed: true,
            matched,
            unheard: false,
        },
    }
}
