//! Drives one attempt from its first message to its record.
//!
//! An executor shares no state with others: it uses ports and reports events to the dispatcher
//! through `tell`. Every attempt ends with a record, except when the run is cancelled or its cache
//! cannot be read.

mod agent;
mod phase;
mod request;
mod state;

pub(crate) use agent::attempt as agent_attempt;
pub(crate) use state::{AttemptContext, NoRecord, Progress};

use crate::fork::{self, ForkState};
use crate::offer;
use crate::ports::{Message, StoreError};
use crate::repeated_calls::CallsMade;
use crate::seed::{Conversation, seed, user_turns, written};
use crate::turn::Deadline;
use koab_core::fork::ForkPrefix;
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, StepLine, StopReason};
use koab_core::sentence::ToSentence;
use koab_core::task::Task;
use serde_json::Value;
use state::{Attempt, PhaseEnd, cut_off};
use tokio::time::Instant;

/// Makes one attempt. A fork continues after its prefix, an interrupted attempt after its recorded
/// steps.
pub(crate) async fn attempt(
    context: &AttemptContext<'_>,
    task: &Task,
    repetition: u32,
    prefix: Option<&ForkPrefix>,
    steps_before: Vec<StepLine>,
) -> Result<AttemptRecord, NoRecord> {
    let started = Instant::now();
    let rules = context.spec.settings.protocol.rules();
    let state = prefix
        .map(|prefix| fork::state(prefix, task, rules, context.spec.settings.full_rollout))
        .transpose()
        .map_err(|fault| NoRecord::Store(StoreError(fault.to_sentence())))?;
    let prefix_parts = |prefix: &ForkPrefix| (prefix.steps.clone(), prefix.calls.clone());
    let (steps, calls) = prefix.map(prefix_parts).unwrap_or_default();
    let kept_steps = steps_before.iter().map(|line| &line.step);
    let earlier: f64 = steps.iter().chain(kept_steps).map(|step| step.latency_s).sum();
    let attempt = Attempt {
        context,
        task,
        repetition,
        rules,
        steps,
        made: CallsMade::from_calls(context.catalog, &calls),
        calls,
        deadline: Deadline::after(context.spec.settings.timeout()),
        taken: state.as_ref().map_or(0, |state| state.taken),
        kept: steps_before.into(),
    };
    let mut record = match task.request() {
        Some(request) => attempt.one_request(request).await,
        None if task.level.is_multi_turn() => attempt.conversation(state).await,
        None => attempt.single_turn(state).await,
    }?;
    record.took_s = (started.elapsed().as_secs_f64() - record.took_s).max(0.0) + earlier;
    Ok(record)
}

impl Attempt<'_> {
    /// An attempt at an L1–L5 task: one instruction. For L5, a second conversation with the
    /// fallback tools follows if the first one has failed.
    async fn single_turn(mut self, state: Option<ForkState>) -> Result<AttemptRecord, NoRecord> {
        let tools = offer::first_phase(self.task, self.rules, self.context.catalog);
        let (mut conversation, start, second) = match state {
            Some(state) => (state.first, state.given, state.second),
            None => {
                let mut conversation = self.begun();
                conversation.user(self.task.instruction());
                let start = conversation.messages.len();
                (conversation, start, None)
            }
        };
        let mut end = match second {
            Some(_) => PhaseEnd::Answered,
            None => self.phase(&mut conversation, &tools, 1).await?,
        };
        let mut text = answer_text(&conversation);
        let finished = matches!(end, PhaseEnd::Answered | PhaseEnd::StepLimit);
        if second.is_some() || finished && self.starts_again(&text) {
            let tools = offer::second_phase(self.task, self.context.catalog);
            let mut second = second.unwrap_or_else(|| conversation.first(start));
            end = self.phase(&mut second, &tools, 2).await?;
            text = answer_text(&second);
            // One log of both phases, which has the instruction once.
            conversation.logged.extend(second.logged.into_iter().skip(start));
        }
        let is_success = matches!(end, PhaseEnd::Answered | PhaseEnd::StepLimit);
        // The record keeps the text of a cut-off answer, which is still no success.
        let has_text = is_success || matches!(end, PhaseEnd::CutOff);
        Ok(self.record(end, is_success, has_text.then_some(text), conversation.logged))
    }

    /// A new conversation, with the run's system prompt if it has one.
    fn begun(&self) -> Conversation {
        let mut conversation = Conversation::default();
        let texts = self.context.spec.texts.as_ref();
        if let Some(prompt) = texts.and_then(|texts| texts.system_prompt.as_ref()) {
            conversation.system(&prompt.text);
        }
        conversation
    }

    fn starts_again(&self, text: &str) -> bool {
        if text.is_empty() && self.rules.empty_answer_starts_again {
            return true;
        }
        let failed = self.calls.iter().any(|c| c.source == koab_core::event::AnswerSource::Injected);
        self.task.level == Level::L5 && failed && !self.rules.l5_offers_fallbacks_at_once
    }

    /// An attempt at an L6/L7 task: a seeded history and one turn, or every turn in a full rollout.
    async fn conversation(mut self, state: Option<ForkState>) -> Result<AttemptRecord, NoRecord> {
        let tools = offer::first_phase(self.task, self.rules, self.context.catalog);
        let full_rollout = self.context.spec.settings.full_rollout;
        let turns = if full_rollout { user_turns(self.task, self.rules) } else { Vec::new() };
        // The first turn to take, and whether the conversation already has its question.
        let (mut conversation, begins, midway) = match state {
            Some(state) => (state.first, state.turn, state.midway),
            None if full_rollout => (self.begun(), 0, false),
            None => {
                let ascii = self.rules.ascii_tool_results;
                let seeded = seed(self.task, self.rules, |value| written(value, ascii));
                (self.begun().and(seeded), 0, false)
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

    fn record(
        self,
        end: PhaseEnd,
        success: bool,
        text: Option<String>,
        messages: Vec<Value>,
    ) -> AttemptRecord {
        // The published runner swallows a failing model in conversations: no error, only `success:
        // false`. Here the error is always recorded; no metric reads it.
        let (stop, error) = match end {
            PhaseEnd::Answered => (StopReason::Answered, None),
            PhaseEnd::CutOff => (StopReason::CutOff, Some(cut_off(self.context.spec.settings.max_tokens))),
            PhaseEnd::StepLimit => (StopReason::StepLimit, None),
            PhaseEnd::TimedOut => (StopReason::TimedOut, Some(self.deadline.sentence())),
            PhaseEnd::ModelFailed(error) => (StopReason::ModelFailed, Some(error.to_sentence())),
        };
        AttemptRecord {
            task: self.task.id.clone(),
            level: self.task.level.clone(),
            repetition: self.repetition,
            success,
            stop,
            error,
            // Time spent waiting, which the caller subtracts from the total.
            took_s: self.deadline.waited().as_secs_f64(),
            steps: self.steps,
            calls: self.calls,
            final_response: text.filter(|t| !t.is_empty()),
            messages,
            agent: None,
        }
    }
}

/// Text of the model's last message; empty when the message only has tool calls.
fn answer_text(conversation: &Conversation) -> String {
    match conversation.messages.iter().rev().find(|m| matches!(m, Message::Assistant { .. })) {
        Some(Message::Assistant { content, .. }) => content.clone(),
        _ => String::new(),
    }
}
