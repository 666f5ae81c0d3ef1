//! A thing in the trash: its kind, its key, and how long it stays.

use crate::error::Error;
use crate::report_files::is_name;
use koab_core::run_name::is_refused;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// Number of days before a deleted thing is removed for good.
pub const TRASH_DAYS: u64 = 30;
pub(crate) const TRASH_SECONDS: u64 = TRASH_DAYS * 24 * 60 * 60;
/// Separator between an id and the time of its deletion.
pub(crate) const DELETED: char = '~';
/// Fewest digits of a time, so that other endings of old names are not taken for one.
const MIN_TIME_DIGITS: usize = 9;

/// Kind of a deleted thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum TrashKind {
    /// A run with its logs.
    Run,
    /// A report.
    Report,
    /// A fork of an attempt.
    Fork,
    /// A pack with its responses and earlier versions.
    Pack,
}

impl TrashKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Run, Self::Report, Self::Fork, Self::Pack];

    /// Name of the kind's folder in the trash.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Run => "runs",
            Self::Report => "reports",
            Self::Fork => "forks",
            Self::Pack => "packs",
        }
    }

    /// Whether this can be the id of a thing of this kind, so that no path leads elsewhere.
    pub(crate) fn accepts(self, id: &str) -> bool {
        let name = |text: &str| is_name(text) && !text.starts_with('.') && !text.contains(is_refused);
        match self {
            Self::Run => id.split_once('/').is_some_and(|(model, date)| name(model) && name(date)),
            Self::Report => is_name(id),
            Self::Fork | Self::Pack => name(id),
        }
    }
}

/// A deleted thing in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trashed {
    /// Kind of the thing.
    pub kind: TrashKind,
    /// Name in the trash, which differs between things of one kind.
    pub key: String,
    /// Id that the thing had.
    pub id: String,
    /// Name that people gave it: that of a fork, or the title of a pack.
    pub name: Option<String>,
    /// Id of its model, if it has one and can be read.
    pub model: Option<String>,
    /// Address of the model, if it is stored.
    pub address: Option<String>,
    /// Time of the deletion in seconds since 1970. Earlier versions did not write it.
    pub deleted: Option<u64>,
    /// Size in bytes.
    pub bytes: u64,
}

impl Trashed {
    /// Whether it has been in the trash for more than 30 days. A later deletion removes it.
    pub fn is_overdue(&self) -> bool {
        self.deleted.is_some_and(|deleted| deleted < now().saturating_sub(TRASH_SECONDS))
    }
}

/// Outcome of a deletion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Deleted {
    /// Name in the trash.
    pub key: String,
    /// Things that are older than 30 days and could not be removed, one sentence each.
    pub unremoved: Vec<Sentence>,
}

/// Outcome of emptying the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Emptied {
    /// Number of things that were removed for good.
    pub removed: u32,
    /// Things that could not be removed, one sentence each.
    pub unremoved: Vec<Sentence>,
}

/// Splits a key into the id and the time of the deletion. A `+` follows the time for each further
/// deletion in the same second.
pub(crate) fn split(key: &str) -> (&str, Option<u64>) {
    let dated = key.rsplit_once(DELETED).and_then(|(id, time)| {
        let time = time.trim_end_matches('+');
        let is_time = time.len() >= MIN_TIME_DIGITS && time.bytes().all(|byte| byte.is_ascii_digit());
        is_time.then(|| time.parse().ok().map(|time| (id, Some(time))))?
    });
    dated.unwrap_or((key, None))
}

/// Error for something that is not in the trash.
pub(crate) fn absent(id: &str) -> Error {
    Error::NotFound(say!("the trash has no `{id}`; `koab trash list` lists what it has"))
}

/// Error for something whose name is taken again.
pub(crate) fn name_taken(id: &str) -> Error {
    Error::BadFile(say!("there is another `{id}` by now; delete it first"))
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
