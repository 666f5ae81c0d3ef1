//! How often the judge contradicts itself, as people and machines read it.

use super::JudgeFlips;
use super::options::LEAST_ASKED;
use koab_core::sentence::Sentence;
use koab_core::{say, shown};
use serde::{Deserialize, Serialize};

/// How often the judge said otherwise when it was asked the same again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedFlips {
    /// Answers that were judged twice.
    pub asked: u32,
    /// Of these judged differently.
    pub differed: u32,
    /// The share of these.
    pub share: f64,
    /// The ends of its 95 % interval.
    pub interval: [f64; 2],
    /// Whether the gate asked; if not, it was told.
    pub measured: bool,
    /// Whether the answers were enough for the test to allow for it.
    pub undone: bool,
}

impl NamedFlips {
    /// The figures of counts.
    pub fn new(flips: JudgeFlips, measured: bool) -> Self {
        Self {
            asked: flips.asked,
            differed: flips.differed,
            share: flips.share(),
            interval: flips.interval(),
            measured,
            undone: flips.asked >= LEAST_ASKED,
        }
    }

    /// The counts with the share and its interval.
    pub(super) fn counts(&self) -> String {
        let [low, high] = self.interval;
        let share = shown::score(Some(self.share));
        format!("{}/{}: {share} {}", self.differed, self.asked, shown::ends(low, high))
    }

    /// In words.
    pub(super) fn sentence(&self) -> Sentence {
        let percent = |share: f64| format!("{} %", shown::fixed(100.0 * share, 1));
        let Self { asked, differed, .. } = *self;
        let share = percent(self.share);
        let [low, high] = self.interval.map(percent);
        if self.undone {
            return say!(
                "asked again, the judge said otherwise about {differed} of {asked} answers ({share}, 95 % interval {low} to {high}); the test allows for it"
            );
        }
        say!(
            "asked again, the judge said otherwise about {differed} of {asked} answers ({share}, 95 % interval {low} to {high}); at least {LEAST_ASKED} are needed for the test to allow for it"
        )
    }

    /// The figures for a machine that reads a `JUnit` file.
    pub(super) fn properties(&self) -> [(&'static str, String); 5] {
        let [low, high] = self.interval;
        [
            ("judge.asked_again", self.asked.to_string()),
            ("judge.said_otherwise", self.differed.to_string()),
            ("judge.flip_rate", self.share.to_string()),
            ("judge.flip_rate.low", low.to_string()),
            ("judge.flip_rate.high", high.to_string()),
        ]
    }
}
