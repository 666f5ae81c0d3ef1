//! Figures of two reports, each a weighted sum of level means.

use super::{Family, WantedFigure};
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_report::{Report, level_score, levels_of, overall, own_metrics};

/// One figure of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Figure {
    /// Metric of a level.
    Metric(Level, MetricId),
    /// Metric that all levels have, such as SR, over all tasks of the levels that both reports
    /// have.
    Overall(MetricId),
    /// Plain mean of the level's own metrics.
    LevelScore(Level),
    /// Reading of the composite score.
    Composite(CompositeVariant),
}

impl Figure {
    /// Level means that the figure is computed from, with their weights. The weights for
    /// [`Figure::Overall`] are 1 here; the caller weights these means by their numbers of tasks.
    pub(super) fn parts(&self, levels: &[&Level]) -> Vec<(Level, MetricId, f64)> {
        match self {
            Figure::Metric(level, metric) => vec![(level.clone(), *metric, 1.0)],
            Figure::Overall(metric) => levels.iter().map(|level| ((*level).clone(), *metric, 1.0)).collect(),
            Figure::LevelScore(level) => {
                let own: Vec<MetricId> = own_metrics(level).collect();
                let share = 1.0 / own.len() as f64;
                own.into_iter().map(|metric| (level.clone(), metric, share)).collect()
            }
            Figure::Composite(variant) => variant.weights(),
        }
    }

    /// Reason why a report with failed attempts lacks this figure. A page with this report alone
    /// does not show the figure either.
    pub(super) fn unmeasured<'a>(&self, report: &'a Report) -> Option<&'a Sentence> {
        let is_of_all = matches!(self, Figure::Composite(_) | Figure::Overall(MetricId::Sr));
        report.unmeasured.as_ref().filter(|_| is_of_all)
    }

    /// Value of the figure in a report, as on a page with this report alone.
    pub(super) fn of(&self, report: &Report) -> Option<f64> {
        match self {
            Figure::Metric(level, metric) => report.mean(level, *metric).ok(),
            Figure::Overall(metric) => overall(report, *metric).ok().map(|mean| mean.value),
            Figure::LevelScore(level) => level_score(report.level(level)?).ok(),
            Figure::Composite(variant) => report.composite(*variant).composite.ok(),
        }
    }
}

/// Families of figures that at least one report has, in display order. If only some figures are
/// requested, composite scores are left out.
pub(super) fn families(reports: [&Report; 2], wanted: &[WantedFigure]) -> Vec<(Family, Vec<Figure>)> {
    let has = |level: &Level, metric: MetricId| {
        let mut levels = reports.iter().filter_map(|report| report.level(level));
        levels.any(|level| level.mean(metric).is_some())
    };
    let is_any = |holds: &dyn Fn(&WantedFigure) -> bool| wanted.is_empty() || wanted.iter().any(holds);
    let is_wanted = |level: &Level, metric: MetricId| is_any(&|one| one.takes(level, metric));
    let levels: Vec<&Level> = levels_of(reports).into_iter().collect();
    let once = MetricId::ALL.into_iter().filter_map(|metric| match metric.level() {
        Some(level) => {
            (has(&level, metric) && is_wanted(&level, metric)).then_some(Figure::Metric(level, metric))
        }
        None => {
            let over_all = WantedFigure::from(metric);
            (is_any(&|one| *one == over_all) && levels.iter().any(|level| has(level, metric)))
                .then_some(Figure::Overall(metric))
        }
    });
    let common = MetricId::ALL.into_iter().filter(|metric| metric.level().is_none());
    let common: Vec<MetricId> = common.collect();
    let by_level = levels.iter().flat_map(|level| {
        let common = common.iter();
        let common = common.filter(|metric| has(level, **metric) && is_wanted(level, **metric));
        common.map(|metric| Figure::Metric((*level).clone(), *metric))
    });
    let scores = levels
        .iter()
        // The score of another benchmark's group is its success rate, which is already in the list.
        .filter(|level| level.place().is_some())
        .filter(|level| is_any(&|one| one.metric.is_none() && one.level.as_ref() == Some(**level)));
    let scores = scores.map(|level| Figure::LevelScore((*level).clone())).collect();
    let composites = if wanted.is_empty() {
        readings(reports).into_iter().map(Figure::Composite).collect()
    } else {
        Vec::new()
    };
    let mut families = vec![
        (Family::Metrics, once.collect::<Vec<_>>()),
        (Family::Levels, scores),
        (Family::Composites, composites),
        (Family::Common, by_level.collect()),
    ];
    families.retain(|(_, figures)| !figures.is_empty());
    families
}

/// Composite readings to compare: first the one that both reports show, even if it has no value,
/// then all others that both reports have.
fn readings(reports: [&Report; 2]) -> Vec<CompositeVariant> {
    if reports.iter().all(|report| report.is_of_another_benchmark()) {
        return Vec::new();
    }
    let both = |variant: &CompositeVariant| {
        let value = |report: &&Report| report.composite(*variant).composite.is_ok();
        reports.iter().all(value)
    };
    let mut readings = CompositeVariant::SHOWN.and_others();
    let first = readings.next();
    first.into_iter().chain(readings.filter(both)).collect()
}
