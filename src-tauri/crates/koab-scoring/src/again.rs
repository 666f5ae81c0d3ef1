//! Asks judges the same questions again, to measure how often a judge contradicts itself. The new
//! answers are not stored and do not change scores.

use super::judge_context::JudgeContext;
use crate::Scoring;
use koab_core::judge::Verdicts;
use koab_core::protocol::Protocol;
use koab_core::run_record::Spending;
use koab_core::score::MetricId;
use koab_engine::budget::Budget;
use koab_engine::ports::Cancel;
use koab_library::evaluation::evaluation_options;
use koab_library::options::{EvaluateOptions, FailedVerdicts, JudgeChoice};
use koab_library::questions::QuestionAttempt;
use koab_library::run::Run;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, EvaluationOptions, evaluate};
use koab_workspace::WireError;
use std::collections::{BTreeMap, BTreeSet};

/// Number of the repetition that the logs contain.
const FIRST_REPETITION: u32 = 1;

/// An answer of a model. Judges decide its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedAnswer {
    /// Id of the task.
    pub task: String,
    /// Number of the repetition. The log contains the first repetition.
    pub repetition: u32,
    /// Hash of the question to judges. Model answers with the same hash share a verdict.
    pub question: String,
}

/// Result of asking judges again.
#[derive(Clone, Debug)]
pub struct RejudgeResult {
    /// Whether the score changed, by task. Tasks that lack one of the two scores are left out.
    pub differs: BTreeMap<String, bool>,
    /// Tokens and cost of the judges.
    pub spending: Spending,
}

/// A scored run with the settings of its judging.
struct JudgedRun {
    run: Run,
    dataset: Dataset,
    evaluation: EvaluationOptions,
    base_url: Option<String>,
    local: LocalSettings,
}

impl JudgedRun {
    /// Returns a context that reads stored verdicts and calls no judge.
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

/// Keeps only the tasks of the run that `is_kept` accepts.
fn keep(run: &mut Run, is_kept: impl Fn(&str) -> bool) {
    for log in &mut run.logs {
        log.tasks.retain(|task| is_kept(&task.id));
    }
}

impl Scoring {
    /// Returns the model's answers of a run whose metric judges decide, for all repetitions, in the
    /// order of the questions.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub async fn judged_answers(
        &self,
        options: &EvaluateOptions,
        scorer: Protocol,
        metric: MetricId,
    ) -> Result<Vec<JudgedAnswer>, WireError> {
        let Some(mut judged) = self.judged_run(options, scorer).await? else {
            return Ok(Vec::new());
        };
        judged.run = self.library.with_attempts(judged.run, options)?;
        let (base_url, local) = (judged.base_url.as_deref(), &judged.local);
        let questions =
            self.library.questions(&judged.run, &judged.dataset, &judged.evaluation, base_url, local)?;
        let mut answers = Vec::new();
        for (at, question) in questions.questions.iter().enumerate() {
            if question.metric == metric {
                answers.extend(questions.about[at].iter().map(|about| JudgedAnswer {
                    task: question.task_id.clone(),
                    repetition: match about {
                        QuestionAttempt::Logged => FIRST_REPETITION,
                        QuestionAttempt::Later(repetition) => *repetition,
                    },
                    question: questions.hash(at).to_owned(),
                }));
            }
        }
        Ok(answers)
    }

    /// Asks the judges of a scored run again about these tasks, with all votes, and compares the
    /// new scores with the old ones.
    ///
    /// # Errors
    /// When the run cannot be read, a judge cannot be called, or the call is cancelled.
    pub async fn ask_judges_again(
        &self,
        options: &EvaluateOptions,
        scorer: Protocol,
        metric: MetricId,
        tasks: &BTreeSet<String>,
        cancel: &Cancel,
    ) -> Result<RejudgeResult, WireError> {
        let mut result = RejudgeResult { differs: BTreeMap::new(), spending: Spending::default() };
        let Some(mut judged) = self.judged_run(options, scorer).await? else {
            return Ok(result);
        };
        keep(&mut judged.run, |task| tasks.contains(task));
        let shared = self.judges_budget(&judged.run, options, &judged.evaluation.panel.judges)?;
        let failed = FailedVerdicts::new();
        let first = judged.context(&shared, &failed);
        let then = self.ask_judges(&first, &|_, _| {}, cancel).await?.verdicts;
        let then = judged.scores(&then, metric);
        // Tasks without a verdict cannot change their score.
        keep(&mut judged.run, |task| then.contains_key(task));
        let second = JudgeContext { asks: true, again: true, ..judged.context(&shared, &failed) };
        let now = self.ask_judges(&second, &|_, _| {}, cancel).await?.verdicts;
        let now = judged.scores(&now, metric);
        let both = then.into_iter().filter_map(|(task, then)| Some((*now.get(&task)? != then, task)));
        result.differs = both.map(|(differs, task)| (task, differs)).collect();
        result.spending = shared.spending();
        Ok(result)
    }

    /// Reads the run and its judges; `None` if no models judge the run.
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
