//! A report as the window and the terminal show it, made from the evaluated report.

use crate::report_library::{conditions, protocol_of};
use crate::wire::{
    AnswerScale, CacheUse, Compared, CompositeRow, Figure, JudgeAgreement, LevelReport, MetricRow,
    OverallFigure, OverrideRow, PairKappa, ReportView,
};
use koab_core::comparability::{AttemptCounts, Comparability};
use koab_core::judge::Verdicts;
use koab_core::level::Level;
use koab_core::log::SkippedTask;
use koab_core::reason::Reason;
use koab_core::report::interval::{Bounds, Intervals, intervals};
use koab_core::report::{self, LevelMean, ReadReport, Report};
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_store::intake::Origin;
use serde::Deserialize as _;
use serde_json::Value;
use std::path::Path;

/// What a report's view needs beside the report.
pub(crate) struct Around<'a> {
    pub(crate) id: String,
    pub(crate) folder: String,
    /// Id of the run.
    pub(crate) run: String,
    /// What a reader must know before comparing.
    pub(crate) notes: Vec<String>,
    /// The run's manifest, when it was made here.
    pub(crate) manifest: Option<&'a Value>,
    /// How it can be compared.
    pub(crate) comparability: Comparability,
    /// Whether `ProvAcc` and `ReuseRate` are shown. They are always computed, because the composite needs them.
    pub(crate) all_metrics: bool,
    /// The same report with what people said instead of judges, when somebody did.
    pub(crate) overridden: Option<&'a Report>,
    /// What they said.
    pub(crate) overrides: Vec<(Level, OverrideRow)>,
}

pub(crate) fn view(report: &Report, verdicts: &Verdicts, around: Around<'_>) -> ReportView {
    let shown = |metric: MetricId| around.all_metrics || metric.is_in_head();
    // Here the report has all metrics; the published file leaves out two that some readings need.
    let found = intervals(report);
    let levels = report.levels.iter().zip(&found.levels).map(|(level, found)| {
        let metrics = level.means.iter().zip(&found.means);
        let metrics = metrics.filter(|(mean, _)| shown(mean.metric));
        let metrics = metrics.map(|(mean, (_, bounds))| MetricRow {
            overridden: overridden(&around, level.level, mean.metric),
            range: Some(bounds.clone().into()),
            ..metric_row(mean)
        });
        level_rows(level, metrics.collect())
    });
    let overall = overall_figures(report, &found);
    let composites = found
        .composites
        .into_iter()
        .map(|(variant, bounds)| CompositeRow {
            range: Some(bounds.into()),
            overridden: around.overridden.map(|report| {
                let with = report.composite(variant).composite;
                Figure {
                    value: with.value,
                    reason: with.reason,
                }
            }),
            ..composite_row(report, variant)
        });
    let (levels, composites) = (levels.collect(), in_order(composites.collect()));
    let (pack, protocol) = around.manifest.map_or((None, None), conditions);
    ReportView {
        id: around.id,
        model: report.model.clone(),
        scorer: protocol_of(report.scorer),
        judges: report.judges.clone(),
        execution_date: report.execution_date.clone(),
        run: Some(around.run),
        pack,
        protocol,
        attempts: around
            .manifest
            .and_then(|manifest| AttemptCounts::deserialize(&manifest["attempts"]).ok()),
        outdated: None,
        levels,
        composites,
        overall,
        folder: around.folder,
        agreement: judges_agreement(report, verdicts),
        overrides: around.overrides.into_iter().map(|(_, row)| row).collect(),
        notes: around.notes,
        comparability: Some(around.comparability),
        cache_hits: around.manifest.and_then(|m| m.get("cache")).and_then(cache_use),
    }
}

