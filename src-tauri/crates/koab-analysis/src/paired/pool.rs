//! Holm's correction over the pairs that are shown together.
//!
//! A family contains all figures of one kind (all metrics, or all levels' scores) of all these
//! pairs. Each composite reading is a family of its own, since the readings are the same number
//! under different rules, and a reader uses only one of them.

use super::{Family, PairTest, PairTests, row};
use std::collections::BTreeSet;

/// Corrects the p values of each family over all these pairs.
pub fn correct_together(pairs: &mut [PairTests]) {
    for family in [Family::Metrics, Family::Levels, Family::Common] {
        row::correct(tests(pairs, family));
    }
    let readings: BTreeSet<Option<String>> =
        tests(pairs, Family::Composites).map(|test| test.variant.clone()).collect();
    for reading in readings {
        row::correct(tests(pairs, Family::Composites).filter(|test| test.variant == reading));
    }
}

fn tests(pairs: &mut [PairTests], family: Family) -> impl Iterator<Item = &mut PairTest> {
    let families = pairs.iter_mut().flat_map(|pair| &mut pair.families);
    let families = families.filter(move |one| one.family == family);
    families.flat_map(|one| &mut one.tests)
}
