//! Estimates of a judging. For an existing run, they are based on the actual questions; for a
//! planned run, on averages of the published runs.

use crate::Scoring;
use koab_core::judge::JudgeQuestion;
use koab_core::level::Level;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_core::task::Task;
use koab_core::text;
use koab_engine::judging::ballots;
use koab_library::evaluation::evaluation_options;
use koab_library::options::{EvaluateOptions, JudgeChoice, RunChoice};
use koab_library::questions::StoredBallot;
use koab_library::{EvaluatePlan, EvaluateRequest, JudgeEstimate};
use koab_workspace::WireError;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Number of bytes per token of Korean text mixed with JSON. A single Korean letter has three
/// bytes.
const BYTES_A_TOKEN: f64 = 3.0;
/// Number of completion tokens of an answer. The reasons of the published judges have 310 bytes on
/// average.
const ANSWER_TOKENS: f64 = 130.0;
/// Sentence on the source of the figures for an existing run.
pub(crate) const FROM_QUESTIONS: &str =
    text!("the questions themselves, at 3 bytes a token and 130 tokens an answer");

/// Default number of votes of the first judge on SR (the success rate).
const DEFAULT_VOTES: u32 = 3;

const PUBLISHED: &str = include_str!("../data/judge_averages.json");

/// Averages over the published runs: the number of questions per task, and of prompt tokens per
/// question.
#[derive(Clone, Copy, Deserialize)]
struct Averages(f64, f64);

#[derive(Deserialize)]
struct Published {
    levels: BTreeMap<Level, BTreeMap<MetricId, Averages>>,
}

impl Scoring {
    /// Estimates a scoring without calling a judge.
    ///
    /// # Errors
    /// Every error of [`Scoring::evaluate`], except those of calls to judges.
    pub async fn evaluate_plan(&self, options: &EvaluateOptions) -> Result<EvaluatePlan, WireError> {
        let run = self.library.with_attempts(self.library.read_run(options)?, options)?;
        let dataset = self.library.dataset(&run)?;
        let (choice, judge_local, unasked) = self.judges_for(options, &run, &dataset).await?;
        let mut plan = EvaluatePlan {
            run: run.entry.id.clone(),
            levels: run.logs.iter().map(|log| log.level.clone()).collect(),
            attempts: run.attempts_to_judge(),
            judges: Vec::new(),
            usd: Some(0.0),
            from: FROM_QUESTIONS.into(),
            notes: unasked.into_iter().collect(),
        };
        let JudgeChoice::Models { ids, base_url } = &choice else {
            return Ok(plan);
        };
        self.models.check_caps(ids, &options.caps)?;
        plan.judges = ids.iter().map(|id| nothing(id)).collect();
        for scorer in &options.scorers {
            let mut evaluation = evaluation_options(options, &run, *scorer);
            evaluation.panel.judges.clone_from(ids);
            let questions =
                self.library.questions(&run, &dataset, &evaluation, base_url.as_deref(), &judge_local)?;
            for ballot in ballots(&questions.questions, ids.len()) {
                let judge = &mut plan.judges[ballot.judge];
                match questions.stored(self.workspace.store()?, ballot, &judge.judge)? {
                    StoredBallot::Answer(_) => judge.known += 1,
                    _ => add(judge, 1.0, prompt_tokens(&questions.questions[ballot.question])),
                }
            }
        }
        // A judge whose answers are all stored is not called, so its provider may be unknown.
        let called_judges: Vec<String> =
            plan.judges.iter().filter(|one| one.calls > 0.0).map(|one| one.judge.clone()).collect();
        self.models.check_providers(&called_judges)?;
        self.price_all(&mut plan.judges)?;
        plan.usd = usd(&plan.judges);
        self.library.name_judges_of(&mut plan.judges, base_url.as_deref());
        Ok(plan)
    }

    /// Estimates a scoring for the window.
    ///
    /// # Errors
    /// Every error of [`Scoring::evaluate_plan`].
    pub async fn evaluate_estimate(&self, request: EvaluateRequest) -> Result<EvaluatePlan, WireError> {
        let mut options = EvaluateOptions::from(request);
        if let RunChoice::Run(run) = &options.run
            && let Some(folder) = self.library.folder_of(run)
        {
            options.run = RunChoice::Run(folder);
        }
        self.evaluate_plan(&options).await
    }

    /// Estimates the judging of a run that has not been made, from the number of planned attempts
    /// at each level.
    pub fn judges_of_attempts(
        &self,
        attempts: &[(&Level, u32)],
        ids: &[String],
    ) -> Result<Vec<JudgeEstimate>, WireError> {
        let published: Published = serde_json::from_str(PUBLISHED).map_err(WireError::internal)?;
        let mut judges: Vec<JudgeEstimate> = ids.iter().map(|id| nothing(id)).collect();
        for (level, attempts) in attempts {
            for (metric, Averages(questions, tokens)) in published.levels.get(level).into_iter().flatten() {
                let questions = questions * f64::from(*attempts);
                if *metric == MetricId::Sr {
                    if let Some(first) = judges.first_mut() {
                        add(first, questions * f64::from(DEFAULT_VOTES), *tokens);
                    }
                } else {
                    judges.iter_mut().for_each(|judge| add(judge, questions, *tokens));
                }
            }
        }
        self.price_all(&mut judges)?;
        Ok(judges)
    }

