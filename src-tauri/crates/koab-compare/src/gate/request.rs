//! Settings of a gate.

use koab_analysis::gate::GateOptions;
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_library::RunRequest;
use koab_library::options::JudgeChoice;

/// Settings of a gate.
#[derive(Clone, Debug)]
pub struct GateRequest {
    /// Name of the baseline: a report, a run that has a report, or a report file.
    pub baseline: String,
    /// Settings of new attempts of the baseline; `None` if only existing attempts are used.
    pub again: Option<RunRequest>,
    /// Model, pack and settings of the candidate's runs.
    pub candidate: RunRequest,
    /// Metric that is compared.
    pub metric: MetricId,
    /// Margin, level, power and caps.
    pub options: GateOptions,
    /// Levels to use; empty for all.
    pub levels: Vec<Level>,
    /// Judges of the attempts.
    pub judges: JudgeChoice,
    /// Number of answers that judges judge a second time; `None` for a number that depends on the
    /// number of attempts.
    pub judge_again: Option<usize>,
    /// Maximum cost of the whole gate in USD.
    pub max_cost: Option<f64>,
}
