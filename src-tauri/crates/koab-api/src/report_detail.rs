//! A whole report, from its folder alone. What its run adds is in `report_facts.rs`.

use crate::Api;
use crate::report_library::Loaded;
use crate::report_view::{judges_agreement, overall_figures, skipped};
use crate::wire::{
    CompositeFigure, LevelDetail, LevelUsage, MetricFigure, PartFigure, ReasonCount, ReportDetail,
    ScoreRange, TaskFigure, TaskScore, WireError,
};
use koab_core::reason::Reason;
use koab_core::report::interval::{self, Intervals, LevelIntervals};
use koab_core::report::{LevelMean, LevelReport, Report, TaskReport, level_score, verdicts_of};
use koab_core::score::composite::{Composite, CompositeVariant};
use koab_core::score::{MetricId, Score};
use koab_store::report_files::{self, ReportFolder};
use std::sync::Arc;

/// Reports that are kept when they were opened, so that going back to one reads nothing.
pub(crate) const OPENED: usize = 16;

/// A report with its numbers, as long as its files are the same.
pub(crate) struct Open {
    pub(crate) folder: ReportFolder,
    pub(crate) loaded: Loaded,
    pub(crate) intervals: Intervals,
    pub(crate) detail: ReportDetail,
}

/// The intervals of a report, its levels drawn at once.
fn drawn_at_once(report: &Report) -> Intervals {
    let draws = std::thread::scope(|scope| {
        let levels = report.levels.iter();
        let drawing: Vec<_> = levels
            .map(|level| scope.spawn(|| interval::draw(level)))
            .collect();
        let drawn = drawing.into_iter().map(std::thread::ScopedJoinHandle::join);
        // A level short would be a wrong number.
        drawn
            .map(|draws| draws.unwrap_or_else(|fault| std::panic::resume_unwind(fault)))
            .collect()
    });
    interval::intervals_of(report, draws)
}

impl Api {
    /// A whole report.
    ///
    /// # Errors
    /// When there is no such report, or its data cannot be read.
    pub fn report_detail(&self, id: &str) -> Result<ReportDetail, WireError> {
        let open = self.open_report(id)?;
        let mut detail = open.detail.clone();
        detail.row = self.as_of_now(detail.row);
        detail.notes.splice(..0, detail.row.outdated.clone());
        let remark = self.store()?.report_remark(id)?;
        (detail.row.tags, detail.row.note) = (remark.tags, remark.note);
        Ok(detail)
    }

    /// A report, read once as long as its files are the same.
    pub(crate) fn open_report(&self, id: &str) -> Result<Arc<Open>, WireError> {
        let folder = self.report_folder(id)?;
        let path = folder.folder.clone();
        let stamp = report_files::stamp(&path);
        self.inner.opened_reports.get(&path, stamp, || {
            let loaded = self.load_report(&folder)?;
            let intervals = drawn_at_once(&loaded.report);
            Ok(Open {
                detail: self.detail(&folder, &loaded, &intervals),
                intervals,
                folder,
                loaded,
            })
        })
    }

    fn detail(&self, folder: &ReportFolder, loaded: &Loaded, intervals: &Intervals) -> ReportDetail {
        let Loaded {
            report,
            view,
            notes: own,
            ..
        } = loaded;
        let files = [
            ("json", report_files::JSON),
            ("csv", report_files::CSV),
            ("md", report_files::MARKDOWN),
        ];
        let mut notes = view.as_ref().map(|view| view.notes.clone()).unwrap_or_default();
        notes.extend(own.iter().cloned());
        ReportDetail {
            row: self.row_of(folder, loaded),
            folder: folder.folder.display().to_string(),
            files: files
                .into_iter()
                .filter(|(_, name)| folder.folder.join(name).is_file())
                .map(|(format, _)| format.to_owned())
                .collect(),
            evaluation_date: report.evaluation_date.clone(),
            sample: report.sample_size.map(|size| size as u32),
            votes: report.votes as u32,
            aggregate: match report.aggregate {
                koab_core::judge::Aggregate::Mean => "mean".to_owned(),
                koab_core::judge::Aggregate::Median => "median".to_owned(),
            },
            composites: composites(loaded, intervals),
            overall: overall_figures(report, intervals),
            repeated: folder.folder.join(report_files::REPETITIONS).is_file(),
            levels: report
                .levels
                .iter()
                .zip(&intervals.levels)
                .map(|(level, intervals)| level_detail(level, intervals))
                .collect(),
            tasks: tasks(report),
            cache: view.as_ref().and_then(|view| view.cache_hits.clone()),
            agreement: match view {
                // Made here, when all answers were at hand.
                Some(view) if !view.agreement.is_empty() => view.agreement.clone(),
                _ => judges_agreement(report, &verdicts_of(report)),
            },
            notes,
        }
    }
}

