//! A report as the window and the terminal show it, made from the evaluated report.

use crate::wire::{CacheUse, CompositeRow, LevelReport, MetricRow, ReportView};
use koab_core::protocol::Protocol;
use koab_core::report::{PublishedReport, Report};
use koab_core::score::composite::CompositeVariant;
use koab_core::score::{MetricId, Scorer};
use koab_store::intake::Origin;
use serde_json::Value;
use std::path::Path;

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

/// A report that was imported. Its file says less than one made here knows: what it leaves open is null or a note.
pub(crate) fn published_view(report: &PublishedReport, id: String, folder: &Path) -> ReportView {
    let levels = report.levels.iter().map(|level| {
        let evaluated = level.evaluated_tasks.or(level.total_tasks).unwrap_or(0);
        LevelReport {
            level: level.level,
            tasks: level.total_tasks.unwrap_or(evaluated),
            evaluated,
            metrics: level
                .means
                .iter()
                .map(|mean| MetricRow {
                    metric: mean.metric.to_string(),
                    mean: mean.value,
                    scored: evaluated.saturating_sub(mean.unscored),
                    unscored: mean.unscored,
                    reasons: match (mean.value, mean.reasons.as_slice()) {
                        (None, []) => vec!["the file has no value and does not say why".to_owned()],
                        (_, reasons) => reasons
                            .iter()
                            .map(|(why, count)| format!("{why} ({count})"))
                            .collect(),
                    },
                })
                .collect(),
            skipped: level.skipped.clone(),
        }
    });
    let composites = CompositeVariant::ALL.iter().map(|variant| {
        let composite = report.composite(*variant).composite;
        CompositeRow {
            variant: variant.name(),
            value: composite.value,
            reason: composite.reason,
        }
    });
    let mut notes = Vec::new();
    if let Some(origin) = Origin::of(folder) {
        let day = origin.at.get(..10).unwrap_or(&origin.at);
        notes.push(format!("imported from {} on {day}", origin.source));
    }
    if report.judges.is_none() {
        notes.push("the file does not say who judged".to_owned());
    }
    if report.levels.iter().all(|level| level.tasks.is_empty()) {
        notes.push("only a summary was imported: scores of single tasks are not known".to_owned());
    }
    if let Some(sample) = report.sample_size {
        notes.push(format!("only the first {sample} tasks of each level were scored"));
    }
    notes.extend(report.left_out.iter().cloned());
    ReportView {
        id,
        model: report.model.clone().unwrap_or_default(),
        scorer: match report.scorer {
            Scorer::Leaderboard => Protocol::Leaderboard,
            Scorer::Corrected => Protocol::Corrected,
        },
        judges: report.judges.clone().unwrap_or_default(),
        execution_date: report.execution_date.clone().unwrap_or_default(),
        levels: levels.collect(),
        composites: composites.collect(),
        folder: folder.display().to_string(),
        cache_hits: None,
        notes,
    }
}

fn cache_use(counts: &Value) -> Option<CacheUse> {
    serde_json::from_value(counts.clone()).ok()
}
