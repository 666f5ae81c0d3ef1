//! Which items come next, and when it is enough.

use super::bank::Bank;
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use koab_core::{Say, say, shown};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeSet;

/// Fewest models: of fewer the items say nothing of each other.
const LEAST_MODELS: usize = 4;
/// Fewest answers, however sure the model seems to be.
const LEAST_ANSWERS: usize = 20;
/// The next item is drawn among so many that tell most, so that different seeds ask different items
/// (Kingsbury, Zara 1989).
const AMONG: usize = 5;

/// What is wished for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveOptions {
    /// Half the width of the interval at which it is enough, such as 0.03.
    pub half_width: f64,
    /// Two-sided level of the interval.
    pub alpha: f64,
    /// Seed of the choice among items that tell as much.
    pub seed: u64,
    /// Items that are asked at once at most: fewer where fewer seem to be needed.
    pub at_once: usize,
}

impl AdaptiveOptions {
    /// Items that a run is made for: many enough to keep a server busy, few enough that the next
    /// ones still are chosen.
    pub const AT_ONCE: usize = 12;
}

impl Default for AdaptiveOptions {
    fn default() -> Self {
        Self { half_width: 0.03, alpha: 0.05, seed: koab_report::interval::SEED, at_once: 1 }
    }
}

/// What cannot be estimated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum AdaptiveRefusal {
    /// Too little is known of the items.
    #[error(
        "{count} reports of this pack are too few to know how hard its tasks are; it takes those of at least {LEAST_MODELS} other models"
    )]
    FewModels {
        /// Reports.
        count: usize,
    },
    /// The reports are of other items.
    #[error("the reports do not have the same tasks")]
    OtherItems,
    /// The width is none.
    #[error("the half width lies above 0 and below 0.5, such as 0.03 for three points")]
    Width,
}

/// What a whole run would give.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AdaptiveEstimate {
    /// The mean over all items.
    pub mean: f64,
    /// Half the width of its interval.
    pub half_width: f64,
    /// Items that were asked.
    pub asked: usize,
    /// All items.
    pub items: usize,
    /// The same in words.
    pub sentence: Sentence,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum AdaptiveStep {
    /// These items are to be asked.
    Items(Vec<usize>),
    /// It is enough.
    Done(AdaptiveEstimate),
}

/// An adaptive run before its first item.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptivePlan {
    bank: Bank,
    items: usize,
    models: usize,
    reach: f64,
    options: AdaptiveOptions,
}

impl AdaptivePlan {
    /// From what other models solved, model by model in one order of the items; null where a model
    /// has no score.
    ///
    /// # Errors
    /// When there are too few models or they have not the same items, or the width is none.
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

    /// The same with another choice among items that tell as much.
    pub fn seeded(&self, seed: u64) -> Self {
        let mut plan = self.clone();
        plan.options.seed = seed;
        plan
    }

    /// Items that it is expected to take.
    pub fn expected(&self) -> usize {
        let none = vec![None; self.items];
        let left = self.left(&self.bank.abilities(&none), &none, &BTreeSet::new());
        self.needed(&left, 0)
    }

    /// What comes next, from the answers so far: whether the model solved each item, null for those
    /// that were not asked.
    pub fn next(&self, answers: &[Option<bool>]) -> AdaptiveStep {
        self.next_without(answers, &BTreeSet::new())
    }

    /// The same where some items cannot be asked, such as those whose attempts end for technical
    /// reasons.
    pub fn next_without(&self, answers: &[Option<bool>], closed: &BTreeSet<usize>) -> AdaptiveStep {
        let mut answers = answers.to_vec();
        answers.resize(self.items, None);
        let asked = answers.iter().flatten().count();
        let abilities = self.bank.abilities(&answers);
        let found = self.estimate(&abilities, &answers, asked);
        let mut left = self.left(&abilities, &answers, closed);
        let is_enough = asked >= LEAST_ANSWERS && found.half_width <= self.options.half_width;
        if is_enough || left.is_empty() {
            return AdaptiveStep::Done(found);
        }
        let most = self.options.at_once.max(1);
        let count = self.needed(&left, asked).clamp(most.div_ceil(4), most);
        let mut mix = SplitMix(self.options.seed ^ (asked as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut items = Vec::new();
        while items.len() < count && !left.is_empty() {
            items.push(left.remove(mix.below(left.len().min(AMONG))).0);
        }
        AdaptiveStep::Items(items)
    }

    /// What the answers so far come to, enough or not.
    pub fn so_far(&self, answers: &[Option<bool>]) -> AdaptiveEstimate {
        let asked = answers.iter().flatten().count();
        self.estimate(&self.bank.abilities(answers), answers, asked)
    }

    /// Items that can be asked and the information of each at what is known of the ability, most
    /// first.
    fn left(
        &self,
        abilities: &[f64],
        answers: &[Option<bool>],
        closed: &BTreeSet<usize>,
    ) -> Vec<(usize, f64)> {
        let told = |item: usize| {
            let chance = self.bank.chance(abilities, item);
            (item, chance * (1.0 - chance))
        };
        let mut left: Vec<(usize, f64)> = (0..self.items)
            .filter(|item| answers[*item].is_none() && !closed.contains(item))
            .map(told)
            .collect();
        left.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        left
    }

    /// How many of these have to be asked until what chance leaves open of the others is narrow
    /// enough.
    fn needed(&self, left: &[(usize, f64)], asked: usize) -> usize {
        let wished = (self.options.half_width * self.items as f64 / self.reach).powi(2);
        let mut open: f64 = left.iter().map(|(_, told)| told).sum();
        let opens = left.iter().take_while(|(_, told)| {
            let is_open = open > wished;
            open -= told;
            is_open
        });
        let count = opens.count();
        count.max(LEAST_ANSWERS.saturating_sub(asked)).min(left.len())
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
                "a run of all {all} tasks is estimated at {score} ± {width} ({level}), from {asked} tasks and the reports of {models} other models; this is no score to hand in"
            ),
        }
    }
}
