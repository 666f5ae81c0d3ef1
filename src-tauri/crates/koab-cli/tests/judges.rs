//! Judges through the command line: how far they agree, people's word against theirs, the default panel, their caps.

mod lab;
mod parts;
mod random;
mod report_file;
mod server;
mod store;
use crate::support::{Koab, Ran};
use serde_json::{Value, json};
use server::{Judges, TOKENS};
use std::path::Path;

/// A workspace with a run of the golden baseline over these levels: its folder.
fn golden(levels: &str) -> (Koab, String) {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", levels]);
    let folder = run["run"]["folder"].as_str().expect("a folder").to_owned();
    (koab, folder)
}

fn evaluate<'a>(folder: &'a str, judges: &'a Judges, names: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let base = ["evaluate", "--run", folder, "--judge-base-url", &judges.url];
    [&base[..], more, &["--judge-models"], names].concat()
}

fn metric<'a>(report: &'a Value, level: &str, metric: &str) -> &'a Value {
    let levels = report["levels"].as_array().expect("levels");
    let level = levels.iter().find(|l| l["level"] == level).expect("the level");
    let metrics = level["metrics"].as_array().expect("metrics");
    metrics.iter().find(|m| m["metric"] == metric).expect("the metric")
}

fn row<'a>(report: &'a Value, metrics: &[&str]) -> &'a Value {
    let rows = report["agreement"].as_array().expect("rows");
    rows.iter()
        .find(|row| row["metrics"] == json!(metrics))
        .unwrap_or_else(|| panic!("no row of {metrics:?}: {rows:?}"))
}

fn notes(report: &Value) -> String {
    report["notes"].to_string()
}

fn refused(ran: &Ran, code: i32, named: &str) {
    assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(named), "{}", ran.stderr);
    assert_eq!(ran.stderr.trim().lines().count(), 1, "one sentence: {}", ran.stderr);
}

