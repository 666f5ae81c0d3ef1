//! Share of questions that judges have answered.

use super::flips::is_few;
use super::{Standing, Subject, items, judged_metrics, judges};
use koab_core::judge::family;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};

/// Coverage by one judge: how many of the runs' questions it has answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgeCoverage {
    /// Judge model id.
    pub judge: String,
    /// Whether the judge has answered every question of every run.
    pub complete: bool,
    /// Whether the judge has answered less than half of the questions. Such a judge is not one of
    /// "all" judges unless the user names it.
    pub few: bool,
    /// Number of questions of all runs.
    pub questions: usize,
    /// Number of questions with the required number of answers.
    pub answered: usize,
    /// Number of questions with an answer that failed or cannot be used.
    pub failed: usize,
    /// Number of questions without an answer, or with fewer answers than required.
    pub missing: usize,
    /// Coverage by metric over all runs, in report order. Metrics without questions are left out.
    pub metrics: Vec<MetricCoverage>,
    /// Number of questions in each run that the judge has not answered.
    pub open: Vec<usize>,
    /// Models of the runs that have the same maker as the judge. Judges are known to favour such
    /// models.
    pub own_kind: Vec<String>,
}

/// Coverage of one metric's questions by a judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MetricCoverage {
    /// Metric of the questions.
    pub metric: MetricId,
    /// Number of the metric's questions.
    pub questions: usize,
    /// Number of questions with the required number of answers.
    pub answered: usize,
    /// Number of questions with an answer that failed or cannot be used.
    pub failed: usize,
    /// Number of questions without an answer, or with fewer answers than required.
    pub missing: usize,
}

/// Coverage of the runs' questions by each of these judges.
pub fn coverage(subjects: &[Subject<'_>], judges: &[String]) -> Vec<JudgeCoverage> {
    judges.iter().map(|judge| of_judge(subjects, judge)).collect()
}

/// Judges who have answered every question of every run; empty if there is no question.
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
    let answer_count = sum(|row| row.answered);
    let open = |subject: &Subject<'_>| {
        let is_open = |item: &&super::Item| item.standing(judge) != Standing::Answered;
        subject.items.iter().filter(is_open).count()
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
        complete: questions > 0 && answer_count == questions,
        few: is_few(answer_count, questions),
        questions,
        answered: answer_count,
        failed: sum(|row| row.failed),
        missing: sum(|row| row.missing),
        open: subjects.iter().map(open).collect(),
        own_kind,
        metrics,
    }
}

fn of_metric(subjects: &[Subject<'_>], judge: &str, metric: MetricId) -> MetricCoverage {
    let mut row = MetricCoverage { metric, questions: 0, answered: 0, failed: 0, missing: 0 };
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
