//! How many pairs are tried where before each look.

use super::flips::JudgeFlips;
use super::options::{GateOptions, GateRefusal, LEAST_ASKED};
use super::seen::{GateAttempt, GateSeen, GateSide};
use super::spending;
use super::strata::{GateStratum, GateTask, SIDES, strata};
use koab_core::sentence::Sentence;
use koab_core::{say, shown};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeMap;

/// Fewest pairs of a stratum: one has no spread.
const LEAST_PAIRS: usize = 2;
/// Fewest pairs of a look: of fewer the normal distribution knows nothing.
pub(super) const LEAST_LOOK: usize = 20;
/// Attempts of the first look of a gate that asks its judge again: of some the rules decide, and of
/// several at a task in one run one is asked about.
const LEAST_TO_ASK: usize = LEAST_ASKED as usize * 3 / 2;
/// Of so many planned attempts the judge is asked again about one, and about no more than so many.
const ASKED_OF: usize = 5;
const MOST_ASKED: usize = 200;
/// So many times the wanted variance is too much.
const WIDE: f64 = 1.02;
/// Pairs a task that are tried at most.
const MOST_TIMES: usize = 200;
/// Pairs a task that are tried at most where tasks are what spreads.
const MOST_REPEATED: usize = 2;
/// So many times the least variance that the baseline's attempts allow is as good as the least.
const NEAR_LEAST: f64 = 1.1;

/// A gate before its first attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct GatePlan {
    pub(super) options: GateOptions,
    pub(super) tasks: usize,
    pub(super) strata: Vec<GateStratum>,
    /// The baseline's attempts at hand, task by task.
    pub(super) at_hand: Vec<usize>,
    /// Standard errors that the margin is to be at the last look.
    drift: f64,
    /// Information that the last look wants: one over the variance.
    pub(super) information: f64,
    /// Pairs that give it, by earlier reports.
    pub(super) pairs: usize,
    /// Pairs beyond which more tell next to nothing.
    bound: usize,
}

impl GatePlan {
    /// Plans a gate over a pack's tasks; `at_hand` has the baseline's attempts that are there
    /// already, a number a task.
    ///
    /// # Errors
    /// When something is asked that has no answer.
    pub fn new(tasks: &[GateTask], at_hand: Vec<usize>, options: GateOptions) -> Result<Self, GateRefusal> {
        let (alpha, power) = (options.alpha, options.power);
        if tasks.len() < 2 {
            return Err(GateRefusal::NoTasks);
        }
        if !(options.margin > 0.0 && options.margin < 1.0) {
            return Err(GateRefusal::Margin);
        }
        if !(alpha > 0.0 && alpha < 0.5 && power > alpha && power < 1.0) {
            return Err(GateRefusal::Chances);
        }
        if !(1..=20).contains(&options.looks) {
            return Err(GateRefusal::Looks);
        }
        if let Some(asked) = options.flips.map(|flips| flips.asked).filter(|asked| *asked < LEAST_ASKED) {
            return Err(GateRefusal::Flips { asked });
        }
        let mut at_hand = at_hand;
        at_hand.resize(tasks.len(), 0);
        let missing = at_hand.iter().filter(|count| **count == 0).count();
        if !options.is_baseline_open && missing > 0 {
            return Err(GateRefusal::NoBaseline { count: missing });
        }
        let plan = Self {
            drift: spending::drift(options.spent(), power, options.looks),
            information: 0.0,
            tasks: tasks.len(),
            strata: strata(tasks),
            at_hand,
            pairs: 0,
            bound: 0,
            options,
        };
        Ok(plan.sized())
    }

    /// How many pairs its options take.
    fn sized(mut self) -> Self {
        self.information = (self.drift / self.judged_margin()).powi(2);
        self.bound = self.bound();
        self.pairs = self.pairs_for(1.0 / self.information);
        self
    }

    /// The same gate, its judge's contradictions known. Those of too few answers change nothing.
    #[must_use]
    pub fn with_flips(mut self, flips: JudgeFlips) -> Self {
        if flips.asked >= LEAST_ASKED {
            self.options.flips = Some(flips);
        }
        self.options.asks_again = false;
        self.sized()
    }

    /// Whether its judge's contradictions are still to be found out.
    pub fn asks_again(&self) -> bool {
        self.options.asks_again
    }

    /// Answers that the judge is asked about again: as many as the attempts that it may take
    /// suggest.
    pub fn answers_to_ask_again(&self) -> usize {
        let most = self.options.most_attempts.unwrap_or(usize::MAX);
        let planned = self.planned_attempts().min(most);
        (planned / ASKED_OF).clamp(LEAST_ASKED as usize, MOST_ASKED)
    }

    /// The margin that a pass is tested at: less where the judge may have drawn a loss together
    /// more than is undone.
    pub(super) fn judged_margin(&self) -> f64 {
        self.options.margin / self.options.flips.map_or(1.0, JudgeFlips::widening)
    }

    /// Pairs from one look to the next.
    pub(super) fn step(&self) -> usize {
        let sides = 1 + usize::from(self.options.is_baseline_open);
        let least = if self.options.asks_again || self.options.flips.is_some() {
            LEAST_LOOK.max(LEAST_TO_ASK.div_ceil(sides))
        } else {
            LEAST_LOOK
        };
        self.pairs.div_ceil(self.options.looks).max(least)
    }

    /// The parts of the pack.
    pub fn strata(&self) -> &[GateStratum] {
        &self.strata
    }

    /// Attempts that the plan takes if it goes to its end, by earlier reports.
    pub fn planned_attempts(&self) -> usize {
        self.cost(&self.counts(self.pairs))
    }

