//! Attempts that are made, scored and read back, a run at a time, until whoever asks for them knows
//! enough.

#[cfg(test)]
mod tests;

use koab_core::event::RunOutcome;
use koab_core::pack::PackKind;
use koab_core::protocol::Protocol;
use koab_core::run_record::Spending;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Amount, Cancel, EventSink};
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
    made: Vec<String>,
    attempts: usize,
    /// What each run has spent, by its name: one that goes on counts its earlier starts itself.
    spent: BTreeMap<String, Spending>,
    /// What their judges have spent.
    judging: Spending,
    /// Whether somebody was asked who did not tell what that took.
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

    /// USD, where all of it is known, and runs.
    pub(crate) fn end(self) -> (Option<f64>, Vec<String>) {
        (self.usd(), self.made)
    }

    /// USD that are gone so far; nothing where that is not known.
    pub(crate) fn spent(&self) -> Option<f64> {
        let is_nothing = self.made.is_empty() && !self.sum("").is_asked();
        self.usd().or((is_nothing && !self.is_untold).then_some(0.0))
    }

    /// The same so far.
    pub(crate) fn usd_and_runs(&self) -> (Option<f64>, Vec<String>) {
        (self.usd(), self.made.clone())
    }

    /// Attempts that ended.
    pub(crate) fn attempts(&self) -> usize {
        self.attempts
    }

    /// Whether nobody can say what was spent at most.
    pub(crate) fn is_boundless(&self) -> bool {
        self.has_no_bound(&self.sum(""))
    }

    fn has_no_bound(&self, sum: &Spending) -> bool {
        // An agent that asks a model of its own tells nothing.
        let is_told = |spending: &Spending| spending.usd.is_some() || spending.is_asked();
        self.is_untold || !self.spent.values().all(is_told) || (sum.is_asked() && sum.most().usd.is_none())
    }

    /// What all runs but the one of this name have spent, and all judges.
    fn sum(&self, but: &str) -> Spending {
        let mut sum = self.judging.clone();
        let others = self.spent.iter().filter(|(name, _)| *name != but);
        others.for_each(|(_, spending)| sum.add(spending));
        sum
    }

    /// What the caps leave to the run of this name, or to judges. The run takes out itself what its
    /// earlier starts took.
    fn left_for(&self, name: &str) -> SpendingCaps {
        let sum = self.sum(name);
        let left = self.how.caps.left_after(Some(&sum));
        // What was not told may have been all that was allowed.
        let is_boundless = self.has_no_bound(&sum);
        SpendingCaps { max_cost: left.max_cost.map(|left| if is_boundless { 0.0 } else { left }), ..left }
    }

    /// Whether these caps leave nothing.
    fn is_spent(caps: SpendingCaps) -> bool {
        caps.max_total_tokens == Some(0) || caps.max_cost.is_some_and(|left| left <= LEAST_USD)
    }

    /// Makes and scores one run of these tasks: the attempts by task, or nothing where a cap ended
    /// it.
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
        let Some(reports) = self.score(run, failed, None, cancel).await.reports? else {
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
        let name = request.run.clone();
        let left = self.left_for(&name);
        if Self::is_spent(left) {
            return Ok(Ran::Spent);
        }
        let request =
            RunRequest { max_cost: left.max_cost, max_total_tokens: left.max_total_tokens, ..request };
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

    /// Scores a run: its reports, which are none where a cap ended it, and what its judges took
    /// whatever came of it. `counted` is what is noted of its earlier scorings where that outlives
    /// this process.
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
        // The published rules count a technical failure as a wrong answer, which would cry wolf at
        // every broken connection.
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
        self.runs.scoring.judged_answers(&options, how.scorer, how.metric).await
    }

    /// Asks the judges again about these tasks of a run: of each whether its score is another one
    /// now.
    ///
    /// # Errors
    /// When a judge cannot be asked at all, or it is cancelled.
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
        let asked = self.runs.scoring.ask_judges_again(&options, how.scorer, how.metric, tasks, cancel);
        // What was asked until then is not told.
        let asked = asked.await.inspect_err(|_| self.is_untold = true)?;
        self.spend_judging(&asked.spending);
        Ok(asked.differs)
    }

    /// The attempts of a report by task; the second one, by the corrected rules, says which of them
    /// failed for technical reasons.
    ///
    /// # Errors
    /// When a report cannot be read.
    pub(crate) fn read(&self, reports: [Option<&String>; 2]) -> Result<Scores, WireError> {
        let open = |id: Option<&String>| id.map(|id| self.runs.library.open_report(id)).transpose();
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
        let sum = self.sum("");
        let is_known = sum.calls_without_usage == 0 && !self.is_untold;
        sum.usd.filter(|_| is_known)
    }

    /// Takes what a run has spent over all its starts out of what is left.
    pub(crate) fn spend(&mut self, name: String, spending: Option<Spending>) {
        if let Some(spending) = spending {
            self.spent.insert(name, spending);
        }
    }

    /// Takes what judges have spent out of what is left.
    pub(crate) fn spend_judging(&mut self, spending: &Spending) {
        self.judging.add(spending);
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

/// All attempts of a report, task by task: those that were kept with it, else the one that it is
/// about.
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
