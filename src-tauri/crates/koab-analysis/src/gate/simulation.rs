//! How often the gate errs and what it costs, by made-up outcomes whose truth is known.
//!
//! The chances of the tasks come from reports: a Rasch model ([`crate::adaptive::rasch`]) is fitted
//! to what models solved. Each draw takes one of these models as the baseline, its chance to solve
//! a task as the model's, and the other models' reports as the earlier ones. A candidate that lost
//! something has a lower ability, such that its mean over the tasks is lower by just that. One
//! attempt a task cannot tell a task that is solved every other time from one that some models
//! always and others never solve; the model takes all of it for chance, so real attempts at one
//! task agree more often than these.
//!
//! A judge that contradicts itself ([`SimulatedJudge`]) is asked again about a sample of the first
//! look's answers, as a gate does, so that the chance of that sample is part of what is found.

use super::plan::fixed_attempts;
use super::{GateOptions, GatePlan, GateSeen, GateSide, GateStep, GateTask, GateVerdict, JudgeFlips};
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

/// A judge whose contradictions are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SimulatedJudge {
    /// It never contradicts itself, and nobody asks.
    Steady,
    /// It says otherwise about this share of the answers, and errs alike at all of them.
    Everywhere(f64),
    /// It says otherwise about this share as well, and is a coin at some answers and right at all
    /// others.
    Somewhere(f64),
}

impl SimulatedJudge {
    /// The chance that a verdict on an answer is wrong; which answers are hard to judge is drawn.
    fn error(self, mix: &mut SplitMix) -> f64 {
        match self {
            Self::Steady => 0.0,
            Self::Everywhere(flips) => (1.0 - (1.0 - 2.0 * flips).sqrt()) / 2.0,
            Self::Somewhere(flips) => 0.5 * f64::from(u8::from(chance::is_hit(mix, 2.0 * flips))),
        }
    }
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
    /// The middle of the attempts as a share of what a design without looks takes that knows the
    /// true spread.
    pub median_share: f64,
    /// The mean of the differences that were found.
    pub mean_difference: f64,
    /// The mean of the shares of contradictions that were measured.
    pub mean_flips: f64,
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

/// Draws gates whose candidate lost `loss`, judged by this judge.
///
/// # Errors
/// When the options ask for what has no answer.
pub fn simulate(
    solved: &Solved,
    loss: f64,
    judge: SimulatedJudge,
    options: &GateOptions,
    draws: usize,
    seed: u64,
) -> Result<Simulated, super::GateRefusal> {
    let known: Vec<Vec<Option<bool>>> =
        solved.models.iter().map(|of| of.iter().map(|one| Some(*one)).collect()).collect();
    let fitted = Rasch::fit(&known);
    let mut mix = SplitMix(seed);
    let mut whole = Simulated { draws, ..Simulated::default() };
    let options = GateOptions { asks_again: judge != SimulatedJudge::Steady, ..options.clone() };
    let plan = |model| GatePlan::new(&earlier(solved, model), Vec::new(), options.clone());
    let plans: Vec<GatePlan> = (0..solved.models.len()).map(plan).collect::<Result<_, _>>()?;
    let (mut attempts, mut shares) = (Vec::new(), Vec::new());
    for _ in 0..draws {
        let model = mix.below(solved.models.len());
        let ability = fitted.abilities[model];
        let lower = fitted.ability_of(fitted.mean(ability) - loss);
        let chances = [ability, lower].map(|ability| {
            let of_task = |task| fitted.chance(ability, task);
            (0..solved.groups.len()).map(of_task).collect::<Vec<f64>>()
        });
        let mut plan = plans[model].clone();
        plan.options.seed = mix.next_bits();
        let (verdict, made, difference, flips) = play(plan.clone(), &chances, judge, &mut mix);
        whole.passed += usize::from(verdict == GateVerdict::Pass);
        whole.failed += usize::from(verdict == GateVerdict::Fail);
        whole.mean_difference += difference / draws as f64;
        whole.mean_flips += flips.share() / draws as f64;
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

/// An attempt's chance of a wrong verdict, and what was said of it.
type SimulatedVerdict = (f64, bool);

/// Plays one gate to its end.
fn play(
    mut plan: GatePlan,
    chances: &[Vec<f64>; 2],
    judge: SimulatedJudge,
    mix: &mut SplitMix,
) -> (GateVerdict, usize, f64, JudgeFlips) {
    let mut seen = GateSeen::none(plan.tasks);
    let mut flips = JudgeFlips::default();
    loop {
        match plan.next(&seen) {
            GateStep::Attempts(attempts) => {
                let mut said: Vec<SimulatedVerdict> = Vec::new();
                for attempt in attempts {
                    let side = usize::from(attempt.side == GateSide::Candidate);
                    let is_solved = chance::is_hit(mix, chances[side][attempt.task]);
                    let error = judge.error(mix);
                    // A steady judge draws nothing.
                    let verdict = is_solved != (error > 0.0 && chance::is_hit(mix, error));
                    said.push((error, verdict == is_solved));
                    seen.add(attempt, f64::from(u8::from(verdict)).into());
                }
                if plan.options.asks_again {
                    flips = asked_again(&said, plan.answers_to_ask_again(), mix);
                    plan = plan.with_flips(flips);
                }
            }
            GateStep::Decided(decided) => {
                let difference = decided.difference.unwrap_or(0.0);
                return (decided.verdict, decided.attempts, difference, flips);
            }
        }
    }
}

/// The judge is asked about so many of these again.
fn asked_again(said: &[SimulatedVerdict], count: usize, mix: &mut SplitMix) -> JudgeFlips {
    let mut flips = JudgeFlips::default();
    for at in chance::order(mix, said.len()).into_iter().take(count) {
        let (error, is_right) = said[at];
        let is_right_again = !chance::is_hit(mix, error);
        flips.asked += 1;
        flips.differed += u32::from(is_right_again != is_right);
    }
    flips
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
