//! A pseudo-random number generator for draws that must be the same every time and on every
//! machine.

/// The generator `SplitMix64` (Steele, Lea, Flood 2014) with its current state.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random number below `bound`. The bias of the multiplication is under 2⁻⁵⁰ for any number
    /// of tasks.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_bits()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the generator's reference implementation from the seed 1234567.
    #[test]
    fn it_is_the_published_generator() {
        let mut mix = SplitMix(1_234_567);
        let first = [(); 3].map(|()| mix.next_bits());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
