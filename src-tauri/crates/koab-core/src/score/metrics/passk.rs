//! pass@k (all levels): share of repetitions that ended with an answer.
//!
//! Despite its name the metric is the mean of the runner's `success` flags, so with one repetition
//! it equals RRR. The log contains no judged success of each repetition, so the corrected scorer
//! computes the same value (`docs/spec/metrics.md` §11, 4).

use crate::python::truthy;
use crate::score::{Score, TaskContext};
use serde_json::{Value, json};

/// pass@k = truthy repetitions / repetitions. Without `repetition_results`, the task's own
/// `success` is the only repetition.
pub(crate) fn pass_at_k(cx: &TaskContext<'_>) -> Score {
    let results = cx.task.ends();
    let single = [truthy(cx.task.get("success"))];
    let results = if results.is_empty() { &single[..] } else { results };
    let passed = results.iter().filter(|ended| **ended).count();
    let repetitions = match cx.task.get("repetitions") {
        Value::Null => json!(1),
        other => other.clone(),
    };
    Score::scored(
        passed as f64 / results.len() as f64,
        json!({"repetitions": repetitions, "actual_repetitions": results.len(), "success_count": passed}),
    )
}

#[cfg(test)]
mod tests {
    use crate::score::MetricId;
    use crate::score::testing::both;
    use serde_json::json;

    #[test]
    fn repetitions_are_averaged_and_success_stands_in_for_none() {
        for (task, expected) in [
            (json!({"repetition_results": [true, false, true], "success": false}), 2.0 / 3.0),
            (json!({"repetition_results": [], "success": true}), 1.0),
            (json!({}), 0.0),
        ] {
            assert_eq!(both(MetricId::PassAtK, &task), [Some(expected); 2], "{task}");
        }
    }
}