#[test]
fn a_report_says_how_far_its_judges_agree() {
    let (koab, folder) = golden("L6,L7");
    let judges = Judges::start();
    let (a, b, c) = ("openai_compat/a", "openai_compat/b", "openai_compat/c");
    let report = &koab.json(&evaluate(&folder, &judges, &[a, b, c], &[]))[0];
    let votes = row(report, &["SR"]);
    assert_eq!((&votes["compared"], &votes["judges"]), (&json!("votes"), &json!([a])));
    assert_eq!((&votes["percent"]["value"], &votes["cohen"]), (&json!(1.0), &json!([])));
    assert_eq!(votes["krippendorff"]["value"], Value::Null, "every vote is yes");
    assert!(votes["krippendorff"]["reason"].is_string());
    let grades = row(report, &["ContextRetention", "RefRecall"]);
    assert_eq!((&grades["compared"], &grades["scale"]), (&json!("judges"), &json!("grades")));
    // Of three pairs only a and c agree, always on 5; b always says 2.
    assert_eq!((&grades["questions"], &grades["missing"]), (&json!(8), &json!(0)));
    let third = grades["percent"]["value"].as_f64().expect("a share");
    assert!((third - 1.0 / 3.0).abs() < 1e-12);
    let fleiss = grades["fleiss"]["value"].as_f64().expect("defined");
    assert!((fleiss - (1.0 / 3.0 - 5.0 / 9.0) / (4.0 / 9.0)).abs() < 1e-12, "{fleiss}");
    let pairs = grades["cohen"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 3);
    assert_eq!((&pairs[0]["one"], &pairs[0]["other"]), (&json!(a), &json!(b)));
    assert_eq!(pairs[0]["kappa"]["value"], 0.0);
    assert_eq!(pairs[1]["kappa"]["value"], Value::Null, "a and c only ever say 5");
    let all = row(report, &["EffScore", "ContextRetention", "RefRecall"]);
    assert_eq!((&all["scale"], &all["krippendorff"]["value"]), (&json!("mixed"), &Value::Null));
    assert!(all["percent"]["value"].is_number());
    // The same in the stored report, and in words.
    let shown = koab.json(&["report", "show", report["id"].as_str().expect("an id")]);
    assert_eq!(shown["agreement"], report["agreement"]);
    let text = koab.ok(&["report", "show", report["id"].as_str().expect("an id")]).stdout;
    for part in
        ["agreement between judges", "self-consistency of one judge's votes", "33.3 %", "Krippendorff α"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let files = report["folder"].as_str().expect("a folder");
    for file in ["evaluation_report.json", "evaluation_summary.csv", "evaluation_report.md"] {
        let text = std::fs::read_to_string(Path::new(files).join(file)).expect(file);
        assert!(!text.contains("agreement") && !text.contains("overrid"), "{file} is as published");
    }
}

#[test]
fn people_overrule_judges_beside_the_verdicts() {
    let (koab, folder) = golden("L1,L7");
    let judges = Judges::start();
    let (a, b) = ("openai_compat/a", "openai_compat/b");
    let words = evaluate(&folder, &judges, &[a, b], &["--scorer", "both"]);
    let before = koab.json(&words);
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().expect("an id").to_owned();
    let published = |report: &Value| {
        let folder = report["folder"].as_str().expect("a folder").to_owned();
        ["evaluation_summary.csv", "evaluation_report.md"]
            .map(|file| std::fs::read_to_string(Path::new(&folder).join(file)).expect(file))
            .map(|text| text.lines().filter(|line| !line.contains("평가 일")).collect::<Vec<_>>().join("\n"))
    };
    let files = published(&before[0]);
    let task = metric_task(&koab, &folder, "L7");
    let asked = judges.calls();

    for (words, code, named) in [
        (vec!["SR", "--score", "3", "--why", "x"], 2, "SR is yes or no"),
        (vec!["RefRecall", "--success", "yes", "--why", "x"], 2, "RefRecall is a grade"),
        (vec!["CallEM", "--success", "yes", "--why", "x"], 2, "no judge decides `CallEM`"),
        (vec!["RefRecall", "--score", "1", "--why", " "], 2, "an override needs why"),
        (
            vec!["RefRecall", "--score", "1", "--why", "x", "--judge", "openai/x"],
            1,
            "has not judged RefRecall",
        ),
    ] {
        let base = ["judge", "override", &id, &task];
        refused(&koab.run(&[&base[..], &words, &["--by", "Mina"]].concat()), code, named);
    }
    let nobody =
        koab.run(&["judge", "override", &id, "L7-999", "SR", "--success", "no", "--by", "M", "--why", "x"]);
    refused(&nobody, 1, "has no task L7-999");

    let by = ["--by", "Mina", "--why", "forgot the first request"];
    let all = ["judge", "override", &id, &task, "RefRecall", "--score", "1"];
    let said = koab.json(&[&all[..], &by].concat());
    assert_eq!(
        (&said[0]["score"], &said[0]["by"], &said[0]["judge"], &said[0]["applies"]),
        (&json!(1), &json!("Mina"), &Value::Null, &json!(true))
    );
    koab.ok(
        &[&["judge", "override", &folder, &task, "SR", "--success", "no", "--judge", a], &by[..]].concat()
    );
    let after = koab.json(&words);
    assert_eq!(judges.calls(), asked, "scoring again asks nobody");
    for (old, new) in [(&before[0], &after[0]), (&before[1], &after[1])] {
        let (was, is) = (metric(old, "L7", "RefRecall"), metric(new, "L7", "RefRecall"));
        assert_eq!(is["mean"], was["mean"], "as judged");
        // Judged 5 and 2: 3.5 rounds to 4, that is 0.75 on all four tasks. One of them is 0 now.
        assert_eq!((&is["mean"], &is["overridden"]["value"]), (&json!(0.75), &json!(0.5625)));
        assert_eq!(metric(new, "L7", "SR")["overridden"]["value"], 0.75);
        assert_eq!(metric(new, "L7", "ContextRetention")["overridden"], Value::Null);
        assert_eq!(metric(new, "L1", "SR")["overridden"], Value::Null);
        assert_eq!(new["overrides"].as_array().expect("rows").len(), 2);
        assert!(notes(new).contains("people overrode 2 verdicts"), "{}", notes(new));
        assert!(new["composites"][0]["overridden"].is_object());
        assert_eq!(new["agreement"], old["agreement"], "judges agree as they did");
    }
    assert_eq!(published(&after[0]), files, "the published files stay as judged");
    let text = koab.ok(&["report", "show", after[0]["id"].as_str().expect("an id")]).stdout;
    assert!(text.contains("mean with overrides") && text.contains("0.5625"), "{text}");

    // The verdicts themselves stand as they stood.
    let shown = koab.json(&["judge", "show", &id, &task]);
    let recall = question(&shown, "RefRecall");
    assert_eq!(recall["scorers"], json!(["leaderboard", "corrected"]));
    let scores: Vec<&Value> =
        recall["verdicts"].as_array().expect("verdicts").iter().map(|v| &v["score"]).collect();
    assert_eq!(scores, [&json!(5), &json!(2)]);
    assert_eq!(recall["verdicts"][1]["reason"], "b says so");
    assert_eq!(recall["overrides"][0]["why"], "forgot the first request");
    let votes = question(&shown, "SR")["verdicts"].as_array().expect("votes");
    assert_eq!(votes.iter().map(|v| &v["vote"]).collect::<Vec<_>>(), [&json!(1), &json!(2), &json!(3)]);

    // Another run with the same answers has the same questions, and so the overrides.
    let again = koab.json(&["run", "--model", "baseline/golden", "--levels", "L1,L7"]);
    let again = again["run"]["folder"].as_str().expect("a folder").to_owned();
    let same = koab.json(&evaluate(&again, &judges, &[a, b], &[]));
    assert_eq!(judges.calls(), asked);
    assert_eq!(metric(&same[0], "L7", "RefRecall")["overridden"]["value"], 0.5625);

    // A changed answer is another question: the override does not apply, and that is said.
    let log = Path::new(&folder).join("L7.json");
    let text = std::fs::read_to_string(&log).expect("the log");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    let results = document["results"].as_array_mut().expect("results");
    let changed = results.iter_mut().find(|r| r["task_id"] == task.as_str()).expect("the task");
    for message in changed["conversation_log"]["messages"].as_array_mut().expect("messages") {
        if message["role"] == "user" {
            message["content"] = json!("다른 질문");
        }
    }
    std::fs::write(&log, document.to_string()).expect("written");
    let changed = koab.json(&evaluate(&folder, &judges, &[a, b], &[]));
    assert_eq!(metric(&changed[0], "L7", "RefRecall")["overridden"], Value::Null);
    assert!(
        notes(&changed[0]).contains(&format!("the question has changed: {task} RefRecall")),
        "{}",
        notes(&changed[0])
    );
    let listed = koab.json(&["judge", "overrides", &id]);
    let recall = listed.as_array().expect("rows").iter().find(|r| r["metric"] == "RefRecall");
    assert_eq!(recall.expect("still there")["applies"], false);
    assert_eq!(koab.json(&["judge", "show", &id, &task])["outdated"][0]["metric"], "RefRecall");

    // Taken back.
    let back = ["judge", "override", &id, &task, "RefRecall", "--remove", "--by", "Mina"];
    koab.ok(&back);
    refused(&koab.run(&back), 1, "there is no such override");
    let rest = koab.json(&["judge", "overrides"]);
    assert_eq!(rest.as_array().expect("rows").len(), 1, "{rest}");
    assert_eq!(rest[0]["judge"], a);
}

fn question<'a>(shown: &'a Value, metric: &str) -> &'a Value {
    let questions = shown["questions"].as_array().expect("questions");
    questions.iter().find(|q| q["metric"] == metric).expect("the question")
}

