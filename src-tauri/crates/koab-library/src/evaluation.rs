//! Settings for evaluating a run under one scorer.

use super::run::Run;
use crate::options::{AggregateChoice, EvaluateOptions};
use koab_core::judge::{Aggregate, Panel};
use koab_core::protocol::Protocol;
use koab_core::score::MetricSet;
use koab_engine::ports::Clock as _;
use koab_report::EvaluationOptions;
use koab_workspace::clock::SystemClock;

/// Returns the settings for evaluating this run under a scorer.
pub fn evaluation_options(options: &EvaluateOptions, run: &Run, scorer: Protocol) -> EvaluationOptions {
    EvaluationOptions {
        model: agent_and_model(run),
        scorer,
        metrics: MetricSet::All,
        panel: Panel {
            judges: Vec::new(),
            votes: options.votes as usize,
            aggregate: match options.aggregate {
                AggregateChoice::Mean => Aggregate::Mean,
                AggregateChoice::Median => Aggregate::Median,
            },
            base_url: None,
        },
        execution_date: run.execution_date.clone(),
        evaluation_date: options.evaluation_date.clone().unwrap_or_else(|| SystemClock.local_iso()),
        sample_size: options.sample,
    }
}

/// Returns the name that a report of an agent's run has in place of the model: the agent and the
/// model. `None` for a run without an agent.
fn agent_and_model(run: &Run) -> Option<String> {
    let manifest = run.manifest.as_ref()?;
    let agent = manifest.spec.agent.as_ref()?;
    Some(format!("{} · {}", agent.label(), manifest.model))
}
