//! Drives an attempt whose model somebody else's agent calls.
//!
//! The agent works in its own time; what it does reaches the attempt as tool calls at its handle
//! and replies of its model, and the record is composed from these. How it ended is decided here,
//! and not by what the agent says of itself.

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

/// Calls behind the step limit that are answered before the agent is ended.
const PATIENCE: u32 = 3;
/// How long an agent that is to end may take for it; its own ways to end what it started are
/// shorter.
const ENDING: Duration = Duration::from_secs(20);

/// An attempt under way.
struct AgentAttempt<'a> {
    context: &'a AttemptContext<'a>,
    task: &'a Task,
    repetition: u32,
    rules: Rules,
    /// Whether the agent asks a model of its own, so that no reply is heard of.
    by_arrival: bool,
    tools: Vec<ToolSpec>,
    turns: Turns,
    /// Calls that were answered so far.
    made: CallsMade,
    clock: Clock,
    /// What the user says, turn by turn.
    said: Vec<String>,
    /// Steps so far.
    steps: u32,
    /// Those of the user's earlier turns.
    steps_before: u32,
    /// Calls of the model, those without a reply included.
    model_calls: u32,
    /// Calls that came behind the step limit.
    refused: u32,
    /// Why the last model call got no reply; nothing when it got one.
    fault: Option<NoReply>,
    startup: Option<Duration>,
    /// When the last call was answered.
    answered: Option<Instant>,
    /// Whether it was refused, and so is what overlaps with it.
    last_refused: bool,
}

