//! Error rates and cost of the gate, simulated with outcomes whose truth is known.
//!
//! The chances of the tasks come from reports: a Rasch model ([`crate::adaptive::rasch`]) is fitted
//! to the answers of models. Each draw takes one of these models as the baseline, with the chances
//! that the fit gives it, and the other models' reports as the earlier ones. A candidate with a
//! loss has a lower ability, such that its mean over the tasks is lower by exactly that loss. With
//! one attempt per task, a task that every model solves half of the time looks like a task that
//! half of the models always solve. The fit treats both as chance, so real attempts at one task
//! agree more often than simulated ones.
//!
//! A judge that contradicts itself ([`SimulatedJudge`]) is asked again about a sample of the first
//! look's answers, as in a real gate, so that the chance of that sample is part of the result.

use super::plan::fixed_attempts;
use super::{GateOptions, GatePlan, GateSeen, GateSide, GateStep, GateTask, GateVerdict, JudgeFlips};
use crate::adaptive::rasch::Rasch;
use crate::chance;
use koab_core::split_mix::SplitMix;

/// Answers of models to a pack's tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Group of each task.
    pub groups: Vec<String>,
    /// Solved tasks, model by model.
    pub models: Vec<Vec<bool>>,
}

/// Judge whose self-contradiction is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SimulatedJudge {
    /// The judge never contradicts itself. No answers are judged twice.
    Steady,
    /// The judge contradicts itself on this share of the answers. Errors are equally likely on all
    /// answers.
    Everywhere(f64),
    /// The judge contradicts itself on this share of the answers. It decides some answers by coin
    /// toss and is right about all others.
    Somewhere(f64),
}

impl SimulatedJudge {
    /// Chance that a verdict on an answer is wrong. The answers that are hard to judge are drawn at
    /// random.
    fn error(self, mix: &mut SplitMix) -> f64 {
        match self {
            Self::Steady => 0.0,
            Self::Everywhere(flips) => (1.0 - (1.0 - 2.0 * flips).sqrt()) / 2.0,
            Self::Somewhere(flips) => 0.5 * f64::from(u8::from(chance::is_hit(mix, 2.0 * flips))),
        }
    }
}

/// Results over all simulated gates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simulated {
    /// Number of draws.
    pub draws: usize,
    /// Number of draws that passed.
    pub passed: usize,
    /// Number of draws that failed.
    pub failed: usize,
    /// Median number of attempts.
    pub median_attempts: f64,
    /// Median ratio of the attempts to those of a test without interim looks that knows the true
    /// spread.
    pub median_share: f64,
    /// Mean of the estimated differences.
    pub mean_difference: f64,
    /// Mean of the measured shares of contradictions.
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

/// Simulates gates whose candidate has the true loss `loss`, with this judge.
///
/// # Errors
/// When the options are out of range.
pub fn simulate(
    solved: &Solved,
    loss: f64,
    judge: SimulatedJudge,
    options: &GateOptions,
    draws: usize,
    seed: u64,
) -> Result<Simulated, super::GateRefusal> {
    let answers: Vec<Vec<Option<bool>>> =
        solved.models.iter().map(|of| of.iter().map(|one| Some(*one)).collect()).collect();
    let fitted = Rasch::fit(&answers);
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
        let (verdict, count, difference, flips) = play(plan.clone(), &chances, judge, &mut mix);
        whole.passed += usize::from(verdict == GateVerdict::Pass);
        whole.failed += usize::from(verdict == GateVerdict::Fail);
        whole.mean_difference += difference / draws as f64;
        whole.mean_flips += flips.share() / draws as f64;
        let spread = |chance: &f64| chance * (1.0 - chance);
        let variance: f64 = chances.iter().flatten().map(spread).sum();
        let fixed = fixed_attempts(variance / solved.groups.len() as f64, &plan.options);
        attempts.push(count as f64);
        shares.push(count as f64 / fixed as f64);
    }
    whole.median_attempts = median(attempts);
    whole.median_share = median(shares);
    Ok(whole)
}

/// Tasks of the pack, with the results of all models except one.
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

/// Chance that a verdict on an attempt is wrong, and whether the verdict was right.
type SimulatedVerdict = (f64, bool);

/// Simulates one gate to its end. Returns the verdict, the number of attempts, the difference and
/// the measured self-contradiction.
fn play(
    mut plan: GatePlan,
    chances: &[Vec<f64>; 2],
    judge: SimulatedJudge,
    mix: &mut SplitMix,
) -> (GateVerdict, usize, f64, JudgeFlips) {
    let mut outcomes = GateSeen::none(plan.tasks);
    let mut flips = JudgeFlips::default();
    loop {
        match plan.next(&outcomes) {
            GateStep::Attempts(attempts) => {
                let mut verdicts: Vec<SimulatedVerdict> = Vec::new();
                for attempt in attempts {
                    let side = usize::from(attempt.side == GateSide::Candidate);
                    let is_solved = chance::is_hit(mix, chances[side][attempt.task]);
                    let error = judge.error(mix);
                    // A steady judge draws nothing.
                    let verdict = is_solved != (error > 0.0 && chance::is_hit(mix, error));
                    verdicts.push((error, verdict == is_solved));
                    outcomes.add(attempt, f64::from(u8::from(verdict)).into());
                }
                if plan.options.asks_again {
                    flips = asked_again(&verdicts, plan.answers_to_ask_again(), mix);
                    plan = plan.with_flips(flips);
                }
            }
            GateStep::Decided(decision) => {
                let difference = decision.difference.unwrap_or(0.0);
                return (decision.verdict, decision.attempts, difference, flips);
            }
        }
    }
}

/// Judges a random sample of answers a second time, and counts the contradictions.
fn asked_again(verdicts: &[SimulatedVerdict], count: usize, mix: &mut SplitMix) -> JudgeFlips {
    let mut flips = JudgeFlips::default();
    for at in chance::order(mix, verdicts.len()).into_iter().take(count) {
        let (error, is_right) = verdicts[at];
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
