//! Submissions to the leaderboard: rows of the published models, a run that a maintainer would take, and runs that none would.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, ReplayServer, published_runs, read_json, shared};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn import(koab: &Koab, shared: &Path) {
    koab.use_published(shared);
}

fn codes(document: &Value) -> Vec<(String, String)> {
    let word = |objection: &Value, key: &str| objection[key].as_str().unwrap().to_owned();
    let objections = document["objections"].as_array().unwrap().iter();
    objections.map(|one| (word(one, "code"), word(one, "severity"))).collect()
}

/// Files below a folder by their path.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// The eight published models: their rows with the three names that the leaderboard gives them, without anybody saying them.
#[test]
fn the_published_models_have_their_published_rows() {
    let Some(shared) = shared("the_published_models_have_their_published_rows") else {
        return;
    };
    let koab = Koab::new();
    import(&koab, &shared);
    for part in ["parity/logs/benchmark_results", "parity/reports"] {
        koab.ok(&["report", "import", shared.join(part).to_str().unwrap()]);
    }
    let published = fs::read_to_string(shared.join("parity/combined_published_rows.csv")).unwrap();
    let (header, rows) = published.trim_start_matches('\u{feff}').split_once('\n').unwrap();
    let names = read_json(&shared.join("parity/published_names.json"));
    let out = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for (folder, logs, _) in published_runs(&shared) {
        let place = out.path().join(&folder);
        let id = format!("{folder}_20251219");
        let saved = koab.json(&["submit", "prepare", &id, "--folder", place.to_str().unwrap()]);
        let row = fs::read_to_string(place.join("combined_row.csv")).unwrap();
        let (own_header, own_row) = row.split_once('\n').unwrap();
        assert_eq!(own_header, header.trim_end(), "{folder}");
        let of_names = ["Model", "Vendor", "Model Type"].map(|key| names[&folder][key].as_str().unwrap());
        assert!(own_row.starts_with(&of_names.join(",")), "{folder}: {own_row}");
        assert!(rows.lines().any(|line| line.trim_end() == own_row.trim_end()), "{folder}: {own_row}");
        // The files are the published ones to the byte.
        let files = tree(&place);
        let date = logs.file_name().unwrap().to_str().unwrap();
        for level in 1..=7 {
            let path = format!("logs/benchmark_results/by_model/{folder}/{date}/L{level}.json");
            assert!(files[&path] == fs::read(logs.join(format!("L{level}.json"))).unwrap(), "{path}");
        }
        for name in ["evaluation_report.json", "evaluation_summary.csv", "evaluation_report.md"] {
            let theirs = shared.join("parity/reports").join(&id).join(name);
            assert!(files[&format!("reports/{id}/{name}")] == fs::read(theirs).unwrap(), "{folder} {name}");
        }
        // What logs made elsewhere cannot tell is asked, and nothing of them is wrong.
        let found = codes(&saved);
        assert!(found.iter().all(|(_, severity)| severity == "warning"), "{folder}: {saved:#}");
        compared += 1;
    }
    assert_eq!(compared, 8);
}

/// A published model, run by this product against the server that plays it back and scored with the recorded answers of the
/// published judge.
fn ran_as_published(shared: &Path, koab: &Koab) -> (PathBuf, String) {
    import(koab, shared);
    let server = ReplayServer::start(shared, &[]);
    let run = koab.json(&["run", "--model", "azure/gpt-4o", "--base-url", &server.base_url]);
    let folder = PathBuf::from(run["run"]["folder"].as_str().unwrap());
    let replay = shared.join("parity/judge_replay.json");
    let words = ["evaluate", "--run", folder.to_str().unwrap(), "--judge-replay", replay.to_str().unwrap()];
    let reports = koab.json(&words);
    (folder, reports[0]["id"].as_str().unwrap().to_owned())
}

