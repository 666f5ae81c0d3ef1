//! The judge lab through the command line: several judges on the same runs, judging again, blind review.

use super::server::Judges;
use super::{evaluate, refused};
use crate::support::Koab;
use serde_json::{Value, json};

pub(crate) const A: &str = "openai_compat/a";
const B: &str = "openai_compat/b";
const C: &str = "openai_compat/c";

/// A workspace with runs of two baselines over a few levels: their ids.
fn two_runs(levels: &str) -> (Koab, [String; 2]) {
    let koab = Koab::new();
    let ids = ["baseline/golden", "baseline/silent"].map(|model| {
        let run = koab.json(&["run", "--model", model, "--levels", levels]);
        run["run"]["folder"].as_str().expect("a folder").to_owned()
    });
    (koab, ids)
}

pub(crate) fn again<'a>(
    runs: &'a [String],
    judges: &'a Judges,
    names: &[&'a str],
    more: &[&'a str],
) -> Vec<&'a str> {
    let mut words = vec!["judge", "again"];
    words.extend(runs.iter().map(String::as_str));
    words.extend(["--judge-base-url", judges.url.as_str()]);
    words.extend(more);
    words.push("--judge-models");
    words.extend(names);
    words
}

fn panel<'a>(lab: &'a Value, kind: &str, judge: Option<&str>) -> &'a Value {
    let panels = lab["effect"]["panels"].as_array().expect("panels");
    panels
        .iter()
        .find(|panel| panel["kind"] == kind && panel["judge"] == json!(judge))
        .unwrap_or_else(|| panic!("no {kind} {judge:?}"))
}

fn sr(panel: &Value) -> &Value {
    let values = panel["values"].as_array().expect("values");
    values.iter().find(|one| one["measure"] == "sr").expect("SR")
}