    /// The same of the candidate alone, by group.
    pub fn planned_by_group(&self) -> BTreeMap<&str, usize> {
        let mut groups = BTreeMap::new();
        for (of, pairs) in self.strata.iter().zip(self.counts(self.pairs)) {
            *groups.entry(of.group.as_str()).or_default() += pairs;
        }
        groups
    }

    /// Attempts that a design without looks takes, which tries each task as often.
    pub fn fixed_attempts(&self) -> usize {
        let squares = self.strata.iter().map(|of| of.weight * of.spread.powi(2));
        fixed_attempts(squares.sum(), &self.options)
    }

    /// Why the gate can hardly find an answer: the baseline's attempts at hand are too few for the
    /// margin.
    pub fn limit(&self) -> Option<Sentence> {
        if self.options.is_baseline_open {
            return None;
        }
        let variance = self.expected_variance(self.bound);
        let least = (variance * self.information).sqrt() * self.options.margin;
        (variance * self.information > WIDE).then(|| {
            let (margin, least) = (
                shown::difference(Some(-self.options.margin)),
                shown::difference(Some(-least)),
            );
            say!(
                "the baseline's attempts are too few for a margin of {margin}: with them the least that can be told is about {least}; give the baseline's model, so that it is tried again, or a baseline with more repetitions"
            )
        })
    }

    /// Pairs of each stratum, of so many altogether (Neyman 1934).
    pub(super) fn counts(&self, pairs: usize) -> Vec<usize> {
        let whole: f64 = self.strata.iter().map(|of| of.weight * of.spread).sum();
        let share = |of: &GateStratum| pairs as f64 * of.weight * of.spread / whole;
        let count = |of: &GateStratum| (share(of).round() as usize).max(LEAST_PAIRS);
        self.strata.iter().map(count).collect()
    }

    /// New attempts that these pairs take.
    pub(super) fn cost(&self, counts: &[usize]) -> usize {
        let times = self.times(counts);
        let baseline = times.iter().zip(&self.at_hand);
        let baseline: usize = baseline.map(|(times, there)| times.saturating_sub(*there)).sum();
        times.iter().sum::<usize>() + if self.options.is_baseline_open { baseline } else { 0 }
    }

    /// How often each task is tried a side.
    fn times(&self, counts: &[usize]) -> Vec<usize> {
        let mut times = vec![0; self.tasks];
        for (number, (stratum, pairs)) in self.strata.iter().zip(counts).enumerate() {
            for task in stratum.drawn(number, *pairs, self.options.seed) {
                times[task] += 1;
            }
        }
        times
    }

    /// As many of these pairs as the attempts allow, and whether that is the end.
    pub(super) fn allowed(&self, pairs: usize) -> (usize, bool) {
        let bound = self.bound;
        let most = self.options.most_attempts.unwrap_or(usize::MAX);
        if pairs < bound && self.cost(&self.counts(pairs)) <= most {
            return (pairs, false);
        }
        let (mut low, mut high) = (0, pairs.min(bound) + 1);
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if self.cost(&self.counts(middle)) <= most {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low, true)
    }

    pub(super) fn missing(&self, counts: &[usize], seen: &GateSeen) -> Vec<GateAttempt> {
        let mut missing = Vec::new();
        for (task, times) in self.times(counts).into_iter().enumerate() {
            for side in SIDES {
                if side == GateSide::Candidate || self.options.is_baseline_open {
                    let there = seen.outcomes(task, side).len();
                    let more = times.saturating_sub(there);
                    missing.extend(std::iter::repeat_n(GateAttempt { task, side }, more));
                }
            }
        }
        missing
    }

    /// The variance that so many pairs are expected to have.
    fn expected_variance(&self, pairs: usize) -> f64 {
        let shrinks = 1.0 - 2.0 * self.options.flips.map_or(0.0, JudgeFlips::error);
        let of_stratum = |(of, count): (&GateStratum, usize)| {
            let square = of.weight.powi(2) * of.spread.powi(2);
            if self.options.is_baseline_open {
                return square / count as f64;
            }
            let tasks = count.min(of.tasks.len()) as f64;
            let at_hand: usize = of.tasks.iter().map(|task| self.at_hand[*task]).sum();
            let baseline = tasks * at_hand as f64 / of.tasks.len() as f64;
            square / 2.0 * (1.0 / count as f64 + 1.0 / baseline)
        };
        let counts = self.counts(pairs);
        let sum: f64 = self.strata.iter().zip(counts).map(of_stratum).sum();
        sum / (shrinks * shrinks)
    }

    /// Pairs beyond which more tell next to nothing.
    fn bound(&self) -> usize {
        let most = self.tasks * MOST_TIMES;
        if self.options.is_repeated {
            return self.tasks * MOST_REPEATED;
        }
        if self.options.is_baseline_open {
            return most;
        }
        self.fewest(self.expected_variance(most) * NEAR_LEAST, most)
    }

    /// Pairs that are expected to have a variance, as far as there are.
    fn pairs_for(&self, variance: f64) -> usize {
        self.fewest(variance, self.bound)
    }

    fn fewest(&self, variance: f64, most: usize) -> usize {
        let (mut low, mut high) = (0, most);
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if self.expected_variance(middle) > variance {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// Attempts, both sides together, that a design without looks takes whose pairs' differences have
/// this variance.
pub(super) fn fixed_attempts(variance: f64, options: &GateOptions) -> usize {
    let normal = Normal::standard();
    let reach = normal.inverse_cdf(1.0 - options.alpha) + normal.inverse_cdf(options.power);
    2 * (variance * (reach / options.margin).powi(2)).ceil() as usize
}
