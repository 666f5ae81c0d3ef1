use super::*;
use crate::{ReadReport, read_json};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What other software says; how it was made stands in it.
const FIXTURE: &str = include_str!("fixture.json");

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().unwrap().iter();
    values.map(|value| value.as_f64().unwrap()).collect()
}

#[test]
fn wilson_is_that_of_statsmodels() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for row in fixture["wilson"].as_array().unwrap() {
        let row = numbers(row);
        let found = wilson(row[0] as usize, row[1] as usize).unwrap();
        assert!(
            (found.low - row[2]).abs() < 1e-12 && (found.high - row[3]).abs() < 1e-12,
            "{row:?}: {found:?}"
        );
    }
    assert_eq!(wilson(0, 0), Err("there are no tasks".into()));
}

#[test]
fn the_bootstrap_is_that_of_scipy_within_what_ten_thousand_draws_can_tell() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for row in fixture["means"].as_array().unwrap() {
        let found = bootstrap_mean(&numbers(&row["values"])).unwrap();
        let near = 0.15 * row["standard_error"].as_f64().unwrap();
        for (found, theirs) in [(found.low, &row["low"]), (found.high, &row["high"])] {
            let theirs = theirs.as_f64().unwrap();
            assert!((found - theirs).abs() < near, "{found} and {theirs} of {row}");
        }
    }
}

#[test]
fn what_has_no_interval_says_why() {
    for (values, why) in [
        (&[][..], "no task is scored"),
        (&[0.5], "one task tells nothing about the spread"),
        (&[0.5, 0.5, 0.5], "every task has the same score, so resampling the tasks shows no spread"),
    ] {
        assert_eq!(bootstrap_mean(values), Err(why.into()));
    }
}

/// A report whose tasks have these scores of a level's metrics.
fn report(level: &str, metrics: &[(&str, Vec<Option<f64>>)]) -> crate::Report {
    let tasks: Vec<Value> = (0..metrics[0].1.len())
        .map(|task| {
            let scores: serde_json::Map<String, Value> = metrics
                .iter()
                .map(|(name, values)| {
                    let score = values[task].map_or(
                        json!({"score": null, "unscored": "no judge was asked"}),
                        |value| json!({"score": value, "details": {}}),
                    );
                    ((*name).to_owned(), score)
                })
                .collect();
            json!({"task_id": format!("{level}-{task}"), "success": true, "metrics": scores})
        })
        .collect();
    let means: serde_json::Map<String, Value> = metrics
        .iter()
        .map(|(name, values)| {
            let all: Option<Vec<f64>> = values.iter().copied().collect();
            let mean = all.map(|all| all.iter().sum::<f64>() / all.len() as f64);
            ((*name).to_owned(), json!(mean))
        })
        .collect();
    let document = json!({"summary": {}, "by_level": {level: {"metrics": means, "task_evaluations": tasks}}});
    let ReadReport { report, left_out, .. } = read_json(document.to_string().as_bytes()).unwrap();
    assert!(left_out.is_empty());
    report
}

#[test]
fn a_proportion_has_wilsons_and_a_mean_the_bootstraps() {
    let found = intervals(&report(
        "L4",
        &[
            ("SR", vec![Some(1.0), Some(0.0), Some(1.0)]),
            ("Coverage", vec![Some(0.5), Some(0.0), Some(1.0)]),
            ("SourceEPR", vec![Some(0.5), None, Some(1.0)]),
        ],
    ));
    let level = &found.levels[0];
    assert_eq!(level.means[0].1, wilson(2, 3));
    assert_eq!(level.means[1].1.as_ref().unwrap().method, IntervalMethod::Bootstrap);
    assert!(level.means[2].1.is_err(), "a mean that is missing has no interval");
    assert!(level.score.is_err());
    let reason = found.composites[0].1.as_ref().unwrap_err();
    assert_eq!(reason, "L1 ToolAcc: the level was not evaluated");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn an_interval_holds_its_mean_and_is_the_same_every_time(values in prop::collection::vec(0.0..1.0f64, 2..24)) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let found = bootstrap_mean(&values).unwrap();
        prop_assert!(found.low <= mean && mean <= found.high);
        prop_assert_eq!(Ok(found), bootstrap_mean(&values));
    }

    #[test]
    fn a_level_made_of_two_metrics_spreads_at_most_as_the_wider_of_them(
        values in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 3..12),
    ) {
        let (one, other): (Vec<_>, Vec<_>) = values.iter().map(|(a, b)| (Some(*a), Some(*b))).unzip();
        let found = intervals(&report("L4", &[("Coverage", one), ("SourceEPR", other)]));
        let width = |bounds: &Bounds| bounds.as_ref().map(|found| found.high - found.low).unwrap();
        let level = &found.levels[0];
        let widest = level.means.iter().map(|(_, bounds)| width(bounds)).fold(0.0, f64::max);
        prop_assert!(width(&level.score) <= widest * 1.05);
    }
}
