//! What readers are told about a score agrees with the score, on every published task.

use crate::parity_support::{runs, shared};
use koab_core::judge::Panel;
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::protocol::Protocol;
use koab_core::score::{
    ArgumentState, CallPlace, Effect, Matching, MetricId, MetricSet, Score, TaskContext, evidence, metrics_of,
};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn the_calls_that_are_named_make_the_score() {
    let Some(parity) = shared("parity") else { return };
    let (panel, mut checked, mut explained) = (Panel::default(), 0, 0);
    for run in runs(&parity) {
        for log in &run.logs {
            for task in &log.tasks {
                for scorer in [Protocol::Leaderboard, Protocol::Corrected] {
                    let cx = TaskContext { level: &log.level, task, dataset: None, scorer, panel: &panel };
                    for metric in metrics_of(&log.level, MetricSet::All) {
                        let Score::Scored { value, details } =
                            metric.score(&cx, run.verdicts.about(&task.id, metric.id))
                        else {
                            continue;
                        };
                        let found = evidence(metric.id, &cx);
                        assert!(found.iter().all(|one| one.call < task.calls.len()));
                        let count = |effect: Effect| found.iter().filter(|one| one.effect == effect).count();
                        let (good, bad) = (count(Effect::For), count(Effect::Against));
                        let tools_of = |effect: Effect| -> BTreeSet<&str> {
                            let of = found.iter().filter(|one| one.effect == effect);
                            of.filter_map(|one| task.calls[one.call].name()).collect()
                        };
                        let listed = |key: &str| -> BTreeSet<&str> {
                            let tools = details[key].as_array().into_iter().flatten();
                            tools.filter_map(Value::as_str).collect()
                        };
                        let number = |key: &str| details[key].as_u64().unwrap_or(0) as usize;
                        let agrees = match metric.id {
                            MetricId::EprCvr => {
                                (good, good + bad) == (number("valid_calls"), number("total_calls"))
                            }
                            MetricId::ToolAcc | MetricId::SelectAcc | MetricId::CallEm => {
                                (good == 1) == (value == 1.0)
                            }
                            MetricId::ArgAcc => good + bad == 0 && found.len() <= 1,
                            MetricId::Fsm => {
                                let golden = task.get("golden_action").as_array().map_or(0, Vec::len);
                                (value == 1.0) == (bad == 0 && good == golden && golden > 0)
                            }
                            MetricId::Psm => tools_of(Effect::For) == listed("matched_tools"),
                            MetricId::Coverage => tools_of(Effect::For) == listed("covered_tools"),
                            MetricId::SourceEpr => {
                                let sources = details["source_eprs"].as_object().unwrap().values();
                                let sum = |key: &str| {
                                    sources.clone().map(|s| s[key].as_u64().unwrap_or(0)).sum::<u64>()
                                };
                                (good as u64, (good + bad) as u64) == (sum("valid_calls"), sum("total_calls"))
                            }
                            MetricId::AdaptiveRoutingScore => (good == 1) == (value > 0.0),
                            MetricId::FallbackSr => {
                                value == 0.0
                                    || (good, good + bad)
                                        == (number("fallback_successes"), number("fallback_attempts"))
                            }
                            MetricId::RedundantCallRate => bad == number("redundant_calls"),
                            MetricId::DeltaStepsNorm => {
                                let least = details["minimum_steps"].as_f64().unwrap_or(0.0);
                                good == task.calls.len().min(least as usize)
                            }
                            MetricId::ReuseRate => {
                                good == 0
                                    && details.get("redundant_calls").is_none_or(|redundant| redundant == bad)
                            }
                            // Nothing was fulfilled, or nothing was called.
                            MetricId::EffScore if details.get("efficiency").is_none() => {
                                value == 0.0 || task.calls.is_empty()
                            }
                            MetricId::EffScore => (bad == 0) == (value == 1.0),
                            // They go by texts alone.
                            MetricId::Sr
                            | MetricId::PassAtK
                            | MetricId::RespOk
                            | MetricId::ProvAcc
                            | MetricId::ContextRetention
                            | MetricId::RefRecall
                            | MetricId::Rrr => found.is_empty(),
                        };
                        if !found.is_empty() {
                            explained += 1;
                        }
                        assert!(
                            agrees,
                            "{} {} {} {scorer:?}: {value} {details} {found:?}",
                            run.model, task.id, metric.id
                        );
                        checked += 1;
                    }
                }
            }
        }
    }
    println!("{checked} scores, {explained} of them made by calls");
    assert_eq!((checked, explained), (7_716, 3_228));
}

#[test]
fn calls_beside_the_golden_path_agree_with_the_metrics_of_the_path() {
    let Some(parity) = shared("parity") else { return };
    let (mut exact, mut paths, mut off_paths, mut pathless) = (0, 0, 0, 0);
    for run in runs(&parity) {
        for log in &run.logs {
            for task in &log.tasks {
                let found = Matching::new(&log.level, task);
                assert_eq!(found.calls.len(), task.calls.len());
                let place =
                    |wanted: CallPlace| found.calls.iter().filter(|call| call.place == wanted).count();
                let at = format!("{} {}", run.model, task.id);
                match log.level {
                    Level::L1 if value(&log.level, task, MetricId::CallEm) == Some(1.0) => {
                        exact += 1;
                        let first = &found.calls[0];
                        assert_eq!(first.place, CallPlace::Expected, "{at}");
                        assert!(first.arguments.iter().all(|a| a.state == ArgumentState::Same), "{at}");
                    }
                    Level::L3 => {
                        let walked = value(&log.level, task, MetricId::Fsm) == Some(1.0);
                        let all = place(CallPlace::Expected) == task.calls.len()
                            && found.golden.iter().all(|entry| entry.call.is_some());
                        assert_eq!(walked, all, "{at}");
                        paths += usize::from(walked);
                        off_paths += usize::from(!walked);
                    }
                    _ => {}
                }
                // Without a path nothing was expected.
                if task.get("golden_action").as_array().is_none_or(Vec::is_empty) {
                    assert_eq!(place(CallPlace::Expected), 0, "{at}");
                    pathless += 1;
                }
            }
        }
    }
    assert_eq!((exact, paths, off_paths, pathless), (26, 40, 40, 80));
}

fn value(level: &Level, task: &LoggedTask, id: MetricId) -> Option<f64> {
    let cx =
        TaskContext { level, task, dataset: None, scorer: Protocol::Leaderboard, panel: &Panel::default() };
    let metric = metrics_of(level, MetricSet::All).find(|metric| metric.id == id)?;
    metric.score(&cx, &[]).value()
}
