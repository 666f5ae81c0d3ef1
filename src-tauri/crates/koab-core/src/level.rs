//! Levels: groups of a benchmark's tasks.
//!
//! Ko-AgentBench has seven levels, which are independent dimensions and not rising difficulty.
//! Other benchmarks have groups with names of their own.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Subfolder of a run's folder for the logs of other benchmarks' groups.
pub const GROUPS: &str = "groups";

/// A group of a benchmark's tasks. Those of Ko-AgentBench are `L1` … `L7`; other benchmarks have
/// their own names.
///
/// The seven levels are ordered first, then other groups by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, type = "string"))]
pub enum Level {
    /// Single call: the right tool with the right arguments.
    L1,
    /// Tool selection: the right tool among several.
    L2,
    /// Sequential calls: each call needs the result of the previous call.
    L3,
    /// Parallel calls over several sources.
    L4,
    /// Error handling: an injected failure and its fallbacks.
    L5,
    /// Efficient reuse of data that the conversation already contains.
    L6,
    /// Long context: facts from earlier turns of the conversation.
    L7,
    /// A group of another benchmark, never `L1` to `L7`. [`Level::group`] checks its name.
    Group(Arc<str>),
}

impl Level {
    /// The seven levels of Ko-AgentBench in order.
    pub const ALL: [Level; 7] = [Level::L1, Level::L2, Level::L3, Level::L4, Level::L5, Level::L6, Level::L7];

    /// Group with this name, of any benchmark.
    ///
    /// # Errors
    /// When the name is not valid.
    pub fn group(name: &str) -> Result<Self, BadGroup> {
        if let Some(level) = Self::ALL.into_iter().find(|level| level.as_str() == name) {
            return Ok(level);
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            return Err(BadGroup::Name(name.chars().take(80).collect()));
        }
        Ok(Self::Group(name.into()))
    }

    /// [`Level::group`] for benchmarks other than Ko-AgentBench, which must not use the names of
    /// its seven levels.
    ///
    /// # Errors
    /// The errors of [`Level::group`], and an error for the names of the seven levels.
    pub fn of_another_benchmark(name: &str) -> Result<Self, BadGroup> {
        let level = Self::group(name)?;
        if level.place().is_some() { Err(BadGroup::Taken(name.to_owned())) } else { Ok(level) }
    }

    /// Position among the seven levels of Ko-AgentBench, from 0; `None` for a group of another
    /// benchmark.
    pub fn place(&self) -> Option<usize> {
        match self {
            Level::L1 => Some(0),
            Level::L2 => Some(1),
            Level::L3 => Some(2),
            Level::L4 => Some(3),
            Level::L5 => Some(4),
            Level::L6 => Some(5),
            Level::L7 => Some(6),
            Level::Group(_) => None,
        }
    }

    /// The digit after the `L`, 1 to 7; `None` for a group of another benchmark.
    pub fn number(&self) -> Option<u8> {
        self.place().and_then(|place| u8::try_from(place + 1).ok())
    }

    /// Seed for random numbers, the same in every process: the position among the seven levels, or
    /// FNV-1a of the name.
    pub fn seed(&self) -> u64 {
        let name_hash = || {
            let bytes = self.as_str().bytes();
            bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
        };
        self.place().map_or_else(name_hash, |place| place as u64)
    }

    /// Name of the group: `L1` … `L7`, or the name of another benchmark's group.
    pub fn as_str(&self) -> &str {
        match self {
            Level::L1 => "L1",
            Level::L2 => "L2",
            Level::L3 => "L3",
            Level::L4 => "L4",
            Level::L5 => "L5",
            Level::L6 => "L6",
            Level::L7 => "L7",
            Level::Group(name) => name,
        }
    }

    /// Path of the level's log in a run's folder.
    ///
    /// Logs of Ko-AgentBench are next to the journal, as published. Logs of other benchmarks are in
    /// a subfolder, where a group's name cannot collide with another file.
    pub fn log_file(&self) -> String {
        match self.place() {
            Some(_) => format!("{self}.json"),
            // Not every disk takes colons.
            None => format!("{GROUPS}/{}.json", self.as_str().replace(':', "%3A")),
        }
    }

    /// Whether a task of this level is a conversation of several turns instead of one instruction.
    pub fn is_multi_turn(&self) -> bool {
        matches!(self, Level::L6 | Level::L7)
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Name)
    }
}

struct Name;

impl Visitor<'_> for Name {
    type Value = Level;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a level or group")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Level, E> {
        Level::group(text).map_err(E::custom)
    }
}

/// Text that is not the name of a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("`{0}` is not a level; levels are L1 to L7")]
pub struct UnknownLevel(pub String);

/// Reason why a name cannot be used for a group.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum BadGroup {
    /// The name is empty or too long, or contains characters that are not allowed.
    #[error(
        "`{0}` cannot name a group; a group's name has 1 to 64 letters, digits, dots, colons, dashes and underscores"
    )]
    Name(String),
    /// The name belongs to a level of Ko-AgentBench.
    #[error("`{0}` is a level of Ko-AgentBench and cannot name a group of another benchmark")]
    Taken(String),
}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Parses `L3`, `l3` or `3`, like `--levels` of the original evaluator. Names of other
    /// benchmarks' groups are errors.
    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let trimmed = text.trim();
        let digit = trimmed.strip_prefix(['L', 'l']).unwrap_or(trimmed);
        match digit.parse::<usize>() {
            Ok(n @ 1..=7) => Ok(Level::ALL[n - 1].clone()),
            _ => Err(UnknownLevel(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_any_benchmark_are_words_beside_the_seven() {
        let group = |name| Level::group(name).expect("a group");
        assert_eq!(group("L3"), Level::L3);
        assert_eq!(group("live_simple"), group("live_simple"));
        let mut several = [group("b"), Level::L7, group("L10"), Level::L1, group("L0"), Level::L2];
        several.sort();
        assert_eq!(several.each_ref().map(Level::as_str), ["L1", "L2", "L7", "L0", "L10", "b"]);
        for bad in ["", "a b", "../x", "가", &"a".repeat(65)] {
            assert!(Level::group(bad).is_err(), "{bad}");
        }
        assert_eq!(("live_simple".parse::<Level>().is_err(), "l4".parse()), (true, Ok(Level::L4)));
        assert_eq!((Level::L2.seed(), Level::L2.number()), (1, Some(2)));
        assert_eq!(group("a").seed(), 0xaf63_dc4c_8601_ec8c, "FNV-1a of the published test vectors");
    }

    #[test]
    fn another_benchmark_has_no_group_that_is_named_like_a_level() {
        let of = |name| Level::of_another_benchmark(name).map_err(|error| error.to_string());
        assert_eq!(of("L10").map(|level| level.to_string()), Ok("L10".to_owned()));
        assert_eq!(
            of("L1"),
            Err("`L1` is a level of Ko-AgentBench and cannot name a group of another benchmark".to_owned())
        );
    }

    #[test]
    fn a_group_is_written_as_its_name() {
        let text = r#"{"L2":1,"live_simple":2}"#;
        let read: std::collections::BTreeMap<Level, u32> = serde_json::from_str(text).expect("groups");
        assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
        assert!(serde_json::from_str::<Level>(r#""a/b""#).is_err());
    }
}
