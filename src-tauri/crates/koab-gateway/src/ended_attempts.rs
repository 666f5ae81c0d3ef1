//! Calls that come after the end of their attempt. They are refused like calls with an unknown
//! token, and counted.

use std::collections::{BTreeMap, VecDeque};

/// Maximum number of ended attempts that are remembered. Late calls of older attempts are not
/// counted.
const MAX_ENDED_ATTEMPTS: usize = 1_000;

/// Ended attempts, and their late calls.
#[derive(Default)]
pub(super) struct EndedAttempts {
    /// Hash of the token and name of each attempt, the oldest first.
    over: VecDeque<(String, String)>,
    calls: BTreeMap<String, u32>,
}

impl EndedAttempts {
    /// Remembers an attempt that has ended.
    pub(super) fn add(&mut self, hash: String, name: String) {
        if self.over.len() == MAX_ENDED_ATTEMPTS {
            self.over.pop_front();
        }
        self.over.push_back((hash, name));
    }

    /// Counts a call whose token is not valid, if it belongs to an ended attempt.
    pub(super) fn called(&mut self, hash: &str) {
        if let Some((_, name)) = self.over.iter().find(|(over, _)| over == hash) {
            *self.calls.entry(name.clone()).or_default() += 1;
        }
    }

    /// Number of late calls by attempt.
    pub(super) fn calls(&self) -> BTreeMap<String, u32> {
        self.calls.clone()
    }
}
