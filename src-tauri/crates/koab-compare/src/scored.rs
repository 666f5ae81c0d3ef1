//! Attempts that are made, scored and read back, a run at a time, until whoever asks for them knows enough.

#[cfg(test)]
mod tests;

use koab_core::event::RunOutcome;
use koab_core::pack::PackKind;
use koab_core::protocol::Protocol;
use koab_core::run_record::{Spending, TokenUsage};
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_models::LocalSettings;
use koab_report::Report;
use koab_report::repetitions::Repetitions;
use koab_runs::options::{EvaluateOptions, JudgeChoice, RunChoice, SpendingCaps};
use koab_runs::{JudgedAnswer, RunRequest, Runs, WireError};
use koab_store::report_files;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is left of a cap that is used up (`SpendingCaps::left_after` never says nothing).
const LEAST_USD: f64 = 1e-6;

/// Attempts by task; one without a score is null.
pub(crate) type Scores = BTreeMap<String, Vec<Option<f64>>>;

/// How a run ended.
pub(crate) enum Ran {
    /// All attempts ended: its folder and how many of them failed.
    Complete(String, u32),
    /// A cap ended it.
    Spent,
    /// It could not go on.
    Failed(Sentence),
}

/// How a scoring ended.
pub(crate) struct Judged {
    /// Its reports; none where a cap ended it.
    pub(crate) reports: Result<Option<Vec<String>>, WireError>,
    /// What its judges took.
    pub(crate) spending: Option<Spending>,
}

/// How runs are scored, and what all of them together may take.
pub(crate) struct Scoring<'a> {
    /// In front of the runs' ids.
    pub(crate) name: &'static str,
    pub(crate) metric: MetricId,
    pub(crate) scorer: Protocol,
    pub(crate) judges: &'a JudgeChoice,
    pub(crate) judge_local: LocalSettings,
    pub(crate) caps: SpendingCaps,
    /// What is said when it is cancelled.
    pub(crate) cancelled: Sentence,
}

/// Runs that are made for some tasks and scored.
pub(crate) struct ScoredRuns<'a> {
    runs: &'a Runs,
    how: Scoring<'a>,
    usd: Option<f64>,
    made: Vec<String>,
    attempts: usize,
    /// Whether tokens of some calls are not known, so that the sum is not.
    is_open: bool,
    /// Whether the price of somebody who was asked is not known, so that the sum of USD is not.
    is_unpriced: bool,
}

impl<'a> ScoredRuns<'a> {
    pub(crate) fn new(runs: &'a Runs, how: Scoring<'a>) -> Self {
        Self {
            runs,
            how,
            usd: None,
            made: Vec::new(),
            attempts: 0,
            is_open: false,
            is_unpriced: false,
        }
    }

    /// USD, where all of it is known, and runs.
    pub(crate) fn end(self) -> (Option<f64>, Vec<String>) {
        (self.usd(), self.made)
    }

    /// USD that are gone so far; nothing where that is not known.
    pub(crate) fn spent(&self) -> Option<f64> {
        let nothing = self.made.is_empty().then_some(0.0);
        self.usd()
            .or(nothing.filter(|_| !self.is_open && !self.is_unpriced))
    }

    /// The same so far.
    pub(crate) fn usd_and_runs(&self) -> (Option<f64>, Vec<String>) {
        (self.usd(), self.made.clone())
    }

    /// Attempts that ended.
    pub(crate) fn attempts(&self) -> usize {
        self.attempts
    }

    /// Whether a server did not say what was spent.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether a cap of all runs together leaves nothing.
    fn is_spent(&self) -> bool {
        let caps = &self.how.caps;
        caps.max_total_tokens == Some(0) || caps.max_cost.is_some_and(|left| left <= LEAST_USD)
    }

    /// Makes and scores one run of these tasks: the attempts by task, or nothing where a cap ended it.
    ///
    /// # Errors
    /// When the run cannot begin or is cancelled, or its logs cannot be scored.
    pub(crate) async fn make(
        &mut self,
        template: &RunRequest,
        tasks: Vec<String>,
        repetitions: u32,
        sink: Arc<dyn EventSink>,
        cancel: &Cancel,
    ) -> Result<Option<Scores>, WireError> {
        let request = RunRequest {
            run: format!("{}-{}", self.how.name, self.made.len()),
            tasks,
            levels: Vec::new(),
            repetitions,
            ..template.clone()
        };
        let (run, failed) = match self.run(request, sink, cancel).await? {
            Ran::Complete(run, failed) => (run, failed),
            Ran::Spent => return Ok(None),
            Ran::Failed(why) => return Err(WireError::internal(why)),
        };
        let Some(reports) = self.score(run, failed, cancel).await.reports? else {
            return Ok(None);
        };
        Ok(Some(self.read([reports.first(), reports.get(1)])?))
    }

