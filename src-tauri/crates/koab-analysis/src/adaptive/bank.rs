//! Chance that a model of a given ability solves an item, with the uncertainty about the item's
//! difficulty.

use super::rasch::{ABILITY_SPREAD, DIFFICULTY_SPREAD, Rasch, logistic};

/// Number of grid points of the difficulty.
const DIFFICULTIES: usize = 65;
/// Distance of the outermost grid points from the mean difficulty, in logits.
const DIFFICULTY_REACH: f64 = 8.0;
/// Number of grid points of the ability.
const ABILITIES: usize = 41;
/// Largest ability on the grid, in logits. The grid is symmetric around 0.
const ABILITY_REACH: f64 = 4.0;

/// All items of a pack, each with its chance to be solved on a grid of abilities.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bank {
    /// Logarithm of each ability's prior density, up to a constant.
    before: Vec<f64>,
    /// Chance that each item is solved at each ability, item by item.
    chances: Vec<Vec<f64>>,
}

impl Bank {
    /// Builds the bank from the answers of models.
    ///
    /// The fitted abilities are used without uncertainty. An item's chance is averaged over all
    /// difficulties that its answers allow, so an item that all models solved has a chance near 1
    /// but not 1.
    pub(super) fn new(solved: &[Vec<Option<bool>>]) -> Self {
        let fitted = Rasch::fit(solved);
        let grid = |points: usize, reach: f64| {
            let step = 2.0 * reach / (points - 1) as f64;
            (0..points).map(move |at| step * at as f64 - reach)
        };
        let abilities: Vec<f64> = grid(ABILITIES, ABILITY_REACH).collect();
        let difficulties: Vec<f64> =
            grid(DIFFICULTIES, DIFFICULTY_REACH).map(|one| one + fitted.middle).collect();
        // Chances of all abilities, one row per difficulty.
        let rows: Vec<Vec<f64>> = difficulties
            .iter()
            .map(|difficulty| abilities.iter().map(|ability| logistic(ability - difficulty)).collect())
            .collect();
        let item = |item: usize| {
            let logarithms = difficulties.iter().map(|difficulty| {
                let away = (difficulty - fitted.middle) / DIFFICULTY_SPREAD;
                let answers = solved.iter().zip(&fitted.abilities).filter_map(|(of, ability)| {
                    let towards = ability - difficulty;
                    Some(logistic(if of[item]? { towards } else { -towards }).ln())
                });
                answers.sum::<f64>() - 0.5 * away * away
            });
            let weights = normalized(&logarithms.collect::<Vec<f64>>());
            let mut chances = vec![0.0; ABILITIES];
            for (weight, row) in weights.iter().zip(&rows) {
                chances.iter_mut().zip(row).for_each(|(sum, chance)| *sum += weight * chance);
            }
            chances
        };
        Self {
            before: abilities.iter().map(|one| -0.5 * (one / ABILITY_SPREAD).powi(2)).collect(),
            chances: (0..fitted.difficulties.len()).map(item).collect(),
        }
    }

    /// Posterior probability of each ability after these answers.
    pub(super) fn abilities(&self, answers: &[Option<bool>]) -> Vec<f64> {
        let mut logarithms = self.before.clone();
        for (answer, chances) in answers.iter().zip(&self.chances) {
            if let Some(is_solved) = answer {
                let of = |chance: &f64| {
                    if *is_solved { chance.ln() } else { (1.0 - chance).ln() }
                };
                logarithms.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += of(chance));
            }
        }
        normalized(&logarithms)
    }

    /// Chance that an item is solved, averaged over the abilities.
    pub(super) fn chance(&self, abilities: &[f64], item: usize) -> f64 {
        abilities.iter().zip(&self.chances[item]).map(|(weight, chance)| weight * chance).sum()
    }

    /// Mean and variance of the number of unanswered items that will be solved.
    ///
    /// The variance has two parts: chance at a given ability, and uncertainty about the ability.
    pub(super) fn rest(&self, abilities: &[f64], answers: &[Option<bool>]) -> (f64, f64) {
        let (mut means, mut chance) = (vec![0.0; ABILITIES], vec![0.0; ABILITIES]);
        for (_, chances) in answers.iter().zip(&self.chances).filter(|(answer, _)| answer.is_none()) {
            for (at, one) in chances.iter().enumerate() {
                means[at] += one;
                chance[at] += one * (1.0 - one);
            }
        }
        let sum = |values: &dyn Fn(usize) -> f64| -> f64 {
            (0..ABILITIES).map(|at| abilities[at] * values(at)).sum()
        };
        let mean = sum(&|at| means[at]);
        (mean, sum(&|at| chance[at] + (means[at] - mean).powi(2)))
    }
}

/// Converts logarithms of weights to shares with the sum 1.
fn normalized(logarithms: &[f64]) -> Vec<f64> {
    let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = logarithms.iter().map(|one| (one - most).exp()).collect();
    let whole: f64 = shares.iter().sum();
    shares.into_iter().map(|one| one / whole).collect()
}
