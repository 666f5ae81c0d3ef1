//! What other benchmarks cost: their items read and scored, without a model.

use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::command::Bench;
use super::table::{Row, Target};
use crate::{binaries, command};

/// Its name.
pub(super) const NAME: &str = "items";

/// All items of every benchmark that the reference data has replies of, read once and scored with the authors' tables by both rules.
pub(super) fn items(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let shared = bench
        .place
        .shared()
        .context("the reference data is not there (../shared)")?;
    let program = binaries::build_release_example(bench.place, "koab-benchmarks", "scoring")?;
    let mut measured = Vec::new();
    for entry in std::fs::read_dir(shared.join("packs"))? {
        let folder = entry?.path();
        if !folder.join("parity.jsonl").is_file() {
            continue;
        }
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let answer = command::stdout_of(Command::new(&program).arg(&folder))?;
        measured.extend(rows(&name, &answer)?);
    }
    ensure!(
        !measured.is_empty(),
        "no benchmark of the reference data has replies"
    );
    Ok(measured)
}

/// What the program measured. Without replies it would have scored one made-up call for every item, which is no measure.
fn rows(name: &str, answer: &str) -> anyhow::Result<Vec<Row>> {
    let found: Value = serde_json::from_str(answer).context("the scoring's answer is not JSON")?;
    let of = |field: &str| {
        let value = found[field].as_f64();
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
