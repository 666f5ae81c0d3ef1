//! Seed and number of what tests draw. A run of the same commit draws the same: `cargo xtask test` sets the seed by the commit
//! where it runs in CI, a fixed one is used elsewhere. `KOAB_TEST_SEED` asks for another one, `KOAB_HISTORIES` for more draws of
//! the tests that can make thousands.
#![forbid(unsafe_code)]

use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

/// The seed where none is given.
const SEED: u64 = 20_261_128;

/// The seed of this run: `KOAB_TEST_SEED`, else proptest's own `PROPTEST_RNG_SEED`, else a fixed one.
///
/// # Panics
/// When `KOAB_TEST_SEED` is not a number.
#[must_use]
pub fn seed() -> u64 {
    match (number("KOAB_TEST_SEED"), Config::default().rng_seed) {
        (Some(seed), _) | (None, RngSeed::Fixed(seed)) => seed,
        (None, RngSeed::Random) => SEED,
    }
}

/// Settings of a property with this many draws. Nothing is written beside the sources: the seed is enough to draw a failure again.
///
/// # Panics
/// As [`seed`].
#[must_use]
pub fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed()),
        failure_persistence: None,
        ..Config::default()
    }
}

/// A runner of long draws: `usual` of them, or as many as `KOAB_HISTORIES` asks for.
///
/// # Panics
/// When `KOAB_HISTORIES` is not a number, or as [`seed`].
#[must_use]
pub fn runner(usual: u32) -> TestRunner {
    let cases = number("KOAB_HISTORIES").map_or(usual, |cases| u32::try_from(cases).unwrap_or(u32::MAX));
    TestRunner::new(Config {
        max_shrink_iters: 4_000,
        // Draws that a test does not want grow with those it wants.
        max_local_rejects: cases.saturating_mul(4).max(Config::default().max_local_rejects),
        ..config(cases)
    })
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}
