//! What is to be gated.

use koab_analysis::gate::GateOptions;
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_runs::RunRequest;
use koab_runs::options::JudgeChoice;

/// What is to be gated.
#[derive(Clone, Debug)]
pub struct GateRequest {
    /// A report, a run that has one, or the file of a report.
    pub baseline: String,
    /// How the baseline is tried again; nothing where its attempts at hand are all there are.
    pub again: Option<RunRequest>,
    /// How the candidate is run.
    pub candidate: RunRequest,
    /// Which metric is looked at.
    pub metric: MetricId,
    /// Margin, level, power and caps.
    pub options: GateOptions,
    /// Only these levels; empty for all.
    pub levels: Vec<Level>,
    /// Who judges.
    pub judges: JudgeChoice,
    /// Answers that judges are asked about again; nothing for as many as suit the attempts.
    pub judge_again: Option<usize>,
    /// USD that all of it may cost.
    pub max_cost: Option<f64>,
}
