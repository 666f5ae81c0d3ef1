//! Models over several packs at once, as the command line tells them.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, shared};
use serde_json::{Value, json};
use std::fs;

/// Puts a report into the library: a group of tasks, of which the model solves those below a number, and those of a list.
fn put(koab: &Koab, id: &str, model: &str, group: &str, tasks: usize, solves: impl Fn(usize) -> bool) {
    let solved = (0..tasks).filter(|task| solves(*task)).count();
    let evaluations: Vec<Value> = (0..tasks)
        .map(|task| {
            let score = json!({"score": f64::from(u8::from(solves(task))), "details": {}});
            json!({"task_id": format!("{group}-{task:03}"), "success": true, "metrics": {"SR": score}})
        })
        .collect();
    let document = json!({
        "summary": {"model": model, "judge_model": "j/1", "execution_date": "20251219"},
        "by_level": {group: {
            "total_tasks": tasks, "evaluated_tasks": tasks, "task_evaluations": evaluations,
            "metrics": {"SR": solved as f64 / tasks.max(1) as f64},
        }},
    });
    let folder = koab.path().join("reports").join(id);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("evaluation_report.json"), document.to_string()).unwrap();
}

/// Two models and two packs: the second is better in the small one by 8 of 10 tasks, and nowhere in the large one.
fn two_by_two() -> Koab {
    let koab = Koab::new();
    put(&koab, "a-small", "lab/a", "L1", 10, |task| task > 7);
    put(&koab, "b-small", "lab/b", "L1", 10, |_| true);
    put(&koab, "a-large", "lab/a", "L2", 30, |task| task % 3 > 0);
    put(&koab, "b-large", "lab/b", "L2", 30, |task| task % 3 > 0);
    koab
}

const ALL: [&str; 4] = ["a-small", "a-large", "b-small", "b-large"];

fn asked<'a>(ids: &[&'a str], options: &[&'a str]) -> Vec<&'a str> {
    [&["report", "compare", "--across"], ids, options].concat()
}

fn near(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-9, "{found} and {wanted}");
}

#[test]
fn two_models_are_held_against_each_other_over_two_packs() {
    let koab = two_by_two();
    let told = koab.json(&asked(&ALL, &[]));
    let across = &told["pairs"][0]["across"];
    near(&across["combined"]["difference"], 8.0 / 40.0);
    // Only the eight differ, all to one side.
    near(&across["combined"]["p"], 2.0 / 256.0);
    assert_eq!(told["pairs"][0]["verdict"], "second");
    let told = koab.ok(&asked(&ALL, &["--weights", "benchmark"])).stdout;
    for part in [
        "lab/a → lab/b: the second is better",
        "each benchmark counts the same",
        "the benchmarks disagree",
        "combined",
        "assumption: 10",
        "Holm's correction over the 2 groups of all pairs",
        "no number: these tasks are too few",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let korean = koab.ok(&asked(&ALL, &["--lang", "ko"])).stdout;
    assert!(korean.contains("가정: 10") && korean.contains("둘째가 낫습니다"), "{korean}");
}

#[test]
fn what_cannot_be_held_together_is_one_sentence() {
    let koab = two_by_two();
    let told = koab.run(&asked(&["a-small", "a-large"], &[]));
    assert!(
        told.code != 0 && told.stderr.contains("all these reports are of the model lab/a"),
        "{}",
        told.stderr
    );
    assert_eq!(told.stderr.trim().lines().count(), 1, "{}", told.stderr);
    let told = koab.run(&["report", "compare", "a-small", "b-small", "--weights", "item"]).stderr;
    assert!(told.contains("--across"), "{told}");
}

#[test]
fn packs_that_are_not_tested_find_nothing() {
    let koab = Koab::new();
    put(&koab, "a-one", "lab/a", "L1", 10, |_| true);
    put(&koab, "b-one", "lab/b", "L1", 10, |_| false);
    let path = koab.path().join("reports/b-one/evaluation_report.json");
    let text = fs::read_to_string(&path).unwrap().replace("j/1", "j/2");
    fs::write(path, text).unwrap();
    let text = koab.ok(&asked(&["a-one", "b-one"], &[])).stdout;
    assert!(!text.contains("The smallest difference") && !text.contains("0.0 %"), "{text}");
}

#[test]
fn the_published_reports_alone_find_twelve_points() {
    let Some(folder) = shared("compare_across").map(|shared| shared.join("parity/reports")) else {
        return;
    };
    let koab = Koab::new();
    let mut ids: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let id = entry.file_name().into_string().unwrap();
        let to = koab.path().join("reports").join(&id);
        fs::create_dir_all(&to).unwrap();
        fs::copy(entry.path().join("evaluation_report.json"), to.join("evaluation_report.json")).unwrap();
        ids.push(id);
    }
    ids.sort();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let told = koab.json(&asked(&ids, &[]));
    let item = told["seen"]["item"].as_f64().unwrap();
    assert!((item - 0.128).abs() < 0.0005, "12.8 points by hand: {item}");
    assert_eq!(told["pairs"].as_array().unwrap().len(), 7);
    let text = koab.ok(&asked(&ids, &[])).stdout;
    assert!(text.contains("12.8 %") || text.contains("12.8%"), "{text}");
}
