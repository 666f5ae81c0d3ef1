//! The view of a report for the window and the terminal.

use crate::reports::figures::in_order;
use crate::reports::load::LoadedReport;
use crate::wire::{LevelReport, LevelUsage, MetricFigure, OverallFigure, ReportView};
use koab_core::log::SkippedTask;
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::interval::{Bounds, Intervals};
use koab_report::{LevelMean, Report, level_score, verdicts_of};
use koab_store::report_files::ReportFolder;

/// Returns the view of a report with the given intervals. The report may be new, stored or
/// imported.
pub fn view(folder: &ReportFolder, loaded: &LoadedReport, intervals: Option<&Intervals>) -> ReportView {
    let report = &loaded.report;
    let mut view = loaded.view.clone().unwrap_or_else(|| ReportView {
        id: folder.id.clone(),
        folder: folder.folder.display().to_string(),
        ..bare(report)
    });
    let mut levels = levels(loaded, intervals);
    for level in &mut levels {
        if let Some(shown) = view.levels.iter().find(|shown| shown.level == level.level) {
            add_shown(level, shown);
        }
    }
    view.levels = levels;
    // Another benchmark has no composite score; its row in the library has the reason.
    view.composites =
        if report.is_of_another_benchmark() { Vec::new() } else { in_order(loaded.composites(intervals)) };
    if let Some(intervals) = intervals {
        view.overall = overall_figures(report, intervals);
    }
    if view.agreement.is_empty() {
        view.agreement = koab_report::agreement(report, &verdicts_of(report));
    }
    view.notes.extend(loaded.notes.iter().cloned());
    view
}

/// Adds figures that an earlier version displayed and that the report's file does not contain. A
/// figure is added only if its number is the same.
fn add_shown(level: &mut LevelReport, kept: &LevelReport) {
    if level.skipped.is_empty() {
        level.skipped.clone_from(&kept.skipped);
    }
    if level.range.is_none() && level.score.score() == kept.score.score() {
        level.range.clone_from(&kept.range);
    }
    for figure in &mut level.metrics {
        let mut rows = kept.metrics.iter();
        let Some(kept) =
            rows.find(|kept| kept.metric == figure.metric && kept.mean.mean() == figure.mean.mean())
        else {
            continue;
        };
        *figure = MetricFigure {
            mean: match kept.mean.reason() {
                Some(_) => kept.mean.clone(),
                None => figure.mean.clone(),
            },
            range: figure.range.take().or_else(|| kept.range.clone()),
            // Earlier versions did not store these numbers.
            errored: figure.errored.max(kept.errored),
            not_applicable: figure.not_applicable.max(kept.not_applicable),
            ..kept.clone()
        };
    }
}

/// Returns the view of a report without numbers, and without other data that the report's files
/// contain.
pub fn bare(report: &Report) -> ReportView {
    ReportView {
        model: report.model.clone(),
        scorer: report.scorer,
        judges: report.judges.clone(),
        judge_address: report.judge_base_url.clone(),
        execution_date: report.execution_date.clone(),
        ..ReportView::default()
    }
}

/// Returns the levels of a report for its view.
fn levels(loaded: &LoadedReport, intervals: Option<&Intervals>) -> Vec<LevelReport> {
    let of_level = |(at, level): (usize, &koab_report::LevelReport)| {
        let level_intervals = intervals.and_then(|intervals| intervals.levels.get(at));
        let metrics = level.means.iter().enumerate().map(|(at, mean)| {
            let bounds = level_intervals.and_then(|intervals| intervals.means.get(at));
            MetricFigure {
                range: bounds.map(|(_, bounds)| bounds.clone().into()),
                overridden: loaded.overridden(&level.level, mean.metric),
                ..metric_figure(mean)
            }
        });
        LevelReport {
            level: level.level.clone(),
            tasks: level.total_tasks.map(|tasks| tasks as u32),
            evaluated: level.evaluated_tasks.map(|tasks| tasks as u32),
            score: level_score(level).into(),
            range: level_intervals.map(|intervals| intervals.score.clone().into()),
            metrics: metrics.collect(),
            usage: usage(level),
            skipped: skipped(level),
        }
    };
    loaded.report.levels.iter().enumerate().map(of_level).collect()
}

/// Returns the metrics that every level has, computed over the tasks of all levels.
fn overall_figures(report: &Report, intervals: &Intervals) -> Vec<OverallFigure> {
    let of_metric = |(metric, bounds): &(MetricId, Bounds)| {
        let mean = koab_report::overall(report, *metric);
        OverallFigure {
            metric: *metric,
            tasks: mean.as_ref().ok().map(|mean| mean.tasks as u32),
            figure: mean.map(|mean| mean.value).into(),
            range: bounds.clone().into(),
        }
    };
    intervals.overall.iter().map(of_metric).collect()
}

/// Returns the unreadable tasks of a level, each with its reason.
fn skipped(level: &koab_report::LevelReport) -> Vec<Sentence> {
    let note = |task: &SkippedTask| say!("{}: {}", task.id, task.reason);
    level.skipped.iter().map(note).collect()
}

fn metric_figure(mean: &LevelMean) -> MetricFigure {
    let mut reasons: Vec<Sentence> = mean
        .unscored_reasons
        .iter()
        .map(|(why, count)| {
            let reason = Reason::Counted { reason: why.clone(), count: count.to_string() };
            Sentence::from(reason)
        })
        .collect();
    if reasons.is_empty() {
        reasons.extend(mean.figure.reason().cloned());
    }
    MetricFigure {
        metric: mean.metric,
        mean: mean.figure.measured().into(),
        scored: mean.scored.map(|scored| scored as u32),
        errored: mean.errored as u32,
        unscored: (mean.unscored + mean.not_applicable) as u32,
        not_applicable: mean.not_applicable as u32,
        reasons,
        overridden: None,
        range: None,
    }
}

fn usage(level: &koab_report::LevelReport) -> LevelUsage {
    LevelUsage {
        steps: level.figure("total_steps"),
        calls: level.figure("total_tool_calls"),
        tokens: level.figure("total_tokens"),
        prompt_tokens: level.figure("average_prompt_tokens"),
        completion_tokens: level.figure("average_completion_tokens"),
        seconds: level.figure("average_execution_time"),
        ttft: level.figure("ttft.average"),
        ttft_min: level.figure("ttft.min"),
        ttft_max: level.figure("ttft.max"),
        tps: level.figure("average_tps"),
    }
}