fn metric_task(koab: &Koab, folder: &str, level: &str) -> String {
    let log = crate::support::read_json(&koab.path().join(folder).join(format!("{level}.json")));
    log["results"][0]["task_id"].as_str().expect("an id").to_owned()
}

#[test]
fn where_nobody_was_asked_the_person_is_the_judge() {
    let (koab, folder) = golden("L7");
    let log = crate::support::read_json(&Path::new(&folder).join("L7.json"));
    for result in log["results"].as_array().expect("results") {
        let task = result["task_id"].as_str().expect("an id");
        for (metric, option, word) in [("SR", "--success", "yes"), ("RefRecall", "--score", "5")] {
            let words = ["judge", "override", &folder, task, metric, option, word];
            koab.ok(&[&words[..], &["--by", "Mina", "--why", "read it"]].concat());
        }
    }
    let report = &koab.json(&["evaluate", "--run", &folder, "--no-judge"])[0];
    for name in ["SR", "RefRecall"] {
        let found = metric(report, "L7", name);
        assert_eq!((&found["mean"], &found["overridden"]["value"]), (&Value::Null, &json!(1.0)), "{found}");
    }
    assert_eq!((&report["judges"], &report["agreement"]), (&json!([]), &json!([])));
}

#[test]
fn nobody_named_means_the_whole_default_panel_or_nobody() {
    let (koab, folder) = golden("L1");
    let keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];
    let with = |present: &[&str], words: &[&str]| {
        let mut command = koab.command(words);
        for key in keys {
            command.env_remove(key);
        }
        for key in present {
            command.env(key, "sk-not-a-key-but-long-enough-1234");
        }
        crate::support::ran(command.output().expect("koab starts"))
    };
    let panel = with(&keys[..1], &["judge", "panel", "--json"]);
    let panel: Value = serde_json::from_str(&panel.stdout).expect("JSON");
    let seen: Vec<(&str, bool)> = panel
        .as_array()
        .expect("judges")
        .iter()
        .map(|j| (j["id"].as_str().expect("an id"), j["present"].as_bool().expect("known")))
        .collect();
    let ids = ["openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-pro"];
    assert_eq!(seen, [(ids[0], true), (ids[1], false), (ids[2], false)]);
    // A part of the panel is another measure: nobody is asked, and what is missing is named once.
    let part = with(&keys[..2], &["evaluate", "--run", &folder, "--json"]);
    assert_eq!(part.code, 0, "{}", part.stderr);
    let report: Value = serde_json::from_str(&part.stdout).expect("JSON");
    let said = "no judge was asked: the default panel (openai/gpt-4o, anthropic/claude-sonnet-4-5, gemini/gemini-2.5-pro) has no GEMINI_API_KEY;";
    assert!(notes(&report[0]).contains(said), "{}", notes(&report[0]));
    assert_eq!(report[0]["judges"], json!([]));
    let silent = with(&keys[..2], &["evaluate", "--run", &folder, "--no-judge", "--json"]);
    assert!(!silent.stdout.contains("default panel"), "{}", silent.stdout);
    // With all keys the panel is the plan.
    let plan = with(&keys, &["evaluate", "--run", &folder, "--dry-run", "--json"]);
    let plan: Value = serde_json::from_str(&plan.stdout).expect("JSON");
    let calls: Vec<(&str, f64)> = plan["judges"]
        .as_array()
        .expect("judges")
        .iter()
        .map(|j| (j["judge"].as_str().expect("an id"), j["calls"].as_f64().expect("calls")))
        .collect();
    // Four tasks: three votes of the first on SR, and everybody's grade of the arguments.
    assert_eq!(calls, [(ids[0], 16.0), (ids[1], 4.0), (ids[2], 4.0)]);
    assert!(plan["usd"].as_f64().is_some_and(|usd| usd > 0.0), "{plan}");
}

