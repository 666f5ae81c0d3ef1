//! What an item is scored by.

use crate::item::Item;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The right call, decided without a judge; of call turns only.
pub(super) const EXACT_CALL: &str = "ExactCall";
/// Whether the turn is right: an exact call, or a judge says so.
pub(super) const TURN_PASS: &str = "TurnPass";

/// One of the three sets; the names are the authors'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Set {
    CallDecision,
    SingleCall,
    Dialog,
}

impl Set {
    /// In the order of the benchmark.
    pub(super) const ALL: [Self; 3] = [Self::CallDecision, Self::SingleCall, Self::Dialog];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::CallDecision => "CallDecision",
            Self::SingleCall => "SingleCall",
            Self::Dialog => "Dialog",
        }
    }

    /// How the ids of its items begin.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::CallDecision => "calldecision",
            Self::SingleCall => "singlecall",
            Self::Dialog => "dialog",
        }
    }

    /// Its requests in version 2.
    pub(super) fn requests(self) -> usize {
        match self {
            Self::CallDecision => 606,
            Self::SingleCall => 500,
            Self::Dialog => 200,
        }
    }
}

/// What a turn asks of the assistant, in the order of the authors' table.
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

/// What an item is scored by, as [`Item::source`] keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Source {
    pub(super) set: Set,
    /// Where it stands in the benchmark: tables name verdicts in the order in which they first
    /// occur.
    pub(super) index: usize,
    pub(super) turn: Turn,
    /// The right assistant message; of `SingleCall` the bare `{name, arguments}`.
    pub(super) truth: Value,
    /// Accepted arguments as text: JSON, a sentence, or none.
    pub(super) acceptable: Option<String>,
    /// The rubric of its turn, unfilled.
    pub(super) rubric: String,
}

impl Source {
    /// That of an item; `None` where the item is another benchmark's.
    pub(super) fn from_item(item: &Item) -> Option<Self> {
        Self::deserialize(&item.source).ok()
    }

    /// Name and argument text of the right call.
    pub(super) fn call(&self) -> Option<(&str, &str)> {
        call_of(&self.truth)
    }
}

/// Name and argument text of the call that a truth has.
pub(super) fn call_of(truth: &Value) -> Option<(&str, &str)> {
    let call = match truth.get("tool_calls") {
        Some(calls) => calls.get(0)?.get("function")?,
        None => truth,
    };
    Some((call.get("name")?.as_str()?, call.get("arguments")?.as_str()?))
}
