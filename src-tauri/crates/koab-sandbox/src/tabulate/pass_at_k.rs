//! pass@k: how likely at least one of k trials of a task passes.

/// The unbiased estimate from `passed` of `trials` (Chen et al. 2021, arXiv:2107.03374): 1 − C(n−c, k) / C(n, k), as a
/// product, since the binomials themselves soon leave every number behind. `None` with fewer than `k` trials.
pub(super) fn pass_at_k(passed: usize, trials: usize, k: usize) -> Option<f64> {
    if k == 0 || k > trials || passed > trials {
        return None;
    }
    let failed = trials - passed;
    if failed < k {
        return Some(1.0);
    }
    let none_passes: f64 = (failed + 1..=trials).map(|i| 1.0 - k as f64 / i as f64).product();
    Some(1.0 - none_passes)
}

#[cfg(test)]
mod tests {
    use super::pass_at_k;

    /// Counts the choices of `k` trials one by one.
    fn counted(passed: usize, trials: usize, k: usize) -> f64 {
        let choices = (0_u32..1 << trials).filter(|choice| choice.count_ones() as usize == k);
        let (mut all, mut with_a_pass) = (0, 0);
        for choice in choices {
            all += 1;
            with_a_pass += usize::from(choice & ((1 << passed) - 1) != 0);
        }
        with_a_pass as f64 / f64::from(all)
    }

    #[test]
    fn it_is_the_share_of_choices_that_hold_a_pass() {
        for trials in 1..=9 {
            for passed in 0..=trials {
                for k in 1..=trials {
                    let (found, counted) =
                        (pass_at_k(passed, trials, k).unwrap(), counted(passed, trials, k));
                    assert!(
                        (found - counted).abs() < 1e-12,
                        "{passed} of {trials}, k {k}: {found}, {counted}"
                    );
                }
                assert_eq!(pass_at_k(passed, trials, trials + 1), None);
            }
        }
        assert_eq!(pass_at_k(1, 1, 0), None);
    }
}
