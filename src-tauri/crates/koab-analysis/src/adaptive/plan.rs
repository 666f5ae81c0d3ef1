//! Choice of the next items of an adaptive run, and its stopping rule.

use super::bank::Bank;
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use koab_core::{Say, say, shown};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeSet;

/// Minimum number of reports of other models. Fewer reports give too little information about the
/// items.
const LEAST_MODELS: usize = 4;
/// Minimum number of answers before a run may end, even if its interval is narrow enough.
const MIN_ANSWERS: usize = 20;
/// Number of the most informative items that the next item is drawn from, so that different seeds
/// choose different items (Kingsbury, Zara 1989).
const CANDIDATES: usize = 5;

/// Options of an adaptive run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveOptions {
    /// Half width of the interval at which the run ends, such as 0.03.
    pub half_width: f64,
    /// Two-sided level of the interval.
    pub alpha: f64,
    /// Seed of the random choice among the most informative items.
    pub seed: u64,
    /// Maximum number of items in one step. A step has fewer items if fewer seem to be needed.
    pub at_once: usize,
}

impl AdaptiveOptions {
    /// Number of items in one step: enough to keep a server busy, but few enough that answers still
    /// influence the choice of the next items.
    pub const AT_ONCE: usize = 12;
}

impl Default for AdaptiveOptions {
    fn default() -> Self {
        Self { half_width: 0.03, alpha: 0.05, seed: koab_report::interval::SEED, at_once: 1 }
    }
}

/// Reason why no estimate is possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum AdaptiveRefusal {
    /// There are too few reports of other models.
    #[error(
        "{count} reports of this pack are too few to know how hard its tasks are; reports of at least {LEAST_MODELS} other models are needed"
    )]
    FewModels {
        /// Number of reports.
        count: usize,
    },
    /// The reports do not have the same items.
    #[error("the reports do not have the same tasks")]
    OtherItems,
    /// The half width is not between 0 and 0.5.
    #[error("the half width must be above 0 and below 0.5, such as 0.03 for three points")]
    Width,
}

/// Estimated result of a whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AdaptiveEstimate {
    /// Estimated mean score over all items.
    pub mean: f64,
    /// Half the width of the mean's interval.
    pub half_width: f64,
    /// Number of items that the model was given.
    pub asked: usize,
    /// Number of all items.
    pub items: usize,
    /// Estimate in words.
    pub sentence: Sentence,
}

/// Next step of an adaptive run.
#[derive(Clone, Debug, PartialEq)]
pub enum AdaptiveStep {
    /// Items that the model has to answer next.
    Items(Vec<usize>),
    /// The run is complete, with this estimate.
    Done(AdaptiveEstimate),
}

/// Plan of an adaptive run: knowledge about the items, and the options.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptivePlan {
    bank: Bank,
    items: usize,
    models: usize,
    reach: f64,
    options: AdaptiveOptions,
}

impl AdaptivePlan {
    /// Builds a plan from the results of other models. `solved` has one list per model, all in the
    /// same order of items; `None` where a model has no score.
    ///
    /// # Errors
    /// When there are too few models, the models do not have the same items, or the half width is
    /// not between 0 and 0.5.
    pub fn new(solved: &[Vec<Option<bool>>], options: AdaptiveOptions) -> Result<Self, AdaptiveRefusal> {
        if solved.len() < LEAST_MODELS {
            return Err(AdaptiveRefusal::FewModels { count: solved.len() });
        }
        let items = solved[0].len();
        if items == 0 || solved.iter().any(|of| of.len() != items) {
            return Err(AdaptiveRefusal::OtherItems);
        }
        if !(options.half_width > 0.0 && options.half_width < 0.5) {
            return Err(AdaptiveRefusal::Width);
        }
        Ok(Self {
            bank: Bank::new(solved),
            items,
            models: solved.len(),
            reach: Normal::standard().inverse_cdf(1.0 - options.alpha / 2.0),
            options,
        })
    }

    /// Copy of the plan with another seed for the choice of items.
    pub fn seeded(&self, seed: u64) -> Self {
        let mut plan = self.clone();
        plan.options.seed = seed;
        plan
    }

