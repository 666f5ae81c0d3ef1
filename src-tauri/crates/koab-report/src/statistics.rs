//! Statistics of a report, as files next to the published files: every number with its interval,
//! and the statistics of repetitions.
//!
//! They are separate files, since the published files must stay unchanged byte for byte.

mod text;

use super::Report;
use super::interval::{Bounds, DRAWS, Intervals};
use super::measure::{level_score, overall};
use super::repetitions::{RepeatedFigure, RepetitionScope, RepetitionSummary, Repetitions};
use koab_core::level::Level;
use koab_core::measured::{Measured, measured};
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::{Sentence, in_english};
use serde_json::{Value, json};

/// Kind of number in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The composite score in one reading, which is one of its possible definitions.
    Composite,
    /// The score of a level: the plain mean of its own metrics.
    LevelScore,
    /// The mean of a metric over tasks, as in the report.
    Mean,
    /// The mean of a metric over all attempts.
    MeanOfAttempts,
    /// The mean of one repetition.
    Repetition,
    /// pass@k.
    PassAt,
    /// pass^k.
    PassAll,
    /// The share of tasks whose attempts disagree.
    Disagreement,
}

impl Kind {
    /// Name of the kind for programs, the same in every language.
    fn name(self) -> &'static str {
        match self {
            Kind::Composite => "composite",
            Kind::LevelScore => "level_score",
            Kind::Mean => "mean",
            Kind::MeanOfAttempts => "mean_of_attempts",
            Kind::Repetition => "repetition",
            Kind::PassAt => "pass_at_k",
            Kind::PassAll => "pass_all_k",
            Kind::Disagreement => "disagreement",
        }
    }
}

/// Row with a number and its interval.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    kind: Kind,
    /// Level that the number belongs to; null for all tasks.
    level: Option<Level>,
    /// Name of a metric or of a composite reading; null for a level's score.
    name: Option<String>,
    /// The k of pass@k and pass^k, or the number of the repetition.
    k: Option<u32>,
    value: Measured,
    bounds: Bounds,
    /// Number of tasks that the value is computed from, if it is known.
    tasks: Option<usize>,
}

/// Numbers of a report with their intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    model: String,
    rows: Vec<Row>,
    /// Every attempt, or the reason why there are no repetitions.
    attempts: Result<Repetitions, Sentence>,
}

/// Value of a composite reading, given by the caller, since the published file lacks metrics that
/// some readings need.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositeReading {
    /// Variant of the composite.
    pub variant: CompositeVariant,
    /// Value of the composite.
    pub value: Measured,
    /// 95 % interval of the value.
    pub bounds: Bounds,
}

impl Statistics {
    /// Collects all rows of a report.
    pub fn new(
        report: &Report,
        intervals: &Intervals,
        composites: Vec<CompositeReading>,
        repetitions: Result<(Repetitions, RepetitionSummary), Sentence>,
    ) -> Self {
        let mut rows: Vec<Row> = composites
            .into_iter()
            .map(|reading| Row {
                kind: Kind::Composite,
                level: None,
                name: Some(reading.variant.name()),
                k: None,
                value: reading.value,
                bounds: reading.bounds,
                tasks: None,
            })
            .collect();
        rows.extend(intervals.overall.iter().map(|(metric, bounds)| {
            let mean = overall(report, *metric);
            Row {
                kind: Kind::Mean,
                level: None,
                name: Some(metric.to_string()),
                k: None,
                tasks: mean.as_ref().ok().map(|mean| mean.tasks),
                value: mean.map(|mean| mean.value),
                bounds: bounds.clone(),
            }
        }));
        for (level, found) in report.levels.iter().zip(&intervals.levels) {
            rows.push(Row {
                kind: Kind::LevelScore,
                level: Some(level.level.clone()),
                name: None,
                k: None,
                value: level_score(level),
                bounds: found.score.clone(),
                tasks: level.evaluated_tasks,
            });
            rows.extend(level.means.iter().zip(&found.means).map(|(mean, (_, bounds))| Row {
                kind: Kind::Mean,
                level: Some(level.level.clone()),
                name: Some(mean.metric.to_string()),
                k: None,
                value: mean.figure.measured(),
                bounds: bounds.clone(),
                tasks: mean.scored,
            }));
        }
        let attempts = repetitions.map(|(attempts, summary)| {
            rows.extend(summary.scopes.iter().flat_map(of_scope));
            attempts
        });
        Self { model: report.model.clone(), rows, attempts }
    }

    /// Statistics as JSON for programs: all rows and all attempts.
    pub fn to_json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(as_json).collect();
        let mut document = json!({
            "model": self.model,
            "method": {
                "level": 0.95,
                "proportions": "Wilson's score interval",
                "others": "percentile bootstrap of tasks within their level, each with all its attempts",
                "resamples": DRAWS,
            },
            "rows": rows,
            "attempts": self.attempts.as_ref().ok(),
            "attempts_missing": self.attempts.as_ref().err(),
        });
        in_english(&mut document);
        document
    }
}

fn as_json(row: &Row) -> Value {
    let interval = row.bounds.as_ref().ok();
    json!({
        "kind": row.kind.name(),
        "level": row.level,
        "name": row.name,
        "k": row.k,
        "value": row.value.as_ref().ok(),
        "reason": row.value.as_ref().err().filter(|reason| !reason.is_empty()),
        "low": interval.map(|found| found.low),
        "high": interval.map(|found| found.high),
        "method": interval.map(|found| found.method),
        "interval_missing": row.bounds.as_ref().err().filter(|reason| !reason.is_empty()),
        "tasks": row.tasks,
    })
}

fn of_scope(scope: &RepetitionScope) -> Vec<Row> {
    let mut rows = Vec::new();
    for metric in &scope.metrics {
        let row = |kind: Kind, k: Option<u32>, estimate: &RepeatedFigure| Row {
            kind,
            level: scope.level.clone(),
            name: Some(metric.metric.to_string()),
            k,
            value: estimate.figure.measured(),
            bounds: estimate.bounds.clone(),
            tasks: estimate.figure.value().is_some().then_some(estimate.tasks),
        };
        rows.push(row(Kind::MeanOfAttempts, None, &metric.mean));
        rows.extend(metric.runs.iter().map(|run| {
            Row {
                kind: Kind::Repetition,
                level: scope.level.clone(),
                name: Some(metric.metric.to_string()),
                k: Some(run.repetition),
                value: measured(run.value, metric.mean.figure.reason()),
                // The interval over all attempts covers the single repetitions.
                bounds: Err(Sentence::EMPTY),
                tasks: Some(run.tasks),
            }
        }));
        rows.extend(metric.pass_at.iter().map(|one| row(Kind::PassAt, Some(one.k), one)));
        rows.extend(metric.pass_all.iter().map(|one| row(Kind::PassAll, Some(one.k), one)));
        rows.extend(metric.disagreement.iter().map(|found| Row {
            kind: Kind::Disagreement,
            level: scope.level.clone(),
            name: Some(metric.metric.to_string()),
            k: None,
            value: measured(found.share, found.reason.as_ref()),
            bounds: found.bounds.clone(),
            tasks: found.share.is_some().then_some(found.of),
        }));
    }
    rows
}

#[cfg(test)]
mod tests;
