//! Holm's correction over several pairs, whose conclusions stand in one list.

use super::{Family, FamilyTests, PairTests, row};

/// Corrects each family over all these pairs; of one pair this changes nothing.
pub fn correct_together(pairs: &mut [PairTests]) {
    for family in [
        Family::Metrics,
        Family::Levels,
        Family::Composites,
        Family::Common,
    ] {
        let tested = row::correct(family_tests(pairs, family).flat_map(|one| &mut one.tests));
        family_tests(pairs, family).for_each(|one| one.tested = tested);
    }
}

fn family_tests(pairs: &mut [PairTests], family: Family) -> impl Iterator<Item = &mut FamilyTests> {
    let families = pairs.iter_mut().flat_map(|pair| &mut pair.families);
    families.filter(move |one| one.family == family)
}
