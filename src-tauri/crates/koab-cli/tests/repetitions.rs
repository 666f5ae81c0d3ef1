//! Several attempts at each task: scored, judged, computed and shown, while the published files know the first alone.

use crate::support::Koab;
use crate::support::http::{Local, chat, models};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

/// Attempts a task.
const ATTEMPTS: usize = 4;

/// A model that numbers its answers: which task it is, in the order of the first question, and the how-manieth answer.
fn numbering() -> Local {
    let asked: Mutex<HashMap<String, (usize, usize)>> = Mutex::default();
    Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return models(&["m"]);
        }
        let messages = request.body["messages"].as_array().expect("messages");
        let question = messages.last().expect("one")["content"].to_string();
        let mut asked = asked.lock().expect("the counts");
        let next = asked.len() + 1;
        let (task, attempts) = asked.entry(question).or_insert((next, 0));
        *attempts += 1;
        (200, chat(&format!("과제 {task}번의 {attempts}번째 답입니다.")))
    })
}

/// A judge that finds every answer to the first task right, and of the others every second one, beginning with the first.
fn judge() -> Local {
    Local::start(|request| {
        if !request.line.starts_with("POST") {
            return models(&["j"]);
        }
        let prompt = request.body["messages"].to_string();
        let right = ["과제 1번의", "1번째 답", "3번째 답"].iter().any(|part| prompt.contains(part));
        (200, chat(&json!({ "reason": "r", "success": right }).to_string()))
    })
}

/// A workspace with a run of four attempts at every task of L2: its folder.
fn repeated(koab: &Koab, attempts: &str) -> String {
    let model = numbering();
    let url = format!("{}/v1", model.address);
    let run = koab.json(&[
        "run",
        "--model",
        "openai_compat/m",
        "--base-url",
        &url,
        "--levels",
        "L2",
        "--repetitions",
        attempts,
        "--concurrency",
        "1",
    ]);
    run["run"]["folder"].as_str().expect("a folder").to_owned()
}

fn evaluate(koab: &Koab, folder: &str, judge: &Local, more: &[&str]) -> Value {
    let url = format!("{}/v1", judge.address);
    let words = [
        &["evaluate", "--run", folder, "--judge-base-url", &url][..],
        &["--evaluation-date", "2026-11-22T00:00:00"],
        more,
        &["--judge-models", "openai_compat/j"],
    ];
    koab.json(&words.concat())
}

fn of_metric<'a>(view: &'a Value, level: &Value, metric: &str) -> &'a Value {
    let scopes = view["scopes"].as_array().expect("scopes");
    let scope = scopes.iter().find(|scope| scope["level"] == *level).expect("the level");
    let metrics = scope["metrics"].as_array().expect("metrics");
    metrics.iter().find(|one| one["metric"] == metric).expect("the metric")
}

fn close(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found} is not a number"));
    assert!((found - wanted).abs() < 1e-12, "{found} instead of {wanted}");
}

