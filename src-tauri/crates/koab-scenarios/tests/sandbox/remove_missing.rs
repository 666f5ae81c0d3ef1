//! Clearing away what was not finished, and nothing else.

use crate::sandbox::support::{folder, put, reference, tree};
use koab_scenarios::outcome::{Cause, Origin, Outcome};
use koab_scenarios::remove_missing::{incomplete, set_aside};
use std::fs;

#[test]
fn unfinished_trials_are_listed_and_then_set_aside() {
    let results = folder(&[]);
    let scenario = results.path().join("s");
    for (trial, cause) in [
        ("a/0", Cause::Completed),
        ("a/1", Cause::Cancelled),
        ("b/0", Cause::TimedOut),
        ("c/0", Cause::CouldNotStart),
        ("f/0", Cause::Lost),
    ] {
        put(&scenario, &format!("{trial}/console_log.txt"), "RUN.SH COMPLETE !#!#\n");
        Outcome::new(Origin::Recorded, cause).write(&scenario.join(trial)).expect("written");
    }
    put(&scenario, "a/2/console_log.txt", "RUN.SH STARTING !#!#\n");
    put(&scenario, "d/notes.txt", "of a person");
    fs::create_dir(scenario.join("e")).expect("made");

    let found = incomplete(&scenario).expect("read");
    let listed: Vec<(String, String)> = found
        .iter()
        .map(|one| {
            (one.path.strip_prefix(&scenario).expect("below").display().to_string(), one.why.to_string())
        })
        .collect();
    let listed: Vec<(&str, &str)> = listed.iter().map(|(path, why)| (path.as_str(), why.as_str())).collect();
    assert_eq!(
        listed,
        [
            ("a/1", "it was cancelled"),
            ("a/2", "its log ends without an end marker"),
            ("c/0", "it could not start"),
            ("d", "the folder has no trial"),
            ("e", "the folder has no trial"),
            ("f/0", "the connection to the container engine was lost"),
        ]
    );
    let before = tree(&scenario).len();
    assert_eq!(before, 12, "listing changed something");

    let moved = set_aside(&scenario, &found).expect("moved");
    assert_eq!(moved.len(), 4);
    let left: Vec<String> = tree(&scenario).into_keys().collect();
    assert_eq!(
        left,
        ["a/0/console_log.txt", "a/0/outcome.json", "b/0/console_log.txt", "b/0/outcome.json", "d/notes.txt"]
    );
    assert!(!scenario.join("c").exists() && !scenario.join("e").exists());
    let trash = tree(&results.path().join(".trash/s"));
    assert!(trash.contains_key("a/2/console_log.txt") && trash.len() == 7, "{trash:?}");
}

/// Of these nine tasks the original deletes eight, among them those that passed.
#[test]
fn of_the_recorded_results_only_what_is_incomplete_goes() {
    let Some(recorded) = reference("recorded/remove_missing/input") else {
        return;
    };
    let found = incomplete(&recorded).expect("read");
    let taken: Vec<String> = found
        .iter()
        .map(|one| one.path.strip_prefix(&recorded).expect("below").display().to_string())
        .collect();
    assert_eq!(taken, ["B/2", "H", "I/1"]);
}
