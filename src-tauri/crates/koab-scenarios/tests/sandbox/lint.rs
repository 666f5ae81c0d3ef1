//! Findings in console logs.

use koab_core::finding::Severity;
use koab_scenarios::lint::{LISTED, lint};
use std::fmt::Write as _;

fn found(log: &str) -> String {
    let mut out = String::new();
    for finding in lint(log) {
        let _ = writeln!(
            out,
            "{:?} {} {}-{}: {}",
            finding.severity,
            finding.code,
            finding.line.unwrap_or_default(),
            finding.line_end.unwrap_or_default(),
            finding.sentence
        );
    }
    out
}

#[test]
fn a_sound_log_has_no_finding() {
    let log = "RUN.SH STARTING !#!#\nSCENARIO.PY STARTING !#!#\nuser (to assistant):\n\n----\n----\n----\n----\n----\n----\n\
               ALL TESTS PASSED !#!#\nSCENARIO.PY COMPLETE !#!#\nRUN.SH COMPLETE !#!#\n";
    assert_eq!(found(log), "");
}

#[test]
fn each_rule_names_its_lines_and_the_gravest_come_first() {
    let log = "RUN.SH STARTING !#!#
ERROR: Could not find a version that satisfies the requirement nothing (from versions: none)
SCENARIO.PY STARTING !#!#
openai.RateLimitError: Error code: 429 - {'error': {'message': 'slow down'}}
  Traceback (most recent call last):
    File \"a.py\", line 1, in <module>
  KeyError: 'caught by the agent'
went on
bad \u{fffd} byte
Traceback (most recent call last):
  File \"scenario.py\", line 3, in <module>
    import nothing
ModuleNotFoundError: No module named 'nothing'
SCENARIO.PY EXITED WITH CODE: 1 !#!#
RUN.SH COMPLETE !#!#
";
    insta::assert_snapshot!(found(log), @r"
    Error pip-failure 2-2: a requirement was not installed
    Error traceback 10-13: an exception: ModuleNotFoundError: No module named 'nothing'
    Error missing-module 13-13: a Python module is missing
    Warning rate-limit 4-4: a model's server refused a call because of a rate limit or a quota
    Warning traceback 5-7: an exception: KeyError: 'caught by the agent'
    Note bad-bytes 9-9: some bytes are not text
    ");
}

#[test]
fn circles_are_found_whatever_their_length() {
    let block = "assistant (to user):\nI will try again.\n\n";
    let line = "The answer could not be verified, so I ask you to search the web again please.";
    let mut log = String::from("start\n");
    log += &block.repeat(6);
    log += &"tick\n".repeat(7);
    for turn in 0..5 {
        let _ = writeln!(log, "{line}\nturn {turn}");
    }
    log += "SCENARIO COMPLETE !#!#\n";
    insta::assert_snapshot!(found(&log), @r"
    Warning loop 2-19: the same 3 lines 6 times in a row
    Warning loop 20-26: the same line 7 times in a row
    Note repetition 27-35: the same long line 5 times
    ");
}

#[test]
fn a_log_that_breaks_off_or_is_empty_is_an_error() {
    assert_eq!(found(""), "Error cut-off 1-1: the log is empty\n");
    assert_eq!(found("a\nb"), "Error cut-off 2-2: the log ends without the end marker\n");
    let killed = lint("Killed\nSCENARIO.PY EXITED WITH CODE: 137 !#!#\nSCENARIO COMPLETE !#!#\n");
    assert!(killed.iter().all(|finding| finding.code == "memory" && finding.severity == Severity::Error));
}

#[test]
fn one_rule_does_not_drown_the_others() {
    let mut log = String::new();
    for call in 0..100 {
        let _ = writeln!(log, "call {call}: Error code: 429");
    }
    log += "SCENARIO COMPLETE !#!#\n";
    let found = lint(&log);
    assert_eq!(found.len(), LISTED + 1);
    assert_eq!(found[LISTED].sentence, "90 more from here on");
}
