//! Attempts of an agent at once. The measuring is done by a test, which has the scripted model and
//! the agent; what it measures is the release build.

use std::time::Duration;

use anyhow::bail;

use super::command::Bench;
use super::figures::figure;
use super::table::{Row, Target};
use crate::command;

/// Seconds that all tasks may take.
const MOST: f64 = 60.0;
/// All of it, building the test included.
const LIMIT: Duration = Duration::from_secs(1800);

/// All published tasks by the agent of the tests, eight in flight, with a model that takes 200 ms a
/// call.
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
    Some(if unit == "s" { row.target(Target::AtMost(MOST)) } else { row })
}
