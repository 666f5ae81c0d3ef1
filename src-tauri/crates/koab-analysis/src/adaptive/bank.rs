//! The chance that a model of some ability solves an item, with how little is known of the item.

use super::rasch::{ABILITY_SPREAD, DIFFICULTY_SPREAD, Rasch, logistic};

/// Points of the difficulties that are added up over, and how far they reach from their middle.
const DIFFICULTIES: usize = 65;
const DIFFICULTY_REACH: f64 = 8.0;
/// Points of abilities, and how far they reach.
const ABILITIES: usize = 41;
const ABILITY_REACH: f64 = 4.0;

/// All items of a pack, at a grid of abilities.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bank {
    /// Logarithm of what is known of the ability before any answer.
    before: Vec<f64>,
    /// Item by item, the chance at each ability.
    chances: Vec<Vec<f64>>,
}

impl Bank {
    /// From what models solved. Their abilities are taken as fitted; each item's difficulty is
    /// spread over all that its answers leave open, so that an item that all solved is likely and
    /// not certain to be solved.
    pub(super) fn new(solved: &[Vec<Option<bool>>]) -> Self {
        let fitted = Rasch::fit(solved);
        let grid = |points: usize, reach: f64| {
            let step = 2.0 * reach / (points - 1) as f64;
            (0..points).map(move |at| step * at as f64 - reach)
        };
        let abilities: Vec<f64> = grid(ABILITIES, ABILITY_REACH).collect();
        let difficulties: Vec<f64> =
            grid(DIFFICULTIES, DIFFICULTY_REACH).map(|one| one + fitted.middle).collect();
        // The chances of all abilities, a row a difficulty.
        let rows: Vec<Vec<f64>> = difficulties
            .iter()
            .map(|difficulty| abilities.iter().map(|ability| logistic(ability - difficulty)).collect())
            .collect();
        let item = |item: usize| {
            let known = difficulties.iter().map(|difficulty| {
                let away = (difficulty - fitted.middle) / DIFFICULTY_SPREAD;
                let answers = solved.iter().zip(&fitted.abilities).filter_map(|(of, ability)| {
                    let towards = ability - difficulty;
                    Some(logistic(if of[item]? { towards } else { -towards }).ln())
                });
                answers.sum::<f64>() - 0.5 * away * away
            });
            let weights = normalized(&known.collect::<Vec<f64>>());
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

    /// How likely each ability is after these answers.
    pub(super) fn abilities(&self, answers: &[Option<bool>]) -> Vec<f64> {
        let mut known = self.before.clone();
        for (answer, chances) in answers.iter().zip(&self.chances) {
            if let Some(is_solved) = answer {
                let of = |chance: &f64| {
                    if *is_solved { chance.ln() } else { (1.0 - chance).ln() }
                };
                known.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += of(chance));
            }
        }
        normalized(&known)
    }

    /// The chance that an item is solved.
    pub(super) fn chance(&self, abilities: &[f64], item: usize) -> f64 {
        abilities.iter().zip(&self.chances[item]).map(|(weight, chance)| weight * chance).sum()
    }

    /// Mean and variance of how many of the items without an answer are solved: by chance at each
    /// ability, and by not knowing the ability.
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

/// Shares from logarithms.
fn normalized(known: &[f64]) -> Vec<f64> {
    let most = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = known.iter().map(|one| (one - most).exp()).collect();
    let whole: f64 = shares.iter().sum();
    shares.into_iter().map(|one| one / whole).collect()
}
