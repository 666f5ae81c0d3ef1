//! Names of the metrics.

use crate::level::Level;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! metric_ids {
    ($($variant:ident $name:literal $level:expr, $doc:literal;)*) => {
        /// A metric. Its text form is always the published name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
        pub enum MetricId {
            $(#[doc = $doc] #[serde(rename = $name)] $variant,)*
        }

        impl MetricId {
            /// All metrics: first the common ones, then those of each level in report order, and
            /// RRR last.
            pub const ALL: [MetricId; 22] = [$(MetricId::$variant),*];

            /// The published name.
            pub const fn name(self) -> &'static str {
                match self { $(MetricId::$variant => $name,)* }
            }

            /// Level of the metric; `None` for a metric of every level.
            pub const fn level(self) -> Option<Level> {
                match self { $(MetricId::$variant => $level,)* }
            }
        }
    };
}

metric_ids! {
    Sr "SR" None, "Success rate: judges find the request fulfilled.";
    EprCvr "EPR_CVR" None, "Share of calls that were valid.";
    PassAtK "pass@k" None, "Share of repetitions that ended with an answer.";
    ToolAcc "ToolAcc" Some(Level::L1), "The first call is to the right tool.";
    ArgAcc "ArgAcc" Some(Level::L1), "Judges find the arguments to mean the same.";
    CallEm "CallEM" Some(Level::L1), "Tool and arguments match exactly.";
    RespOk "RespOK" Some(Level::L1), "The answer has the required form.";
    SelectAcc "SelectAcc" Some(Level::L2), "The tool that was chosen is the right one.";
    Fsm "FSM" Some(Level::L3), "The calls follow the golden path exactly.";
    Psm "PSM" Some(Level::L3), "Share of the golden path that was walked.";
    DeltaStepsNorm "ΔSteps_norm" Some(Level::L3), "Calls against the least number needed.";
    ProvAcc "ProvAcc" Some(Level::L3), "Share of values that were carried over from the right result.";
    Coverage "Coverage" Some(Level::L4), "Share of required sources that answered.";
    SourceEpr "SourceEPR" Some(Level::L4), "Share of valid calls, averaged over the sources.";
    AdaptiveRoutingScore "AdaptiveRoutingScore" Some(Level::L5), "How soon a fallback is tried after the failure.";
    FallbackSr "FallbackSR" Some(Level::L5), "Share of fallback calls that succeed.";
    ReuseRate "ReuseRate" Some(Level::L6), "Share of chances to reuse a result that were taken.";
    RedundantCallRate "RedundantCallRate" Some(Level::L6), "One minus needless repeats for each chance to reuse.";
    EffScore "EffScore" Some(Level::L6), "Least number of calls against those made, when the request was fulfilled.";
    ContextRetention "ContextRetention" Some(Level::L7), "Judges find the context kept.";
    RefRecall "RefRecall" Some(Level::L7), "Judges find early facts recalled.";
    Rrr "RRR" None, "Share of tasks that ended with an answer.";
}

impl MetricId {
    /// Whether the published December reports contain the metric.
    pub const fn is_in_head(self) -> bool {
        !matches!(self, MetricId::ProvAcc | MetricId::ReuseRate)
    }

    /// Whether the metric depends on the model's replies, so that it has no value if the replies
    /// are unknown.
    pub const fn counts_replies(self) -> bool {
        matches!(self, MetricId::ProvAcc | MetricId::AdaptiveRoutingScore)
    }

    /// Whether each task scores 0 or 1, so that the mean is a share of the tasks. For `pass@k` this
    /// holds with one repetition only.
    pub const fn is_proportion(self) -> bool {
        use MetricId::{CallEm, Fsm, PassAtK, RespOk, Rrr, SelectAcc, Sr, ToolAcc};
        matches!(self, Sr | PassAtK | ToolAcc | CallEm | RespOk | SelectAcc | Fsm | Rrr)
    }
}

impl fmt::Display for MetricId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that is not the name of a metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("`{0}` is not a metric")]
pub struct UnknownMetric(pub String);

impl FromStr for MetricId {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Self, UnknownMetric> {
        Self::ALL.into_iter().find(|id| id.name() == text).ok_or_else(|| UnknownMetric(text.to_owned()))
    }
}
