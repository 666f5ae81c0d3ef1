//! The same question asked again: how often a judge contradicts itself. What it says then is kept
//! nowhere, and no score has it.

use super::evaluation::evaluation_options;
use super::judges::JudgeContext;
use super::questions::QuestionAttempt;
use crate::Scoring;
use crate::options::{EvaluateOptions, FailedVerdicts, JudgeChoice};
use crate::scoring::run::Run;
use crate::wire::WireError;
use koab_core::judge::Verdicts;
use koab_core::protocol::Protocol;
use koab_core::run_record::Spending;
use koab_core::score::MetricId;
use koab_engine::budget::Budget;
use koab_engine::ports::Cancel;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, EvaluationOptions, evaluate};
use std::collections::{BTreeMap, BTreeSet};

/// The repetition that logs have.
const FIRST: u32 = 1;

/// An answer that a judge decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedAnswer {
    /// The task that it is to.
    pub task: String,
    /// Which attempt at it; the one in the log is the first.
    pub repetition: u32,
    /// The hash of the question about it: answers with the same one are one verdict.
    pub question: String,
}

/// What judges said when they were asked again.
#[derive(Clone, Debug)]
pub struct RejudgeResult {
    /// Of each task whether its score is another one now; those without a score either time are
    /// left out.
    pub differs: BTreeMap<String, bool>,
    /// What it took.
    pub spending: Spending,
}

/// A scored run as its judges were asked about it.
struct JudgedRun {
    run: Run,
    dataset: Dataset,
    evaluation: EvaluationOptions,
    base_url: Option<String>,
    local: LocalSettings,
}

impl JudgedRun {
    /// What the judges said when the run was scored.
    fn context<'a>(&'a self, shared: &'a Budget, failed: &'a FailedVerdicts) -> JudgeContext<'a> {
        JudgeContext {
            run: &self.run,
            dataset: &self.dataset,
            options: &self.evaluation,
            base_url: self.base_url.as_deref(),
            local: &self.local,
            shared,
            recorded: None,
            asks: false,
            again: false,
            failed,
            remembered: false,
        }
    }

    fn scores(&self, verdicts: &Verdicts, metric: MetricId) -> BTreeMap<String, f64> {
        let report = evaluate(&self.run.logs, &self.dataset, verdicts, &self.evaluation);
        let tasks = report.levels.into_iter().flat_map(|level| level.tasks);
        let scored = tasks.filter_map(|task| Some((task.id.clone(), task.value(metric)?)));
        scored.collect()
    }
}

/// Leaves out the other tasks of a run.
fn keep(run: &mut Run, is_kept: impl Fn(&str) -> bool) {
    for log in &mut run.logs {
        log.tasks.retain(|task| is_kept(&task.id));
    }
}

impl Scoring {
    /// The answers of a run whose metric judges decide, of all repetitions, in the order of the
    /// questions.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub async fn judged_answers(
        &self,
        options: &EvaluateOptions,
        scorer: Protocol,
        metric: MetricId,
    ) -> Result<Vec<JudgedAnswer>, WireError> {
        let Some(mut of) = self.judged_run(options, scorer).await? else {
            return Ok(Vec::new());
        };
        of.run = self.with_attempts(of.run, options)?;
        let (base_url, local) = (of.base_url.as_deref(), &of.local);
        let asked = self.library.questions(&of.run, &of.dataset, &of.evaluation, base_url, local)?;
        let mut answers = Vec::new();
        for (at, question) in asked.questions.iter().enumerate() {
            if question.metric == metric {
                answers.extend(asked.about[at].iter().map(|about| JudgedAnswer {
                    task: question.task_id.clone(),
                    repetition: match about {
                        QuestionAttempt::Logged => FIRST,
                        QuestionAttempt::Later(repetition) => *repetition,
                    },
                    question: asked.hash(at).to_owned(),
                }));
            }
        }
        Ok(answers)
    }

    /// Asks the judges of a scored run again about these tasks, all votes anew, and sees whether
    /// their scores change.
    ///
    /// # Errors
    /// When the run cannot be read, a judge cannot be asked at all, or it is cancelled.
    pub async fn ask_judges_again(
        &self,
        options: &EvaluateOptions,
        scorer: Protocol,
        metric: MetricId,
        tasks: &BTreeSet<String>,
        cancel: &Cancel,
    ) -> Result<RejudgeResult, WireError> {
        let mut found = RejudgeResult { differs: BTreeMap::new(), spending: Spending::default() };
        let Some(mut of) = self.judged_run(options, scorer).await? else {
            return Ok(found);
        };
        keep(&mut of.run, |task| tasks.contains(task));
        let shared = self.judges_budget(&of.run, options, &of.evaluation.panel.judges)?;
        let failed = FailedVerdicts::new();
        let first = of.context(&shared, &failed);
        let then = self.ask_judges(&first, &|_, _| {}, cancel).await?.verdicts;
        let then = of.scores(&then, metric);
        // What was never judged cannot be judged otherwise.
        keep(&mut of.run, |task| then.contains_key(task));
        let second = JudgeContext { asks: true, again: true, ..of.context(&shared, &failed) };
        let now = self.ask_judges(&second, &|_, _| {}, cancel).await?.verdicts;
        let now = of.scores(&now, metric);
        let both = then.into_iter().filter_map(|(task, then)| Some((*now.get(&task)? != then, task)));
        found.differs = both.map(|(differs, task)| (task, differs)).collect();
        found.spending = shared.spending();
        Ok(found)
    }

    /// The run with its judges; nothing where no models judge.
    async fn judged_run(
        &self,
        options: &EvaluateOptions,
        scorer: Protocol,
    ) -> Result<Option<JudgedRun>, WireError> {
        let run = self.library.read_run(options)?;
        let dataset = self.library.dataset(&run)?;
        let (choice, local, _) = self.judges_for(options, &run, &dataset).await?;
        let JudgeChoice::Models { ids, base_url } = choice else {
            return Ok(None);
        };
        let mut evaluation = evaluation_options(options, &run, scorer);
        evaluation.panel.judges = ids;
        Ok(Some(JudgedRun { run, dataset, evaluation, base_url, local }))
    }
}
