//! Calls that come when their attempt is over: refused like any unknown token, and counted.

use std::collections::{BTreeMap, VecDeque};

/// Attempts that are kept in mind; who calls later than that is a stranger.
const MOST: usize = 1_000;

/// Attempts that are over.
#[derive(Default)]
pub(super) struct EndedAttempts {
    /// The hash of the token and the attempt's name, the oldest first.
    over: VecDeque<(String, String)>,
    calls: BTreeMap<String, u32>,
}

impl EndedAttempts {
    /// An attempt is over.
    pub(super) fn add(&mut self, hash: String, name: String) {
        if self.over.len() == MOST {
            self.over.pop_front();
        }
        self.over.push_back((hash, name));
    }

    /// Somebody calls with a token that is not good.
    pub(super) fn called(&mut self, hash: &str) {
        if let Some((_, name)) = self.over.iter().find(|(over, _)| over == hash) {
            *self.calls.entry(name.clone()).or_default() += 1;
        }
    }

    /// Calls by the attempt whose token they had.
    pub(super) fn calls(&self) -> BTreeMap<String, u32> {
        self.calls.clone()
    }
}
