//! Benchmark of 10,000 histories of runs: kills at any write, several workers, torn and doubled
//! lines, merges in any order. Tests of `koab-runs` make them, 800 in an ordinary test run.

use std::process::Command;
use std::time::{Duration, Instant};

use super::command::Bench;
use super::table::{Row, Target};
use crate::command;

/// Name of this benchmark.
pub(super) const NAME: &str = "histories";
/// Number of kinds of histories. Each kind is a test.
const KINDS: u32 = 4;
/// Number of histories of each kind.
const HISTORIES_PER_KIND: u32 = 2_500;
/// Time limit of all histories, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1800);

/// Runs all histories, and measures whether all of them pass and how long they take.
pub(super) fn many(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    command::succeed(nextest(bench).arg("--no-run"))?;
    let start = Instant::now();
    let watched =
        command::watch(nextest(bench).env("KOAB_HISTORIES", HISTORIES_PER_KIND.to_string()), LIMIT)?;
    let took = start.elapsed();
    let histories = KINDS * HISTORIES_PER_KIND;
    Ok(vec![
        Row::new(
            format!("{histories} histories, each held to the end of an undisturbed run"),
            f64::from(u8::from(watched.status.success())),
            "",
        )
        .target(Target::AtLeast(1.0)),
        Row::new(format!("{histories} histories"), took.as_secs_f64(), "s").target(Target::AtMost(60.0)),
    ])
}

fn nextest(bench: &Bench<'_>) -> Command {
    let mut cargo = command::cargo(&bench.checkout.root);
    cargo
        .args(["nextest", "run", "--package", "koab-runs", "--lib"])
        .args(["--release", "--profile", "long"])
        .args(["--filterset", "test(/^runs::histories::/)"]);
    cargo
}
