//! The seven levels, which are seven independent dimensions and not rising difficulty.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One dimension of the benchmark. Its text form is `L1` … `L7`, everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum Level {
    /// Single call: the right tool with the right arguments.
    L1,
    /// Tool selection.
    L2,
    /// Sequential calls, each fed by the one before.
    L3,
    /// Parallel calls over several sources.
    L4,
    /// Error handling: an injected failure and its fallbacks.
    L5,
    /// Efficient reuse of what the conversation already holds.
    L6,
    /// Long context.
    L7,
}

impl Level {
    /// All levels in order.
    pub const ALL: [Level; 7] = [
        Level::L1,
        Level::L2,
        Level::L3,
        Level::L4,
        Level::L5,
        Level::L6,
        Level::L7,
    ];

    /// The digit after the `L`, 1 to 7.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// `L1` … `L7`.
    pub fn as_str(self) -> &'static str {
        ["L1", "L2", "L3", "L4", "L5", "L6", "L7"][self as usize]
    }

    /// Whether a task of this level is a conversation of several turns rather than one instruction.
    pub fn is_multi_turn(self) -> bool {
        matches!(self, Level::L6 | Level::L7)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Text that names no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("`{0}` is not a level; levels are L1 to L7")]
pub struct UnknownLevel(pub String);

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Reads `L3`, `l3` or `3`, as the original evaluator's `--levels` does.
    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let trimmed = text.trim();
        let digit = trimmed.strip_prefix(['L', 'l']).unwrap_or(trimmed);
        match digit.parse::<usize>() {
            Ok(n @ 1..=7) => Ok(Level::ALL[n - 1]),
            _ => Err(UnknownLevel(text.to_owned())),
        }
    }
}