#[test]
fn a_run_that_was_judged_is_scored_by_its_judges_and_their_kept_answers() {
    let (koab, folder) = golden("L1");
    let judges = Judges::start();
    let first = koab.json(&evaluate(&folder, &judges, &["openai_compat/a"], &[]));
    let asked = judges.calls();
    assert!(asked > 0);
    let again = koab.json(&["evaluate", "--run", &folder]);
    assert_eq!((&again[0]["judges"], &again[0]["id"]), (&first[0]["judges"], &first[0]["id"]));
    assert_eq!(judges.calls(), asked, "nothing is asked twice");
    let nobody = koab.json(&["evaluate", "--run", &folder, "--no-judge"]);
    assert_eq!(nobody[0]["judges"], json!([]), "unless nobody is wanted");
}

#[test]
fn a_judge_that_could_not_be_opened_is_not_asked_by_the_next_scoring() {
    let (koab, folder) = golden("L1");
    let without_keys = |words: &[&str]| {
        let mut command = koab.command(words);
        for key in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GROQ_API_KEY"] {
            command.env_remove(key);
        }
        crate::support::ran(command.output().expect("koab starts"))
    };
    let named = ["evaluate", "--run", &folder, "--judge-models", "groq/judge"];
    refused(&without_keys(&named), 1, "GROQ_API_KEY");
    let next = without_keys(&["evaluate", "--run", &folder, "--json"]);
    assert_eq!(next.code, 0, "{}", next.stderr);
    let report: Value = serde_json::from_str(&next.stdout).expect("JSON");
    assert_eq!(report[0]["judges"], json!([]));
}

