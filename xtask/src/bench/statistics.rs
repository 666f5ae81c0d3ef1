//! Error rates and costs of the statistical methods, simulated on the published reports.

use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use super::command::Bench;
use super::table::{Row, Target};
use crate::binaries;

/// Names of the benchmarks in this file.
pub(super) const NAMES: [&str; 4] = ["gate", "across", "adaptive", "ppi"];

/// Simulates 1,000 gates (tests of whether a change made a model worse) each for three candidates:
/// one that equals the baseline, one that is worse by the margin, and one that is worse by twice
/// the margin.
pub(super) fn gate(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let lines = simulate(bench, "gate")?;
    let of = |loss: f64, key: &str| {
        let line = lines.iter().find(|line| line["loss"] == loss);
        let value = line.and_then(|line| line[key].as_f64());
        value.with_context(|| format!("the simulation has no `{key}` of a loss of {loss}"))
    };
    let percent = |value: f64| value * 100.0;
    let mut rows = vec![
        Row::new("gate, failures of an equal", percent(of(0.0, "failures")?), "%")
            .target(Target::AtMost(5.0)),
        Row::new("gate, passes of an equal", percent(of(0.0, "passes")?), "%"),
        Row::new("gate, attempts of an equal", of(0.0, "median_attempts")?, ""),
        Row::new("gate, passes at the margin", percent(of(0.05, "passes")?), "%").target(Target::AtMost(5.0)),
        Row::new("gate, found 10 points", percent(of(0.1, "failures")?), "%").target(Target::AtLeast(80.0)),
        Row::new("the same, attempts of a fixed design", percent(of(0.1, "median_share")?), "%")
            .target(Target::AtMost(60.0)),
    ];
    for line in simulate(bench, "judges")? {
        let of =
            |key: &str| line[key].as_f64().map(percent).with_context(|| format!("no `{key}` of a judge"));
        let judge = line["judge"].as_str().unwrap_or_default();
        rows.push(
            if line["loss"] == 0.0 {
                Row::new(
                    format!("gate, judge says otherwise {judge}, failures of an equal"),
                    of("failures")?,
                    "%",
                )
            } else {
                Row::new(
                    format!("gate, judge says otherwise {judge}, passes at the margin"),
                    of("passes")?,
                    "%",
                )
            }
            .target(Target::AtMost(5.0)),
        );
        if line["loss"] == 0.0 {
            rows.push(Row::new(
                format!("gate, judge says otherwise {judge}, measured"),
                of("mean_flips")?,
                "%",
            ));
        }
    }
    Ok(rows)
}

/// Simulates adaptive runs of each public model, given the reports of the seven other models, with
/// 100 seeds and a target half-width of three points.
pub(super) fn adaptive(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let lines = simulate(bench, "adaptive")?;
    let last = lines.last().context("the simulation says nothing")?;
    let of = |key: &str| last[key].as_f64().with_context(|| format!("the simulation has no `{key}`"));
    Ok(vec![
        Row::new("adaptive, within 3 points", of("near")? * 100.0, "%").target(Target::AtLeast(90.0)),
        Row::new("adaptive, in the interval", of("held")? * 100.0, "%").target(Target::AtLeast(90.0)),
        Row::new("adaptive, tasks of 91, median", of("median")?, "").target(Target::AtMost(60.0)),
    ])
}

/// Simulates 1,000 review queues of 1,000 items with a biased judge. People review 150 items of
/// each queue.
pub(super) fn ppi(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let lines = simulate(bench, "ppi")?;
    let first = lines.first().context("the simulation says nothing")?;
    let of = |key: &str| first[key].as_f64().with_context(|| format!("the simulation has no `{key}`"));
    Ok(vec![
        Row::new("ppi, coverage", of("covered")? * 100.0, "%").target(Target::AtLeast(93.0)),
        Row::new("ppi, coverage of people alone", of("covered_by_people")? * 100.0, "%"),
        Row::new("ppi, width", of("width")? * 100.0, "points"),
        Row::new("ppi, width of people alone", of("width_of_people")? * 100.0, "points"),
    ])
}

/// Simulates 1,000 draws of items from three benchmarks for pairs of models. One pair differs on a
/// fifth of the items, one hardly ever differs, and one is equal.
pub(super) fn across(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let lines = simulate(bench, "across")?;
    let of = |truth: &str, key: &str| {
        let line = lines.iter().find(|line| line["truth"] == truth);
        let value = line.and_then(|line| line[key].as_f64());
        value
            .map(|value| value * 100.0)
            .with_context(|| format!("the simulation has no `{key}` of `{truth}`"))
    };
    let mut rows = Vec::new();
    for (key, weights) in [("item", "by item"), ("benchmark", "by benchmark")] {
        let usual = of("usual", key)?;
        // Both limits matter, because an interval that always contains the truth is useless.
        rows.push(Row::new(format!("across, coverage {weights}"), usual, "%").target(Target::AtLeast(93.0)));
        rows.push(
            Row::new(format!("across, misses {weights}"), 100.0 - usual, "%").target(Target::AtLeast(3.0)),
        );
        let quiet =
            Row::new(format!("across, coverage {weights}, hardly any items differ"), of("quiet", key)?, "%");
        rows.push(quiet.target(Target::AtLeast(93.0)));
        let alarms = of("alike", &format!("alarms_{key}"))?;
        // The target is 5 % plus three standard errors of 1,000 draws.
        let alarms = Row::new(format!("across, differences of an equal {weights}"), alarms, "%");
        rows.push(alarms.target(Target::AtMost(7.0)));
    }
    rows.push(
        Row::new("across, coverage of the strata", of("usual", "strata")?, "%").target(Target::AtLeast(93.0)),
    );
    for line in simulate(bench, "detectable")? {
        let points = |key: &str| line[key].as_f64().map(|value| value * 100.0);
        let discordance = line["discordance"].as_f64().unwrap_or_default();
        let alone = format!("across, found by the 91 tasks alone, discordance {discordance:.3} as seen");
        rows.extend(points("alone").map(|value| Row::new(alone, value, "points")));
        for (key, weights) in [("item", "by item"), ("benchmark", "by benchmark")] {
            let name = format!("across, found by all three {weights}, discordance {discordance} assumed");
            rows.extend(points(key).map(|value| Row::new(name, value, "points")));
        }
    }
    Ok(rows)
}

/// Output of the analysis' simulation program, one JSON object per line.
fn simulate(bench: &Bench<'_>, name: &str) -> anyhow::Result<Vec<Value>> {
    let shared = bench.checkout.shared().context("the reference data is not there (../shared)")?;
    let program = binaries::build_release_example(bench.checkout, "koab-analysis", "statistics")?;
    let output = Command::new(program)
        .arg(name)
        .arg(shared.join("parity/reports"))
        .output()
        .context("cannot start the simulation")?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let lines = lines.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().context("a line is not JSON")
}
