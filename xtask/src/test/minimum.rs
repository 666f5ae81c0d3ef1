//! Minimum number of tests of each step and crate. Without it, a filter that matches nothing, a
//! file that is no longer compiled, or a script that ends early would look like success.
//!
//! The numbers are in `xtask/minimum.tsv`. Each is nine tenths of the number in the last run of all
//! steps, and `cargo xtask test --write-minimum` writes them. Passed, failed and skipped tests
//! count.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Context as _;

use super::times::{self, Kind, TestRun};
use crate::binaries::Selection;
use crate::checkout::Checkout;
use crate::out;

const FILE: &str = "xtask/minimum.tsv";
const NUMBERS: &str = include_str!("../../minimum.tsv");
const HEADER: &str =
    "# Fewest tests of each step and crate; written by `cargo xtask test --write-minimum`.\n";

/// Steps with tests that need the reference data, and the maximum number of such tests.
const WITH_REFERENCE: [(&str, usize); 1] = [("e2e", 140)];
/// Crates that have fewer tests without models inside the application, each with the maximum
/// difference.
const WITH_MODELS: [(&str, usize); 4] =
    [("koab-cli", 60), ("koab-local", usize::MAX), ("koab-models", 5), ("koab-runs", 3)];
/// Name of the crate that is compiled only with the window.
const WINDOW: &str = "koab-desktop";

/// Minimum number of tests of a step.
pub(super) fn fewest(step: &str, with_reference: bool) -> usize {
    let row = numbers().find(|(kind, name, _)| *kind == "step" && *name == step);
    let fewest = row.map_or(1, |(.., fewest)| fewest);
    let needing = WITH_REFERENCE.iter().find(|(name, _)| *name == step && !with_reference);
    fewest.saturating_sub(needing.map_or(0, |(_, tests)| *tests)).max(1)
}

/// Returns one sentence about each crate that has fewer tests than its minimum.
pub(super) fn violations(crates: &BTreeMap<String, usize>, selection: Selection) -> Vec<String> {
    let mut sentences = Vec::new();
    for (_, name, fewest) in numbers().filter(|(kind, ..)| *kind == "crate") {
        let fewest = match selection {
            Selection::WithoutWindow | Selection::WithoutModels if name == WINDOW => 0,
            Selection::Everything | Selection::WithoutWindow => fewest,
            Selection::WithoutModels => {
                let needing = WITH_MODELS.iter().find(|(known, _)| *known == name);
                fewest.saturating_sub(needing.map_or(0, |(_, tests)| *tests))
            }
        };
        let tests = crates.get(name).copied().unwrap_or(0);
        if tests < fewest {
            sentences.push(format!("{name} has {tests} tests of at least {fewest}"));
        }
    }
    sentences
}

/// Writes minimum numbers from the last run of all steps.
///
/// # Errors
/// When no whole run is stored, or the file cannot be written.
pub(super) fn write(checkout: &Checkout) -> anyhow::Result<()> {
    let run = times::last_whole()?;
    std::fs::write(checkout.root.join(FILE), text(&run)).with_context(|| format!("cannot write {FILE}"))?;
    out::line(format_args!("{FILE} has nine tenths of the tests of {}", run.commit));
    Ok(())
}

fn text(run: &TestRun) -> String {
    let mut numbers: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for row in &run.rows {
        match row.kind {
            Kind::Step => *numbers.entry(("step", &row.name)).or_default() += row.tests,
            Kind::Rust => {
                let name = row.name.split([':', ' ']).next().unwrap_or_default();
                *numbers.entry(("crate", name)).or_default() += row.tests;
            }
            Kind::Ui | Kind::Story => {}
        }
    }
    let mut text = HEADER.to_owned();
    for ((kind, name), tests) in numbers {
        // A step with one test has the minimum 1.
        let fewest = (tests * 9 / 10).max(1);
        let _ = writeln!(text, "{kind}\t{name}\t{fewest}");
    }
    text
}

fn numbers() -> impl Iterator<Item = (&'static str, &'static str, usize)> {
    NUMBERS.lines().filter_map(|line| {
        let mut cells = line.split('\t');
        Some((cells.next()?, cells.next()?, cells.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::times::Timed;

    #[test]
    fn a_crate_whose_tests_are_gone_is_named() {
        let mut crates: BTreeMap<String, usize> = numbers()
            .filter(|(kind, ..)| *kind == "crate")
            .map(|(_, name, fewest)| (name.to_owned(), fewest))
            .collect();
        assert!(crates.len() > 25, "{crates:?}");
        assert!(violations(&crates, Selection::Everything).is_empty());
        crates.remove(WINDOW);
        assert!(violations(&crates, Selection::WithoutWindow).is_empty());
        crates.insert("koab-core".to_owned(), 3);
        let sentences = violations(&crates, Selection::WithoutWindow);
        assert!(sentences.len() == 1 && sentences[0].starts_with("koab-core has 3 tests"), "{sentences:?}");
        assert!(violations(&crates, Selection::Everything)[1].starts_with("koab-desktop has 0"));
    }

    #[test]
    fn nine_tenths_of_a_run_are_written() {
        let mut run = TestRun { commit: "c".to_owned(), is_whole: true, rows: Vec::new() };
        for number in 0..20 {
            run.rows.push(Timed::test(Kind::Rust, format!("koab-core::all a::{number}"), 0.1));
            run.rows.push(Timed::test(Kind::Ui, format!("a.test.ts {number}"), 0.1));
        }
        for (name, tests) in [("e2e", 30), ("fmt", 1)] {
            run.rows.push(Timed { kind: Kind::Step, name: name.to_owned(), seconds: 1.0, tests });
        }
        assert_eq!(text(&run), format!("{HEADER}crate\tkoab-core\t18\nstep\te2e\t27\nstep\tfmt\t1\n"));
    }
}
