//! Dice that fall the same way for the same seed, on every machine and in every version.
//!
//! `SplitMix64` over an FNV-1a hash: a run with `baseline/random` must be repeatable years later, which generators of
//! general crates do not promise across versions. Nothing here is fit for secrets.

/// A seeded generator.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// Dice for one place in a run.
    pub(super) fn new(seed: u64, task: &str, repetition: u32, step: u32) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let place = [
            seed.to_le_bytes(),
            u64::from(repetition).to_le_bytes(),
            u64::from(step).to_le_bytes(),
        ];
        for byte in place.as_flattened().iter().chain(task.as_bytes()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Dice(hash)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of these, or `None` when there are none.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get((self.unit() * from.len() as f64) as usize)
    }

    /// A whole number between two, both included.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.unit() * (high.saturating_sub(low).saturating_add(1)).max(1) as f64) as i64
    }
}