/// A report that was imported. Its file says less than one made here knows: what it leaves open is null or a note.
pub(crate) fn published_view(read: ReadReport, id: String, folder: &Path) -> ReportView {
    let notes = notes(&read, folder);
    let report = read.report;
    let levels = report.levels.iter();
    let composites = CompositeVariant::ALL.into_iter();
    ReportView {
        id,
        scorer: protocol_of(report.scorer),
        run: None,
        pack: None,
        protocol: None,
        attempts: None,
        outdated: None,
        levels: levels
            .map(|level| level_rows(level, level.means.iter().map(metric_row).collect()))
            .collect(),
        composites: in_order(
            composites
                .map(|variant| composite_row(&report, variant))
                .collect(),
        ),
        overall: Vec::new(),
        model: report.model,
        judges: report.judges,
        execution_date: report.execution_date,
        folder: folder.display().to_string(),
        cache_hits: None,
        notes,
        comparability: None,
        // A file of results says nothing of single answers, so there is nothing to compare or to overrule.
        agreement: Vec::new(),
        overrides: Vec::new(),
    }
}

/// The metrics that every level has, over the tasks of all levels.
pub(crate) fn overall_figures(report: &Report, found: &Intervals) -> Vec<OverallFigure> {
    let of_metric = |(metric, bounds): &(MetricId, Bounds)| {
        let mean = report::overall(report, *metric);
        OverallFigure {
            metric: metric.to_string(),
            tasks: mean.value.map(|_| mean.tasks as u32),
            value: mean.value,
            reason: mean.reason,
            range: bounds.clone().into(),
        }
    };
    found.overall.iter().map(of_metric).collect()
}

/// Fills in the intervals of a report that was not made here, or by an earlier version; they are made from its scores.
pub(crate) fn with_intervals(view: &mut ReportView, report: &Report) {
    let found = intervals(report);
    if view.overall.is_empty() {
        view.overall = overall_figures(report, &found);
    }
    let composites = view.composites.iter_mut().filter(|row| row.range.is_none());
    for row in composites {
        let own = found
            .composites
            .iter()
            .find(|(variant, _)| variant.name() == row.variant);
        row.range = own.map(|(_, bounds)| bounds.clone().into());
    }
    for level in &mut view.levels {
        let Some(found) = found.levels.iter().find(|one| one.level == level.level) else {
            continue;
        };
        for row in level.metrics.iter_mut().filter(|row| row.range.is_none()) {
            let own = found.means.iter().find(|(metric, _)| metric.name() == row.metric);
            row.range = own.map(|(_, bounds)| bounds.clone().into());
        }
    }
}

/// What a report's files do not say or nobody here knows, one sentence each.
pub(crate) fn notes(read: &ReadReport, folder: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(origin) = Origin::of(folder) {
        let day = origin.at.get(..10).unwrap_or(&origin.at);
        notes.push(format!("imported from {} on {day}", origin.source));
    }
    if !read.names_judges {
        notes.push("the file does not say who judged".to_owned());
    }
    if read.report.levels.iter().all(|level| level.tasks.is_empty()) {
        notes.push("only a summary was imported: scores of single tasks are not known".to_owned());
    }
    if let Some(sample) = read.report.sample_size {
        notes.push(format!("only the first {sample} tasks of each level were scored"));
    }
    notes.extend(read.left_out.iter().cloned());
    notes
}

fn level_rows(level: &report::LevelReport, metrics: Vec<MetricRow>) -> LevelReport {
    LevelReport {
        level: level.level,
        tasks: level.total_tasks.map(|tasks| tasks as u32),
        evaluated: level.evaluated_tasks.map(|tasks| tasks as u32),
        metrics,
        skipped: skipped(level),
    }
}

/// The tasks of a level that could not be read, each with its reason.
pub(crate) fn skipped(level: &report::LevelReport) -> Vec<String> {
    let told = |task: &SkippedTask| format!("{}: {}", task.id, task.reason);
    level.skipped.iter().map(told).collect()
}

