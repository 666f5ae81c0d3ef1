//! The time of an agent's attempt, which stands still while a model call waits or the run is held.

use std::time::Duration;
use tokio::time::Instant;

pub(super) struct Clock {
    limit: Duration,
    /// Time taken until the clock last stood still.
    taken: Duration,
    /// Of it, what earlier turns took, each of which has the whole limit.
    before: Duration,
    /// Since when it goes; `None` while it stands still.
    since: Option<Instant>,
    waiting: u32,
}

impl Clock {
    pub(super) fn start(limit: Duration) -> Self {
        Self { limit, taken: Duration::ZERO, before: Duration::ZERO, since: Some(Instant::now()), waiting: 0 }
    }

    /// One more call waits.
    pub(super) fn stop(&mut self) {
        self.waiting += 1;
        if let Some(since) = self.since.take() {
            self.taken += since.elapsed();
        }
    }

    /// One call fewer waits.
    pub(super) fn resume(&mut self) {
        self.waiting = self.waiting.saturating_sub(1);
        if self.waiting == 0 && self.since.is_none() {
            self.since = Some(Instant::now());
        }
    }

    /// Time that the agent took so far.
    pub(super) fn taken(&self) -> Duration {
        self.taken + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The user's next turn has the whole limit again.
    pub(super) fn renew(&mut self) {
        self.before = self.taken();
    }

    /// When its time is up, as far as can be said now.
    pub(super) fn at(&self) -> Instant {
        let left = self.limit.saturating_sub(self.taken() - self.before);
        Instant::now() + left.min(Duration::from_secs(30 * 24 * 3600))
    }

    /// Returns when the time is up; never while it stands still.
    pub(super) async fn up(&self) {
        match self.since {
            Some(_) => tokio::time::sleep_until(self.at()).await,
            None => std::future::pending().await,
        }
    }
}
