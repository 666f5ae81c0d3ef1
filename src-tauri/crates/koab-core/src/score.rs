//! Metrics: what a task's log and the judges' verdicts come to as a number.
//!
//! A metric reads nothing but the logged task, the dataset's task where a correction needs it, and the verdicts. Its
//! two steps are [`Metric::assess`], which decides from the log or says what a judge is to be asked, and
//! [`Metric::score`], which takes the verdicts; both share the first step, so questions and scores cannot disagree on
//! whether a judge is needed. Means over tasks belong to [`crate::report`].

mod call;
pub mod composite;
mod context;
mod coverage;
mod difference;
mod evidence;
mod fallback;
mod id;
mod matching;
mod passk;
mod path;
mod reuse;
mod selection;
mod sequence;
mod success;
mod task_context;

pub use difference::{DIFFERENCES, Difference};
pub use evidence::{CallEvidence, Effect, evidence};
pub use id::{MetricId, UnknownMetric};
pub use matching::{ArgumentMatch, ArgumentState, CallMatch, CallPlace, GoldenEntry, GoldenKind, Matching};
pub use task_context::TaskContext;

pub(crate) use coverage::uncountable;
pub(crate) use matching::compare as compare_arguments;
pub(crate) use task_context::{args_of, tool_of};

use crate::judge::{Inputs, Verdict};
use crate::level::Level;
use crate::protocol::Protocol;
use crate::reason::Reason;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether judges decide a metric, on some tasks at least.
pub fn is_judged(metric: MetricId) -> bool {
    let level = metric.level().unwrap_or(Level::L1);
    metrics_of(level, MetricSet::All).any(|known| known.id == metric && known.is_judged())
}

/// By which rules a log is scored. Any log can be scored by either; a report names the one it used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scorer {
    /// As the published code scores, bit for bit.
    #[default]
    Leaderboard,
    /// With the faults mended that [`DIFFERENCES`] lists.
    Corrected,
}

impl From<Protocol> for Scorer {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Leaderboard => Scorer::Leaderboard,
            Protocol::Corrected => Scorer::Corrected,
        }
    }
}

impl Scorer {
    /// `leaderboard` or `corrected`.
    pub fn as_str(self) -> &'static str {
        match self {
            Scorer::Leaderboard => "leaderboard",
            Scorer::Corrected => "corrected",
        }
    }
}

/// Which metrics are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricSet {
    /// Those of the published December reports.
    #[default]
    Head,
    /// With `ProvAcc` and `ReuseRate`, which were dropped before them.
    All,
}

/// What a metric says about one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Score {
    /// A number, normally 0 to 1, and how it came about, as the published reports lay it out.
    Scored {
        /// The score.
        value: f64,
        /// JSON object.
        details: Value,
    },
    /// The published metric raises an error here. It counts as 0.0 (leaderboard only).
    Errored {
        /// The error text.
        error: String,
    },
    /// It cannot be told; never counted as 0.
    Unscored {
        /// Why, as a sentence fragment.
        reason: String,
    },
    /// The task is none that the metric is about; left out of the mean.
    NotApplicable {
        /// JSON object.
        details: Value,
    },
}

impl Score {
    /// A score with its details.
    pub fn scored(value: f64, details: Value) -> Self {
        Score::Scored { value, details }
    }

    /// No score, for a reason.
    pub fn unscored(reason: Reason) -> Self {
        Score::Unscored {
            reason: reason.to_string(),
        }
    }

    /// The number that enters the mean.
    pub fn value(&self) -> Option<f64> {
        match self {
            Score::Scored { value, .. } => Some(*value),
            Score::Errored { .. } => Some(0.0),
            Score::Unscored { .. } | Score::NotApplicable { .. } => None,
        }
    }
}

/// What the log alone says about a metric.
#[derive(Clone, Debug, PartialEq)]
pub enum Assessment {
    /// No judge is needed.
    Decided(Score),
    /// A judge must be asked with these texts.
    Ask(Inputs),
}

