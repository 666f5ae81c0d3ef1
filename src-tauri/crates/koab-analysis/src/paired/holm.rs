//! Holm's correction: the more figures are tested at once, the more of them look different by
//! chance alone (Holm 1979).

/// p values such that calling all below a level separated errs in at most that share of cases for
/// the whole family. In the order given.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|one, other| p[*one].total_cmp(&p[*other]));
    let mut corrected = vec![0.0; p.len()];
    let mut so_far = 0.0f64;
    for (rank, at) in order.into_iter().enumerate() {
        // None is smaller than one that was smaller before.
        so_far = so_far.max((p[at] * (p.len() - rank) as f64).min(1.0));
        corrected[at] = so_far;
    }
    corrected
}