    /// Makes or finishes one run within what is left.
    ///
    /// # Errors
    /// When the run cannot begin or is cancelled.
    pub(crate) async fn run(
        &mut self,
        request: RunRequest,
        sink: Arc<dyn EventSink>,
        cancel: &Cancel,
    ) -> Result<Ran, WireError> {
        if self.is_spent() {
            return Ok(Ran::Spent);
        }
        let request = RunRequest {
            max_cost: self.how.caps.max_cost,
            max_total_tokens: self.how.caps.max_total_tokens,
            ..request
        };
        let end = self.runs.run(request, sink, cancel.clone()).await?;
        let folder = end.folder.clone().unwrap_or_default();
        self.made.push(folder.clone());
        self.attempts += end.done as usize;
        self.spend(end.spending.as_ref());
        match end.outcome {
            RunOutcome::Completed => Ok(Ran::Complete(folder, end.failed)),
            RunOutcome::BudgetSpent => Ok(Ran::Spent),
            RunOutcome::Cancelled => Err(WireError::cancelled(self.how.cancelled.clone())),
            RunOutcome::Failed => Ok(Ran::Failed(end.reason.unwrap_or_default())),
        }
    }

    /// Scores a run: its reports, which are none where a cap ended it, and what its judges took whatever came of it.
    pub(crate) async fn score(&mut self, run: String, failed: u32, cancel: &Cancel) -> Judged {
        if self.is_spent() && *self.how.judges != JudgeChoice::Nobody {
            return Judged {
                reports: Ok(None),
                spending: None,
            };
        }
        let mut scorers = vec![self.how.scorer];
        // The published rules count a technical failure as a wrong answer, which would cry wolf at every broken connection.
        if failed > 0 && self.how.scorer == Protocol::Leaderboard {
            scorers.push(Protocol::Corrected);
        }
        let options = EvaluateOptions {
            scorers,
            ..self.options(run)
        };
        let (scored, spending) = self.runs.evaluate_counted(&options, &|_, _| {}, cancel).await;
        self.spend(spending.as_ref());
        let reports = scored.map(|scored| {
            let ids = scored.reports.into_iter().map(|view| view.id).collect();
            Some(ids).filter(|_| !scored.stopped)
        });
        Judged { reports, spending }
    }

    fn options(&self, run: String) -> EvaluateOptions {
        EvaluateOptions {
            judges: self.how.judges.clone(),
            judge_local: self.how.judge_local.clone(),
            caps: self.how.caps,
            ..EvaluateOptions::published(RunChoice::Run(run))
        }
    }

    /// The run that was made last.
    pub(crate) fn last(&self) -> Option<&String> {
        self.made.last()
    }

