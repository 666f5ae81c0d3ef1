//! Benchmarks of a run that is killed 200 times, and of caps under 200 schedules of kills, workers,
//! sweeps and scorings.
//!
//! Tests of the command line measure them; in an ordinary test run they use smaller numbers.

use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;

use super::command::Bench;
use super::table::{Row, Target};
use crate::command;

/// Number of kills of the run.
const KILLS: u32 = 200;
/// Number of schedules of events for runs under a cap.
const SCHEDULES: u32 = 200;
/// Number of calls in flight at each kill.
const IN_FLIGHT: f64 = 2.0;
/// Time limit of the whole benchmark, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1800);
/// Words after the numbers in the test's output. The test prints one line with all numbers.
const FIGURES: [&str; 5] = ["starts", "attempts,", "steps", "turns,", "answers"];

/// Measures whether the log of the killed run equals that of an undisturbed run, and how many
/// answers the kills lost.
pub(super) fn many(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let mut test = test_of(bench, "interrupted::kills_leave_the_log_of_an_undisturbed_run");
    let watched = command::watch(test.env("KOAB_TEST_KILLS", KILLS.to_string()), LIMIT)?;
    let passed = has_passed(&watched.lines);
    let figures = watched.lines.iter().find_map(|line| figures(line));
    let [_, _, steps, _, answers] = figures.context("the test has told no figures")?;
    Ok(vec![
        Row::new(
            format!("{KILLS} kills, the log that of an undisturbed run"),
            f64::from(u8::from(passed)),
            "",
        )
        .target(Target::AtLeast(1.0)),
        Row::new("answers that a kill threw away", (answers - steps) / f64::from(KILLS), "a kill")
            .target(Target::AtMost(IN_FLIGHT)),
    ])
}

/// Measures the largest excess over a cap, according to the server's count.
pub(super) fn caps(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let mut test = test_of(bench, "caps::no_schedule_of_kills_workers_sweeps_and_scorings_passes_a_cap");
    let watched = command::watch(test.env("KOAB_HISTORIES", SCHEDULES.to_string()), LIMIT)?;
    let above = watched.lines.iter().find_map(|line| {
        let number = line.strip_prefix("at most ")?.strip_suffix(" tokens above a cap")?;
        number.parse::<f64>().ok()
    });
    Ok(vec![
        Row::new(
            format!("{SCHEDULES} schedules of kills, workers, sweeps and scorings, no cap passed"),
            f64::from(u8::from(has_passed(&watched.lines))),
            "",
        )
        .target(Target::AtLeast(1.0)),
        Row::new(
            "most that any spent above its cap",
            above.context("the test has told no figure")?,
            "tokens",
        )
        .target(Target::AtMost(0.0)),
    ])
}

/// Command that runs one test of the command line with the release build.
fn test_of(bench: &Bench<'_>, name: &str) -> Command {
    let mut cargo = command::cargo(&bench.checkout.root);
    cargo
        .args(["nextest", "run", "--package", "koab-cli", "--test", "all"])
        .args(["--release", "--profile", "long", "--no-capture"])
        .args(["--filterset", &format!("test(={name})")])
        .env("KOAB_REQUIRE_ALL", "1");
    cargo
}

fn has_passed(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("test result: ok. 1 passed"))
}

/// Parses the line of the test's output that has all numbers, in the order of [`FIGURES`]; `None`
/// for other lines.
fn figures(line: &str) -> Option<[f64; 5]> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut numbers = [0.0; 5];
    for (number, name) in numbers.iter_mut().zip(FIGURES) {
        let at = words.iter().position(|word| *word == name)?;
        *number = words.get(at.checked_sub(1)?)?.parse().ok()?;
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::figures;

    #[test]
    fn figures_are_read_from_the_line_that_has_them() {
        let line = "180 starts left a mark, 1729 attempts, 4000 steps for 4000 turns, 4120 answers";
        assert_eq!(figures(line), Some([180.0, 1729.0, 4000.0, 4000.0, 4120.0]));
        assert_eq!(figures("running 1 test"), None);
    }
}