#[test]
fn a_run_as_the_published_ones_is_handed_in_without_an_objection() {
    let Some(shared) = shared("a_run_as_the_published_ones_is_handed_in") else {
        return;
    };
    let koab = Koab::new();
    let (run, report) = ran_as_published(&shared, &koab);
    let out = tempfile::tempdir().unwrap();
    let place = out.path().join("gpt-4o");
    let prepare = |more: &[&str]| {
        let words = ["submit", "prepare", "last", "--folder", place.to_str().unwrap()];
        koab.json(&[&words[..], more].concat())
    };
    assert_eq!(
        codes(&prepare(&[])),
        [("missing_name".to_owned(), "warning".to_owned())],
        "nobody said whom to ask"
    );
    let saved = prepare(&["--contact", "mina@example.org", "--by", "Mina"]);
    assert_eq!(codes(&saved), []);
    let checked = koab.run(&["submit", "validate", place.to_str().unwrap()]);
    assert_eq!((checked.code, checked.stdout.trim()), (0, "no objection"));

    // The layout of the published repository, every byte of log and report the run's own.
    let files = tree(&place);
    let date = run.file_name().unwrap().to_str().unwrap();
    let day = &date[..8];
    let mut wanted: Vec<String> = (1..=7)
        .map(|level| format!("logs/benchmark_results/by_model/azure_gpt-4o/{date}/L{level}.json"))
        .collect();
    wanted.push(format!("logs/benchmark_results/by_model/azure_gpt-4o/{date}/journal.jsonl"));
    for path in &wanted {
        let name = path.rsplit('/').next().unwrap();
        assert!(files[path] == fs::read(run.join(name)).unwrap(), "{path}");
    }
    for name in ["evaluation_report.json", "evaluation_report.md", "evaluation_summary.csv"] {
        let path = format!("reports/azure_gpt-4o_{day}/{name}");
        let own = koab.path().join("reports").join(&report).join(name);
        assert!(files[&path] == fs::read(own).unwrap(), "{path}");
        wanted.push(path);
    }
    wanted.extend(["PULL_REQUEST.md", "README.md", "combined_row.csv", "submission.json"].map(str::to_owned));
    wanted.sort();
    assert_eq!(files.keys().cloned().collect::<Vec<_>>(), wanted);

    let document: Value = serde_json::from_slice(&files["submission.json"]).unwrap();
    assert_eq!(document["submission_type"], "standard");
    assert_eq!(document["judged_by"]["judges"][0], "azure/gpt-4.1-mini");
    assert_eq!(document["calls"]["hit_rate"], 1.0);
    let verification = &document["methodology"]["verification"];
    assert_eq!(
        (&verification["modified_prompts"], &verification["omitted_questions"]),
        (&Value::Bool(false), &Value::Bool(false))
    );
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    assert!(text("PULL_REQUEST.md").contains("Nothing: `koab submit validate` has no objection."));
    assert!(
        text("README.md").contains("리더보드") || text("README.md").contains("성공률"),
        "a summary in Korean"
    );

    bundled(&koab, out.path());
    mutated(&koab, &place, date);
    narrower(&koab, &run);
}

/// The same as one file: nothing is objected to, and its numbers are computed again wherever it is taken.
fn bundled(koab: &Koab, out: &Path) {
    let file = out.join("gpt-4o.koab");
    let file = file.to_str().unwrap();
    let saved = koab.json(&["submit", "prepare", "last", "-o", file]);
    assert_eq!(codes(&saved), []);
    let elsewhere = Koab::new();
    let checked = elsewhere.run(&["submit", "validate", file]);
    assert_eq!((checked.code, checked.stdout.trim()), (0, "no objection"));
    let found = elsewhere.json(&["submit", "verify", file]);
    assert_eq!(found["ok"], true);
    assert_eq!((&found["counts"]["tasks"], &found["counts"]["reports"]), (&Value::from(91), &Value::from(1)));
    let broken = out.join("broken.koab");
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&broken, bytes).unwrap();
    let refused = elsewhere.run(&["submit", "validate", broken.to_str().unwrap()]);
    assert_eq!(refused.code, 1);
    assert!(refused.stdout.contains("[blocks] unverified: "), "{}", refused.stdout);
}