/// One metric: a name and two pure functions.
#[derive(Clone, Copy)]
pub struct Metric {
    /// Name.
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
        Self {
            id,
            measure: Measure::Log(measure),
        }
    }

    const fn judged(
        id: MetricId,
        assess: fn(&TaskContext<'_>) -> Assessment,
        conclude: fn(&TaskContext<'_>, &[&Verdict]) -> Score,
    ) -> Self {
        Self {
            id,
            measure: Measure::Judged { assess, conclude },
        }
    }

    /// Whether some tasks need a judge.
    pub fn is_judged(&self) -> bool {
        matches!(self.measure, Measure::Judged { .. })
    }

    /// Decides from the log, or says what to ask.
    pub fn assess(&self, cx: &TaskContext<'_>) -> Assessment {
        match self.measure {
            Measure::Log(measure) => Assessment::Decided(measure(cx)),
            Measure::Judged { assess, .. } => assess(cx),
        }
    }

    /// The score, given all verdicts about this task for this metric. A judge that had to be asked and was not leaves
    /// the task unscored under either scorer; an error becomes unscored under the corrected one.
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
            Score::Errored { error } if cx.is_corrected() => Score::unscored(Reason::CannotReadLog { error }),
            other => other,
        }
    }
}

/// No score because judges failed, with the first failure as the reason.
fn unanswered(verdicts: &[&Verdict]) -> Score {
    let failure = verdicts
        .iter()
        .find_map(|verdict| Some((&verdict.judge, verdict.failure()?)));
    Score::unscored(match failure {
        Some((judge, reason)) => Reason::JudgeFailed {
            judge: judge.clone(),
            reason: reason.to_owned(),
        },
        None => Reason::NoUsableAnswer {},
    })
}

/// Metrics of every level, in report order.
const COMMON: [Metric; 3] = [
    Metric::judged(MetricId::Sr, success::assess, success::conclude),
    Metric::log(MetricId::EprCvr, call::epr_cvr),
    Metric::log(MetricId::PassAtK, passk::pass_at_k),
];

/// Metrics of one level, in report order. RRR is not here: it is computed over a level, not for a task.
fn own(level: Level) -> &'static [Metric] {
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
        Metric::judged(
            MetricId::EffScore,
            reuse::assess_eff_score,
            reuse::conclude_eff_score,
        ),
    ];
    const L7: &[Metric] = &[
        Metric::judged(MetricId::ContextRetention, context::assess, context::conclude),
        Metric::judged(MetricId::RefRecall, context::assess, context::conclude),
    ];
    match level {
        Level::L1 => L1,
        Level::L2 => L2,
        Level::L3 => L3,
        Level::L4 => L4,
        Level::L5 => L5,
        Level::L6 => L6,
        Level::L7 => L7,
    }
}

/// The task metrics of a level in report order: the common ones, then its own.
pub fn metrics_of(level: Level, set: MetricSet) -> impl Iterator<Item = &'static Metric> {
    COMMON
        .iter()
        .chain(own(level))
        .filter(move |metric| set == MetricSet::All || metric.id.is_in_head())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_but_rrr_stands_in_the_registry_once() {
        let mut seen: Vec<MetricId> = COMMON.iter().map(|metric| metric.id).collect();
        for level in Level::ALL {
            seen.extend(own(level).iter().map(|metric| metric.id));
        }
        seen.push(MetricId::Rrr);
        seen.sort_unstable();
        assert_eq!(seen, MetricId::ALL);
    }

    #[test]
    fn the_head_set_leaves_out_what_was_dropped_in_december() {
        let names = |level, set| {
            metrics_of(level, set)
                .map(|metric| metric.id.name())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(Level::L3, MetricSet::All),
            ["SR", "EPR_CVR", "pass@k", "FSM", "PSM", "ΔSteps_norm", "ProvAcc"]
        );
        assert_eq!(
            names(Level::L6, MetricSet::Head),
            ["SR", "EPR_CVR", "pass@k", "RedundantCallRate", "EffScore"]
        );
    }
}
