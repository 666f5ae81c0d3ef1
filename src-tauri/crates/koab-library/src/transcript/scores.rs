//! Computes every metric of one task under a scorer, with the evidence for the score.

use crate::wire::{MetricScore, MetricScores};
use koab_core::judge::{JudgePrompts, JudgeQuestion, Panel, Verdicts};
use koab_core::level::Level;
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::protocol::Protocol;
use koab_core::reason::Reason;
use koab_core::score::{Assessment, Metric, MetricId, MetricSet, Score, TaskContext, evidence, metrics_of};
use koab_report::{Dataset, EvaluationOptions, evaluate, evaluate_whole};
use serde_json::{Value, json};

/// The data that the scores of a task are computed from.
pub(super) struct ScoredTask<'a> {
    pub(super) log: &'a LevelLog,
    pub(super) task: &'a LoggedTask,
    pub(super) dataset: Option<&'a Value>,
    /// The items of another benchmark, with the rules for scoring them.
    pub(super) items: Option<&'a Dataset>,
}

impl ScoredTask<'_> {
    /// Returns a log that contains only this task.
    fn alone(&self) -> LevelLog {
        LevelLog {
            level: self.log.level.clone(),
            metadata: serde_json::Map::new(),
            tasks: vec![self.task.clone()],
            skipped: Vec::new(),
        }
    }
}

/// Returns the metrics of a level in the order of the report. A group of another benchmark has only
/// SR.
pub(super) fn metrics(level: &Level) -> impl Iterator<Item = &'static Metric> {
    let is_other = level.place().is_none();
    metrics_of(level, MetricSet::All).filter(move |metric| !is_other || metric.id == MetricId::Sr)
}

/// Combines the scores of a level's metrics under both scorers.
pub(super) fn beside(
    level: &Level,
    leaderboard: Vec<MetricScore>,
    corrected: Vec<MetricScore>,
) -> Vec<MetricScores> {
    metrics(level)
        .zip(leaderboard.into_iter().zip(corrected))
        .map(|(metric, (leaderboard, corrected))| MetricScores {
            metric: metric.id,
            judged: metric.is_judged(),
            leaderboard,
            corrected,
        })
        .collect()
}

/// Returns the result of another benchmark for the item: the score, and the rows in the benchmark's
/// own metrics.
fn of_item(
    scored: &ScoredTask<'_>,
    items: Option<&Dataset>,
    panel_verdicts: &PanelVerdicts,
    options: &EvaluationOptions,
) -> MetricScore {
    let alone = [scored.alone()];
    let evaluation = items.map(|items| evaluate_whole(&alone, items, &panel_verdicts.verdicts, options));
    let rows = evaluation.iter().flat_map(|evaluation| &evaluation.items).next().map(|item| &item.rows);
    let levels = evaluation.iter().flat_map(|evaluation| &evaluation.report.levels);
    let task = levels.flat_map(|level| &level.tasks).next();
    let score = task.and_then(|task| task.score(MetricId::Sr));
    MetricScore {
        value: score.and_then(Score::value),
        reason: match score {
            Some(Score::Unscored { reason }) => Some(reason.clone()),
            Some(_) => None,
            None => Some(Reason::NoSuchItem {}.into()),
        },
        applies: true,
        asks_judge: items.is_some_and(|items| !judge_questions(&alone, items, options).is_empty()),
        details: rows.map(|rows| json!({ "rows": rows }).into()),
        overridden: None,
        calls: Vec::new(),
    }
}

fn judge_questions(alone: &[LevelLog], items: &Dataset, options: &EvaluationOptions) -> Vec<JudgeQuestion> {
    koab_report::questions(alone, items, &JudgePrompts::none(), options)
}

/// Verdicts for one scorer, with the panel of judges.
#[derive(Clone, Default)]
pub(super) struct PanelVerdicts {
    pub(super) verdicts: Verdicts,
    pub(super) panel: Panel,
}

/// Returns the scores under one scorer in the order of the report. The same code as for reports
/// computes them.
pub(super) fn column(
    scored: &ScoredTask<'_>,
    scorer: Protocol,
    panel_verdicts: &PanelVerdicts,
) -> Vec<MetricScore> {
    let panel = &panel_verdicts.panel;
    let options = EvaluationOptions {
        scorer,
        metrics: MetricSet::All,
        panel: panel.clone(),
        ..EvaluationOptions::default()
    };
    if scored.log.level.place().is_none() {
        return vec![of_item(scored, scored.items, panel_verdicts, &options)];
    }
    let alone = scored.alone();
    let dataset = scored.dataset.map_or_else(Dataset::none, |task| Dataset::from_tasks([task.clone()]));
    let report = evaluate(std::slice::from_ref(&alone), &dataset, &panel_verdicts.verdicts, &options);
    let task = report.levels.into_iter().flat_map(|level| level.tasks).next();
    let cx = context(scored, scorer, panel);
    let metrics = metrics(&scored.log.level);
    let scores = task.map(|task| task.scores).unwrap_or_default();
    metrics
        .zip(scores)
        .map(|(metric, (_, score))| {
            let (value, reason, applies, details) = match score {
                Score::Scored { value, details } => (Some(value), None, true, Some(details)),
                Score::Errored { error } => (Some(0.0), Some(error.into()), true, None),
                Score::Unscored { reason } => (None, Some(reason), true, None),
                Score::NotApplicable { details } => (None, None, false, Some(details)),
            };
            MetricScore {
                value,
                reason,
                applies,
                asks_judge: matches!(metric.assess(&cx), Assessment::Ask(_)),
                details: details.map(Into::into),
                overridden: None,
                calls: evidence(metric.id, &cx),
            }
        })
        .collect()
}

/// Returns the questions that either scorer has about the task.
pub(super) fn questions(scored: &ScoredTask<'_>, prompts: &JudgePrompts) -> Vec<(Protocol, JudgeQuestion)> {
    let panel = Panel::default();
    let mut list = Vec::new();
    for scorer in [Protocol::Leaderboard, Protocol::Corrected] {
        if let Some(items) = scored.items {
            let options = EvaluationOptions { scorer, ..EvaluationOptions::default() };
            let of_items = judge_questions(&[scored.alone()], items, &options).into_iter();
            list.extend(of_items.map(|question| (scorer, question)));
            continue;
        }
        let cx = context(scored, scorer, &panel);
        for metric in metrics_of(&scored.log.level, MetricSet::All) {
            if let Assessment::Ask(inputs) = metric.assess(&cx) {
                let level = &scored.log.level;
                let question =
                    JudgeQuestion::new(level, &scored.task.id, metric.id, prompts, &inputs, panel.votes);
                list.extend(question.map(|question| (scorer, question)));
            }
        }
    }
    list
}

fn context<'a>(scored: &ScoredTask<'a>, scorer: Protocol, panel: &'a Panel) -> TaskContext<'a> {
    TaskContext { level: &scored.log.level, task: scored.task, dataset: scored.dataset, scorer, panel }
}