/// One byte of what was handed in is found, with its place.
fn mutated(koab: &Koab, place: &Path, date: &str) {
    let log = place.join(format!("logs/benchmark_results/by_model/azure_gpt-4o/{date}/L1.json"));
    let whole = fs::read(&log).unwrap();
    let mut edited: Value = serde_json::from_slice(&whole).unwrap();
    edited["results"][2]["final_response"] = "더 나은 답".into();
    fs::write(&log, serde_json::to_string_pretty(&edited).unwrap()).unwrap();
    let refused = koab.run(&["submit", "validate", place.to_str().unwrap(), "--json"]);
    assert_eq!(refused.code, 1);
    let found: Value = serde_json::from_str(&refused.stdout).unwrap();
    let named: Vec<&str> =
        found["objections"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert!(named.contains(&"edited_log") && named.contains(&"changed_file"), "{named:?}");
    let mut objections = found["objections"].as_array().unwrap().iter();
    let is_named = |one: &Value| {
        one["field"] == "L1-003" && one["file"].as_str().is_some_and(|file| file.ends_with("/L1.json"))
    };
    assert!(objections.any(is_named), "{found}");
    let korean = koab.run(&["submit", "validate", place.to_str().unwrap(), "--lang", "ko"]).stdout;
    assert!(korean.contains("[제출 불가] edited_log") && korean.contains("진행 기록과 다릅니다"), "{korean}");
    fs::write(&log, whole).unwrap();
    assert_eq!(koab.run(&["submit", "validate", place.to_str().unwrap()]).code, 0, "mended");
}

/// What the same run is when it is scored otherwise.
fn narrower(koab: &Koab, run: &Path) {
    let run = run.to_str().unwrap();
    let of = |words: &[&str]| -> Vec<(String, String)> {
        let made = koab.json(&[&["evaluate", "--run", run][..], words].concat());
        let id = made[0]["id"].as_str().unwrap().to_owned();
        codes(&koab.json(&["submit", "prepare", &id, "--contact", "x"]))
    };
    let has = |found: &[(String, String)], code: &str| {
        found.iter().any(|(one, severity)| one == code && severity == "error")
    };
    assert!(has(&of(&["--no-judge"]), "no_judge"));
    let sampled = of(&["--no-judge", "--sample", "2"]);
    assert!(has(&sampled, "sampled"), "{sampled:?}");
    let corrected = of(&["--no-judge", "--scorer", "corrected"]);
    assert!(has(&corrected, "other_scorer"), "{corrected:?}");
    let levels = of(&["--no-judge", "--levels", "L1,L2"]);
    assert!(has(&levels, "missing_levels"), "{levels:?}");
}

/// Built-in baselines on the starter pack: everything that speaks against them is said, and a folder of others is left alone.
#[test]
fn a_baseline_is_refused_and_other_folders_are_left_alone() {
    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--evaluate"]);
    let found = koab.json(&["submit", "prepare", "last"]);
    let named: Vec<String> = codes(&found).into_iter().map(|(code, _)| code).collect();
    for code in ["not_a_model", "other_tasks", "other_tools", "other_prompts", "no_judge", "fewer_tasks"] {
        assert!(named.contains(&code.to_owned()), "{code}: {named:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let refused = koab.run(&["submit", "prepare", "last", "--folder", folder.path().to_str().unwrap()]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("holds other files; choose an empty folder or a new one"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_to_string(folder.path().join("mine.txt")).unwrap(), "mine");
    let unknown = koab.run(&["submit", "prepare", "nobody/20200101_000000"]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.stderr.contains("there is neither a run nor a report `nobody/20200101_000000`"),
        "{}",
        unknown.stderr
    );
}

/// Open weights: results for the repository of the model, in the form of the hub.
#[test]
fn open_weights_have_results_for_their_repository() {
    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--evaluate"]);
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("mine");
    let prepare = |more: &[&str]| {
        let words = ["submit", "prepare", "last", "--folder", place.to_str().unwrap()];
        koab.ok(&[&words[..], more].concat());
    };
    prepare(&["--type", "oss", "--repo", "lab/mine", "--licence", "Apache-2.0", "--texts", "ko"]);
    // Without a judge there is no success rate, and no number is made up.
    assert!(!place.join(".eval_results").exists());
    let readme = fs::read_to_string(place.join("README.md")).unwrap();
    assert!(readme.contains("## 실행 조건") && readme.contains("lab/mine"), "{readme}");
    prepare(&["--type", "api"]);
    let readme = fs::read_to_string(place.join("README.md")).unwrap();
    assert!(readme.contains("## How it was made"), "the names were kept, the language is asked each time");
    assert!(readme.contains("lab/mine"));
}
