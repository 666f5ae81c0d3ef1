//! Other benchmarks from outside: their packs, replies made elsewhere, and what cannot be done with them.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::benchmark_packs;
use crate::support::{Koab, shared};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn reply(id: &str, arguments: &[&str]) -> String {
    let calls = arguments.iter().map(|arguments| json!({"name": "math_square", "arguments": arguments}));
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
    assert_eq!((&summary["kind"], &summary["licence"]), (&json!("bfcl"), &json!("Apache-2.0")));
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
    assert_eq!(row.split_whitespace().collect::<Vec<_>>()[1..5], ["bfcl", "2", "—", "—"]);

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
    let once = file(&folder, &[reply("irrelevance_0", &["{"]), String::new(), right.clone()]);
    let scored = koab.json(&words(&once));
    let rows: Vec<_> = scored["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (row["line"].as_u64().unwrap(), row["metric"].as_str().unwrap(), row["value"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(rows, [(1, "NoCallAcc", 1), (3, "ASTAcc", 1)]);
    assert_eq!(scored["rows"][1]["error_type"], Value::Null);
    assert_eq!(scored["tables"]["data_non_live"]["printed"]["Multiple AST"], "100.00%");
    assert_eq!(scored["tables"]["data_non_live"]["printed"]["AST Summary"], "N/A");
    let text = koab.ok(&words(&once)).stdout;
    assert!(text.contains("2 of 2 items are answered") && text.contains("Irrelevance Detection"), "{text}");
    assert!(!text.contains("Overall Acc  100"), "{text}");

    let both = koab.json(&[&words(&once)[..], &["--scorer", "both"]].concat());
    assert_eq!(both[0]["rows"][0]["value"], 1);
    assert_eq!((&both[1]["rules"], &both[1]["rows"][0]["value"]), (&json!("corrected"), &json!(0)));

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
        ("{".to_owned(), "answers.jsonl, line 2: is not JSON (EOF while parsing an object)"),
        (json!({"id": "multiple_0"}).to_string(), "answers.jsonl, line 2: missing field `output`"),
        (reply("singlecall:1", &[]), "answers.jsonl, line 2: pack bfcl@"),
    ] {
        let answers = file(&folder, &[right.clone(), line]);
        let ran = koab.run(&["evaluate", "--answers", &answers, "--pack", "bfcl"]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert!(ran.stdout.is_empty() && ran.stderr.trim_end().lines().count() == 1, "{}", ran.stderr);
    }
    let twice = file(&folder, &[right.clone(), right.clone()]);
    let words = ["evaluate", "--answers", &twice, "--pack", "bfcl", "--judge-replies", &twice];
    let ran = koab.run(&words);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("line 2: multiple_0 is answered in line 1 already"), "{}", ran.stderr);
    let answers = file(&folder, &[right]);
    for (words, told) in [
        (&["--pack", "starter"][..], "holds tasks of Ko-AgentBench"),
        (&["--pack", "gsm8k"], "there is no pack `gsm8k`"),
        (&["--pack", "bfcl", "--judge-replies", &answers], "line 1: missing field `replies`"),
    ] {
        let ran = koab.run(&[&["evaluate", "--answers", &answers], words].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
}

/// What a workspace keeps of runs and reports.
fn kept(koab: &Koab) -> (Value, Value) {
    (koab.json(&["runs", "list"]), koab.json(&["report", "list"]))
}

/// A workspace with two benchmarks, and a reply to an item of each.
fn two_benchmarks() -> (Koab, tempfile::TempDir, [String; 2]) {
    let (koab, folder) = installed();
    let second = benchmark_packs::judged_functionchat(folder.path(), 1);
    koab.ok(&["pack", "import", &second.display().to_string()]);
    let said = json!({"id": "calldecision:1", "output": {"content": "네", "tool_calls": null}});
    (koab, folder, [reply("multiple_0", &[r#"{"n": 3}"#]), said.to_string()])
}

#[test]
fn replies_to_two_benchmarks_in_one_file_are_one_sentence_and_nothing_is_kept_of_either() {
    let (koab, folder, [first, second]) = two_benchmarks();
    let before = kept(&koab);
    let answers = file(&folder, &[first, second]);
    for (pack, told) in [
        ("bfcl", ["answers.jsonl, line 2: pack bfcl@", "has no item calldecision:1"]),
        ("functionchat", ["answers.jsonl, line 1: pack functionchat@", "has no item multiple_0"]),
    ] {
        for more in [&[][..], &["--save", "lab/a"], &["--scorer", "both"]] {
            let words = ["evaluate", "--answers", &answers, "--pack", pack];
            let ran = koab.run(&[&words[..], more].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{more:?} {}", ran.stderr);
            assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{}", ran.stderr);
            assert!(told.iter().all(|part| ran.stderr.contains(part)), "{}", ran.stderr);
        }
        let ran = koab.run(&["judge", "plan", "--answers", &answers, "--pack", pack]);
        assert!(ran.code == 1 && ran.stderr.contains(told[1]), "{}", ran.stderr);
    }
    assert_eq!(kept(&koab), before);
}

#[test]
fn reports_of_two_benchmarks_are_not_put_side_by_side_and_the_sentence_says_what_compares_them() {
    let (koab, folder, [first, second]) = two_benchmarks();
    let saved = |reply: String, pack: &str| {
        let answers = file(&folder, &[reply]);
        let words = ["evaluate", "--answers", &answers, "--pack", pack, "--save", "lab/a"];
        koab.json(&words)[0]["id"].as_str().unwrap().to_owned()
    };
    let ids = [saved(first, "bfcl"), saved(second, "functionchat")];
    koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1", "--evaluate"]);
    let reports = koab.json(&["report", "list"]);
    let native = reports.as_array().unwrap().iter();
    let native = native.filter_map(|one| one["id"].as_str()).find(|id| !ids.iter().any(|other| other == id));
    let before = kept(&koab);
    for pair in
        [[&ids[0][..], &ids[1]], [&ids[1], &ids[0]], [native.unwrap(), &ids[0]], [&ids[1], native.unwrap()]]
    {
        for more in [&[][..], &["--json"], &["--metrics", "SR"]] {
            let ran = koab.run(&[&["report", "compare"], &pair[..], more].concat());
            assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
            let told = format!("{} and {} have no group of tasks in common", pair[0], pair[1]);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(said.contains(&told) && said.contains("`koab report compare --across`"), "{said}");
            let lines = said.trim_end().lines().count();
            assert!(lines == 1 || more == ["--json"], "{said}");
        }
    }
    assert_eq!(kept(&koab), before);
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
        let told =
            "pack bfcl holds 2 items of the benchmark bfcl, but not the tasks, tools or cached responses";
        assert!(ran.stderr.contains(told), "{words:?} {}", ran.stderr);
        assert!(ran.stderr.contains("; `koab run --pack bfcl` runs it"), "{}", ran.stderr);
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
    fs::write(unknown.join("pack.json"), r#"{"format": 1, "name": "x", "kind": "gsm8k"}"#).unwrap();
    let ran = koab.run(&["pack", "import", &folder.path().join("other").display().to_string()]);
    assert!(ran.stderr.contains("the benchmark `gsm8k`, which this version does not know"), "{}", ran.stderr);
    let names = koab.json(&["pack", "list"]);
    assert!(names.as_array().unwrap().iter().all(|pack| pack["name"] == "starter"), "{names}");
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
        koab.json(&["evaluate", "--answers", &answers, "--pack", "functionchat", "--judge-replies", &replies])
    };
    let part = score(&["calldecision:1"]);
    assert_eq!(part["tables"], Value::Null, "{part}");
    let why = part["no_tables"].to_string();
    assert!(why.contains("judges' replies are missing for 1 items"), "{part}");
    let whole = score(&["calldecision:1", "calldecision:2"]);
    assert_eq!(whole["tables"]["CallDecision"]["cells"]["REJECT pass rate"], 1.0, "{whole}");
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
    assert!(remark.contains("parallel_multiple as 0, because none of the items was answered"), "{remark}");
    let text = koab.ok(&words).stdout;
    assert!(text.contains("as 0, because none of the items was answered"), "{text}");
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
    let told = "the installed pack starter holds Ko-AgentBench, and this pack of the same name holds bfcl";
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
    let scored = koab.json(&["evaluate", "--answers", &parity.display().to_string(), "--pack", "bfcl"]);
    let text = fs::read_to_string(&parity).unwrap();
    let expected: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows = scored["rows"].as_array().unwrap();
    assert_eq!((rows.len(), expected.len()), (12_744, 12_744));
    for (row, expected) in rows.iter().zip(&expected) {
        assert_eq!(row["id"], expected["id"]);
        assert_eq!(row["value"] == 1, expected["valid"] == true, "{row} {expected}");
        assert_eq!(row["error_type"], expected["error_type"], "{row} {expected}");
        let calls = expected.get("sub_error_types").cloned().unwrap_or_else(|| json!([]));
        assert_eq!(row["sub_error_types"], calls, "{row}");
    }
    let requests = koab.json(&["run", "--dry-run", "--requests", "--pack", "bfcl"]);
    let requests = requests.as_array().unwrap();
    assert_eq!(requests.len(), 3_641);
    let text = fs::read_to_string(folder.join("requests.jsonl")).unwrap();
    for line in text.lines() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let found = requests.iter().find(|request| request["id"] == expected["id"]).unwrap();
        assert_eq!(found["sha256"], expected["sha256"], "{found}");
    }
}

/// Runs with replies that a file has, lines of `id` and `output`.
fn with_answers(
    koab: &Koab,
    folder: &tempfile::TempDir,
    words: &[&str],
    lines: &[String],
    more: &[&str],
) -> Value {
    let answers = file(folder, lines);
    let own = ["--answers", &answers, "--pack", "functionchat"];
    koab.json(&[words, &own[..], more].concat())
}

#[test]
fn functionchat_from_outside_is_the_originals() {
    let Some(shared) = shared("functionchat_from_outside_is_the_originals") else {
        return;
    };
    let (root, folder) = (shared.join("packs/functionchat"), tempfile::tempdir().unwrap());
    let koab = Koab::new();
    koab.ok(&["pack", "import", &root.display().to_string()]);
    let fixtures = |name: &str, count: usize| {
        let text = fs::read_to_string(root.join(name)).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), count, "{name}");
        lines
    };
    // What a single call replies hangs on no set of tools.
    let id = |fixture: &Value| {
        let set = fixture["set"].as_str().unwrap().to_lowercase();
        let tools = fixture["tools_type"].as_str().unwrap_or("exact");
        let more = if set == "singlecall" { format!(":{tools}") } else { String::new() };
        format!("{set}:{}{more}", fixture["serial_num"])
    };
    let said = |fixture: &Value| {
        let output = &fixture["output"];
        let calls = output["tool_calls"].as_array();
        let calls = calls.map(|calls| calls.iter().map(|call| call["function"].clone()).collect::<Vec<_>>());
        let output = json!({"content": output["content"], "tool_calls": calls});
        json!({"id": id(fixture), "output": output}).to_string()
    };

    let requests = koab.json(&["run", "--dry-run", "--requests", "--pack", "functionchat"]);
    let hashes: HashMap<String, &Value> = requests
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["id"].as_str().unwrap().to_owned(), &one["sha256"]))
        .collect();
    assert_eq!(hashes.len(), 1_306);
    for fixture in fixtures("requests.jsonl", 869) {
        assert_eq!(hashes[&id(&fixture)], &fixture["sha256"], "{fixture}");
    }

    let exact = fixtures("exact_match.jsonl", 2_150);
    let lines: Vec<_> = exact.iter().map(said).collect();
    let scored = with_answers(&koab, &folder, &["evaluate"], &lines, &[]);
    let rows = scored["rows"].as_array().unwrap();
    assert_eq!(rows.len(), exact.len());
    for (row, fixture) in rows.iter().zip(&exact) {
        let expected = u64::from(fixture["exact"] == "pass");
        assert_eq!(
            (&row["value"], &row["mismatch"]),
            (&json!(expected), &fixture["mismatch"]),
            "{row} {fixture}"
        );
    }

    let questions = fixtures("judge_questions.jsonl", 589);
    let lines: Vec<_> = questions.iter().map(said).collect();
    let asked = with_answers(&koab, &folder, &["judge", "plan"], &lines, &[]);
    let asked: Vec<_> = asked.as_array().unwrap().iter().map(|one| &one["sha256"]).collect();
    let expected: Vec<_> = questions.iter().map(|fixture| &fixture["sha256"]).collect();
    assert_eq!(asked, expected);

    // Each reply of a judge about one item that is answered in words, which no call is.
    let replies = fixtures("judge_replies.jsonl", 302);
    let about: Vec<&String> = hashes.keys().filter(|id| id.starts_with("singlecall:")).take(302).collect();
    let line = |id: &&String| json!({"id": id, "output": {"content": "네", "tool_calls": null}}).to_string();
    let lines: Vec<_> = about.iter().map(line).collect();
    let judged = about.iter().zip(&replies);
    let judged = judged.map(|(id, fixture)| json!({"id": id, "replies": [fixture["reply"]]}).to_string());
    let path = folder.path().join("replies.jsonl");
    fs::write(&path, judged.collect::<Vec<_>>().join("\n")).unwrap();
    let more = ["--judge-replies", &path.display().to_string()];
    let scored = with_answers(&koab, &folder, &["evaluate"], &lines, &more);
    let rows = scored["rows"].as_array().unwrap().iter();
    let rows: Vec<_> = rows.filter(|row| row["metric"] == "TurnPass").collect();
    assert_eq!(rows.len(), replies.len());
    for (row, fixture) in rows.into_iter().zip(&replies) {
        let label = match row["value"].as_u64() {
            Some(1) => "pass",
            Some(_) => "fail",
            None => "other",
        };
        assert_eq!((&fixture["label"], &row["label"]), (&json!(label), &fixture["raw_label"]), "{row}");
    }
}