#[test]
fn judges_stop_before_their_cap_and_go_on_where_they_stopped() {
    let (koab, folder) = golden("L1,L6,L7");
    let judges = Judges::start();
    let (a, b) = ("openai_compat/a", "openai_compat/b");
    let plan = koab.json(&evaluate(&folder, &judges, &[a, b], &["--dry-run"]));
    let told = koab.ok(&evaluate(&folder, &judges, &[a, b], &["--dry-run"])).stdout;
    let planned = plan["judges"][0]["calls"].as_f64().expect("calls")
        + plan["judges"][1]["calls"].as_f64().expect("calls");
    assert_eq!(
        (plan["usd"].clone(), judges.calls()),
        (Value::Null, 0),
        "no price is known, and nobody was asked"
    );
    let line = format!("answers kept in this workspace are reused: 0 of {planned}\n");
    assert!(told.contains(&line), "{told}");
    refused(
        &koab.run(&evaluate(&folder, &judges, &[a, b], &["--max-cost", "1"])),
        2,
        "the price of openai_compat/a is not known",
    );
    let prices = json!({"as_of": "2026-11-20", "models": {"openai_compat/*": {"input": 10, "output": 10}}});
    std::fs::write(koab.path().join("prices.json"), prices.to_string()).expect("written");
    let whole = planned as u64 * (TOKENS.0 + TOKENS.1);
    let mut asked = 0;
    // A cap counts what the starts before it took, until all is judged.
    for (option, cap, most) in [
        ("--max-total-tokens", 8_000.to_string(), 8_000),
        ("--max-cost", "0.16".to_owned(), 16_000),
        ("--max-total-tokens-per-day", 22_000.to_string(), 22_000),
    ] {
        let words =
            [evaluate(&folder, &judges, &[a, b], &[option, &cap]), vec!["--json", "--quiet"]].concat();
        let stopped = koab.run(&words);
        assert_eq!(stopped.code, 3, "{option}: {}", stopped.stderr);
        let now = judges.calls();
        let tokens = now * (TOKENS.0 + TOKENS.1);
        assert!(tokens <= most && now > asked, "{option}: {tokens} of {most}");
        let report: Value = serde_json::from_str(&stopped.stdout).expect("JSON");
        assert!(
            notes(&report[0]).contains(&format!("the judges were stopped after {now} of {planned}")),
            "{}",
            notes(&report[0])
        );
        assert!(
            report[0]["folder"].as_str().is_some_and(|f| f.ends_with(".unfinished")),
            "takes no whole report's place"
        );
        let known = koab.json(&evaluate(&folder, &judges, &[a, b], &["--dry-run"]));
        let known: u64 = known["judges"]
            .as_array()
            .expect("judges")
            .iter()
            .map(|j| j["known"].as_u64().expect("known"))
            .sum();
        assert_eq!(known, now, "what was said is kept");
        asked = now;
    }
    let report = &koab.json(&evaluate(&folder, &judges, &[a, b], &[]))[0];
    assert_eq!(judges.calls(), planned as u64, "every question once, over four scorings");
    assert_eq!(metric(report, "L7", "RefRecall")["mean"], 0.75);
    assert!(!report["id"].as_str().expect("an id").contains('.'), "{}", report["id"]);
    assert!(whole > 22_000, "the caps above were below what it takes");
}

