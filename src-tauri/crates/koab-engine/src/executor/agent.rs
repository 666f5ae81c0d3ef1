//! Drives an attempt of an agent, an external program that calls the model.
//!
//! The agent works on its own. The attempt receives the agent's tool calls through a handle,
//! receives the replies of its model, and composes the record from both. The attempt determines how
//! it ended; it does not rely on the agent's own statement.

mod clock;
mod compose;
mod turns;

use super::state::{AttemptContext, NoRecord, Progress};
use crate::budget::NoBudget;
use crate::offer;
use crate::ports::{
    Agent, AgentEnd, AgentEvent, AgentWork, AttemptHandle, Cancel, ModelError, NoReply, StoreError,
    ToolOutput,
};
use crate::prompt::user_texts;
use crate::repeated_calls::CallsMade;
use crate::seed::written;
use crate::tools::{CallOutcome, ToolResponder};
use clock::Clock;
use koab_core::event::RunEventKind;
use koab_core::protocol::Rules;
use koab_core::run_record::{AttemptRecord, StopReason};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_core::task::Task;
use koab_core::tool::ToolSpec;
use std::time::Duration;
use tokio::time::Instant;
use turns::{AnsweredCall, Turns};

/// Number of calls beyond the step limit that are refused before the agent is ended.
const MAX_REFUSED_CALLS: u32 = 3;
/// Time limit for ending an agent. It is longer than the agent's own limits for ending its
/// processes.
const ENDING_TIMEOUT: Duration = Duration::from_secs(20);

/// An agent's attempt in progress.
struct AgentAttempt<'a> {
    context: &'a AttemptContext<'a>,
    task: &'a Task,
    repetition: u32,
    rules: Rules,
    /// Whether the agent calls a model of its own, so that the model's replies are unknown.
    by_arrival: bool,
    tools: Vec<ToolSpec>,
    turns: Turns,
    /// Number of calls answered so far.
    made: CallsMade,
    clock: Clock,
    /// Texts of the user's turns for the agent.
    said: Vec<String>,
    /// Number of steps so far.
    steps: u32,
    /// Number of steps in the user's earlier turns.
    steps_before: u32,
    /// Number of model calls, including those without a reply.
    model_calls: u32,
    /// Number of calls beyond the step limit.
    refused: u32,
    /// Reason why the last model call got no reply; `None` if it got a reply.
    fault: Option<NoReply>,
    startup: Option<Duration>,
    /// Time of the last answered call.
    answered: Option<Instant>,
    /// Whether the last call was refused; calls that overlap with it are refused as well.
    last_refused: bool,
}

/// Reason for stopping an attempt while its agent is still running.
enum Over {
    TimedOut,
    StepLimit,
    NoRecord(NoRecord),
}

/// Makes one attempt with an agent.
pub(crate) async fn attempt(
    context: &AttemptContext<'_>,
    agent: &dyn Agent,
    task: &Task,
    repetition: u32,
) -> Result<AttemptRecord, NoRecord> {
    let rules = context.spec.settings.protocol.rules();
    let attempt = AgentAttempt {
        context,
        task,
        repetition,
        rules,
        by_arrival: context.spec.agent.as_ref().is_some_and(|agent| agent.own_model),
        tools: offer::first_phase(task, rules, context.catalog),
        turns: Turns::default(),
        made: CallsMade::default(),
        clock: Clock::start(context.spec.settings.timeout()),
        said: user_texts(task, rules, context.spec.settings.full_rollout),
        steps: 0,
        steps_before: 0,
        model_calls: 0,
        refused: 0,
        fault: None,
        startup: None,
        answered: None,
        last_refused: false,
    };
    attempt.run(agent).await
}

