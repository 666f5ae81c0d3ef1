//! Which judges have judged what.

use super::flips::is_few;
use super::{Standing, Subject, items, judged_metrics, judges};
use koab_core::judge::family;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};

/// What a judge has answered of the runs' questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgeCoverage {
    /// Judge model id.
    pub judge: String,
    /// Whether it has answered every question of every run.
    pub complete: bool,
    /// Whether it has answered less than half of them: it stays out of "all" unless it is asked
    /// for.
    pub few: bool,
    /// Questions of all runs.
    pub questions: usize,
    /// Of these, answered as often as asked.
    pub answered: usize,
    /// An answer failed or cannot be used.
    pub failed: usize,
    /// Not asked yet, or not often enough.
    pub missing: usize,
    /// By metric, over all runs, in report order; metrics without a question are left out.
    pub metrics: Vec<MetricCoverage>,
    /// The same by run: questions of that run that it has not answered.
    pub open: Vec<usize>,
    /// Models among the runs' that are of the judge's own maker, which judges are known to favour.
    pub own_kind: Vec<String>,
}

/// What a judge has answered of one metric's questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MetricCoverage {
    /// Metric as published.
    pub metric: String,
    /// Its questions.
    pub questions: usize,
    /// Answered as often as asked.
    pub answered: usize,
    /// An answer failed or cannot be used.
    pub failed: usize,
    /// Not asked yet, or not often enough.
    pub missing: usize,
}

/// What these judges have answered.
pub fn coverage(subjects: &[Subject<'_>], judges: &[String]) -> Vec<JudgeCoverage> {
    judges.iter().map(|judge| of_judge(subjects, judge)).collect()
}

/// The judges who have answered every question of every run; nobody where nothing is asked.
pub fn complete(subjects: &[Subject<'_>]) -> Vec<String> {
    let is_complete = |judge: &String| {
        items(subjects).next().is_some()
            && items(subjects).all(|(_, item)| item.standing(judge) == Standing::Answered)
    };
    judges(subjects).into_iter().filter(is_complete).collect()
}

fn of_judge(subjects: &[Subject<'_>], judge: &str) -> JudgeCoverage {
    let metrics: Vec<MetricCoverage> = judged_metrics()
        .map(|metric| of_metric(subjects, judge, metric))
        .filter(|row| row.questions > 0)
        .collect();
    let sum = |count: fn(&MetricCoverage) -> usize| metrics.iter().map(count).sum::<usize>();
    let questions = sum(|row| row.questions);
    let answered = sum(|row| row.answered);
    let open = |subject: &Subject<'_>| {
        let left = |item: &&super::Item| item.standing(judge) != Standing::Answered;
        subject.items.iter().filter(left).count()
    };
    let maker = family(judge);
    let mut own_kind: Vec<String> = Vec::new();
    for subject in subjects {
        if maker.is_some() && family(&subject.model) == maker && !own_kind.contains(&subject.model) {
            own_kind.push(subject.model.clone());
        }
    }
    JudgeCoverage {
        judge: judge.to_owned(),
        complete: questions > 0 && answered == questions,
        few: is_few(answered, questions),
        questions,
        answered,
        failed: sum(|row| row.failed),
        missing: sum(|row| row.missing),
        open: subjects.iter().map(open).collect(),
        own_kind,
        metrics,
    }
}

fn of_metric(subjects: &[Subject<'_>], judge: &str, metric: MetricId) -> MetricCoverage {
    let mut row =
        MetricCoverage { metric: metric.name().to_owned(), questions: 0, answered: 0, failed: 0, missing: 0 };
    for (_, item) in items(subjects).filter(|(_, item)| item.metric == metric) {
        row.questions += 1;
        match item.standing(judge) {
            Standing::Answered => row.answered += 1,
            Standing::Failed => row.failed += 1,
            Standing::Missing => row.missing += 1,
        }
    }
    row
}
