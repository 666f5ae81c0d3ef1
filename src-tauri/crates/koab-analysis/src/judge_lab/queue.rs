//! Queue of questions for a person, the most informative first.
//!
//! A question's weight is `d · (e + s) / 2`, each part from 0 to 1:
//! - `d`, disagreement: the variance of the judges' answers on 0 to 1, divided by the largest
//!   possible variance (¼). A judge's answer to a yes-or-no question is the share of its yes votes,
//!   so a judge that contradicts itself counts, too.
//! - `e`, effect: the difference of the task's score between the judges' lowest and highest answer.
//! - `s`, swaps: the share of the other runs that could swap ranks with this run on that metric:
//!   the means differ by no more than this one answer can change.
//!
//! The queue takes the heaviest question first. After each question, the weights of further
//! questions with the same run and metric are divided by 2, then by 3, and so on. So no model and
//! no metric fills the queue. Questions with equal weights are ordered by a random number from the
//! seed and the question's hash, which is the same on every machine.

use super::coverage::complete;
use super::effect::{LabPanelKind, reports, scored_with};
use super::{Item, Subject, judges};
use koab_core::judge::{Answer, Opinion, Panel, Verdict};
use koab_core::score::MetricId;
use koab_core::split_mix::SplitMix;
use koab_report::Report;
use std::collections::{BTreeMap, BTreeSet};

/// Question that a person should answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Index of the run.
    pub subject: usize,
    /// Index of the question in the run.
    pub item: usize,
    /// Weight of the question: `d · (e + s) / 2`.
    pub weight: f64,
    /// Disagreement of the judges, `d`.
    pub disagreement: f64,
    /// Difference that the answer makes to the task's score, `e`.
    pub effect: f64,
    /// Share of the other runs that could swap ranks with this run, `s`.
    pub swaps: f64,
}

