//! Chance for tests that must hold at any moment.
#![allow(clippy::print_stdout, reason = "the seed is for whoever reads a failed test's output")]

/// Numbers that are the same for a seed (`koab_draws`), which is shown when a test fails.
pub struct Dice(u64);

impl Dice {
    pub fn new() -> Self {
        let seed = koab_draws::seed() | 1;
        println!("KOAB_TEST_SEED={seed}");
        Self(seed)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}
