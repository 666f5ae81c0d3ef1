//! The product's own table.

use crate::sandbox::support::{folder, put, reference, tree};
use koab_core::say;
use koab_scenarios::outcome::{CONSOLE_LOG, Cause, Origin, Outcome};
use koab_scenarios::tabulate::{Scorer, Table, Verdict, tabulate};
use std::fs;
use std::path::Path;

const STARTING: &str = "RUN.SH STARTING !#!#\nSCENARIO.PY STARTING !#!#\n";
const PASSED: &str = "ALL TESTS PASSED !#!#\n";

/// A trial of ours that ended for `cause` after `seconds`, and printed `said`.
fn trial(results: &Path, name: &str, cause: Cause, seconds: f64, said: &str) {
    put(results, &format!("{name}/console_log.txt"), format!("{STARTING}{said}"));
    let mut outcome = Outcome::new(Origin::Recorded, cause);
    outcome.seconds = Some(seconds);
    outcome.exit_code = (cause == Cause::Completed).then_some(0);
    outcome.write(&results.join(name)).expect("written");
}

fn uneven() -> tempfile::TempDir {
    let results = folder(&[]);
    let at = results.path();
    trial(at, "t2/0", Cause::Completed, 2.0, PASSED);
    trial(at, "t2/1", Cause::Completed, 3.0, "");
    trial(at, "t2/2", Cause::TimedOut, 60.0, "");
    trial(at, "t10/0", Cause::Completed, 1.5, PASSED);
    trial(at, "t10/1", Cause::Failed, 0.5, PASSED);
    // The third repetition of t10 was not run; that of t1 was cut off, and its second could not start.
    trial(at, "t1/0", Cause::OutOfMemory, 9.0, "");
    trial(at, "t1/1", Cause::CouldNotStart, 0.0, PASSED);
    put(at, "t1/2/console_log.txt", format!("{STARTING}{PASSED}"));
    put(at, "t1/2/timestamp.txt", "koab version: 1\n");
    results
}

