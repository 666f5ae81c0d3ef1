//! What follows from the answers to a queue drawn at random for the questions that nobody looked
//! at.
//!
//! What judges had scored is kept with the queue for all questions of the runs, those that were not
//! drawn among them; so an estimate is of the verdicts as they stood, whatever is judged later.

use super::record::{Member, OpenQueue};
use super::review::number_of;
use crate::Scoring;
use crate::wire::{EstimatedMean, JudgeCorrected, QueueEstimate, RunCorrected, WireError};
use koab_analysis::judge_lab::{LabReason, score};
use koab_analysis::ppi::{PersonsAnswer, PpiMean, PpiRefusal, RandomQueue, estimate_of};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use std::collections::BTreeSet;

/// Of the intervals.
const ALPHA: f64 = 0.05;

impl Scoring {
    /// What people would have said over all questions that a random queue was drawn from, by the
    /// answers to it, a run each.
    ///
    /// # Errors
    /// When there is no such queue, it has disputed questions first, or it is blind yet.
    pub fn queue_estimate(&self, id: &str) -> Result<QueueEstimate, WireError> {
        let open = self.open_queue(id)?;
        let Some(draw) = &open.kept.draw else {
            return Err(WireError::bad_request(PpiRefusal::NotRandom.to_sentence()));
        };
        if open.stored.revealed_at.is_none() {
            return Err(WireError::bad_request(say!("the queue {id} is blind yet; reveal it first")));
        }
        // Whoever leaves a question out chooses: what comes behind it is no random sample.
        let said: Vec<PersonsAnswer> =
            (1..=open.kept.questions.len() as u32).map_while(|number| person(&open, number)).collect();
        let numbers = 1..=open.kept.questions.len() as u32;
        let answered = numbers.filter(|number| person(&open, *number).is_some()).count();
        let runs = open.kept.runs.iter().filter_map(|run| {
            let members = draw.population.iter().filter(|member| member.run == *run);
            of_run(members.collect(), &said)
        });
        Ok(QueueEstimate {
            metric: draw.metric.to_string(),
            counted: said.len() as u32,
            unsure: said.iter().filter(|one| **one == PersonsAnswer::Unsure).count() as u32,
            behind: (answered - said.len()) as u32,
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

/// A run's part of the sample: drawn at random from its questions, as the whole is from all.
fn of_run(mut members: Vec<&Member>, said: &[PersonsAnswer]) -> Option<RunCorrected> {
    members.sort_by_key(|member| member.place);
    let first = *members.first()?;
    let said: Vec<Option<PersonsAnswer>> =
        members.iter().map(|member| said.get(member.place as usize - 1).copied()).collect();
    let queue = RandomQueue::of_order((0..members.len()).collect());
    let names: BTreeSet<&String> = members.iter().flat_map(|member| member.judges.keys()).collect();
    let of_judge = |judge: &String| {
        let scores = members.iter().map(|member| member.judges.get(judge).copied());
        let Some(judged) = scores.collect::<Option<Vec<f64>>>() else {
            let answered = members.iter().filter(|member| member.judges.contains_key(judge));
            let reason = LabReason::JudgeIncomplete {
                judge: judge.clone(),
                answered: answered.count().to_string(),
                questions: members.len().to_string(),
            };
            return corrected(judge, None, Err(reason.into()));
        };
        let mean = judged.iter().sum::<f64>() / judged.len() as f64;
        let found = estimate_of(&queue, &judged, &said, ALPHA);
        let found = found.map(|found| (found.corrected, found.lambda));
        corrected(judge, Some(mean), found.map_err(|why| why.to_sentence()))
    };
    // A judge that says nothing: what is left is people's word.
    let human = estimate_of(&queue, &vec![0.0; members.len()], &said, ALPHA);
    Some(RunCorrected {
        run: first.run.clone(),
        model: first.model.clone(),
        questions: members.len() as u32,
        answers: said.iter().flatten().count() as u32,
        judges: names.into_iter().map(of_judge).collect(),
        human: human.as_ref().ok().map(|found| mean_of(found.human)),
        reason: human.err().map(|why| why.to_sentence()),
    })
}

fn corrected(judge: &str, judged: Option<f64>, found: Result<(PpiMean, f64), Sentence>) -> JudgeCorrected {
    let (found, reason) = match found {
        Ok(found) => (Some(found), None),
        Err(reason) => (None, Some(reason)),
    };
    JudgeCorrected {
        judge: judge.to_owned(),
        judged,
        corrected: found.map(|(mean, _)| mean_of(mean)),
        lambda: found.map(|(_, lambda)| lambda),
        reason,
    }
}

/// No score lies below 0 or above 1, where a normal interval may reach.
fn mean_of(mean: PpiMean) -> EstimatedMean {
    EstimatedMean {
        value: mean.mean.clamp(0.0, 1.0),
        low: mean.low.clamp(0.0, 1.0),
        high: mean.high.clamp(0.0, 1.0),
    }
}
