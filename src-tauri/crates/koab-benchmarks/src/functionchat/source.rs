//! Data that an item is scored by.

use crate::item::Item;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Metric of exact calls, decided without a judge; for call turns only.
pub(super) const EXACT_CALL: &str = "ExactCall";
/// Metric of right turns: an exact call, or a pass from a judge.
pub(super) const TURN_PASS: &str = "TurnPass";

/// One of the three sets, with the authors' names.
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

/// Kind of a turn, by the action expected from the assistant; in the order of the authors' table.
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

/// Data that an item is scored by, as [`Item::source`] stores it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Source {
    pub(super) set: Set,
    /// Position in the benchmark. Tables list verdicts in the order of their first items.
    pub(super) index: usize,
    pub(super) turn: Turn,
    /// Right assistant message; in `SingleCall` only `{name, arguments}`.
    pub(super) truth: Value,
    /// Accepted arguments as text: JSON or a sentence; `None` without any.
    pub(super) acceptable: Option<String>,
    /// Rubric of the turn, with its placeholders.
    pub(super) rubric: String,
}

impl Source {
    /// Source of an item; `None` where the item is another benchmark's.
    pub(super) fn from_item(item: &Item) -> Option<Self> {
        Self::deserialize(&item.source).ok()
    }

    /// Name and argument text of the right call.
    pub(super) fn call(&self) -> Option<(&str, &str)> {
        call_of(&self.truth)
    }
}

/// Name and argument text of the call in a truth.
pub(super) fn call_of(truth: &Value) -> Option<(&str, &str)> {
    let call = match truth.get("tool_calls") {
        Some(calls) => calls.get(0)?.get("function")?,
        None => truth,
    };
    Some((call.get("name")?.as_str()?, call.get("arguments")?.as_str()?))
}
