//! Agreement of judges over several runs, each coefficient with its interval.
//!
//! In contrast to `report::agreement`, which is about one report and its panel, all judges vote on
//! SR here. A judge's answer to a question of SR is the majority of its votes.

use super::reason::LabReason;
use super::resample::{Clustered, Counts, LabEstimate, Row};
use super::{Item, Subject, is_yes_no, items, judged_metrics};
use koab_core::judge::agreement::{Measurement, Undefined};
use koab_core::score::MetricId;
use koab_report::AnswerScale;
use serde::{Deserialize, Serialize};

/// Agreement of judges on the questions of one metric, or of several metrics together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabAgreement {
    /// Metrics in report order. There are several in a combined row.
    pub metrics: Vec<MetricId>,
    /// Whether the questions are yes-or-no questions. Null if both kinds are combined; then only
    /// the share of equal answers is defined.
    pub yes_no: Option<bool>,
    /// Number of questions with answers of at least two judges.
    pub questions: usize,
    /// Number of tasks that the questions belong to. The intervals resample these tasks.
    pub tasks: usize,
    /// Share (0 to 1) of equal pairs among all pairs of answers to the same question.
    pub percent: LabEstimate,
    /// Fleiss' kappa over the questions that all judges answered, for at least three judges.
    pub fleiss: LabEstimate,
    /// Krippendorff's alpha, nominal for yes or no and ordinal for grades.
    pub alpha: LabEstimate,
    /// Agreement of each pair of judges.
    pub pairs: Vec<PairAgreement>,
}

/// Agreement of two judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairAgreement {
    /// Model id of one judge.
    pub one: String,
    /// Model id of the other judge.
    pub other: String,
    /// Number of questions that both judges answered.
    pub questions: usize,
    /// Share (0 to 1) of equal answers.
    pub percent: LabEstimate,
    /// Cohen's kappa, unweighted.
    pub kappa: LabEstimate,
}

/// Agreement of these judges: one row per metric, one row per scale over all its metrics, and one
/// row over all metrics. Empty with fewer than two judges.
pub fn agreement(subjects: &[Subject<'_>], judges: &[String]) -> Vec<LabAgreement> {
    if judges.len() < 2 {
        return Vec::new();
    }
    let metrics: Vec<MetricId> =
        judged_metrics().filter(|metric| items(subjects).any(|(_, item)| item.metric == *metric)).collect();
    let mut groups: Vec<(AnswerScale, Vec<MetricId>)> = Vec::new();
    for metric in &metrics {
        groups.push((scale(*metric), vec![*metric]));
    }
    for whole in [AnswerScale::YesNo, AnswerScale::Grades] {
        let same: Vec<MetricId> = metrics.iter().copied().filter(|metric| scale(*metric) == whole).collect();
        if same.len() > 1 {
            groups.push((whole, same));
        }
    }
    if metrics.iter().any(|metric| scale(*metric) != scale(metrics[0])) {
        groups.push((AnswerScale::Mixed, metrics));
    }
    groups.into_iter().map(|(scale, metrics)| of_group(subjects, judges, scale, &metrics)).collect()
}

fn of_group(
    subjects: &[Subject<'_>],
    judges: &[String],
    scale: AnswerScale,
    metrics: &[MetricId],
) -> LabAgreement {
    let row = |item: &Item| -> Row { judges.iter().map(|judge| item.answer(judge)).collect() };
    let rows: Vec<(&str, Row)> = items(subjects)
        .filter(|(_, item)| metrics.contains(&item.metric))
        .map(|(_, item)| (item.task.as_str(), row(item)))
        .filter(|(_, row)| row.iter().flatten().count() > 1)
        .collect();
    let mut tasks: Vec<&str> = rows.iter().map(|(task, _)| *task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    let (questions, tasks) = (rows.len(), tasks.len());
    let answers = Clustered::new(judges.len(), rows.into_iter());
    let coefficient = |compute: &dyn Fn(&Counts) -> Result<f64, Undefined>| match scale {
        AnswerScale::Mixed => LabEstimate::none(LabReason::NoScaleInCommon {}),
        _ => answers.estimate(compute),
    };
    let measurement = match scale {
        AnswerScale::Grades => Measurement::Ordinal,
        AnswerScale::YesNo | AnswerScale::Mixed => Measurement::Nominal,
    };
    let names = (0..judges.len()).flat_map(|one| (one + 1..judges.len()).map(move |other| (one, other)));
    let pairs = names.enumerate().map(|(pair, (one, other))| PairAgreement {
        one: judges[one].clone(),
        other: judges[other].clone(),
        questions: answers.all.of_pair(pair).0,
        percent: answers.estimate(|counts| counts.of_pair(pair).1),
        kappa: coefficient(&|counts| counts.of_pair(pair).2),
    });
    LabAgreement {
        metrics: metrics.to_vec(),
        yes_no: match scale {
            AnswerScale::YesNo => Some(true),
            AnswerScale::Grades => Some(false),
            AnswerScale::Mixed => None,
        },
        questions,
        tasks,
        percent: answers.estimate(Counts::percent),
        fleiss: coefficient(&Counts::fleiss),
        alpha: coefficient(&|counts| counts.alpha(measurement)),
        pairs: pairs.collect(),
    }
}

fn scale(metric: MetricId) -> AnswerScale {
    if is_yes_no(metric) { AnswerScale::YesNo } else { AnswerScale::Grades }
}
