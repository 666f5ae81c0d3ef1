//! Self-contradiction of the judge, in the form of the gate's texts and files.

use super::JudgeFlips;
use super::options::LEAST_ASKED;
use koab_core::sentence::Sentence;
use koab_core::{say, shown};
use serde::{Deserialize, Serialize};

/// Self-contradiction of the judge when it was asked the same questions again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedFlips {
    /// Number of answers that were judged twice.
    pub asked: u32,
    /// Number of answers in `asked` that were judged differently the second time.
    pub differed: u32,
    /// Share of the answers that were judged differently.
    pub share: f64,
    /// Ends of the share's 95 % interval.
    pub interval: [f64; 2],
    /// Whether the gate measured the self-contradiction. Otherwise the user stated the counts.
    pub measured: bool,
    /// Whether the test corrects for the self-contradiction, because enough answers were judged
    /// twice.
    pub undone: bool,
}

impl NamedFlips {
    /// Computes share and interval from the counts.
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

    /// Counts with their share and its interval, for a table cell.
    pub(super) fn counts(&self) -> String {
        let [low, high] = self.interval;
        let share = shown::score(Some(self.share));
        format!("{}/{}: {share} {}", self.differed, self.asked, shown::ends(low, high))
    }

    /// Counts, share and interval as a sentence.
    pub(super) fn sentence(&self) -> Sentence {
        let percent = |share: f64| format!("{} %", shown::fixed(100.0 * share, 1));
        let Self { asked, differed, .. } = *self;
        let share = percent(self.share);
        let [low, high] = self.interval.map(percent);
        if self.undone {
            return say!(
                "asked again, the judge changed its verdict on {differed} of {asked} answers ({share}, 95 % interval {low} to {high}); the test allows for it"
            );
        }
        say!(
            "asked again, the judge changed its verdict on {differed} of {asked} answers ({share}, 95 % interval {low} to {high}); at least {LEAST_ASKED} are needed for the test to allow for it"
        )
    }

    /// Names and values of the properties in the `JUnit` file.
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
