//! Rasch model (Rasch 1960): a model solves an item with the chance `σ(ability − difficulty)`.
//!
//! There are few models, and nearly all of them solve most items. Both parameters therefore have
//! normal priors, and the mode of the posterior is fitted (Mislevy 1986, *Psychometrika* 51). The
//! log posterior is concave, so Newton's steps from 0 find its only mode.

/// Prior standard deviation of difficulties, in logits.
pub(super) const DIFFICULTY_SPREAD: f64 = 2.0;
/// Prior standard deviation of abilities, in logits.
pub(super) const ABILITY_SPREAD: f64 = 1.0;
/// Maximum number of rounds over all items and models.
const MAX_ROUNDS: usize = 500;
/// Largest change of a parameter in a round at which the fit has converged.
const SETTLED: f64 = 1e-9;
/// Maximum length of one Newton step, so that no step overshoots.
const MAX_STEP: f64 = 1.0;

/// The logistic function.
pub fn logistic(at: f64) -> f64 {
    1.0 / (1.0 + (-at).exp())
}

/// Fitted Rasch model.
#[derive(Clone, Debug, PartialEq)]
pub struct Rasch {
    /// Ability of each model.
    pub abilities: Vec<f64>,
    /// Difficulty of each item.
    pub difficulties: Vec<f64>,
    /// Mean of the difficulties, the centre of their prior.
    pub middle: f64,
}

impl Rasch {
    /// Fits the answers of models, with one list per model; null where a model has no score of an
    /// item.
    pub fn fit(solved: &[Vec<Option<bool>>]) -> Self {
        let items = solved.first().map_or(0, Vec::len);
        let mut fitted =
            Self { abilities: vec![0.0; solved.len()], difficulties: vec![0.0; items], middle: 0.0 };
        for _ in 0..MAX_ROUNDS {
            let mut moved = 0.0f64;
            for item in 0..items {
                let observations = solved.iter().zip(&fitted.abilities);
                let observations =
                    observations.filter_map(|(of, ability)| Some((*ability, !(*of.get(item)?.as_ref()?))));
                let at = fitted.difficulties[item];
                let next = newton(at, fitted.middle, DIFFICULTY_SPREAD, observations);
                moved = moved.max((next - at).abs());
                fitted.difficulties[item] = next;
            }
            // The mean difficulty is free, so that an easy pack does not give models a high
            // ability.
            fitted.middle = fitted.difficulties.iter().sum::<f64>() / items.max(1) as f64;
            for (ability, of) in fitted.abilities.iter_mut().zip(solved) {
                let observations = of.iter().zip(&fitted.difficulties);
                let observations =
                    observations.filter_map(|(solved, difficulty)| Some((*difficulty, (*solved)?)));
                let next = newton(*ability, 0.0, ABILITY_SPREAD, observations);
                moved = moved.max((next - *ability).abs());
                *ability = next;
            }
            if moved < SETTLED {
                break;
            }
        }
        fitted
    }

    /// Chance that a model of this ability solves an item.
    pub fn chance(&self, ability: f64, item: usize) -> f64 {
        logistic(ability - self.difficulties[item])
    }

    /// Mean chance over all items of a model of this ability.
    pub fn mean(&self, ability: f64) -> f64 {
        let chances = (0..self.difficulties.len()).map(|item| self.chance(ability, item));
        chances.sum::<f64>() / self.difficulties.len() as f64
    }

    /// Ability whose mean chance over all items is `mean`.
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

/// New value of an ability or a difficulty after one Newton step from `at`. Its prior is normal,
/// with mean `middle` and standard deviation `spread`.
///
/// An observation is one answer: the other of the two parameters, and whether the answer supports a
/// larger value of this one. A solved task supports a larger ability, an unsolved one a larger
/// difficulty.
fn newton(at: f64, middle: f64, spread: f64, observations: impl Iterator<Item = (f64, bool)>) -> f64 {
    let weight = 1.0 / (spread * spread);
    let (mut slope, mut curve) = ((middle - at) * weight, weight);
    for (other, is_below) in observations {
        let chance = logistic(at - other);
        slope += f64::from(u8::from(is_below)) - chance;
        curve += chance * (1.0 - chance);
    }
    at + (slope / curve).clamp(-MAX_STEP, MAX_STEP)
}
