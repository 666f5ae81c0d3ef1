//! The two protocols: the benchmark as the published code runs it, and the benchmark as its
//! documentation defines it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Rules for making a run and for scoring a log.
///
/// A run is made under exactly one protocol, which its log contains. Any log can be scored under
/// either protocol ([`crate::score::DIFFERENCES`] lists the differences); a report contains the
/// protocol of its scoring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Behaviour of the published code, including its oddities, so that numbers are comparable with
    /// the published ones.
    #[default]
    Leaderboard,
    /// Behaviour that the benchmark's documentation defines, with the faults of the published code
    /// fixed.
    Corrected,
}

impl Protocol {
    /// `leaderboard` or `corrected`.
    pub fn as_str(self) -> &'static str {
        match self {
            Protocol::Leaderboard => "leaderboard",
            Protocol::Corrected => "corrected",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Text that is not the name of a protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("`{0}` is not a protocol; it is leaderboard or corrected")]
pub struct UnknownProtocol(pub String);

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Self, UnknownProtocol> {
        match text.to_ascii_lowercase().as_str() {
            "leaderboard" => Ok(Protocol::Leaderboard),
            "corrected" => Ok(Protocol::Corrected),
            _ => Err(UnknownProtocol(text.to_owned())),
        }
    }
}

/// Differences between the protocols. Other code reads these fields and never compares protocols.
///
/// Seeded turns, calls and answers are those that the dataset puts into a conversation of L6 or L7
/// before the model continues it. The tested turn is the turn that the task scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// L2 offers the task's `available_tools` instead of the golden tool alone.
    pub l2_offers_distractors: bool,
    /// L5 offers the fallback tools from the start. Otherwise they are offered in a second
    /// conversation after the failure.
    pub l5_offers_fallbacks_at_once: bool,
    /// A single-turn task is started once more if its answer is empty.
    pub empty_answer_starts_again: bool,
    /// Tool results reach the model as ASCII with `\uXXXX` escapes.
    pub ascii_tool_results: bool,
    /// The seeded conversation of L6/L7 includes the tested turn, even if that turn is the
    /// dataset's own answer.
    pub seeds_tested_answer: bool,
    /// A seeded call without a recorded result stays in the conversation without an answer.
    pub keeps_unanswered_seeds: bool,
    /// If the model gives no answer, the dataset's last seeded answer becomes the final response
    /// (L6/L7).
    pub seeded_answer_stands_in: bool,
    /// Calls of tools that were not offered are refused.
    pub refuses_unoffered_tools: bool,
    /// An answer that was cut off at the output limit ends the attempt without success.
    pub cut_off_is_no_answer: bool,
    /// A call whose arguments are an empty text counts as a call without arguments.
    pub empty_arguments_are_none: bool,
}

impl Protocol {
    /// The rules of this protocol.
    pub const fn rules(self) -> Rules {
        let published = matches!(self, Protocol::Leaderboard);
        Rules {
            l2_offers_distractors: !published,
            l5_offers_fallbacks_at_once: !published,
            empty_answer_starts_again: published,
            ascii_tool_results: published,
            seeds_tested_answer: published,
            keeps_unanswered_seeds: published,
            seeded_answer_stands_in: published,
            refuses_unoffered_tools: !published,
            cut_off_is_no_answer: !published,
            empty_arguments_are_none: !published,
        }
    }
}
