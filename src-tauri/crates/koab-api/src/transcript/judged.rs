//! What judges said about a task, read back from the reports of its run.
//!
//! A report's details hold votes, grades and reasons; only the grades of `ArgAcc` have to be worked back from the score.

use super::wire::JudgeVerdict;
use koab_core::judge::{Answer, Opinion, Verdict, Verdicts};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use serde_json::Value;

/// What begins the recorded reason of a judge that failed.
const FAILED: &str = "Error: ";

/// The verdicts about a task that a report recorded, as the scorer needs them and as readers do.
pub(super) fn of_report(
    document: &Value,
    report: &str,
    scorer: Protocol,
    level: Level,
    task: &str,
) -> (Verdicts, Vec<JudgeVerdict>) {
    let judges = judges(document);
    let first_judge = judges.first().map_or("", String::as_str);
    let evaluated = document["by_level"][level.as_str()]["task_evaluations"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|evaluated| evaluated["task_id"].as_str() == Some(task));
    let (mut verdicts, mut shown) = (Verdicts::none(), Vec::new());
    let metrics = evaluated.and_then(|evaluated| evaluated["metrics"].as_object());
    for (name, score) in metrics.into_iter().flatten() {
        let Ok(metric) = name.parse::<MetricId>() else {
            continue;
        };
        for (vote, recorded) in recorded(metric, &score["details"], first_judge)
            .into_iter()
            .enumerate()
        {
            let opinion = match &recorded.verdict.answer {
                Answer::Answered(opinion) => opinion.clone(),
                Answer::Failed { .. } => Opinion::default(),
            };
            shown.push(JudgeVerdict {
                metric,
                scorer,
                judge: recorded.verdict.judge.clone(),
                vote: vote as u32 + 1,
                success: opinion.success,
                grade: opinion.score,
                reason: opinion.reason,
                failure: recorded.verdict.failure().map(ToOwned::to_owned),
                worked_back: recorded.worked_back,
                report: report.to_owned(),
            });
            verdicts.add(task, recorded.verdict);
        }
    }
    (verdicts, shown)
}

/// The judges that a report names, the first one first.
pub(super) fn judges(document: &Value) -> Vec<String> {
    let named = document.pointer("/summary/judge_model").and_then(Value::as_str);
    let each = named.into_iter().flat_map(|named| named.split(", "));
    each.filter(|judge| !judge.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

struct Recorded {
    verdict: Verdict,
    worked_back: bool,
}

fn recorded(metric: MetricId, details: &Value, first_judge: &str) -> Vec<Recorded> {
    let list = |key: &str| details[key].as_array().map_or(&[][..], Vec::as_slice);
    let answered = |judge: &str, success: Option<bool>, score: Option<i64>, reason: Option<&str>| Recorded {
        verdict: match reason.and_then(|reason| reason.strip_prefix(FAILED)) {
            Some(failure) => Verdict::failed(judge, metric, failure),
            None => Verdict {
                judge: judge.to_owned(),
                metric,
                answer: Answer::Answered(Opinion {
                    success,
                    score,
                    confidence: None,
                    reason: reason.map(ToOwned::to_owned),
                }),
            },
        },
        worked_back: false,
    };
    match metric {
        MetricId::Sr => list("votes")
            .iter()
            .zip(list("reasons"))
            .map(|(vote, reason)| answered(first_judge, vote.as_bool(), None, reason.as_str()))
            .collect(),
        MetricId::ArgAcc => {
            let Some(score) = details["llm_judge_score"].as_f64() else {
                return Vec::new();
            };
            let mut recorded = answered(first_judge, None, Some((1.0 + 4.0 * score).round() as i64), None);
            recorded.worked_back = true;
            vec![recorded]
        }
        MetricId::EffScore | MetricId::ContextRetention | MetricId::RefRecall => list("individual_judges")
            .iter()
            .map(|said| {
                let judge = said["judge_model"].as_str().unwrap_or(first_judge);
                answered(
                    judge,
                    said["success"].as_bool(),
                    said["score"].as_i64(),
                    said["reason"].as_str(),
                )
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Votes of the first judge on SR, when the report recorded any.
pub(super) fn votes(shown: &[JudgeVerdict]) -> Option<usize> {
    let votes = shown
        .iter()
        .filter(|verdict| verdict.metric == MetricId::Sr)
        .count();
    (votes > 0).then_some(votes)
}
