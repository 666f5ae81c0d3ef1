//! Own packs on the command line: begun, looked over, saved as versions, run, handed on and read elsewhere.

use crate::support::Koab;
use serde_json::Value;

/// Means of the metrics of L1 that need no judge, in a run with this pack.
fn means(koab: &Koab, pack: &str) -> Vec<(String, Option<f64>)> {
    let run = koab.json(&["run", "--pack", pack, "--model", "baseline/golden", "--evaluate"]);
    let metrics = run["reports"][0]["levels"][0]["metrics"].as_array().expect("metrics").iter();
    let named = |metric: &Value| {
        let name = metric["metric"].as_str().or(metric["id"].as_str()).expect("a name");
        (name.to_owned(), metric["mean"].as_f64())
    };
    metrics.map(named).collect()
}

#[test]
fn a_saved_pack_of_ones_own_runs_without_keys_and_its_golden_path_is_answered() {
    let koab = Koab::new();
    koab.ok(&["pack", "draft", "mine"]);
    let again = koab.run(&["pack", "draft", "mine"]);
    assert_eq!(
        again.stderr.trim(),
        "koab: there is a draft of mine already; continue it or discard it first"
    );
    let saved = koab.json(&["pack", "save", "mine"]);
    assert!(saved["pack"]["version"].as_str().expect("a version").starts_with("1+"));
    let lint = koab.ok(&["pack", "lint", "mine"]).stdout;
    assert!(lint.contains("nothing is wrong with its data"), "{lint}");
    assert!(lint.contains("1 of 1 calls of the golden paths are cached"), "{lint}");
    let means = means(&koab, "mine");
    for metric in ["ToolAcc", "CallEM", "RespOK", "EPR_CVR", "RRR"] {
        let found = means.iter().find(|(name, _)| name == metric);
        assert_eq!(found, Some(&(metric.to_owned(), Some(1.0))), "{means:?}");
    }
    let same = koab.run(&["pack", "save", "mine"]);
    assert!(same.stderr.contains("nothing was saved"), "{}", same.stderr);
}

#[test]
fn a_run_keeps_the_version_that_it_was_made_with() {
    let koab = Koab::new();
    koab.ok(&["pack", "draft", "mine", "--from", "starter"]);
    let first = koab.json(&["pack", "save", "mine"]);
    let label = format!("mine@{}", first["pack"]["version"].as_str().expect("a version"));
    let limited = ["run", "--pack", "mine", "--model", "baseline/golden", "--levels", "L1"];
    koab.ok(&limited);
    let runs = koab.json(&["runs", "list"]);
    assert_eq!(runs[0]["pack"], label.as_str());
    // The next version takes its place under the name; the run is still scored by its own.
    let drafts = koab.json(&["pack", "drafts"]);
    assert_eq!(drafts["drafts"][0]["changed"], false);
    let out = koab.path().join("mine.zip");
    let out = out.to_str().expect("a path");
    let exported = koab.json(&["pack", "export", "mine", "--output", out]);
    assert_eq!(exported["pack"], label.as_str());
    let refused = koab.run(&["pack", "export", "mine", "--output", out]);
    assert!(refused.stderr.contains("exists already"), "{}", refused.stderr);
    koab.ok(&["pack", "export", "mine@1", "--output", out, "--force"]);

    // Elsewhere it is looked over without being imported, and then imported as what it was.
    let elsewhere = Koab::new();
    let lint = elsewhere.json(&["pack", "lint", out]);
    assert_eq!((&lint["label"], &lint["calls"]), (&Value::from(label.as_str()), &lint["calls"]));
    assert_eq!(elsewhere.json(&["pack", "list"]).as_array().expect("packs").len(), 1);
    let imported = elsewhere.json(&["pack", "import", out]);
    assert_eq!(imported["problems"].as_array().map(Vec::len), Some(0));
    assert_eq!(imported["pack"]["version"], first["pack"]["version"]);
    assert_eq!(elsewhere.json(&["pack", "verify", "mine"]).as_array().map(Vec::len), Some(0));
    let again = elsewhere.path().join("again.zip");
    let again = again.to_str().expect("a path");
    elsewhere.ok(&["pack", "export", "mine", "--output", again]);
    assert_eq!(std::fs::read(out).expect("read"), std::fs::read(again).expect("read"), "byte by byte");
}

#[test]
fn a_pack_that_has_faults_is_named_with_what_to_do() {
    /// The second task, which asks nothing.
    const LEFT_OUT: usize = 1;
    let koab = Koab::new();
    let folder = koab.path().join("broken");
    std::fs::create_dir_all(folder.join("tasks")).expect("made");
    std::fs::write(
        folder.join("tasks/L1.json"),
        r#"[{"task_id": "A", "instruction": "?", "task_level": 1, "golden_action": [{"tool": "gone"}]}, {"task_id": "B"}]"#,
    )
    .expect("written");
    let ran = koab.run(&["pack", "lint", folder.to_str().expect("a path")]);
    assert_ne!(ran.code, 0);
    assert!(ran.stdout.contains("[error] tasks/L1.json: B: instruction: is missing\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("→ Write what the user asks"), "{}", ran.stdout);
    assert!(ran.stdout.contains("not recorded: A: 1. gone"), "{}", ran.stdout);
    // The faults are the result: the error is for people's eyes, and one document is all that a script reads.
    let ran = koab.run(&["pack", "lint", folder.to_str().expect("a path"), "--json"]);
    assert_eq!(ran.code, 1);
    let lint: Value = serde_json::from_str(&ran.stdout).expect("one JSON document");
    let left_out = |problem: &&Value| problem["severity"] == "error";
    let problems = lint["problems"].as_array().expect("problems").iter();
    assert_eq!((problems.filter(left_out).count(), &lint["error"]), (LEFT_OUT, &Value::Null), "{lint}");
    assert!(ran.stderr.contains(&format!("{LEFT_OUT} faults for which")), "{}", ran.stderr);
}

/// The other commands that end in an error after they said what they found.
#[test]
fn a_look_up_that_finds_nothing_gives_one_document() {
    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1", "--quiet"]);
    let ran = koab.run(&["cache", "lookup", "WebSearch_naver", "{\"query\": \"nothing like it\"}", "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("one JSON document");
    assert!(found["fault"].is_string() && found["key"].is_string(), "{found}");
}
