//! Chance for tests that must hold at any moment.
#![allow(
    clippy::print_stdout,
    reason = "the seed is for whoever reads a failed test's output"
)]

use std::hash::{BuildHasher as _, Hasher as _};

/// Numbers that differ from run to run; the seed is shown when a test fails.
pub struct Dice(u64);

impl Dice {
    pub fn new() -> Self {
        let drawn = || {
            std::collections::hash_map::RandomState::new()
                .build_hasher()
                .finish()
        };
        let given = std::env::var("KOAB_TEST_SEED").ok();
        let seed = given.map_or_else(drawn, |seed| seed.parse().expect("KOAB_TEST_SEED is a number")) | 1;
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
