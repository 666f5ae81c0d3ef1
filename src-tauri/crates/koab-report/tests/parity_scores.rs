//! The leaderboard scorer against the published scores, bit for bit.

use crate::parity_support::{json, options, report, runs, shared, text};
use koab_core::judge::{JudgePrompts, Verdicts};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::score::composite::CompositeVariant;
use koab_core::score::{MetricId, MetricSet, Score};
use koab_report::{Dataset, evaluate, questions};
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn every_score_and_mean_is_the_published_one() {
    let Some(parity) = shared("parity") else { return };
    let expected = json(&parity.join("expected.json"));
    let (mut scores, mut means, mut wrong) = (0, 0, Vec::new());
    for run in runs(&parity) {
        let expected = &expected[&run.model];
        let report = report(&run, MetricSet::All, "");
        for level in &report.levels {
            let name = level.level.as_str();
            let tasks = expected[name].as_object().unwrap();
            assert_eq!(tasks.len(), level.tasks.len(), "{} {name}", run.model);
            assert_eq!(
                expected["counts"][name]["total"].as_u64(),
                level.total_tasks.map(|tasks| tasks as u64)
            );
            for task in &level.tasks {
                let wanted = tasks[&task.id].as_object().unwrap();
                assert_eq!(wanted.len(), task.scores.len(), "{} {}", run.model, task.id);
                for (metric, score) in &task.scores {
                    scores += 1;
                    let wanted = wanted[metric.name()].as_f64();
                    if score.value().map(f64::to_bits) != wanted.map(f64::to_bits) {
                        wrong.push(format!("{} {} {metric}: {score:?}, not {wanted:?}", run.model, task.id));
                    }
                }
            }
            let averages = expected["averages"][name].as_object().unwrap();
            assert_eq!(averages.len(), level.means.len(), "{} {name}", run.model);
            for mean in &level.means {
                means += 1;
                let wanted = averages[mean.metric.name()].as_f64();
                if mean.figure.value().map(f64::to_bits) != wanted.map(f64::to_bits) {
                    wrong.push(format!(
                        "{} {name} {}: {:?}, not {wanted:?}",
                        run.model,
                        mean.metric,
                        mean.figure.value()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    println!("{scores} scores and {means} means equal");
    assert_eq!((scores, means), (3_976, 368));
}

#[test]
fn every_composite_is_the_documented_one() {
    let Some(parity) = shared("parity") else { return };
    let expected = json(&parity.join("expected.json"));
    let mut compared = 0;
    for run in runs(&parity) {
        let report = report(&run, MetricSet::All, "");
        let variants = expected[&run.model]["composite"].as_object().unwrap();
        assert_eq!(variants.len(), CompositeVariant::ALL.len());
        for variant in CompositeVariant::ALL {
            let wanted = &variants[&variant.name()];
            let found = report.composite(variant);
            for (name, part) in [
                ("basic", &found.basic),
                ("error_handling", &found.error_handling),
                ("efficiency", &found.efficiency),
                ("context", &found.context),
                ("composite", &found.composite),
            ] {
                let Ok(value) = part else { panic!("{name}: {part:?}") };
                let wanted = wanted[name].as_f64().unwrap();
                assert!((value - wanted).abs() < 1e-12, "{} {} {name}: {value}", run.model, variant.name());
                compared += 1;
            }
        }
    }
    println!("{compared} composite values equal");
    assert_eq!(compared, 240);
}

#[test]
fn dropped_metrics_agree_in_details_and_errors() {
    let Some(parity) = shared("parity") else { return };
    let expected = json(&parity.join("removed_metric_details.json"));
    let (mut details_compared, mut errors) = (0, 0);
    for run in runs(&parity) {
        let report = report(&run, MetricSet::All, "");
        for (level, id) in [(Level::L3, MetricId::ProvAcc), (Level::L6, MetricId::ReuseRate)] {
            for task in &report.level(&level).unwrap().tasks {
                let wanted = &expected[&run.model][id.name()][&task.id];
                match &task.scores.iter().find(|(metric, _)| *metric == id).unwrap().1 {
                    Score::Scored { value, details } => {
                        assert_eq!(wanted["score"].as_f64(), Some(*value));
                        assert_eq!(&wanted["details"], details, "{} {}", run.model, task.id);
                        // Equality of objects does not see the order of keys.
                        assert_eq!(wanted["details"].to_string(), details.to_string());
                        details_compared += 1;
                    }
                    Score::Errored { error } => {
                        assert_eq!(
                            wanted["error"].as_str(),
                            Some(error.as_str()),
                            "{} {}",
                            run.model,
                            task.id
                        );
                        errors += 1;
                    }
                    other => panic!("{} {}: {other:?}", run.model, task.id),
                }
            }
        }
    }
    println!("{details_compared} details and {errors} errors of dropped metrics equal");
    assert_eq!((details_compared, errors), (192, 8));
    assert!(errors > 0);
}

#[test]
fn a_judge_is_asked_exactly_where_the_published_run_asked() {
    let (Some(parity), Some(prompts)) = (shared("parity"), shared("ko-agentbench/judge_prompts.yaml")) else {
        return;
    };
    let prompts = JudgePrompts::parse(&text(&prompts)).unwrap();
    let replay = json(&parity.join("judge_replay.json"));
    let options = options(Protocol::Leaderboard, MetricSet::All, "");
    let mut asked = 0;
    for run in runs(&parity) {
        let questions = questions(&run.logs, &Dataset::none(), &prompts, &options);
        let mut found: Vec<String> =
            questions.iter().map(|q| format!("{} {} {}", q.level, q.task_id, q.metric)).collect();
        let mut wanted = Vec::new();
        for (level, tasks) in replay[&run.model].as_object().unwrap() {
            for (task, metrics) in tasks.as_object().unwrap() {
                for (metric, answers) in metrics.as_object().unwrap() {
                    if answers.as_array().is_some_and(|answers| !answers.is_empty()) {
                        wanted.push(format!("{level} {task} {metric}"));
                    }
                }
            }
        }
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{}", run.model);
        let model = run.logs[0].metadata["model"].as_str().unwrap();
        let name = model.rsplit('/').next().unwrap();
        for question in &questions {
            // Blind: whoever judges does not learn whose answer it is.
            let shown = format!("{} {}", question.system, question.prompt);
            assert!(!shown.contains(name), "{model} is named to the judge of {}", question.task_id);
            let open: Vec<&str> =
                ["{instruction}", "{tool_calls}", "{formatted_messages}", "{golden_args}", "{query}"]
                    .into_iter()
                    .filter(|placeholder| question.prompt.contains(placeholder))
                    .collect();
            assert!(open.is_empty(), "{}: {open:?} left in the prompt", question.task_id);
        }
        asked += found.len();
    }
    println!("{asked} questions asked where the published runs asked");
    assert_eq!(asked, 1_038);
}

#[test]
fn without_verdicts_only_what_needs_no_judge_is_scored() {
    let Some(parity) = shared("parity") else { return };
    let run = &runs(&parity)[0];
    let options = options(Protocol::Leaderboard, MetricSet::Head, "");
    let full = evaluate(&run.logs, &Dataset::none(), &run.verdicts, &options);
    let bare = evaluate(&run.logs, &Dataset::none(), &Verdicts::none(), &options);
    let (mut kept, mut unscored) = (0, 0);
    for (full, bare) in full.levels.iter().zip(&bare.levels) {
        for (full, bare) in full.tasks.iter().zip(&bare.tasks) {
            for ((_, full), (metric, bare)) in full.scores.iter().zip(&bare.scores) {
                match bare {
                    Score::Unscored { reason } => {
                        assert_eq!(reason, "no judge was asked", "{metric}");
                        unscored += 1;
                    }
                    bare => {
                        assert_eq!(bare, full, "{metric}");
                        kept += 1;
                    }
                }
            }
        }
    }
    println!("{kept} scores need no judge, {unscored} are unscored without one");
    assert_eq!((kept, unscored), (343, 129));
}

#[test]
fn the_corrected_scorer_differs_only_where_its_table_says() {
    let (Some(parity), Some(tasks)) = (shared("parity"), shared("ko-agentbench/tasks")) else {
        return;
    };
    let dataset = Dataset::from_tasks(Level::ALL.into_iter().flat_map(|level| {
        let Value::Array(tasks) = json(&tasks.join(format!("{level}.json"))) else {
            panic!("{level}: no list")
        };
        tasks
    }));
    let untouched: Vec<MetricId> = MetricId::ALL
        .into_iter()
        .filter(|id| !koab_core::score::DIFFERENCES.iter().any(|difference| difference.metrics.contains(id)))
        .collect();
    let (mut equal, mut differing, mut failed) = (0, BTreeMap::<MetricId, u32>::new(), 0);
    for run in runs(&parity) {
        let [old, new] = [Protocol::Leaderboard, Protocol::Corrected]
            .map(|scorer| evaluate(&run.logs, &dataset, &run.verdicts, &options(scorer, MetricSet::All, "")));
        assert_eq!(old.levels.len(), new.levels.len());
        for (old, new) in old.levels.iter().zip(&new.levels) {
            assert_eq!(old.tasks.len(), new.tasks.len());
            for (old, new) in old.tasks.iter().zip(&new.tasks) {
                assert_eq!((&old.id, old.scores.len()), (&new.id, new.scores.len()));
                for ((metric, old), (same, new)) in old.scores.iter().zip(&new.scores) {
                    assert_eq!(metric, same);
                    assert!(!matches!(new, Score::Errored { .. }), "{metric} raises when corrected");
                    if let Some(value) = new.value() {
                        assert!((0.0..=1.0).contains(&value), "{metric} {value}");
                    }
                    // Two published attempts ran out of time; those say nothing about the model when corrected.
                    let technical = matches!(new, Score::Unscored { reason } if reason.to_string().starts_with("the attempt failed"));
                    if technical {
                        failed += 1;
                    } else if untouched.contains(metric) {
                        assert_eq!(old, new, "{metric}");
                        equal += 1;
                    } else if old.value().map(f64::to_bits) != new.value().map(f64::to_bits) {
                        *differing.entry(*metric).or_default() += 1;
                    }
                }
            }
        }
    }
    println!("{equal} scores of {untouched:?} are the same under both scorers");
    println!("{failed} of failed attempts, corrected to be unscored");
    // Of the others, those that differ somewhere in the published runs, and how often. The corrections of ArgAcc,
    // AdaptiveRoutingScore and FallbackSR are of attempts that no published run has; tables beside the metrics hold them.
    let expected = [
        (MetricId::Sr, 1),
        (MetricId::EprCvr, 330),
        (MetricId::CallEm, 24),
        (MetricId::DeltaStepsNorm, 47),
        (MetricId::ProvAcc, 26),
        (MetricId::Coverage, 28),
        (MetricId::SourceEpr, 28),
        (MetricId::ReuseRate, 116),
        (MetricId::RedundantCallRate, 11),
        (MetricId::EffScore, 76),
        (MetricId::ContextRetention, 5),
        (MetricId::RefRecall, 5),
    ];
    assert_eq!(differing, BTreeMap::from(expected));
    assert_eq!((equal, failed, untouched.len()), (1_182, 10, 7));
}
