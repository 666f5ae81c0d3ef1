//! How a run is evaluated under one scorer.

use super::run::Run;
use crate::options::{AggregateChoice, EvaluateOptions};
use koab_core::judge::{Aggregate, Panel};
use koab_core::protocol::Protocol;
use koab_core::report::EvaluationOptions;
use koab_core::score::MetricSet;
use koab_engine::ports::Clock as _;
use koab_workspace::clock::SystemClock;

pub(crate) fn evaluation_options(
    options: &EvaluateOptions,
    run: &Run,
    scorer: Protocol,
) -> EvaluationOptions {
    EvaluationOptions {
        model: None,
        scorer,
        metrics: MetricSet::All,
        panel: Panel {
            judges: Vec::new(),
            votes: options.votes as usize,
            aggregate: match options.aggregate {
                AggregateChoice::Mean => Aggregate::Mean,
                AggregateChoice::Median => Aggregate::Median,
            },
        },
        execution_date: run.execution_date.clone(),
        evaluation_date: options
            .evaluation_date
            .clone()
            .unwrap_or_else(|| SystemClock.local_iso()),
        sample_size: options.sample,
    }
}