#[test]
fn uneven_trials_are_counted_with_what_is_missing() {
    let results = uneven();
    let table = tabulate(results.path(), Scorer::Markers).expect("read");
    insta::assert_snapshot!(table.to_csv(), @r"
    instance,repetition,verdict,cause,exit_code,seconds,why_missing
    t1,0,failed,out_of_memory,,9,
    t1,1,missing,could_not_start,,0,it could not start
    t1,2,missing,,,,it was not finished: the run was cut off before its outcome was written
    t2,0,passed,completed,0,2,
    t2,1,failed,completed,0,3,
    t2,2,failed,timed_out,,60,
    t10,0,passed,completed,0,1.5,
    t10,1,passed,failed,,0.5,
    t10,2,missing,,,,it was not run
    ");
    let totals = &table.totals;
    assert_eq!((totals.passed, totals.failed, totals.missing, totals.trials), (3, 3, 3, 9));
    let value = |k: usize| totals.pass_at_k[k - 1].value;
    // pass@2 by hand: t2 1 − C(2,2)/C(3,2) = 2/3, t10 1 − 0 = 1, t1 0.
    assert!((value(1) - 1.0 / 3.0).abs() < 1e-12 && (value(2) - 5.0 / 9.0).abs() < 1e-12, "{totals:?}");
    let json = serde_json::to_value(&table).expect("JSON");
    assert_eq!(json["rows"][0]["trials"][1]["verdict"], "missing");
    assert_eq!(json["rows"][0]["trials"][1]["cause"], "could_not_start");
}

#[test]
fn what_was_ended_from_outside_is_missing_and_not_failed() {
    let results = folder(&[]);
    for cause in [Cause::CouldNotStart, Cause::Cancelled, Cause::Lost] {
        trial(results.path(), &format!("{}/0", cause.name()), cause, 1.0, PASSED);
    }
    let totals = tabulate(results.path(), Scorer::Markers).expect("read").totals;
    assert_eq!((totals.passed, totals.failed, totals.missing), (0, 0, 3));
}

#[test]
fn nothing_gives_reasons_instead_of_numbers() {
    let empty = folder(&[]);
    let table = tabulate(empty.path(), Scorer::Markers).expect("read");
    assert!(table.totals.pass_at_k.is_empty() && table.totals.wilson.interval().is_none());
    assert!(table.totals.wilson.reason().is_some());
    let error = tabulate(&empty.path().join("none"), Scorer::Markers).expect_err("no folder");
    assert!(error.to_string().starts_with("cannot read "), "{error}");
}

#[test]
fn the_last_word_of_the_scenario_itself_counts() {
    let failed = "SOME TESTS FAILED - TRY AGAIN !#!#\n";
    let results =
        folder(&[("early/0/console_log.txt", &format!("{PASSED}{STARTING}SCENARIO COMPLETE !#!#\n"))]);
    let at = results.path();
    trial(at, "again/0", Cause::Completed, 1.0, &format!("{failed}{PASSED}"));
    trial(at, "worse/0", Cause::Completed, 1.0, &format!("{PASSED}{failed}"));
    let table = tabulate(at, Scorer::Markers).expect("read");
    let verdicts: Vec<(&str, &Verdict)> =
        table.rows.iter().map(|row| (row.instance.as_str(), &row.trials[0].verdict)).collect();
    assert_eq!(
        verdicts,
        [("again", &Verdict::Passed), ("early", &Verdict::Failed), ("worse", &Verdict::Failed)]
    );
}

fn passed(table: &Table) -> Vec<&str> {
    let passed = table.rows.iter().filter(|row| row.passed > 0);
    passed.map(|row| row.instance.as_str()).collect()
}

#[test]
fn gaia_takes_the_last_answer_with_or_without_a_newline() {
    let Some(recorded) = reference("recorded/tabulate/gaia/g") else {
        return;
    };
    // As if these trials had been ours: some of the recorded logs have no end marker.
    let copy = folder(&[]);
    for (name, bytes) in tree(&recorded) {
        put(copy.path(), &name, bytes);
    }
    for case in fs::read_dir(copy.path()).expect("readable") {
        let trial = case.expect("one").path().join("0");
        Outcome::new(Origin::Recorded, Cause::Completed).write(&trial).expect("written");
    }
    let table = tabulate(copy.path(), Scorer::Gaia).expect("read");
    let passed = passed(&table);
    for corrected in ["two_answers", "no_newline"] {
        assert!(passed.contains(&corrected), "{corrected}");
    }
    // The 17 that the leaderboard's rule accepts, and these two.
    assert_eq!((passed.len(), table.totals.failed, table.totals.missing), (19, 7, 0), "{passed:?}");
}

#[test]
fn math_asks_the_checking_agent() {
    let said = |text: &str| {
        format!(r#"{{"checker_proxy": [{{"content": "The answer is wrong."}}, {{"content": "{text}"}}]}}"#)
    };
    let results = folder(&[]);
    let at = results.path();
    for (name, text) in [
        ("correct", "I find: The answer is correct."),
        ("near", "The answer is approximated but should be correct."),
        ("wrong", "The answer is incorrect."),
    ] {
        trial(at, &format!("{name}/0"), Cause::Completed, 1.0, "");
        put(at, &format!("{name}/0/checker_messages.json"), said(text));
    }
    trial(at, "silent/0", Cause::Completed, 1.0, "");
    let table = tabulate(at, Scorer::Math).expect("read");
    assert_eq!(passed(&table), ["correct", "near"]);
    assert_eq!((table.totals.failed, table.totals.missing), (1, 1));
}

/// What the original would take for missing or complete, by its own results.
#[test]
fn recorded_crashes_and_cut_off_trials_are_told_apart() {
    let Some(recorded) = reference("recorded") else {
        return;
    };
    let table = tabulate(&recorded.join("v003-docker/Results/mini"), Scorer::Markers).expect("read");
    let crash = table.rows.iter().find(|row| row.instance == "dir_crash").expect("a row");
    assert_eq!((crash.trials[0].cause, crash.trials[0].exit_code), (Some(Cause::Failed), Some(3)));
    let table = tabulate(&recorded.join("head-docker/Results/mini"), Scorer::Markers).expect("read");
    let cut_off = table.rows.iter().find(|row| row.instance == "file_tmpl").expect("a row");
    assert_eq!(cut_off.trials[1].verdict, Verdict::Missing { why: say!("there is no {CONSOLE_LOG}") });
    assert_eq!((table.totals.trials, table.totals.missing), (10, 5));
}

#[test]
fn text_that_a_spreadsheet_would_run_is_text_in_the_csv() {
    let results = folder(&[]);
    for name in ["=1+2|x", "+t", "-t", "@t", "t,\"=1", "t"] {
        trial(results.path(), &format!("{name}/0"), Cause::Failed, 1.0, "");
    }
    let table = tabulate(results.path(), Scorer::Markers).expect("read");
    let cells: Vec<String> = table
        .to_csv()
        .lines()
        .skip(1)
        .map(|line| line.split(",0,").next().expect("a cell").to_owned())
        .collect();
    let mut wanted = ["'=1+2|x", "'+t", "'-t", "'@t", "\"t,\"\"=1\"", "t"].map(str::to_owned).to_vec();
    let mut found = cells.clone();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    let named = Table::all_to_csv([("=x", &table)]);
    assert!(named.lines().skip(1).all(|line| line.starts_with("'=x,")), "{named}");
}
