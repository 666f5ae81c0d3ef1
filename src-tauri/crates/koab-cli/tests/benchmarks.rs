//! Other benchmarks from outside: their packs, replies made elsewhere, and what cannot be done with them.
#![allow(clippy::unwrap_used, reason = "these are tests")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use support::benchmark_packs;
use support::{Koab, shared};

fn reply(id: &str, arguments: &[&str]) -> String {
    let calls = arguments
        .iter()
        .map(|arguments| json!({"name": "math_square", "arguments": arguments}));
    let output = json!({"content": null, "tool_calls": calls.collect::<Vec<_>>()});
    json!({"id": id, "output": output}).to_string()
}

/// A workspace with a benchmark of two items.
fn installed() -> (Koab, tempfile::TempDir) {
    benchmark_packs::installed(checkout)
}

fn checkout(below: &Path) -> PathBuf {
    benchmark_packs::bfcl(below, &[("multiple", 1), ("irrelevance", 1)])
}

fn file(folder: &tempfile::TempDir, lines: &[String]) -> String {
    let path = folder.path().join("answers.jsonl");
    fs::write(&path, lines.join("\n")).unwrap();
    path.display().to_string()
}

#[test]
fn a_checkout_is_imported_as_it_is_and_counts_its_items() {
    let (koab, folder) = installed();
    let shown = koab.json(&["pack", "show", "bfcl"]);
    let summary = &shown["summary"];
    assert_eq!(
        (&summary["kind"], &summary["licence"]),
        (&json!("bfcl"), &json!("Apache-2.0"))
    );
    let groups = json!([
        {"group": ["non_live", "multiple"], "items": 1},
        {"group": ["non_live", "irrelevance"], "items": 1},
    ]);
    assert_eq!(summary["groups"], groups);
    assert_eq!(summary["active"], false, "runs use it only when it is named");
    let rows = json!([{"level": "irrelevance", "tasks": 1}, {"level": "multiple", "tasks": 1}]);
    assert_eq!(summary["levels"], rows);
    let listed = koab.ok(&["pack", "list"]).stdout;
    let row = listed.lines().find(|line| line.contains("bfcl@")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>()[1..5],
        ["bfcl", "2", "—", "—"]
    );

    // What is handed on is the same pack, licence and all.
    let archive = folder.path().join("bfcl.zip").display().to_string();
    koab.ok(&["pack", "export", "bfcl", "-o", &archive]);
    let other = Koab::new();
    other.ok(&["pack", "import", &archive]);
    let again = other.json(&["pack", "show", "bfcl"]);
    for field in ["version", "kind", "groups"] {
        assert_eq!(again["summary"][field], summary[field]);
    }
    assert_eq!(other.json(&["pack", "verify", "bfcl"]), json!([]));
}

