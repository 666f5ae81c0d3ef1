//! Runs one after the other: the queue lives here and not in a page, so a reload of the page loses
//! nothing.
//!
//! One run of the queue goes at a time; when it has ended and is scored, the next begins by itself,
//! however the last one ended. Nothing of it is written down: after a crash the run that was going
//! can be resumed, and those that waited have to be asked for again.

mod state;

pub(crate) use state::Queue;

use crate::Runs;
use crate::options::{EvaluateOptions, SpendingCaps};
use crate::runs::live::LiveRun;
use crate::runs::operator::Window;
use crate::wire::{CurrentRun, EndedRun, EvaluateRequest, RunRequest, RunsNow, ScoreAfter, WireError};
use koab_core::event::RunOutcome;
use koab_core::say;
use koab_engine::ports::{ByHand, Cancel, Pause};
use koab_models::{LocalTrial, LocalTrialRequest};
use koab_workspace::jobs::{JobKind, Underway};
use state::Current;
use std::collections::VecDeque;
use std::sync::{Arc, MutexGuard, PoisonError};

/// Runs that ended are told of this many at most; the list of runs has them all.
const ENDED_KEPT: usize = 50;
/// Work that makes runs of its own, one after the other.
const SEVERAL: [JobKind; 2] = [JobKind::Sweep, JobKind::Adaptive];

impl Runs {
    /// Puts runs at the end of the queue. When nothing is under way the first of them begins before
    /// this returns, and can be watched by its id.
    ///
    /// # Errors
    /// When one of the requests makes no sense: then none is taken. Whether a model can be asked
    /// turns out when its turn comes, and is told among the runs that ended.
    pub fn run_queue(&self, requests: Vec<RunRequest>) -> Result<RunsNow, WireError> {
        if requests.is_empty() {
            return Err(WireError::bad_request(say!("no run is asked for; choose at least one model")));
        }
        for request in &requests {
            self.check_request(request)?;
        }
        let mut queue = self.queue();
        for (at, request) in requests.iter().enumerate() {
            let known = |other: &RunRequest| other.run == request.run;
            if queue.waiting.iter().chain(&requests[..at]).any(known)
                || self.library.live_run(&request.run).is_some()
            {
                return Err(WireError::bad_request(say!("there is a run {} already", request.run)));
            }
        }
        queue.waiting.extend(requests);
        drop(queue);
        self.begin_next();
        self.changed()
    }

