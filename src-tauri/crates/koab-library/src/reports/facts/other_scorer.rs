//! Scores of a report's logs under the other scorer, without calls to judges.
//!
//! The judges' answers are in the store, by the hash of the whole question. If both scorers ask the
//! same question, the answers in the report are used, too. A question without an answer remains
//! unscored and is counted.

use crate::Library;
use crate::reports::figures::composites;
use crate::run::Run;
use crate::wire::{OtherLevel, OtherMetric, OtherScorer, ScorerDifference};
use koab_core::judge::{JudgeQuestion, Panel, Verdict, Verdicts, Votes};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::score::{DIFFERENCES, MetricId, MetricSet};
use koab_core::sentence::Sentence;
use koab_report::{Dataset, EvaluationOptions, Report, evaluate, questions, verdicts_of};
use koab_store::verdicts::StoredAnswer;
use koab_workspace::WireError;
use std::collections::HashMap;

/// Returns the result for a report whose logs are not in the workspace.
pub(super) fn without(scorer: Protocol, reason: Sentence) -> OtherScorer {
    OtherScorer {
        scorer: opposite(scorer),
        reason: Some(reason),
        questions: 0,
        unanswered: 0,
        levels: Vec::new(),
        composites: Vec::new(),
        differences: differences(),
    }
}

impl Library {
    pub(super) fn other_scorer(&self, report: &Report, run: &Run) -> Result<OtherScorer, WireError> {
        let dataset = self.dataset(run)?;
        let options = EvaluationOptions { scorer: opposite(report.scorer), ..options_of(report) };
        let answers = self.known_answers(report, run, &dataset, &options)?;
        let other = evaluate(&run.logs, &dataset, &answers.verdicts, &options);
        Ok(OtherScorer {
            scorer: options.scorer,
            reason: None,
            questions: answers.questions,
            unanswered: answers.unanswered,
            levels: means(&other, |_, _| true),
            composites: composites(&other, None),
            differences: differences_of(&dataset),
        })
    }

    /// Returns the existing answers to the questions about these logs: stored answers, and answers
    /// in the report.
    pub(super) fn known_answers(
        &self,
        report: &Report,
        run: &Run,
        dataset: &Dataset,
        options: &EvaluationOptions,
    ) -> Result<Answers, WireError> {
        let mut answers = Answers::default();
        // Without a pack there are no prompts and no questions, so judged metrics stay unscored.
        let Ok((_, prompts)) = self.prompts_for(run, dataset, options.scorer) else {
            return Ok(answers);
        };
        let same = EvaluationOptions { scorer: report.scorer, ..options.clone() };
        let hashes: HashMap<(String, MetricId), String> = questions(&run.logs, dataset, &prompts, &same)
            .into_iter()
            .map(|question| {
                let hash = question.hash();
                ((question.task_id, question.metric), hash)
            })
            .collect();
        let recorded = verdicts_of(report);
        for question in questions(&run.logs, dataset, &prompts, options) {
            answers.questions += 1;
            let hash = question.hash();
            let mut verdicts = self.stored(&question, &hash, &report.judges)?;
            let is_same = hashes.get(&(question.task_id.clone(), question.metric)) == Some(&hash);
            if verdicts.is_empty() && is_same {
                verdicts = recorded.about(&question.task_id, question.metric).to_vec();
            }
            if verdicts.is_empty() {
                answers.unanswered += 1;
            }
            for verdict in verdicts {
                answers.verdicts.add(&question.task_id, verdict);
            }
        }
        Ok(answers)
    }

    /// Returns the stored answers to a question. If a required answer is missing, returns no
    /// answers.
    fn stored(
        &self,
        question: &JudgeQuestion,
        hash: &str,
        judges: &[String],
    ) -> Result<Vec<Verdict>, WireError> {
        let (judges, votes) = match question.votes {
            Votes::FirstJudge(votes) => (&judges[..judges.len().min(1)], votes.max(1)),
            Votes::EachJudge => (judges, 1),
        };
        let stored = self.workspace.store()?.verdicts_on(hash)?;
        let mut verdicts = Vec::new();
        for judge in judges {
            for vote in 0..votes {
                let answer = stored.iter().find(|kept| kept.judge == *judge && kept.version().1 == vote);
                let verdict = answer.and_then(|kept| match &kept.kept {
                    StoredAnswer::Answer(value) => serde_json::from_value(value.clone()).ok(),
                    StoredAnswer::Damaged | StoredAnswer::Failure(_) => None,
                });
                let Some(verdict) = verdict else {
                    return Ok(Vec::new());
                };
                verdicts.push(verdict);
            }
        }
        Ok(verdicts)
    }
}

/// Answers that exist, and the number of questions with and without answers.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) verdicts: Verdicts,
    questions: u32,
    unanswered: u32,
}

/// Returns the settings that a report was scored with.
pub(super) fn options_of(report: &Report) -> EvaluationOptions {
    EvaluationOptions {
        model: Some(report.model.clone()),
        scorer: report.scorer,
        metrics: MetricSet::All,
        panel: Panel {
            judges: report.judges.clone(),
            votes: report.votes,
            aggregate: report.aggregate,
            base_url: report.judge_base_url.clone(),
        },
        execution_date: report.execution_date.clone(),
        evaluation_date: report.evaluation_date.clone(),
        sample_size: report.sample_size,
    }
}

/// Returns the means of each level. `wanted` selects the metrics.
pub(super) fn means(report: &Report, wanted: impl Fn(&Level, MetricId) -> bool) -> Vec<OtherLevel> {
    let levels = report.levels.iter().map(|level| OtherLevel {
        level: level.level.clone(),
        metrics: level
            .means
            .iter()
            .filter(|mean| wanted(&level.level, mean.metric))
            .map(|mean| OtherMetric { metric: mean.metric, figure: mean.figure.clone() })
            .collect(),
    });
    levels.collect()
}

fn opposite(scorer: Protocol) -> Protocol {
    match scorer {
        Protocol::Leaderboard => Protocol::Corrected,
        Protocol::Corrected => Protocol::Leaderboard,
    }
}

fn differences_of(dataset: &Dataset) -> Vec<ScorerDifference> {
    let Some(items) = dataset.items() else {
        return differences();
    };
    let row = |(id, metrics, published, corrected): (&str, &[&str], &str, &str)| ScorerDifference {
        id: id.to_owned(),
        metrics: metrics.iter().map(ToString::to_string).collect(),
        leaderboard: published.to_owned(),
        corrected: corrected.to_owned(),
    };
    items.differences().into_iter().map(row).collect()
}

fn differences() -> Vec<ScorerDifference> {
    let row = |difference: &koab_core::score::Difference| ScorerDifference {
        id: difference.id.to_owned(),
        metrics: difference.metrics.iter().map(ToString::to_string).collect(),
        leaderboard: difference.leaderboard.to_owned(),
        corrected: difference.corrected.to_owned(),
    };
    DIFFERENCES.iter().map(row).collect()
}
