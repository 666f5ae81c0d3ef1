//! How often the gate errs and what it costs, by made-up outcomes whose truth is known.
//!
//! The chances of the tasks come from reports: a Rasch model ([`crate::adaptive::rasch`]) is fitted to what models solved.
//! Each draw takes one of these models as the baseline, its chance to solve a task as the model's, and the other models'
//! reports as the earlier ones. A candidate that lost something has a lower ability, such that its mean over the tasks is
//! lower by just that. One attempt a task cannot tell a task that is solved every other time from one that some models always
//! and others never solve; the model takes all of it for chance, so real attempts at one task agree more often than these.

use super::plan::fixed_attempts;
use super::{GateOptions, GatePlan, GateSeen, GateSide, GateStep, GateTask, GateVerdict};
use crate::adaptive::rasch::Rasch;
use crate::chance;
use koab_core::split_mix::SplitMix;

/// What models solved of a pack.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The group of each task.
    pub groups: Vec<String>,
    /// Model by model, a task each.
    pub models: Vec<Vec<bool>>,
}

/// What many draws came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simulated {
    /// Draws.
    pub draws: usize,
    /// Of these passed.
    pub passed: usize,
    /// Of these failed.
    pub failed: usize,
    /// The middle of the attempts that were made.
    pub median_attempts: f64,
    /// The middle of the attempts as a share of what a design without looks takes that knows the true spread.
    pub median_share: f64,
    /// The mean of the differences that were found.
    pub mean_difference: f64,
}

impl Simulated {
    /// Share of the draws that passed.
    pub fn passes(&self) -> f64 {
        self.passed as f64 / self.draws as f64
    }

    /// Share of the draws that failed.
    pub fn failures(&self) -> f64 {
        self.failed as f64 / self.draws as f64
    }
}

/// Draws gates whose candidate lost `loss`.
///
/// # Errors
/// When the options ask for what has no answer.
pub fn simulate(
    solved: &Solved,
    loss: f64,
    options: &GateOptions,
    draws: usize,
    seed: u64,
) -> Result<Simulated, super::GateRefusal> {
    let known: Vec<Vec<Option<bool>>> = solved
        .models
        .iter()
        .map(|of| of.iter().map(|one| Some(*one)).collect())
        .collect();
    let fitted = Rasch::fit(&known);
    let mut mix = SplitMix(seed);
    let mut whole = Simulated {
        draws,
        ..Simulated::default()
    };
    let (mut attempts, mut shares) = (Vec::new(), Vec::new());
    for _ in 0..draws {
        let model = mix.below(solved.models.len());
        let ability = fitted.abilities[model];
        let lower = fitted.ability_of(fitted.mean(ability) - loss);
        let chances = [ability, lower].map(|ability| {
            let of_task = |task| fitted.chance(ability, task);
            (0..solved.groups.len()).map(of_task).collect::<Vec<f64>>()
        });
        let options = GateOptions {
            seed: mix.next_bits(),
            ..options.clone()
        };
        let plan = GatePlan::new(&earlier(solved, model), Vec::new(), options)?;
        let (verdict, made, difference) = play(&plan, &chances, &mut mix);
        whole.passed += usize::from(verdict == GateVerdict::Pass);
        whole.failed += usize::from(verdict == GateVerdict::Fail);
        whole.mean_difference += difference / draws as f64;
        let spread = |chance: &f64| chance * (1.0 - chance);
        let variance: f64 = chances.iter().flatten().map(spread).sum();
        let fixed = fixed_attempts(variance / solved.groups.len() as f64, &plan.options);
        attempts.push(made as f64);
        shares.push(made as f64 / fixed as f64);
    }
    whole.median_attempts = median(attempts);
    whole.median_share = median(shares);
    Ok(whole)
}

/// The pack's tasks with what all models but one solved.
pub fn earlier(solved: &Solved, without: usize) -> Vec<GateTask> {
    let others = || solved.models.iter().enumerate().filter(|(at, _)| *at != without);
    let task = |(at, group): (usize, &String)| GateTask {
        id: at.to_string(),
        group: group.clone(),
        attempts: others().count() as u32,
        solved: others().filter(|(_, of)| of[at]).count() as u32,
    };
    solved.groups.iter().enumerate().map(task).collect()
}

/// Plays one gate to its end.
fn play(plan: &GatePlan, chances: &[Vec<f64>; 2], mix: &mut SplitMix) -> (GateVerdict, usize, f64) {
    let mut seen = GateSeen::none(plan.tasks);
    loop {
        match plan.next(&seen) {
            GateStep::Attempts(attempts) => {
                for attempt in attempts {
                    let side = usize::from(attempt.side == GateSide::Candidate);
                    let is_solved = chance::is_hit(mix, chances[side][attempt.task]);
                    seen.add(attempt, f64::from(u8::from(is_solved)).into());
                }
            }
            GateStep::Decided(decided) => {
                let difference = decided.difference.unwrap_or(0.0);
                return (decided.verdict, decided.attempts, difference);
            }
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
