//! A report of which only a summary is left: its means and figures, and no task.

use crate::log::SkippedTask;
use crate::report::{Figures, LevelMean, LevelReport, PublishedLevel, PublishedReport, Report};
use crate::score::MetricSet;
use serde_json::{Map, Value};

impl From<PublishedReport> for Report {
    /// What the file does not say is empty; no mean is computed again.
    fn from(published: PublishedReport) -> Self {
        Report {
            model: published.model.unwrap_or_default(),
            judges: published.judges.unwrap_or_default(),
            votes: 3,
            aggregate: crate::judge::Aggregate::default(),
            scorer: published.scorer,
            metrics: MetricSet::Head,
            execution_date: published.execution_date.unwrap_or_default(),
            evaluation_date: published.evaluation_date.unwrap_or_default(),
            sample_size: published.sample_size.map(|size| size as usize),
            levels: published.levels.into_iter().map(level).collect(),
        }
    }
}

fn level(published: PublishedLevel) -> LevelReport {
    let evaluated = published.evaluated_tasks.or(published.total_tasks).unwrap_or(0);
    let means = published.means.into_iter().map(|mean| LevelMean {
        metric: mean.metric,
        reason: match (mean.value, mean.reasons.first()) {
            (Some(_), _) => None,
            (None, Some((reason, _))) => Some(reason.clone()),
            (None, None) => Some("the file has no value and does not say why".to_owned()),
        },
        value: mean.value,
        scored: evaluated.saturating_sub(mean.unscored) as usize,
        errored: 0,
        unscored: mean.unscored as usize,
        not_applicable: 0,
        unscored_reasons: mean
            .reasons
            .into_iter()
            .map(|(why, count)| (why, count as usize))
            .collect(),
    });
    LevelReport {
        level: published.level,
        total_tasks: published.total_tasks.unwrap_or(evaluated) as usize,
        means: means.collect(),
        metadata: metadata(&published.figures),
        tasks: Vec::new(),
        skipped: published
            .skipped
            .into_iter()
            .enumerate()
            .map(|(position, reason)| SkippedTask {
                id: String::new(),
                position,
                reason,
            })
            .collect(),
    }
}

/// The figures under the names that a log's metadata has for them.
fn metadata(figures: &Figures) -> Map<String, Value> {
    let named = [
        ("average_execution_time", figures.seconds),
        ("average_tokens_per_task", figures.tokens),
        ("average_prompt_tokens", figures.prompt_tokens),
        ("average_completion_tokens", figures.completion_tokens),
        ("average_tps", figures.tokens_per_second),
    ];
    let named = named
        .into_iter()
        .filter_map(|(name, figure)| Some((name.to_owned(), Value::from(figure?))));
    let ttft = figures
        .ttft
        .map(|ttft| ("ttft".to_owned(), serde_json::json!({"average": ttft})));
    named.chain(ttft).collect()
}