#[test]
fn replies_made_elsewhere_are_scored_in_the_order_of_their_lines() {
    let (koab, folder) = installed();
    let right = reply("multiple_0", &[r#"{"n": 3}"#]);
    let words = |answers| ["evaluate", "--answers", answers, "--pack", "bfcl"];
    let once = file(
        &folder,
        &[reply("irrelevance_0", &["{"]), String::new(), right.clone()],
    );
    let scored = koab.json(&words(&once));
    let rows: Vec<_> = scored["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["line"].as_u64().unwrap(),
                row["metric"].as_str().unwrap(),
                row["value"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(rows, [(1, "NoCallAcc", 1), (3, "ASTAcc", 1)]);
    assert_eq!(scored["rows"][1]["error_type"], Value::Null);
    assert_eq!(
        scored["tables"]["data_non_live"]["printed"]["Multiple AST"],
        "100.00%"
    );
    assert_eq!(scored["tables"]["data_non_live"]["printed"]["AST Summary"], "N/A");
    let text = koab.ok(&words(&once)).stdout;
    assert!(
        text.contains("2 of 2 items are answered") && text.contains("Irrelevance Detection"),
        "{text}"
    );
    assert!(!text.contains("Overall Acc  100"), "{text}");

    let both = koab.json(&[&words(&once)[..], &["--scorer", "both"]].concat());
    assert_eq!(both[0]["rows"][0]["value"], 1);
    assert_eq!(
        (&both[1]["rules"], &both[1]["rows"][0]["value"]),
        (&json!("corrected"), &json!(0))
    );

    let twice = file(&folder, &[right.clone(), right]);
    let scored = koab.json(&words(&twice));
    assert_eq!(scored["tables"], Value::Null);
    assert_eq!(scored["rows"].as_array().unwrap().len(), 2);
    let asked = koab.json(&["judge", "plan", "--answers", &twice, "--pack", "bfcl"]);
    assert_eq!(asked, json!([]), "no judge is asked");
    let requests = koab.json(&["run", "--dry-run", "--requests", "--pack", "bfcl"]);
    assert_eq!(requests[0]["id"], "multiple_0");
    assert_eq!(requests[0]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn what_is_wrong_with_a_file_of_replies_is_one_sentence_with_the_line() {
    let (koab, folder) = installed();
    let right = reply("multiple_0", &[]);
    for (line, told) in [
        (
            "{".to_owned(),
            "answers.jsonl, line 2: is not JSON (EOF while parsing an object)",
        ),
        (
            json!({"id": "multiple_0"}).to_string(),
            "answers.jsonl, line 2: missing field `output`",
        ),
        (reply("singlecall:1", &[]), "answers.jsonl, line 2: pack bfcl@"),
    ] {
        let answers = file(&folder, &[right.clone(), line]);
        let ran = koab.run(&["evaluate", "--answers", &answers, "--pack", "bfcl"]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert!(
            ran.stdout.is_empty() && ran.stderr.trim_end().lines().count() == 1,
            "{}",
            ran.stderr
        );
    }
    let twice = file(&folder, &[right.clone(), right.clone()]);
    let words = [
        "evaluate",
        "--answers",
        &twice,
        "--pack",
        "bfcl",
        "--judge-replies",
        &twice,
    ];
    let ran = koab.run(&words);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("line 2: multiple_0 is answered in line 1 already"),
        "{}",
        ran.stderr
    );
    let answers = file(&folder, &[right]);
    for (words, told) in [
        (&["--pack", "starter"][..], "holds tasks of Ko-AgentBench"),
        (&["--pack", "gsm8k"], "there is no pack `gsm8k`"),
        (
            &["--pack", "bfcl", "--judge-replies", &answers],
            "line 1: missing field `replies`",
        ),
    ] {
        let ran = koab.run(&[&["evaluate", "--answers", &answers], words].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
}

#[test]
fn what_has_nothing_to_do_with_it_is_refused_in_one_sentence() {
    let (koab, _folder) = installed();
    for words in [
        &["pack", "use", "bfcl"][..],
        &["pack", "lint", "bfcl"],
        &["pack", "draft", "mine", "--from", "bfcl"],
        &["cache", "snapshot", "create", "s", "--pack", "bfcl"],
    ] {
        let ran = koab.run(words);
        assert_eq!(ran.code, 1, "{words:?} {}", ran.stderr);
        let told = "pack bfcl holds 2 items of the benchmark bfcl and no tasks, tools or cached responses";
        assert!(ran.stderr.contains(told), "{words:?} {}", ran.stderr);
        assert!(
            ran.stderr.contains("; `koab run --pack bfcl` runs it"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_benchmark_that_is_broken_or_unknown_leaves_the_workspace_as_it_was() {
    let (koab, folder) = (Koab::new(), tempfile::tempdir().unwrap());
    let root = checkout(folder.path());
    let data = root.join("berkeley-function-call-leaderboard/bfcl_eval/data");
    fs::remove_file(data.join("possible_answer/BFCL_v4_multiple.json")).unwrap();
    let root = root.display().to_string();
    let ran = koab.run(&["pack", "import", &root]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("nothing was imported"), "{}", ran.stderr);

    let unknown = folder.path().join("other/tasks");
    fs::create_dir_all(&unknown).unwrap();
    fs::write(
        unknown.join("pack.json"),
        r#"{"format": 1, "name": "x", "kind": "gsm8k"}"#,
    )
    .unwrap();
    let ran = koab.run(&[
        "pack",
        "import",
        &folder.path().join("other").display().to_string(),
    ]);
    assert!(
        ran.stderr
            .contains("the benchmark `gsm8k`, which this version does not know"),
        "{}",
        ran.stderr
    );
    let names = koab.json(&["pack", "list"]);
    assert!(
        names
            .as_array()
            .unwrap()
            .iter()
            .all(|pack| pack["name"] == "starter"),
        "{names}"
    );
}

#[test]
fn tables_are_there_only_where_judges_said_something_to_every_question() {
    let (koab, folder) = benchmark_packs::installed(|below| benchmark_packs::judged_functionchat(below, 2));
    let said = |id: &str| json!({"id": id, "output": {"content": "네", "tool_calls": null}}).to_string();
    let answers = file(&folder, &[said("calldecision:1"), said("calldecision:2")]);
    let replies = folder.path().join("replies.jsonl");
    let score = |ids: &[&str]| {
        let line = |id: &&str| json!({"id": id, "replies": ["pass"]}).to_string();
        let lines: Vec<_> = ids.iter().map(line).collect();
        fs::write(&replies, lines.join("\n")).unwrap();
        let replies = replies.display().to_string();
        koab.json(&[
            "evaluate",
            "--answers",
            &answers,
            "--pack",
            "functionchat",
            "--judge-replies",
            &replies,
        ])
    };
    let part = score(&["calldecision:1"]);
    assert_eq!(part["tables"], Value::Null, "{part}");
    let why = part["no_tables"].to_string();
    assert!(why.contains("judges' replies are missing for 1 items"), "{part}");
    let whole = score(&["calldecision:1", "calldecision:2"]);
    assert_eq!(
        whole["tables"]["CallDecision"]["cells"]["REJECT pass rate"], 1.0,
        "{whole}"
    );
}

#[test]
fn a_part_of_a_category_has_no_figure_and_says_why() {
    let (koab, folder) = installed();
    let answers = file(&folder, &[reply("irrelevance_0", &[])]);
    let words = ["evaluate", "--answers", &answers, "--pack", "bfcl"];
    let scored = koab.json(&words);
    let table = &scored["tables"]["data_non_live"];
    assert_eq!(table["printed"]["Multiple AST"], "N/A");
    assert_eq!(table["printed"]["Non-Live Overall Acc"], "0.00%");
    let remark = table["remarks"]["Non-Live Overall Acc"].to_string();
    assert!(
        remark.contains("parallel_multiple as 0: nothing of it was answered"),
        "{remark}"
    );
    let text = koab.ok(&words).stdout;
    assert!(text.contains("as 0: nothing of it was answered"), "{text}");
}

#[test]
fn a_benchmark_takes_the_place_of_no_pack_of_tasks_and_is_what_it_says() {
    let (koab, folder) = (Koab::new(), tempfile::tempdir().unwrap());
    koab.ok(&["pack", "list"]);
    let data = folder.path().join("pack/tasks");
    fs::create_dir_all(&data).unwrap();
    let line =
        json!({"id": "irrelevance_0", "question": [[{"role": "user", "content": "?"}]], "function": []});
    fs::write(data.join("BFCL_v4_irrelevance.json"), line.to_string()).unwrap();
    let pack = folder.path().join("pack").display().to_string();
    let import = |name: &str, kind: &str| {
        let manifest = json!({"format": 1, "name": name, "kind": kind});
        fs::write(data.join("pack.json"), manifest.to_string()).unwrap();
        koab.run(&["pack", "import", &pack])
    };
    let before = koab.json(&["pack", "show", "starter"]);
    let ran = import("starter", "bfcl");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let told = "the installed pack starter holds Ko-AgentBench, and this one of the same name holds bfcl";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    assert_eq!(koab.json(&["pack", "show", "starter"]), before);
    let ran = import("mine", "functionchat");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let told = "of the benchmark `functionchat`, and its files are those of `bfcl`";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    koab.ok(&["pack", "list"]);
    assert_eq!(import("mine", "bfcl").code, 0);
}

#[test]
fn bfcl_from_outside_is_the_originals() {
    let Some(shared) = shared("bfcl_from_outside_is_the_originals") else {
        return;
    };
    let folder = shared.join("packs/bfcl");
    let koab = Koab::new();
    koab.ok(&["pack", "import", &folder.display().to_string()]);
    let parity = folder.join("parity.jsonl");
    let scored = koab.json(&[
        "evaluate",
        "--answers",
        &parity.display().to_string(),
        "--pack",
        "bfcl",
    ]);
    let text = fs::read_to_string(&parity).unwrap();
    let expected: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let rows = scored["rows"].as_array().unwrap();
    assert_eq!((rows.len(), expected.len()), (12_744, 12_744));
    for (row, expected) in rows.iter().zip(&expected) {
        assert_eq!(row["id"], expected["id"]);
        assert_eq!(row["value"] == 1, expected["valid"] == true, "{row} {expected}");
        assert_eq!(row["error_type"], expected["error_type"], "{row} {expected}");
        let calls = expected
            .get("sub_error_types")
            .cloned()
            .unwrap_or_else(|| json!([]));
        assert_eq!(row["sub_error_types"], calls, "{row}");
    }
    let requests = koab.json(&["run", "--dry-run", "--requests", "--pack", "bfcl"]);
    let requests = requests.as_array().unwrap();
    assert_eq!(requests.len(), 3_641);
    let text = fs::read_to_string(folder.join("requests.jsonl")).unwrap();
    for line in text.lines() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let found = requests
            .iter()
            .find(|request| request["id"] == expected["id"])
            .unwrap();
        assert_eq!(found["sha256"], expected["sha256"], "{found}");
    }
}
