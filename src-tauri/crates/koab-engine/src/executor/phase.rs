//! A phase of an attempt: turns, with answers to their calls, until the model answers without a
//! call.

use super::state::{Attempt, NoRecord, PhaseEnd, Progress};
use crate::budget::NoBudget;
use crate::ports::{
    AttemptRef, FinishReason, Message, ModelError, ModelReply, ModelRequest, RequestedCall, ToolChoice,
};
use crate::seed::{Conversation, written};
use crate::tools::{CallOutcome, ToolResponder};
use crate::turn::{Stage, TurnFault, ask};
use koab_core::event::RunEventKind;
use koab_core::run_record::{
    CALLED, CUT_OFF, CallRecord, CallReply, FILTERED, STOPPED, StepLine, StepRecord, StepReply, TokenUsage,
};
use koab_core::task::TaskRequest;
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

impl Attempt<'_> {
    /// Makes turns until the model answers without a call, or the phase ends for another reason.
    pub(super) async fn phase(
        &mut self,
        conversation: &mut Conversation,
        tools: &[ToolSpec],
        phase: u8,
    ) -> Result<PhaseEnd, NoRecord> {
        for _ in std::mem::take(&mut self.taken)..self.context.spec.settings.max_steps {
            if let Some(line) = self.kept.pop_front() {
                if let Some(end) = self.replay(line, conversation) {
                    return Ok(end);
                }
                continue;
            }
            if self.deadline.passed() {
                return Ok(PhaseEnd::TimedOut);
            }
            let reply = match self.ask(&conversation.messages, tools, None, phase).await {
                Ok(reply) => reply,
                Err(fault) => return self.without_reply(fault),
            };
            let step = self.note_step(&reply, phase);
            conversation.assistant(&reply.content, reply.calls.clone(), reply.opaque.clone());
            let first_call = self.calls.len();
            let has_calls = !reply.calls.is_empty();
            let mut replies = Vec::with_capacity(reply.calls.len());
            for call in reply.calls {
                let answer = self.answer(step, &call, tools, conversation).await?;
                replies.push(CallReply { id: call.id, arguments: call.arguments, shown: answer });
            }
            (self.context.tell)(Progress::Step(Box::new(StepLine {
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

    /// The end of a phase whose last turn has no call.
    fn end_of_answer(&self) -> PhaseEnd {
        let last = self.steps.last().and_then(|step| step.finish.as_deref());
        if last == Some(CUT_OFF) && self.rules.cut_off_is_no_answer {
            PhaseEnd::CutOff
        } else {
            PhaseEnd::Answered
        }
    }

    /// Replays a recorded turn of an earlier start. Returns the end of the phase if the turn ends
    /// it.
    fn replay(&mut self, line: StepLine, conversation: &mut Conversation) -> Option<PhaseEnd> {
        let StepLine { step, content, calls, reply, .. } = line;
        let reply = reply.unwrap_or(StepReply { calls: Vec::new(), opaque: None });
        self.deadline.spent(Duration::try_from_secs_f64(step.latency_s).unwrap_or_default());
        self.tell_step(&step, calls.len());
        let requested = calls.iter().zip(&reply.calls).map(|(call, reply)| RequestedCall {
            id: reply.id.clone(),
            name: call.tool.clone(),
            arguments: reply.arguments.clone(),
        });
        conversation.assistant(&content, requested.collect(), reply.opaque.map(Arc::new));
        let is_over = calls.is_empty();
        for (call, reply) in calls.into_iter().zip(reply.calls) {
            let answer = reply.shown.or_else(|| call.result.clone()).unwrap_or_default();
            self.note_call(call, &reply.id, &answer, None, conversation);
        }
        self.steps.push(step);
        is_over.then(|| self.end_of_answer())
    }

    /// The end of a phase after a turn without a reply, or the reason why the attempt has no
    /// record.
    pub(super) fn without_reply(&self, fault: TurnFault) -> Result<PhaseEnd, NoRecord> {
        match fault {
            TurnFault::Cancelled => Err(NoRecord::Cancelled),
            TurnFault::TimedOut => Ok(PhaseEnd::TimedOut),
            TurnFault::Model(e) if self.refuses_everybody(&e) => Err(NoRecord::Refused(e)),
            TurnFault::Budget(NoBudget::Spent(why)) => Err(NoRecord::BudgetSpent(why)),
            TurnFault::Budget(NoBudget::Ledger(error)) => Err(NoRecord::Store(error)),
            TurnFault::Model(error) => Ok(PhaseEnd::ModelFailed(error)),
        }
    }

    fn refuses_everybody(&self, error: &ModelError) -> bool {
        matches!(
            error,
            ModelError::Unauthorized { status: 401, .. }
                | ModelError::UnknownModel { .. }
                | ModelError::Unsafe { .. }
                | ModelError::Offline(_)
        ) || self.context.retry.asks_too_much(error)
    }

    pub(super) async fn ask(
        &mut self,
        messages: &[Message],
        tools: &[ToolSpec],
        given: Option<TaskRequest<'_>>,
        phase: u8,
    ) -> Result<ModelReply, TurnFault> {
        let spec = self.context.spec;
        let step = self.steps.len() as u32 + 1;
        let request = ModelRequest {
            messages,
            tools,
            tool_choice: ToolChoice::Auto,
            listener: None,
            temperature: spec.settings.temperature,
            max_tokens: spec.settings.max_tokens,
            effort: spec.settings.effort.as_deref(),
            seed: spec.settings.seed,
            answer_schema: None,
            given,
            attempt: AttemptRef { task: &self.task.id, repetition: self.repetition, step, phase },
        };
        let (task, repetition, tell) = (&self.task.id, self.repetition, self.context.tell);
        ask(
            self.context.model,
            request,
            self.context.retry,
            &mut self.deadline,
            self.context.control,
            |stage| {
                let task = task.clone();
                tell(match stage {
                    Stage::WaitBegan(reason, wait, fault) => {
                        Progress::Waiting { task, repetition, reason: reason.clone(), wait, fault }
                    }
                    Stage::CallSent => Progress::Event(RunEventKind::StepStarted { task, repetition, step }),
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

    pub(super) fn note_step(&mut self, reply: &ModelReply, phase: u8) -> u32 {
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
            written: reply.written.clone(),
        };
        self.tell_step(&step, reply.calls.len());
        self.steps.push(step);
        self.steps.len() as u32
    }

    fn tell_step(&self, step: &StepRecord, calls: usize) {
        (self.context.tell)(Progress::Event(RunEventKind::StepFinished {
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

    /// Answers a call of the model. Returns the answer that the model received if the call failed;
    /// `None` if it succeeded, because the record of the call then contains the answer.
    async fn answer(
        &mut self,
        step: u32,
        call: &RequestedCall,
        tools: &[ToolSpec],
        conversation: &mut Conversation,
    ) -> Result<Option<Value>, NoRecord> {
        let responder = ToolResponder {
            catalog: self.context.catalog,
            cache: self.context.cache,
            made: &self.made,
            live: self.context.live,
            until: self.deadline.at(),
            injection: self.task.error_injection(),
            empty_is_none: self.rules.empty_arguments_are_none,
            offered: self.rules.refuses_unoffered_tools.then_some(tools),
        };
        let started = Instant::now();
        let outcome = tokio::select! {
            // A cached response is available at once, and is used even while the run is being
            // cancelled.
            biased;
            outcome = responder.answer(step, call) => outcome?,
            () = self.context.control.cancel.cancelled() => return Err(NoRecord::Cancelled),
        };
        let CallOutcome { record, shown } = outcome;
        let has_result = record.success;
        self.note_call(record, &call.id, &shown, Some(started.elapsed()), conversation);
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
        (self.context.tell)(Progress::Event(RunEventKind::ToolAnswered {
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
        self.made.note(self.context.catalog, &record);
        self.calls.push(record);
    }
}

pub(super) fn finish_text(finish: &FinishReason) -> Option<String> {
    match finish {
        FinishReason::Stop => Some(STOPPED.to_owned()),
        FinishReason::ToolCalls => Some(CALLED.to_owned()),
        FinishReason::Length => Some(CUT_OFF.to_owned()),
        FinishReason::ContentFilter => Some(FILTERED.to_owned()),
        FinishReason::Other(text) => text.clone(),
    }
}
