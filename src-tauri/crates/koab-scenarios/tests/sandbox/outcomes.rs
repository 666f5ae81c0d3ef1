//! How trials ended: our own records, other tools' folders, and what is run again.

use crate::sandbox::support::{folder, put, reference};
use koab_core::say;
use koab_scenarios::layout::{Layout, TrialId, tasks};
use koab_scenarios::outcome::{CONSOLE_LOG, Cause, Image, Limits, Origin, Outcome, Setting, Trial};
use koab_scenarios::resume::{Step, step};
use koab_scenarios::trial_files;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

fn finished(folder: &Path) -> Outcome {
    match trial_files::outcome(folder) {
        Trial::Finished(outcome) => *outcome,
        other => panic!("{}: {other:?}", folder.display()),
    }
}

#[test]
fn an_outcome_is_written_whole_and_read_again() {
    let trial = folder(&[]);
    let mut outcome = Outcome::new(Origin::Recorded, Cause::OutOfMemory);
    outcome.exit_code = Some(137);
    outcome.seconds = Some(1.25);
    outcome.setting = Some(Setting::Docker);
    outcome.image = Some(Image { name: "koab:default".to_owned(), digest: Some("sha256:ab".to_owned()) });
    outcome.limits = Some(Limits { timeout_s: Some(7200), memory_bytes: Some(1 << 30), ..Limits::default() });
    outcome.unknown.insert("started".to_owned(), say!("there is no {CONSOLE_LOG}"));
    outcome.write(trial.path()).expect("written");
    assert_eq!(finished(trial.path()), outcome);
    let names: Vec<_> =
        fs::read_dir(trial.path()).expect("there").map(|e| e.expect("one").file_name()).collect();
    assert_eq!(names, ["outcome.json"], "something else was left");
    let text = fs::read_to_string(trial.path().join("outcome.json")).expect("read");
    assert!(text.contains("\"cause\": \"out_of_memory\"") && text.contains("\"ended\": null"), "{text}");
}

/// A console log, by the lines in it.
fn log(lines: &[&str]) -> String {
    lines.iter().fold(String::new(), |mut log, line| {
        let _ = writeln!(log, "{line}");
        log
    })
}

const HEAD: [&str; 3] =
    ["RUN.SH STARTING !#!#", "AUTOGEN_TESTBED_SETTING: [Docker]", "SCENARIO.PY STARTING !#!#"];

#[test]
fn other_tools_logs_tell_how_a_trial_ended() {
    let trace = ["Traceback (most recent call last):", "  File \"scenario.py\", line 1", "ValueError: no"];
    let done = ["SCENARIO.PY COMPLETE !#!#", "SCENARIO.PY RUNTIME: 7 !#!#", "RUN.SH COMPLETE !#!#"];
    type Case<'a> = (&'a str, Vec<&'a str>, Option<Cause>, Option<i32>);
    let cases: [Case<'_>; 12] = [
        (
            "second, fine",
            [&HEAD[..], &["SCENARIO.PY COMPLETE !#!#", "RUN.SH COMPLETE !#!#"]].concat(),
            Some(Cause::Completed),
            Some(0),
        ),
        (
            "second, crashed",
            [&HEAD[..], &["SCENARIO.PY EXITED WITH CODE: 3 !#!#", "RUN.SH COMPLETE !#!#"]].concat(),
            Some(Cause::Failed),
            Some(3),
        ),
        (
            "second, out of time",
            [&HEAD[..], &["SCENARIO.PY EXITED WITH CODE: 143 !#!#", "RUN.SH COMPLETE !#!#"]].concat(),
            Some(Cause::TimedOut),
            Some(143),
        ),
        ("third, fine", [&HEAD[..], &done].concat(), Some(Cause::Completed), None),
        (
            "third, crashed but said to be complete",
            [&HEAD[..], &trace, &done].concat(),
            Some(Cause::Failed),
            None,
        ),
        (
            "third, caught an exception",
            [&HEAD[..], &trace, &["went on"], &done].concat(),
            Some(Cause::Completed),
            None,
        ),
        (
            "third, out of time",
            [
                &HEAD[..],
                &["SCENARIO.PY COMPLETE !#!#", "SCENARIO.PY RUNTIME: 7200 !#!#", "RUN.SH COMPLETE !#!#"],
            ]
            .concat(),
            Some(Cause::TimedOut),
            None,
        ),
        ("third, stopped", [&HEAD[..], &["", "Docker timed out."]].concat(), Some(Cause::TimedOut), None),
        (
            "third, interrupted",
            [&HEAD[..], &["", "Keyboard interrupt (Ctrl-C). Attempting to exit gracefully."]].concat(),
            Some(Cause::Cancelled),
            None,
        ),
        ("cut off", HEAD.to_vec(), None, None),
        (
            "first, fine",
            vec!["AUTOGEN_TESTBED_SETTING: [Native]", "text", "SCENARIO COMPLETE !#!#"],
            Some(Cause::Completed),
            None,
        ),
        (
            "a marker after text without its newline",
            [&HEAD[..], &["no newlineSCENARIO.PY EXITED WITH CODE: 2 !#!#", "RUN.SH COMPLETE !#!#"]].concat(),
            Some(Cause::Failed),
            Some(2),
        ),
    ];
    for (name, lines, cause, code) in cases {
        let trial = folder(&[("console_log.txt", &log(&lines))]);
        let read = trial_files::outcome(trial.path());
        let Some(cause) = cause else {
            assert!(matches!(read, Trial::HalfMade { .. }), "{name}: {read:?}");
            continue;
        };
        let found = finished(trial.path());
        assert_eq!((found.cause, found.exit_code, found.origin), (cause, code, Origin::Legacy), "{name}");
        assert_eq!(found.exit_code.is_none(), found.unknown.contains_key("exit_code"), "{name}");
    }
}

