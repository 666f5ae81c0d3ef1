//! Dice that give the same numbers for the same seed, on every machine and in every version.
//!
//! They use `SplitMix64` over an FNV-1a hash: a run with `baseline/random` must be repeatable years
//! later, which general random number crates do not guarantee across versions. They must not be
//! used for secrets.

use koab_core::split_mix::SplitMix;

/// A seeded random number generator.
#[derive(Debug)]
pub(super) struct Dice(SplitMix);

impl Dice {
    /// Dice for one step of an attempt.
    pub(super) fn new(seed: u64, task: &str, repetition: u32, step: u32) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let place = [seed.to_le_bytes(), u64::from(repetition).to_le_bytes(), u64::from(step).to_le_bytes()];
        for byte in place.as_flattened().iter().chain(task.as_bytes()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Dice(SplitMix(hash))
    }

    /// A number in `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f64 {
        (self.0.next_bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns true with the given probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Picks an element of a list at random. `None` if the list is empty.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get((self.unit() * from.len() as f64) as usize)
    }

    /// A random whole number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.unit() * (high.saturating_sub(low).saturating_add(1)).max(1) as f64) as i64
    }
}
