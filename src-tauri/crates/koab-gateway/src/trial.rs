//! State of one trial in a gateway: its number of calls, its record and its spending.

use super::attempt::AttemptCalls;
use super::form::Form;
use super::model_calls::ModelCalls;
use super::neutral::Neutral;
use super::record::{Matched, Record, RecordedCall};
use super::refusal::Refusal;
use super::replay::Replay;
use super::turn_cache::TurnCache;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, Message, ModelReply};
use koab_mcp::Server;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

/// Adds a call to the sum of a trial's calls.
fn add(calls: &mut ModelCalls, call: &RecordedCall) {
    if calls.count == 0 {
        calls.cost_usd = Some(0.0);
    }
    calls.count += 1;
    calls.failed += u32::from(call.error.is_some());
    calls.replayed += u32::from(call.replayed);
    if let Some(usage) = call.usage {
        let output = usage.total_tokens.saturating_sub(usage.prompt_tokens);
        calls.input_tokens = calls.input_tokens.saturating_add(usage.prompt_tokens);
        calls.output_tokens = calls.output_tokens.saturating_add(output);
    }
    match (&mut calls.cost_usd, call.cost_usd) {
        (Some(sum), Some(cost)) => *sum += cost,
        (sum @ None, Some(cost)) if cost > 0.0 => *sum = Some(cost),
        _ => {}
    }
    if call.cost_usd.is_none() || (call.usage.is_none() && call.error.is_none()) {
        // A sum without any known cost is unknown, not 0.
        calls.cost_usd = calls.cost_usd.filter(|sum| *sum > 0.0);
        calls.note = calls.note.take().or_else(|| call.unmeasured.clone());
    }
}

/// A trial that may call the model.
pub(super) struct Trial {
    pub(super) name: String,
    /// Cancels the calls in flight.
    pub(super) cancel: Cancel,
    /// Attempt of a run, when the trial is an attempt.
    pub(super) attempt: Option<AttemptCalls>,
    /// Tools of the attempt, when the trial is an attempt.
    pub(super) tools: Option<Arc<Server>>,
    /// Lock that every call in flight holds for reading.
    open: Arc<RwLock<()>>,
    state: Mutex<State>,
}

struct State {
    last: u32,
    calls: ModelCalls,
    record: Option<Record>,
    replay: Option<Replay>,
    /// Reason why nothing more can be recorded. No further call is answered then.
    broken: Option<Sentence>,
    /// Data that models require to be sent back with their turns, such as signatures of thinking
    /// blocks.
    turns: TurnCache,
}

/// A call in flight. Its trial cannot end before this value is dropped.
pub(super) struct CallInFlight {
    pub(super) number: u32,
    _open: OwnedRwLockReadGuard<()>,
}

impl Trial {
    pub(super) fn new(name: String, cancel: Cancel, record: Option<Record>, replay: Option<Replay>) -> Self {
        Self {
            name,
            cancel,
            attempt: None,
            tools: None,
            open: Arc::default(),
            state: Mutex::new(State {
                last: 0,
                calls: ModelCalls { cost_usd: Some(0.0), ..ModelCalls::default() },
                record,
                replay,
                broken: None,
                turns: TurnCache::default(),
            }),
        }
    }

    /// Admits a call.
    ///
    /// # Errors
    /// When the trial is over or its record is broken.
    pub(super) fn enter(&self) -> Result<CallInFlight, Refusal> {
        let over = || Refusal::new(503, "trial_over", "the trial of this token is over");
        let open = Arc::clone(&self.open).try_read_owned().map_err(|_| over())?;
        if self.cancel.is_cancelled() {
            return Err(over());
        }
        let mut state = self.state();
        if let Some(why) = &state.broken {
            return Err(Refusal::new(500, "record_failed", why.clone()));
        }
        if let Some(most) = self.attempt.as_ref().map(|attempt| attempt.most)
            && state.last >= most
        {
            let message = format!("an attempt may call its model {most} times");
            return Err(Refusal::new(402, "too_many_calls", message));
        }
        state.last += 1;
        Ok(CallInFlight { number: state.last, _open: open })
    }

    /// Recorded answer to a request.
    ///
    /// # Errors
    /// When the record has no such answer.
    pub(super) fn replayed(
        &self,
        form: Form,
        request: &Neutral,
    ) -> Result<(RecordedCall, Option<Matched>), Refusal> {
        match &mut self.state().replay {
            Some(replay) => replay.next(form, request).map(|(call, matched)| (call.clone(), matched)),
            None => Err(Refusal::new(409, "not_recorded", "this trial has no record to replay")),
        }
    }

    /// Counts a finished call and appends it to the trial's record, before the caller gets the
    /// answer.
    ///
    /// # Errors
    /// When the record cannot be written. The caller must then not get the answer, and the trial
    /// gets no further answers.
    pub(super) fn over(&self, call: &RecordedCall) -> Result<(), Refusal> {
        let mut state = self.state();
        add(&mut state.calls, call);
        let result = state.record.as_mut().map_or(Ok(()), |record| record.add(call));
        result.map_err(|why| {
            let refusal = Refusal::new(500, "record_failed", why.clone());
            state.broken = Some(why);
            refusal
        })
    }

    /// Remembers the calls of a reply as the model wrote them, with the data that must be sent back
    /// to the model in later requests.
    pub(super) fn keep(&self, reply: &ModelReply) {
        self.state().turns.add(reply);
    }

    /// Restores data that the model requires to be sent back with its turns. A turn is restored
    /// only if its calls are those that the model wrote.
    pub(super) fn give_back(&self, messages: &mut [Message]) {
        self.state().turns.give_back(messages);
    }

    /// Makes this trial serve an attempt of a run, which an agent makes. The gateway then counts
    /// the attempt's model calls against its limit, and offers these tools.
    pub(super) fn of_attempt(self, attempt: AttemptCalls, tools: Server) -> Self {
        Self { attempt: Some(attempt), tools: Some(Arc::new(tools)), ..self }
    }

    /// Cancels the calls in flight, waits until they are recorded, and returns the sum of all
    /// calls.
    pub(super) async fn end(&self) -> ModelCalls {
        self.cancel.cancel();
        let _all = self.open.write().await;
        self.state().calls.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_whose_record_breaks_gets_no_answer_any_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("calls.jsonl");
        std::fs::write(&path, "").expect("written");
        let record = Record::unwritable(&path);
        let trial = Trial::new("t".to_owned(), Cancel::new(), Some(record), None);
        let call = RecordedCall { call: trial.enter().expect("let in").number, ..RecordedCall::default() };
        let refusal = trial.over(&call).expect_err("the disk refuses");
        assert_eq!((refusal.status, refusal.code), (500, "record_failed"));
        let next = trial.enter().err().expect("nothing more is asked");
        assert_eq!((next.status, next.code), (500, "record_failed"));
    }
}
