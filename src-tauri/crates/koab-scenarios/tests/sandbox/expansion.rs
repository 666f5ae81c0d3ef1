//! A trial's folder, case by case.

use crate::sandbox::support::{benchmark, id, make, put, read, script, tree};
use koab_scenarios::error::Error;
use koab_scenarios::expand::{self, Expanded, Extras, expand};
use koab_scenarios::layout::{Layout, tasks};
use koab_scenarios::outcome::Setting;
use std::collections::BTreeMap;
use std::fs;

const STARTER: [&str; 5] =
    ["global_finalize.sh", "global_init.sh", "requirements.txt", "run.sh", "testbed_utils.py"];

/// What an instance with these keys brings beside the starter files.
fn expanded(keys: &str) -> (BTreeMap<String, String>, Expanded) {
    let benchmark = benchmark(&format!("{{\"id\": \"x\", {keys}}}"));
    put(benchmark.path(), "Templates/Crlf/scenario.py", "one __A__\r\ntwo\rthree\n");
    put(benchmark.path(), "Templates/Crlf/kept.txt", "as it was\r\n");
    let files = read(&benchmark).expect("sound");
    let made = make(&benchmark.path().join("results"), &files[0], 0, &Extras::default()).expect("made");
    let mut files = tree(&benchmark.path().join("results/a/x/0"));
    for name in STARTER {
        assert!(files.remove(name).is_some(), "{name} is missing");
    }
    let text = |(name, bytes)| (name, String::from_utf8(bytes).expect("text"));
    (files.into_iter().map(text).collect(), made)
}

fn scenario(keys: &str) -> String {
    expanded(keys).0["scenario.py"].clone()
}

