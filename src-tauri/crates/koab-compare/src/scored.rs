//! Makes, scores and reads runs one at a time, for jobs that decide after each run whether another
//! run is needed.

#[cfg(test)]
mod tests;

use koab_core::event::RunOutcome;
use koab_core::pack::PackKind;
use koab_core::protocol::Protocol;
use koab_core::run_record::{RequestedSettings, Spending};
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Amount, Cancel, EventSink};
use koab_library::RunRequest;
use koab_library::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_models::{LocalSettings, SpendingCaps};
use koab_report::Report;
use koab_report::repetitions::Repetitions;
use koab_runs::Runs;
use koab_scoring::JudgedAnswer;
use koab_store::report_files;
use koab_workspace::WireError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Amount in USD at or below which a cap counts as used up, because `SpendingCaps::left_after`
/// never returns 0.
const LEAST_USD: f64 = 1e-6;

/// Scores of the attempts by task; `None` for an attempt without a score.
pub(crate) type Scores = BTreeMap<String, Vec<Option<f64>>>;

/// Outcome of a run.
pub(crate) enum Ran {
    /// All attempts ended. The fields are the folder of the run and the number of failed attempts.
    Complete(String, u32),
    /// A cap ended the run.
    Spent,
    /// The run failed, for this reason.
    Failed(Sentence),
}

/// Outcome of a scoring.
pub(crate) struct Judged {
    /// Ids of the reports; `None` where a cap ended the scoring.
    pub(crate) reports: Result<Option<Vec<String>>, WireError>,
    /// Spending of the judges.
    pub(crate) spending: Option<Spending>,
}

/// Settings of the scoring of runs, and caps for all runs together.
pub(crate) struct Scoring<'a> {
    /// Prefix of the runs' names.
    pub(crate) name: &'static str,
    pub(crate) metric: MetricId,
    pub(crate) scorer: Protocol,
    pub(crate) judges: &'a JudgeChoice,
    pub(crate) judge_local: LocalSettings,
    pub(crate) caps: SpendingCaps,
    /// Error message when the job is cancelled.
    pub(crate) cancelled: Sentence,
}

/// Runs that are made and scored for a job. All of them share the same caps.
pub(crate) struct ScoredRuns<'a> {
    runs: &'a Runs,
    how: Scoring<'a>,
    made: Vec<String>,
    attempts: usize,
    /// Spending of each run, by name. The spending of a resumed run includes its earlier starts.
    spent: BTreeMap<String, Spending>,
    /// Spending of the judges.
    judging: Spending,
    /// Whether some spending was not reported.
    is_untold: bool,
}

impl<'a> ScoredRuns<'a> {
    pub(crate) fn new(runs: &'a Runs, how: Scoring<'a>) -> Self {
        Self {
            runs,
            how,
            made: Vec::new(),
            attempts: 0,
            spent: BTreeMap::new(),
            judging: Spending::default(),
            is_untold: false,
        }
    }

    /// USD that were spent, or `None` if some spending is not known, and ids of the runs.
    pub(crate) fn end(self) -> (Option<f64>, Vec<String>) {
        (self.usd(), self.made)
    }

    /// USD that were spent so far; `None` if the amount is not known.
    pub(crate) fn spent(&self) -> Option<f64> {
        let is_nothing = self.made.is_empty() && !self.sum("").is_asked();
        self.usd().or((is_nothing && !self.is_untold).then_some(0.0))
    }

    /// USD that were spent so far, or `None` if some spending is not known, and ids of the runs so
    /// far.
    pub(crate) fn usd_and_runs(&self) -> (Option<f64>, Vec<String>) {
        (self.usd(), self.made.clone())
    }

    /// Number of attempts that ended.
    pub(crate) fn attempts(&self) -> usize {
        self.attempts
    }

    /// Whether the spending has no known upper bound.
    pub(crate) fn is_boundless(&self) -> bool {
        self.has_no_bound(&self.sum(""))
    }

    fn has_no_bound(&self, sum: &Spending) -> bool {
        // An agent that calls a model of its own reports nothing.
        let is_told = |spending: &Spending| spending.usd.is_some() || spending.is_asked();
        self.is_untold || !self.spent.values().all(is_told) || (sum.is_asked() && sum.most().usd.is_none())
    }

