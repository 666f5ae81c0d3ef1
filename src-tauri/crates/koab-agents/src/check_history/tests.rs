use super::{CheckHistory, failed_before, file, remember};
use crate::check_result::AgentCheck;
use crate::definition::Definition;
use crate::tests::desk::failed_check;
use crate::tests::refused_with;
use koab_workspace::Home;
use serde_json::json;
use std::fs;
use tempfile::TempDir;

fn home() -> (TempDir, Home) {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::resolve(Some(folder.path().to_owned())).expect("a home");
    (folder, home)
}

fn definition() -> Definition {
    let text = json!({"name": "mine", "kind": "command", "command": ["sh"], "answer": {"stdout": "all"}});
    Definition::read(&text.to_string(), "mine").expect("a definition")
}

/// A check of the definition with this trap, if it failed.
fn checked(version: Option<&str>, contained: bool, trap: Option<&'static str>) -> AgentCheck {
    let failed = failed_check(&definition(), trap.unwrap_or_default());
    AgentCheck {
        version: version.map(str::to_owned),
        contained,
        passed: trap.is_none(),
        traps: failed.traps.into_iter().filter(|_| trap.is_some()).collect(),
        ..failed_check(&definition(), "")
    }
}

#[test]
fn only_the_same_definition_version_and_place_is_refused() {
    let (_folder, home) = home();
    failed_before(&home, &definition(), Some("1.0"), false).expect("never checked");
    remember(&home, &checked(Some("1.0"), false, Some("answers nothing"))).expect("kept");
    refused_with(
        failed_before(&home, &definition(), Some("1.0"), false),
        "mine failed its check: it answers nothing; fix it and check it again with `koab agents check`, or add --unchecked",
    );
    let other = Definition { timeout_s: 5.0, ..definition() };
    for (definition, version, contained) in [
        (&definition(), Some("1.1"), false),
        (&definition(), None, false),
        (&definition(), Some("1.0"), true),
        (&other, Some("1.0"), false),
    ] {
        failed_before(&home, definition, version, contained).expect("another one");
    }
}

#[test]
fn the_last_check_of_a_version_counts() {
    let (_folder, home) = home();
    for (trap, passes) in [(None, true), (Some("fails"), false), (None, true)] {
        remember(&home, &checked(None, true, trap)).expect("kept");
        assert_eq!(failed_before(&home, &definition(), None, true).is_ok(), passes);
        let last = CheckHistory::read(&home).expect("read").last(&definition().hash(), true);
        let last = last.expect("a check");
        assert_eq!(last.passed, passes);
        assert_eq!(last.why.map(|why| why.to_string()).as_deref(), trap.map(|_| "it fails"));
    }
}

#[test]
fn checks_in_containers_are_apart_from_those_on_this_computer() {
    let (_folder, home) = home();
    let hash = definition().hash();
    remember(&home, &checked(Some("1.0"), false, None)).expect("kept");
    let history = CheckHistory::read(&home).expect("read");
    assert!(!history.was_contained(&hash));
    assert!(history.last(&hash, true).is_none());
    assert!(history.last(&hash, false).is_some_and(|last| last.passed));
    remember(&home, &checked(Some("1.0"), true, Some("fails"))).expect("kept");
    let history = CheckHistory::read(&home).expect("read");
    assert!(history.was_contained(&hash));
    assert!(history.last(&hash, true).is_some_and(|last| !last.passed));
    assert!(history.last(&hash, false).is_some_and(|last| last.passed));
    assert!(history.last("another", false).is_none());
}

#[test]
fn the_newest_of_several_versions_is_the_last() {
    let (_folder, home) = home();
    let outcome =
        |passed: bool, at_ms: u64| json!({"name": "mine", "passed": passed, "why": null, "at_ms": at_ms});
    let hash = definition().hash();
    let all = json!({
        format!("{hash} 1.0"): outcome(true, 20), format!("{hash} 2.0"): outcome(false, 10),
        format!("{hash} 0.9"): {"name": "mine", "passed": false, "why": null},
    });
    fs::create_dir_all(home.path()).expect("made");
    fs::write(file(&home), all.to_string()).expect("written");
    let last = CheckHistory::read(&home).expect("read").last(&hash, false);
    assert!(last.is_some_and(|last| last.passed));
}

#[test]
fn a_file_that_cannot_be_read_refuses_runs_and_is_put_aside_by_the_next_check() {
    let (folder, home) = home();
    for number in 1..=3 {
        fs::write(file(&home), format!("broken {number}")).expect("written");
        refused_with(
            failed_before(&home, &definition(), None, false),
            "it is not known whether mine failed its check: ",
        );
        remember(&home, &checked(None, false, None)).expect("kept");
        failed_before(&home, &definition(), None, false).expect("it passed");
    }
    for (name, text) in [
        ("agent-checks.unreadable.json", "broken 1"),
        ("agent-checks.unreadable-2.json", "broken 2"),
        ("agent-checks.unreadable-3.json", "broken 3"),
    ] {
        assert_eq!(fs::read_to_string(folder.path().join(name)).expect(name), text);
    }
}

#[test]
fn checks_that_end_at_once_are_all_kept() {
    let (_folder, home) = home();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let home = &home;
            scope.spawn(move || {
                let version = format!("{number}.0");
                remember(home, &checked(Some(&version), false, Some("fails"))).expect("kept");
            });
        }
    });
    for number in 0..8 {
        let version = format!("{number}.0");
        refused_with(failed_before(&home, &definition(), Some(&version), false), "it fails");
    }
}
