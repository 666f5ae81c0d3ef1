//! Makes the attempts that a gate asks for: a run for all tasks that need as many, scored as the
//! baseline was.

use super::baseline::Baseline;
use super::request::GateRequest;
use crate::scored::{ScoredRuns, Scoring};
use koab_analysis::chance;
use koab_analysis::gate::{GateAttempt, GateOutcome, GateSeen, GateSide, JudgeFlips};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use koab_engine::ports::{Cancel, EventSink};
use koab_models::LocalSettings;
use koab_runs::options::SpendingCaps;
use koab_runs::{JudgedAnswer, RunPart, Runs, WireError};
use koab_workspace::if_found;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The attempts of a gate.
pub(super) struct Attempts<'a> {
    request: &'a GateRequest,
    baseline: &'a Baseline,
    runs: ScoredRuns<'a>,
    /// Whether judges decide the metric.
    is_judged: bool,
    /// What judges were asked about so far.
    judged: Vec<Judged>,
}

/// The repetition that a run's log has.
const FIRST: u32 = 1;

/// The hashes of questions, by task and repetition.
type Questions = BTreeMap<(String, u32), String>;

/// An answer that a judge decided.
struct Judged {
    run: String,
    task: usize,
    /// The hash of the question.
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

    /// Attempts that ended, those of a run that a cap ended among them.
    pub(super) fn made(&self) -> usize {
        self.runs.attempts()
    }

    /// Why no more are made.
    pub(super) fn why_ended(&self) -> Sentence {
        if self.runs.is_boundless() {
            return say!(
                "inconclusive: a server did not report its tokens, so that --max-cost could not be kept any further; leave it out and cap with --max-attempts"
            );
        }
        say!("inconclusive: the budget was spent before the answer was known; allow more with --max-cost")
    }

    /// USD that are gone so far, those of a run that failed among them; nothing where that is not
    /// known.
    pub(super) fn spent(&self) -> Option<f64> {
        self.runs.spent()
    }

    /// USD and runs.
    pub(super) fn end(self) -> (Option<f64>, Vec<String>) {
        self.runs.end()
    }

    /// Makes all of them; whether the budget was enough.
    pub(super) async fn make(
        &mut self,
        wanted: &[GateAttempt],
        seen: &mut GateSeen,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<bool, WireError> {
        let mut times: BTreeMap<GateAttempt, u32> = BTreeMap::new();
        for attempt in wanted {
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
            let named = tasks.iter().map(name).collect();
            let made = self.runs.make(template, named, repetitions, watch(), cancel);
            let Some(found) = made.await? else {
                return Ok(false);
            };
            let questions = self.questions().await?;
            for task in tasks {
                let id = name(&task);
                let of_task = found.get(&id);
                for at in 0..repetitions {
                    let score = of_task.and_then(|of| of.get(at as usize).copied().flatten());
                    let question = questions.get(&(id.clone(), at + 1));
                    let answer = question.and_then(|hash| number(hash));
                    let outcome = GateOutcome { score, answer };
                    seen.add(GateAttempt { task, side }, outcome);
                }
                // The judge is asked again about what is in the log.
                let logged = questions.get(&(id, FIRST));
                if let (Some(question), Some(run)) = (logged, self.runs.last()) {
                    self.judged.push(Judged { run: run.clone(), task, question: question.clone() });
                }
            }
        }
        Ok(true)
    }

    /// What judges were asked about the last run.
    async fn questions(&self) -> Result<Questions, WireError> {
        let (true, Some(run)) = (self.is_judged, self.runs.last()) else {
            return Ok(Questions::new());
        };
        Ok(by_attempt(self.runs.judged_answers(run).await?))
    }

    /// The baseline's own attempts, where their run is there, were judged by the same judges: of
    /// those with the same text once.
    pub(super) async fn add_baseline(&mut self, seen: &mut GateSeen) -> Result<(), WireError> {
        let (true, Some(run)) = (self.is_judged, &self.baseline.run) else {
            return Ok(());
        };
        // A run that was deleted has left its report.
        let Some(answers) = if_found(self.runs.judged_answers(run).await)? else {
            return Ok(());
        };
        let questions = by_attempt(answers);
        for (task, (_, id)) in self.baseline.tasks.iter().enumerate() {
            let of_attempt = |repetition: u32| questions.get(&(id.clone(), repetition));
            let attempts = seen.baseline[task].iter_mut().zip(&self.baseline.attempts[task]);
            for (outcome, (repetition, _)) in attempts {
                outcome.answer = of_attempt(*repetition).and_then(|hash| number(hash));
            }
            self.judged.extend(of_attempt(FIRST).map(|question| Judged {
                run: run.clone(),
                task,
                question: question.clone(),
            }));
        }
        Ok(())
    }

    /// Asks the judges again about so many of the answers so far, which the seed draws: how often
    /// they said otherwise. No score has what they say then.
    pub(super) async fn ask_again(
        &mut self,
        count: usize,
        seen: &mut GateSeen,
        cancel: &Cancel,
    ) -> Result<JudgeFlips, WireError> {
        let mut mix = SplitMix(self.request.options.seed);
        // Answers with the same text are one verdict.
        let mut questions: BTreeSet<&str> = BTreeSet::new();
        let mut drawn: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for at in chance::order(&mut mix, self.judged.len()) {
            let one = &self.judged[at];
            if questions.len() < count && questions.insert(&one.question) {
                let of_run = drawn.entry(one.run.clone()).or_default();
                of_run.insert(self.baseline.tasks[one.task].1.clone(), one.task);
            }
        }
        let mut flips = JudgeFlips::default();
        for (run, tasks) in drawn {
            let named = tasks.keys().cloned().collect();
            for (task, differs) in self.runs.ask_again(&run, &named, cancel).await? {
                flips.asked += 1;
                if differs {
                    flips.differed += 1;
                    let of_task = tasks.get(&task).and_then(|task| seen.flips.get_mut(*task));
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

/// A number that answers with the same question share.
fn number(hash: &str) -> Option<u64> {
    u64::from_str_radix(hash.get(..16)?, 16).ok()
}