#[test]
fn a_run_s_judges_count_against_its_caps_and_stand_in_its_plan() {
    let koab = Koab::new();
    let judges = Judges::start();
    let base = [
        "run",
        "--model",
        "baseline/golden",
        "--levels",
        "L1",
        "--evaluate",
        "--judge-base-url",
        &judges.url,
    ];
    let judge = ["--judge-models", "openai_compat/a", "openai_compat/b"];
    let plan = koab.json(&[&base[..], &["--dry-run"], &judge].concat());
    let calls: Vec<f64> = plan["judges"]
        .as_array()
        .expect("judges")
        .iter()
        .map(|j| j["calls"].as_f64().expect("calls"))
        .collect();
    // The published runs ask 1 SR question a task of L1, with three votes, and 0.989 about arguments.
    assert_eq!(calls.len(), 2);
    assert!(
        (calls[0] - (12.0 + 4.0 * 0.989)).abs() < 1e-9 && (calls[1] - 4.0 * 0.989).abs() < 1e-9,
        "{calls:?}"
    );
    refused(
        &koab.run(&[&base[..], &["--quiet", "--max-cost", "1"], &judge].concat()),
        2,
        "the price of openai_compat/a is not known",
    );
    let stopped =
        koab.run(&[&base[..], &["--json", "--quiet", "--max-total-tokens", "5000"], &judge].concat());
    assert_eq!(stopped.code, 3, "{}", stopped.stderr);
    assert!(stopped.stdout.contains("the judges were stopped after"), "{}", stopped.stdout);
    assert!(judges.calls() * (TOKENS.0 + TOKENS.1) <= 5000 && judges.calls() > 0);
}

#[test]
fn failed_and_unreadable_answers_are_asked_for_again_and_told() {
    let (koab, folder) = golden("L7");
    let judges = Judges::start();
    let words =
        evaluate(&folder, &judges, &["openai_compat/a", "openai_compat/shaky"], &["--scorer", "corrected"]);
    let first = &koab.json(&words)[0];
    assert_eq!(metric(first, "L7", "RefRecall")["mean"], Value::Null, "a failed judge is no low grade");
    assert!(
        notes(first).contains("8 of 28 judge answers failed and leave their tasks unscored"),
        "{}",
        notes(first)
    );
    assert!(
        notes(first).contains("8 judge answers could not be used and were asked for once more"),
        "{}",
        notes(first)
    );
    let task = metric_task(&koab, &folder, "L7");
    let shown = koab.json(&["judge", "show", &folder, &task]);
    let failure = &question(&shown, "RefRecall")["verdicts"][1]["failure"];
    assert!(failure.as_str().is_some_and(|why| why.starts_with("the answer is not JSON")), "{shown}");
    let asked = judges.calls();
    let second = &koab.json(&words)[0];
    assert_eq!(judges.calls(), asked + 8, "the failed ones again, and only those");
    assert_eq!(metric(second, "L7", "RefRecall")["mean"], 1.0);
    assert!(!notes(second).contains("failed"), "{}", notes(second));
    let shown = koab.json(&["judge", "show", &folder, &task]);
    assert_eq!(question(&shown, "RefRecall")["verdicts"][1]["failure"], Value::Null);

    // An answer that the disk or another version has spoilt.
    let spoilt =
        sqlite(&koab, "UPDATE verdict SET answer = '{\"judge\": 1}' WHERE judge = 'openai_compat/shaky'");
    assert_eq!(spoilt, 8);
    let third = &koab.json(&words)[0];
    assert!(
        notes(third).contains("8 stored judge answers could not be read and were asked for again"),
        "{}",
        notes(third)
    );
    assert_eq!(metric(third, "L7", "RefRecall")["mean"], 1.0);
    let asked = judges.calls();
    let fourth = &koab.json(&words)[0];
    assert_eq!((judges.calls(), notes(fourth).contains("could not be read")), (asked, false), "mended");
}

