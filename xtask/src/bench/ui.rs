//! Benchmarks of the UI in a browser and as a window. Scripts measure the UI and print one JSON
//! object per row.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::command::Bench;
use super::table::{Row, Target};
use crate::setup::{self, Need, browser};
use crate::{binaries, command, ui};

/// Time limit of a script. Making and reading a library of a thousand reports takes a while.
const LIMIT: Duration = Duration::from_secs(600);

/// Measures frames while a large run streams in and while a large library is scrolled, and the time
/// until reports are shown.
pub(super) fn page(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    set_up(bench, &[Need::UiPackages, Need::Browser])?;
    let mut script = Command::new("node");
    script.arg("ui/e2e/bench.mjs").arg(&bench.koab);
    if let Some(shared) = bench.checkout.shared() {
        script.arg(shared);
    }
    script.env("KOAB_UI", bench.checkout.ui().join("dist"));
    script.env("KOAB_CHROMIUM", browser().map_err(anyhow::Error::msg)?);
    rows(bench, &mut script)
}

/// Measures start and memory of the window, compared with a bare window that is built and measured
/// in the same run.
pub(super) fn window(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    set_up(bench, &[Need::UiPackages, Need::WindowBuild, Need::WindowDriver])?;
    let (window, bare) = binaries::build_release_windows(bench.checkout)?;
    let mut script = Command::new("node");
    script.arg("ui/e2e/bench-window.mjs").arg(window).arg(bare).arg(&bench.koab);
    rows(bench, &mut script)
}

fn set_up(bench: &Bench<'_>, needs: &[Need]) -> anyhow::Result<()> {
    if let Some(sentence) = setup::ensure(bench.checkout, needs).first_of(needs) {
        bail!("{sentence}");
    }
    ui::build_if_stale(bench.checkout)
}

fn rows(bench: &Bench<'_>, script: &mut Command) -> anyhow::Result<Vec<Row>> {
    let watched = command::watch(script.current_dir(&bench.checkout.root), LIMIT)?;
    let rows: Vec<Row> = watched
        .lines
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .map(|row| parse(&row))
        .collect::<anyhow::Result<_>>()?;
    if rows.is_empty() || !watched.status.success() {
        bail!("`{}` ended with {}", command::shown(script), watched.status);
    }
    Ok(rows)
}

/// Parses a row that a script prints: name, unit, and a value with its target or a reason.
fn parse(row: &Value) -> anyhow::Result<Row> {
    let name = row["name"].as_str().context("a row without a name")?;
    let Some(value) = row["value"].as_f64() else {
        return Ok(Row::unmeasured(name, row["reason"].as_str().unwrap_or("no reason given")));
    };
    let unit = match row["unit"].as_str() {
        Some("ms") => "ms",
        Some("MiB") => "MiB",
        Some("/s") => "/s",
        Some("%") => "%",
        Some("×") => "×",
        other => bail!("{name}: the table knows no unit {other:?}"),
    };
    let measured = Row::new(name, value, unit);
    Ok(match (row["at_most"].as_f64(), row["at_least"].as_f64()) {
        (Some(limit), _) => measured.target(Target::AtMost(limit)),
        (None, Some(limit)) => measured.target(Target::AtLeast(limit)),
        (None, None) => measured,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::table::render;
    use serde_json::json;

    #[test]
    fn a_scripts_rows_keep_their_targets_and_reasons() {
        let rows = [
            json!({"name": "opens", "value": 120.0, "unit": "ms", "at_most": 100}),
            json!({"name": "frames", "value": 60.0, "unit": "/s", "at_least": 58}),
            json!({"name": "list", "reason": "no data"}),
        ];
        let rows: Vec<Row> = rows.iter().map(|row| parse(row).unwrap()).collect();
        let table = render(&rows);
        assert!(table.contains("≤ 100  OVER") && table.contains("≥ 58.0  ok"), "{table}");
        assert!(table.contains("unmeasured: no data"), "{table}");
        assert!(parse(&json!({"name": "x", "value": 1, "unit": "furlongs"})).is_err());
    }
}
