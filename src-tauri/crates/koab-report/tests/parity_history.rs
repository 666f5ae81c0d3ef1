//! Older published results: dropped metrics on real runs, two judges, three repetitions.

use crate::parity_support::{json, shared};
use koab_core::judge::{Aggregate, Answer, Opinion, Panel, Verdict, Verdicts, scale};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::score::{MetricId, MetricSet};
use koab_report::{Dataset, EvaluationOptions, evaluate};
use serde_json::{Value, json};

/// Evaluated with a Python that sums with compensation.
const COMPENSATED: [&str; 4] = ["azure_gpt-4.1", "anthropic_claude-sonnet-4", "gemini_", "bedrock_"];

fn opinion(success: Option<bool>, score: Option<i64>) -> Answer {
    Answer::Answered(Opinion { success, score, ..Opinion::default() })
}

fn ulps(a: f64, b: f64) -> u64 {
    a.to_bits().abs_diff(b.to_bits())
}

fn evaluate_one(level: Level, tasks: &Value, verdicts: &Verdicts) -> koab_report::LevelReport {
    let log = LevelLog::read_as(level, &json!({"results": tasks})).expect("a log");
    let options = EvaluationOptions { metrics: MetricSet::All, ..EvaluationOptions::default() };
    evaluate(&[log], &Dataset::none(), verdicts, &options).levels.remove(0)
}

#[test]
fn october_and_december_scores_are_the_published_ones() {
    let Some(parity) = shared("parity") else { return };
    let history = json(&parity.join("extra_history.json"));
    let (mut scores, mut means, mut off_by_one) = (0, 0, 0);
    for (set, models) in history["sets"].as_object().unwrap() {
        for (model, levels) in models.as_object().unwrap() {
            for (name, run) in levels.as_object().unwrap() {
                let level: Level = name.parse().unwrap();
                let mut verdicts = Verdicts::none();
                let answers = run.get("eff_score_judge_answers").and_then(Value::as_object);
                for (task, answers) in answers.into_iter().flatten() {
                    for (i, answer) in answers.as_array().unwrap().iter().enumerate() {
                        let answer = opinion(answer.as_bool(), None);
                        let verdict =
                            Verdict { judge: format!("judge {i}"), metric: MetricId::EffScore, answer };
                        verdicts.add(task, verdict);
                    }
                }
                let report = evaluate_one(level, &run["tasks"], &verdicts);
                for task in &report.tasks {
                    for (metric, wanted) in run["expected"][&task.id].as_object().unwrap() {
                        let id: MetricId = metric.parse().unwrap();
                        let (_, found) = task.scores.iter().find(|(metric, _)| *metric == id).unwrap();
                        assert_eq!(found.value(), wanted.as_f64(), "{set} {model} {} {metric}", task.id);
                        scores += 1;
                    }
                }
                for (metric, wanted) in run["averages"].as_object().unwrap() {
                    let found = report.mean(metric.parse().unwrap()).unwrap().figure.value().unwrap();
                    let off = ulps(found, wanted.as_f64().unwrap());
                    let allowed = u64::from(
                        set == "oct29" && COMPENSATED.iter().any(|prefix| model.starts_with(prefix)),
                    );
                    assert!(off <= allowed, "{set} {model} {name} {metric}: {found}, not {wanted}");
                    off_by_one += off;
                    means += 1;
                }
            }
        }
    }
    println!("{scores} scores equal, {means} means equal but {off_by_one} that are one ulp off");
    assert_eq!((scores, means), (1_275, 105));
}

#[test]
fn two_judges_agree_as_published() {
    let Some(parity) = shared("parity") else { return };
    let history = json(&parity.join("extra_history.json"));
    let (mut graded, mut voted, mut failed) = (0, 0, 0);
    for case in history["ensemble_cases"].as_array().unwrap() {
        let metric: MetricId = case["metric"].as_str().unwrap().parse().unwrap();
        let wanted = case["score"].as_f64().unwrap();
        let task_id = case["task_id"].as_str().unwrap();
        let mut verdicts = Verdicts::none();
        let mut grades = Vec::new();
        for answer in case["answers"].as_array().unwrap() {
            let judge = answer["judge"].as_str().unwrap().to_owned();
            let given = if answer["failed"] == json!(true) {
                failed += 1;
                Answer::Failed { reason: "recorded failure".into(), unanswered: false }
            } else {
                opinion(
                    answer.get("success").and_then(Value::as_bool),
                    answer.get("score").and_then(Value::as_i64),
                )
            };
            grades.extend(answer.get("score").and_then(Value::as_i64));
            verdicts.add(task_id, Verdict { judge, metric, answer: given });
        }
        if metric != MetricId::EffScore {
            let scale = scale(&grades, Aggregate::Mean).unwrap();
            assert_eq!(Some(scale.average), case["average_score"].as_f64(), "{case}");
            assert_eq!(Some(scale.rounded), case["rounded"].as_i64(), "{case}");
            assert_eq!(scale.normalized, wanted, "{case}");
            graded += 1;
        }
        // SR was graded then and is voted on now, so only the arithmetic can be compared for it.
        let (level, task) = match metric {
            MetricId::Sr => continue,
            MetricId::EffScore => {
                let call = json!({"tool_name": "A", "success": true});
                let golden: Vec<Value> = (0..case["minimum_calls"].as_u64().unwrap())
                    .map(|i| json!({"tool": "A", "args": {"i": i}}))
                    .collect();
                let calls = vec![call; case["actual_calls"].as_u64().unwrap() as usize];
                (Level::L6, json!({"task_id": task_id, "golden_action": golden, "tool_calls": calls}))
            }
            _ => {
                let messages = json!([{"role": "user", "content": "q"}]);
                (Level::L7, json!({"task_id": task_id, "conversation_log": {"messages": messages}}))
            }
        };
        let report = evaluate_one(level, &json!([task]), &verdicts);
        let (_, found) = report.tasks[0].scores.iter().find(|(id, _)| *id == metric).unwrap();
        assert_eq!(found.value(), Some(wanted), "{case}");
        voted += 1;
    }
    println!("{graded} gradings and {voted} scores of two judges equal, {failed} answers being failures");
    assert_eq!((graded, voted, failed), (837, 245, 5));
    assert_eq!(Panel::default().aggregate, Aggregate::Mean);
}

#[test]
fn repetitions_are_averaged_as_published() {
    let Some(parity) = shared("parity") else { return };
    let history = json(&parity.join("extra_history.json"));
    let cases = history["pass_at_k_cases"].as_array().unwrap();
    for case in cases {
        let level: Level = case["level"].as_str().unwrap().parse().unwrap();
        let report = evaluate_one(level, &json!([case]), &Verdicts::none());
        let (_, found) =
            report.tasks[0].scores.iter().find(|(metric, _)| *metric == MetricId::PassAtK).unwrap();
        assert_eq!(found.value(), case["score"].as_f64(), "{case}");
    }
    println!("{} results of three repetitions equal", cases.len());
    assert_eq!(cases.len(), 742);
}
