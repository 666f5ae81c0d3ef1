//! `koab scenario clone` as users call it, and what is shipped to be cloned.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::http::Local;
use crate::support::{Koab, Ran, docker, ran};
use std::fs;
use std::path::{Path, PathBuf};

fn clone(koab: &Koab, words: &[&str]) -> Ran {
    let mut command = koab.command(&[&["scenario", "clone"], words].concat());
    ran(command.current_dir(koab.path()).output().unwrap())
}

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks/scenarios")
}

/// An index in the workspace's folder with the benchmark `B`, whose manifest is this text.
fn index(koab: &Koab, manifest: &str) -> String {
    let folder = koab.path().join("index");
    fs::create_dir_all(folder.join("B")).unwrap();
    fs::write(folder.join("MANIFEST.json"), r#"{"scenarios": {"B": "B/"}}"#).unwrap();
    fs::write(folder.join("B/MANIFEST.json"), manifest).unwrap();
    fs::write(folder.join("B/README.md"), "read me").unwrap();
    fs::write(folder.join("secret.txt"), "not yours").unwrap();
    folder.display().to_string()
}

/// Names in the folder that a clone could have left behind.
fn left(koab: &Koab) -> Vec<String> {
    let entries = fs::read_dir(koab.path()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name == "B" || name.starts_with(".cloning") || name.contains("outside")).collect()
}

#[test]
fn every_shipped_benchmark_is_cloned_from_the_program_and_from_its_folder_with_its_hashes() {
    let koab = Koab::new();
    let listed = clone(&koab, &["--list"]);
    assert_eq!(
        listed.stdout,
        "HumanEval\nGAIA\nMATH\nOfficeFiles\nSums\nInventory\nAskModel\nBFCLMultiTurn\n"
    );
    let folder = shipped().display().to_string();
    for name in listed.stdout.lines() {
        for (from, words) in [("program", vec![]), ("folder", vec!["--index", &*folder])] {
            let target = format!("{from}-{name}");
            let cloned = clone(&koab, &[&[name, "--to", &target][..], &words].concat());
            assert_eq!(cloned.code, 0, "{name}: {}", cloned.stderr);
            assert!(!cloned.stderr.contains("warning"), "{name}: {}", cloned.stderr);
            let plan = koab
                .command(&["scenario", "run", &format!("{target}/Tasks"), "--dry-run", "--json"])
                .current_dir(koab.path())
                .output()
                .unwrap();
            let plan: serde_json::Value = serde_json::from_slice(&plan.stdout).unwrap();
            assert_eq!(plan["warnings"], serde_json::json!([]), "{name}");
            assert!(plan["to_run"].as_u64().unwrap() > 1);
        }
    }
    let ask = |folder: &str| fs::read(shipped().join(folder).join("ask.py")).unwrap();
    assert_eq!(ask("HumanEval/Templates/Retry"), ask("AskModel/Templates/Ask"), "two copies of one file");
    let again = clone(&koab, &["HumanEval", "--to", "program-HumanEval"]);
    assert!(again.code == 1 && again.stderr.contains("is there already"), "{}", again.stderr);
    let forced = clone(&koab, &["HumanEval", "--to", "program-HumanEval", "--force"]);
    assert!(forced.stdout.contains("init_tasks.py was not run"), "{}", forced.stdout);
    assert!(koab.path().join(".trash/program-HumanEval/README.md").is_file());
    assert!(koab.path().join("program-HumanEval/README.md").is_file());
}

#[test]
fn hostile_manifests_leave_nothing() {
    let koab = Koab::new();
    let zeros = "0".repeat(64);
    for (manifest, said) in [
        (r#"{"files": {"../outside.txt": "README.md"}}"#.to_owned(), "leads out"),
        (r#"{"files": {"/tmp/outside.txt": "README.md"}}"#.to_owned(), "leads out"),
        (r#"{"files": {"a.txt": "../secret.txt"}}"#.to_owned(), "leads out"),
        (r#"{"files": {"a.txt": "/etc/passwd"}}"#.to_owned(), "leads out"),
        (r#"{"files": {".git/config": "README.md"}}"#.to_owned(), "repository"),
        (r#"{"files": {"a.txt": "link"}}"#.to_owned(), "leads out"),
        (r#"{"files": {"a.txt": "http://127.0.0.1:9/x"}}"#.to_owned(), "--host 127.0.0.1:9"),
        (r#"{"files": {"ok": "README.md", "a.txt": "missing"}}"#.to_owned(), "cannot be read"),
        (format!(r#"{{"files": {{"a": "README.md"}}, "hashes": {{"a": "{zeros}"}}}}"#), "SHA-256"),
        ("[".to_owned(), "is not JSON"),
    ] {
        let from = index(&koab, &manifest);
        #[cfg(unix)]
        let _made_once = std::os::unix::fs::symlink("../secret.txt", koab.path().join("index/B/link"));
        if cfg!(not(unix)) && manifest.contains("link") {
            continue;
        }
        let ran = clone(&koab, &["B", "--index", &from]);
        assert_eq!(ran.code, 1, "{manifest}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{manifest}: {}", ran.stderr);
        assert_eq!(left(&koab), Vec::<String>::new(), "{manifest}");
    }
    let unknown = clone(&koab, &["Nope"]);
    assert!(unknown.code == 1 && unknown.stderr.contains("HumanEval, GAIA"), "{}", unknown.stderr);
    assert_eq!(clone(&koab, &[]).code, 2);
}

#[test]
fn an_index_on_the_web_is_read_with_or_without_hashes_and_a_missing_file_stops_it() {
    let koab = Koab::new();
    let server = Local::start(|request| {
        let path = request.line.split(' ').nth(1).unwrap();
        match path {
            "/lib/MANIFEST.json" => {
                (200, serde_json::json!({ "scenarios": { "B": "B/", "Broken": "Broken/" } }))
            }
            "/lib/B/MANIFEST.json" => (200, serde_json::json!({ "files": { "Tasks/b.jsonl": "t/b.jsonl" } })),
            "/lib/B/t/b.jsonl" => (200, serde_json::json!({ "id": "a" })),
            "/lib/Broken/MANIFEST.json" => (200, serde_json::json!({ "files": { "a": "gone" } })),
            _ => (404, serde_json::json!(null)),
        }
    });
    let library = format!("{}/lib", server.address);
    let cloned = clone(&koab, &["B", "--index", &library]);
    assert_eq!(cloned.code, 0, "{}", cloned.stderr);
    assert!(cloned.stderr.contains("has no hash for 1 files"), "{}", cloned.stderr);
    let text = fs::read_to_string(koab.path().join("B/Tasks/b.jsonl")).unwrap();
    assert_eq!(text, r#"{"id":"a"}"#);
    let direct = clone(&koab, &[&format!("{library}/B"), "--to", "direct", "--quiet"]);
    assert!(direct.code == 0 && koab.path().join("direct/Tasks/b.jsonl").is_file(), "{}", direct.stderr);
    let broken = clone(&koab, &["Broken", "--index", &library]);
    assert!(broken.code == 1 && broken.stderr.contains("answered HTTP 404"), "{}", broken.stderr);
    assert!(!koab.path().join("Broken").exists());
}

/// Runs a benchmark's scenarios in the folder it was cloned into, and tabulates them.
fn run(koab: &Koab, name: &str, tasks: &str, place: &[&str], env: &[(&str, &str)]) -> serde_json::Value {
    let folder = koab.path().join(name);
    if !folder.exists() {
        assert_eq!(clone(koab, &[name]).code, 0);
    }
    let file = format!("Tasks/{tasks}.jsonl");
    let mut command = koab.command(&[&["scenario", "run", &file], place].concat());
    let done = ran(command.current_dir(&folder).envs(env.iter().copied()).output().unwrap());
    assert_eq!(done.code, 0, "{}\n{}", done.stdout, done.stderr);
    let results = folder.join("results").join(tasks).display().to_string();
    koab.json(&["scenario", "tabulate", &results])["scenarios"][0]["totals"].clone()
}

#[cfg(unix)]
#[test]
fn examples_without_a_model_run_on_this_computer_and_their_own_script_reads_them() {
    let koab = Koab::new();
    let native = ["--native", "--yes"];
    let sums = run(&koab, "Sums", "sums", &native, &[]);
    assert_eq!((&sums["passed"], &sums["failed"]), (&2.into(), &1.into()));
    let inventory = run(&koab, "Inventory", "inventory", &native, &[]);
    assert_eq!((&inventory["passed"], &inventory["trials"]), (&3.into(), &3.into()));

    let results = koab.path().join("Inventory/results/inventory").display().to_string();
    fs::remove_file(koab.path().join("Inventory/results/inventory/busan/0/coding/report.txt")).unwrap();
    let benchmark = koab.path().join("Inventory");
    let by_script = |words: &[&str]| {
        let words = [&["scenario", "tabulate", &results], words].concat();
        ran(koab.command(&words).current_dir(&benchmark).output().unwrap())
    };
    let table = by_script(&["--native", "--yes", "--csv"]);
    assert_eq!(table.code, 0, "{}", table.stderr);
    assert!(
        table.stdout.starts_with("Task Id,Trial 0 Success,Trial 0 Time\nbusan,False,"),
        "{}",
        table.stdout
    );
    assert!(table.stderr.contains("custom_tabulate.py (--no-script"), "{}", table.stderr);
    let refused = by_script(&["--native"]);
    assert!(refused.code == 2 && refused.stderr.contains("needs your agreement"), "{}", refused.stderr);
    let without = by_script(&["--no-script"]);
    assert!(without.stdout.contains("3 of 3 trials passed"), "{}", without.stdout);

    // A script that came along with results is not run.
    fs::create_dir_all(koab.path().join("Inventory/results/Scripts")).unwrap();
    fs::write(koab.path().join("Inventory/results/Scripts/custom_tabulate.py"), "raise SystemExit('run!')")
        .unwrap();
    let received = koab.ok(&["scenario", "tabulate", &results]);
    assert!(received.stdout.contains("3 of 3 trials passed") && !received.stderr.contains("run!"));
}

#[cfg(unix)]
#[test]
fn models_are_asked_and_a_failed_try_is_told_what_the_tests_say() {
    let koab = Koab::new();
    let model = Local::start(|request| {
        let messages = request.body["messages"].as_array().unwrap();
        let asked = messages[1.min(messages.len() - 1)]["content"].as_str().unwrap();
        let told =
            messages.len() > 2 && messages[3]["content"].as_str().unwrap().contains("SOME TESTS FAILED");
        let answer = if asked.contains("double_all") && told {
            "```python\ndef double_all(numbers):\n    return [2 * n for n in numbers]\n```"
        } else if asked.contains("count_vowels") {
            // It knows what passing looks like, and ends before the tests do.
            "```python\nprint('ALL TESTS PASSED !#!#')\nraise SystemExit(0)\n```"
        } else if asked.contains("12 times 12") {
            "144"
        } else {
            "I do not know"
        };
        (200, serde_json::json!({ "choices": [{ "message": { "role": "assistant", "content": answer } }] }))
    });
    let config = serde_json::json!([{ "model": "m", "base_url": format!("{}/v1", model.address), "api_key": "sk-canary-of-the-clone-test" }]).to_string();
    let env = [("OAI_CONFIG_LIST", config.as_str())];
    let native = ["--native", "--yes"];
    let human = run(&koab, "HumanEval", "human_eval_Retry", &native, &env);
    assert_eq!((&human["passed"], &human["failed"]), (&1.into(), &4.into()));
    let asked = run(&koab, "AskModel", "ask_model", &native, &env);
    assert_eq!((&asked["passed"], &asked["failed"]), (&1.into(), &1.into()));
    let authorised =
        |header: &(String, String)| header.0 == "authorization" && header.1.ends_with("clone-test");
    assert!(model.requests().iter().all(|request| request.headers.iter().any(authorised)));
}

#[test]
fn in_containers_the_examples_run_and_the_script_reads_a_copy_without_network() {
    let Some(host) = docker("in_containers_the_examples_run_and_the_script_reads_a_copy_without_network")
    else {
        return;
    };
    let koab = Koab::new();
    let env = [("DOCKER_HOST", host.as_str())];
    let image = ["-d", "koab-test"];
    let sums = run(&koab, "Sums", "sums", &image, &env);
    assert_eq!((&sums["passed"], &sums["failed"]), (&2.into(), &1.into()));
    let inventory = run(&koab, "Inventory", "inventory", &image, &env);
    assert_eq!(inventory["passed"], 3);
    let results = koab.path().join("Inventory/results/inventory").display().to_string();
    let benchmark = koab.path().join("Inventory").display().to_string();
    let hostile = koab.path().join("hostile.py");
    fs::write(&hostile, "import os, shutil, socket\nfrom autogenbench.tabulate_cmd import default_tabulate\ndef main(args):\n    shutil.rmtree(args[1], ignore_errors=True)\n    try:\n        socket.create_connection(('10.255.255.1', 80), 1)\n    except OSError as error:\n        print('no network', error.errno)\n    default_tabulate(args)\n").unwrap();
    for (words, said) in [
        (["--benchmark", &*benchmark], "Trial 0"),
        (["--script", hostile.to_str().unwrap()], "no network 101"),
    ] {
        let words = [&["scenario", "tabulate", &results, "-d", "koab-test"], &words[..]].concat();
        let table = ran(koab.command(&words).env("DOCKER_HOST", &host).output().unwrap());
        assert_eq!(table.code, 0, "{}", table.stderr);
        assert!(table.stdout.contains(said) && table.stdout.contains("3          0"), "{}", table.stdout);
    }
    assert!(koab.path().join("Inventory/results/inventory/seoul/0/console_log.txt").is_file());
}
