//! Set of attempts or texts, one bit each.

/// Set of ids below a fixed size.
#[derive(Clone, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Empty set for ids below `size`.
    pub(super) fn none(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    /// Adds an id. Ids beyond the size are ignored: another process added them meanwhile.
    pub(super) fn add(&mut self, id: usize) {
        if let Some(word) = self.0.get_mut(id / 64) {
            *word |= 1 << (id % 64);
        }
    }

    pub(super) fn has(&self, id: usize) -> bool {
        self.0.get(id / 64).is_some_and(|word| word & (1 << (id % 64)) != 0)
    }

    pub(super) fn and(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    pub(super) fn or(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Removes the ids of another set.
    pub(super) fn without(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}