    /// Spending of all judges and of all runs, without the run that has this name.
    fn sum(&self, except: &str) -> Spending {
        let mut sum = self.judging.clone();
        let others = self.spent.iter().filter(|(name, _)| *name != except);
        others.for_each(|(_, spending)| sum.add(spending));
        sum
    }

    /// Remaining caps for the run of this name, or for judges if the name is empty. A resumed run
    /// subtracts the spending of its earlier starts by itself.
    fn left_for(&self, name: &str) -> SpendingCaps {
        let sum = self.sum(name);
        let remaining = self.how.caps.left_after(Some(&sum));
        // Spending that was not reported may have used up the cap.
        let is_boundless = self.has_no_bound(&sum);
        SpendingCaps {
            max_cost: remaining.max_cost.map(|remaining| if is_boundless { 0.0 } else { remaining }),
            ..remaining
        }
    }

    /// Whether one of these caps is used up.
    fn is_spent(caps: SpendingCaps) -> bool {
        caps.max_total_tokens == Some(0) || caps.max_cost.is_some_and(|left| left <= LEAST_USD)
    }

    /// Makes and scores one run of these tasks. Returns the scores by task, or `None` if a cap
    /// ended the run.
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
            settings: RequestedSettings { repetitions, ..template.settings.clone() },
            ..template.clone()
        };
        let (run, failed) = match self.run(request, sink, cancel).await? {
            Ran::Complete(run, failed) => (run, failed),
            Ran::Spent => return Ok(None),
            Ran::Failed(why) => return Err(WireError::internal(why)),
        };
        let Some(reports) = self.score(run, failed, None, cancel).await.reports? else {
            return Ok(None);
        };
        Ok(Some(self.read([reports.first(), reports.get(1)])?))
    }

    /// Makes or resumes one run within the remaining caps.
    ///
    /// # Errors
    /// When the run cannot begin or is cancelled.
    pub(crate) async fn run(
        &mut self,
        request: RunRequest,
        sink: Arc<dyn EventSink>,
        cancel: &Cancel,
    ) -> Result<Ran, WireError> {
        let name = request.run.clone();
        let caps = self.left_for(&name);
        if Self::is_spent(caps) {
            return Ok(Ran::Spent);
        }
        let request = RunRequest {
            max_cost: caps.max_cost,
            max_total_tokens: caps.max_total_tokens,
            fixed: true,
            ..request
        };
        let end = self.runs.run(request, sink, cancel.clone()).await?;
        let folder = end.folder.clone().unwrap_or_default();
        self.made.push(folder.clone());
        self.attempts += end.done as usize;
        self.spend(name, end.spending);
        match end.outcome {
            RunOutcome::Completed => Ok(Ran::Complete(folder, end.failed)),
            RunOutcome::BudgetSpent => Ok(Ran::Spent),
            RunOutcome::Cancelled => Err(WireError::cancelled(self.how.cancelled.clone())),
            RunOutcome::Failed => Ok(Ran::Failed(end.reason.unwrap_or_default())),
        }
    }

    /// Scores a run. `counted` is the spending of earlier scorings of the run, if it is recorded
    /// outside this process.
    pub(crate) async fn score(
        &mut self,
        run: String,
        failed: u32,
        counted: Option<Amount>,
        cancel: &Cancel,
    ) -> Judged {
        if Self::is_spent(self.left_for("")) && *self.how.judges != JudgeChoice::Nobody {
            return Judged { reports: Ok(None), spending: None };
        }
        let mut scorers = vec![self.how.scorer];
        // The published rules count a technical failure as a wrong answer, so that every broken
        // connection would look like a loss. The corrected rules leave these attempts out.
        if failed > 0 && self.how.scorer == Protocol::Leaderboard {
            scorers.push(Protocol::Corrected);
        }
        let options = EvaluateOptions { scorers, counted, ..self.options(run) };
        let (scored, spending) = self.runs.scoring.evaluate_counted(&options, &|_, _| {}, cancel).await;
        if let Some(spending) = &spending {
            self.spend_judging(spending);
        }
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
            caps: self.left_for(""),
            ..EvaluateOptions::published(RunChoice::Run(run))
        }
    }

    /// Id of the most recent run.
    pub(crate) fn last(&self) -> Option<&String> {
        self.made.last()
    }

    /// Answers of a run whose scores depend on judges.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(crate) async fn judged_answers(&self, run: &str) -> Result<Vec<JudgedAnswer>, WireError> {
        let (options, how) = (self.options(run.to_owned()), &self.how);
        self.runs.scoring.judged_answers(&options, how.scorer, how.metric).await
    }

    /// Lets the judges judge these tasks of a run again. Returns for each task whether its score
    /// changed.
    ///
    /// # Errors
    /// When no judge can be reached, or the job is cancelled.
    pub(crate) async fn ask_again(
        &mut self,
        run: &str,
        tasks: &BTreeSet<String>,
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, bool>, WireError> {
        if Self::is_spent(self.left_for("")) {
            return Ok(BTreeMap::new());
        }
        let (options, how) = (self.options(run.to_owned()), &self.how);
        let judging = self.runs.scoring.ask_judges_again(&options, how.scorer, how.metric, tasks, cancel);
        // An error does not report the spending until then.
        let answers = judging.await.inspect_err(|_| self.is_untold = true)?;
        self.spend_judging(&answers.spending);
        Ok(answers.differs)
    }

    /// Scores of a report's attempts by task. A second report, scored by the corrected rules, shows
    /// which attempts failed for technical reasons.
    ///
    /// # Errors
    /// When a report cannot be read.
    pub(crate) fn read(&self, reports: [Option<&String>; 2]) -> Result<Scores, WireError> {
        let open = |id: Option<&String>| id.map(|id| self.runs.library.open_report(id)).transpose();
        let Some(report) = open(reports[0])? else {
            return Ok(Scores::new());
        };
        let metric = self.how.metric;
        let repetitions = report_files::read_repetitions::<Repetitions>(&report.folder.folder)?;
        let mut task_scores = attempts(&report.loaded.report, repetitions.as_ref(), metric);
        if let (None, Some(corrected)) = (&repetitions, open(reports[1])?) {
            let corrected_scores = scores(&corrected.loaded.report, metric);
            // Such a task stays in the result, without a score.
            for (task, attempts) in &mut task_scores {
                if corrected_scores.get(task.as_str()).copied().flatten().is_none() {
                    *attempts = vec![None];
                }
            }
        }
        Ok(task_scores)
    }

    /// USD that were spent so far; `None` if some spending is not known.
    pub(crate) fn usd(&self) -> Option<f64> {
        let sum = self.sum("");
        let is_known = sum.calls_without_usage == 0 && !self.is_untold;
        sum.usd.filter(|_| is_known)
    }

    /// Records the spending of a run over all its starts.
    pub(crate) fn spend(&mut self, name: String, spending: Option<Spending>) {
        if let Some(spending) = spending {
            self.spent.insert(name, spending);
        }
    }

    /// Records the spending of judges.
    pub(crate) fn spend_judging(&mut self, spending: &Spending) {
        self.judging.add(spending);
    }
}

