//! The composite score: four parts of the benchmark in one number (`docs/spec/metrics.md` §10).
//!
//! The benchmark's documentation contained the weights for some weeks, but no published code
//! computed the score, so several readings are possible. The score is always shown with the name of
//! its reading and a description ([`Reading`]). Reports show [`CompositeVariant::SHOWN`], with the
//! other readings below it.

use super::MetricId;
use crate::Say;
use crate::level::Level;
use crate::measured::Measured;
use crate::python::naive_sum;
use crate::reason::Reason;
use crate::sentence::Sentence;
use crate::text;
use serde::{Deserialize, Serialize};

/// Method of averaging the metrics of the first three levels to one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Averaging {
    /// All metrics of the part have the same weight.
    Flat,
    /// Metrics are averaged within their level, then the levels are averaged.
    LevelMean,
    /// All metrics have the same weight, including SR, `EPR_CVR` and pass@k of each level, which
    /// all levels have.
    FlatCommon,
}

/// A reading of the composite score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CompositeVariant {
    /// Averaging of the metrics.
    pub averaging: Averaging,
    /// Whether `ProvAcc` and `ReuseRate` count. Readings with them are called "seed", others
    /// "report".
    pub with_dropped_metrics: bool,
}

/// Description of a reading of the composite score, shown with the number.
#[derive(Clone, Debug, PartialEq, Eq, Say)]
#[allow(missing_docs, reason = "each variant is its sentence")]
pub enum Reading {
    #[say("all metrics that the benchmark's documentation names, with ProvAcc and ReuseRate")]
    Documented,
    #[say("the metrics that published reports contain (ProvAcc and ReuseRate left out)")]
    Published,
    #[say("all documented metrics, averaged within L1, L2 and L3 first")]
    DocumentedByLevel,
    #[say("the published metrics, averaged within L1, L2 and L3 first")]
    PublishedByLevel,
    #[say("all documented metrics, with SR, EPR_CVR and pass@k of each level")]
    DocumentedWithCommon,
    #[say("the published metrics, with SR, EPR_CVR and pass@k of each level")]
    PublishedWithCommon,
}

/// The composite score with its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Composite {
    /// The reading that was computed.
    pub variant: CompositeVariant,
    /// The part of L1 to L3, with a weight of 40 %.
    pub basic: Measured,
    /// The part of L5, with a weight of 20 %.
    pub error_handling: Measured,
    /// The part of L6, with a weight of 25 %.
    pub efficiency: Measured,
    /// The part of L7, with a weight of 15 %.
    pub context: Measured,
    /// The weighted sum of the parts. It has no value if a part has none.
    pub composite: Measured,
}

const COMMON: [MetricId; 3] = [MetricId::Sr, MetricId::EprCvr, MetricId::PassAtK];

impl CompositeVariant {
    /// All readings.
    pub const ALL: [CompositeVariant; 6] = [
        Self::new(Averaging::Flat, true),
        Self::new(Averaging::Flat, false),
        Self::new(Averaging::LevelMean, true),
        Self::new(Averaging::LevelMean, false),
        Self::new(Averaging::FlatCommon, true),
        Self::new(Averaging::FlatCommon, false),
    ];
    /// The reading "flat" with all metrics that the benchmark's documentation names.
    pub const FLAT_SEED: CompositeVariant = Self::ALL[0];
    /// The reading "flat" with only the metrics of the published December reports.
    pub const FLAT_REPORT: CompositeVariant = Self::ALL[1];
    /// The reading for pages, lists, comparisons and rankings. Every report can have it, so a
    /// report has the same score everywhere.
    pub const SHOWN: CompositeVariant = Self::FLAT_REPORT;

    const fn new(averaging: Averaging, with_dropped_metrics: bool) -> Self {
        Self { averaging, with_dropped_metrics }
    }

    /// All readings, with the given reading first.
    pub fn and_others(self) -> impl Iterator<Item = Self> {
        let others = Self::ALL.into_iter().filter(move |other| *other != self);
        std::iter::once(self).chain(others)
    }

    /// The reading with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }

    /// Description of the reading.
    pub fn reading(self) -> Reading {
        match (self.averaging, self.with_dropped_metrics) {
            (Averaging::Flat, true) => Reading::Documented {},
            (Averaging::Flat, false) => Reading::Published {},
            (Averaging::LevelMean, true) => Reading::DocumentedByLevel {},
            (Averaging::LevelMean, false) => Reading::PublishedByLevel {},
            (Averaging::FlatCommon, true) => Reading::DocumentedWithCommon {},
            (Averaging::FlatCommon, false) => Reading::PublishedWithCommon {},
        }
    }

