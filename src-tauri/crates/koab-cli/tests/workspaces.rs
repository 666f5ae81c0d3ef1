//! Workspaces that earlier versions wrote open in this one: every run, report and fork in them says what the program said
//! that wrote them, and what was left undone can be finished.
//!
//! A folder beside this file with an `expected.json` is such a version (README.md).

mod old_workspaces;
use crate::support::http::{Local, model};
use crate::support::logs::{essence_of_branch, folder, same_logs};
use crate::support::{Koab, ran, read_json};
use old_workspaces::{each, holds};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The tasks of the runs that were killed.
const TASKS: &str = "L1-001,L2-001,L3-001,L5-001";

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[test]
fn every_old_workspace_says_what_it_said() {
    each(|kept| {
        let mut differences = Vec::new();
        for asked in list(&kept.expected["said"]) {
            let (said, name) = if asked["command"].is_string() {
                let command = text(&asked["command"]);
                (kept.window(command, &asked["args"]), format!("{command} {}", asked["args"]))
            } else {
                let words: Vec<String> =
                    list(&asked["words"]).iter().map(|word| kept.word(text(word))).collect();
                let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
                words.extend(["--json", "--quiet"]);
                let ran = kept.koab.run(&words);
                let name = format!("koab {}", words.join(" "));
                if json!(ran.code) != asked["code"] {
                    differences.push(format!("{name}: exit code {}: {}", ran.code, ran.stderr));
                    continue;
                }
                (serde_json::from_str(&ran.stdout).expect("one JSON document"), name)
            };
            let [says, said] = [asked["says"].clone(), said].map(by_reading).map(as_findings);
            holds(&says, &said, &name, &mut differences);
        }
        assert!(differences.is_empty(), "{}:\n{}", kept.version, differences.join("\n"));
    });
}

/// Readings of the composite by their names: which one stands first has changed, what each comes to has not.
fn by_reading(mut said: Value) -> Value {
    if let Some(readings) = said.get_mut("composites").and_then(Value::as_array_mut) {
        readings.sort_by_key(|reading| reading["variant"].as_str().map(str::to_owned));
    }
    said
}

/// Objections in the form that all findings have: their severities had words of their own, and their place was one text.
fn as_findings(mut said: Value) -> Value {
    let objections = said.get_mut("objections").and_then(Value::as_array_mut);
    for objection in objections.into_iter().flatten() {
        let severity = match objection["severity"].as_str() {
            Some("blocks") => "error",
            Some("asked") => "warning",
            other => other.expect("a severity"),
        };
        objection["severity"] = json!(severity);
        let places = ["file", "task", "field"].map(|part| objection[part].as_str());
        let place: Vec<&str> = places.into_iter().flatten().collect();
        if objection["place"].is_null() {
            objection["place"] = json!(place.join(": "));
        }
    }
    said
}

/// Attempts of a run's journal that are whole lines. A line that was cut off may end within a letter.
fn attempts(journal: &[u8]) -> usize {
    let lines = journal.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    lines.filter(|line| line["type"] == "attempt").count()
}

#[test]
fn a_run_that_broke_off_goes_on_where_it_was_and_keeps_what_it_had() {
    each(|kept| {
        let server = model("stop");
        let url = format!("{}/v1", server.address);
        for name in ["killed", "cut", "spent"] {
            let left = &kept.expected["left"][name];
            let (run, at) = (text(&left["run"]), format!("{}: {name}", kept.version));
            let made = kept.run(name);
            let before = fs::read(made.join("journal.jsonl")).expect("the journal");
            assert_eq!(json!(attempts(&before)), left["kept"], "{at}");
            let mut words = vec!["run", "--resume", run];
            if name == "spent" {
                words.extend(["--base-url", &url, "--max-total-tokens", "100000"]);
            }
            let end = kept.koab.json(&words)["run"].clone();
            for count in ["outcome", "planned", "done", "failed"] {
                assert_eq!(end[count], left[count], "{at}: {count}");
            }
            let after = fs::read(made.join("journal.jsonl")).expect("the journal");
            let again = attempts(&after) - attempts(&before);
            assert_eq!(json!(again), left["left"], "{at}: what was made is not made again");
            // The journal only grows; of a line that was cut off the whole lines before it stay.
            let whole = before.iter().rposition(|byte| *byte == b'\n').expect("a line") + 1;
            assert!(after.starts_with(&before[..whole]), "{at}");
            let listed = kept.koab.json(&["runs", "show", run]);
            assert_eq!((&listed["complete"], &listed["resume"]), (&json!(true), &Value::Null), "{at}");
            if name != "spent" {
                let protocol = text(&listed["protocol"]);
                let words = ["run", "--model", "baseline/golden", "--protocol", protocol, "--tasks", TASKS];
                let undisturbed = kept.koab.json(&words)["run"].clone();
                same_logs(&made, &folder(&undisturbed));
            }
        }
    });
}

