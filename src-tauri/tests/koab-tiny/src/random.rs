//! Random numbers that are the same everywhere: integers, and one multiplication of a float.

use koab_core::split_mix::SplitMix;

/// A stream of random bits.
pub(crate) struct Random(SplitMix);

impl Random {
    /// The stream of a tensor: other for every seed and name, so that one tensor's numbers do not hang on another's size.
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        // FNV-1a.
        let named = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut random = Self(SplitMix(named ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        random.0.next_bits();
        random
    }

    /// A number around 0 with the given standard deviation: the sum of four even ones, near enough to a bell.
    pub(crate) fn around_zero(&mut self, deviation: f32) -> f32 {
        let bits = self.0.next_bits();
        let sum: i32 = (0..4).map(|part| i32::from((bits >> (16 * part)) as u16)).sum();
        // Four even numbers below 2^16 have the deviation 2^16 / sqrt(3) = 37837.
        (sum - 2 * 65_535) as f32 * (deviation / 37_837.0)
    }
}
