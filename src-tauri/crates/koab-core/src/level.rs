//! Levels: groups of a benchmark's tasks.
//!
//! Ko-AgentBench has seven levels, which are independent dimensions and not rising difficulty.
//! Other benchmarks have groups with names of their own.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{LazyLock, PoisonError, RwLock};

/// Maximum number of distinct groups in a process. A file with more groups cannot be a benchmark.
const MAX_GROUPS: usize = 4096;
/// Subfolder of a run's folder for the logs of other benchmarks' groups.
pub const GROUPS: &str = "groups";
/// Names of the seven levels of Ko-AgentBench.
const SEVEN: [&str; 7] = ["L1", "L2", "L3", "L4", "L5", "L6", "L7"];
/// Names of other benchmarks' groups.
///
/// The names are never freed, so that a [`Level`] is an index of two bytes. A run stores a level
/// for each of its attempts, which may be a hundred thousand.
static NAMES: LazyLock<RwLock<Names>> = LazyLock::new(RwLock::default);

thread_local! {
    /// Whether this thread is parsing a request, so that new group names are not registered
    /// ([`Level::in_request`]).
    static IS_REQUEST: Cell<bool> = const { Cell::new(false) };
}

/// Names of other benchmarks' groups in the order of their first use.
#[derive(Default)]
struct Names {
    list: Vec<&'static str>,
    places: HashMap<&'static str, u16>,
}

/// A group of a benchmark's tasks. Those of Ko-AgentBench are `L1` … `L7`; other benchmarks have
/// their own names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, type = "string"))]
pub struct Level(u16);

impl Level {
    /// Single call: the right tool with the right arguments.
    pub const L1: Self = Self(0);
    /// Tool selection: the right tool among several.
    pub const L2: Self = Self(1);
    /// Sequential calls: each call needs the result of the previous call.
    pub const L3: Self = Self(2);
    /// Parallel calls over several sources.
    pub const L4: Self = Self(3);
    /// Error handling: an injected failure and its fallbacks.
    pub const L5: Self = Self(4);
    /// Efficient reuse of data that the conversation already contains.
    pub const L6: Self = Self(5);
    /// Long context: facts from earlier turns of the conversation.
    pub const L7: Self = Self(6);

    /// The seven levels of Ko-AgentBench in order.
    pub const ALL: [Level; 7] = [Level::L1, Level::L2, Level::L3, Level::L4, Level::L5, Level::L6, Level::L7];

    /// The group with this name, of any benchmark. A new name is registered.
    ///
    /// # Errors
    /// When the name is not valid, or there are too many groups.
    pub fn group(name: &str) -> Result<Self, BadGroup> {
        if let Some(level) = Self::find(name) {
            return Ok(level);
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            return Err(BadGroup::Name(name.chars().take(80).collect()));
        }
        let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = names.places.get(name) {
            return Ok(Self(*place));
        }
        let place = u16::try_from(SEVEN.len() + names.list.len()).unwrap_or(u16::MAX);
        if names.list.len() >= MAX_GROUPS {
            return Err(BadGroup::TooMany);
        }
        let static_name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        names.list.push(static_name);
        names.places.insert(static_name, place);
        Ok(Self(place))
    }

    /// [`Level::group`] for benchmarks other than Ko-AgentBench, which must not use the names of
    /// its seven levels.
    ///
    /// # Errors
    /// The errors of [`Level::group`], and an error for the names of the seven levels.
    pub fn of_another_benchmark(name: &str) -> Result<Self, BadGroup> {
        if SEVEN.contains(&name) { Err(BadGroup::Taken(name.to_owned())) } else { Self::group(name) }
    }

    /// The group with this name, if a pack or a file has already used the name. A new name is not
    /// registered.
    pub fn find(name: &str) -> Option<Self> {
        if let Some(place) = SEVEN.iter().position(|level| *level == name) {
            return Some(Self::ALL[place]);
        }
        let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
        names.places.get(name).map(|place| Self(*place))
    }

    /// Runs `read`, which parses a request. Group names in a request are only looked up and never
    /// registered, since requests could otherwise fill the list of names.
    pub fn in_request<T>(read: impl FnOnce() -> T) -> T {
        struct Before(bool);
        impl Drop for Before {
            fn drop(&mut self) {
                IS_REQUEST.set(self.0);
            }
        }
        let _before = Before(IS_REQUEST.replace(true));
        read()
    }

    /// Position among the seven levels of Ko-AgentBench, from 0; `None` for a group of another
    /// benchmark.
    pub fn place(self) -> Option<usize> {
        Some(usize::from(self.0)).filter(|place| *place < SEVEN.len())
    }