/// Why the attempt ends before its agent does.
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
    let rules = context.spec.protocol.rules();
    let attempt = AgentAttempt {
        context,
        task,
        repetition,
        rules,
        by_arrival: context.spec.agent.as_ref().is_some_and(|agent| agent.own_model),
        tools: offer::first_phase(task, rules, context.catalog),
        turns: Turns::default(),
        made: CallsMade::default(),
        clock: Clock::start(context.spec.timeout()),
        said: user_texts(task, rules, context.spec.full_rollout),
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
        let (handle, mut hears) = AttemptHandle::new();
        let cancel = Cancel::new();
        // The agent's surroundings must not reach a later attempt, whatever becomes of this one.
        let _over = cancel.clone().drop_guard();
        let (said, tools) = (self.said.clone(), self.tools.clone());
        let (prompt, later_turns) =
            said.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let model_calls = self.context.spec.max_steps.saturating_mul(8).saturating_add(20);
        let work = AgentWork {
            task: &self.task.id,
            repetition: self.repetition,
            prompt,
            later_turns,
            tools: &tools,
            handle,
            cancel: &cancel,
            pause: self.context.control.pause,
            most_model_calls: model_calls.saturating_mul(said.len() as u32),
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
                Some(heard) = hears.recv() => {
                    if let Err(why) = self.hear(heard).await {
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
                // Calls that still come find nobody.
                hears.close();
                match tokio::time::timeout(ENDING, works).await {
                    Ok(end) => end,
                    Err(_) => Ok(AgentEnd::default()),
                }
            }
        };
        // Replies that were told before the end count; calls find nobody any more.
        hears.close();
        while let Ok(heard) = hears.try_recv() {
            if let (None, Err(why)) = (&over, self.hear(heard).await) {
                over = Some(why);
            }
        }
        match (over, end) {
            (Some(Over::NoRecord(why)), _) => Err(why),
            (_, Err(why)) => Err(NoRecord::Agent(why)),
            (over, Ok(end)) => self.record(over, end),
        }
    }

    async fn hear(&mut self, heard: AgentEvent) -> Result<(), Over> {
        let is_work = matches!(heard, AgentEvent::Call { .. } | AgentEvent::GoesOut);
        if is_work && self.startup.is_none() {
            self.startup = Some(self.clock.taken());
        }
        let (task, repetition) = (self.task.id.clone(), self.repetition);
        match heard {
            AgentEvent::Call { tool, arguments, came, answer } => {
                let shown = self.call(tool, arguments, came).await?;
                // Who does not wait for the answer has called all the same.
                drop(answer.send(shown));
                self.answered = Some(Instant::now());
                if self.refused >= PATIENCE {
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
            AgentEvent::GoesOut => self.tell(Progress::Event(RunEventKind::StepStarted {
                task,
                repetition,
                step: self.steps + 1,
            })),
            AgentEvent::Waits(reason, wait, fault) => {
                self.clock.stop();
                self.tell(Progress::Waiting { task, repetition, reason, wait, fault });
            }
            AgentEvent::WaitsNoMore => self.clock.resume(),
        }
        Ok(())
    }

    /// What is so for every attempt ends the run; the rest is the agent's to deal with.
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
        let found = match self.by_arrival {
            true => overlaps.then(|| self.turns.last()).flatten(),
            false => self.turns.position_of(&tool, &arguments, &self.tools),
        };
        let begins = found.is_none_or(|(at, _)| self.turns.all[at.turn].told.is_none());
        let is_behind = begins && self.steps - self.steps_before >= self.context.spec.max_steps;
        self.last_refused = is_behind || self.by_arrival && overlaps && self.last_refused;
        if self.last_refused {
            self.refused += 1;
            return Ok(ToolOutput { text: r#"{"error": "step limit reached"}"#.to_owned(), is_error: true });
        }
        let at = self.turns.take(found);
        if begins {
            self.steps += 1;
            self.turns.all[at.turn].told = Some(self.steps);
            self.write_before(at.turn);
            self.tell_step(at.turn);
        }
        let step = self.turns.all[at.turn].told.unwrap_or(self.steps);
        let call =
            crate::ports::RequestedCall { id: String::new(), name: tool, arguments: arguments.clone() };
        let asked = Instant::now();
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
        let answered = tokio::select! {
            biased;
            answered = responder.answer(step, &call) => {
                answered.map_err(|why| Over::NoRecord(why.into()))?
            }
            () = self.context.control.cancel.cancelled() => return Err(Over::NoRecord(NoRecord::Cancelled)),
        };
        let CallOutcome { record, shown } = answered;
        self.made.note(self.context.catalog, &record);
        self.tell(Progress::Event(RunEventKind::ToolAnswered {
            task: self.task.id.clone(),
            repetition: self.repetition,
            step,
            tool: record.tool.clone(),
            call_id: None,
            ok: record.success,
            source: record.source,
            took_ms: Some(asked.elapsed().as_secs_f64() * 1000.0),
        }));
        let answer =
            ToolOutput { text: written(&shown, self.rules.ascii_tool_results), is_error: !record.success };
        self.turns.put(at, AnsweredCall { record, arguments, shown });
        // What overlaps with it may still come.
        if !self.by_arrival && self.turns.is_whole(at.turn, &self.tools) {
            self.write(at.turn);
        }
        Ok(answer)
    }

    fn record(self, over: Option<Over>, end: AgentEnd) -> Result<AttemptRecord, NoRecord> {
        let answer = end.answer.filter(|answer| !answer.trim().is_empty());
        // Without the gateway, an answer is all that is seen of a model.
        let worked = self.model_calls > 0 || self.steps > 0 || self.by_arrival && answer.is_some();
        let last_words = || -> Sentence { end.last_words.trim_end().to_owned().into() };
        let failed = |error: Sentence| Ok((StopReason::AgentFailed, Some(error)));
        let ended = match (over, &self.fault, &end.failed) {
            (Some(Over::NoRecord(why)), _, _) => Err(why),
            (Some(Over::TimedOut), _, _) => {
                let limit = self.context.spec.timeout();
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
            // Told while it happened.
            (None, Some(NoReply::Budget(why)), _) => Err(NoRecord::Store(StoreError(why.to_sentence()))),
            // Who had no memory left could not call anybody.
            (None, None, Some(why)) if end.out_of_memory => failed(say!("the agent failed: {}", why.clone())),
            (None, None, _) if !worked && self.by_arrival => failed(say!(
                "the agent called no tool and gave no answer; the last that it wrote: {}",
                last_words()
            )),
            (None, None, _) if !worked => failed(say!(
                "the agent called neither the model nor a tool; the last that it wrote: {}",
                last_words()
            )),
            (None, None, Some(why)) => failed(say!("the agent failed: {}", why.clone())),
            (None, None, None) if answer.is_none() => failed(say!("the agent ended without an answer")),
            (None, None, None) => Ok((StopReason::Answered, None)),
        };
        let (stop, error) = ended?;
        let kept = answer.filter(|_| stop == StopReason::Answered);
        Ok(self.composed(stop, error, kept))
    }
}
