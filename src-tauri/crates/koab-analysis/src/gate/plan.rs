//! Plan of a gate: the number of pairs in each stratum before each look.

use super::flips::JudgeFlips;
use super::options::{GateOptions, GateRefusal, LEAST_ASKED};
use super::seen::{GateAttempt, GateSeen, GateSide};
use super::spending;
use super::strata::{GateStratum, GateTask, SIDES, strata};
use koab_core::sentence::Sentence;
use koab_core::{say, shown};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeMap;

/// Minimum number of pairs per stratum, since a single pair has no spread.
const MIN_STRATUM_PAIRS: usize = 2;
/// Minimum number of pairs at a look. With fewer pairs the normal approximation is not valid.
pub(super) const LEAST_LOOK: usize = 20;
/// Minimum number of attempts at the first look of a gate that has answers judged twice.
///
/// More attempts than answers are needed, because rules decide some attempts, and only one of
/// several attempts at a task in a run is judged twice.
const MIN_ATTEMPTS_TO_ASK: usize = LEAST_ASKED as usize * 3 / 2;
/// Number of planned attempts per answer that is judged twice.
const ATTEMPTS_PER_QUESTION: usize = 5;
/// Maximum number of answers that are judged twice.
const MAX_ASKED: usize = 200;
/// Ratio of the expected to the planned variance above which the gate is unlikely to decide.
const MAX_VARIANCE_RATIO: f64 = 1.02;
/// Maximum number of pairs per task.
const MAX_TASK_PAIRS: usize = 200;
/// Maximum number of pairs per task if all attempts at a task get the same verdict
/// ([`GateOptions::is_repeated`]), so that more pairs give no information.
const MAX_REPEATED_PAIRS: usize = 2;
/// Ratio to the smallest possible variance (given the baseline's attempts) below which more pairs
/// give almost no information.
const NEAR_MIN_VARIANCE: f64 = 1.1;

/// Plan of a gate before its first attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct GatePlan {
    pub(super) options: GateOptions,
    pub(super) tasks: usize,
    pub(super) strata: Vec<GateStratum>,
    /// Number of the baseline's existing attempts, task by task.
    pub(super) at_hand: Vec<usize>,
    /// Size of the margin at the last look, in standard errors.
    drift: f64,
    /// Information that the last look needs: the inverse of the variance.
    pub(super) information: f64,
    /// Number of pairs that are expected to give this information, from earlier reports.
    pub(super) pairs: usize,
    /// Number of pairs above which more pairs give almost no information.
    bound: usize,
}

impl GatePlan {
    /// Plans a gate over a pack's tasks. `at_hand` is the number of the baseline's existing
    /// attempts, task by task.
    ///
    /// # Errors
    /// When an option is out of range, there are fewer than two tasks, or the baseline has no
    /// attempt at a task and new attempts of it cannot be made.
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

    /// Computes the number of pairs that the options need.
    fn sized(mut self) -> Self {
        self.information = (self.drift / self.judged_margin()).powi(2);
        self.bound = self.bound();
        self.pairs = self.pairs_for(1.0 / self.information);
        self
    }

    /// Plan of the same gate with the measured self-contradiction of its judge. Counts from too few
    /// answers are ignored.
    #[must_use]
    pub fn with_flips(mut self, flips: JudgeFlips) -> Self {
        if flips.asked >= LEAST_ASKED {
            self.options.flips = Some(flips);
        }
        self.options.asks_again = false;
        self.sized()
    }

    /// Whether the judge's self-contradiction has to be measured.
    pub fn asks_again(&self) -> bool {
        self.options.asks_again
    }

    /// Number of answers that are judged twice. The number grows with the number of planned
    /// attempts.
    pub fn answers_to_ask_again(&self) -> usize {
        let most = self.options.most_attempts.unwrap_or(usize::MAX);
        let attempts = self.planned_attempts().min(most);
        (attempts / ATTEMPTS_PER_QUESTION).clamp(LEAST_ASKED as usize, MAX_ASKED)
    }

    /// Loss that a pass has to exclude. It is smaller than the margin if the judge's errors may
    /// have shrunk a loss by more than the estimate corrects.
    pub(super) fn judged_margin(&self) -> f64 {
        self.options.margin / self.options.flips.map_or(1.0, JudgeFlips::widening)
    }

