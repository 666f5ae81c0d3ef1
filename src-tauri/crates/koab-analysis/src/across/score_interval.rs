//! The interval of the difference of two shares of the same items, which holds for few items as well.

use statrs::distribution::{ContinuousCDF, Normal};

/// Steps of the search for an end.
const HALVINGS: usize = 60;

/// Tango's score interval (*Statistics in Medicine* 17, 1998): all differences that the score test does not rule out, of so
/// many items that only the second and only the first solved.
pub fn paired_shares(won: usize, lost: usize, items: usize, alpha: f64) -> [f64; 2] {
    let reach = Normal::standard().inverse_cdf(1.0 - alpha / 2.0);
    let seen = (won as f64 - lost as f64) / items as f64;
    let is_ruled_out = |difference: f64| score(won, lost, items, difference).abs() > reach;
    [-1.0, 1.0].map(|end| {
        let (mut inside, mut outside) = (seen, end);
        if !is_ruled_out(outside) {
            return outside;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            if is_ruled_out(middle) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        f64::midpoint(inside, outside)
    })
}

/// How many standard errors, under the difference itself, what was seen lies from it.
fn score(won: usize, lost: usize, items: usize, difference: f64) -> f64 {
    let (won, lost, items) = (won as f64, lost as f64, items as f64);
    // The share that only the first solves, where the likelihood with this difference is largest.
    let square = 2.0 * items;
    let linear = -won - lost + (2.0 * items - won + lost) * difference;
    let rest = -lost * difference * (1.0 - difference);
    let likely = ((linear * linear - 4.0 * square * rest).max(0.0).sqrt() - linear) / (2.0 * square);
    let variance = items * (2.0 * likely + difference * (1.0 - difference));
    let away = won - lost - items * difference;
    if away == 0.0 {
        0.0
    } else {
        away / variance.max(f64::MIN_POSITIVE).sqrt()
    }
}