    /// The run under way, those that wait and those that have ended.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn runs_now(&self) -> Result<RunsNow, WireError> {
        let queue = self.queue();
        let current = queue.current.as_ref().map(|current| CurrentRun {
            run: current.live.run.clone(),
            id: current.live.listed(),
            model: current.model.clone(),
            paused: current.live.pause.is_on(),
            scoring: current.scoring,
            spans_to: current.live.spans_to.get().cloned(),
            by_hand: current.live.hand.task(),
        });
        Ok(RunsNow {
            current,
            queue: queue.waiting.iter().cloned().collect(),
            ended: queue.ended.iter().cloned().collect(),
        })
    }

    /// Takes a run out of the queue.
    ///
    /// # Errors
    /// When it does not wait there (any more).
    pub fn run_unqueue(&self, run: &str) -> Result<RunsNow, WireError> {
        let mut queue = self.queue();
        let at = place(&queue.waiting, run)?;
        queue.waiting.remove(at);
        drop(queue);
        self.changed()
    }

    /// Moves a waiting run to a place of the queue, 0 for the front; places behind the end mean the
    /// end.
    ///
    /// # Errors
    /// When it does not wait there (any more).
    pub fn run_move(&self, run: &str, to: u32) -> Result<RunsNow, WireError> {
        let mut queue = self.queue();
        let at = place(&queue.waiting, run)?;
        if let Some(request) = queue.waiting.remove(at) {
            let to = queue.waiting.len().min(to as usize);
            queue.waiting.insert(to, request);
        }
        drop(queue);
        self.changed()
    }

    /// The queue is other than before. Nothing waits unless a run goes, and its job says so.
    fn changed(&self) -> Result<RunsNow, WireError> {
        for live in self.library.runs_here().iter() {
            live.job.news();
        }
        self.runs_now()
    }

    /// Empties the queue and cancels what is under way, scoring included: the program is about to
    /// be closed.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn runs_stop(&self) -> Result<(), WireError> {
        self.queue().waiting.clear();
        SEVERAL.iter().for_each(|kind| self.workspace.cancel_kind(*kind));
        self.changed()?;
        if let Some(run) = self.current_run() {
            self.run_cancel(&run)?;
        }
        if let Some(current) = &self.queue().current {
            self.workspace.cancel_jobs(JobKind::Run, &current.live.run);
        }
        Ok(())
    }

    /// Whether a run, or work that makes several, is under way, or a run is being scored.
    pub fn is_busy(&self) -> bool {
        self.is_busy_with(&self.queue())
    }

    fn is_busy_with(&self, queue: &Queue) -> bool {
        queue.current.is_some() || self.current_run().is_some() || self.makes_several()
    }

    /// Refuses work that is to go alone while something is under way.
    ///
    /// # Errors
    /// When something is.
    pub fn check_idle(&self) -> Result<(), WireError> {
        self.check_idle_with(&self.queue())
    }

    fn check_idle_with(&self, queue: &Queue) -> Result<(), WireError> {
        match self.is_busy_with(queue) {
            true => Err(WireError::busy(say!("a run is already under way; cancel it or wait for it"))),
            false => Ok(()),
        }
    }

    /// Begins the job of work that makes several runs, which goes alone: `keep` puts down what it
    /// is, and says what the job is about.
    ///
    /// # Errors
    /// When something is under way, or `keep` fails.
    pub fn begin_several<T>(
        &self,
        kind: JobKind,
        cancel: &Cancel,
        keep: impl FnOnce() -> Result<(T, Vec<String>), WireError>,
    ) -> Result<(T, Underway), WireError> {
        // Until the job is there nothing else may begin, a run of the queue neither.
        let queue = self.queue();
        self.check_idle_with(&queue)?;
        let (kept, about) = keep()?;
        Ok((kept, self.workspace.begin_job(kind, about, Some(cancel))))
    }

    fn makes_several(&self) -> bool {
        SEVERAL.iter().any(|kind| self.workspace.has_jobs(*kind))
    }

    /// Begins to try a model, as [`koab_models::Models::trial_start`] does.
    ///
    /// # Errors
    /// When a run or another trial is under way. What is wrong with the model is told by the trial.
    pub fn local_trial_start(&self, request: LocalTrialRequest) -> Result<LocalTrial, WireError> {
        if self.is_busy() {
            return Err(WireError::busy(say!(
                "a run is under way, and both together would be slow and measured wrongly; wait until it has ended"
            )));
        }
        self.models.trial_start(request)
    }

    /// Begins the next run of the queue unless one, or work that makes several, is under way.
    pub fn begin_next(&self) {
        let mut queue = self.queue();
        if self.is_busy_with(&queue) {
            return;
        }
        let Some(request) = queue.waiting.pop_front() else {
            return;
        };
        match self.enter(&request.run, Cancel::new(), Pause::that_waits_for_servers()) {
            Ok(live) => {
                queue.current =
                    Some(Current { live: Arc::clone(&live), model: request.model.clone(), scoring: false });
                drop(queue);
                let api = self.clone();
                tokio::spawn(async move {
                    let ended = api.make(request, &live).await;
                    let error = ended.error.clone();
                    let mut queue = api.queue();
                    queue.current = None;
                    // One that could not begin is gone only when it stands among those that ended:
                    // whoever looks in between finds it in one of the two places.
                    if ended.outcome.is_none() {
                        api.leave(&live);
                    }
                    queue.note(ended);
                    drop(queue);
                    api.begin_next();
                    // Last: whoever hears of its end finds it among those that ended, and what goes
                    // by then.
                    let _ = live.job.finish(error.map_or(Ok(()), Err));
                });
            }
            Err(error) => {
                queue.note(EndedRun { error: Some(error), ..unbegun(&request) });
                drop(queue);
                self.begin_next();
            }
        }
    }

    /// Makes a run and scores it.
    async fn make(&self, request: RunRequest, live: &Arc<LiveRun>) -> EndedRun {
        let mut ended = unbegun(&request);
        let score = request.score.clone();
        let caps = request.caps();
        let prepared = async {
            let mut options = self.asked_in_view(request)?;
            options.by_hand = Some(ByHand::new(Window(Arc::clone(live))));
            if let Some(score) = &score {
                // A judge that cannot be asked is known now, and not after the run has cost what it
                // costs.
                let local = score.judge_local.clone().unwrap_or_default();
                self.scoring.check_judges(&score.judges, score.judge_base_url.as_deref(), &local).await?;
                self.scoring.check_judge_caps(&score.judges, &caps)?;
            }
            let prepared = self.prepare(&options, Arc::clone(live), &live.cancel).await?;
            if let (Some(score), Some(id)) = (&score, live.id.get()) {
                let local = score.judge_local.clone().unwrap_or_default();
                self.scoring.remember_judges(id, &score.judges, score.judge_base_url.as_deref(), &local)?;
            }
            Ok(prepared)
        };
        let prepared = tokio::select! {
            biased;
            () = live.cancel.cancelled() => {
                Err(WireError::cancelled(say!("cancelled before the run began")))
            }
            prepared = prepared => prepared,
        };
        let end = match prepared {
            Ok(prepared) => self.carry_out(prepared, live, live.cancel.clone()).await,
            Err(error) => Err(error),
        };
        ended.id = live.listed();
        match end {
            Err(error) => ended.error = Some(error),
            Ok(end) => {
                ended.outcome = Some(end.outcome);
                ended.spans = end.spans;
                if let (Some(score), Some(id)) = (score, ended.id.clone())
                    && end.outcome != RunOutcome::Failed
                    && end.done > 0
                {
                    let caps = caps.left_after(end.spending.as_ref());
                    match self.score_after(&id, score, caps, &live.cancel).await {
                        Ok(reports) => ended.reports = reports,
                        Err(error) => ended.error = Some(error),
                    }
                }
            }
        }
        ended
    }

    /// Scores a run that has ended. Who cancelled it wants no more of it: then judges are asked
    /// nothing, and what they said earlier counts.
    async fn score_after(
        &self,
        id: &str,
        score: ScoreAfter,
        caps: SpendingCaps,
        cancel: &Cancel,
    ) -> Result<Vec<String>, WireError> {
        let asks = !cancel.is_cancelled();
        if let Some(current) = self.queue().current.as_mut() {
            current.scoring = true;
            current.live.job.news();
        }
        let request = EvaluateRequest {
            run: id.to_owned(),
            scorer: score.scorers.first().copied().unwrap_or_default(),
            judges: score.judges,
            judge_base_url: score.judge_base_url,
            judge_local: score.judge_local,
            max_cost: None,
            max_total_tokens: None,
        };
        let options =
            EvaluateOptions { scorers: score.scorers, caps, asks, ..EvaluateOptions::from(request) };
        // As the window scores a run by hand: it shows among what is under way, and can be stopped
        // there as well.
        let scored = self.scoring.evaluate_in_view(options, cancel).await?;
        Ok(scored.reports.into_iter().map(|view| view.id).collect())
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.inner.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn note(&mut self, ended: EndedRun) {
        self.ended.push_back(ended);
        if self.ended.len() > ENDED_KEPT {
            self.ended.pop_front();
        }
    }
}

fn unbegun(request: &RunRequest) -> EndedRun {
    EndedRun {
        run: request.run.clone(),
        id: None,
        model: request.model.clone(),
        outcome: None,
        error: None,
        reports: Vec::new(),
        spans: None,
    }
}

fn place(waiting: &VecDeque<RunRequest>, run: &str) -> Result<usize, WireError> {
    waiting
        .iter()
        .position(|request| request.run == run)
        .ok_or_else(|| WireError::not_found(say!("no run {run} waits in the queue")))
}

#[cfg(test)]
mod tests;
