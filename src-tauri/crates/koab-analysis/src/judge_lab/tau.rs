//! Kendall's rank correlation, the variant that allows for ties.
//!
//! Source: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945),
//! 239–251. No maintained crate implements it (`statrs` does not), and for a few runs the quadratic
//! definition is fast enough.

use super::reason::LabReason;

/// Kendall's τ-b of two scorings of the same runs: 1 when both give the same ranks, −1 when the
/// ranks are reversed.
///
/// # Errors
/// When there are fewer than two runs, or all runs have the same score in one scoring.
pub fn kendall(one: &[f64], other: &[f64]) -> Result<f64, LabReason> {
    let runs = one.len().min(other.len());
    if runs < 2 {
        return Err(LabReason::OneRun {});
    }
    let (mut balance, mut apart_one, mut apart_other) = (0_i64, 0_i64, 0_i64);
    for i in 0..runs {
        for j in i + 1..runs {
            let a = sign(one[i], one[j]);
            let b = sign(other[i], other[j]);
            balance += a * b;
            apart_one += a * a;
            apart_other += b * b;
        }
    }
    if apart_one == 0 || apart_other == 0 {
        return Err(LabReason::AllLevel {});
    }
    Ok(balance as f64 / ((apart_one as f64).sqrt() * (apart_other as f64).sqrt()))
}

fn sign(a: f64, b: f64) -> i64 {
    i64::from(a > b) - i64::from(a < b)
}
