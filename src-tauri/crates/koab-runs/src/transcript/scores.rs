//! Every metric of one task under a scorer, with what led to it.

use crate::wire::MetricScore;
use koab_core::judge::{JudgePrompts, JudgeQuestion, Panel, Verdicts};
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::protocol::Protocol;
use koab_core::score::{Assessment, MetricSet, Score, TaskContext, evidence, metrics_of};
use koab_report::{Dataset, EvaluationOptions, evaluate};
use serde_json::Value;

/// What a task is scored from.
pub(super) struct ScoredTask<'a> {
    pub(super) log: &'a LevelLog,
    pub(super) task: &'a LoggedTask,
    pub(super) dataset: Option<&'a Value>,
}

/// Verdicts for one scorer, and who is to have given them.
#[derive(Clone, Default)]
pub(super) struct PanelVerdicts {
    pub(super) verdicts: Verdicts,
    pub(super) panel: Panel,
}

/// One scorer's scores in the report's order, by the very code that reports are made with.
pub(super) fn column(scored: &ScoredTask<'_>, scorer: Protocol, said: &PanelVerdicts) -> Vec<MetricScore> {
    let panel = &said.panel;
    let options = EvaluationOptions {
        scorer,
        metrics: MetricSet::All,
        panel: panel.clone(),
        ..EvaluationOptions::default()
    };
    let alone = LevelLog {
        level: scored.log.level,
        metadata: serde_json::Map::new(),
        tasks: vec![scored.task.clone()],
        skipped: Vec::new(),
    };
    let dataset = scored
        .dataset
        .map_or_else(Dataset::none, |task| Dataset::of([task.clone()]));
    let report = evaluate(std::slice::from_ref(&alone), &dataset, &said.verdicts, &options);
    let task = report.levels.into_iter().flat_map(|level| level.tasks).next();
    let cx = context(scored, scorer, panel);
    let metrics = metrics_of(scored.log.level, MetricSet::All);
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

/// What either scorer asks the judges about the task.
pub(super) fn questions(scored: &ScoredTask<'_>, prompts: &JudgePrompts) -> Vec<(Protocol, JudgeQuestion)> {
    let panel = Panel::default();
    let mut asked = Vec::new();
    for scorer in [Protocol::Leaderboard, Protocol::Corrected] {
        let cx = context(scored, scorer, &panel);
        for metric in metrics_of(scored.log.level, MetricSet::All) {
            if let Assessment::Ask(inputs) = metric.assess(&cx) {
                let level = scored.log.level;
                let question =
                    JudgeQuestion::new(level, &scored.task.id, metric.id, prompts, &inputs, panel.votes);
                asked.extend(question.map(|question| (scorer, question)));
            }
        }
    }
    asked
}

fn context<'a>(scored: &ScoredTask<'a>, scorer: Protocol, panel: &'a Panel) -> TaskContext<'a> {
    TaskContext {
        level: scored.log.level,
        task: scored.task,
        dataset: scored.dataset,
        scorer,
        panel,
    }
}
