//! The clock of an agent's attempt, which is stopped while a model call waits or the run is paused.

use std::time::Duration;
use tokio::time::Instant;

pub(super) struct Clock {
    limit: Duration,
    /// Time measured until the clock was last stopped.
    taken: Duration,
    /// Part of `taken` that belongs to earlier turns of the user. Each turn has the whole limit.
    before: Duration,
    /// Time of the last start of the clock; `None` while it is stopped.
    since: Option<Instant>,
    waiting: u32,
}

impl Clock {
    pub(super) fn start(limit: Duration) -> Self {
        Self { limit, taken: Duration::ZERO, before: Duration::ZERO, since: Some(Instant::now()), waiting: 0 }
    }

    /// Stops the clock because one more call waits.
    pub(super) fn stop(&mut self) {
        self.waiting += 1;
        if let Some(since) = self.since.take() {
            self.taken += since.elapsed();
        }
    }

    /// Ends the wait of a call; the clock runs again once no call waits.
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

    /// Begins the time limit again, for the user's next turn.
    pub(super) fn renew(&mut self) {
        self.before = self.taken();
    }

    /// Time at which the limit is reached if the clock is not stopped before.
    pub(super) fn at(&self) -> Instant {
        let remaining = self.limit.saturating_sub(self.taken() - self.before);
        Instant::now() + remaining.min(Duration::from_secs(30 * 24 * 3600))
    }

    /// Completes when the time limit is reached; never while the clock is stopped.
    pub(super) async fn up(&self) {
        match self.since {
            Some(_) => tokio::time::sleep_until(self.at()).await,
            None => std::future::pending().await,
        }
    }
}
