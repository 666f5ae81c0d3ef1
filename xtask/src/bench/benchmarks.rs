//! Measures the packs of other benchmarks: reading and scoring their items without a model,
//! importing the packs, and running them against a model without latency.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::command::{Bench, koab};
use super::measure::measure;
use super::server::Server;
use super::table::{Row, Target};
use crate::{binaries, command};

/// Name of the benchmark that reads and scores items. It does not need the built command line.
pub(super) const NAME: &str = "items";

/// Limit for the growth of memory from a run's third quarter to its last, in MiB. A run that kept
/// memory for each item would exceed it.
const MAX_GROWTH_MIB: f64 = 4.0;

/// Reads all items of the benchmarks that have replies in the reference data, and scores the
/// replies with the authors' tables under both scorers.
pub(super) fn items(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let program = binaries::build_release_example(bench.checkout, "koab-benchmarks", "scoring")?;
    let mut measured = Vec::new();
    for (name, folder) in packs(bench)? {
        if !folder.join("parity.jsonl").is_file() {
            continue;
        }
        let answer = command::stdout_of(Command::new(&program).arg(&folder))?;
        measured.extend(rows(&name, &answer)?);
    }
    ensure!(!measured.is_empty(), "no benchmark of the reference data has replies");
    Ok(measured)
}

/// Folders of the benchmarks in the reference data, with their names, which are also the names of
/// their packs.
fn packs(bench: &Bench<'_>) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let shared = bench.checkout.shared().context("the reference data is not there (../shared)")?;
    let mut packs = Vec::new();
    for entry in std::fs::read_dir(shared.join("packs"))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            packs.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
    }
    packs.sort();
    ensure!(!packs.is_empty(), "the reference data has no benchmark");
    Ok(packs)
}

/// Imports every benchmark of the reference data and runs all of its items against a scripted model
/// without latency.
pub(super) fn runs(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let script = bench.checkout.root.join("ui/e2e/scriptedServer.mjs");
    let (_server, address) = Server::start(Command::new("node").arg(script))?;
    let mut measured = Vec::new();
    for (name, folder) in packs(bench)? {
        measured.extend(run(bench, &name, &folder, &address)?);
    }
    Ok(measured)
}

fn run(bench: &Bench<'_>, name: &str, folder: &Path, address: &str) -> anyhow::Result<Vec<Row>> {
    let home = bench.checkout.scratch("bench-items")?;
    let folder = folder.display().to_string();
    let imported = measure(&mut koab(bench, home.path(), &["pack", "import", &folder]))?;
    let words = ["run", "--pack", name, "--model", "openai_compat/quick", "--base-url", address];
    let run = measure(&mut koab(bench, home.path(), &words))?;
    let list = koab(bench, home.path(), &["runs", "list", "--json"]).output()?;
    let attempts = attempts_of_only_run(&list.stdout)?;
    let what = format!("{name}, {attempts} items");
    let grown = format!("{what} run, memory of its last quarter over the one before");
    Ok(vec![
        Row::new(format!("{what} imported"), imported.wall.as_secs_f64(), "s").target(Target::AtMost(2.0)),
        Row::new(format!("{what} run, a model without latency"), run.wall.as_secs_f64(), "s")
            .target(Target::AtMost(20.0)),
        match run.peak_rss_mib() {
            Ok(mib) => Row::new(format!("{what} run, peak memory"), mib, "MiB"),
            Err(reason) => Row::unmeasured(format!("{what} run, peak memory"), reason),
        },
        match run.own_growth_mib() {
            Ok(mib) => Row::new(grown, mib, "MiB").target(Target::AtMost(MAX_GROWTH_MIB)),
            Err(reason) => Row::unmeasured(grown, reason),
        },
    ])
}

/// Number of attempts of the only run of a workspace. An incomplete run is an error.
fn attempts_of_only_run(runs: &[u8]) -> anyhow::Result<u64> {
    let runs: Value = serde_json::from_slice(runs).context("the list of runs is not JSON")?;
    let [run] = runs.as_array().context("the list of runs is none")?.as_slice() else {
        anyhow::bail!("there is not one run: {runs}");
    };
    ensure!(run["complete"] == true, "the run is not complete: {run}");
    let levels = run["levels"].as_array().context("the run has no groups")?;
    Ok(levels.iter().filter_map(|level| level["tasks"].as_u64()).sum())
}

/// Returns the rows for the scoring program's output. Without replies this is an error, because the
/// program would have scored a made-up call for every item.
fn rows(name: &str, answer: &str) -> anyhow::Result<Vec<Row>> {
    let result: Value = serde_json::from_str(answer).context("the scoring's answer is not JSON")?;
    let of = |field: &str| {
        let value = result[field].as_f64();
        value.with_context(|| format!("the scoring's answer has no `{field}`"))
    };
    let items = of("items")?;
    let replied = of("replied")?;
    ensure!(
        replied > 0.0,
        "none of the {items} items of {name} has a reply in the reference data (packs/{name}/parity.jsonl)"
    );
    let row = |what: &str, field: &str| -> anyhow::Result<Row> {
        let what = format!("{name}, {items} items {what}");
        Ok(Row::new(what, of(field)?, "s").target(Target::AtMost(0.5)))
    };
    Ok(vec![
        row("read", "read_s")?,
        row("scored, published rules", "published_s")?,
        row("scored, corrected rules", "corrected_s")?,
    ])
}

#[cfg(test)]
mod tests {
    use super::rows;
    use serde_json::json;

    #[test]
    fn a_scoring_of_no_replies_is_no_measure() {
        let answer = |replied: u32| {
            let answer = json!({"items": 3641, "replied": replied, "read_s": 0.3, "published_s": 0.04, "corrected_s": 0.05});
            rows("some", &answer.to_string())
        };
        assert_eq!(answer(2000).unwrap().len(), 3);
        assert!(answer(0).is_err_and(|error| error.to_string().contains("has a reply")));
    }
}
