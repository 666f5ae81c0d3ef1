//! What the model gateway costs: the measuring is done by tests of it, which ask for fewer calls
//! otherwise.

use std::time::Duration;

use anyhow::bail;

use super::command::Bench;
use super::figures::figure;
use super::table::{Row, Target};
use crate::command;

/// Calls over which memory is watched.
const CALLS: u32 = 10_000;
/// All of it, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1800);
/// What a figure's name begins with, and what it may be at most.
const TARGETS: [(&str, f64); 4] = [
    ("first word", 20.0),
    ("200 streams", 2000.0),
    ("a call", 3.0),
    // Nothing of it is a call's: that would be hundreds of MiB.
    ("memory", 4.0),
];

/// Time to the first word, many streams at once, memory, time a call.
pub(super) fn costs(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let mut cargo = command::cargo(&bench.checkout.root);
    cargo
        .args(["nextest", "run", "--package", "koab-scenarios", "--test", "gateway"])
        .args(["--release", "--profile", "long", "--no-capture", "--no-fail-fast"])
        .args(["--filterset", "test(/^figures::/)"])
        .env("KOAB_TEST_CALLS", CALLS.to_string());
    let watched = command::watch(&mut cargo, LIMIT)?;
    let rows: Vec<Row> = watched.lines.iter().filter_map(|line| row(line)).collect();
    if rows.is_empty() {
        bail!("the tests have told no figures");
    }
    Ok(rows)
}

/// The row of a line such as `figure: NAME: 1.5 ms`.
fn row(line: &str) -> Option<Row> {
    let (name, value, unit) = figure(line)?;
    let row = Row::new(name, value, unit);
    let target = TARGETS.iter().find(|(begin, _)| name.starts_with(begin));
    Some(match target {
        Some((_, most)) => row.target(Target::AtMost(*most)),
        None => row,
    })
}
