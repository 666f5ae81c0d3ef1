//! What other benchmarks cost: their items read and scored, without a model.

use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use super::command::Bench;
use super::table::{Row, Target};
use crate::binaries;

/// The benchmark that this file measures.
pub(super) const NAME: &str = "bfcl";

/// All items of BFCL, read once and scored with the authors' tables by both rules.
pub(super) fn bfcl(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let shared = bench
        .place
        .shared()
        .context("the reference data is not there (../shared)")?;
    let program = binaries::build_release_example(bench.place, "koab-benchmarks", "scoring")?;
    let output = Command::new(program)
        .arg(shared.join("packs/bfcl"))
        .output()
        .context("cannot start the scoring")?;
    let found: Value = serde_json::from_slice(&output.stdout).context("its answer is not JSON")?;
    let of = |name: &str| {
        let value = found[name].as_f64();
        value.with_context(|| format!("its answer has no `{name}`"))
    };
    let items = of("items")?;
    let row = |what: &str, name: &str| -> anyhow::Result<Row> {
        Ok(Row::new(format!("BFCL, {items} items {what}"), of(name)?, "s").target(Target::AtMost(0.5)))
    };
    Ok(vec![
        row("read", "read_s")?,
        row("scored, published rules", "published_s")?,
        row("scored, corrected rules", "corrected_s")?,
    ])
}
