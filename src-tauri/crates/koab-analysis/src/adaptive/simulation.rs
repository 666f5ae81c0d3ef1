//! What adaptive runs come to where the whole run is known: each model in turn by the reports of
//! all others.

use super::{AdaptiveEstimate, AdaptiveOptions, AdaptivePlan, AdaptiveRefusal, AdaptiveStep};

/// What the adaptive runs of a model came to, a run a seed.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// What the whole run gives.
    pub rate: f64,
    /// What was found.
    pub runs: Vec<AdaptiveEstimate>,
}

impl LeftOut {
    /// Runs that end this near the whole run.
    pub fn near(&self, distance: f64) -> usize {
        self.count(|one| (one.mean - self.rate).abs() <= distance)
    }

    /// Runs whose interval holds the whole run.
    pub fn held(&self) -> usize {
        self.count(|one| (one.mean - self.rate).abs() <= one.half_width)
    }

    fn count(&self, is_counted: impl Fn(&AdaptiveEstimate) -> bool) -> usize {
        self.runs.iter().filter(|one| is_counted(one)).count()
    }

    /// Items that were asked, on average, and how far the estimates lie from the whole run.
    pub fn means(&self) -> (f64, f64) {
        let mean = |of: &dyn Fn(&AdaptiveEstimate) -> f64| {
            self.runs.iter().map(of).sum::<f64>() / self.runs.len() as f64
        };
        (mean(&|one| one.asked as f64), mean(&|one| one.mean - self.rate))
    }
}

/// Leaves each model out in turn and runs it adaptively, once a seed.
///
/// # Errors
/// When the others' reports are too few, or the options ask for what has no answer.
pub fn leave_one_out(
    solved: &[Vec<Option<bool>>],
    options: &AdaptiveOptions,
    seeds: u64,
) -> Result<Vec<LeftOut>, AdaptiveRefusal> {
    let of_model = |(at, truth): (usize, &Vec<Option<bool>>)| {
        let mut others = solved.to_vec();
        others.remove(at);
        let plan = AdaptivePlan::new(&others, *options)?;
        let known = truth.iter().flatten();
        let rate = known.clone().filter(|one| **one).count() as f64 / known.count() as f64;
        let runs = (0..seeds).map(|seed| run(&plan.seeded(seed), truth)).collect();
        Ok(LeftOut { rate, runs })
    };
    solved.iter().enumerate().map(of_model).collect()
}

/// Runs a model whose answers are known to the end.
pub fn run(plan: &AdaptivePlan, truth: &[Option<bool>]) -> AdaptiveEstimate {
    let mut answers = vec![None; truth.len()];
    loop {
        match plan.next(&answers) {
            AdaptiveStep::Items(items) => items.into_iter().for_each(|item| answers[item] = truth[item]),
            AdaptiveStep::Done(found) => return found,
        }
    }
}