/// Every reading of the composite, first the one that the report is shown in.
fn composites(loaded: &Loaded, intervals: &Intervals) -> Vec<CompositeFigure> {
    let figures = intervals.composites.iter().map(|(variant, bounds)| {
        let own = loaded.report.composite(*variant);
        let drawn: ScoreRange = bounds.clone().into();
        let row = loaded.composite(*variant);
        CompositeFigure {
            parts: parts(&own),
            range: match row.range {
                Some(kept) if own.composite.value.is_none() => kept,
                _ => drawn,
            },
            variant: row.variant,
            reading: row.reading,
            value: row.value,
            reason: row.reason,
        }
    });
    let mut figures: Vec<CompositeFigure> = figures.collect();
    let shown = CompositeVariant::shown_for([|variant: CompositeVariant| {
        let mut of_it = figures.iter().filter(|figure| figure.variant == variant.name());
        of_it.any(|figure| figure.value.is_some())
    }])
    .name();
    figures.sort_by_key(|figure| figure.variant != shown);
    figures
}

fn parts(composite: &Composite) -> Vec<PartFigure> {
    let parts = [
        ("basic", 0.40, &composite.basic),
        ("error_handling", 0.20, &composite.error_handling),
        ("efficiency", 0.25, &composite.efficiency),
        ("context", 0.15, &composite.context),
    ];
    let figure = |(part, weight, value): (&str, f64, &koab_core::score::composite::Part)| {
        Some(PartFigure {
            part: part.to_owned(),
            weight,
            value: value.value?,
        })
    };
    let all: Option<Vec<PartFigure>> = parts.into_iter().map(figure).collect();
    all.unwrap_or_default()
}

fn level_detail(level: &LevelReport, intervals: &LevelIntervals) -> LevelDetail {
    let score = level_score(level);
    let means = level.means.iter().zip(&intervals.means);
    LevelDetail {
        level: level.level,
        tasks: level.total_tasks.map(|tasks| tasks as u32),
        evaluated: level.evaluated_tasks.map(|tasks| tasks as u32),
        score: score.value,
        reason: score.reason,
        range: intervals.score.clone().into(),
        metrics: means
            .map(|(mean, (_, bounds))| metric(mean, bounds.clone().into()))
            .collect(),
        usage: usage(level),
        skipped: skipped(level),
    }
}

fn metric(mean: &LevelMean, range: ScoreRange) -> MetricFigure {
    MetricFigure {
        metric: mean.metric.to_string(),
        value: mean.value,
        reason: mean.reason.clone(),
        range,
        scored: mean.scored.map(|scored| scored as u32),
        errored: mean.errored as u32,
        unscored: mean.unscored as u32,
        not_applicable: mean.not_applicable as u32,
        reasons: mean
            .unscored_reasons
            .iter()
            .map(|(reason, tasks)| ReasonCount {
                reason: reason.clone(),
                tasks: *tasks as u32,
            })
            .collect(),
    }
}

fn usage(level: &LevelReport) -> LevelUsage {
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

fn tasks(report: &Report) -> Vec<TaskFigure> {
    let levels = report.levels.iter();
    levels
        .flat_map(|level| {
            level.tasks.iter().map(|task| TaskFigure {
                level: level.level,
                task: task.id.clone(),
                answered: task.answered(),
                scores: scores(task),
            })
        })
        .collect()
}

fn scores(task: &TaskReport) -> Vec<TaskScore> {
    let row = |(metric, score): &(MetricId, Score)| TaskScore {
        metric: metric.to_string(),
        value: score.value(),
        why: match score {
            Score::Scored { .. } => None,
            Score::Errored { error } => Some(error.clone()),
            Score::Unscored { reason } => Some(reason.clone()),
            Score::NotApplicable { .. } => Some(Reason::NotAboutTask {}.into()),
        },
    };
    task.scores.iter().map(row).collect()
}