/// The questions with the highest weights on which judges disagree, in falling order, at most
/// `most`. If questions have the same text, only that of the first run is taken.
pub fn queue(subjects: &[Subject<'_>], most: usize, seed: u64) -> Vec<Pick> {
    let means = means(subjects);
    let mut candidates = Vec::new();
    let mut hashes = BTreeSet::new();
    for (place, subject) in subjects.iter().enumerate() {
        let ends = [true, false].map(|high| at_end(subject, high));
        for (number, item) in subject.items.iter().enumerate() {
            let shares: Vec<f64> = item.verdicts.keys().filter_map(|judge| item.share(judge)).collect();
            let disagreement = disagreement(item, &shares);
            if disagreement <= 0.0 || !hashes.insert(&item.hash) {
                continue;
            }
            let [high, low] = ends.each_ref().map(|report| task_score(report, item));
            let range =
                shares.iter().copied().fold(0.0, f64::max) - shares.iter().copied().fold(1.0, f64::min);
            // A single judge that contradicts itself could give either answer.
            let range = if range > 0.0 { range } else { 1.0 };
            let effect = ((high - low) * range).clamp(0.0, 1.0);
            let swaps = swaps(&means, place, item.metric, effect);
            let weight = disagreement * (effect + swaps) / 2.0;
            if weight > 0.0 {
                let pick = Pick { subject: place, item: number, weight, disagreement, effect, swaps };
                candidates.push((pick, item.metric, order(seed, &item.hash)));
            }
        }
    }
    candidates.sort_by(|(a, _, first), (b, _, second)| b.weight.total_cmp(&a.weight).then(first.cmp(second)));
    spread(candidates, most)
}

fn spread(mut left: Vec<(Pick, MetricId, u64)>, most: usize) -> Vec<Pick> {
    let mut taken: BTreeMap<(usize, MetricId), u32> = BTreeMap::new();
    let mut picks = Vec::new();
    while picks.len() < most && !left.is_empty() {
        let worth = |(pick, metric, _): &(Pick, MetricId, u64)| {
            pick.weight / f64::from(1 + taken.get(&(pick.subject, *metric)).copied().unwrap_or(0))
        };
        let mut best = 0;
        for place in 1..left.len() {
            // Of equal questions the first, since the list is already in order.
            if worth(&left[place]) > worth(&left[best]) {
                best = place;
            }
        }
        let (pick, metric, _) = left.remove(best);
        *taken.entry((pick.subject, metric)).or_default() += 1;
        picks.push(pick);
    }
    picks
}

/// Variance of the judges' answers divided by the largest possible variance. For yes-or-no
/// questions the variance of all votes is used, with equal weight for each judge.
fn disagreement(item: &Item, shares: &[f64]) -> f64 {
    if shares.is_empty() {
        return 0.0;
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    if item.is_yes_no() {
        4.0 * mean * (1.0 - mean)
    } else {
        4.0 * shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / shares.len() as f64
    }
}

/// Report of each run with all judges who have answered every question; `None` if there are no such
/// judges.
fn means(subjects: &[Subject<'_>]) -> Vec<Option<Report>> {
    let able = complete(subjects);
    if able.is_empty() || judges(subjects).is_empty() {
        return vec![None; subjects.len()];
    }
    reports(subjects, LabPanelKind::Mean, &able).into_iter().map(Some).collect()
}

fn swaps(means: &[Option<Report>], place: usize, metric: MetricId, effect: f64) -> f64 {
    if effect <= 0.0 || means.len() < 2 {
        return 0.0;
    }
    let value = |report: &Option<Report>| report.as_ref().and_then(|report| mean(report, metric));
    let Some((own, tasks)) = value(&means[place]) else {
        return 0.0;
    };
    let reach = effect / tasks as f64;
    let others = means.iter().enumerate().filter(|(other, _)| *other != place);
    let near = others.filter(|(_, other)| {
        // Sums over many tasks are inexact: a distance that one task can just bridge must not fail
        // by the last bit.
        value(other).is_some_and(|(other, _)| (other - own).abs() <= reach + 1e-9)
    });
    near.count() as f64 / (means.len() - 1) as f64
}

fn mean(report: &Report, metric: MetricId) -> Option<(f64, usize)> {
    let (mut sum, mut tasks) = (0.0, 0);
    for mean in report.levels.iter().filter_map(|level| level.mean(metric)) {
        let scored = mean.scored.filter(|scored| *scored > 0).unwrap_or(0);
        if scored > 0 {
            sum += mean.figure.value()? * scored as f64;
            tasks += scored;
        }
    }
    (tasks > 0).then(|| (sum / tasks as f64, tasks))
}

/// Report of the run as if every question had the highest answer (yes or 5) or the lowest answer
/// (no or 1).
fn at_end(subject: &Subject<'_>, high: bool) -> Report {
    let judge = "all alike";
    let panel = Panel { judges: vec![judge.to_owned()], votes: 1, ..Panel::default() };
    scored_with(subject, panel, |item| {
        let opinion = if item.is_yes_no() {
            Opinion { success: Some(high), ..Opinion::default() }
        } else {
            Opinion { score: Some(if high { 5 } else { 1 }), ..Opinion::default() }
        };
        let verdict =
            Verdict { judge: judge.to_owned(), metric: item.metric, answer: Answer::Answered(opinion) };
        // The number of votes that another benchmark counts is its own rule.
        let votes = if subject.dataset.is_of_items() { item.votes } else { 1 };
        vec![verdict; votes]
    })
}

fn task_score(report: &Report, item: &Item) -> f64 {
    let task =
        report.level(&item.level).and_then(|level| level.tasks.iter().find(|task| task.id == item.task));
    let score = task.and_then(|task| task.scores.iter().find(|(metric, _)| *metric == item.metric));
    score.and_then(|(_, score)| score.value()).unwrap_or(0.0)
}

fn order(seed: u64, hash: &str) -> u64 {
    let start = hash.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok());
    SplitMix(seed ^ start.unwrap_or_default()).next_bits()
}