    /// The answers of a run that judges decide.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) async fn judged_answers(&self, run: &str) -> Result<Vec<JudgedAnswer>, WireError> {
        let (options, how) = (self.options(run.to_owned()), &self.how);
        self.runs.judged_answers(&options, how.scorer, how.metric).await
    }

    /// Asks the judges again about these tasks of a run: of each whether its score is another one now.
    ///
    /// # Errors
    /// When a judge cannot be asked at all, or it is cancelled.
    pub(crate) async fn ask_again(
        &mut self,
        run: &str,
        tasks: &BTreeSet<String>,
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, bool>, WireError> {
        if self.is_spent() {
            return Ok(BTreeMap::new());
        }
        let (options, how) = (self.options(run.to_owned()), &self.how);
        let asked = self
            .runs
            .ask_judges_again(&options, how.scorer, how.metric, tasks, cancel);
        // What was asked until then is not told.
        let asked = asked.await.inspect_err(|_| self.is_open = true)?;
        self.spend(Some(&asked.spending));
        Ok(asked.differs)
    }

    /// The attempts of a report by task; the second one, by the corrected rules, says which of them failed for technical reasons.
    ///
    /// # Errors
    /// When a report cannot be read.
    pub(crate) fn read(&self, reports: [Option<&String>; 2]) -> Result<Scores, WireError> {
        let open = |id: Option<&String>| id.map(|id| self.runs.open_report(id)).transpose();
        let Some(report) = open(reports[0])? else {
            return Ok(Scores::new());
        };
        let metric = self.how.metric;
        let kept = report_files::read_repetitions::<Repetitions>(&report.folder.folder)?;
        let mut found = attempts(&report.loaded.report, kept.as_ref(), metric);
        if let (None, Some(corrected)) = (&kept, open(reports[1])?) {
            let known = scores(&corrected.loaded.report, metric);
            // A task without a score stays one of the run's.
            for (task, attempts) in &mut found {
                if known.get(task.as_str()).copied().flatten().is_none() {
                    *attempts = vec![None];
                }
            }
        }
        Ok(found)
    }

    /// USD so far, where all of it is known.
    pub(crate) fn usd(&self) -> Option<f64> {
        self.usd.filter(|_| !self.is_open && !self.is_unpriced)
    }

    /// Takes what judges took earlier out of what is left.
    pub(crate) fn spend_judging(&mut self, usd: Option<f64>, tokens: u64) {
        let usage = TokenUsage {
            total_tokens: tokens,
            ..TokenUsage::default()
        };
        self.spend(Some(&Spending {
            usage,
            usd,
            ..Spending::default()
        }));
    }

    /// Takes what was spent out of what is left.
    pub(crate) fn spend(&mut self, spending: Option<&Spending>) {
        self.how.caps = self.how.caps.left_after(spending);
        if let Some(spending) = spending
            && (spending.calls_without_usage > 0
                || (spending.usd.is_none() && self.how.caps.max_cost.is_some()))
        {
            // What was not told may have been all that was allowed.
            self.is_open = true;
            self.how.caps.max_cost = self.how.caps.max_cost.map(|_| 0.0);
        }
        let Some(spending) = spending else { return };
        match spending.usd {
            Some(usd) => *self.usd.get_or_insert(0.0) += usd,
            // Who was asked nothing costs nothing, whatever the price.
            None => self.is_unpriced |= spending.usage.total_tokens > 0,
        }
    }
}

/// Where a question was asked: what is to be done about it is said in the words of that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    CommandLine,
    Window,
}

/// Refuses a judged metric without a judge.
pub(crate) fn check_judges(
    kind: PackKind,
    metric: MetricId,
    judges: &JudgeChoice,
    face: Face,
) -> Result<(), WireError> {
    let has_none = kind.is_judged(metric) && *judges == JudgeChoice::Nobody;
    if has_none && face == Face::Window {
        let metric = metric.name();
        return Err(WireError::bad_request(say!("{metric} is judged: choose a judge")));
    }
    if has_none && kind.is_request() {
        return Err(WireError::bad_request(say!(
            "judges decide a part of this benchmark's SR: name a judge with --judge-models"
        )));
    }
    if metric == MetricId::Sr && has_none {
        return Err(WireError::bad_request(say!(
            "SR is judged: name a judge with --judge-models, or take a metric without one, such as --metric ToolAcc"
        )));
    }
    Ok(())
}

/// The scores of a report's tasks.
pub(crate) fn scores(report: &Report, metric: MetricId) -> BTreeMap<&str, Option<f64>> {
    let tasks = report.levels.iter().flat_map(|level| &level.tasks);
    tasks.map(|task| (task.id.as_str(), task.value(metric))).collect()
}

/// All attempts of a report, task by task: those that were kept with it, else the one that it is about.
pub(crate) fn attempts(report: &Report, kept: Option<&Repetitions>, metric: MetricId) -> Scores {
    let Some(kept) = kept else {
        let of_task = |(id, score): (&str, Option<f64>)| (id.to_owned(), vec![score]);
        return scores(report, metric).into_iter().map(of_task).collect();
    };
    let of_task = |task: &koab_report::repetitions::RepeatedTask| {
        let of_attempt = |attempt: &koab_report::repetitions::AttemptScores| {
            // What ended for a technical reason says nothing about the model.
            attempt.value(metric).filter(|_| attempt.technical.is_none())
        };
        (task.task.clone(), task.attempts.iter().map(of_attempt).collect())
    };
    kept.tasks.iter().map(of_task).collect()
}
