//! Speed of a download over the last seconds.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Age above which a sample no longer counts for the speed.
const WINDOW: Duration = Duration::from_secs(5);

/// Minimum time between two samples.
const STEP: Duration = Duration::from_millis(250);

/// Samples of the number of received bytes.
#[derive(Default)]
pub(super) struct Meter {
    samples: VecDeque<(Instant, u64)>,
}

impl Meter {
    /// Records the current number of received bytes.
    pub(super) fn note(&mut self, bytes: u64) {
        self.note_at(Instant::now(), bytes);
    }

    fn note_at(&mut self, now: Instant, bytes: u64) {
        match self.samples.back() {
            // If a file is begun again, the number falls, and earlier samples become meaningless.
            Some((_, before)) if *before > bytes => self.samples.clear(),
            Some((last, _)) if now.duration_since(*last) < STEP => return,
            _ => {}
        }
        self.samples.push_back((now, bytes));
        while self.samples.front().is_some_and(|(at, _)| now.duration_since(*at) > WINDOW) {
            self.samples.pop_front();
        }
    }

    /// Bytes per second; `None` until there are two samples to compare.
    pub(super) fn speed(&self) -> Option<f64> {
        self.speed_at(Instant::now())
    }

    fn speed_at(&self, now: Instant) -> Option<f64> {
        let (from, first) = *self.samples.front()?;
        let (_, last) = *self.samples.back()?;
        // The time runs until now, not until the last sample, so the speed of a hanging connection
        // falls.
        let took = now.duration_since(from);
        (took >= STEP * 2).then(|| (last - first) as f64 / took.as_secs_f64())
    }
}

#[cfg(test)]
mod tests;
