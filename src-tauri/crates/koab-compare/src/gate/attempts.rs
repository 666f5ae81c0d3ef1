//! Makes the attempts that a gate requires. Tasks that need the same number of attempts form one
//! run, which is scored like the baseline.

use super::baseline::Baseline;
use super::request::GateRequest;
use crate::scored::{ScoredRuns, Scoring};
use koab_analysis::chance;
use koab_analysis::gate::{GateAttempt, GateOutcome, GateSeen, GateSide, JudgeFlips};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use koab_engine::ports::{Cancel, EventSink};
use koab_library::RunPart;
use koab_models::{LocalSettings, SpendingCaps};
use koab_runs::Runs;
use koab_scoring::JudgedAnswer;
use koab_workspace::{WireError, if_found};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The attempts of a gate.
pub(super) struct Attempts<'a> {
    request: &'a GateRequest,
    baseline: &'a Baseline,
    runs: ScoredRuns<'a>,
    /// Whether judges decide the metric.
    is_judged: bool,
    /// Answers that judges have decided so far.
    judged: Vec<Judged>,
}

/// Number of the only repetition that the log of a run contains.
const LOGGED_REPETITION: u32 = 1;

/// Hashes of the questions to judges, by task and repetition.
type Questions = BTreeMap<(String, u32), String>;

/// An answer that a judge decided.
struct Judged {
    run: String,
    task: usize,
    /// Hash of the question.
    question: String,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(
        runs: &'a Runs,
        request: &'a GateRequest,
        baseline: &'a Baseline,
        is_judged: bool,
    ) -> Self {
        let how = Scoring {
            name: RunPart::GATE,
            metric: request.metric,
            scorer: baseline.report.scorer,
            judges: &request.judges,
            judge_local: LocalSettings::default(),
            caps: SpendingCaps { max_cost: request.max_cost, ..SpendingCaps::default() },
            cancelled: say!(
                "the gate was cancelled; its runs so far are kept, and a gate that is started again begins anew"
            ),
        };
        Self { request, baseline, runs: ScoredRuns::new(runs, how), is_judged, judged: Vec::new() }
    }

    /// Number of attempts that ended, including attempts of a run that a cap ended.
    pub(super) fn made(&self) -> usize {
        self.runs.attempts()
    }

    /// Reason why no more attempts are made.
    pub(super) fn why_ended(&self) -> Sentence {
        if self.runs.is_boundless() {
            return say!(
                "inconclusive: a server did not report its tokens, so that --max-cost could not be enforced any further; leave --max-cost out and use --max-attempts instead"
            );
        }
        say!("inconclusive: the budget was spent before the answer was known; raise --max-cost")
    }

    /// USD spent so far, including a run that failed; `None` where the amount is not known.
    pub(super) fn spent(&self) -> Option<f64> {
        self.runs.spent()
    }

    /// USD that were spent, and ids of the runs that were made.
    pub(super) fn end(self) -> (Option<f64>, Vec<String>) {
        self.runs.end()
    }

