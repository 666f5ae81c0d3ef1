//! How hard each item is and how able each model: the chance to solve an item is `σ(ability −
//! difficulty)` (Rasch 1960).
//!
//! Few models have been run and most items are solved by nearly all, so both have normal priors,
//! and what is fitted is the mode of the posterior (Mislevy 1986, *Psychometrika* 51). The
//! logarithm is concave, so Newton's steps from 0 find the one mode.

/// Standard deviation of difficulties.
pub(super) const DIFFICULTY_SPREAD: f64 = 2.0;
/// Standard deviation of abilities.
pub(super) const ABILITY_SPREAD: f64 = 1.0;
/// Most rounds over all items and models.
const ROUNDS: usize = 500;
/// A round that moves everything by less than this is the last.
const SETTLED: f64 = 1e-9;
/// The farthest that a step goes, so that none overshoots.
const STEP: f64 = 1.0;

/// The logistic function.
pub fn logistic(at: f64) -> f64 {
    1.0 / (1.0 + (-at).exp())
}

/// A fitted model.
#[derive(Clone, Debug, PartialEq)]
pub struct Rasch {
    /// Of each model that was given.
    pub abilities: Vec<f64>,
    /// Of each item.
    pub difficulties: Vec<f64>,
    /// The mean of the difficulties, around which they are expected.
    pub middle: f64,
}

impl Rasch {
    /// Fits what each model solved, model by model; null where a model has no score of an item.
    pub fn fit(solved: &[Vec<Option<bool>>]) -> Self {
        let items = solved.first().map_or(0, Vec::len);
        let mut fitted =
            Self { abilities: vec![0.0; solved.len()], difficulties: vec![0.0; items], middle: 0.0 };
        for _ in 0..ROUNDS {
            let mut moved = 0.0f64;
            for item in 0..items {
                let seen = solved.iter().zip(&fitted.abilities);
                let seen = seen.filter_map(|(of, ability)| Some((*ability, !(*of.get(item)?.as_ref()?))));
                let at = fitted.difficulties[item];
                let next = newton(at, fitted.middle, DIFFICULTY_SPREAD, seen);
                moved = moved.max((next - at).abs());
                fitted.difficulties[item] = next;
            }
            // The middle is free, so that an easy pack does not make able models.
            fitted.middle = fitted.difficulties.iter().sum::<f64>() / items.max(1) as f64;
            for (ability, of) in fitted.abilities.iter_mut().zip(solved) {
                let seen = of.iter().zip(&fitted.difficulties);
                let seen = seen.filter_map(|(solved, difficulty)| Some((*difficulty, (*solved)?)));
                let next = newton(*ability, 0.0, ABILITY_SPREAD, seen);
                moved = moved.max((next - *ability).abs());
                *ability = next;
            }
            if moved < SETTLED {
                break;
            }
        }
        fitted
    }

    /// The chance that a model of some ability solves an item.
    pub fn chance(&self, ability: f64, item: usize) -> f64 {
        logistic(ability - self.difficulties[item])
    }

    /// The mean chance over all items.
    pub fn mean(&self, ability: f64) -> f64 {
        let chances = (0..self.difficulties.len()).map(|item| self.chance(ability, item));
        chances.sum::<f64>() / self.difficulties.len() as f64
    }

    /// The ability whose mean chance over all items is `mean`.
    pub fn ability_of(&self, mean: f64) -> f64 {
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.mean(middle) < mean {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

/// One of Newton's steps for a place among others: each that is seen is at a place, and below this
/// one or not.
fn newton(at: f64, middle: f64, spread: f64, seen: impl Iterator<Item = (f64, bool)>) -> f64 {
    let weight = 1.0 / (spread * spread);
    let (mut slope, mut curve) = ((middle - at) * weight, weight);
    for (other, is_below) in seen {
        let chance = logistic(at - other);
        slope += f64::from(u8::from(is_below)) - chance;
        curve += chance * (1.0 - chance);
    }
    at + (slope / curve).clamp(-STEP, STEP)
}
