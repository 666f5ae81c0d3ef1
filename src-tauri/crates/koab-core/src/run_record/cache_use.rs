//! Numbers of tool calls for each source of their answer.

use crate::event::AnswerSource;
use serde::{Deserialize, Serialize};

/// Numbers of a run's tool calls for each source of their answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CacheUse {
    /// Calls that a cached response answered.
    pub hit: u32,
    /// Calls without a cached response.
    pub miss: u32,
    /// Calls that met an injected failure.
    pub injected: u32,
    /// Faulty calls that never reached the cache.
    pub refused: u32,
    /// Calls without a cached response that the live API answered, including its failures.
    #[serde(default)]
    pub live: u32,
    /// Calls without a cached response that a saved response in the user's overlay answered.
    #[serde(default)]
    pub overlay: u32,
}

impl CacheUse {
    /// Adds the counts of other attempts.
    pub fn add(&mut self, more: &Self) {
        self.hit += more.hit;
        self.miss += more.miss;
        self.injected += more.injected;
        self.refused += more.refused;
        self.live += more.live;
        self.overlay += more.overlay;
    }

    /// Removes the counts of an attempt that was counted.
    pub fn remove(&mut self, less: &Self) {
        self.hit -= less.hit;
        self.miss -= less.miss;
        self.injected -= less.injected;
        self.refused -= less.refused;
        self.live -= less.live;
        self.overlay -= less.overlay;
    }

    /// Counts one answer.
    pub fn count(&mut self, source: AnswerSource) {
        match source {
            AnswerSource::Hit => self.hit += 1,
            AnswerSource::Miss => self.miss += 1,
            AnswerSource::Injected => self.injected += 1,
            AnswerSource::Refused => self.refused += 1,
            AnswerSource::Live => self.live += 1,
            AnswerSource::Overlay => self.overlay += 1,
        }
    }
}
