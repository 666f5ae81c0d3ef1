//! Judges of a benchmark whose judges answer in words: compared, reviewed blindly, corrected; and replies that were made elsewhere.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::Koab;
use crate::support::benchmark_packs;
use crate::support::http::{Local, Request, chat, models};
use serde_json::{Value, json};
use std::fs;

/// The number of the question in a text.
fn number(text: &str) -> u64 {
    let before = text.split("번 질문").next().unwrap_or_default();
    let digits = before.rsplit(|letter: char| !letter.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Judge `a` fails the first ten questions, `b` twenty, `c` thirty.
fn answer(request: &Request) -> (u16, Value) {
    if request.line.starts_with("GET") {
        return models(&["m", "a", "b", "c"]);
    }
    let asked = number(&request.body["messages"].to_string());
    let fails = |most: u64| {
        if asked <= most { "이유\n\nfail\nfail" } else { "이유\n\npass\npass" }
    };
    let text = match request.body["model"].as_str().unwrap() {
        "a" => fails(10),
        "b" => fails(20),
        "c" => fails(30),
        _ => "아니요",
    };
    (200, chat(text))
}

/// Forty items of `FunctionChat` that a judge decides.
fn installed() -> (Koab, tempfile::TempDir) {
    benchmark_packs::installed(|below| benchmark_packs::judged_functionchat(below, 40))
}

fn sr<'a>(lab: &'a Value, kind: &str, judge: Option<&str>) -> &'a Value {
    let panels = lab["effect"]["panels"].as_array().unwrap();
    let of = |panel: &&Value| panel["kind"] == kind && panel["judge"] == json!(judge);
    let values = panels.iter().find(of).unwrap()["values"].as_array().unwrap();
    &values.iter().find(|one| one["measure"] == "sr").unwrap()["values"][0]
}

#[test]
fn several_judges_are_compared_reviewed_and_corrected() {
    let (koab, folder) = installed();
    let server = Local::start(answer);
    let run = benchmark_packs::run_of(&koab, "functionchat", "m", &server);
    let judges = ["openai_compat/a", "openai_compat/b", "openai_compat/c"];
    let again = ["judge", "again", &run, "--judge-base-url", &server.address, "--judge-models"];
    let end = koab.json(&[&again[..], &judges[..]].concat());
    assert_eq!((&end["stopped"], &end["failed"]), (&json!(false), &json!(0)), "{end}");

    let lab = koab.json(&["judge", "lab", &run]);
    for row in lab["coverage"].as_array().unwrap() {
        assert_eq!((&row["complete"], &row["answered"]), (&json!(true), &json!(40)), "{row}");
    }
    let alone = judges.map(|judge| sr(&lab, "judge", Some(judge)).clone());
    assert_eq!(alone, [json!(0.75), json!(0.5), json!(0.25)]);
    // Two of three fail the first twenty.
    assert_eq!(*sr(&lab, "mean", None), json!(0.5));
    // Of two, a tie is no.
    assert_eq!(*sr(&lab, "without", Some(judges[0])), json!(0.25));
    let row = &lab["agreement"][0];
    assert_eq!((&row["metrics"], &row["questions"]), (&json!(["SR"]), &json!(40)));
    let pair = &row["pairs"][0];
    assert_eq!((&pair["one"], &pair["percent"]["value"]), (&json!(judges[0]), &json!(0.75)));
    // Expected by chance: 0.75 · 0.5 + 0.25 · 0.5.
    assert_eq!(pair["kappa"]["value"], json!(0.5));
    assert!(row["alpha"]["value"].is_number(), "{row}");
    assert_eq!(lab["flips"].as_array().unwrap().len(), 20, "11 to 30");

    let queue = koab.json(&["judge", "queue", &run, "-k", "6", "--by", "Mina"]);
    let texts = queue["questions"][0]["inputs"].as_array().unwrap();
    let kinds: Vec<&str> = texts.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["instruction", "answer", "facts"], "{queue}");
    let disputed = number(texts[0]["text"].as_str().unwrap());
    assert!((11..=30).contains(&disputed), "{disputed}");

    // A person who thinks as `b` does.
    let drawn = ["judge", "queue", &run, "--random", "--by", "Jun", "-k", "35", "--seed", "1"];
    let mut queue = koab.json(&drawn);
    for question in queue["questions"].as_array_mut().unwrap() {
        let asked = number(question["inputs"][0]["text"].as_str().unwrap());
        question["your_answer"] = json!(if asked <= 20 { "no" } else { "yes" });
    }
    let file = folder.path().join("answers.json");
    fs::write(&file, queue.to_string()).unwrap();
    koab.json(&["judge", "answers", &file.display().to_string()]);
    let id = queue["queue"].as_str().unwrap();
    koab.ok(&["judge", "reveal", id]);
    let found = koab.json(&["judge", "estimate", id]);
    let rows = found["runs"][0]["judges"].as_array().unwrap();
    let of_b = rows.iter().find(|row| row["judge"] == judges[1]).unwrap();
    assert_eq!(of_b["judged"], json!(0.5), "{found}");
    let corrected = of_b["corrected"]["value"].as_f64().unwrap();
    assert!((corrected - 0.5).abs() < 0.01, "{found}");

    // Votes of one judge under the corrected rules.
    let words =
        ["evaluate", &run, "--scorer", "corrected", "--judge-base-url", &server.address, "--judge-models"];
    let report = koab.json(&[&words[..], &judges[..1]].concat())[0].clone();
    let votes = &report["agreement"][0];
    assert_eq!(
        (&votes["answers"], &votes["missing"], &votes["percent"]["value"]),
        (&json!(120), &json!(0), &json!(1.0)),
        "{votes}"
    );
}