/// Interface that a request came from: the command line or the window. Error messages name the
/// options or the fields of this interface.
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

/// Score of each task of a report.
pub(crate) fn scores(report: &Report, metric: MetricId) -> BTreeMap<&str, Option<f64>> {
    let tasks = report.levels.iter().flat_map(|level| &level.tasks);
    tasks.map(|task| (task.id.as_str(), task.value(metric))).collect()
}

/// Scores of all attempts of a report, task by task. If the report has no repetitions, each task
/// has one attempt.
pub(crate) fn attempts(report: &Report, repetitions: Option<&Repetitions>, metric: MetricId) -> Scores {
    let Some(repetitions) = repetitions else {
        let of_task = |(id, score): (&str, Option<f64>)| (id.to_owned(), vec![score]);
        return scores(report, metric).into_iter().map(of_task).collect();
    };
    let of_task = |task: &koab_report::repetitions::RepeatedTask| {
        let of_attempt = |attempt: &koab_report::repetitions::AttemptScores| {
            // An attempt that ended for a technical reason says nothing about the model.
            attempt.value(metric).filter(|_| attempt.technical.is_none())
        };
        (task.task.clone(), task.attempts.iter().map(of_attempt).collect())
    };
    repetitions.tasks.iter().map(of_task).collect()
}
