//! `evaluation_report.json`, byte for byte as published (`docs/spec/metrics.md` §6).
//!
//! Keys of this product are added to the published form only where they are needed: `scorer` when
//! it is not the leaderboard's, `judge_base_url` where the judges have a base URL, `unscored` and
//! `skipped` for a level that has such tasks.

use super::{LevelReport, Report};
use koab_core::protocol::Protocol;
use koab_core::python::{Dumps, dumps};
use koab_core::score::Score;
use serde_json::{Map, Value, json};

/// Report as JSON text, without a final newline.
pub fn to_json(report: &Report) -> String {
    let mut summary = json!({
        "model": report.model,
        "judge_model": report.judges.join(", "),
        "execution_date": report.execution_date,
        "evaluation_date": report.evaluation_date,
        "total_tasks": report.total_tasks(),
        "evaluated_tasks": report.evaluated_tasks(),
        "sample_size": report.sample_size,
        "levels_evaluated": report.levels.len(),
    });
    if report.scorer == Protocol::Corrected {
        summary["scorer"] = json!(report.scorer.as_str());
    }
    // These keys are left out for the published values, so that published reports keep every byte.
    if report.panel_differs() {
        summary["judge_votes"] = json!(report.votes);
        summary["judge_aggregate"] = json!(report.aggregate);
    }
    if let Some(address) = &report.judge_base_url {
        summary["judge_base_url"] = json!(address);
    }
    let levels: Map<String, Value> =
        report.levels.iter().map(|level| (level.level.to_string(), level_value(level))).collect();
    dumps(&json!({"summary": summary, "by_level": levels}), Dumps { indent: Some(2), ..Dumps::default() })
}

fn level_value(report: &LevelReport) -> Value {
    let means: Map<String, Value> =
        report.means.iter().map(|mean| (mean.metric.to_string(), json!(mean.figure.value()))).collect();
    let tasks: Vec<Value> = report
        .tasks
        .iter()
        .map(|task| {
            let scores: Map<String, Value> =
                task.scores.iter().map(|(id, score)| (id.to_string(), score_value(score))).collect();
            json!({"task_id": task.id, "success": task.success, "metrics": scores})
        })
        .collect();
    let mut value = json!({
        "file": format!("{}.json", report.level),
        "total_tasks": report.total_tasks,
        "evaluated_tasks": report.evaluated_tasks,
        "metrics": means,
        "metadata": report.metadata,
        "task_evaluations": tasks,
    });
    let unscored: Map<String, Value> = report
        .means
        .iter()
        .filter(|mean| mean.unscored > 0)
        .map(|mean| {
            let reasons: Map<String, Value> = mean
                .unscored_reasons
                .iter()
                .map(|(reason, count)| (reason.to_string(), json!(count)))
                .collect();
            (
                mean.metric.to_string(),
                json!({"tasks": mean.unscored, "scored": mean.scored, "reasons": reasons}),
            )
        })
        .collect();
    if !unscored.is_empty() {
        value["unscored"] = Value::Object(unscored);
    }
    if !report.skipped.is_empty() {
        let skipped =
            report.skipped.iter().map(|task| json!({"task_id": task.id, "reason": task.reason.to_string()}));
        value["skipped"] = skipped.collect();
    }
    value
}

fn score_value(score: &Score) -> Value {
    match score {
        Score::Scored { value, details } => json!({"score": value, "details": details}),
        Score::Errored { error } => json!({"score": 0.0, "error": error}),
        Score::Unscored { reason } => json!({"score": null, "unscored": reason.to_string()}),
        Score::NotApplicable { details } => json!({"score": null, "details": details}),
    }
}
