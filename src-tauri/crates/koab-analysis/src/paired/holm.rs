//! Holm's correction for multiple tests (Holm 1979). Of many figures that are tested together, some
//! differ by chance alone.

/// Corrected p values, in the order given.
///
/// If all tests with a corrected value below a level count as significant, the chance of at least
/// one error in the family is at most this level.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|one, other| p[*one].total_cmp(&p[*other]));
    let mut corrected = vec![0.0; p.len()];
    let mut so_far = 0.0f64;
    for (rank, at) in order.into_iter().enumerate() {
        // A corrected value is never below the one of a smaller p value.
        so_far = so_far.max((p[at] * (p.len() - rank) as f64).min(1.0));
        corrected[at] = so_far;
    }
    corrected
}
