//! Benchmark of the model gateway. The gateway's tests measure it; an ordinary test run makes fewer
//! calls.

use std::time::Duration;

use anyhow::bail;

use super::command::Bench;
use super::figures::figure;
use super::table::{Row, Target};
use crate::command;

/// Number of calls for the measurement of memory.
const CALLS: u32 = 10_000;
/// Time limit of the whole benchmark, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1800);
/// Beginning of a figure's name, and the target of the figure.
const TARGETS: [(&str, f64); 4] = [
    ("first word", 20.0),
    ("200 streams", 2000.0),
    ("a call", 3.0),
    // The memory must not grow per call, which would add up to hundreds of MiB.
    ("memory", 4.0),
];

/// Measures time to the first token, many concurrent streams, memory, and time per call.
pub(super) fn costs(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let mut cargo = command::cargo(&bench.checkout.root);
    cargo
        .args(["nextest", "run", "--package", "koab-gateway", "--test", "gateway"])
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

/// Returns a row for a line in the form `figure: NAME: 1.5 ms`; `None` for other lines.
fn row(line: &str) -> Option<Row> {
    let (name, value, unit) = figure(line)?;
    let row = Row::new(name, value, unit);
    let target = TARGETS.iter().find(|(start, _)| name.starts_with(start));
    Some(match target {
        Some((_, most)) => row.target(Target::AtMost(*most)),
        None => row,
    })
}
