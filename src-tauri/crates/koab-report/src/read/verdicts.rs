//! Judges' answers from the details of a report, so that the report can be scored under other rules
//! without judge calls.

use crate::{Report, TaskReport};
use koab_core::judge::{Answer, Opinion, Verdict, Verdicts};
use koab_core::score::{MetricId, Score};
use serde_json::Value;

/// Prefix in the published details of a reason that is an error.
const FAILED: &str = "Error: ";

/// All answers that a report contains. A task has no answers if its details contain none or do not
/// name the judge.
pub fn verdicts_of(report: &Report) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for task in report.levels.iter().flat_map(|level| &level.tasks) {
        for verdict in task_verdicts_of(report, task) {
            verdicts.add(&task.id, verdict);
        }
    }
    verdicts
}

/// Answers about one task of a report, with votes in their order. The grade of `ArgAcc` is computed
/// from its score.
pub fn task_verdicts_of(report: &Report, task: &TaskReport) -> Vec<Verdict> {
    let scores = task.scores.iter();
    scores
        .flat_map(|(metric, score)| match score {
            Score::Scored { details, .. } => read(*metric, details, &report.judges),
            _ => Vec::new(),
        })
        .collect()
}

fn read(metric: MetricId, details: &Value, judges: &[String]) -> Vec<Verdict> {
    let first = judges.first().map(String::as_str);
    match metric {
        MetricId::Sr => {
            let (votes, reasons) = (details["votes"].as_array(), details["reasons"].as_array());
            let (Some(judge), Some(votes), Some(reasons)) = (first, votes, reasons) else {
                return Vec::new();
            };
            let pairs = votes.iter().zip(reasons);
            pairs
                .filter_map(|(vote, reason)| {
                    let opinion = Opinion { success: Some(vote.as_bool()?), ..Opinion::default() };
                    Some(verdict(judge, metric, opinion, reason.as_str()))
                })
                .collect()
        }
        // The score gives the grade of a single judge. Of several judges only the mean is left.
        MetricId::ArgAcc => match (judges, details["llm_judge_score"].as_f64()) {
            ([judge], Some(share)) => {
                let opinion = Opinion { score: Some((share * 4.0).round() as i64 + 1), ..Opinion::default() };
                vec![verdict(judge, metric, opinion, None)]
            }
            _ => Vec::new(),
        },
        MetricId::EffScore | MetricId::ContextRetention | MetricId::RefRecall => {
            let answers = details["individual_judges"].as_array();
            let answers = answers.into_iter().flatten();
            answers
                .filter_map(|answer| {
                    let opinion = Opinion {
                        success: answer["success"].as_bool(),
                        score: answer["score"].as_i64(),
                        ..Opinion::default()
                    };
                    Some(verdict(answer["judge_model"].as_str()?, metric, opinion, answer["reason"].as_str()))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn verdict(judge: &str, metric: MetricId, opinion: Opinion, reason: Option<&str>) -> Verdict {
    match reason.and_then(|reason| reason.strip_prefix(FAILED)) {
        Some(why) => Verdict::failed(judge, metric, why),
        None => Verdict {
            judge: judge.to_owned(),
            metric,
            answer: Answer::Answered(Opinion { reason: reason.map(ToOwned::to_owned), ..opinion }),
        },
    }
}
