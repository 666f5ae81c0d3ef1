//! Benchmark of concurrent attempts of an agent. A test measures them with the release build,
//! because the tests have the scripted model and the agent.

use std::time::Duration;

use anyhow::bail;

use super::command::Bench;
use super::figures::figure;
use super::table::{Row, Target};
use crate::command;

/// Target for the time of all tasks, in seconds.
const MAX_SECONDS: f64 = 60.0;
/// Time limit of the whole benchmark, including the build of the test.
const LIMIT: Duration = Duration::from_secs(1800);

/// Runs all published tasks with the agent of the tests, eight tasks at once. The model takes 200
/// ms per call.
pub(super) fn at_once(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let mut cargo = command::cargo(&bench.checkout.root);
    cargo
        .args(["nextest", "run", "--package", "koab-cli", "--test", "all"])
        .args(["--profile", "long", "--no-capture"])
        .args(["--filterset", "test(/^agents::figures::/)"])
        .env("KOAB_FIGURES_OF", &bench.koab);
    let watched = command::watch(&mut cargo, LIMIT)?;
    let rows: Vec<Row> = watched.lines.iter().filter_map(|line| row(line)).collect();
    if rows.is_empty() {
        bail!("the test has told no figure");
    }
    Ok(rows)
}

fn row(line: &str) -> Option<Row> {
    let (name, value, unit) = figure(line)?;
    let row = Row::new(name, value, unit);
    Some(if unit == "s" { row.target(Target::AtMost(MAX_SECONDS)) } else { row })
}
