//! Drives one attempt from its first message to its record.
//!
//! An executor owns nothing that another one sees: it asks ports, and tells the dispatcher what happened through
//! `tell`. A record is made however the attempt ends, except when the run is cancelled or its cache cannot be read.

use crate::budget::NoBudget;
use crate::fork::{self, Resumed};
use crate::offer;
use crate::ports::{
    AttemptRef, FinishReason, LiveTools, Message, ModelAdapter, ModelError, ModelReply, ModelRequest,
    RequestedCall, ResponseCache, StoreError,
};
use crate::retry::RetryPolicy;
use crate::seed::{Conversation, seed, user_turns, written};
use crate::tools::{CallOutcome, NoAnswer, ToolDesk};
use crate::turn::{Control, Deadline, Stage, TurnFault, ask};
use koab_core::catalog::ToolCatalog;
use koab_core::event::{CallFault, RunEventKind};
use koab_core::fork::Beginning;
use koab_core::level::Level;
use koab_core::protocol::Rules;
use koab_core::record::{
    AttemptRecord, CUT_OFF, CallRecord, CallReply, RunSpec, StepLine, StepRecord, StepReply, StopReason,
    TokenUsage,
};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::task::Task;
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What an executor tells the dispatcher while it goes.
pub(crate) enum Progress {
    /// Something to show.
    Event(RunEventKind),
    /// A wait begins: why, and how long when that is known.
    Waiting {
        task: String,
        repetition: u32,
        reason: Sentence,
        wait: Option<Duration>,
        fault: Option<CallFault>,
    },
    /// A step with its calls, for the journal.
    Step(Box<StepLine>),
}

/// Why there is no record.
pub(crate) enum NoRecord {
    Cancelled,
    /// The cache cannot be read.
    Store(StoreError),
    /// The model refuses everybody (key, name, a day's limit), or koab is offline: no other attempt would fare better.
    Refused(ModelError),
    /// The next call might pass a cap, so the attempt is not finished.
    BudgetSpent(Sentence),
}

impl From<NoAnswer> for NoRecord {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Store(error) => Self::Store(error),
            NoAnswer::Offline(offline) => Self::Refused(offline.into()),
        }
    }
}

/// What one attempt needs of the run.
pub(crate) struct Bench<'a> {
    pub(crate) spec: &'a RunSpec,
    pub(crate) retry: &'a RetryPolicy,
    pub(crate) catalog: &'a ToolCatalog,
    pub(crate) model: &'a dyn ModelAdapter,
    pub(crate) cache: &'a dyn ResponseCache,
    pub(crate) live: Option<&'a LiveTools>,
    pub(crate) control: Control<'a>,
    pub(crate) tell: &'a (dyn Fn(Progress) + Send + Sync),
}

/// Why a phase is over.
enum PhaseEnd {
    Answered,
    /// At the output limit, under a protocol that does not take that for an answer.
    CutOff,
    StepLimit,
    TimedOut,
    ModelFailed(ModelError),
}

/// An attempt under way.
struct Attempt<'a> {
    bench: &'a Bench<'a>,
    task: &'a Task,
    repetition: u32,
    rules: Rules,
    steps: Vec<StepRecord>,
    calls: Vec<CallRecord>,
    deadline: Deadline,
    /// Model turns that the phase which goes on had before.
    taken: u32,
    /// Turns that an earlier start has; they are gone through again and not asked for again.
    kept: VecDeque<StepLine>,
}

