//! Data in an item of FunctionChat-Bench that the item is scored by, and names of its metrics.

use crate::item::Item;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Name of the metric for exact matches, which needs no judge. Only call turns have it.
pub(super) const EXACT_CALL: &str = "ExactCall";
/// Name of the metric for right turns. A turn is right if the call matches exactly or a judge
/// passes it.
pub(super) const TURN_PASS: &str = "TurnPass";

/// One of the three data sets of FunctionChat-Bench, with the authors' names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Set {
    CallDecision,
    SingleCall,
    Dialog,
}

impl Set {
    /// All sets, in the order of the benchmark.
    pub(super) const ALL: [Self; 3] = [Self::CallDecision, Self::SingleCall, Self::Dialog];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::CallDecision => "CallDecision",
            Self::SingleCall => "SingleCall",
            Self::Dialog => "Dialog",
        }
    }

    /// Prefix of the ids of the set's items.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::CallDecision => "calldecision",
            Self::SingleCall => "singlecall",
            Self::Dialog => "dialog",
        }
    }

    /// Number of the set's requests in version 2.
    pub(super) fn requests(self) -> usize {
        match self {
            Self::CallDecision => 606,
            Self::SingleCall => 500,
            Self::Dialog => 200,
        }
    }
}

/// Kind of a turn, by the action that is expected from the assistant. The order is that of the
/// authors' table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Turn {
    Call,
    Completion,
    Slot,
    Relevance,
}

impl Turn {
    pub(super) const ALL: [Self; 4] = [Self::Call, Self::Completion, Self::Slot, Self::Relevance];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Completion => "completion",
            Self::Slot => "slot",
            Self::Relevance => "relevance",
        }
    }
}

/// Data that an item is scored by. [`Item::source`] stores it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Source {
    pub(super) set: Set,
    /// Position of the item in the benchmark. Tables list verdicts in this order.
    pub(super) index: usize,
    pub(super) turn: Turn,
    /// Expected assistant message; in `SingleCall` only `{name, arguments}`.
    pub(super) truth: Value,
    /// Accepted arguments as text, either JSON or a sentence; `None` if the item has none.
    pub(super) acceptable: Option<String>,
    /// Rubric of the turn, with unfilled placeholders.
    pub(super) rubric: String,
}

impl Source {
    /// Source of an item; `None` where the item belongs to another benchmark.
    pub(super) fn from_item(item: &Item) -> Option<Self> {
        Self::deserialize(&item.source).ok()
    }

    /// Name and argument text of the expected call.
    pub(super) fn call(&self) -> Option<(&str, &str)> {
        call_of(&self.truth)
    }
}

/// Name and argument text of the call in an expected message.
pub(super) fn call_of(truth: &Value) -> Option<(&str, &str)> {
    let call = match truth.get("tool_calls") {
        Some(calls) => calls.get(0)?.get("function")?,
        None => truth,
    };
    Some((call.get("name")?.as_str()?, call.get("arguments")?.as_str()?))
}
