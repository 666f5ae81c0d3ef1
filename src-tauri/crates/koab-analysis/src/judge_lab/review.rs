//! Result of a blind review: agreement of each judge with the reviewer, a person who answers the
//! judges' questions without seeing their answers.
//!
//! The queue contains questions that judges answer differently, so the agreement is lower than over
//! all questions. The result compares judges with each other; it does not measure how often a judge
//! is right.

use super::is_yes_no;
use super::reason::LabReason;
use super::resample::{Clustered, Counts, LabEstimate};
use koab_core::judge::agreement::Measurement;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Question of the queue, with the answers of the judges and the reviewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// Id of the task.
    pub task: String,
    /// Metric that asks the question.
    pub metric: MetricId,
    /// Answer of each judge: 1 or 0, or a grade.
    pub judges: BTreeMap<String, i64>,
    /// Answer of the reviewer: 1 or 0, or a grade. Null if the reviewer is unsure, has skipped the
    /// question, or has not answered yet.
    pub person: Option<i64>,
}

/// Agreement of a judge with the reviewer on questions of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ScaleAgainstPeople {
    /// Number of questions that both the judge and the reviewer answered.
    pub questions: usize,
    /// Share (0 to 1) of equal answers.
    pub percent: LabEstimate,
    /// Cohen's kappa, unweighted.
    pub kappa: LabEstimate,
    /// Krippendorff's alpha, nominal for yes or no and ordinal for grades.
    pub alpha: LabEstimate,
}

/// Agreement of a judge with the reviewer: the person who answered the same questions without
/// seeing the judges' answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgeAgainstPeople {
    /// Judge model id.
    pub judge: String,
    /// Number of questions that both the judge and the reviewer answered.
    pub questions: usize,
    /// Mean distance between the answers of judge and reviewer, from 0 to 1. Yes and no have the
    /// distance 1; neighbouring grades have the distance ¼. Null without a common question.
    pub distance: Option<f64>,
    /// Whether this judge is the closest to the reviewer. Only judges with the largest number of
    /// common questions are compared.
    pub closest: bool,
    /// Agreement on yes-or-no questions (SR, `EffScore`).
    pub yes_no: ScaleAgainstPeople,
    /// Agreement on grades (`ArgAcc`, `ContextRetention`, `RefRecall`).
    pub grades: ScaleAgainstPeople,
}

/// Agreement of each judge with the reviewer, the closest judge first.
pub fn against_people(reviewed: &[Reviewed]) -> Vec<JudgeAgainstPeople> {
    let judges: BTreeSet<&String> = reviewed.iter().flat_map(|one| one.judges.keys()).collect();
    let mut agreements: Vec<JudgeAgainstPeople> =
        judges.into_iter().map(|judge| of_judge(reviewed, judge)).collect();
    let most = agreements.iter().map(|one| one.questions).max().unwrap_or(0);
    let least = agreements
        .iter()
        .filter(|one| one.questions == most)
        .filter_map(|one| one.distance)
        .min_by(f64::total_cmp);
    for one in &mut agreements {
        one.closest = one.questions == most && one.distance.is_some() && one.distance == least;
    }
    agreements.sort_by(|a, b| {
        let key = |one: &JudgeAgainstPeople| one.distance.unwrap_or(f64::INFINITY);
        key(a).total_cmp(&key(b)).then(a.judge.cmp(&b.judge))
    });
    agreements
}

fn of_judge(reviewed: &[Reviewed], judge: &str) -> JudgeAgainstPeople {
    let pairs: Vec<(&Reviewed, i64, i64)> =
        reviewed.iter().filter_map(|one| Some((one, *one.judges.get(judge)?, one.person?))).collect();
    let apart = |(one, judge, person): &(&Reviewed, i64, i64)| {
        (judge - person).abs() as f64 / if is_yes_no(one.metric) { 1.0 } else { 4.0 }
    };
    let total: f64 = pairs.iter().map(apart).sum();
    JudgeAgainstPeople {
        judge: judge.to_owned(),
        questions: pairs.len(),
        distance: (!pairs.is_empty()).then(|| total / pairs.len() as f64),
        closest: false,
        yes_no: on_scale(&pairs, true),
        grades: on_scale(&pairs, false),
    }
}

fn on_scale(pairs: &[(&Reviewed, i64, i64)], yes_no: bool) -> ScaleAgainstPeople {
    let of_scale: Vec<_> = pairs.iter().filter(|(one, ..)| is_yes_no(one.metric) == yes_no).collect();
    if of_scale.is_empty() {
        let none = LabEstimate::none(LabReason::NothingOfScale {});
        return ScaleAgainstPeople { questions: 0, percent: none.clone(), kappa: none.clone(), alpha: none };
    }
    let rows =
        of_scale.iter().map(|(one, judge, person)| (one.task.as_str(), vec![Some(*judge), Some(*person)]));
    let answers = Clustered::new(2, rows);
    let measurement = if yes_no { Measurement::Nominal } else { Measurement::Ordinal };
    ScaleAgainstPeople {
        questions: of_scale.len(),
        percent: answers.estimate(Counts::percent),
        kappa: answers.estimate(|counts| counts.of_pair(0).2),
        alpha: answers.estimate(|counts| counts.alpha(measurement)),
    }
}