#[test]
fn every_attempt_is_scored_and_judged_and_the_published_files_stay_as_they_are() {
    let (koab, judge) = (Koab::new(), judge());
    let folder = repeated(&koab, "4");
    let plan = evaluate(&koab, &folder, &judge, &["--dry-run"]);
    let calls = plan["judges"][0]["calls"].as_f64().expect("a number");
    assert_eq!(plan["attempts"], ATTEMPTS, "the cost is that of every attempt");

    let report = evaluate(&koab, &folder, &judge, &[])[0].clone();
    let (id, kept) = (report["id"].as_str().expect("an id"), report["folder"].as_str().expect("a folder"));
    let tasks = report["levels"][0]["evaluated"].as_u64().expect("a count") as usize;
    close(&json!(calls), (tasks * ATTEMPTS * 3) as f64);
    assert!(tasks > 2, "{report:#}");

    let view = koab.json(&["report", "repetitions", id]);
    assert_eq!((&view["reason"], &view["planned"]), (&Value::Null, &json!(ATTEMPTS)));
    let sr = of_metric(&view, &json!("L2"), "SR");
    // One task always succeeds, the others in two of four attempts.
    let of_all = |first: f64, other: f64| (first + (tasks - 1) as f64 * other) / tasks as f64;
    for (k, at, all) in [(1, 0.5, 0.5), (2, 5.0 / 6.0, 1.0 / 6.0), (3, 1.0, 0.0), (4, 1.0, 0.0)] {
        close(&sr["pass_at"][k - 1]["value"], of_all(1.0, at));
        close(&sr["pass_all"][k - 1]["value"], of_all(1.0, all));
    }
    let interval = &sr["pass_all"][1]["range"]["interval"];
    assert_eq!(interval["method"], "bootstrap");
    assert!(interval["low"].as_f64() < sr["pass_all"][1]["value"].as_f64(), "{interval}");
    assert_eq!(sr["disagreement"]["tasks"].as_array().expect("tasks").len(), tasks - 1);
    close(&sr["runs"][0], 1.0);
    close(&sr["runs"][1], of_all(1.0, 0.0));
    assert_eq!(of_metric(&view, &Value::Null, "SR")["mean"], sr["mean"], "one level is all there is");
    let strip: Vec<Value> = view["tasks"][1]["attempts"]
        .as_array()
        .expect("marks")
        .iter()
        .map(|mark| json!([mark["repetition"], mark["success"], mark["kept"]]))
        .collect();
    assert_eq!(json!(strip), json!([[1, 1.0, true], [2, 0.0, true], [3, 1.0, true], [4, 0.0, true]]));

    // A mark leads to its attempt's own conversation.
    let files = ["evaluation_report.json", "evaluation_summary.csv", "evaluation_report.md"];
    let read = |file: &str| fs::read(Path::new(kept).join(file)).expect("read");
    let published = files.map(read);
    evaluate(&koab, &folder, &judge, &["--first-repetition"]);
    assert_eq!(published, files.map(read), "whether later attempts are judged changes no published byte");
    let view = koab.json(&["report", "repetitions", id]);
    let sr = of_metric(&view, &json!("L2"), "SR");
    let why = format!("{} of {} attempts are unscored: no judge was asked", tasks * 3, tasks * 4);
    assert_eq!((&sr["mean"]["value"], &sr["mean"]["reason"]), (&Value::Null, &json!(why)));
    close(&of_metric(&view, &json!("L2"), "RRR")["mean"]["value"], 1.0);
}

#[test]
fn what_attempts_tell_goes_with_every_export_and_into_words() {
    let (koab, judge) = (Koab::new(), judge());
    let folder = repeated(&koab, "2");
    let report = evaluate(&koab, &folder, &judge, &[])[0].clone();
    let id = report["id"].as_str().expect("an id");
    let out = tempfile::tempdir().expect("a folder");
    for (format, part) in
        [("csv", "\r\npass_all_k,L2,SR,2,"), ("md", "\n## pass^k\n"), ("json", "\"kind\": \"pass_all_k\"")]
    {
        let path = out.path().join(format!("mine.{format}"));
        let written =
            koab.json(&["report", "export", id, "--format", format, "-o", path.to_str().expect("a path")]);
        assert_eq!(written["beside"].as_array().expect("a list").len(), 2);
        let beside =
            fs::read_to_string(out.path().join(format!("mine.statistics.{format}"))).expect("beside it");
        assert!(beside.contains(part), "{beside}");
    }
    let page = out.path().join("mine.html");
    koab.ok(&["report", "export", id, "-o", page.to_str().expect("a path")]);
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("id=\"repetitions\"") && page.contains("id=\"overall\""), "{page}");
    let shown = koab.ok(&["report", "show", id]).stdout;
    for part in ["95 % interval", "pass^k", "tasks whose attempts disagree on SR (all): "] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    let korean = koab.ok(&["report", "repetitions", id, "--lang", "ko"]).stdout;
    assert!(korean.contains("과제당 시도: 2") && korean.contains("✓✗"), "{korean}");
}

#[test]
fn one_attempt_says_why_there_is_nothing_and_means_have_their_intervals() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L2,L4", "--evaluate"]);
    let id = run["reports"][0]["id"].as_str().expect("an id");
    let view = koab.json(&["report", "repetitions", id]);
    assert_eq!(
        view["reason"],
        "one attempt per task; run each task three times or more to see how far attempts vary"
    );
    let shown = koab.json(&["report", "show", id]);
    assert_eq!(shown["repetitions"], Value::Null);
    let answered = shown["overall"]
        .as_array()
        .expect("means over all tasks")
        .iter()
        .find(|figure| figure["metric"] == "RRR")
        .expect("RRR");
    let tasks: u64 = shown["levels"]
        .as_array()
        .expect("levels")
        .iter()
        .filter_map(|level| level["evaluated"].as_u64())
        .sum();
    assert_eq!((&answered["value"], &answered["tasks"]), (&json!(1.0), &json!(tasks)));
    assert_eq!(answered["range"]["interval"]["method"], "wilson");
    for level in shown["levels"].as_array().expect("levels") {
        for metric in level["metrics"].as_array().expect("metrics") {
            let range = &metric["range"];
            assert!(range["interval"].is_object() || range["reason"].is_string(), "{metric}");
        }
    }
}
