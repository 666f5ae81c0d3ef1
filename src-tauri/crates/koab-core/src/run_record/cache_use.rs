//! How tool calls were answered, counted.

use crate::event::AnswerSource;
use serde::{Deserialize, Serialize};

/// How the tool calls of a run were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CacheUse {
    /// Cached responses found.
    pub hit: u32,
    /// Not found.
    pub miss: u32,
    /// Injected failures.
    pub injected: u32,
    /// Faulty calls that never reached the cache.
    pub refused: u32,
    /// Not recorded, so that the live API was asked; failures of it included.
    #[serde(default)]
    pub live: u32,
    /// Not recorded, but kept in the user's overlay since the live API was asked.
    #[serde(default)]
    pub overlay: u32,
}

impl CacheUse {
    /// Counts what other attempts came to.
    pub fn add(&mut self, more: &Self) {
        self.hit += more.hit;
        self.miss += more.miss;
        self.injected += more.injected;
        self.refused += more.refused;
        self.live += more.live;
        self.overlay += more.overlay;
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