/// Makes one attempt; of a fork, from its beginning on, and of an attempt that a killed process left, behind its kept steps.
pub(crate) async fn attempt(
    bench: &Bench<'_>,
    task: &Task,
    repetition: u32,
    beginning: Option<&Beginning>,
    steps_before: Vec<StepLine>,
) -> Result<AttemptRecord, NoRecord> {
    let started = Instant::now();
    let rules = bench.spec.protocol.rules();
    let resumed = beginning
        .map(|beginning| fork::resumed(beginning, task, rules, bench.spec.full_rollout))
        .transpose()
        .map_err(|fault| NoRecord::Store(StoreError(fault.to_sentence())))?;
    let kept = |beginning: &Beginning| (beginning.steps.clone(), beginning.calls.clone());
    let (steps, calls) = beginning.map(kept).unwrap_or_default();
    let kept_steps = steps_before.iter().map(|line| &line.step);
    let earlier: f64 = steps.iter().chain(kept_steps).map(|step| step.latency_s).sum();
    let attempt = Attempt {
        bench,
        task,
        repetition,
        rules,
        steps,
        calls,
        deadline: Deadline::after(bench.spec.timeout()),
        taken: resumed.as_ref().map_or(0, |resumed| resumed.taken),
        kept: steps_before.into(),
    };
    let mut record = if task.level.is_multi_turn() {
        attempt.conversation(resumed).await
    } else {
        attempt.single_turn(resumed).await
    }?;
    record.took_s = (started.elapsed().as_secs_f64() - record.took_s).max(0.0) + earlier;
    Ok(record)
}

