//! Comparison of models over several packs at once.

mod sides;
mod test;
#[cfg(test)]
mod tests;
mod view;

pub use view::{
    AcrossLeftOut, AcrossModel, AcrossPair, AcrossPairPack, AcrossPower, AcrossReport, AcrossRequest,
    AcrossView,
};

use crate::Compare;
use koab_analysis::across::{AcrossOptions, AcrossWeights, Part, detectable};
use koab_analysis::paired::{ALPHA, SEED, holm::holm};
use koab_workspace::WireError;
use sides::Sides;

/// Assumed shares of the items on which two models differ, where no data is available.
const ASSUMED: [f64; 3] = [0.1, 0.2, 0.3];

impl Compare {
    /// Tests the first report's model against each other model, over the packs that have reports of
    /// both models.
    ///
    /// # Errors
    /// When fewer than two reports are given, a report cannot be read, a model has two reports of
    /// one pack, or only one model has a report of a pack.
    pub fn compare_across(&self, request: &AcrossRequest) -> Result<AcrossView, WireError> {
        let ids = super::wanted(&request.ids)?;
        let read = self.open_all(&ids)?;
        let options = AcrossOptions {
            weights: request.weights,
            seed: request.seed.unwrap_or(SEED),
            ..AcrossOptions::default()
        };
        let facts = read.iter().map(|one| self.runs.library.facts_of(&one.open.loaded));
        let sides = Sides::new(&read, facts.collect())?;
        let mut pairs: Vec<AcrossPair> =
            (1..sides.models.len()).map(|second| sides.test(0, second, &options)).collect();
        correct(&mut pairs);
        let count = sides.models.len();
        let all = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
        let of_pairs: Vec<Vec<Part>> = all.map(|(first, second)| sides.parts(first, second)).collect();
        let mean_parts = mean_parts(&of_pairs);
        let power = |discordance: Option<f64>| {
            let of = |weights| detectable_difference(&mean_parts, weights, discordance, &options);
            AcrossPower {
                discordance,
                item: of(AcrossWeights::Item),
                benchmark: of(AcrossWeights::Benchmark),
            }
        };
        Ok(AcrossView {
            weights: request.weights,
            power: options.power,
            alpha: options.alpha,
            seen: power(None),
            assumed: ASSUMED.into_iter().map(Some).map(power).collect(),
            models: sides.models(),
            packs: sides.packs,
            pairs,
        })
    }
}

/// Applies Holm's correction over the strata of all pairs together. A second correction covers the
/// combined differences of all pairs.
fn correct(pairs: &mut [AcrossPair]) {
    let results = pairs.iter().filter_map(|pair| pair.across.as_ref());
    let combined: Vec<f64> = results.clone().map(|across| across.combined.p).collect();
    let strata: Vec<f64> = results.flat_map(|across| &across.strata).map(|one| one.p).collect();
    let (mut combined, mut strata) = (holm(&combined).into_iter(), holm(&strata).into_iter());
    for pair in pairs {
        let Some(across) = &mut pair.across else {
            continue;
        };
        for (stratum, corrected) in across.strata.iter_mut().zip(strata.by_ref()) {
            stratum.holm = corrected;
        }
        pair.holm = combined.next();
        pair.verdict = test::verdict(across.combined.difference, pair.holm, ALPHA);
    }
}

/// Number of items and mean discordance of each pack, over the pairs that are compared on items of
/// the pack.
fn mean_parts(pairs: &[Vec<Part>]) -> Vec<Part> {
    let packs = pairs.iter().map(Vec::len).max().unwrap_or(0);
    let of_pack = |pack: usize| {
        let of = || pairs.iter().filter_map(|parts| parts.get(pack)).filter(|part| part.items > 0);
        let count = of().count();
        (count > 0).then(|| Part {
            weight: 0.0,
            items: of().map(|part| part.items).max().unwrap_or(0),
            discordance: of().map(|part| part.discordance).sum::<f64>() / count as f64,
        })
    };
    (0..packs).filter_map(of_pack).collect()
}

/// Smallest detectable difference with these weights, at the observed or at an assumed discordance.
///
/// `None` when there are no items, or when the difference would exceed the assumed discordance. Two
/// models that differ on fewer items cannot have such a difference.
fn detectable_difference(
    parts: &[Part],
    weights: AcrossWeights,
    discordance: Option<f64>,
    options: &AcrossOptions,
) -> Option<f64> {
    if parts.is_empty() {
        return None;
    }
    let items: usize = parts.iter().map(|part| part.items).sum();
    let weighted = parts.iter().map(|part| Part {
        weight: match weights {
            AcrossWeights::Item => part.items as f64 / items as f64,
            AcrossWeights::Benchmark => 1.0 / parts.len() as f64,
        },
        discordance: discordance.unwrap_or(part.discordance),
        ..*part
    });
    let difference = detectable(&weighted.collect::<Vec<_>>(), options.alpha, options.power);
    discordance.is_none_or(|most| difference <= most).then_some(difference)
}