#[test]
fn saved_replies_are_a_run_that_is_looked_at_overridden_and_scored_again() {
    let (koab, folder) = installed();
    let file = |name: &str, lines: &[String]| {
        let path = folder.path().join(name);
        fs::write(&path, lines.join("\n")).unwrap();
        path.display().to_string()
    };
    let all = koab.json(&["run", "--dry-run", "--requests", "--pack", "functionchat"]);
    let ids = [0, 1].map(|at: usize| all[at]["id"].as_str().unwrap());
    let reply = |id: &str| json!({"id": id, "output": {"content": "아니요", "tool_calls": null}}).to_string();
    let answers = file("answers.jsonl", &ids.map(reply));
    let said = |id: &str, word: &str| json!({"id": id, "replies": [format!("이유\n\n{word}")]}).to_string();
    let judged = file("judge.jsonl", &[said(ids[0], "pass"), said(ids[1], "fail")]);
    let words = [
        "evaluate",
        "--answers",
        &answers,
        "--pack",
        "functionchat",
        "--judge-replies",
        &judged,
        "--save",
        "q/same",
    ];
    let saved = koab.json(&words)[0].clone();
    assert_eq!(saved["overall"][0]["value"], json!(0.5), "{saved}");
    let run = saved["run"].as_str().unwrap();
    let other = koab.json(&words)[0]["run"].as_str().unwrap().to_owned();
    assert_ne!(run, other, "nothing is written over");

    let task = koab.json(&["judge", "show", run, ids[1]]);
    assert!(task.to_string().contains("fail"), "{task}");
    let over = ["judge", "override", run, ids[1], "SR", "--success", "yes", "--by", "Mina", "--why", "맞음"];
    koab.ok(&over);
    let kept = koab.path().join("reports").join(saved["id"].as_str().unwrap()).join("verdicts.jsonl");
    let again = koab.json(&["evaluate", run, "--judge-replay", &kept.display().to_string()])[0].clone();
    assert_eq!(
        (&again["levels"][0]["metrics"][0]["mean"], &again["judges"]),
        (&json!(0.5), &saved["judges"])
    );
    assert_eq!(again["levels"][0]["metrics"][0]["overridden"]["value"], json!(1.0), "{again}");

    let facts = &again["comparability"]["facts"];
    assert_eq!(facts["pack"]["value"]["name"], "functionchat", "{facts}");
    let bundle = folder.path().join("replies.koab").display().to_string();
    koab.ok(&["submit", "bundle", run, "-o", &bundle]);
    let elsewhere = Koab::new();
    assert_eq!(elsewhere.json(&["submit", "verify", &bundle])["ok"], true);
    koab.ok(&["submit", "verify", &bundle]);

    // Under the corrected rules votes are missing, which a bundle finds again.
    let both = [&words[..], &["--scorer", "both"]].concat();
    let both = koab.json(&both)[0]["run"].as_str().unwrap().to_owned();
    let short = folder.path().join("short.koab").display().to_string();
    koab.ok(&["submit", "bundle", &both, "-o", &short]);
    assert_eq!(elsewhere.json(&["submit", "verify", &short])["ok"], true);
}

#[test]
fn neither_other_replies_nor_another_version_of_the_pack_change_a_report() {
    let (koab, folder) = installed();
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let all = koab.json(&["run", "--dry-run", "--requests", "--pack", "functionchat"]);
    let id = all[0]["id"].as_str().unwrap();
    let answers = json!({"id": id, "output": {"content": "아니요", "tool_calls": null}});
    let answers = file("answers.jsonl", answers.to_string());
    let judged = |id: &str| json!({"id": id, "replies": ["이유\n\npass"]}).to_string();
    let replies = file("judge.jsonl", judged(id));
    let saved = koab.json(&[
        "evaluate",
        "--answers",
        &answers,
        "--pack",
        "functionchat",
        "--judge-replies",
        &replies,
        "--save",
        "q/one",
    ])[0]
        .clone();
    let run = saved["run"].as_str().unwrap();
    let shown = || koab.json(&["report", "show", saved["id"].as_str().unwrap()]);
    let before = shown();

    let wrong = file("wrong.jsonl", judged("nobody:1"));
    let refused = koab.run(&["evaluate", run, "--judge-replay", &wrong]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(refused.stderr.contains("line 1: the run has no item nobody:1"), "{}", refused.stderr);
    assert_eq!(shown(), before);

    let again = koab.json(&["evaluate", run, "--judge-replay", &replies])[0].clone();
    assert!(
        again["notes"].to_string().contains("answers.jsonl"),
        "where the replies come from stays said: {again}"
    );

    // The same items with another right answer, in the place of those.
    let root = folder.path().join("functionchat");
    let items = root.join("FunctionChat-CallDecision.jsonl");
    let text = fs::read_to_string(&items).unwrap().replace("9시예요", "8시예요");
    fs::write(&items, text).unwrap();
    koab.ok(&["pack", "import", &root.display().to_string()]);
    let before = shown();
    let refused = koab.run(&["evaluate", run, "--no-judge"]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(refused.stderr.contains("are not installed"), "{}", refused.stderr);
    let bundle = folder.path().join("none.koab").display().to_string();
    let refused = koab.run(&["submit", "bundle", run, "-o", &bundle]);
    assert!(refused.stderr.contains("are not installed"), "{}", refused.stderr);
    assert_eq!(shown(), before);
}
