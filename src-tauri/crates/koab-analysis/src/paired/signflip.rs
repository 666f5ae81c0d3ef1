//! The sign-flip permutation test: were the two reports alike, each task's difference could as well
//! have the other sign.
//!
//! The statistic is the sum of what the tasks add to the difference. With few differences every
//! assignment of signs is counted; with many, assignments are drawn, and the p value is (b + 1) /
//! (n + 1), since the one that was seen is one of them (Phipson and Smyth 2010).

use super::PairTestKind;
use koab_core::split_mix::SplitMix;

/// Differences up to which every assignment is counted: 2²⁴ of them, as sums of two halves.
pub const ALL_UP_TO: usize = 24;
/// Sums that differ by less than this share of all differences are the same but for rounding.
const ROUNDING: f64 = 1e-12;
/// Differences that are looked up at once.
const BYTE: usize = 8;

/// The two-sided p value of a sum of differences. Without any it is 1.
pub fn p_value(differences: &[f64], seed: u64, draws: usize) -> (f64, PairTestKind) {
    let some: Vec<f64> = differences.iter().copied().filter(|one| *one != 0.0).collect();
    if some.len() <= ALL_UP_TO {
        (all(&some), PairTestKind::FlipsAll)
    } else {
        (drawn(&some, seed, draws), PairTestKind::FlipsDrawn)
    }
}

/// How large a sum must be to count as large as the one that was seen.
fn bound(differences: &[f64]) -> f64 {
    let seen: f64 = differences.iter().sum();
    let size: f64 = differences.iter().map(|one| one.abs()).sum();
    seen.abs() - ROUNDING * size
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
            // A bound of 0 is met from both sides by the same sums.
            (above + below).min(others.len())
        })
        .sum();
    as_large as f64 / (ones.len() * others.len()) as f64
}

/// The sum under every assignment of signs; the bits of the place are the signs that are kept.
fn sums(differences: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for one in differences {
        let kept: Vec<f64> = sums.iter().map(|sum| sum + one).collect();
        for sum in &mut sums {
            *sum -= one;
        }
        sums.extend(kept);
    }
    sums
}

fn drawn(differences: &[f64], seed: u64, draws: usize) -> f64 {
    let bound = bound(differences);
    let tables: Vec<Vec<f64>> = differences.chunks(BYTE).map(sums).collect();
    let mut random = SplitMix(seed);
    let mut as_large = 0;
    for _ in 0..draws {
        let mut sum = 0.0;
        for tables in tables.chunks(BYTE) {
            let bytes = random.next_bits().to_le_bytes();
            for (table, byte) in tables.iter().zip(bytes) {
                // A last table of fewer differences has fewer places, of which each is as likely.
                sum += table[usize::from(byte) % table.len()];
            }
        }
        as_large += usize::from(sum.abs() >= bound);
    }
    (as_large + 1) as f64 / (draws + 1) as f64
}
