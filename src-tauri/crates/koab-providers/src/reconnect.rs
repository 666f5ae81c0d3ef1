//! Pauses of downloads after a broken connection, and the end after too many breaks.

use koab_engine::ports::Cancel;
use std::time::Duration;

/// Pauses before each new attempt to connect. Each byte that arrives resets the sequence.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
    Duration::from_secs(15),
];

/// Result of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reconnect {
    /// The download connects again.
    Now,
    /// The download was cancelled.
    Cancelled,
    /// The connection broke too often.
    Never,
}

/// Broken connections of a download since the last byte.
#[derive(Debug, Default)]
pub(crate) struct Reconnects {
    breaks: usize,
}

impl Reconnects {
    /// Pauses after a broken connection. `has_progress` is whether bytes arrived over it.
    pub(crate) async fn pause(&mut self, has_progress: bool, cancel: &Cancel) -> Reconnect {
        if has_progress {
            self.breaks = 0;
        }
        let Some(pause) = PAUSES.get(self.breaks) else {
            return Reconnect::Never;
        };
        self.breaks += 1;
        tokio::select! {
            biased;
            () = cancel.cancelled() => Reconnect::Cancelled,
            () = tokio::time::sleep(*pause) => Reconnect::Now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PAUSES, Reconnect, Reconnects};
    use koab_engine::ports::Cancel;

    #[tokio::test(start_paused = true)]
    async fn bytes_begin_the_pauses_again_and_a_cancel_ends_one() {
        let (mut reconnects, cancel) = (Reconnects::default(), Cancel::new());
        for has_progress in [false, true] {
            for (place, pause) in PAUSES.iter().enumerate() {
                let before = tokio::time::Instant::now();
                assert_eq!(reconnects.pause(has_progress && place == 0, &cancel).await, Reconnect::Now);
                assert_eq!(before.elapsed().as_secs(), pause.as_secs());
            }
            assert_eq!(reconnects.pause(false, &cancel).await, Reconnect::Never);
        }
        cancel.cancel();
        assert_eq!(reconnects.pause(true, &cancel).await, Reconnect::Cancelled);
    }
}
