//! The queue of runs. It belongs to the process and not to a page, so it survives a reload of the
//! page.
//!
//! The runs of the queue are made one at a time. After a run has ended and was scored, the next run
//! starts automatically, even if the last one failed. The queue is not written to the disk: after a
//! crash, the current run can be resumed, but waiting runs must be requested again.

mod judges;
mod state;

pub(crate) use state::Queue;

use crate::Runs;
use crate::runs::operator::Window;
use koab_core::event::RunOutcome;
use koab_core::say;
use koab_engine::ports::{ByHand, Cancel, Pause};
use koab_library::live::LiveRun;
use koab_library::options::EvaluateOptions;
use koab_library::{CurrentRun, EndedRun, EvaluateRequest, RunRequest, RunsNow, ScoreAfter};
use koab_models::{LocalTrial, LocalTrialRequest, SpendingCaps};
use koab_workspace::WireError;
use koab_workspace::jobs::{JobKind, Underway};
use state::Current;
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of ended runs that are returned. The list of runs contains all.
const MAX_ENDED: usize = 50;
/// Kinds of jobs that make several runs, one after the other.
const SEVERAL: [JobKind; 2] = [JobKind::Sweep, JobKind::Adaptive];

impl Runs {
    /// Adds runs to the end of the queue. If no run is being made, the first run starts before this
    /// function returns, and its events are available under its id.
    ///
    /// # Errors
    /// When a request is invalid; then no run is added. A model that cannot be called is an error
    /// only when its run starts; the run is then among the ended runs.
    pub fn run_queue(&self, requests: Vec<RunRequest>) -> Result<RunsNow, WireError> {
        if requests.is_empty() {
            return Err(WireError::bad_request(say!("no run is asked for; choose at least one model")));
        }
        for request in &requests {
            self.check_request(request)?;
        }
        let mut queue = self.queue();
        for (at, request) in requests.iter().enumerate() {
            let has_same_id = |other: &RunRequest| other.run == request.run;
            if queue.waiting.iter().chain(&requests[..at]).any(has_same_id)
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

    /// Returns the current, waiting and ended runs.
    ///
    /// # Errors
    /// Never, but all commands of the API return a `Result`.
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

    /// Removes a run from the queue.
    ///
    /// # Errors
    /// When the run is not waiting in the queue.
    pub fn run_unqueue(&self, run: &str) -> Result<RunsNow, WireError> {
        let mut queue = self.queue();
        let at = place(&queue.waiting, run)?;
        queue.waiting.remove(at);
        drop(queue);
        self.changed()
    }

    /// Moves a waiting run to a position in the queue. 0 is the front, and a position after the end
    /// means the end.
    ///
    /// # Errors
    /// When the run is not waiting in the queue.
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

    /// Notifies subscribers that the queue has changed. Runs wait only while another run is being
    /// made, so the job of that run sends the notification.
    fn changed(&self) -> Result<RunsNow, WireError> {
        for live in self.library.runs_here().iter() {
            live.job.news();
        }
        self.runs_now()
    }

    /// Empties the queue, and cancels the current run and its scoring. The program calls this
    /// before it closes.
    ///
    /// # Errors
    /// Never, but all commands of the API return a `Result`.
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

    /// Whether a run is being made or scored, or a job is running that makes several runs.
    pub fn is_busy(&self) -> bool {
        self.is_busy_with(&self.queue())
    }

    fn is_busy_with(&self, queue: &Queue) -> bool {
        queue.current.is_some() || self.current_run().is_some() || makes_several(self)
    }

    /// Refuses a job that must run alone if a run is being made or scored.
    ///
    /// # Errors
    /// When a run is being made or scored, or a job is running that makes several runs.
    pub fn check_idle(&self) -> Result<(), WireError> {
        self.check_idle_with(&self.queue())
    }

    fn check_idle_with(&self, queue: &Queue) -> Result<(), WireError> {
        if self.is_busy_with(queue) {
            Err(WireError::busy(say!("a run is already under way; cancel it or wait for it")))
        } else {
            Ok(())
        }
    }

    /// Starts a job that makes several runs. No other run may be made at the same time. `keep`
    /// stores the job's data and returns the ids that the job concerns.
    ///
    /// # Errors
    /// When a run or such a job is running, or `keep` fails.
    pub fn begin_several<T>(
        &self,
        kind: JobKind,
        cancel: &Cancel,
        keep: impl FnOnce() -> Result<(T, Vec<String>), WireError>,
    ) -> Result<(T, Underway), WireError> {
        // The lock of the queue is held until the job exists, so that no other run starts.
        let queue = self.queue();
        self.check_idle_with(&queue)?;
        let (kept, about) = keep()?;
        Ok((kept, self.workspace.begin_job(kind, about, Some(cancel))))
    }

    /// Starts a trial of a local model, see [`koab_models::Models::trial_start`].
    ///
    /// # Errors
    /// When a run or another trial is running. Errors of the model are part of the trial's result.
    pub fn local_trial_start(&self, request: LocalTrialRequest) -> Result<LocalTrial, WireError> {
        if self.is_busy() {
            return Err(WireError::busy(say!(
                "a run is under way, and both together would be slow and measured wrongly; wait until it has ended"
            )));
        }
        self.models.trial_start(request)
    }

    /// Starts the next run of the queue, unless a run or a job that makes several runs is running.
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
                queue.current = Some(Current {
                    live: Arc::clone(&live),
                    model: request.model.clone(),
                    scoring: false,
                    score: request.score.clone(),
                    caps: request.caps(),
                });
                drop(queue);
                let api = self.clone();
                tokio::spawn(async move {
                    let run = api.make(request, &live).await;
                    let error = run.error.clone();
                    let mut queue = api.queue();
                    queue.current = None;
                    // A run that could not start is removed under the lock, together with its entry
                    // among the ended runs, so that it is always in one of the two lists.
                    if run.outcome.is_none() {
                        api.leave(&live);
                    }
                    queue.note(run);
                    drop(queue);
                    api.begin_next();
                    // Finished last, so that the notified subscribers find the run among the ended
                    // ones, and the next run.
                    let _ = live.job.finish(error.map_or(Ok(()), Err));
                });
            }
            Err(error) => {
                queue.note(EndedRun { error: Some(error), ..not_started(&request) });
                drop(queue);
                self.begin_next();
            }
        }
    }

    /// Makes a run of the queue and scores it.
    async fn make(&self, request: RunRequest, live: &Arc<LiveRun>) -> EndedRun {
        let mut entry = not_started(&request);
        let score = request.score.clone();
        let caps = request.caps();
        let prepared = async {
            let mut options = self.asked_in_view(request)?;
            options.by_hand = Some(ByHand::new(Window(Arc::clone(live))));
            if let Some(score) = &score {
                // Judges are checked before the run spends anything.
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
        entry.id = live.listed();
        match end {
            Err(error) => entry.error = Some(error),
            Ok(end) => {
                entry.outcome = Some(end.outcome);
                entry.spans = end.spans;
                if end.outcome != RunOutcome::Failed
                    && end.done > 0
                    && let (Some(score), Some(id)) = (self.begin_scoring(), entry.id.clone())
                {
                    let caps = caps.with_run_caps(end.caps).left_after(end.spending.as_ref());
                    match self.score_after(&id, score, caps, &live.cancel).await {
                        Ok(reports) => entry.reports = reports,
                        Err(error) => entry.error = Some(error),
                    }
                }
            }
        }
        entry
    }

    /// Scores a run that has ended. If the run was cancelled, no judge is called and only stored
    /// answers are used.
    async fn score_after(
        &self,
        id: &str,
        score: ScoreAfter,
        caps: SpendingCaps,
        cancel: &Cancel,
    ) -> Result<Vec<String>, WireError> {
        let asks = !cancel.is_cancelled();
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
        // Scored as a job in the list of running jobs, where it can be stopped.
        let scored = self.scoring.evaluate_in_view(options, cancel).await?;
        Ok(scored.reports.into_iter().map(|view| view.id).collect())
    }
}

fn makes_several(runs: &Runs) -> bool {
    SEVERAL.iter().any(|kind| runs.workspace.has_jobs(*kind))
}

impl Queue {
    fn note(&mut self, ended: EndedRun) {
        self.ended.push_back(ended);
        if self.ended.len() > MAX_ENDED {
            self.ended.pop_front();
        }
    }
}

fn not_started(request: &RunRequest) -> EndedRun {
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
