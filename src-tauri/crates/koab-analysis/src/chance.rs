//! Draws from a fixed random generator. The same seed gives the same numbers on every machine.

use koab_core::split_mix::SplitMix;

/// Random number from 0 up to (but not including) 1, from the upper 53 bits.
pub fn unit(mix: &mut SplitMix) -> f64 {
    (mix.next_bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// Draws whether an event of this probability happens.
pub fn is_hit(mix: &mut SplitMix, probability: f64) -> bool {
    unit(mix) < probability
}

/// Standard normal number (Box, Muller 1958).
pub fn normal(mix: &mut SplitMix) -> f64 {
    let radius = (-2.0 * (1.0 - unit(mix)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(mix)).cos()
}

/// The numbers below `count` in random order (Fisher, Yates).
pub fn order(mix: &mut SplitMix, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, mix.below(at + 1));
    }
    order
}
