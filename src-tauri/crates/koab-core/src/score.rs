//! Metrics: numbers computed from a task's log and the judges' verdicts.
//!
//! A metric reads only the logged task, the verdicts, and the dataset's task if a correction needs
//! it. [`Metric::assess`] decides from the log or returns the texts for a judge's question.
//! [`Metric::score`] also takes the verdicts and begins with the same step, so that questions and
//! scores agree on whether a judge is needed. `koab-report` computes means over tasks.

pub mod composite;
mod difference;
mod effect;
mod evidence;
mod id;
mod matching;
mod metrics;
mod path;
mod task_context;
#[cfg(test)]
mod testing;
mod value;

pub use difference::{DIFFERENCES, Difference};
pub use effect::{CallEvidence, Effect};
pub use evidence::evidence;
pub use id::{MetricId, UnknownMetric};
pub use matching::{ArgumentMatch, ArgumentState, CallMatch, CallPlace, GoldenEntry, GoldenKind, Matching};
pub use task_context::TaskContext;
pub use value::{Assessment, Score};

pub use matching::compare as compare_arguments;
pub use metrics::coverage::uncountable;
pub use task_context::{args_of, tool_of};

use self::metrics::{call, conversation, coverage, fallback, passk, reuse, selection, sequence, success};
use crate::judge::Verdict;
use crate::level::Level;
use crate::reason::Reason;
use serde::{Deserialize, Serialize};

/// Whether judges decide a metric for at least some tasks.
pub fn is_judged(metric: MetricId) -> bool {
    let level = metric.level().unwrap_or(Level::L1);
    metrics_of(&level, MetricSet::All).any(|known| known.id == metric && known.is_judged())
}

/// The set of metrics to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricSet {
    /// The metrics of the published December reports.
    #[default]
    Head,
    /// All metrics, including `ProvAcc` and `ReuseRate`, which the published reports no longer
    /// have.
    All,
}

impl MetricSet {
    /// Whether a metric is in the set.
    pub fn has(self, metric: MetricId) -> bool {
        self == Self::All || metric.is_in_head()
    }
}

/// One metric: its name and the functions that compute it.
#[derive(Clone, Copy)]
pub struct Metric {
    /// Name of the metric.
    pub id: MetricId,
    measure: Measure,
}

