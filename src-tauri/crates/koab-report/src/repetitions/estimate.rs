//! Unbiased estimates for a task with several attempts: the chance that at least one of `k`
//! attempts succeeds, and that all of them do.

/// Chance that at least one of `k` attempts at a task succeeds, from `successes` of `attempts`.
///
/// The estimate is 1 − C(n−c, k) / C(n, k) (Chen et al. 2021, "Evaluating Large Language Models
/// Trained on Code", equation 1). `None` with fewer than `k` attempts.
pub fn pass_at(attempts: usize, successes: usize, k: usize) -> Option<f64> {
    if k == 0 || k > attempts || successes > attempts {
        return None;
    }
    if attempts - successes < k {
        return Some(1.0);
    }
    // The quotient of the two binomials is computed as a product, without overflow and without
    // cancellation.
    let none: f64 = (attempts - successes + 1..=attempts).map(|i| 1.0 - k as f64 / i as f64).product();
    Some(1.0 - none)
}

/// Chance that all of `k` attempts at a task succeed, pass^k: C(c, k) / C(n, k) (Yao et al. 2024,
/// "τ-bench", section 4). `None` with fewer than `k` attempts.
pub fn pass_all(attempts: usize, successes: usize, k: usize) -> Option<f64> {
    if k == 0 || k > attempts || successes > attempts {
        return None;
    }
    let all = (0..k).map(|i| successes.saturating_sub(i) as f64 / (attempts - i) as f64);
    Some(all.product())
}
