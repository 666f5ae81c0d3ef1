//! The gate and the adaptive run on benchmarks whose items are one request and one reply, against scripted models and a judge.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::Koab;
use crate::support::benchmark_packs::{self, installed};
use crate::support::http::{Local, Request, calls, completion, models, says};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Items of each of the two groups of BFCL.
const OF_GROUP: usize = 14;

/// BFCL with two groups of items.
fn bfcl(below: &Path) -> PathBuf {
    benchmark_packs::bfcl(below, &[("multiple", OF_GROUP), ("live_simple", OF_GROUP)])
}

/// Items of `FunctionChat`, all of which a judge decides.
fn functionchat(below: &Path) -> PathBuf {
    benchmark_packs::judged_functionchat(below, OF_GROUP)
}

/// Answers of models that say the same in other words each time.
static VARIED: AtomicUsize = AtomicUsize::new(0);

/// `skill-5` is right at the items whose number has a remainder by 8 of up to 5; the judge finds its good answers right. `varied-5` is as
/// well, in other words each time.
fn answer(request: &Request) -> (u16, Value) {
    if request.line.starts_with("GET") {
        let skills: Vec<String> = (0..8).map(|skill| format!("skill-{skill}")).collect();
        let ids = skills.iter().map(String::as_str).chain(["judge", "varied-7"]);
        return models(&ids.collect::<Vec<_>>());
    }
    let model = request.body["model"].as_str().unwrap();
    let asked = request.body["messages"].to_string();
    let message = if model == "judge" {
        let verdict = if asked.contains("좋은") { "pass" } else { "fail" };
        says(&format!("판단 이유\n\n{verdict}\n{verdict}"))
    } else {
        // The last number of the question is its item's.
        let digits = asked.rsplit('_').next().unwrap().chars();
        let digits: String = digits.filter(char::is_ascii_digit).collect();
        let (way, skill) = model.split_once('-').unwrap();
        let skill: usize = skill.parse().unwrap();
        let is_right = digits.parse::<usize>().unwrap() % 8 <= skill;
        let said = if is_right { "좋은 답변" } else { "모르겠습니다" };
        match (asked.contains("번 질문"), way) {
            (true, "varied") => says(&format!("{said} {}", VARIED.fetch_add(1, Ordering::SeqCst))),
            (true, _) => says(said),
            (false, _) => calls("math_square", &json!({"n": if is_right { 3 } else { 4 }}).to_string()),
        }
    };
    (200, completion(&message))
}

/// A run of a model with its report.
fn scored<'a>(url: &'a str, pack: &'a str, model: &'a str, judges: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", "--pack", pack, "--model", model, "--base-url", url, "--evaluate"];
    [&run[..], judges].concat()
}

fn report(koab: &Koab, words: &[&str]) -> String {
    let run = koab.json(words);
    run["reports"][0]["id"].as_str().unwrap().to_owned()
}

/// The model of the baseline is `skill-7`.
fn gate<'a>(url: &'a str, pack: &'a str, report: &'a str, model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = [
        &["gate", "--pack", pack, "--baseline", report, "--model", model, "--base-url", url][..],
        &["--baseline-model", "openai_compat/skill-7", "--baseline-url", url],
        &["--margin", "20pp", "--json", "--quiet"],
    ];
    [&words.concat()[..], more].concat()
}

#[test]
fn a_benchmark_without_judges_is_gated_as_its_authors_ask_it() {
    let server = Local::start(answer);
    let (koab, _folder) = installed(bfcl);
    let (url, all) = (server.address.as_str(), "openai_compat/skill-7");
    let baseline = report(&koab, &scored(url, "bfcl", all, &[]));
    let before = server.requests().len();
    let played = |model: &str, more: &[&str]| {
        let ran = koab.run(&gate(url, "bfcl", &baseline, model, more));
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        (ran.code, answer, ran.stderr)
    };

    let (code, answer, error) = played(all, &[]);
    assert_eq!((code, &answer["verdict"]), (0, &json!("pass")), "{error}{answer}");
    assert_eq!((&answer["tasks"], &answer["of"]), (&json!(2 * OF_GROUP), &json!(2 * OF_GROUP)));
    assert!(answer["flips"].is_null(), "nobody judges: {answer}");
    let remarks = answer["remarks"].to_string();
    assert!(!remarks.contains("temperature"), "the sampling is the pack's: {remarks}");
    let (code, answer, error) = played("openai_compat/skill-3", &[]);
    assert_eq!((code, &answer["verdict"]), (4, &json!("fail")), "{error}{answer}");
    let (code, answer, error) = played("openai_compat/skill-3", &["--levels", "live_simple"]);
    assert_eq!((code, &answer["tasks"]), (4, &json!(OF_GROUP)), "{error}{answer}");

    let requests = server.requests().into_iter().skip(before);
    let posted = requests.filter(|request| request.line.starts_with("POST"));
    for request in posted {
        assert_eq!(request.body["temperature"], json!(0.001), "{}", request.body);
    }

    // Sentences, before anything is asked.
    let before = server.requests().len();
    for (more, said) in
        [(&["--metric", "ToolAcc"][..], "has no task with ToolAcc"), (&["--levels", "L1"], "L1")]
    {
        let (code, _, error) = played(all, more);
        assert!(code == 2 && error.contains(said), "{more:?}: {code} {error}");
    }
    let judges = ["--judge-base-url", url, "--judge-models", "openai_compat/judge"];
    let starter = koab.run(&gate(url, "starter", &baseline, all, &judges));
    assert!(starter.code != 0 && starter.stderr.contains("is of the pack bfcl@"), "{}", starter.stderr);
    let posted = server.requests().into_iter().skip(before);
    assert_eq!(posted.filter(|one| one.line.starts_with("POST")).count(), 0);
}

