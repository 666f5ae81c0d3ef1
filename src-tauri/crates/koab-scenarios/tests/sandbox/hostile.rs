//! Scenario files that try to read or write outside their folders.

use crate::sandbox::support::{benchmark, folder, make, problems, put, read, tree};
use koab_scenarios::error::Error;
use koab_scenarios::expand::Extras;
use koab_scenarios::scenario_file;
use proptest::prelude::*;
use std::fs;

/// The only problem of a line that has these keys beside sound ones.
fn refused(keys: &str) -> String {
    let found = problems(&format!("{{{keys}}}"));
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].replace("Tasks/a.jsonl, line 1: ", "")
}

#[test]
fn an_id_names_a_folder_and_leads_nowhere() {
    for id in [
        "../../../escaped",
        "a/b",
        "/abs",
        "..",
        ".",
        "",
        ".hidden",
        "a\\b",
        "a\\u0000b",
        "a\\nb",
        " a",
        "a ",
    ] {
        let id = id.replace("a\\b", "a\\\\b");
        let why = refused(&format!(r#""id": "{id}", "template": "../Templates/T", "substitutions": {{}}"#));
        assert!(why.starts_with("the id \""), "{id}: {why}");
    }
    let long = "x".repeat(256);
    let why = refused(&format!(r#""id": "{long}", "template": "../Templates/T", "substitutions": {{}}"#));
    assert!(why.ends_with("is longer than the 255 bytes a folder's name can have"), "{why}");
}

#[test]
fn targets_and_edited_files_stay_in_the_trial() {
    for target in ["../evil.py", "a/../../evil.py", "/tmp/evil.py", "a\\\\..\\\\evil.py", "a\\u0000"] {
        let why = refused(&format!(
            r#""id": "x", "template": [["../Templates/one.py", "{target}"]], "substitutions": {{}}"#
        ));
        assert!(why.starts_with("the template's target"), "{target}: {why}");
        let why = refused(&format!(
            r#""id": "x", "template": "../Templates/T", "substitutions": {{"{target}": {{}}}}"#
        ));
        assert!(why.starts_with("the file \""), "{target}: {why}");
    }
}

#[test]
fn templates_come_from_the_benchmark_or_from_where_the_user_allows() {
    let outside = folder(&[("secret.txt", "key"), ("T/scenario.py", "")]);
    let path = outside.path().join("secret.txt");
    let line =
        |template: &str| format!(r#"{{"id": "x", "template": [{template:?}], "substitutions": {{}}}}"#);
    let absolute = line(&path.to_string_lossy());
    let found = problems(&absolute);
    assert!(found[0].contains("leads out of the benchmark's folder"), "{found:?}");
    let found = problems(&line("../../../../../../../../etc/passwd"));
    assert!(found[0].contains("leads out of the benchmark's folder"), "{found:?}");

    let benchmark = benchmark(&absolute);
    let tasks = benchmark.path().join("Tasks/a.jsonl");
    let allowed = [outside.path().to_owned()];
    scenario_file::read(&tasks, &allowed).expect("the user allows it");
    // Task files that the original's own scripts wrote name their templates by absolute paths.
    let own = line(&benchmark.path().join("Templates/T").to_string_lossy());
    fs::write(&tasks, own).expect("written");
    read(&benchmark).expect("it is in the benchmark");
}

#[test]
fn files_with_keys_are_not_templates() {
    for name in ["ENV.json", "OAI_CONFIG_LIST", "ENV.yaml", ".env"] {
        let benchmark =
            benchmark(&format!(r#"{{"id": "x", "template": ["../{name}"], "substitutions": {{}}}}"#));
        put(benchmark.path(), name, "{}");
        let found = read(&benchmark).expect_err(name).to_string();
        assert!(found.contains("with its keys"), "{found}");
        fs::write(
            benchmark.path().join("Tasks/a.jsonl"),
            r#"{"id": "x", "template": "../", "substitutions": {}}"#,
        )
        .expect("written");
        let found = read(&benchmark).expect_err(name).to_string();
        assert!(found.contains("with its keys"), "{found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever is accepted stays in its folder, however it is written.
    #[test]
    fn what_is_accepted_writes_into_its_trial_and_nowhere_else(id in r"[a./\\ ~가\x00]{1,6}", target in r"[a./\\ ~가\x00]{0,8}") {
        let line = serde_json::json!({
            "id": id, "template": [["../Templates/one.py", target]], "substitutions": {}
        });
        let benchmark = benchmark(&line.to_string());
        let Ok(files) = read(&benchmark) else {
            return Ok(());
        };
        let before = tree(benchmark.path());
        let work = benchmark.path().join("work");
        // A target that is both a file and a folder is told at the reading; everything else can be made.
        make(&work.join("results"), &files[0], 0, &Extras::default()).expect("made");
        let trial = format!("work/results/a/{id}/0/");
        for name in tree(benchmark.path()).keys().filter(|name| !before.contains_key(*name)) {
            prop_assert!(name.starts_with(&trial), "{id:?} {target:?} wrote {name}");
        }
        prop_assert!(!benchmark.path().join("a").exists());
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_template_are_followed_inside_the_benchmark_only() {
    use std::os::unix::fs::symlink;
    let line = r#"{"id": "x", "template": "../Templates/T", "substitutions": {}}"#;
    let benchmark = benchmark(line);
    let template = benchmark.path().join("Templates/T");
    symlink("../one.py", template.join("link.py")).expect("linked");
    let files = read(&benchmark).expect("sound");
    make(&benchmark.path().join("results"), &files[0], 0, &Extras::default()).expect("made");
    let copy = benchmark.path().join("results/a/x/0/link.py");
    assert!(fs::symlink_metadata(&copy).expect("there").is_file(), "the link itself was copied");
    assert_eq!(fs::read_to_string(copy).expect("read"), "print(\"single\")\n");

    for (target, why) in [
        ("/etc/passwd", "leads out of the benchmark's folder"),
        ("..", "leads into itself"),
        (".", "leads into itself"),
        ("nowhere", "does not exist"),
        ("/dev/null", "leads out of the benchmark's folder"),
    ] {
        let link = template.join("bad");
        symlink(target, &link).expect("linked");
        let found = read(&benchmark).expect_err(target).to_string();
        assert!(found.contains(why), "{target}: {found}");
        fs::remove_file(link).expect("removed");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_was_turned_after_the_reading_is_refused_at_the_copy() {
    let benchmark = benchmark(r#"{"id": "x", "template": "../Templates/T", "substitutions": {}}"#);
    let files = read(&benchmark).expect("sound");
    let link = benchmark.path().join("Templates/T/late");
    std::os::unix::fs::symlink("/etc/passwd", link).expect("linked");
    let results = benchmark.path().join("results");
    let error = make(&results, &files[0], 0, &Extras::default()).expect_err("refused");
    assert!(error.to_string().contains("leads out"), "{error}");
    assert!(!results.join("a").exists(), "half a trial is left");
}

#[test]
fn a_template_cannot_bring_its_own_outcome_nor_the_results() {
    let benchmark = benchmark(r#"{"id": "x", "template": "../Templates/T", "substitutions": {}}"#);
    put(benchmark.path(), "Templates/T/outcome.json", "{}");
    let found = read(&benchmark).expect_err("refused").to_string();
    assert!(found.contains("contains outcome.json"), "{found}");

    fs::remove_file(benchmark.path().join("Templates/T/outcome.json")).expect("removed");
    let files = read(&benchmark).expect("sound");
    let inside = benchmark.path().join("Templates/T/results");
    let error = make(&inside, &files[0], 0, &Extras::default()).expect_err("refused");
    assert!(matches!(error, Error::Bad { .. }), "{error}");
    assert!(error.to_string().contains("contains the results folder"), "{error}");
}