    /// Makes these attempts and adds their outcomes to `results`. Returns false if the budget did
    /// not suffice.
    pub(super) async fn make(
        &mut self,
        attempts: &[GateAttempt],
        results: &mut GateSeen,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<bool, WireError> {
        let mut times: BTreeMap<GateAttempt, u32> = BTreeMap::new();
        for attempt in attempts {
            *times.entry(*attempt).or_default() += 1;
        }
        let mut groups: BTreeMap<(GateSide, u32), Vec<usize>> = BTreeMap::new();
        for (attempt, times) in times {
            groups.entry((attempt.side, times)).or_default().push(attempt.task);
        }
        let name = |task: &usize| self.baseline.tasks[*task].1.clone();
        for ((side, repetitions), tasks) in groups {
            let template = match side {
                GateSide::Candidate => Some(&self.request.candidate),
                GateSide::Baseline => self.request.again.as_ref(),
            };
            let Some(template) = template else { continue };
            let ids = tasks.iter().map(name).collect();
            let run = self.runs.make(template, ids, repetitions, watch(), cancel);
            let Some(scores) = run.await? else {
                return Ok(false);
            };
            let questions = self.questions().await?;
            for task in tasks {
                let id = name(&task);
                let of_task = scores.get(&id);
                for at in 0..repetitions {
                    let score = of_task.and_then(|of| of.get(at as usize).copied().flatten());
                    let question = questions.get(&(id.clone(), at + 1));
                    let answer = question.and_then(|hash| number(hash));
                    let outcome = GateOutcome { score, answer };
                    results.add(GateAttempt { task, side }, outcome);
                }
                // Only the attempt in the log can be judged again.
                let logged = questions.get(&(id, LOGGED_REPETITION));
                if let (Some(question), Some(run)) = (logged, self.runs.last()) {
                    self.judged.push(Judged { run: run.clone(), task, question: question.clone() });
                }
            }
        }
        Ok(true)
    }

    /// Questions that judges were asked about the last run.
    async fn questions(&self) -> Result<Questions, WireError> {
        let (true, Some(run)) = (self.is_judged, self.runs.last()) else {
            return Ok(Questions::new());
        };
        Ok(by_attempt(self.runs.judged_answers(run).await?))
    }

    /// Adds the judged answers of the baseline's own attempts, if its run still exists. Answers
    /// with the same text get the same [`GateOutcome::answer`].
    pub(super) async fn add_baseline(&mut self, results: &mut GateSeen) -> Result<(), WireError> {
        let (true, Some(run)) = (self.is_judged, &self.baseline.run) else {
            return Ok(());
        };
        // The run may have been deleted, while its report still exists.
        let Some(answers) = if_found(self.runs.judged_answers(run).await)? else {
            return Ok(());
        };
        let questions = by_attempt(answers);
        for (task, (_, id)) in self.baseline.tasks.iter().enumerate() {
            let of_attempt = |repetition: u32| questions.get(&(id.clone(), repetition));
            let attempts = results.baseline[task].iter_mut().zip(&self.baseline.attempts[task]);
            for (outcome, (repetition, _)) in attempts {
                outcome.answer = of_attempt(*repetition).and_then(|hash| number(hash));
            }
            self.judged.extend(of_attempt(LOGGED_REPETITION).map(|question| Judged {
                run: run.clone(),
                task,
                question: question.clone(),
            }));
        }
        Ok(())
    }

    /// Lets the judges judge `count` answers again and counts contradictions. The seed determines
    /// which answers are drawn. Scores do not change.
    pub(super) async fn ask_again(
        &mut self,
        count: usize,
        results: &mut GateSeen,
        cancel: &Cancel,
    ) -> Result<JudgeFlips, WireError> {
        let mut mix = SplitMix(self.request.options.seed);
        // Answers with the same text have one verdict.
        let mut questions: BTreeSet<&str> = BTreeSet::new();
        let mut tasks_by_run: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for at in chance::order(&mut mix, self.judged.len()) {
            let one = &self.judged[at];
            if questions.len() < count && questions.insert(&one.question) {
                let of_run = tasks_by_run.entry(one.run.clone()).or_default();
                of_run.insert(self.baseline.tasks[one.task].1.clone(), one.task);
            }
        }
        let mut flips = JudgeFlips::default();
        for (run, tasks) in tasks_by_run {
            let ids = tasks.keys().cloned().collect();
            for (task, differs) in self.runs.ask_again(&run, &ids, cancel).await? {
                flips.asked += 1;
                if differs {
                    flips.differed += 1;
                    let of_task = tasks.get(&task).and_then(|task| results.flips.get_mut(*task));
                    of_task.into_iter().for_each(|count| *count += 1);
                }
            }
        }
        Ok(flips)
    }
}

fn by_attempt(answers: Vec<JudgedAnswer>) -> Questions {
    let of_attempt = |one: JudgedAnswer| ((one.task, one.repetition), one.question);
    answers.into_iter().map(of_attempt).collect()
}

/// Number for answers to the same question, computed from the beginning of the question's hash.
fn number(hash: &str) -> Option<u64> {
    u64::from_str_radix(hash.get(..16)?, 16).ok()
}