#[test]
fn the_ends_of_resumed_runs_are_those_of_undisturbed_ones() {
    each(|kept| {
        let words = ["run", "--model", "baseline/golden", "--tasks", TASKS];
        let undisturbed = kept.koab.json(&words)["run"].clone();
        same_logs(&kept.run("resumed"), &folder(&undisturbed));
        // Killed twice: attempts that were half done were made again, and each counts once.
        let repeated =
            ["run", "--model", "baseline/golden", "--tasks", "L2-001,L3-001", "--repetitions", "2"];
        let undisturbed = kept.koab.json(&repeated)["run"].clone();
        same_logs(&kept.run("superseded"), &folder(&undisturbed));
    });
}

/// Files of a report by their names.
fn files(report: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(report).expect("a report").flatten();
    entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("read"))
        })
        .collect()
}

/// The judges that the earlier versions asked: `a` says yes and grades 5, `b` says no and grades 2.
fn judges() -> Local {
    Local::start(|request| {
        if !request.line.starts_with("POST") {
            let models = json!({ "object": "list", "data": [{ "id": "a" }, { "id": "b" }] });
            return (200, models);
        }
        let judge = text(&request.body["model"]);
        let (yes, grade) = if judge == "a" { (true, 5) } else { (false, 2) };
        let said =
            json!({ "reason": format!("{judge} says so"), "success": yes, "score": grade, "confidence": 1 });
        let message = json!({ "role": "assistant", "content": said.to_string() });
        let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
        let usage = json!({ "prompt_tokens": 400, "completion_tokens": 50, "total_tokens": 450 });
        (
            200,
            json!({ "id": "c", "object": "chat.completion", "model": judge, "choices": [choice], "usage": usage }),
        )
    })
}

/// Judges at another address are other judges and are asked anew; that those of then are known is among what
/// `expected.json` says.
///
/// With the date of the first scoring given nothing may differ. The view beside the published files names the workspace's
/// folder; `koab report show` is what it says, and is compared with what was said.
#[test]
fn scoring_anew_gives_every_report_file_again() {
    each(|kept| {
        let judges = judges();
        let url = format!("{}/v1", judges.address);
        let mut scored = 0;
        for report in list(&kept.koab.json(&["report", "list"])) {
            let id = text(&report["id"]);
            let place = kept.koab.path().join("reports").join(id);
            // An imported report has no run here.
            if !place.join("report_view.json").is_file() {
                continue;
            }
            let before = files(&place);
            let published = read_json(&place.join("evaluation_report.json"));
            let mut words = vec![
                "evaluate",
                "--run",
                text(&report["run"]),
                "--scorer",
                text(&report["scorer"]),
                "--evaluation-date",
                text(&published["summary"]["evaluation_date"]),
            ];
            let named: Vec<&str> = list(&report["judges"]).iter().map(text).collect();
            if named.is_empty() {
                words.push("--no-judge");
            } else {
                words.extend(["--judge-base-url", &url, "--judge-models"]);
                words.extend(named);
            }
            let made = kept.koab.json(&words);
            assert_eq!(made[0]["id"], json!(id), "{}", kept.version);
            let mut after = files(&place);
            // Earlier versions did not say where the judges answered.
            let address = format!(",\n    \"judge_base_url\": {}", json!(url));
            for (_, bytes) in after.iter_mut().filter(|(name, _)| *name == "evaluation_report.json") {
                *bytes = String::from_utf8_lossy(bytes).replace(&address, "").into_bytes();
            }
            assert!(before.keys().eq(after.keys()), "{}: {id}: {:?}", kept.version, after.keys());
            for (name, bytes) in before.iter().filter(|(name, _)| *name != "report_view.json") {
                assert!(after[name] == *bytes, "{}: {id}/{name} is another one", kept.version);
            }
            scored += 1;
        }
        assert!(scored >= 8, "{}: {scored} reports were made here", kept.version);
    });
}

