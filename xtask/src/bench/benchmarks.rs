//! What other benchmarks cost: their items read and scored, without a model.

use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::command::Bench;
use super::table::{Row, Target};
use crate::{binaries, command};

/// The benchmark that this file measures.
pub(super) const NAME: &str = "bfcl";

/// All items of BFCL, read once and scored with the authors' tables by both rules.
pub(super) fn bfcl(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let shared = bench
        .place
        .shared()
        .context("the reference data is not there (../shared)")?;
    let program = binaries::build_release_example(bench.place, "koab-benchmarks", "scoring")?;
    let answer = command::stdout_of(Command::new(program).arg(shared.join("packs/bfcl")))?;
    rows(&answer)
}

/// What the program measured. Without replies it would have scored one made-up call for every item, which is no measure.
fn rows(answer: &str) -> anyhow::Result<Vec<Row>> {
    let found: Value = serde_json::from_str(answer).context("the scoring's answer is not JSON")?;
    let of = |name: &str| {
        let value = found[name].as_f64();
        value.with_context(|| format!("the scoring's answer has no `{name}`"))
    };
    let items = of("items")?;
    let replied = of("replied")?;
    ensure!(
        replied > 0.0,
        "none of the {items} items of BFCL has a reply in the reference data (packs/bfcl/parity.jsonl)"
    );
    let row = |what: &str, name: &str| -> anyhow::Result<Row> {
        Ok(Row::new(format!("BFCL, {items} items {what}"), of(name)?, "s").target(Target::AtMost(0.5)))
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
            rows(&answer.to_string())
        };
        assert_eq!(answer(2000).unwrap().len(), 3);
        assert!(answer(0).is_err_and(|error| error.to_string().contains("has a reply")));
    }
}