#[test]
fn bytes_that_are_no_text_and_folders_without_a_log_are_read() {
    let trial = folder(&[]);
    assert_eq!(
        trial_files::outcome(trial.path()),
        Trial::HalfMade { why: say!("there is no {CONSOLE_LOG}") }
    );
    put(trial.path(), "console_log.txt", b"\xff\xfe\nSCENARIO COMPLETE !#!#\n");
    assert_eq!(finished(trial.path()).cause, Cause::Completed);
    assert_eq!(trial_files::outcome(&trial.path().join("none")), Trial::Missing);
    put(trial.path(), "outcome.json", "{");
    assert!(matches!(trial_files::outcome(trial.path()), Trial::HalfMade { .. }));
}

#[test]
fn the_recorded_results_read_as_what_happened_there() {
    let Some(recorded) = reference("recorded") else {
        return;
    };
    let mut read = String::new();
    for scenario in [
        "head-native/Results/mini",
        "v003-docker/Results/mini",
        "seed-native/results/mini",
        "timeouts/v003/t",
        "timeouts/head/t",
        "head-docker/ctrl-c/Results/int",
        "head-docker/outer-timeout/Results/fin",
        "head-docker/silent-overrun/Results/silent",
    ] {
        let _ = writeln!(read, "{scenario}");
        for task in tasks(&recorded.join(scenario)).expect("readable") {
            let _ = write!(read, "  {}:", task.instance);
            for trial in task.trials {
                let found = match trial_files::outcome(&trial.path) {
                    Trial::Finished(outcome) => {
                        let code = outcome.exit_code.map_or("?".to_owned(), |code| code.to_string());
                        format!("{} {code}", outcome.cause.name())
                    }
                    other => format!("{other:?}"),
                };
                let _ = write!(read, " {found};");
            }
            let _ = writeln!(read);
        }
    }
    insta::assert_snapshot!(read, @r"
    head-native/Results/mini
      dir_crash: completed ?; completed ?;
      dir_fail: completed ?; completed ?;
      dir_pass: completed ?; completed ?;
      file_tmpl: completed ?; completed ?;
      list_tmpl: completed ?; completed ?;
    v003-docker/Results/mini
      dir_crash: failed 3;
      dir_fail: completed 0;
      dir_pass: completed 0;
      file_tmpl: completed 0;
      list_tmpl: completed 0;
    seed-native/results/mini
      dir_crash: completed ?;
      dir_fail: completed ?;
      dir_pass: completed ?;
      file_tmpl: completed ?;
      list_tmpl: completed ?;
    timeouts/v003/t
      ignoreterm: failed 137;
      sleep: timed_out 143;
    timeouts/head/t
      ignoreterm: failed ?;
      sleep: completed ?;
    head-docker/ctrl-c/Results/int
      s1: cancelled ?;
    head-docker/outer-timeout/Results/fin
      f1: timed_out ?;
      f2: completed ?;
    head-docker/silent-overrun/Results/silent
      silent: timed_out ?;
    ");
}

#[test]
fn finished_trials_are_left_alone_and_half_made_ones_run_again() {
    let here = folder(&[]);
    let layout = Layout::new(here.path());
    let trial =
        |instance: &str| TrialId { scenario: "s".to_owned(), instance: instance.to_owned(), repetition: 0 };
    for cause in [Cause::Completed, Cause::TimedOut] {
        let folder = layout.trial(&trial(cause.name()));
        fs::create_dir_all(&folder).expect("made");
        Outcome::new(Origin::Recorded, cause).write(&folder).expect("written");
    }
    let half = layout.trial(&trial("half"));
    // The log of a trial of ours can be whole while its outcome was not written yet.
    put(&half, "console_log.txt", "RUN.SH STARTING !#!#\nRUN.SH COMPLETE !#!#\n");
    put(&half, "timestamp.txt", "koab version: 1\n");
    let decided = |instance: &str, rerun| match step(&layout, &trial(instance), rerun) {
        Step::Run => "run",
        Step::Again { .. } => "again",
        Step::Skip(_) => "skip",
    };
    let instances = ["new", "half", "completed", "timed_out"];
    assert_eq!(instances.map(|i| decided(i, false)), ["run", "again", "skip", "skip"]);
    assert_eq!(instances.map(|i| decided(i, true)), ["run", "again", "skip", "again"]);
}
