//! Estimates for all questions of the runs, from a person's answers to a random sample of them (a
//! queue).
//!
//! The record of the queue contains the judges' scores for all questions of the runs, drawn or not.
//! So an estimate uses the verdicts at the time of the draw, and later judging does not change it.

use super::record::{Member, OpenQueue};
use super::review::number_of;
use crate::Scoring;
use koab_analysis::judge_lab::{LabReason, score};
use koab_analysis::ppi::{PersonsAnswer, PpiMean, PpiRefusal, RandomQueue, estimate_of};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_library::{EstimatedMean, JudgeCorrected, QueueEstimate, RunCorrected};
use koab_workspace::WireError;
use std::collections::BTreeSet;

/// Significance level of the intervals.
const ALPHA: f64 = 0.05;

impl Scoring {
    /// Estimates people's mean answer to all questions that a random queue was drawn from, for each
    /// run.
    ///
    /// # Errors
    /// When the queue does not exist, was not drawn at random, or is still blind.
    pub fn queue_estimate(&self, id: &str) -> Result<QueueEstimate, WireError> {
        let open = self.open_queue(id)?;
        let Some(draw) = &open.kept.draw else {
            return Err(WireError::bad_request(PpiRefusal::NotRandom.to_sentence()));
        };
        if open.stored.revealed_at.is_none() {
            return Err(WireError::bad_request(say!("the queue {id} is still blind; reveal it first")));
        }
        // The reviewer may have skipped a question on purpose, so the answers after it are not a
        // random sample.
        let sample: Vec<PersonsAnswer> =
            (1..=open.kept.questions.len() as u32).map_while(|number| person(&open, number)).collect();
        let numbers = 1..=open.kept.questions.len() as u32;
        let answer_count = numbers.filter(|number| person(&open, *number).is_some()).count();
        let runs = open.kept.runs.iter().filter_map(|run| {
            let members = draw.population.iter().filter(|member| member.run == *run);
            of_run(members.collect(), &sample)
        });
        Ok(QueueEstimate {
            metric: draw.metric,
            counted: sample.len() as u32,
            unsure: sample.iter().filter(|one| **one == PersonsAnswer::Unsure).count() as u32,
            behind: (answer_count - sample.len()) as u32,
            runs: runs.collect(),
            queue: open.summary(),
        })
    }
}

fn person(open: &OpenQueue, number: u32) -> Option<PersonsAnswer> {
    let answer = open.answers.get(&number)?;
    if answer.unsure {
        return Some(PersonsAnswer::Unsure);
    }
    let question = open.kept.questions.get(number as usize - 1)?;
    number_of(answer).map(|said| PersonsAnswer::Score(score(question.metric, said)))
}

/// Returns the estimates for one run. The drawn questions of the run are a random sample of all its
/// questions.
fn of_run(mut members: Vec<&Member>, answers: &[PersonsAnswer]) -> Option<RunCorrected> {
    members.sort_by_key(|member| member.place);
    let first = *members.first()?;
    let answers: Vec<Option<PersonsAnswer>> =
        members.iter().map(|member| answers.get(member.place as usize - 1).copied()).collect();
    let queue = RandomQueue::of_order((0..members.len()).collect());
    let names: BTreeSet<&String> = members.iter().flat_map(|member| member.judges.keys()).collect();
    let of_judge = |judge: &String| {
        let scores = members.iter().map(|member| member.judges.get(judge).copied());
        let Some(judged) = scores.collect::<Option<Vec<f64>>>() else {
            let judged_members = members.iter().filter(|member| member.judges.contains_key(judge));
            let reason = LabReason::JudgeIncomplete {
                judge: judge.clone(),
                answered: judged_members.count().to_string(),
                questions: members.len().to_string(),
            };
            return corrected(judge, None, Err(reason.into()));
        };
        let mean = judged.iter().sum::<f64>() / judged.len() as f64;
        let estimate = estimate_of(&queue, &judged, &answers, ALPHA);
        let estimate = estimate.map(|estimate| (estimate.corrected, estimate.lambda));
        corrected(judge, Some(mean), estimate.map_err(|why| why.to_sentence()))
    };
    // With a constant judge, only people's answers determine the estimate.
    let human = estimate_of(&queue, &vec![0.0; members.len()], &answers, ALPHA);
    Some(RunCorrected {
        run: first.run.clone(),
        model: first.model.clone(),
        questions: members.len() as u32,
        answers: answers.iter().flatten().count() as u32,
        judges: names.into_iter().map(of_judge).collect(),
        human: human.as_ref().ok().map(|estimate| mean_of(estimate.human)),
        reason: human.err().map(|why| why.to_sentence()),
    })
}

fn corrected(judge: &str, judged: Option<f64>, estimate: Result<(PpiMean, f64), Sentence>) -> JudgeCorrected {
    let (estimate, reason) = match estimate {
        Ok(estimate) => (Some(estimate), None),
        Err(reason) => (None, Some(reason)),
    };
    JudgeCorrected {
        judge: judge.to_owned(),
        judged,
        corrected: estimate.map(|(mean, _)| mean_of(mean)),
        lambda: estimate.map(|(_, lambda)| lambda),
        reason,
    }
}

/// Limits a mean and its interval to the range of scores, 0 to 1. A normal interval may exceed this
/// range.
fn mean_of(mean: PpiMean) -> EstimatedMean {
    EstimatedMean {
        value: mean.mean.clamp(0.0, 1.0),
        low: mean.low.clamp(0.0, 1.0),
        high: mean.high.clamp(0.0, 1.0),
    }
}