/// Changes the workspace's database behind the product's back; returns the rows it changed.
fn sqlite(koab: &Koab, sql: &str) -> u64 {
    let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); n = c.execute(sys.argv[2]).rowcount; c.commit(); print(n)";
    let mut python = std::process::Command::new("python3");
    python.args(["-c", script]).arg(koab.path().join("koab.sqlite")).arg(sql);
    let ran = crate::support::ran(python.output().expect("python3 starts"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.trim().parse().expect("a number")
}

#[test]
fn what_judges_said_by_an_imported_report_is_shown_where_no_answer_is_kept() {
    let (koab, folder) = golden("L1");
    let judges = Judges::start();
    let made = koab.json(&evaluate(&folder, &judges, &["openai_compat/a"], &[]))[0].clone();
    let task = metric_task(&koab, &folder, "L1");
    let here = koab.json(&["judge", "show", &folder, &task]);
    assert_eq!(here["reported"], json!([]), "the workspace keeps the answers themselves");

    let other = Koab::new();
    let report = made["folder"].as_str().expect("a folder");
    other.ok(&["report", "import", report, &folder]);
    let run = other.json(&["runs", "list"])[0]["id"].as_str().expect("an id").to_owned();
    let said = other.json(&["judge", "show", &run, &task]);
    let votes = said["reported"].as_array().expect("verdicts").iter();
    let votes: Vec<_> = votes.filter(|one| one["metric"] == "SR").collect();
    assert_eq!((votes.len(), &votes[0]["judge"]), (3, &json!("openai_compat/a")), "{said}");
    // A second report of the run that says the same, as one does that was scored from the first, adds nothing.
    let reports = other.path().join("reports");
    let id = votes[0]["report"].as_str().expect("a report");
    let (named, _) = id.rsplit_once('-').expect("a day and a time");
    crate::support::copy(&reports.join(id), &reports.join(named));
    let twice = other.json(&["judge", "show", &run, &task]);
    let count = |said: &Value| said["reported"].as_array().map(Vec::len);
    assert_eq!(count(&twice), count(&said), "{twice}");
    assert_eq!(twice["reported"][0]["report"], named, "the more telling one is named");
    let text = other.ok(&["judge", "show", &run, &task]).stdout;
    assert!(text.contains("  openai_compat/a #3  yes") && text.contains("[from the report "), "{text}");
    assert!(!text.contains("SR (leaderboard)\n  not judged"), "{text}");
    let korean = other.ok(&["judge", "show", &run, &task, "--lang", "ko"]).stdout;
    assert!(korean.contains("[보고서 baseline_golden_"), "{korean}");
    // None of these answers can be used again: it is not known what exactly was asked.
    let words =
        ["evaluate", &run, "--dry-run", "--judge-base-url", &judges.url, "--judge-models", "openai_compat/a"];
    let text = other.ok(&words).stdout;
    assert!(text.contains("answers kept in this workspace are reused: 0 of "), "{text}");
}

#[test]
fn a_report_names_tasks_that_ask_something_else_than_the_pack() {
    let (koab, folder) = golden("L1");
    let report = koab.json(&["evaluate", "--run", &folder, "--no-judge"])[0]["id"].clone();
    let id = report.as_str().expect("an id");
    let told = koab.ok(&["report", "show", id]).stdout;
    assert!(!told.contains("other instructions"), "{told}");
    let log = Path::new(&folder).join("L1.json");
    let mut changed = crate::support::read_json(&log);
    let task = changed["results"][1]["task_id"].as_str().expect("an id").to_owned();
    changed["results"][1]["instruction"] = json!("another one");
    std::fs::write(&log, changed.to_string()).expect("written");
    let told = koab.ok(&["report", "show", id]).stdout;
    let line = format!(
        "! 1 of 4 tasks have other instructions in the run’s logs than in starter@1.0.0, so the pack does not say which calls they need: {task}\n"
    );
    assert!(told.contains(&line), "{told}");
    assert_eq!(
        koab.json(&["report", "show", id])["instructions"]["tasks"],
        json!([{"level": "L1", "task": task}])
    );
    let korean = koab.ok(&["report", "show", id, "--lang", "ko"]).stdout;
    assert!(korean.contains("! 과제 4개 중 1개는 실행 로그의 지시문이 starter@1.0.0과 달라"), "{korean}");
}
