//! Simulated adaptive runs of models whose full results are known. Each model is estimated from the
//! reports of all other models.

use super::{AdaptiveEstimate, AdaptiveOptions, AdaptivePlan, AdaptiveRefusal, AdaptiveStep};

/// Adaptive runs of one model, one per seed. The model's own report is not used in its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// Success rate of the whole run.
    pub rate: f64,
    /// Estimates of the adaptive runs.
    pub runs: Vec<AdaptiveEstimate>,
}

impl LeftOut {
    /// Number of runs whose estimate is within `distance` of the whole run's success rate.
    pub fn near(&self, distance: f64) -> usize {
        self.count(|one| (one.mean - self.rate).abs() <= distance)
    }

    /// Number of runs whose interval contains the whole run's success rate.
    pub fn held(&self) -> usize {
        self.count(|one| (one.mean - self.rate).abs() <= one.half_width)
    }

    fn count(&self, is_counted: impl Fn(&AdaptiveEstimate) -> bool) -> usize {
        self.runs.iter().filter(|one| is_counted(one)).count()
    }

    /// Mean number of answered items, and mean error of the estimates: estimated minus true rate,
    /// with its sign.
    pub fn means(&self) -> (f64, f64) {
        let mean = |of: &dyn Fn(&AdaptiveEstimate) -> f64| {
            self.runs.iter().map(of).sum::<f64>() / self.runs.len() as f64
        };
        (mean(&|one| one.asked as f64), mean(&|one| one.mean - self.rate))
    }
}

/// Simulates adaptive runs of each model, one per seed, with the reports of all other models.
///
/// # Errors
/// When there are too few other reports, or the options are out of range.
pub fn leave_one_out(
    solved: &[Vec<Option<bool>>],
    options: &AdaptiveOptions,
    seeds: u64,
) -> Result<Vec<LeftOut>, AdaptiveRefusal> {
    let of_model = |(at, truth): (usize, &Vec<Option<bool>>)| {
        let mut others = solved.to_vec();
        others.remove(at);
        let plan = AdaptivePlan::new(&others, *options)?;
        let scores = truth.iter().flatten();
        let rate = scores.clone().filter(|one| **one).count() as f64 / scores.count() as f64;
        let runs = (0..seeds).map(|seed| run(&plan.seeded(seed), truth)).collect();
        Ok(LeftOut { rate, runs })
    };
    solved.iter().enumerate().map(of_model).collect()
}

/// Simulates an adaptive run of a model whose answers to all items are known.
pub fn run(plan: &AdaptivePlan, truth: &[Option<bool>]) -> AdaptiveEstimate {
    let mut answers = vec![None; truth.len()];
    loop {
        match plan.next(&answers) {
            AdaptiveStep::Items(items) => items.into_iter().for_each(|item| answers[item] = truth[item]),
            AdaptiveStep::Done(estimate) => return estimate,
        }
    }
}
