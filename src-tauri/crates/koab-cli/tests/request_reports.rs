//! Reports of benchmarks whose items are one request and one reply: figures by hand, judges, tables, and every place that shows a report.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::benchmark_packs::{self, installed, run_of};
use crate::support::http::{Local, Request, calls, completion, models, says};
use crate::support::read_json;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Four items of BFCL in two groups.
fn bfcl(below: &Path) -> PathBuf {
    benchmark_packs::bfcl(below, &[("multiple", 3), ("irrelevance", 1)])
}

/// Four items of `FunctionChat` that a judge decides.
fn functionchat(below: &Path) -> PathBuf {
    benchmark_packs::judged_functionchat(below, 4)
}

/// `good` is wrong at `multiple_1` alone, `bad` right at it alone and calls where it must not. The judge `judge` says of the third
/// question that it failed, of the fourth no verdict.
fn answer(request: &Request) -> (u16, Value) {
    if request.line.starts_with("GET") {
        return models(&["good", "bad", "judge"]);
    }
    let asked = request.body["messages"].to_string();
    let has = |text: &str| asked.contains(text);
    let call = |n: u64| calls("math_square", &json!({"n": n}).to_string());
    let message = match request.body["model"].as_str().unwrap() {
        "judge" if has("3번") => says("판단 이유\n\nfail\nfail"),
        "judge" if has("4번") => says("모르겠습니다"),
        "judge" => says("판단 이유\n\npass\npass"),
        "good" if has("multiple_1") => call(4),
        "good" if has("multiple") => call(3),
        "bad" if has("multiple_1") => call(3),
        "bad" if has("multiple") => call(4),
        "bad" => call(3),
        _ => says("아니요"),
    };
    (200, completion(&message))
}

fn posts(server: &Local) -> usize {
    let requests = server.requests().into_iter();
    requests.filter(|request| request.line.starts_with("POST")).count()
}

fn levels(report: &Value) -> Vec<(String, Value, Value)> {
    let levels = report["levels"].as_array().unwrap().iter();
    let figure = |level: &Value| {
        let metrics = level["metrics"].as_array().unwrap();
        assert_eq!(metrics.len(), 1, "no metric of Ko-AgentBench: {level}");
        assert_eq!(metrics[0]["metric"], "SR");
        let name = level["level"].as_str().unwrap().to_owned();
        (name, metrics[0]["mean"].clone(), metrics[0]["scored"].clone())
    };
    levels.map(figure).collect()
}

fn cell<'a>(report: &'a Value, table: &str, name: &str) -> &'a Value {
    let tables = report["benchmark"]["tables"].as_array().unwrap().iter();
    let table = tables.clone().find(|one| one["name"] == table).unwrap();
    let mut cells = table["cells"].as_array().unwrap().iter();
    cells.find(|cell| cell["name"] == name).unwrap()
}