    /// The digit after the `L`, 1 to 7; `None` for a group of another benchmark.
    pub fn number(self) -> Option<u8> {
        self.place().and_then(|place| u8::try_from(place + 1).ok())
    }

    /// Seed for random numbers, the same in every process: the position among the seven levels, or
    /// FNV-1a of the name.
    pub fn seed(self) -> u64 {
        let name_hash = || {
            let bytes = self.as_str().bytes();
            bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
        };
        self.place().map_or_else(name_hash, |place| place as u64)
    }

    /// Name of the group: `L1` … `L7`, or the name of another benchmark's group.
    pub fn as_str(self) -> &'static str {
        let place = usize::from(self.0);
        if let Some(name) = SEVEN.get(place) {
            return name;
        }
        let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
        names.list.get(place - SEVEN.len()).copied().unwrap_or_default()
    }

    /// Path of the level's log in a run's folder.
    ///
    /// Logs of Ko-AgentBench are next to the journal, as published. Logs of other benchmarks are in
    /// a subfolder, where a group's name cannot collide with another file.
    pub fn log_file(self) -> String {
        match self.place() {
            Some(_) => format!("{self}.json"),
            // Not every disk takes colons.
            None => format!("{GROUPS}/{}.json", self.as_str().replace(':', "%3A")),
        }
    }

    /// Whether a task of this level is a conversation of several turns instead of one instruction.
    pub fn is_multi_turn(self) -> bool {
        matches!(self, Level::L6 | Level::L7)
    }
}

/// Orders the seven levels first, then other groups by name.
impl Ord for Level {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.place(), other.place()) {
            (Some(one), Some(other)) => one.cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.as_str().cmp(other.as_str()),
        }
    }
}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
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
        if IS_REQUEST.get() {
            return Level::find(text).ok_or_else(|| E::custom(UnknownGroup(text.chars().take(80).collect())));
        }
        Level::group(text).map_err(E::custom)
    }
}

/// Text that is not the name of a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("`{0}` is not a level; levels are L1 to L7")]
pub struct UnknownLevel(pub String);

/// Text that is not the name of a known group.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error(
    "`{0}` is not a group of an installed pack; `koab pack show PACK` lists the groups of a pack, and the groups of Ko-AgentBench are L1 to L7"
)]
pub struct UnknownGroup(pub String);

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
    /// There are too many groups already.
    #[error("too many different groups are named; no benchmark has that many")]
    TooMany,
}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Parses `L3`, `l3` or `3`, like `--levels` of the original evaluator. Names of other
    /// benchmarks' groups are errors.
    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let trimmed = text.trim();
        let digit = trimmed.strip_prefix(['L', 'l']).unwrap_or(trimmed);
        match digit.parse::<usize>() {
            Ok(n @ 1..=7) => Ok(Level::ALL[n - 1]),
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
        assert_eq!(several.map(Level::as_str), ["L1", "L2", "L7", "L0", "L10", "b"]);
        for bad in ["", "a b", "../x", "가", &"a".repeat(65)] {
            assert!(Level::group(bad).is_err(), "{bad}");
        }
        assert_eq!(("live_simple".parse::<Level>().is_err(), "l4".parse()), (true, Ok(Level::L4)));
        assert_eq!((Level::L2.seed(), Level::L2.number()), (1, Some(2)));
        assert_eq!(group("a").seed(), 0xaf63_dc4c_8601_ec8c, "FNV-1a of the published test vectors");
    }

    #[test]
    fn a_request_names_no_group_that_nobody_knows() {
        let asked = |name: &str| Level::in_request(|| serde_json::from_str::<Level>(&format!("{name:?}")));
        for round in 0..3 * MAX_GROUPS {
            let name = format!("asked_{round}");
            assert!(asked(&name).is_err() && Level::find(&name).is_none(), "{name}");
        }
        let known = Level::group("asked_for_after_all").expect("there is room");
        assert_eq!((asked("asked_for_after_all").ok(), asked("L3").ok()), (Some(known), Some(Level::L3)));
        let told = asked("asked_0").expect_err("nobody knows it").to_string();
        assert!(told.starts_with("`asked_0` is not a group of an installed pack; "), "{told}");
        assert!(serde_json::from_str::<Level>(r#""read_from_a_file""#).is_ok(), "only within requests");
    }

    #[test]
    fn another_benchmark_has_no_group_that_is_named_like_a_level() {
        let of = |name| Level::of_another_benchmark(name).map_err(|error| error.to_string());
        assert_eq!(of("L10").map(Level::as_str), Ok("L10"));
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