#[test]
fn a_benchmark_with_judges_needs_the_same_one_and_asks_it_again() {
    let server = Local::start(answer);
    let (koab, _folder) = installed(functionchat);
    let (url, all) = (server.address.as_str(), "openai_compat/skill-7");
    let judges = ["--judge-base-url", url, "--judge-models", "openai_compat/judge"];
    let baseline = report(&koab, &scored(url, "functionchat", all, &judges));

    let unjudged = koab.run(&gate(url, "functionchat", &baseline, all, &[]));
    assert!(unjudged.stderr.contains("name a judge with --judge-models"), "{}", unjudged.stderr);
    let other = ["--judge-base-url", url, "--judge-models", "openai_compat/skill-1"];
    let other = koab.run(&gate(url, "functionchat", &baseline, all, &other));
    assert!(other.stderr.contains("was judged by openai_compat/judge"), "{}", other.stderr);

    for (model, code) in [(all, 0), ("openai_compat/skill-2", 4)] {
        let ran = koab.run(&gate(url, "functionchat", &baseline, model, &judges));
        assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        // Equal answers are one verdict, and there are fewer of them than it takes.
        let flips = &answer["flips"];
        assert!(flips["asked"].as_u64() > Some(0) && flips["undone"] == false, "{answer}");
        assert_eq!(flips["differed"], json!(0));
    }
}

#[test]
fn answers_with_the_same_text_are_one_verdict_at_every_repetition_and_of_the_baseline_as_well() {
    let server = Local::start(answer);
    let (koab, _folder) = installed(functionchat);
    let url = server.address.as_str();
    let judges = ["--judge-base-url", url, "--judge-models", "openai_compat/judge"];
    let error = |model: &'static str| {
        let more = ["--repetitions", "3"];
        let baseline = report(&koab, &scored(url, "functionchat", model, &[&judges[..], &more].concat()));
        let more = [&["--judge-flips", "18/100"][..], &judges].concat();
        let mut words = gate(url, "functionchat", &baseline, "openai_compat/varied-7", &more);
        let again = words.iter().position(|word| *word == "--baseline-model").unwrap();
        words[again + 1] = model;
        let ran = koab.run(&words);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
        answer["looks"][0]["error"].as_f64().unwrap()
    };
    // Whatever is said is right, so that nothing but shared verdicts tells the two apart: at hand and in the new runs.
    let apart = error("openai_compat/varied-7");
    let shared = error("openai_compat/skill-7");
    assert!(shared > 1.2 * apart, "{shared} {apart}");
}

#[test]
fn a_few_items_of_another_benchmark_say_what_all_of_them_give() {
    let server = Local::start(answer);
    let (koab, _folder) = installed(bfcl);
    let url = server.address.as_str();
    let adaptive = |model: &'static str| {
        ["run", "--pack", "bfcl", "--model", model, "--base-url", url, "--adaptive", "10pp"]
    };
    let few = koab.run(&adaptive("openai_compat/skill-5"));
    assert!(few.code == 2 && few.stderr.contains("reports of this pack are too few"), "{}", few.stderr);
    for model in
        ["openai_compat/skill-3", "openai_compat/skill-4", "openai_compat/skill-6", "openai_compat/skill-7"]
    {
        koab.ok(&scored(url, "bfcl", model, &[]));
    }
    let found = koab.json(&adaptive("openai_compat/skill-5"));
    let truth = (0..OF_GROUP).filter(|at| at % 8 <= 5).count() as f64 / OF_GROUP as f64;
    let mean = found["mean"].as_f64().unwrap();
    assert!((mean - truth).abs() <= 0.1 && found["stopped"].is_null(), "{found}");
    assert!((20..28).contains(&found["asked"].as_u64().unwrap()), "{found}");
}