#[test]
fn a_file_becomes_the_scenario_and_in_a_list_it_does_not() {
    assert_eq!(scenario(r#""template": "../Templates/one.py", "substitutions": {}"#), "print(\"single\")\n");
    let names = |keys: &str| expanded(keys).0.into_keys().collect::<Vec<_>>();
    assert_eq!(names(r#""template": ["../Templates/one.py"], "substitutions": {}"#), ["one.py"]);
    assert_eq!(
        names(
            r#""template": [["../Templates/T", "d", "ignored"], ["../Templates/one.py", "d"], ["../Templates/one.py", "e/f.py"], ["../Templates/one.py", "."]], "substitutions": {}"#
        ),
        ["d/one.py", "d/prompt.txt", "d/scenario.py", "e/f.py", "one.py"]
    );
}

#[test]
fn later_copies_replace_earlier_ones_and_starter_files() {
    let (files, _) = expanded(
        r#""template": ["../Templates/T", ["../Templates/one.py", "scenario.py"]], "substitutions": {}"#,
    );
    assert_eq!(files["scenario.py"], "print(\"single\")\n");
    let benchmark = benchmark(
        r#"{"id": "x", "template": ["../Templates/T", ["../Templates/one.py", "global_init.sh"], ["../Templates/one.py", "run.sh"]], "substitutions": {}}"#,
    );
    let files = read(&benchmark).expect("sound");
    make(&benchmark.path().join("results"), &files[0], 0, &Extras::default()).expect("made");
    let made = tree(&benchmark.path().join("results/a/x/0"));
    assert_eq!(made["global_init.sh"], b"print(\"single\")\n");
    assert!(made["run.sh"].starts_with(b"#\n"), "run.sh is always the product's own");
}

#[test]
fn substitutions_are_chained_line_by_line() {
    let edit = |substitutions: &str| {
        scenario(&format!(
            r#""template": "../Templates/T", "substitutions": {{"scenario.py": {substitutions}}}"#
        ))
    };
    assert_eq!(edit(r#"{"print(\"hi\")\n": "A\n", "A\n": "B\n", "B\nx": "never"}"#), "B\n");
    assert_eq!(edit(r#"{"": "Z"}"#), "ZpZrZiZnZtZ(Z\"ZhZiZ\"Z)Z\nZ");
    assert_eq!(edit(r#"{"hi": "\\n \" é 中"}"#), "print(\"\\n \" é 中\")\n");
    let both = r#""template": "../Templates/T", "substitutions": {"scenario.py": {"hi": "SUBS"}}, "values": {"scenario.py": {"hi": "VALS"}}"#;
    assert_eq!(scenario(both), "print(\"SUBS\")\n");
    let flat = r#""template": "../Templates/one.py", "values": {"single": "double"}"#;
    assert_eq!(scenario(flat), "print(\"double\")\n");
}

#[test]
fn newlines_change_in_edited_files_only_and_a_misspelt_placeholder_is_a_warning() {
    let (files, made) = expanded(
        r#""template": "../Templates/Crlf", "substitutions": {"scenario.py": {"__A__": "x", "__B__": "y"}}"#,
    );
    assert_eq!(files["scenario.py"], "one x\ntwo\nthree\n");
    assert_eq!(files["kept.txt"], "as it was\r\n");
    assert_eq!(made.warnings, ["scenario.py does not contain \"__B__\""]);
}

#[test]
fn a_dry_run_warns_without_writing() {
    let benchmark = benchmark(
        r#"{"id": "x", "template": "../Templates/T", "substitutions": {"prompt.txt": {"__PROMPTT__": "?"}}}"#,
    );
    let files = read(&benchmark).expect("sound");
    let warnings = expand::warnings(&files[0].instances[0], &Extras::default()).expect("readable");
    assert_eq!(warnings, ["prompt.txt does not contain \"__PROMPTT__\""]);
    assert!(!benchmark.path().join("results").exists());
}

#[test]
fn the_users_requirements_come_before_the_edits_and_the_configuration_after() {
    let benchmark = benchmark(
        r#"{"id": "x", "template": ["../Templates/T", ["../Templates/one.py", "config.yaml"]], "substitutions": {"requirements.txt": {"VERSION": "1.0"}, "config.yaml": {"single": "?"}}}"#,
    );
    let files = read(&benchmark).expect("sound");
    let extras = Extras {
        requirements: Some(b"some-package==VERSION\n".to_vec()),
        config: Some(b"single: true\n".to_vec()),
    };
    let results = benchmark.path().join("results");
    let made = make(&results, &files[0], 0, &extras).expect("made");
    let tree = tree(&results.join("a/x/0"));
    assert_eq!(tree["requirements.txt"], b"some-package==1.0\n");
    assert_eq!(tree["config.yaml"], b"single: true\n");

    let other = make(&benchmark.path().join("r2"), &files[0], 0, &extras).expect("made");
    assert_eq!(made.template_sha256, other.template_sha256);
    let without = Extras { config: None, ..extras };
    let other = make(&benchmark.path().join("r3"), &files[0], 0, &without).expect("made");
    assert_ne!(made.template_sha256, other.template_sha256);
}

#[test]
fn a_file_that_is_no_text_cannot_be_edited_and_nothing_is_left() {
    let benchmark = benchmark(
        r#"{"id": "x", "template": "../Templates/T", "substitutions": {"scenario.py": {"a": "b"}}}"#,
    );
    put(benchmark.path(), "Templates/T/scenario.py", b"\xff\xfe");
    let files = read(&benchmark).expect("sound");
    let results = benchmark.path().join("results");
    let error = make(&results, &files[0], 0, &Extras::default()).expect_err("refused");
    assert_eq!(error.to_string(), "scenario.py: has substitutions but is not UTF-8 text");
    assert_eq!(fs::read_dir(&results).expect("there").count(), 0);
}

#[test]
fn a_trial_that_is_there_is_not_touched_until_it_is_set_aside() {
    let benchmark = benchmark(r#"{"id": "x", "template": "../Templates/T", "substitutions": {}}"#);
    let files = read(&benchmark).expect("sound");
    let layout = Layout::in_folder(benchmark.path());
    let trial = id(&files[0], 0);
    let make = || {
        let instance = &files[0].instances[0];
        expand(&layout, &trial, instance, &Extras::default(), &script(Setting::Docker))
    };
    make().expect("made");
    put(&layout.trial(&trial), "console_log.txt", "half a log");
    assert!(matches!(make(), Err(Error::TrialExists(_))));

    let aside = layout.set_aside(&trial).expect("moved");
    assert_eq!(fs::read_to_string(aside.join("console_log.txt")).expect("kept"), "half a log");
    // A task's folder without a trial makes the original's reader fail.
    assert!(tasks(&layout.scenario("a")).expect("readable").is_empty());
    make().expect("made again");
    let second = layout.set_aside(&trial).expect("moved");
    assert_ne!(aside, second);
}

#[cfg(unix)]
#[test]
fn a_folders_files_keep_mode_and_time_and_can_be_edited_all_the_same() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::{Duration, SystemTime};
    let benchmark = benchmark(
        r#"{"id": "x", "template": "../Templates/T", "substitutions": {"prompt.txt": {"__PROMPT__": "?"}}}"#,
    );
    let template = benchmark.path().join("Templates/T");
    put(&template, "scenario_init.sh", "true\n");
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let mode = |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    let script = fs::File::open(template.join("scenario_init.sh")).expect("opened");
    script.set_modified(then).expect("set");
    mode(template.join("scenario_init.sh"), 0o755);
    mode(template.join("prompt.txt"), 0o444);
    let files = read(&benchmark).expect("sound");
    make(&benchmark.path().join("results"), &files[0], 0, &Extras::default()).expect("made");
    let trial = benchmark.path().join("results/a/x/0");
    let meta = fs::metadata(trial.join("scenario_init.sh")).expect("there");
    assert_eq!(meta.permissions().mode() & 0o777, 0o755);
    assert_eq!(meta.modified().expect("known"), then);
    assert_eq!(fs::read_to_string(trial.join("prompt.txt")).expect("read"), "?\n");
    assert_eq!(fs::metadata(&trial).expect("there").permissions().mode() & 0o077, 0o055);
}