    /// Estimates the judging of a benchmark whose items are single requests.
    ///
    /// The estimate is an upper bound: some replies need no judge. Only the first judge is called.
    pub fn judges_of_items(
        &self,
        pack: &Pack,
        tasks: &[Task],
        repetitions: u32,
        scorers: &[Protocol],
        ids: &[String],
    ) -> Result<Vec<JudgeEstimate>, WireError> {
        let mut judges: Vec<JudgeEstimate> = ids.iter().map(|id| nothing(id)).collect();
        if let Some(first) = judges.first_mut().filter(|_| pack.is_judged(MetricId::Sr)) {
            let scoring = self.packs.scoring(&pack.label())?;
            for scorer in scorers {
                let (questions, bytes) =
                    scoring.most_asked(tasks.iter().map(|task| task.id.as_str()), *scorer);
                let of_prompt = bytes as f64 / BYTES_A_TOKEN / questions.max(1) as f64;
                add(first, questions as f64 * f64::from(repetitions), of_prompt + ANSWER_TOKENS);
            }
        }
        self.price_all(&mut judges)?;
        Ok(judges)
    }

    pub(crate) fn price_all(&self, judges: &mut [JudgeEstimate]) -> Result<(), WireError> {
        for judge in judges {
            let (prompt, completion) = (judge.prompt_tokens.round(), judge.completion_tokens.round());
            let price = self.models.price(&judge.judge)?;
            judge.usd = price.map(|price| price.cost(prompt as u64, completion as u64));
        }
        Ok(())
    }
}

/// Returns the cost of all judges; `None` if the price of a judge to be called is not known.
pub(crate) fn usd(judges: &[JudgeEstimate]) -> Option<f64> {
    let called_judges = judges.iter().filter(|judge| judge.calls > 0.0);
    // `sum` of an empty list would be -0.
    called_judges.map(|judge| judge.usd).try_fold(0.0, |sum, usd| Some(sum + usd?))
}

pub(crate) fn nothing(judge: &str) -> JudgeEstimate {
    JudgeEstimate {
        judge: judge.to_owned(),
        known: 0,
        calls: 0.0,
        prompt_tokens: 0.0,
        completion_tokens: 0.0,
        usd: None,
    }
}

pub(crate) fn add(judge: &mut JudgeEstimate, calls: f64, prompt_tokens: f64) {
    judge.calls += calls;
    judge.prompt_tokens += calls * prompt_tokens;
    judge.completion_tokens += calls * ANSWER_TOKENS;
}

pub(crate) fn prompt_tokens(question: &JudgeQuestion) -> f64 {
    let schema = question.schema.schema.to_string().len();
    (question.system.len() + question.prompt.len() + schema) as f64 / BYTES_A_TOKEN
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Averages over the published runs, as `data/judge_averages.json` holds them.
    fn measured(shared: &Path) -> BTreeMap<Level, BTreeMap<MetricId, [f64; 2]>> {
        let desk = crate::tests::desk::Desk::new();
        let api = &desk.scoring;
        api.workspace.store().expect("made").import(&shared.join("ko-agentbench")).expect("imported");
        api.packs.activate("ko-agentbench").expect("there");
        let mut sums: BTreeMap<Level, BTreeMap<MetricId, [f64; 3]>> = BTreeMap::new();
        let models = shared.join("parity/logs/benchmark_results/by_model");
        let runs = std::fs::read_dir(models).expect("listed").flatten();
        for run in runs.flat_map(|model| std::fs::read_dir(model.path()).expect("listed").flatten()) {
            let choice = RunChoice::Run(run.path().display().to_string());
            let options = EvaluateOptions::published(choice);
            let run = api.library.read_run(&options).expect("read");
            let dataset = api.library.dataset(&run).expect("read");
            let evaluation = evaluation_options(&options, &run, Protocol::Leaderboard);
            let asked = api
                .library
                .questions(&run, &dataset, &evaluation, None, &options.judge_local)
                .expect("asked");
            for question in &asked.questions {
                let of_level = sums.entry(question.level.clone()).or_default();
                let sum = of_level.entry(question.metric).or_default();
                sum[0] += 1.0;
                sum[1] += prompt_tokens(question);
            }
            for log in &run.logs {
                for sum in sums.entry(log.level.clone()).or_default().values_mut() {
                    sum[2] += log.tasks.len() as f64;
                }
            }
        }
        let average = |[questions, tokens, tasks]: [f64; 3]| {
            [(questions / tasks * 1000.0).round() / 1000.0, (tokens / questions).round()]
        };
        let of_level = |(level, sums): (Level, BTreeMap<MetricId, [f64; 3]>)| {
            (level, sums.into_iter().map(|(metric, sum)| (metric, average(sum))).collect())
        };
        sums.into_iter().map(of_level).collect()
    }

    #[test]
    fn the_averages_are_those_of_the_published_runs() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
        if !shared.join("parity").is_dir() {
            let line = "SKIP: the_averages_are_those_of_the_published_runs: needs ../shared";
            assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none(), "{line}");
            eprintln!("{line}");
            return;
        }
        let measured = serde_json::to_value(measured(&shared)).expect("JSON");
        let kept: serde_json::Value = serde_json::from_str(PUBLISHED).expect("JSON");
        assert_eq!(kept["levels"], measured, "{measured}");
    }

    #[test]
    fn a_judge_without_a_price_leaves_no_sum_and_one_not_asked_does_not_matter() {
        let mut judges = [nothing("a"), nothing("b")];
        add(&mut judges[0], 2.0, 100.0);
        judges[0].usd = Some(0.5);
        assert_eq!(usd(&judges), Some(0.5));
        add(&mut judges[1], 1.0, 100.0);
        assert_eq!(usd(&judges), None);
        assert_eq!((judges[0].prompt_tokens, judges[0].completion_tokens), (200.0, 260.0));
    }
}
