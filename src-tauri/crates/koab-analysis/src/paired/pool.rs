//! Holm's correction over the pairs that are shown together.
//!
//! A family is all figures of a kind (all metrics, all levels' scores) of all these pairs. Readings
//! of the composite are one number under several rules, so each reading is a family by itself: a
//! reader of one does not pay for the others.

use super::{Family, PairTest, PairTests, row};
use std::collections::BTreeSet;

/// Corrects each family over all these pairs.
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