impl AgentAttempt<'_> {
    async fn run(mut self, agent: &dyn Agent) -> Result<AttemptRecord, NoRecord> {
        let (handle, mut events) = AttemptHandle::new();
        let cancel = Cancel::new();
        // The agent's environment must not reach a later attempt, however this one ends.
        let _over = cancel.clone().drop_guard();
        let (texts, tools) = (self.said.clone(), self.tools.clone());
        let (prompt, later_turns) =
            texts.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let model_calls = self.context.spec.settings.max_steps.saturating_mul(8).saturating_add(20);
        let work = AgentWork {
            task: &self.task.id,
            repetition: self.repetition,
            prompt,
            later_turns,
            tools: &tools,
            handle,
            cancel: &cancel,
            pause: self.context.control.pause,
            most_model_calls: model_calls.saturating_mul(texts.len() as u32),
        };
        let works = agent.attempt(work);
        tokio::pin!(works);
        let mut over = None;
        let end = loop {
            tokio::select! {
                biased;
                () = self.context.control.cancel.cancelled(), if over.is_none() => {
                    over = Some(Over::NoRecord(NoRecord::Cancelled));
                    break None;
                }
                Some(event) = events.recv() => {
                    if let Err(why) = self.hear(event).await {
                        over = Some(why);
                        break None;
                    }
                }
                () = self.clock.up() => {
                    over = Some(Over::TimedOut);
                    break None;
                }
                end = &mut works => break Some(end),
            }
        };
        let end = match end {
            Some(end) => end,
            None => {
                cancel.cancel();
                // Further calls get no answer.
                events.close();
                match tokio::time::timeout(ENDING_TIMEOUT, works).await {
                    Ok(end) => end,
                    Err(_) => Ok(AgentEnd::default()),
                }
            }
        };
        // Replies before the end count; further calls get no answer.
        events.close();
        while let Ok(event) = events.try_recv() {
            if let (None, Err(why)) = (&over, self.hear(event).await) {
                over = Some(why);
            }
        }
        match (over, end) {
            (Some(Over::NoRecord(why)), _) => Err(why),
            (_, Err(why)) => Err(NoRecord::Agent(why)),
            (over, Ok(end)) => self.record(over, end),
        }
    }

    async fn hear(&mut self, event: AgentEvent) -> Result<(), Over> {
        let is_work = matches!(event, AgentEvent::Call { .. } | AgentEvent::CallSent);
        if is_work && self.startup.is_none() {
            self.startup = Some(self.clock.taken());
        }
        let (task, repetition) = (self.task.id.clone(), self.repetition);
        match event {
            AgentEvent::Call { tool, arguments, came, answer } => {
                let output = self.call(tool, arguments, came).await?;
                // The call counts even if the agent does not wait for the answer.
                drop(answer.send(output));
                self.answered = Some(Instant::now());
                if self.refused >= MAX_REFUSED_CALLS {
                    return Err(Over::StepLimit);
                }
            }
            AgentEvent::Reply(reply) => {
                self.model_calls += 1;
                self.fault = None;
                self.turns.reply(*reply);
            }
            AgentEvent::NoReply(why) => {
                self.model_calls += 1;
                return self.no_reply(*why);
            }
            AgentEvent::TurnEnded(answer) => self.turn_ended(answer),
            AgentEvent::CallSent => self.tell(Progress::Event(RunEventKind::StepStarted {
                task,
                repetition,
                step: self.steps + 1,
            })),
            AgentEvent::WaitBegan(reason, wait, fault) => {
                self.clock.stop();
                self.tell(Progress::Waiting { task, repetition, reason, wait, fault });
            }
            AgentEvent::WaitEnded => self.clock.resume(),
        }
        Ok(())
    }

    /// Ends the run after a fault that all attempts would have. The agent has to handle all other
    /// faults.
    fn no_reply(&mut self, why: NoReply) -> Result<(), Over> {
        let everybody = |error: &ModelError| {
            matches!(
                error,
                ModelError::Unauthorized { status: 401, .. }
                    | ModelError::UnknownModel { .. }
                    | ModelError::Offline(_)
            ) || self.context.retry.asks_too_much(error)
        };
        match why {
            NoReply::Budget(NoBudget::Spent(why)) => Err(Over::NoRecord(NoRecord::BudgetSpent(why))),
            NoReply::Budget(NoBudget::Ledger(error)) => Err(Over::NoRecord(NoRecord::Store(error))),
            NoReply::Model(error) if everybody(&error) => Err(Over::NoRecord(NoRecord::Refused(error))),
            fault => {
                self.fault = Some(fault);
                Ok(())
            }
        }
    }

    async fn call(&mut self, tool: String, arguments: String, came: Instant) -> Result<ToolOutput, Over> {
        let overlaps = self.answered.is_some_and(|answered| came < answered);
        let position = if self.by_arrival {
            overlaps.then(|| self.turns.last()).flatten()
        } else {
            self.turns.position_of(&tool, &arguments, &self.tools)
        };
        let begins = position.is_none_or(|(at, _)| self.turns.all[at.turn].told.is_none());
        let is_behind = begins && self.steps - self.steps_before >= self.context.spec.settings.max_steps;
        self.last_refused = is_behind || self.by_arrival && overlaps && self.last_refused;
        if self.last_refused {
            self.refused += 1;
            return Ok(ToolOutput { text: r#"{"error": "step limit reached"}"#.to_owned(), is_error: true });
        }
        let at = self.turns.take(position);
        if begins {
            self.steps += 1;
            self.turns.all[at.turn].told = Some(self.steps);
            self.write_before(at.turn);
            self.tell_step(at.turn);
        }
        let step = self.turns.all[at.turn].told.unwrap_or(self.steps);
        let call =
            crate::ports::RequestedCall { id: String::new(), name: tool, arguments: arguments.clone() };
        let started = Instant::now();
        let responder = ToolResponder {
            catalog: self.context.catalog,
            cache: self.context.cache,
            made: &self.made,
            live: self.context.live,
            until: self.clock.at(),
            injection: self.task.error_injection(),
            empty_is_none: self.rules.empty_arguments_are_none,
            offered: self.rules.refuses_unoffered_tools.then_some(&self.tools[..]),
        };
        let outcome = tokio::select! {
            biased;
            outcome = responder.answer(step, &call) => {
                outcome.map_err(|why| Over::NoRecord(why.into()))?
            }
            () = self.context.control.cancel.cancelled() => return Err(Over::NoRecord(NoRecord::Cancelled)),
        };
        let CallOutcome { record, shown } = outcome;
        self.made.note(self.context.catalog, &record);
        self.tell(Progress::Event(RunEventKind::ToolAnswered {
            task: self.task.id.clone(),
            repetition: self.repetition,
            step,
            tool: record.tool.clone(),
            call_id: None,
            ok: record.success,
            source: record.source,
            took_ms: Some(started.elapsed().as_secs_f64() * 1000.0),
        }));
        let answer =
            ToolOutput { text: written(&shown, self.rules.ascii_tool_results), is_error: !record.success };
        self.turns.put(at, AnsweredCall { record, arguments, shown });
        // Calls that overlap with it may still arrive.
        if !self.by_arrival && self.turns.is_whole(at.turn, &self.tools) {
            self.write(at.turn);
        }
        Ok(answer)
    }

    fn record(self, over: Option<Over>, end: AgentEnd) -> Result<AttemptRecord, NoRecord> {
        let answer = end.answer.filter(|answer| !answer.trim().is_empty());
        // Without the gateway, only the answer shows that the model worked.
        let worked = self.model_calls > 0 || self.steps > 0 || self.by_arrival && answer.is_some();
        let last_words = || -> Sentence { end.last_words.trim_end().to_owned().into() };
        let failed = |error: Sentence| Ok((StopReason::AgentFailed, Some(error)));
        let result = match (over, &self.fault, &end.failed) {
            (Some(Over::NoRecord(why)), _, _) => Err(why),
            (Some(Over::TimedOut), _, _) => {
                let limit = self.context.spec.settings.timeout();
                let error = say!("Task exceeded timeout of {} seconds", limit.as_secs_f64());
                Ok((StopReason::TimedOut, Some(error)))
            }
            (Some(Over::StepLimit), _, _) => Ok((StopReason::StepLimit, None)),
            (None, Some(NoReply::Model(error)), _) => {
                Ok((StopReason::ModelFailed, Some(error.to_sentence())))
            }
            (None, Some(NoReply::TimedOut(error)), _) => Ok((StopReason::ModelFailed, Some(error.clone()))),
            (None, Some(NoReply::Refused(why)), _) => {
                failed(say!("the model gateway refused the agent's last request: {}", why.clone()))
            }
            // The fault was reported when it happened.
            (None, Some(NoReply::Budget(why)), _) => Err(NoRecord::Store(StoreError(why.to_sentence()))),
            // An agent without memory could not make any call.
            (None, None, Some(why)) if end.out_of_memory => failed(say!("the agent failed: {}", why.clone())),
            (None, None, _) if !worked && self.by_arrival => {
                failed(say!("the agent called no tool and gave no answer; its last output: {}", last_words()))
            }
            (None, None, _) if !worked => failed(say!(
                "the agent called neither the model nor a tool; its last output: {}",
                last_words()
            )),
            (None, None, Some(why)) => failed(say!("the agent failed: {}", why.clone())),
            (None, None, None) if answer.is_none() => failed(say!("the agent ended without an answer")),
            (None, None, None) => Ok((StopReason::Answered, None)),
        };
        let (stop, error) = result?;
        let answer = answer.filter(|_| stop == StopReason::Answered);
        Ok(self.composed(stop, error, answer))
    }
}