impl Attempt<'_> {
    /// L1–L5: one instruction, and for L5 a second conversation with the fallback tools once the first has failed.
    async fn single_turn(mut self, resumed: Option<Resumed>) -> Result<AttemptRecord, NoRecord> {
        let tools = offer::first_phase(self.task, self.rules, self.bench.catalog);
        let (mut conversation, given, second) = match resumed {
            Some(resumed) => (resumed.first, resumed.given, resumed.second),
            None => {
                let mut conversation = Conversation::default();
                conversation.user(self.task.instruction());
                (conversation, 1, None)
            }
        };
        let mut end = match second {
            Some(_) => PhaseEnd::Answered,
            None => self.phase(&mut conversation, &tools, 1).await?,
        };
        let mut text = answer_text(&conversation);
        let finished = matches!(end, PhaseEnd::Answered | PhaseEnd::StepLimit);
        if second.is_some() || finished && self.starts_again(&text) {
            let tools = offer::second_phase(self.task, self.bench.catalog);
            let mut second = second.unwrap_or_else(|| conversation.first(given));
            end = self.phase(&mut second, &tools, 2).await?;
            text = answer_text(&second);
            // One log of both phases; the instruction stands in it once.
            conversation.logged.extend(second.logged.into_iter().skip(given));
        }
        let answered = matches!(end, PhaseEnd::Answered | PhaseEnd::StepLimit);
        // What there is of a cut-off answer stays in the record; it is no success all the same.
        let kept = answered || matches!(end, PhaseEnd::CutOff);
        Ok(self.record(end, answered, kept.then_some(text), conversation.logged))
    }

    fn starts_again(&self, text: &str) -> bool {
        if text.is_empty() && self.rules.empty_answer_starts_again {
            return true;
        }
        let failed = self
            .calls
            .iter()
            .any(|c| c.source == koab_core::event::AnswerSource::Injected);
        self.task.level == Level::L5 && failed && !self.rules.l5_offers_fallbacks_at_once
    }

    /// L6/L7: a seeded history and one turn to play, or every turn in a full rollout.
    async fn conversation(mut self, resumed: Option<Resumed>) -> Result<AttemptRecord, NoRecord> {
        let tools = offer::first_phase(self.task, self.rules, self.bench.catalog);
        let full_rollout = self.bench.spec.full_rollout;
        let turns = if full_rollout {
            user_turns(self.task, self.rules)
        } else {
            Vec::new()
        };
        // Which turn is played first, and whether its question stands in the conversation already.
        let (mut conversation, begins, midway) = match resumed {
            Some(resumed) => (resumed.first, resumed.turn, resumed.midway),
            None if full_rollout => (Conversation::default(), 0, false),
            None => {
                let ascii = self.rules.ascii_tool_results;
                let seeded = seed(self.task, self.rules, |value| written(value, ascii));
                (seeded, 0, false)
            }
        };
        let mut end = PhaseEnd::Answered;
        let played = turns.len().max(1);
        for turn in begins..played {
            if let Some(text) = turns.get(turn).filter(|_| turn > begins || !midway) {
                conversation.user(text);
            }
            self.deadline.renew();
            end = self.phase(&mut conversation, &tools, 1).await?;
            if !matches!(end, PhaseEnd::Answered) {
                break;
            }
        }
        let own = answer_text(&conversation);
        let failed = matches!(end, PhaseEnd::TimedOut | PhaseEnd::ModelFailed(_));
        let text = if self.rules.seeded_answer_stands_in {
            conversation.last_text().map(str::to_owned)
        } else {
            (!self.steps.is_empty() && !failed).then_some(own)
        };
        let success = !failed && !matches!(end, PhaseEnd::CutOff) && !self.steps.is_empty();
        Ok(self.record(end, success, text, conversation.logged))
    }

    /// Turns until the model answers without a call, or something ends it.
    async fn phase(
        &mut self,
        conversation: &mut Conversation,
        tools: &[ToolSpec],
        phase: u8,
    ) -> Result<PhaseEnd, NoRecord> {
        for _ in std::mem::take(&mut self.taken)..self.bench.spec.max_steps {
            if let Some(line) = self.kept.pop_front() {
                if let Some(end) = self.go_through(line, conversation) {
                    return Ok(end);
                }
                continue;
            }
            if self.deadline.passed() {
                return Ok(PhaseEnd::TimedOut);
            }
            let reply = match self.ask(&conversation.messages, tools, phase).await {
                Ok(reply) => reply,
                Err(TurnFault::Cancelled) => return Err(NoRecord::Cancelled),
                Err(TurnFault::TimedOut) => return Ok(PhaseEnd::TimedOut),
                Err(TurnFault::Model(e)) if self.refuses_everybody(&e) => return Err(NoRecord::Refused(e)),
                Err(TurnFault::Budget(NoBudget::Spent(why))) => return Err(NoRecord::BudgetSpent(why)),
                Err(TurnFault::Budget(NoBudget::Ledger(error))) => return Err(NoRecord::Store(error)),
                Err(TurnFault::Model(error)) => return Ok(PhaseEnd::ModelFailed(error)),
            };
            let step = self.note_step(&reply, phase);
            conversation.assistant(&reply.content, reply.calls.clone(), reply.opaque.clone());
            let first_call = self.calls.len();
            let has_calls = !reply.calls.is_empty();
            let mut replies = Vec::with_capacity(reply.calls.len());
            for call in reply.calls {
                let shown = self.answer(step, &call, tools, conversation).await?;
                replies.push(CallReply {
                    id: call.id,
                    arguments: call.arguments,
                    shown,
                });
            }
            (self.bench.tell)(Progress::Step(Box::new(StepLine {
                task: self.task.id.clone(),
                repetition: self.repetition,
                step: self.steps[self.steps.len() - 1].clone(),
                content: reply.content,
                calls: self.calls[first_call..].to_vec(),
                reply: Some(StepReply {
                    calls: replies,
                    opaque: reply.opaque.map(|opaque| (*opaque).clone()),
                }),
            })));
            if !has_calls {
                return Ok(self.end_of_answer());
            }
        }
        Ok(PhaseEnd::StepLimit)
    }

    /// How a phase ends whose last turn called nothing.
    fn end_of_answer(&self) -> PhaseEnd {
        let last = self.steps.last().and_then(|step| step.finish.as_deref());
        if last == Some(CUT_OFF) && self.rules.cut_off_is_no_answer {
            PhaseEnd::CutOff
        } else {
            PhaseEnd::Answered
        }
    }

    /// Goes through a turn again that an earlier start has, and says how the phase ends where it does.
    fn go_through(&mut self, line: StepLine, conversation: &mut Conversation) -> Option<PhaseEnd> {
        let StepLine {
            step,
            content,
            calls,
            reply,
            ..
        } = line;
        let reply = reply.unwrap_or(StepReply {
            calls: Vec::new(),
            opaque: None,
        });
        self.deadline
            .spent(Duration::try_from_secs_f64(step.latency_s).unwrap_or_default());
        self.tell_step(&step, calls.len());
        let requested = calls.iter().zip(&reply.calls).map(|(call, reply)| RequestedCall {
            id: reply.id.clone(),
            name: call.tool.clone(),
            arguments: reply.arguments.clone(),
        });
        conversation.assistant(&content, requested.collect(), reply.opaque.map(Arc::new));
        let is_over = calls.is_empty();
        for (call, reply) in calls.into_iter().zip(reply.calls) {
            let shown = reply.shown.or_else(|| call.result.clone()).unwrap_or_default();
            self.note_call(call, &reply.id, &shown, None, conversation);
        }
        self.steps.push(step);
        is_over.then(|| self.end_of_answer())
    }

    fn refuses_everybody(&self, error: &ModelError) -> bool {
        matches!(
            error,
            ModelError::Unauthorized { status: 401, .. }
                | ModelError::UnknownModel { .. }
                | ModelError::Offline(_)
        ) || self.bench.retry.asks_too_much(error)
    }

    async fn ask(
        &mut self,
        messages: &[Message],
        tools: &[ToolSpec],
        phase: u8,
    ) -> Result<ModelReply, TurnFault> {
        let spec = self.bench.spec;
        let step = self.steps.len() as u32 + 1;
        let request = ModelRequest {
            messages,
            tools,
            temperature: spec.temperature,
            max_tokens: spec.max_tokens,
            effort: spec.effort.as_deref(),
            seed: spec.seed,
            answer_schema: None,
            attempt: AttemptRef {
                task: &self.task.id,
                repetition: self.repetition,
                step,
                phase,
            },
        };
        let (task, repetition, tell) = (&self.task.id, self.repetition, self.bench.tell);
        ask(
            self.bench.model,
            request,
            self.bench.retry,
            &mut self.deadline,
            self.bench.control,
            |stage| {
                let task = task.clone();
                tell(match stage {
                    Stage::Waits(reason, wait, fault) => Progress::Waiting {
                        task,
                        repetition,
                        reason: reason.clone(),
                        wait,
                        fault,
                    },
                    Stage::GoesOut => Progress::Event(RunEventKind::StepStarted {
                        task,
                        repetition,
                        step,
                    }),
                    Stage::Failed { fault, message, took } => Progress::Event(RunEventKind::CallFailed {
                        task,
                        repetition,
                        step,
                        fault,
                        message: message.clone(),
                        took_ms: took.as_secs_f64() * 1000.0,
                    }),
                });
            },
        )
        .await
    }

    fn note_step(&mut self, reply: &ModelReply, phase: u8) -> u32 {
        let step = StepRecord {
            step: self.steps.len() as u32 + 1,
            phase,
            ttft_s: reply.first_token.map(|t| t.as_secs_f64()),
            latency_s: reply.latency.as_secs_f64(),
            usage: reply.usage.map(|u| TokenUsage {
                prompt_tokens: u.prompt_tokens,
                completion_tokens: u.completion_tokens,
                total_tokens: u.total_tokens,
            }),
            finish: finish_text(&reply.finish),
            left_out: reply.left_out,
        };
        self.tell_step(&step, reply.calls.len());
        self.steps.push(step);
        self.steps.len() as u32
    }

    fn tell_step(&self, step: &StepRecord, calls: usize) {
        (self.bench.tell)(Progress::Event(RunEventKind::StepFinished {
            task: self.task.id.clone(),
            repetition: self.repetition,
            step: step.step,
            calls: calls as u32,
            prompt_tokens: step.usage.map(|u| u.prompt_tokens),
            completion_tokens: step.usage.map(|u| u.completion_tokens),
            ttft_ms: step.ttft_s.map(|seconds| seconds * 1000.0),
            latency_ms: step.latency_s * 1000.0,
            finish: step.finish.clone(),
        }));
    }

    /// Answers a call; what the model was shown where that is not the call's result.
    async fn answer(
        &mut self,
        step: u32,
        call: &RequestedCall,
        tools: &[ToolSpec],
        conversation: &mut Conversation,
    ) -> Result<Option<Value>, NoRecord> {
        let desk = ToolDesk {
            catalog: self.bench.catalog,
            cache: self.bench.cache,
            live: self.bench.live,
            until: self.deadline.at(),
            injection: self.task.error_injection(),
            offered: self.rules.refuses_unoffered_tools.then_some(tools),
        };
        let asked = Instant::now();
        let answered = tokio::select! {
            // A recorded answer is there at once, and is given also when the run is being cancelled.
            biased;
            answered = desk.answer(step, call) => answered?,
            () = self.bench.control.cancel.cancelled() => return Err(NoRecord::Cancelled),
        };
        let CallOutcome { record, shown } = answered;
        let has_result = record.success;
        self.note_call(record, &call.id, &shown, Some(asked.elapsed()), conversation);
        Ok((!has_result).then_some(shown))
    }

    fn note_call(
        &mut self,
        record: CallRecord,
        id: &str,
        shown: &Value,
        took: Option<Duration>,
        conversation: &mut Conversation,
    ) {
        (self.bench.tell)(Progress::Event(RunEventKind::ToolAnswered {
            task: self.task.id.clone(),
            repetition: self.repetition,
            step: record.step,
            tool: record.tool.clone(),
            call_id: Some(id.to_owned()),
            ok: record.success,
            source: record.source,
            took_ms: took.map(|took| took.as_secs_f64() * 1000.0),
        }));
        let text = written(shown, self.rules.ascii_tool_results);
        conversation.tool(id, shown, text);
        self.calls.push(record);
    }

    fn record(
        self,
        end: PhaseEnd,
        success: bool,
        text: Option<String>,
        messages: Vec<Value>,
    ) -> AttemptRecord {
        // The published runner swallows a failing model in conversations: no error, only `success: false`. Here the
        // error is told in every case; no metric reads it.
        let (stop, error) = match end {
            PhaseEnd::Answered => (StopReason::Answered, None),
            PhaseEnd::CutOff => {
                let limit = self.bench.spec.max_tokens;
                let error = say!("the answer was cut off at the limit of {limit} output tokens");
                (StopReason::CutOff, Some(error))
            }
            PhaseEnd::StepLimit => (StopReason::StepLimit, None),
            PhaseEnd::TimedOut => (StopReason::TimedOut, Some(self.deadline.sentence())),
            PhaseEnd::ModelFailed(error) => (StopReason::ModelFailed, Some(error.to_sentence())),
        };
        AttemptRecord {
            task: self.task.id.clone(),
            level: self.task.level,
            repetition: self.repetition,
            success,
            stop,
            error,
            // What was spent waiting, until the caller takes it from the whole.
            took_s: self.deadline.waited().as_secs_f64(),
            steps: self.steps,
            calls: self.calls,
            final_response: text.filter(|t| !t.is_empty()),
            messages,
        }
    }
}

/// Text of the model's last message, empty when it only called tools.
fn answer_text(conversation: &Conversation) -> String {
    match conversation
        .messages
        .iter()
        .rev()
        .find(|m| matches!(m, Message::Assistant { .. }))
    {
        Some(Message::Assistant { content, .. }) => content.clone(),
        _ => String::new(),
    }
}

fn finish_text(finish: &FinishReason) -> Option<String> {
    match finish {
        FinishReason::Stop => Some("stop".to_owned()),
        FinishReason::ToolCalls => Some("tool_calls".to_owned()),
        FinishReason::Length => Some(CUT_OFF.to_owned()),
        FinishReason::ContentFilter => Some("content_filter".to_owned()),
        FinishReason::Other(text) => text.clone(),
    }
}