fn metric_row(mean: &LevelMean) -> MetricRow {
    let mut reasons: Vec<String> = mean
        .unscored_reasons
        .iter()
        .map(|(why, count)| {
            let counted = Reason::Counted {
                reason: why.clone(),
                count: count.to_string(),
            };
            counted.to_string()
        })
        .collect();
    if reasons.is_empty() {
        reasons.extend(mean.reason.clone());
    }
    MetricRow {
        metric: mean.metric.to_string(),
        mean: mean.value,
        scored: mean.scored.map(|scored| scored as u32),
        unscored: (mean.unscored + mean.not_applicable) as u32,
        reasons,
        overridden: None,
        range: None,
    }
}

/// One reading of the composite, without an interval.
pub(crate) fn composite_row(report: &Report, variant: CompositeVariant) -> CompositeRow {
    let composite = report.composite(variant).composite;
    CompositeRow {
        variant: variant.name(),
        reading: variant.reading().into(),
        value: composite.value,
        reason: composite.reason,
        overridden: None,
        range: None,
    }
}

/// The readings of a report, first the one that it is shown in, each with what it counts, which files of earlier versions
/// do not say.
pub(crate) fn in_order(mut rows: Vec<CompositeRow>) -> Vec<CompositeRow> {
    let shown = shown_for([rows.as_slice()]).name();
    rows.sort_by_key(|row| row.variant != shown);
    for row in &mut rows {
        if let Some(variant) = CompositeVariant::named(&row.variant) {
            row.reading = variant.reading().into();
        }
    }
    rows
}

/// The reading in which reports stand beside each other, given the readings of each.
pub(crate) fn shown_for<'a>(reports: impl IntoIterator<Item = &'a [CompositeRow]>) -> CompositeVariant {
    CompositeVariant::shown_for(reports.into_iter().map(|rows| {
        move |variant: CompositeVariant| {
            let mut of_it = rows.iter().filter(|row| row.variant == variant.name());
            of_it.any(|row| row.value.is_some())
        }
    }))
}

/// The mean with what people said, when somebody did for this metric of this level.
fn overridden(around: &Around<'_>, level: Level, metric: MetricId) -> Option<Figure> {
    let is_said = |(of, row): &(Level, OverrideRow)| *of == level && row.metric == metric.name();
    if !around.overrides.iter().any(is_said) {
        return None;
    }
    let mean = around.overridden?.level(level)?.mean(metric)?;
    Some(Figure {
        value: mean.value,
        reason: mean.reason.clone(),
    })
}

fn cache_use(counts: &Value) -> Option<CacheUse> {
    serde_json::from_value(counts.clone()).ok()
}

/// How far the judges of a report agree.
pub(crate) fn judges_agreement(report: &Report, verdicts: &Verdicts) -> Vec<JudgeAgreement> {
    let rows = report::agreement(report, verdicts);
    rows.into_iter().map(agreement).collect()
}

fn agreement(row: report::Agreement) -> JudgeAgreement {
    let pair = |(one, other, kappa): (String, String, Result<f64, String>)| PairKappa {
        one,
        other,
        kappa: kappa.into(),
    };
    JudgeAgreement {
        metrics: row.metrics.iter().map(ToString::to_string).collect(),
        compared: match row.compared {
            report::Compared::Judges => Compared::Judges,
            report::Compared::Votes => Compared::Votes,
        },
        scale: match row.scale {
            report::AnswerScale::YesNo => AnswerScale::YesNo,
            report::AnswerScale::Grades => AnswerScale::Grades,
            report::AnswerScale::Mixed => AnswerScale::Mixed,
        },
        judges: row.judges,
        questions: row.questions as u32,
        answers: row.answers as u32,
        missing: row.missing as u32,
        percent: row.percent.into(),
        cohen: row.cohen.into_iter().map(pair).collect(),
        fleiss: row.fleiss.into(),
        krippendorff: row.alpha.into(),
    }
}