#[test]
fn an_old_bundle_is_taken_in_as_the_run_it_was() {
    each(|kept| {
        let here = Koab::new();
        let bundle = kept.word("submission.koab");
        here.ok(&["report", "import", &bundle]);
        let listed = here.json(&["runs", "list"]);
        let run = text(&listed[0]["id"]);
        assert_eq!(run, text(&kept.expected["runs"]["finished"]));
        assert_eq!(listed[0]["complete"], json!(true));
        let taken = here.path().join("logs/benchmark_results/by_model").join(run);
        let finished = kept.run("finished");
        for name in ["L1.json", "L2.json", "L3.json", "L5.json", "L6.json", "L7.json", "journal.jsonl"] {
            let read = |folder: &Path| fs::read(folder.join(name)).expect("read");
            assert!(read(&taken) == read(&finished), "{}: {name}", kept.version);
        }
    });
}

#[test]
fn a_bundle_is_made_anew_of_every_run_with_a_report() {
    each(|kept| {
        let out = tempfile::tempdir().expect("a folder");
        for name in ["finished", "repeated", "mended", "resumed", "superseded", "imported"] {
            let file = out.path().join(format!("{name}.koab"));
            let file = file.to_str().expect("UTF-8");
            let run = text(&kept.expected["runs"][name]);
            kept.koab.ok(&["submit", "bundle", run, "-o", file]);
            let checked = kept.koab.json(&["submit", "verify", file]);
            assert_eq!(checked["ok"], json!(true), "{}: {name}", kept.version);
        }
    });
}

#[test]
fn old_attempts_and_old_forks_can_be_forked() {
    each(|kept| {
        let finished = text(&kept.expected["runs"]["finished"]);
        for task in ["L3-001", "L5-001", "L6-001"] {
            let fork = kept.koab.json(&["runs", "fork", finished, task, "--step", "1"]);
            assert_eq!(
                essence_of_branch(&fork["forked"]),
                essence_of_branch(&fork["original"]),
                "{}: {task}",
                kept.version
            );
        }
        let forks = kept.koab.json(&["runs", "forks", finished]);
        let old = list(&forks).iter().find(|fork| fork["name"] == json!("표시")).expect("the named one");
        let old = format!("fork:{}", text(&old["id"]));
        let fork = kept.koab.json(&["runs", "fork", &old, "L3-001", "--step", "2"]);
        assert_eq!(
            essence_of_branch(&fork["forked"]),
            essence_of_branch(&fork["original"]),
            "{}",
            kept.version
        );
        let first = &fork["forked"]["attempt"]["calls"][0];
        assert_eq!(first["result"], json!({"marked": "여기"}), "{}", kept.version);
    });
}

#[test]
fn what_was_thrown_away_can_be_brought_back() {
    each(|kept| {
        let trash = kept.koab.path().join("trash/forks");
        let entry = fs::read_dir(trash).expect("the trash").flatten().next().expect("a fork");
        let id = entry.file_name().to_string_lossy().into_owned();
        kept.koab.ok(&["runs", "fork-delete", &id, "--undo"]);
        let shown = kept.koab.json(&["runs", "fork-show", &id]);
        assert_eq!(
            essence_of_branch(&shown["forked"]),
            essence_of_branch(&shown["original"]),
            "{}",
            kept.version
        );
        let deleted = &kept.expected["runs"]["deleted"];
        kept.window("trash_restore", &json!({ "kind": "run", "key": deleted }));
        let shown = kept.koab.json(&["runs", "show", text(deleted)]);
        assert_eq!((&shown["complete"], &shown["status"]["done"]), (&json!(true), &json!(1)));
    });
}

/// A workspace that only this version can read would leave nobody a way back, and an old one that is only looked at must not
/// become that.
#[test]
fn looking_at_an_old_workspace_changes_none_of_its_runs() {
    fn tree(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                tree(&path, found);
            } else {
                found.insert(path.to_string_lossy().into_owned(), fs::read(&path).expect("read"));
            }
        }
    }
    each(|kept| {
        let read = || {
            let mut found = BTreeMap::new();
            for part in ["logs", "forks", "reports"] {
                tree(&kept.koab.path().join(part), &mut found);
            }
            found
        };
        let before = read();
        for words in [&["runs", "list"][..], &["report", "list"], &["runs", "forks"]] {
            kept.koab.ok(words);
        }
        for (name, run) in kept.expected["runs"].as_object().expect("runs") {
            if name != "deleted" {
                let shown =
                    ran(kept.koab.command(&["runs", "show", text(run)]).output().expect("koab starts"));
                assert_eq!(shown.code, 0, "{}: {name}: {}", kept.version, shown.stderr);
            }
        }
        let after = read();
        assert!(before.keys().eq(after.keys()), "{}", kept.version);
        let changed: Vec<&String> = before.keys().filter(|path| before[*path] != after[*path]).collect();
        assert!(changed.is_empty(), "{}: {changed:?}", kept.version);
    });
}
