//! Judges again: each named judge answers all questions of the runs that it has not answered,
//! including the votes on SR.
//!
//! No report is written and no run is made. The answers are stored like those of a scoring, so
//! judging again can be stopped and continued.

use super::gather::LabInput;
use super::judge_names::as_asked;
use crate::Scoring;
use crate::estimate::{self, FROM_QUESTIONS};
use crate::judge_context::JudgeContext;
use crate::known_verdicts::recorded_vote;
use koab_core::say;
use koab_engine::judging::ballots;
use koab_engine::ports::Cancel;
use koab_library::options::{EvaluateOptions, FailedVerdicts, RunChoice};
use koab_library::questions::StoredBallot;
use koab_library::{LabAskEnd, LabAskPlan, LabAskRequest};
use koab_models::SpendingCaps;
use koab_models::local_models::LocalSettings;
use koab_report::EvaluationOptions;
use koab_workspace::jobs::JobKind;
use koab_workspace::{ErrorCode, WireError};
use std::sync::atomic::{AtomicUsize, Ordering};

impl Scoring {
    /// Returns the judges that the request names, without duplicates, and the address of their
    /// server.
    fn named(&self, request: &LabAskRequest) -> Result<(Vec<String>, Option<String>), WireError> {
        let mut judges: Vec<String> = Vec::new();
        for judge in request.judges.iter().map(|judge| judge.trim()) {
            if !judge.is_empty() && !judges.iter().any(|one| one == judge) {
                judges.push(judge.to_owned());
            }
        }
        if judges.is_empty() {
            return Err(WireError::bad_request(say!("name at least one judge as provider/model")));
        }
        let (judges, base_url) = self.models.resolve_judges(&judges, request.base_url.as_deref())?;
        self.models.check_providers(&judges)?;
        Ok((judges, base_url))
    }

    /// Returns an estimate of judging again, without calling judges.
    ///
    /// # Errors
    /// When no judge is named, or a run cannot be read.
    pub fn judge_again_plan(&self, request: &LabAskRequest) -> Result<LabAskPlan, WireError> {
        let (judges, base_url) = self.named(request)?;
        let gathering = self.lab_runs(&request.of)?;
        let mut plan = LabAskPlan {
            runs: gathering.runs.iter().map(|one| one.run.entry.id.clone()).collect(),
            judges: judges.iter().map(|judge| estimate::nothing(judge)).collect(),
            usd: None,
            from: FROM_QUESTIONS.into(),
        };
        for of in &gathering.runs {
            for estimate in &mut plan.judges {
                let name = self.library.model_name(&estimate.judge, base_url.as_deref());
                let recorded = as_asked(&of.recorded, &estimate.judge, &name);
                let options = alone(of, &estimate.judge);
                let questions = self.library.questions(
                    &of.run,
                    &of.dataset,
                    &options,
                    base_url.as_deref(),
                    &LocalSettings::default(),
                )?;
                for ballot in ballots(&questions.questions, 1) {
                    let question = &questions.questions[ballot.question];
                    let recorded = recorded.about(&question.task_id, question.metric);
                    let is_recorded = recorded_vote(recorded, &estimate.judge, ballot.vote).is_some();
                    match questions.stored(self.workspace.store()?, ballot, &estimate.judge)? {
                        StoredBallot::Answer(_) => estimate.known += 1,
                        _ if is_recorded => estimate.known += 1,
                        _ => estimate::add(estimate, 1.0, estimate::prompt_tokens(question)),
                    }
                }
            }
        }
        self.price_all(&mut plan.judges)?;
        plan.usd = estimate::usd(&plan.judges);
        self.library.name_judges_of(&mut plan.judges, base_url.as_deref());
        Ok(plan)
    }

    /// Asks judges the questions that they have not answered. The job is in the list of running
    /// jobs and can be stopped there. It continues if the caller is dropped.
    ///
    /// # Errors
    /// When no judge is named, a run cannot be read, no judge can be called, or the job was
    /// stopped.
    pub async fn judge_again(&self, request: LabAskRequest, cancel: &Cancel) -> Result<LabAskEnd, WireError> {
        let (api, cancel) = (self.clone(), cancel.clone());
        tokio::spawn(async move { api.judged_again(&request, &|_, _| (), &cancel).await })
            .await
            .map_err(WireError::internal)?
    }

