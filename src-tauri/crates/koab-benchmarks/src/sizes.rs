//! Number of items of a pack, by group.

use crate::item::Item;
use koab_core::measured::Measured;
use koab_core::say;
use std::collections::HashMap;

/// Number of items by the names of their groups.
///
/// These numbers show whether a figure covers all items of a group; otherwise it is not the
/// authors' figure.
#[derive(Clone, Debug, Default)]
pub struct GroupSizes(HashMap<Vec<String>, usize>);

impl GroupSizes {
    /// Counts the given items.
    pub fn count<'a>(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let mut sizes = HashMap::new();
        for item in items {
            *sizes.entry(item.groups.clone()).or_default() += 1;
        }
        Self(sizes)
    }

    /// Number of items whose groups begin with the given ones.
    pub fn below(&self, outer: &[&str]) -> usize {
        let inside = |group: &[String]| {
            group.len() >= outer.len() && group.iter().zip(outer).all(|(name, outer)| name == outer)
        };
        let own = self.0.iter().filter(|(group, _)| inside(group));
        own.map(|(_, size)| size).sum()
    }
}

/// Returns an error if fewer items were answered than the pack has, so that the figure is left out.
pub(crate) fn all_answered(answered: usize, items: usize) -> Measured<()> {
    if answered < items {
        return Err(say!("{answered} of {items} items were answered"));
    }
    Ok(())
}