    /// Number of items that the run is expected to need.
    pub fn expected(&self) -> usize {
        let none = vec![None; self.items];
        let candidates = self.candidates(&self.bank.abilities(&none), &none, &BTreeSet::new());
        self.needed(&candidates, 0)
    }

    /// Decides the next step from the answers so far. An answer is whether the model solved the
    /// item; null for items without an answer.
    pub fn next(&self, answers: &[Option<bool>]) -> AdaptiveStep {
        self.next_without(answers, &BTreeSet::new())
    }

    /// Decides the next step if some items must be left out, such as items whose attempts end for
    /// technical reasons.
    pub fn next_without(&self, answers: &[Option<bool>], closed: &BTreeSet<usize>) -> AdaptiveStep {
        let mut answers = answers.to_vec();
        answers.resize(self.items, None);
        let answer_count = answers.iter().flatten().count();
        let abilities = self.bank.abilities(&answers);
        let estimate = self.estimate(&abilities, &answers, answer_count);
        let mut candidates = self.candidates(&abilities, &answers, closed);
        let is_enough = answer_count >= MIN_ANSWERS && estimate.half_width <= self.options.half_width;
        if is_enough || candidates.is_empty() {
            return AdaptiveStep::Done(estimate);
        }
        let most = self.options.at_once.max(1);
        let count = self.needed(&candidates, answer_count).clamp(most.div_ceil(4), most);
        let mut mix = SplitMix(self.options.seed ^ (answer_count as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut items = Vec::new();
        while items.len() < count && !candidates.is_empty() {
            items.push(candidates.remove(mix.below(candidates.len().min(CANDIDATES))).0);
        }
        AdaptiveStep::Items(items)
    }

    /// Estimate from the answers so far, for any number of answers.
    pub fn so_far(&self, answers: &[Option<bool>]) -> AdaptiveEstimate {
        let answer_count = answers.iter().flatten().count();
        self.estimate(&self.bank.abilities(answers), answers, answer_count)
    }

    /// Items without an answer, each with its information at the current estimate of the ability;
    /// the most informative first.
    fn candidates(
        &self,
        abilities: &[f64],
        answers: &[Option<bool>],
        closed: &BTreeSet<usize>,
    ) -> Vec<(usize, f64)> {
        let information = |item: usize| {
            let chance = self.bank.chance(abilities, item);
            (item, chance * (1.0 - chance))
        };
        let mut candidates: Vec<(usize, f64)> = (0..self.items)
            .filter(|item| answers[*item].is_none() && !closed.contains(item))
            .map(information)
            .collect();
        candidates.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        candidates
    }

    /// Number of further items that are needed until the interval is narrow enough.
    fn needed(&self, candidates: &[(usize, f64)], asked: usize) -> usize {
        let wished = (self.options.half_width * self.items as f64 / self.reach).powi(2);
        let mut open: f64 = candidates.iter().map(|(_, information)| information).sum();
        let opens = candidates.iter().take_while(|(_, information)| {
            let is_open = open > wished;
            open -= information;
            is_open
        });
        let count = opens.count();
        count.max(MIN_ANSWERS.saturating_sub(asked)).min(candidates.len())
    }

    fn estimate(&self, abilities: &[f64], answers: &[Option<bool>], asked: usize) -> AdaptiveEstimate {
        let solved = answers.iter().flatten().filter(|is_solved| **is_solved).count() as f64;
        let (rest, variance) = self.bank.rest(abilities, answers);
        let items = self.items as f64;
        let (mean, half_width) = ((solved + rest) / items, self.reach * variance.sqrt() / items);
        let (score, width) = (shown::score(Some(mean)), shown::fixed(half_width, 3));
        let (all, models) = (self.items, self.models);
        let level = shown::percent(1.0 - self.options.alpha, 0);
        AdaptiveEstimate {
            mean,
            half_width,
            asked,
            items: self.items,
            sentence: say!(
                "a run of all {all} tasks is estimated at {score} ± {width} ({level}), from {asked} tasks and the reports of {models} other models; an estimate cannot be submitted"
            ),
        }
    }
}