#[test]
fn judges_are_asked_without_running_or_scoring_again_and_each_has_its_ranks() {
    let (koab, runs) = two_runs("L1,L7");
    let judges = Judges::start();
    // The first judge by a scoring of one run: its answers count.
    koab.json(&evaluate(&runs[0], &judges, &[A], &[]));
    let before = judges.calls();
    let lab = |koab: &Koab| koab.json(&["judge", "lab", &runs[0], &runs[1]]);
    let first = lab(&koab);
    assert_eq!(first["runs"].as_array().expect("runs").len(), 2);
    assert_eq!(first["coverage"][0]["complete"], false);
    let reason = panel(&first, "judge", Some(A))["reason"].as_str().expect("a reason");
    assert!(reason.contains("judge the missing ones"), "{reason}");

    let plan = koab.json(&again(&runs, &judges, &[A, B], &["--dry-run"]));
    assert!(plan["judges"][0]["known"].as_u64().expect("known") > 0);
    assert_eq!(judges.calls(), before, "a plan asks nobody");
    let planned: f64 = plan["judges"]
        .as_array()
        .expect("judges")
        .iter()
        .map(|judge| judge["calls"].as_f64().expect("calls"))
        .sum();
    let reports = koab.json(&["report", "list"]);
    let end = koab.json(&again(&runs, &judges, &[A, B], &[]));
    assert_eq!((&end["stopped"], &end["failed"]), (&json!(false), &json!(0)));
    assert_eq!((judges.calls() - before) as f64, planned, "as planned, and nothing twice");
    assert_eq!(koab.json(&["report", "list"]), reports, "no report is written");
    assert_eq!(koab.json(&["runs", "list"]).as_array().expect("runs").len(), 2, "nothing is run");

    let both = lab(&koab);
    for row in both["coverage"].as_array().expect("coverage") {
        assert_eq!((&row["complete"], &row["missing"]), (&json!(true), &json!(0)), "{row}");
    }
    // a says yes to everything that is asked, b no: the second judge votes on SR here as well.
    assert_eq!(sr(panel(&both, "judge", Some(B)))["values"], json!([0.0, 0.0]));
    assert!(sr(panel(&both, "judge", Some(A)))["values"][0].as_f64().expect("a score") > 0.9);
    assert_eq!(sr(panel(&both, "mean", None))["values"], json!([0.0, 0.0]), "a tie is no");
    let agreement = both["agreement"].as_array().expect("rows");
    let grades = agreement.iter().find(|row| row["metrics"] == json!(["RefRecall"])).expect("RefRecall");
    assert_eq!(grades["percent"]["value"], 0.0);
    assert!(grades["alpha"]["value"].is_number() && grades["alpha"]["low"].is_number(), "{grades}");

    // With three judges each can be left out.
    koab.json(&again(&runs, &judges, &[C], &[]));
    let three = lab(&koab);
    assert!(sr(panel(&three, "without", Some(B)))["values"][0].as_f64().expect("a score") > 0.9);
    assert!(three["effect"]["taus"].as_array().expect("taus").iter().any(|tau| tau["reason"].is_string()));
    let text = koab.ok(&["judge", "lab", &runs[0], &runs[1]]).stdout;
    for part in
        ["who has judged what", "agreement between judges", "without openai_compat/b", "combined (mean)", "τ"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let calls = judges.calls();
    koab.json(&again(&runs, &judges, &[A, B, C], &[]));
    assert_eq!(judges.calls(), calls, "everything is answered");
}

#[test]
fn a_stopped_asking_keeps_its_answers_and_goes_on() {
    let (koab, runs) = two_runs("L7");
    let judges = Judges::start();
    let capped = koab.run(&again(&runs, &judges, &[A], &["--json", "--max-total-tokens", "6000"]));
    assert_eq!(capped.code, 3, "{}{}", capped.stdout, capped.stderr);
    let end: Value = serde_json::from_str(&capped.stdout).expect("JSON");
    assert_eq!(end["stopped"], true);
    let first = judges.calls();
    let plan = koab.json(&again(&runs, &judges, &[A], &["--dry-run"]));
    assert_eq!(plan["judges"][0]["known"].as_u64(), Some(first));
    let left = plan["judges"][0]["calls"].as_f64().expect("calls");
    koab.json(&again(&runs, &judges, &[A], &[]));
    assert_eq!((judges.calls() - first) as f64, left);
    let nowhere = "nowhere/20250101_000000";
    refused(&koab.run(&["judge", "lab", nowhere]), 1, nowhere);
    // Beside others it is said as well, and who asked for it hears that it is not among them.
    let shown = koab.run(&["judge", "lab", &runs[0], nowhere]);
    assert_eq!(shown.code, 1, "{}{}", shown.stdout, shown.stderr);
    assert!(shown.stdout.contains(&format!("there is no run `{nowhere}`")), "{}", shown.stdout);
    // A report's name is told the run.
    koab.ok(&["evaluate", &runs[0], "--no-judge"]);
    let listed = koab.json(&["report", "list"]);
    let report = listed[0]["id"].as_str().expect("an id");
    let run = listed[0]["run"].as_str().expect("its run");
    for words in [
        &["evaluate", report][..],
        &["judge", "show", report, "L1-001"],
        &["runs", "show", report],
        &["runs", "merge", report],
        &["runs", "delete", report, "--yes"],
        &["run", "--resume", report],
        &["submit", "bundle", report, "--output", "a.koab"],
    ] {
        refused(&koab.run(words), 1, &format!("is a report; name its run, {run}"));
    }
}

#[test]
fn a_person_answers_blindly_and_is_compared_with_the_judges() {
    let (koab, runs) = two_runs("L1,L7");
    let judges = Judges::start();
    koab.json(&again(&runs, &judges, &[A, B], &[]));
    let queue = |format: &str, seed: &str| -> String {
        let words = [
            "judge", "queue", &runs[0], &runs[1], "-k", "6", "--by", "Mina", "--seed", seed, "--format",
            format,
        ];
        koab.ok(&words).stdout
    };
    let blind = queue("json", "7");
    assert_eq!(blind, queue("json", "7"), "the same seed gives the same queue");
    for word in ["baseline", A, B, "silent"] {
        assert!(!blind.contains(word), "{word} in\n{blind}");
    }
    let mut document: Value = serde_json::from_str(&blind).expect("JSON");
    let id = document["queue"].as_str().expect("an id").to_owned();
    let questions = document["questions"].as_array_mut().expect("questions");
    assert_eq!(questions.len(), 6);
    let metrics: std::collections::BTreeSet<String> =
        questions.iter().map(|one| one["metric"].as_str().expect("a metric").to_owned()).collect();
    assert!(metrics.len() > 2, "spread over metrics: {metrics:?}");
    assert!(questions.iter().all(|one| one.get("judges").is_none() && one.get("model").is_none()));

    // Before anything is answered there is nothing to reveal.
    refused(&koab.run(&["judge", "reveal", &id]), 2, "no question of the queue");
    // The person sees it as judge a does, leaves one open and is unsure of another.
    for (place, question) in questions.iter_mut().enumerate() {
        let answer = if question["scale"] == "yes/no" { "yes" } else { "5" };
        question["your_answer"] = json!(match place {
            0 => "",
            1 => "unsure",
            _ => answer,
        });
        question["note"] = json!("이유");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("answers.json");
    std::fs::write(&file, document.to_string()).expect("written");
    let path = file.display().to_string();
    let taken = koab.json(&["judge", "answers", &path]);
    assert_eq!((&taken["taken"], &taken["empty"]), (&json!(5), &json!(1)));
    let list = koab.json(&["judge", "queues"]);
    assert_eq!((&list[0]["answered"], &list[0]["revealed_at"]), (&json!(5), &Value::Null));
    // What a reviewer fills in otherwise than asked is refused as a whole.
    let sheet = queue("csv", "7");
    let wrong = folder.path().join("wrong.csv");
    std::fs::write(&wrong, sheet.replace(",yes,", ",9,").replace(",unsure,", ",9,")).expect("written");
    refused(&koab.run(&["judge", "answers", &wrong.display().to_string()]), 1, "answers `9`");
    let back = folder.path().join("back.csv");
    std::fs::write(&back, &sheet).expect("written");
    let same = koab.json(&["judge", "answers", &back.display().to_string()]);
    assert_eq!(same["taken"], 5, "a sheet carries the answers that are there");

    let reveal = koab.json(&["judge", "reveal", &id, "--apply", "--by", "Lead"]);
    assert_eq!((&reveal["judges"][0]["judge"], &reveal["judges"][0]["closest"]), (&json!(A), &json!(true)));
    assert_eq!(reveal["judges"][0]["distance"], 0.0);
    assert_eq!((&reveal["applied"]["applied"], &reveal["applied"]["left"]), (&json!(4), &json!(2)));
    assert!(reveal["questions"][0]["model"].as_str().expect("a model").starts_with("baseline/"));
    // Afterwards it would not be blind any more.
    refused(&koab.run(&["judge", "answers", &path]), 2, "was revealed");
    // The audit trail is that of every override.
    let overrides = koab.json(&["judge", "overrides"]);
    let first = &overrides[0];
    assert_eq!(first["by"], "Mina");
    let why = first["why"].as_str().expect("a reason");
    assert!(why.contains(&format!("blind review {id}, applied by Lead: 이유")), "{why}");
    let lab = koab.json(&["judge", "lab", &runs[0], &runs[1]]);
    assert!(panel(&lab, "people", None)["reason"].is_null(), "people's word counts now");
    let text = koab.ok(&["judge", "reveal", &id]).stdout;
    assert!(text.contains("closest") && text.contains("made of disagreements"), "{text}");
}

#[test]
fn one_judge_at_two_servers_is_two_judges_by_their_names() {
    let (koab, [run, _]) = two_runs("L1,L7");
    let servers = [Judges::start(), Judges::start()];
    for (name, server) in ["near", "far"].iter().zip(&servers) {
        koab.ok(&["models", "connect", name, "--base-url", &server.url, "--model", "a"]);
    }
    let scored = koab.json(&["evaluate", &run, "--judge-models", "near/a"]);
    let report = scored[0]["id"].as_str().expect("a report");
    assert_eq!(scored[0]["judges"], json!(["near/a"]));
    let show = |koab: &Koab| koab.json(&["report", "show", report]);
    let judges = |shown: Value| (shown["judges"].clone(), shown["judge_address"].clone());
    assert_eq!(judges(show(&koab)), (json!(["near/a"]), Value::Null));
    let file = koab.path().join("reports").join(report).join("evaluation_report.json");
    let summary = &crate::support::read_json(&file)["summary"];
    assert_eq!(
        (&summary["judge_model"], &summary["judge_base_url"]),
        (&json!(A), &json!(servers[0].url)),
        "files have the id"
    );

    let known = |name: &str| {
        let plan = koab.json(&["judge", "again", &run, "--dry-run", "--judge-models", name]);
        let judge = &plan["judges"][0];
        assert_eq!(judge["judge"], name);
        (judge["known"].as_f64(), judge["calls"].as_f64())
    };
    let (all, nothing) = known("near/a");
    assert_eq!(known("far/a"), (nothing, all), "what one server said is not the other's");
    assert_eq!(nothing, Some(0.0));
    koab.json(&["judge", "again", &run, "--judge-models", "far/a"]);
    let lab = koab.json(&["judge", "lab", &run]);
    let coverage = lab["coverage"].as_array().expect("coverage").iter();
    let who: Vec<_> = coverage.map(|row| (&row["judge"], &row["complete"])).collect();
    let whole = json!(true);
    assert_eq!(who, [(&json!("far/a"), &whole), (&json!("near/a"), &whole)]);

    koab.ok(&["models", "disconnect", "near"]);
    assert_eq!(
        judges(show(&koab)),
        (json!([A]), json!(servers[0].url)),
        "without a name the address tells it apart"
    );
}
