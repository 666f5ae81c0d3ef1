//! The steps of an agent's attempt: reported and written as they occur, and numbered at the end.

use super::super::phase::finish_text;
use super::super::state::{Progress, cut_off};
use super::AgentAttempt;
use super::turns::{AnsweredCall, Turn};
use crate::seed::{Conversation, seed, written};
use koab_core::event::RunEventKind;
use koab_core::run_record::{
    AgentFacts, AttemptRecord, CUT_OFF, CallReply, StepLine, StepRecord, StepReply, StopReason, TokenUsage,
};
use koab_core::sentence::Sentence;

impl AgentAttempt<'_> {
    pub(super) fn tell(&self, progress: Progress) {
        (self.context.tell)(progress);
    }

    /// Reports a step. The model's reply is already known at that time.
    pub(super) fn tell_step(&self, turn: usize) {
        let step = step_of(&self.turns.all[turn], self.steps);
        let calls = self.turns.all[turn].reply.as_ref();
        self.tell(Progress::Event(RunEventKind::StepFinished {
            task: self.task.id.clone(),
            repetition: self.repetition,
            step: step.step,
            calls: calls
                .map_or(u32::from(self.turns.all[turn].answer.is_none()), |reply| reply.calls.len() as u32),
            prompt_tokens: step.usage.map(|usage| usage.prompt_tokens),
            completion_tokens: step.usage.map(|usage| usage.completion_tokens),
            ttft_ms: step.ttft_s.map(|seconds| seconds * 1000.0),
            latency_ms: step.latency_s * 1000.0,
            finish: step.finish,
        }));
    }

    /// Ends a turn of the user with the agent's answer. The answer is a step of its own, as in an
    /// attempt without an agent.
    pub(super) fn turn_ended(&mut self, answer: String) {
        self.write_before(usize::MAX);
        self.steps += 1;
        let at = self.turns.end_turn(answer);
        self.turns.all[at].told = Some(self.steps);
        self.tell_step(at);
        self.write(at);
        self.steps_before = self.steps;
        self.refused = 0;
        self.clock.renew();
    }

    /// Writes all steps except this one. Calls that are still missing in them rarely arrive later.
    pub(super) fn write_before(&mut self, turn: usize) {
        let open =
            (0..self.turns.all.len()).filter(|at| *at != turn && !self.turns.all[*at].calls.is_empty());
        for at in open.collect::<Vec<_>>() {
            self.write(at);
        }
    }

    /// Writes a step to the journal, at most once.
    pub(super) fn write(&mut self, turn: usize) {
        let turn = &mut self.turns.all[turn];
        if std::mem::replace(&mut turn.written, true) {
            return;
        }
        let (turn, number) = (&*turn, turn.told.unwrap_or_default());
        let calls = turn.calls.iter().map(|(_, made)| made);
        let replies = calls.clone().map(|made| CallReply {
            id: String::new(),
            arguments: made.arguments.clone(),
            shown: (!made.record.success).then(|| made.shown.clone()),
        });
        let line = StepLine {
            task: self.task.id.clone(),
            repetition: self.repetition,
            step: step_of(turn, number),
            content: turn_text(turn).to_owned(),
            reply: Some(StepReply { calls: replies.collect(), opaque: None }),
            calls: calls.map(|made| made.record.clone()).collect(),
        };
        self.tell(Progress::Step(Box::new(line)));
    }

    /// Composes the record: replies in order, each with its calls in the order of the reply.
    pub(super) fn composed(
        mut self,
        stop: StopReason,
        error: Option<Sentence>,
        answer: Option<String>,
    ) -> AttemptRecord {
        self.write_before(usize::MAX);
        let closing = answer.as_deref().and_then(|answer| self.turns.closing(answer));
        let mut facts = if self.by_arrival {
            AgentFacts { by_arrival: true, ..AgentFacts::default() }
        } else {
            self.turns.facts(closing, &self.tools)
        };
        facts.model_calls = self.model_calls;
        facts.startup_s = self.startup.map(|time| time.as_secs_f64());
        let mut conversation = self.begun();
        let mut later = std::mem::take(&mut self.said).into_iter().skip(1);
        let (mut steps, mut calls) = (Vec::new(), Vec::new());
        let ends = closing.map(|at| step_of(&self.turns.all[at], 0));
        for turn in self.turns.all {
            if turn.calls.is_empty() && turn.answer.is_none() {
                continue;
            }
            let number = steps.len() as u32 + 1;
            steps.push(step_of(&turn, number));
            conversation.assistant(turn_text(&turn), Vec::new(), None);
            for (place, (_, made)) in turn.calls.into_iter().enumerate() {
                let AnsweredCall { mut record, shown, .. } = made;
                record.step = number;
                let text = written(&shown, self.rules.ascii_tool_results);
                conversation.tool(&format!("call_{number}_{}", place + 1), &shown, text);
                calls.push(record);
            }
            if turn.answer.is_some() {
                conversation.user(&later.next().unwrap_or_default());
            }
        }
        let (mut stop, mut error) = (stop, error);
        if let Some(answer) = &answer {
            let number = steps.len() as u32 + 1;
            let last = ends.unwrap_or_else(|| no_reply(number));
            if last.finish.as_deref() == Some(CUT_OFF) && self.rules.cut_off_is_no_answer {
                stop = StopReason::CutOff;
                error = Some(cut_off(self.context.spec.settings.max_tokens));
            }
            steps.push(StepRecord { step: number, ..last });
            conversation.assistant(answer, Vec::new(), None);
        }
        AttemptRecord {
            task: self.task.id.clone(),
            level: self.task.level.clone(),
            repetition: self.repetition,
            success: stop == StopReason::Answered,
            stop,
            error,
            took_s: self.clock.taken().as_secs_f64(),
            steps,
            calls,
            final_response: answer,
            messages: conversation.logged,
            agent: Some(Box::new(facts)),
        }
    }

    /// The log's messages before the agent's first action, the same as in an attempt without an
    /// agent.
    fn begun(&self) -> Conversation {
        if self.task.level.is_multi_turn() && !self.context.spec.settings.full_rollout {
            let ascii = self.rules.ascii_tool_results;
            return seed(self.task, self.rules, |value| written(value, ascii));
        }
        let mut conversation = Conversation::default();
        conversation.user(self.said.first().map_or("", String::as_str));
        conversation
    }
}

fn turn_text(turn: &Turn) -> &str {
    if let Some(answer) = &turn.answer {
        return answer;
    }
    turn.reply.as_ref().map_or("", |reply| &reply.content)
}

fn step_of(turn: &Turn, number: u32) -> StepRecord {
    let Some(reply) = &turn.reply else {
        return no_reply(number);
    };
    StepRecord {
        step: number,
        ttft_s: reply.first_token.map(|time| time.as_secs_f64()),
        latency_s: reply.latency.as_secs_f64(),
        usage: reply.usage.map(TokenUsage::from),
        finish: finish_text(&reply.finish),
        left_out: reply.left_out,
        written: reply.written.clone(),
        ..no_reply(number)
    }
}

/// Creates a step for a turn whose reply by the model is unknown.
fn no_reply(number: u32) -> StepRecord {
    StepRecord {
        step: number,
        phase: 1,
        ttft_s: None,
        latency_s: 0.0,
        usage: None,
        finish: None,
        left_out: None,
        written: None,
    }
}