#[derive(Clone, Copy)]
enum Measure {
    Log(fn(&TaskContext<'_>) -> Score),
    Judged {
        assess: fn(&TaskContext<'_>) -> Assessment,
        conclude: fn(&TaskContext<'_>, &[&Verdict]) -> Score,
    },
}

impl Metric {
    const fn log(id: MetricId, measure: fn(&TaskContext<'_>) -> Score) -> Self {
        Self { id, measure: Measure::Log(measure) }
    }

    const fn judged(
        id: MetricId,
        assess: fn(&TaskContext<'_>) -> Assessment,
        conclude: fn(&TaskContext<'_>, &[&Verdict]) -> Score,
    ) -> Self {
        Self { id, measure: Measure::Judged { assess, conclude } }
    }

    /// Whether some tasks need a judge.
    pub fn is_judged(&self) -> bool {
        matches!(self.measure, Measure::Judged { .. })
    }

    /// Decides the score from the log, or returns the texts for a judge's question.
    pub fn assess(&self, cx: &TaskContext<'_>) -> Assessment {
        if self.id.counts_replies() && cx.task.has_steps_by_arrival() {
            return Assessment::Decided(Score::unscored(Reason::StepsByArrival {}));
        }
        match self.measure {
            Measure::Log(measure) => Assessment::Decided(measure(cx)),
            Measure::Judged { assess, .. } => assess(cx),
        }
    }

    /// The score from all verdicts about this task for this metric.
    ///
    /// If a required judge was not called, the task has no score under either scorer. An error of
    /// the metric becomes a missing score under the corrected scorer.
    pub fn score(&self, cx: &TaskContext<'_>, verdicts: &[Verdict]) -> Score {
        let score = match (self.assess(cx), self.measure) {
            (Assessment::Decided(score), _) => score,
            (Assessment::Ask(_), Measure::Judged { conclude, .. }) => {
                match cx.panel.pick(cx.votes(self.id), verdicts) {
                    Ok(picked) => conclude(cx, &picked),
                    Err(reason) => Score::unscored(reason),
                }
            }
            (Assessment::Ask(_), Measure::Log(measure)) => measure(cx),
        };
        match score {
            Score::Errored { error } if cx.is_corrected() => {
                Score::unscored(Reason::CannotReadLog { error: error.into() })
            }
            other => other,
        }
    }
}

/// Metrics of every level, in report order.
const COMMON: [Metric; 3] = [
    Metric::judged(MetricId::Sr, success::assess, success::conclude),
    Metric::log(MetricId::EprCvr, call::epr_cvr),
    Metric::log(MetricId::PassAtK, passk::pass_at_k),
];

/// Metrics of one level, in report order. RRR is not included, since it is computed for a level and
/// not for a task.
fn own(level: &Level) -> &'static [Metric] {
    const L1: &[Metric] = &[
        Metric::log(MetricId::ToolAcc, call::tool_acc),
        Metric::judged(MetricId::ArgAcc, call::assess_arg_acc, call::conclude_arg_acc),
        Metric::log(MetricId::CallEm, call::call_em),
        Metric::log(MetricId::RespOk, call::resp_ok),
    ];
    const L2: &[Metric] = &[Metric::log(MetricId::SelectAcc, selection::select_acc)];
    const L3: &[Metric] = &[
        Metric::log(MetricId::Fsm, sequence::fsm),
        Metric::log(MetricId::Psm, sequence::psm),
        Metric::log(MetricId::DeltaStepsNorm, sequence::delta_steps_norm),
        Metric::log(MetricId::ProvAcc, sequence::prov_acc),
    ];
    const L4: &[Metric] = &[
        Metric::log(MetricId::Coverage, coverage::coverage),
        Metric::log(MetricId::SourceEpr, coverage::source_epr),
    ];
    const L5: &[Metric] = &[
        Metric::log(MetricId::AdaptiveRoutingScore, fallback::adaptive_routing_score),
        Metric::log(MetricId::FallbackSr, fallback::fallback_sr),
    ];
    const L6: &[Metric] = &[
        Metric::log(MetricId::ReuseRate, reuse::reuse_rate),
        Metric::log(MetricId::RedundantCallRate, reuse::redundant_call_rate),
        Metric::judged(MetricId::EffScore, reuse::assess_eff_score, reuse::conclude_eff_score),
    ];
    const L7: &[Metric] = &[
        Metric::judged(MetricId::ContextRetention, conversation::assess, conversation::conclude),
        Metric::judged(MetricId::RefRecall, conversation::assess, conversation::conclude),
    ];
    match level {
        Level::L1 => L1,
        Level::L2 => L2,
        Level::L3 => L3,
        Level::L4 => L4,
        Level::L5 => L5,
        Level::L6 => L6,
        Level::L7 => L7,
        // Another benchmark's items are scored by its own rules.
        Level::Group(_) => &[],
    }
}

/// The task metrics of a level in report order: those that all levels have, then its own.
pub fn metrics_of(level: &Level, set: MetricSet) -> impl Iterator<Item = &'static Metric> + use<> {
    COMMON.iter().chain(own(level)).filter(move |metric| set.has(metric.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_but_rrr_stands_in_the_registry_once() {
        let mut seen: Vec<MetricId> = COMMON.iter().map(|metric| metric.id).collect();
        for level in &Level::ALL {
            seen.extend(own(level).iter().map(|metric| metric.id));
        }
        seen.push(MetricId::Rrr);
        seen.sort_unstable();
        assert_eq!(seen, MetricId::ALL);
    }

    #[test]
    fn metrics_of_a_kind_are_known_by_name() {
        let names = |holds: fn(MetricId) -> bool| -> Vec<&str> {
            let all = MetricId::ALL.into_iter().filter(|metric| holds(*metric));
            all.map(MetricId::name).collect()
        };
        assert_eq!(names(MetricId::counts_replies), ["ProvAcc", "AdaptiveRoutingScore"]);
        assert_eq!(names(|metric| !metric.is_in_head()), ["ProvAcc", "ReuseRate"]);
        assert_eq!(
            names(MetricId::is_proportion),
            ["SR", "pass@k", "ToolAcc", "CallEM", "RespOK", "SelectAcc", "FSM", "RRR"]
        );
    }

    #[test]
    fn the_head_set_leaves_out_what_was_dropped_in_december() {
        let names = |level, set| metrics_of(level, set).map(|metric| metric.id.name()).collect::<Vec<_>>();
        assert_eq!(
            names(&Level::L3, MetricSet::All),
            ["SR", "EPR_CVR", "pass@k", "FSM", "PSM", "ΔSteps_norm", "ProvAcc"]
        );
        assert_eq!(
            names(&Level::L6, MetricSet::Head),
            ["SR", "EPR_CVR", "pass@k", "RedundantCallRate", "EffScore"]
        );
    }
}
