//! Sign-flip permutation test: if the two reports were alike, each task's difference could as well
//! have the other sign.
//!
//! The statistic is the sum of the tasks' contributions to the difference. With few differences,
//! every assignment of signs is counted. With many differences, assignments are drawn at random,
//! and the p value is (b + 1) / (n + 1), since the observed assignment counts as one of them
//! (Phipson and Smyth 2010).

use super::PairTestKind;
use koab_core::split_mix::SplitMix;

/// Maximum number of differences for the exact test. It counts 2²⁴ assignments of signs, as sums of
/// two halves.
pub const ALL_UP_TO: usize = 24;
/// Share of the sum of all differences below which two sums count as equal, because of rounding.
const ROUNDING: f64 = 1e-12;
/// Number of differences that one look-up in a table covers.
const TABLE_DIFFERENCES: usize = 8;

/// Two-sided p value of a sum of differences, with the kind of the test. The p value is 1 without
/// differences.
pub fn p_value(differences: &[f64], seed: u64, draws: usize) -> (f64, PairTestKind) {
    let some: Vec<f64> = differences.iter().copied().filter(|one| *one != 0.0).collect();
    if some.len() <= ALL_UP_TO {
        (all(&some), PairTestKind::FlipsAll)
    } else {
        (drawn(&some, seed, draws), PairTestKind::FlipsDrawn)
    }
}

/// Smallest absolute sum that counts as at least as large as the observed sum.
fn bound(differences: &[f64]) -> f64 {
    let sum: f64 = differences.iter().sum();
    let size: f64 = differences.iter().map(|one| one.abs()).sum();
    sum.abs() - ROUNDING * size
}

fn all(differences: &[f64]) -> f64 {
    let bound = bound(differences);
    let (one, other) = differences.split_at(differences.len() / 2);
    let (ones, mut others) = (sums(one), sums(other));
    others.sort_by(f64::total_cmp);
    let as_large: usize = ones
        .iter()
        .map(|sum| {
            let above = others.len() - others.partition_point(|other| sum + other < bound);
            let below = others.partition_point(|other| sum + other <= -bound);
            // With a bound of 0 the same sums would count on both sides.
            (above + below).min(others.len())
        })
        .sum();
    as_large as f64 / (ones.len() * others.len()) as f64
}

/// Sum under every assignment of signs. A set bit of the index means an unchanged sign.
fn sums(differences: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for one in differences {
        let unflipped: Vec<f64> = sums.iter().map(|sum| sum + one).collect();
        for sum in &mut sums {
            *sum -= one;
        }
        sums.extend(unflipped);
    }
    sums
}

fn drawn(differences: &[f64], seed: u64, draws: usize) -> f64 {
    let bound = bound(differences);
    let tables: Vec<Vec<f64>> = differences.chunks(TABLE_DIFFERENCES).map(sums).collect();
    let mut random = SplitMix(seed);
    let mut as_large = 0;
    for _ in 0..draws {
        let mut sum = 0.0;
        for tables in tables.chunks(TABLE_DIFFERENCES) {
            let bytes = random.next_bits().to_le_bytes();
            for (table, byte) in tables.iter().zip(bytes) {
                // A last table of fewer differences has fewer entries, all equally likely.
                sum += table[usize::from(byte) % table.len()];
            }
        }
        as_large += usize::from(sum.abs() >= bound);
    }
    (as_large + 1) as f64 / (draws + 1) as f64
}
