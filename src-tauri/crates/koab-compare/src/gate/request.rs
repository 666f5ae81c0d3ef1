//! Settings of a gate.

use koab_analysis::gate::GateOptions;
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_runs::RunRequest;
use koab_runs::options::JudgeChoice;

/// Settings of a gate.
#[derive(Clone, Debug)]
pub struct GateRequest {
    /// Baseline: a report, a run that has a report, or a report file.
    pub baseline: String,
    /// Settings of new attempts of the baseline; `None` where only its existing attempts are used.
    pub again: Option<RunRequest>,
    /// Model, pack and settings of the candidate's runs.
    pub candidate: RunRequest,
    /// Metric that is compared.
    pub metric: MetricId,
    /// Margin, level, power and caps.
    pub options: GateOptions,
    /// Only these levels; empty for all.
    pub levels: Vec<Level>,
    /// Judges of the attempts.
    pub judges: JudgeChoice,
    /// Number of answers that judges are asked about again; `None` for a number that suits the
    /// attempts.
    pub judge_again: Option<usize>,
    /// Maximum cost of the whole gate in USD.
    pub max_cost: Option<f64>,
}
