//! 10,000 histories of runs: kills at any write, several workers, torn and doubled lines, merges in
//! any order. Tests of `koab-runs` make them, and 800 otherwise.

use std::process::Command;
use std::time::{Duration, Instant};

use super::command::Bench;
use super::table::{Row, Target};
use crate::command;

/// The name of this benchmark.
pub(super) const NAME: &str = "histories";
/// The kinds of histories, each of which is a test.
const KINDS: u32 = 4;
/// Histories of each kind.
const OF_EACH: u32 = 2_500;
/// All of them, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1800);

/// Whether what must hold of each does, and how long all take.
pub(super) fn many(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    command::succeed(nextest(bench).arg("--no-run"))?;
    let begun = Instant::now();
    let watched = command::watch(nextest(bench).env("KOAB_HISTORIES", OF_EACH.to_string()), LIMIT)?;
    let took = begun.elapsed();
    let histories = KINDS * OF_EACH;
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