    /// Number of pairs from one look to the next.
    pub(super) fn step(&self) -> usize {
        let sides = 1 + usize::from(self.options.is_baseline_open);
        let least = if self.options.asks_again || self.options.flips.is_some() {
            LEAST_LOOK.max(MIN_ATTEMPTS_TO_ASK.div_ceil(sides))
        } else {
            LEAST_LOOK
        };
        self.pairs.div_ceil(self.options.looks).max(least)
    }

    /// Strata of the pack.
    pub fn strata(&self) -> &[GateStratum] {
        &self.strata
    }

    /// Number of attempts of the complete plan, as expected from earlier reports.
    pub fn planned_attempts(&self) -> usize {
        self.cost(&self.counts(self.pairs))
    }

    /// Number of planned attempts of the candidate, by group.
    pub fn planned_by_group(&self) -> BTreeMap<&str, usize> {
        let mut groups = BTreeMap::new();
        for (of, pairs) in self.strata.iter().zip(self.counts(self.pairs)) {
            *groups.entry(of.group.as_str()).or_default() += pairs;
        }
        groups
    }

    /// Number of attempts that a test without interim looks needs, with the same number of attempts
    /// at each task.
    pub fn fixed_attempts(&self) -> usize {
        let squares = self.strata.iter().map(|of| of.weight * of.spread.powi(2));
        fixed_attempts(squares.sum(), &self.options)
    }

    /// Reason why the gate is unlikely to decide: the baseline has too few existing attempts for
    /// the margin. `None` if there are enough.
    pub fn limit(&self) -> Option<Sentence> {
        if self.options.is_baseline_open {
            return None;
        }
        let variance = self.expected_variance(self.bound);
        let least = (variance * self.information).sqrt() * self.options.margin;
        (variance * self.information > MAX_VARIANCE_RATIO).then(|| {
            let (margin, least) = (
                shown::difference(Some(-self.options.margin)),
                shown::difference(Some(-least)),
            );
            say!(
                "the baseline's attempts are too few for a margin of {margin}: the smallest difference that they can show is about {least}; give the baseline's model, so that it is run again, or a baseline with more repetitions"
            )
        })
    }

    /// Number of pairs in each stratum, for `pairs` pairs in total (Neyman 1934).
    pub(super) fn counts(&self, pairs: usize) -> Vec<usize> {
        let whole: f64 = self.strata.iter().map(|of| of.weight * of.spread).sum();
        let share = |of: &GateStratum| pairs as f64 * of.weight * of.spread / whole;
        let count = |of: &GateStratum| (share(of).round() as usize).max(MIN_STRATUM_PAIRS);
        self.strata.iter().map(count).collect()
    }

    /// Number of new attempts that these pairs need.
    pub(super) fn cost(&self, counts: &[usize]) -> usize {
        let times = self.times(counts);
        let baseline = times.iter().zip(&self.at_hand);
        let baseline: usize = baseline.map(|(times, there)| times.saturating_sub(*there)).sum();
        times.iter().sum::<usize>() + if self.options.is_baseline_open { baseline } else { 0 }
    }

    /// Number of attempts at each task on each side.
    fn times(&self, counts: &[usize]) -> Vec<usize> {
        let mut times = vec![0; self.tasks];
        for (number, (stratum, pairs)) in self.strata.iter().zip(counts).enumerate() {
            for task in stratum.drawn(number, *pairs, self.options.seed) {
                times[task] += 1;
            }
        }
        times
    }

    /// Limits the number of pairs of a look to what the maximum number of attempts permits and to
    /// what still gives information. Returns it, and whether the look is the last one, because a
    /// limit is reached.
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

    /// Expected variance of the difference with this number of pairs.
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

    /// Number of pairs above which more pairs give almost no information.
    fn bound(&self) -> usize {
        let most = self.tasks * MAX_TASK_PAIRS;
        if self.options.is_repeated {
            return self.tasks * MAX_REPEATED_PAIRS;
        }
        if self.options.is_baseline_open {
            return most;
        }
        self.fewest(self.expected_variance(most) * NEAR_MIN_VARIANCE, most)
    }

    /// Number of pairs that are expected to reach a variance, up to the bound.
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

/// Number of attempts on both sides that a test without interim looks needs. `variance` is the
/// variance of a pair's difference.
pub(super) fn fixed_attempts(variance: f64, options: &GateOptions) -> usize {
    let normal = Normal::standard();
    let reach = normal.inverse_cdf(1.0 - options.alpha) + normal.inverse_cdf(options.power);
    2 * (variance * (reach / options.margin).powi(2)).ceil() as usize
}
