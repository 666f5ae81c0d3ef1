//! How fast bytes come, over the last seconds.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What counts as now.
const WINDOW: Duration = Duration::from_secs(5);

/// The distance of two samples.
const STEP: Duration = Duration::from_millis(250);

/// Samples of how many bytes there were when.
#[derive(Default)]
pub(super) struct Meter {
    samples: VecDeque<(Instant, u64)>,
}

impl Meter {
    /// Takes down how many bytes there are now.
    pub(super) fn note(&mut self, bytes: u64) {
        self.note_at(Instant::now(), bytes);
    }

    fn note_at(&mut self, now: Instant, bytes: u64) {
        match self.samples.back() {
            // A file that is begun again takes bytes away: what was before says nothing any more.
            Some((_, before)) if *before > bytes => self.samples.clear(),
            Some((last, _)) if now.duration_since(*last) < STEP => return,
            _ => {}
        }
        self.samples.push_back((now, bytes));
        while self.samples.front().is_some_and(|(at, _)| now.duration_since(*at) > WINDOW) {
            self.samples.pop_front();
        }
    }

    /// Bytes a second; `None` before there is anything to compare.
    pub(super) fn speed(&self) -> Option<f64> {
        self.speed_at(Instant::now())
    }

    fn speed_at(&self, now: Instant) -> Option<f64> {
        let (from, first) = *self.samples.front()?;
        let (_, last) = *self.samples.back()?;
        // Up to now and not to the last sample: a connection that hangs gets slower, as it should.
        let took = now.duration_since(from);
        (took >= STEP * 2).then(|| (last - first) as f64 / took.as_secs_f64())
    }
}

#[cfg(test)]
mod tests;
