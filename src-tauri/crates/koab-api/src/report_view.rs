//! A report as the window and the terminal show it, made from the evaluated report.

use crate::wire::{CacheUse, CompositeRow, LevelReport, MetricRow, ReportView};
use koab_core::protocol::Protocol;
use koab_core::report::Report;
use koab_core::score::composite::CompositeVariant;
use koab_core::score::{MetricId, Scorer};
use serde_json::Value;

/// What a report's view needs beside the report.
pub(crate) struct Around<'a> {
    pub(crate) id: String,
    pub(crate) folder: String,
    /// What a reader must know before comparing.
    pub(crate) notes: Vec<String>,
    /// The run's manifest, when it was made here.
    pub(crate) manifest: Option<&'a Value>,
    /// Whether `ProvAcc` and `ReuseRate` are shown. They are always computed, because the composite needs them.
    pub(crate) all_metrics: bool,
}

pub(crate) fn view(report: &Report, around: Around<'_>) -> ReportView {
    let shown = |metric: MetricId| around.all_metrics || metric.is_in_head();
    let levels = report.levels.iter().map(|level| LevelReport {
        level: level.level,
        tasks: level.total_tasks as u32,
        evaluated: level.tasks.len() as u32,
        metrics: level
            .means
            .iter()
            .filter(|mean| shown(mean.metric))
            .map(|mean| MetricRow {
                metric: mean.metric.to_string(),
                mean: mean.value,
                scored: mean.scored as u32,
                unscored: (mean.unscored + mean.not_applicable) as u32,
                reasons: mean
                    .unscored_reasons
                    .iter()
                    .map(|(why, count)| format!("{why} ({count})"))
                    .collect(),
            })
            .collect(),
        skipped: level
            .skipped
            .iter()
            .map(|task| format!("{}: {}", task.id, task.reason))
            .collect(),
    });
    let composites = CompositeVariant::ALL.iter().map(|variant| {
        let composite = report.composite(*variant).composite;
        CompositeRow {
            variant: variant.name(),
            value: composite.value,
            reason: composite.reason,
        }
    });
    ReportView {
        id: around.id,
        model: report.model.clone(),
        scorer: match report.scorer {
            Scorer::Leaderboard => Protocol::Leaderboard,
            Scorer::Corrected => Protocol::Corrected,
        },
        judges: report.judges.clone(),
        execution_date: report.execution_date.clone(),
        levels: levels.collect(),
        composites: composites.collect(),
        folder: around.folder,
        notes: around.notes,
        cache_hits: around.manifest.and_then(|m| m.get("cache")).and_then(cache_use),
    }
}

fn cache_use(counts: &Value) -> Option<CacheUse> {
    serde_json::from_value(counts.clone()).ok()
}
