//! Draws questions of a metric at random.

use super::gather::{LabInput, LabInputs, blinder};
use super::record::{Draw, Member, QueueQuestion};
use koab_analysis::judge_lab::{Item, Subject, judges};
use koab_analysis::ppi::{LEAST, RandomQueue};
use koab_core::say;
use koab_core::score::MetricId;
use koab_library::QueueRequest;
use koab_workspace::WireError;
use std::collections::BTreeMap;

/// Default number of questions of a random queue.
const DEFAULT_QUESTIONS: u32 = 60;

/// Draws questions of one metric. All questions have the same probability.
pub(super) fn draw(
    gathering: &LabInputs,
    request: &QueueRequest,
    metric: MetricId,
) -> Result<(Vec<QueueQuestion>, Draw), WireError> {
    // By hash, so that the order depends only on the questions and the seed. Questions with the
    // same text are one question.
    let mut first: BTreeMap<&str, (&LabInput, usize)> = BTreeMap::new();
    for run in &gathering.runs {
        for (at, item) in of_metric(run, metric) {
            first.entry(&item.hash).or_insert((run, at));
        }
    }
    let all_questions: Vec<(&LabInput, usize)> = first.values().copied().collect();
    let all = all_questions.len();
    let most = request.most.unwrap_or(DEFAULT_QUESTIONS) as usize;
    if all <= LEAST || most < LEAST {
        return Err(WireError::bad_request(say!(
            "an estimate takes at least {LEAST} answers of people; these runs ask judges {all} questions of {metric}, of which {most} would be drawn"
        )));
    }
    let subjects: Vec<Subject<'_>> = gathering.runs.iter().map(LabInput::subject).collect();
    let is_judged = judges(&subjects).iter().any(|judge| {
        let runs = gathering.runs.iter();
        runs.flat_map(|run| of_metric(run, metric)).all(|(_, item)| item.score(judge).is_some())
    });
    if !is_judged {
        return Err(WireError::bad_request(say!(
            "no judge has answered all questions of {metric} of these runs; ask one with `koab judge again`, then draw"
        )));
    }
    let order = RandomQueue::new(all, request.seed);
    let blinder = blinder(gathering);
    let questions = order.order().iter().take(most).map(|at| {
        let (run, item) = all_questions[*at];
        QueueQuestion::new(run, item, &blinder, None)
    });
    let hashes: Vec<&str> = first.keys().copied().collect();
    let places: BTreeMap<&str, u32> = order.order().iter().map(|at| hashes[*at]).zip(1..).collect();
    let member = |run: &LabInput, item: &Item| Member {
        run: run.run.entry.id.clone(),
        model: run.model.clone(),
        place: places[item.hash.as_str()],
        judges: item.verdicts.keys().filter_map(|judge| Some((judge.clone(), item.score(judge)?))).collect(),
    };
    let population =
        gathering.runs.iter().flat_map(|run| of_metric(run, metric).map(move |(_, item)| member(run, item)));
    let draw = Draw {
        metric,
        probability: most.min(all) as f64 / all as f64,
        questions: all as u32,
        population: population.collect(),
    };
    Ok((questions.collect(), draw))
}

fn of_metric(run: &LabInput, metric: MetricId) -> impl Iterator<Item = (usize, &Item)> {
    let numbered = run.items.iter().enumerate();
    numbered.filter(move |(_, item)| item.metric == metric)
}
