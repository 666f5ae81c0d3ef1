//! Choice of figures, and the texts that describe it.

use koab_core::Say;
use koab_core::level::Level;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};

/// Choice of figures: a metric on all levels, a whole level, or a metric of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct WantedFigure {
    /// Level of the figures; null for a metric on every level that has the metric.
    pub level: Option<Level>,
    /// Metric of the figures; null for a level's score and all metrics of the level.
    pub metric: Option<MetricId>,
}

impl WantedFigure {
    /// Whether the choice contains the metric at the level.
    pub(super) fn takes(&self, level: &Level, metric: MetricId) -> bool {
        self.level.as_ref().is_none_or(|of| of == level) && self.metric.is_none_or(|of| of == metric)
    }

    /// Parses `SR`, `L3` or `L3.SR` in any letter case, and the same with one of these groups of
    /// other benchmarks. Characters such as `Δ`, `_` and `@` may be left out.
    ///
    /// # Errors
    /// [`UnknownFigure`] with the names that are known.
    pub fn parse(text: &str, groups: &[&Level]) -> Result<Self, UnknownFigure> {
        let word = text.trim();
        let group = |text: &str| groups.iter().find(|group| group.as_str() == text).copied().cloned();
        let level = |text: &str| text.parse::<Level>().ok().or_else(|| group(text));
        if let Some(metric) = metric_named(word) {
            return Ok(metric.into());
        }
        if let Some(level) = level(word) {
            return Ok(Self { level: Some(level), metric: None });
        }
        let parts = word.rsplit_once('.');
        let Some((of, name)) = parts.and_then(|(of, name)| Some((level(of)?, name))) else {
            return Err(UnknownFigure::Word { word: word.to_owned(), metrics: names(|_| true) });
        };
        let is_of_level = |metric: MetricId| metric.level().is_none_or(|one| one == of);
        match metric_named(name).filter(|metric| is_of_level(*metric)) {
            Some(metric) => Ok(Self { level: Some(of), metric: Some(metric) }),
            None => {
                let metrics = names(is_of_level);
                Err(UnknownFigure::OfLevel { word: word.to_owned(), level: of, metrics })
            }
        }
    }
}

impl From<MetricId> for WantedFigure {
    fn from(metric: MetricId) -> Self {
        Self { level: None, metric: Some(metric) }
    }
}

/// Text that describes no figure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum UnknownFigure {
    /// The text is neither a metric nor a level.
    #[error(
        "`{word}` is neither a metric nor a level; the levels are L1 to L7, the metrics {metrics}, and one of both is written as L3.SR"
    )]
    Word {
        /// Text that was given.
        word: String,
        /// Names of all metrics.
        metrics: String,
    },
    /// The level has no such metric.
    #[error("`{word}`: {level} has no metric of that name; it has {metrics}")]
    OfLevel {
        /// Text that was given.
        word: String,
        /// Level that the text names.
        level: Level,
        /// Names of the level's metrics.
        metrics: String,
    },
}

fn metric_named(word: &str) -> Option<MetricId> {
    // `Δ` is on few keyboards.
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let word = plain(word);
    MetricId::ALL.into_iter().find(|metric| plain(metric.name()) == word)
}

fn names(is_meant: impl Fn(MetricId) -> bool) -> String {
    let names = MetricId::ALL.into_iter().filter(|metric| is_meant(*metric));
    names.map(MetricId::name).collect::<Vec<_>>().join(", ")
}