    /// Name of the reading for people, by the metrics that it counts: a key of
    /// [`crate::sentence::Language::text`].
    pub fn title(self) -> &'static str {
        match (self.averaging, self.with_dropped_metrics) {
            (Averaging::Flat, true) => text!("composite with ProvAcc and ReuseRate"),
            (Averaging::Flat, false) => text!("composite"),
            (Averaging::LevelMean, true) => text!("composite of level means with ProvAcc and ReuseRate"),
            (Averaging::LevelMean, false) => text!("composite of level means"),
            (Averaging::FlatCommon, true) => {
                text!("composite with SR, EPR_CVR, pass@k, ProvAcc and ReuseRate")
            }
            (Averaging::FlatCommon, false) => text!("composite with SR, EPR_CVR and pass@k"),
        }
    }

    /// Name of the reading in files, such as `flat_seed` or `levelmean_report`.
    pub fn name(self) -> String {
        let averaging = match self.averaging {
            Averaging::Flat => "flat",
            Averaging::LevelMean => "levelmean",
            Averaging::FlatCommon => "flat_common",
        };
        format!("{averaging}_{}", if self.with_dropped_metrics { "seed" } else { "report" })
    }

    /// The level means in the weighted sum, each with its weight; the weights add up to 1.
    pub fn weights(self) -> Vec<(Level, MetricId, f64)> {
        let means = Level::ALL.into_iter().flat_map(|level| {
            let metrics = self.metrics(&level).into_iter();
            metrics.map(move |metric| (level.clone(), metric))
        });
        let weight = |of: (&Level, MetricId)| {
            let one = |level: &Level, metric| Ok(f64::from(u8::from((level, metric) == of)));
            composite(self, one).composite.unwrap_or_default()
        };
        means
            .map(|(level, metric)| {
                let weight = weight((&level, metric));
                (level, metric, weight)
            })
            .filter(|(.., weight)| *weight != 0.0)
            .collect()
    }

    /// The metrics of a level that belong to the level's part, in report order.
    fn metrics(self, level: &Level) -> Vec<MetricId> {
        let common = if self.averaging == Averaging::FlatCommon { &COMMON[..] } else { &[] };
        let own = MetricId::ALL.into_iter().filter(|id| id.level().as_ref() == Some(level));
        common.iter().copied().chain(own).filter(|id| self.with_dropped_metrics || id.is_in_head()).collect()
    }
}

/// Computes one reading from level means. `mean` returns the mean of a metric, or the reason why it
/// is missing.
pub fn composite(
    variant: CompositeVariant,
    mean: impl Fn(&Level, MetricId) -> Result<f64, Sentence>,
) -> Composite {
    let level_means = |level: &Level| -> Result<Vec<f64>, Sentence> {
        let name = |reason: Sentence, id: MetricId| {
            let of = Reason::OfLevelMetric { level: level.to_string(), metric: id.to_string(), reason };
            Sentence::from(of)
        };
        variant.metrics(level).into_iter().map(|id| mean(level, id).map_err(|why| name(why, id))).collect()
    };
    let part = |levels: &[Level]| -> Result<f64, Sentence> {
        let means = levels.iter().map(level_means).collect::<Result<Vec<_>, _>>()?;
        Ok(match variant.averaging {
            Averaging::LevelMean => average(&means.iter().map(|level| average(level)).collect::<Vec<_>>()),
            Averaging::Flat | Averaging::FlatCommon => average(&means.concat()),
        })
    };
    let basic = part(&[Level::L1, Level::L2, Level::L3]);
    let error_handling = part(&[Level::L5]);
    let efficiency = part(&[Level::L6]);
    let context = part(&[Level::L7]);
    let weighted = || {
        Ok(0.40 * basic.clone()?
            + 0.20 * error_handling.clone()?
            + 0.25 * efficiency.clone()?
            + 0.15 * context.clone()?)
    };
    Composite { variant, composite: weighted(), basic, error_handling, efficiency, context }
}

fn average(values: &[f64]) -> f64 {
    naive_sum(values.iter().copied()) / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_forty_twenty_twentyfive_fifteen() {
        let mean = |level: &Level, _: MetricId| {
            Ok(match level {
                Level::L5 => 0.1,
                Level::L6 => 0.01,
                Level::L7 => 0.001,
                _ => 1.0,
            })
        };
        for variant in CompositeVariant::ALL {
            let value = composite(variant, mean).composite.unwrap();
            assert!((value - (0.4 + 0.02 + 0.0025 + 0.00015)).abs() < 1e-12, "{}", variant.name());
        }
    }

    #[test]
    fn a_missing_mean_takes_its_part_and_the_composite_away() {
        let mean = |_: &Level, id| {
            if id == MetricId::ReuseRate { Err("not scored".into()) } else { Ok(1.0) }
        };
        let seed = composite(CompositeVariant::FLAT_SEED, mean);
        assert_eq!(seed.basic, Ok(1.0));
        assert_eq!(seed.composite.unwrap_err(), "L6 ReuseRate: not scored");
        assert_eq!(composite(CompositeVariant::FLAT_REPORT, mean).composite.ok(), Some(1.0));
    }
}
