//! How many tests there are at the least. A filter that matches nothing, a file that is no longer compiled, a script
//! that ends early all look like success; here they do not.
//!
//! Who takes tests away lowers the number with them; who adds many may raise it. It counts what passed, failed or was
//! skipped with a reason.

use std::collections::BTreeMap;

use crate::binaries::Selection;

/// Steps that are more than one check: with the reference data, and without.
const STEPS: [(&str, usize, usize); 5] = [
    ("ui-test", 370, 370),
    ("rust-test", 900, 900),
    ("doctest", 3, 3),
    ("e2e", 690, 590),
    ("window", 16, 16),
];

/// The Rust tests of each crate: with everything, and without models inside the application (and the window).
const CRATES: [(&str, usize, usize); 29] = [
    ("koab-agents", 4, 4),
    ("koab-analysis", 65, 65),
    ("koab-api", 25, 25),
    ("koab-cli", 224, 170),
    ("koab-cluster", 4, 4),
    ("koab-core", 119, 119),
    ("koab-desktop", 4, 0),
    ("koab-engine", 50, 50),
    ("koab-benchmarks", 52, 52),
    ("koab-bundle", 7, 7),
    ("koab-exchange", 17, 17),
    ("koab-hub", 1, 1),
    ("koab-keys", 16, 16),
    ("koab-local", 165, 0),
    ("koab-mcp", 11, 11),
    ("koab-models", 9, 5),
    ("koab-otlp", 2, 2),
    ("koab-packs", 13, 13),
    ("koab-providers", 133, 133),
    ("koab-recorder", 9, 9),
    ("koab-report", 67, 67),
    ("koab-runs", 18, 16),
    ("koab-sandbox", 109, 109),
    ("koab-scenarios", 16, 16),
    ("koab-serve", 15, 12),
    ("koab-store", 104, 104),
    ("koab-tiny", 3, 3),
    ("koab-workspace", 17, 17),
    ("xtask", 42, 42),
];

/// The fewest tests of this step.
pub(super) fn fewest(step: &str, with_reference: bool) -> usize {
    let known = STEPS.iter().find(|(name, ..)| *name == step);
    known.map_or(
        1,
        |(_, with, without)| if with_reference { *with } else { *without },
    )
}

/// One sentence for each crate that has fewer tests than it is known to have.
pub(super) fn lost(crates: &BTreeMap<String, usize>, selection: Selection) -> Vec<String> {
    let mut sentences = Vec::new();
    for (name, least, without_models) in CRATES {
        let least = match selection {
            Selection::Everything => least,
            Selection::WithoutWindow if name == "koab-desktop" => 0,
            Selection::WithoutWindow => least,
            Selection::WithoutModels => without_models,
        };
        let found = crates.get(name).copied().unwrap_or(0);
        if found < least {
            sentences.push(format!("{name} has {found} tests of at least {least}"));
        }
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_whose_tests_are_gone_is_named() {
        let mut crates: BTreeMap<String, usize> = CRATES
            .iter()
            .map(|(name, least, _)| ((*name).to_owned(), *least))
            .collect();
        assert!(lost(&crates, Selection::Everything).is_empty());
        crates.remove("koab-desktop");
        assert!(lost(&crates, Selection::WithoutWindow).is_empty());
        crates.insert("koab-core".to_owned(), 3);
        let sentences = lost(&crates, Selection::WithoutWindow);
        assert!(
            sentences.len() == 1 && sentences[0].starts_with("koab-core has 3 tests"),
            "{sentences:?}"
        );
        assert!(lost(&crates, Selection::Everything)[1].starts_with("koab-desktop has 0"));
    }
}