    /// Judges again like [`Scoring::judge_again`], for the command line. `on_progress` receives the
    /// number of answered ballots and the number of all ballots.
    ///
    /// # Errors
    /// Every error of [`Scoring::judge_again`].
    pub async fn judged_again(
        &self,
        request: &LabAskRequest,
        on_progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<LabAskEnd, WireError> {
        let (judges, base_url) = self.named(request)?;
        let gathering = self.lab_runs(&request.of)?;
        let caps = SpendingCaps {
            max_cost: request.max_cost,
            max_total_tokens: request.max_total_tokens,
            ..SpendingCaps::default()
        };
        let about: Vec<String> = gathering.runs.iter().map(|one| one.run.entry.id.clone()).collect();
        let total = self.ballots_of(&gathering.runs) * judges.len();
        let underway = self.workspace.begin_job(JobKind::Judging, about, Some(cancel));
        let done = AtomicUsize::new(0);
        let progress = |_: usize, _: usize| {
            let now = done.fetch_add(1, Ordering::Relaxed) + 1;
            underway.progress(now as u64, total as u64);
            on_progress(now, total);
        };
        let mut end = LabAskEnd { stopped: false, answered: 0, failed: 0, notes: Vec::new() };
        let result = self
            .ask_all((&judges, base_url.as_deref()), &gathering.runs, &caps, (&progress, cancel), &mut end)
            .await;
        underway.finish(result.map(|()| end))
    }

    async fn ask_all(
        &self,
        (judges, base_url): (&[String], Option<&str>),
        runs: &[LabInput],
        caps: &SpendingCaps,
        (progress, cancel): (&(dyn Fn(usize, usize) + Sync), &Cancel),
        end: &mut LabAskEnd,
    ) -> Result<(), WireError> {
        let Some(first) = runs.first() else { return Ok(()) };
        let spending = EvaluateOptions {
            caps: *caps,
            ..EvaluateOptions::published(RunChoice::Run(first.run.entry.id.clone()))
        };
        let shared = self.judges_budget(&first.run, &spending, judges)?;
        let local = LocalSettings::default();
        let mut first_error: Option<WireError> = None;
        let mut has_answers = false;
        for judge in judges {
            let name = self.library.model_name(judge, base_url);
            for of in runs {
                let options = alone(of, judge);
                let recorded = as_asked(&of.recorded, judge, &name);
                let asking = JudgeContext {
                    failed: &FailedVerdicts::new(),
                    run: &of.run,
                    dataset: &of.dataset,
                    options: &options,
                    base_url,
                    local: &local,
                    shared: &shared,
                    recorded: Some(&recorded),
                    asks: true,
                    again: false,
                    remembered: false,
                };
                match self.ask_judges(&asking, progress, cancel).await {
                    Ok(said) => {
                        has_answers = true;
                        end.stopped |= said.stopped;
                        let all =
                            of.items.iter().flat_map(|item| said.verdicts.about(&item.task, item.metric));
                        for verdict in all {
                            match verdict.failure() {
                                None => end.answered += 1,
                                Some(_) => end.failed += 1,
                            }
                        }
                        for note in said.notes {
                            if !end.notes.contains(&note) {
                                end.notes.push(note);
                            }
                        }
                    }
                    Err(error) if error.code == ErrorCode::Cancelled => return Err(error),
                    Err(error) => {
                        // A judge that fails must not keep the others from answering.
                        end.notes.push(say!("{name}: {}", error.message));
                        first_error.get_or_insert(error);
                        break;
                    }
                }
            }
        }
        match first_error {
            Some(error) if !has_answers => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the number of answers that one judge has to give for these runs.
    fn ballots_of(&self, runs: &[LabInput]) -> usize {
        let votes = |of: &LabInput| of.items.iter().map(|item| item.votes).sum::<usize>();
        runs.iter().map(votes).sum()
    }
}

/// Returns scoring options with a single judge. As the first judge it also votes on SR.
fn alone(of: &LabInput, judge: &str) -> EvaluationOptions {
    let mut options = of.options.clone();
    options.panel.judges = vec![judge.to_owned()];
    options
}