#[test]
fn a_run_without_judges_is_an_ordinary_report_with_its_authors_tables() {
    let (koab, folder) = installed(bfcl);
    let server = Local::start(answer);
    let run = run_of(&koab, "bfcl", "good", &server);
    let before = posts(&server);
    let reports = koab.json(&["evaluate", &run, "--no-judge", "--scorer", "both"]);
    assert_eq!(posts(&server), before, "nobody is asked");
    let report = &reports[0];
    let (two_of_three, one) = (json!(2.0 / 3.0), json!(1.0));
    let by_hand = vec![
        ("irrelevance".to_owned(), one.clone(), json!(1)),
        ("multiple".to_owned(), two_of_three, json!(3)),
    ];
    assert_eq!(levels(report), by_hand);
    assert_eq!(levels(&reports[1]), by_hand);
    let overall = &report["overall"];
    assert_eq!(
        (
            overall.as_array().unwrap().len(),
            &overall[0]["metric"],
            &overall[0]["value"],
            &overall[0]["tasks"]
        ),
        (1, &json!("SR"), &json!(0.75), &json!(4))
    );
    assert_eq!(report["composites"], json!([]));
    let multiple = cell(report, "data_non_live", "Multiple AST");
    assert_eq!((&multiple["text"], &multiple["ours"]), (&json!("66.67%"), &json!(false)));
    assert_eq!(cell(report, "data_non_live", "Irrelevance Detection")["text"], "100.00%");

    let id = report["id"].as_str().unwrap();
    let kept = read_json(&koab.path().join("reports").join(id).join("report_view.json"));
    let rows =
        &kept["items"].as_array().unwrap().iter().find(|item| item["id"] == "multiple_1").unwrap()["rows"];
    assert_eq!(
        rows[0],
        json!({"metric": "ASTAcc", "value": 0, "error_type": "value_error:others", "sub_error_types": []})
    );
    let shown = koab.json(&["report", "show", id]);
    assert_eq!(shown["benchmark"], report["benchmark"]);
    let text = koab.ok(&["report", "show", id]).stdout;
    for part in ["BFCL v4, single turn", "66.67%", "ours, not the authors'", "another benchmark"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let page = folder.path().join("page.html");
    koab.ok(&["report", "export", id, "--format", "html", "-o", &page.display().to_string()]);
    let page = fs::read_to_string(page).unwrap();
    let markdown = koab.ok(&["report", "export", id, "--format", "md", "-o", "-"]).stdout;
    assert!(
        markdown.starts_with("# BFCL v4, single turn 평가 보고서")
            && markdown.contains("| Multiple AST | 66.67% |"),
        "{markdown}"
    );
    for text in [&page, &markdown] {
        assert!(!text.contains("Ko-AgentBench 평가") && !text.contains("Ko-AgentBench report"), "{text}");
    }
    assert!(page.contains("BFCL v4, single turn") && page.contains("66.67%") && !page.contains("NaN"));
    let listed = koab.json(&["report", "list"]);
    let row = listed.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
    assert_eq!((&row["overall"][0]["value"], &row["composites"]), (&json!(0.75), &json!([])));
    let judged = &row["comparability"]["leaderboard"];
    assert_eq!(judged["grade"], "not_comparable");
    assert_eq!(judged["findings"].as_array().unwrap().len(), 1, "one sentence: {judged}");

    let other = run_of(&koab, "bfcl", "bad", &server);
    let other = koab.json(&["evaluate", &other, "--no-judge"]);
    let beside = koab.json(&["report", "compare", id, other[0]["id"].as_str().unwrap()]);
    let text = beside.to_string();
    // The second is better at one item of four and worse at three.
    let pair = &beside["tests"][0]["pairs"][0];
    let row = &pair["tests"]["families"][0]["tests"][0];
    assert_eq!(
        (&row["metric"], &row["level"], &row["tasks"]),
        (&json!("SR"), &Value::Null, &json!(4)),
        "{text}"
    );
    assert_eq!(
        (&row["difference"], &row["won"], &row["lost"]),
        (&json!(-0.5), &json!(1), &json!(3)),
        "{row}"
    );
    assert_eq!(pair["judgement"]["grade"], "comparable", "{text}");
}

#[test]
fn judges_are_asked_once_a_vote_and_their_words_are_kept() {
    let (koab, _folder) = installed(functionchat);
    let server = Local::start(answer);
    let run = run_of(&koab, "functionchat", "good", &server);
    let bare = koab.json(&["evaluate", &run, "--no-judge"]);
    assert_eq!(levels(&bare[0])[0].1, Value::Null, "without judges nothing is known");
    assert_eq!(bare[0]["benchmark"]["tables"], json!([]));
    assert!(bare[0]["benchmark"]["no_tables"].to_string().contains("none was asked"), "{bare}");
    let before = posts(&server);
    let judged = |scorer: &str| {
        let words = ["evaluate", &run, "--scorer", scorer, "--judge-models", "openai_compat/judge"];
        koab.json(&[&words[..], &["--judge-base-url", &server.address]].concat())[0].clone()
    };
    let report = judged("leaderboard");
    assert_eq!(posts(&server) - before, 4, "one vote each");
    let asked = server.requests().pop().unwrap().body;
    assert_eq!(asked["messages"].as_array().unwrap().len(), 1, "a user's message and nothing else: {asked}");
    assert!(asked.get("response_format").is_none(), "{asked}");
    // Two of the three that a verdict was given of.
    assert_eq!(levels(&report), [("CallDecision.REJECT".to_owned(), json!(2.0 / 3.0), json!(3))]);
    let table = &report["benchmark"]["tables"][0];
    assert_eq!(table["name"], "CallDecision");
    assert_eq!(cell(&report, "CallDecision", "REJECT pass cnt")["value"], 2.0, "{table}");
    judged("leaderboard");
    assert_eq!(posts(&server) - before, 4, "what was said is kept");
    let corrected = judged("corrected");
    // Three votes about each, and once more where a vote says nothing.
    assert_eq!(posts(&server) - before, 4 + 4 * 3 + 3);
    assert_eq!(corrected["judges"], json!(["openai_compat/judge"]));
    assert_eq!(cell(&corrected, "CallDecision", "REJECT pass cnt")["value"], 2.0);
}

#[test]
fn replies_made_elsewhere_have_the_report_of_a_run_of_the_same_replies() {
    let (koab, folder) = installed(bfcl);
    let server = Local::start(answer);
    let run = run_of(&koab, "bfcl", "good", &server);
    let report = koab.json(&["evaluate", &run, "--no-judge"])[0].clone();
    let reply = |id: &str, n: Option<u64>| {
        let call = n.map(|n| json!([{"name": "math_square", "arguments": json!({"n": n}).to_string()}]));
        json!({"id": id, "output": {"content": null, "tool_calls": call}}).to_string()
    };
    let lines = [
        reply("multiple_0", Some(3)),
        reply("multiple_1", Some(4)),
        reply("multiple_2", Some(3)),
        reply("irrelevance_0", None),
    ];
    let answers = folder.path().join("answers.jsonl");
    fs::write(&answers, lines.join("\n")).unwrap();
    let answers = answers.display().to_string();
    let words = ["evaluate", "--answers", &answers, "--pack", "bfcl", "--save", "other/model"];
    let saved = koab.json(&words)[0].clone();
    assert_eq!(saved["model"], "other/model");
    assert_eq!(levels(&saved), levels(&report));
    assert_eq!(saved["overall"], report["overall"]);
    assert_eq!(saved["benchmark"], report["benchmark"]);
    let ids = [&report, &saved].map(|report| report["id"].as_str().unwrap());
    let beside = koab.ok(&["report", "compare", ids[0], ids[1]]).stdout;
    assert!(beside.contains("4 tasks that both have"), "{beside}");
    let replied = saved["run"].as_str().unwrap();
    let again = koab.json(&["evaluate", replied, "--no-judge"]);
    assert_eq!(
        (&again[0]["levels"], &again[0]["benchmark"], &again[0]["pack"]),
        (&saved["levels"], &saved["benchmark"], &saved["pack"]),
        "the replies are a run"
    );

    fs::write(folder.path().join("twice.jsonl"), [&lines[0][..], &lines[0]].join("\n")).unwrap();
    let twice = folder.path().join("twice.jsonl").display().to_string();
    let refused = koab.run(&["evaluate", "--answers", &twice, "--pack", "bfcl", "--save", "other/model"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("give each item once"), "{}", refused.stderr);
}

#[test]
fn groups_are_chosen_by_their_names_and_refused_by_whoever_has_them() {
    let (koab, _folder) = installed(bfcl);
    let server = Local::start(answer);
    let [good, bad] = ["good", "bad"].map(|model| run_of(&koab, "bfcl", model, &server));
    let scored = koab.json(&["evaluate", &good, "--levels", "multiple"]);
    let of_group = levels(&scored[0]);
    assert_eq!(of_group.len(), 1, "{scored}");
    assert_eq!(of_group[0].0, "multiple");
    let id = |run: &str| {
        let scored = koab.json(&["evaluate", run]);
        scored[0]["id"].as_str().unwrap().to_owned()
    };
    let [good_report, bad_report] = [&good, &bad].map(|run| id(run));
    let compare = |metrics: &str| {
        koab.run(&["report", "compare", &good_report, &bad_report, "--metrics", metrics, "--json"])
    };
    let compared = compare("multiple.SR");
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    let told: Value = serde_json::from_str(&compared.stdout).unwrap();
    let families = told["tests"][0]["pairs"][0]["tests"]["families"].to_string();
    assert!(families.contains(r#""multiple""#) && !families.contains("irrelevance"), "{told}");
    for (words, told) in [
        (
            &["evaluate", &good, "--levels", "live_simple"][..],
            "has no group live_simple; its groups are irrelevance, multiple",
        ),
        (
            &["evaluate", &good, "--levels", "L1,multiple"],
            "has no group L1; its groups are irrelevance, multiple",
        ),
        (
            &["report", "atlas", &good, "--level", "live_simple"],
            "no attempt here is of the group live_simple",
        ),
        (
            &["report", "compare", &good_report, &bad_report, "--metrics", "L1"],
            "neither report has the group L1; their groups are irrelevance, multiple",
        ),
    ] {
        let ran = koab.run(words);
        assert_ne!(ran.code, 0, "{words:?} {}", ran.stdout);
        assert!(ran.stderr.contains(told), "{words:?} {}", ran.stderr);
        assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn a_reply_that_was_cut_off_is_a_reply_as_published_and_no_answer_under_corrected_rules() {
    let (koab, _folder) = installed(bfcl);
    let server = Local::start(|request| {
        let (status, mut body) = answer(request);
        if request.body["messages"].to_string().contains("multiple_1") {
            body["choices"][0]["finish_reason"] = "length".into();
        }
        (status, body)
    });
    let run = run_of(&koab, "bfcl", "good", &server);
    let scored = koab.json(&["evaluate", &run, "--scorer", "both"]);
    let figures = |at: usize| levels(&scored[at]);
    let group = |name: &str, sr: f64, scored: u32| (name.to_owned(), json!(sr), json!(scored));
    let two_of_three = 2.0 / 3.0;
    assert_eq!(figures(0), [group("irrelevance", 1.0, 1), group("multiple", two_of_three, 3)], "{scored}");
    assert_eq!(figures(1), [group("irrelevance", 1.0, 1), group("multiple", 1.0, 2)], "{scored}");
    let log = read_json(
        &koab.path().join("logs/benchmark_results/by_model").join(&run).join("groups/multiple.json"),
    );
    let cut: Vec<&Value> = log["results"].as_array().unwrap().iter().map(|one| &one["cut_off"]).collect();
    assert_eq!(cut, [&Value::Null, &json!(true), &Value::Null], "{log}");
}

#[test]
fn the_atlas_counts_wrong_items_by_what_their_benchmark_says_of_them() {
    let (koab, _folder) = installed(bfcl);
    let server = Local::start(answer);
    let [good, bad] = ["good", "bad"].map(|model| run_of(&koab, "bfcl", model, &server));
    let scored = koab.json(&["evaluate", &bad]);
    let report = scored[0]["id"].as_str().unwrap();
    // A report and a run without one say the same.
    let [of_report, of_run] = [report, &good].map(|id| koab.json(&["report", "atlas", id]));
    let items = of_report["items"].as_array().unwrap();
    assert!(!items.is_empty() && of_report["attempts"] == json!([]), "{of_report}");
    assert!(of_report["sources"][0]["why_not"].is_null(), "{of_report}");
    assert!(
        items.iter().all(|item| item["fault"].as_str().is_some_and(|fault| fault.contains(':'))),
        "{of_report}"
    );
    assert_eq!(of_run["sources"][0]["items"], of_report["sources"][0]["items"], "{of_run}");
    assert!(of_run["items"].as_array().unwrap().len() < items.len(), "{of_run}");
    let (fault, group) = (items[0]["fault"].as_str().unwrap(), items[0]["level"].as_str().unwrap());
    let text = koab.ok(&["report", "atlas", report]).stdout;
    assert!(text.contains(fault) && text.contains("items with a score were answered wrong"), "{text}");
    let listed = koab.ok(&["report", "atlas", report, "--level", group]).stdout;
    assert!(listed.contains(items[0]["task"].as_str().unwrap()), "{listed}");
    let csv = koab.ok(&["report", "atlas", report, "--format", "csv"]).stdout;
    assert_eq!(csv.lines().count(), items.len() + 1, "{csv}");
    let refused = koab.run(&["report", "atlas", report, "--format", "svg"]);
    assert!(refused.stderr.contains("take CSV or JSON"), "{}", refused.stderr);
}
