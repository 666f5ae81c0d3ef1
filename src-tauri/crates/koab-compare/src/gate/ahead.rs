//! Expected cost of a gate that does not end early, calculated from dry runs.

use crate::cost::Cost;
use koab_analysis::gate::GatePlan;
use koab_library::JudgeEstimate;
use koab_runs::DryRun;

/// Dry runs of both sides. Each dry run covers each task of the pack once.
pub(super) struct Sides {
    pub(super) candidate: DryRun,
    /// Dry run of the baseline, if the baseline gets new attempts.
    pub(super) again: Option<DryRun>,
    /// Estimates of judging the candidate's dry run.
    pub(super) judges: Vec<JudgeEstimate>,
}

impl Sides {
    /// Expected cost of the plan's attempts and of judging them. `asked_again` is the number of
    /// answers that judges judge a second time.
    pub(super) fn cost(&self, plan: &GatePlan, asked_again: usize) -> Cost {
        let groups = plan.planned_by_group();
        let of_candidate: usize = groups.values().sum();
        let all = plan.planned_attempts();
        let of_baseline = all.saturating_sub(of_candidate) as f64 / of_candidate.max(1) as f64;
        let side = |run: &DryRun| {
            let of_level = run.levels.iter().map(|level| {
                let attempts = groups.get(level.level.as_str()).copied().unwrap_or(0);
                let once = Cost::of_attempts(&run.model, level.estimate.as_ref());
                match attempts {
                    0 => Cost::NOTHING,
                    _ => once.times(attempts as f64 / f64::from(level.tasks.max(1))),
                }
            });
            of_level.fold(Cost::NOTHING, Cost::and)
        };
        let again = self.again.as_ref().map_or(Cost::NOTHING, &side);
        let tasks: u32 = self.candidate.levels.iter().map(|level| level.tasks).sum();
        let judge_factor = (all + asked_again) as f64 / f64::from(tasks.max(1));
        side(&self.candidate)
            .and(again.times(of_baseline))
            .and(Cost::of_judges(&self.judges).times(judge_factor))
    }
}
