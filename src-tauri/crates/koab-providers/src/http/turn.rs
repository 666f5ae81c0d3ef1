//! Large answers take turns, so that many at once take no more memory than one of them.
//!
//! An honest answer has a few KiB and waits for nobody. There is one turn for bodies, one for
//! events and one for values; whoever waits for the last may have another, and nobody does so the
//! other way round.

use crate::http::limits::{BODY_BYTES, LimitExceeded, values_in};
use tokio::sync::{Mutex, MutexGuard, Semaphore, SemaphorePermit};

/// Bytes of a body, or of an event of a stream, that need no turn.
const SMALL: usize = 1 << 20;

/// Values of a JSON document that need no turn.
const FEW: usize = 5_000;

/// The one place for large bodies. It is used again, since allocators keep for a while what was
/// given back to them.
static LARGE: Mutex<Vec<u8>> = Mutex::const_new(Vec::new());
static EVENTS: Semaphore = Semaphore::const_new(1);
static CROWDED: Semaphore = Semaphore::const_new(1);

/// A body as it comes; a large one in its turn, which ends with this.
#[derive(Debug, Default)]
pub(crate) struct Body {
    small: Vec<u8>,
    large: Option<MutexGuard<'static, Vec<u8>>>,
}

impl Body {
    /// Appends a piece.
    ///
    /// # Errors
    /// When the whole becomes too long.
    pub(crate) async fn push(&mut self, piece: &[u8]) -> Result<(), LimitExceeded> {
        let bytes = self.bytes().len() + piece.len();
        if bytes > BODY_BYTES {
            return Err(LimitExceeded::Body);
        }
        if bytes > SMALL && self.large.is_none() {
            let mut large = LARGE.lock().await;
            large.clear();
            // Room that is not written to takes no memory.
            large.reserve_exact(BODY_BYTES);
            large.append(&mut self.small);
            self.large = Some(large);
        }
        match &mut self.large {
            Some(large) => large.extend_from_slice(piece),
            None => self.small.extend_from_slice(piece),
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.large.as_deref().unwrap_or(&self.small)
    }

    pub(crate) fn into_vec(self) -> Vec<u8> {
        match self.large {
            Some(large) => large.clone(),
            None => self.small,
        }
    }
}

/// One event's place among the large ones. It ends with this.
#[derive(Debug, Default)]
pub(crate) struct Turn(Option<SemaphorePermit<'static>>);

impl Turn {
    /// Waits for it once there are many bytes, and ends it once there are few.
    pub(crate) async fn at(&mut self, bytes: usize) {
        if bytes <= SMALL {
            self.0 = None;
        } else if self.0.is_none() {
            // Nobody ever closes it.
            self.0 = EVENTS.acquire().await.ok();
        }
    }
}

/// Whether a JSON text has no more values than are taken in; with many, when it is its turn to be
/// read.
///
/// # Errors
/// When it has more, or a text in it is too long.
pub(crate) async fn turn_of_values(json: &[u8]) -> Result<Turn, LimitExceeded> {
    let values = values_in(json)?;
    if values <= FEW {
        return Ok(Turn(None));
    }
    Ok(Turn(CROWDED.acquire().await.ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[tokio::test]
    async fn large_events_wait_for_each_other_and_small_ones_for_nobody() {
        let (mut first, mut second) = (Turn::default(), Turn::default());
        first.at(SMALL + 1).await;
        first.at(SMALL + 2).await;
        second.at(SMALL).await;
        assert_eq!(second.at(SMALL + 1).now_or_never(), None);
        // Its large event has been read, and the next one is small.
        first.at(10).await;
        second.at(SMALL + 1).await;
        assert_eq!(first.at(SMALL + 1).now_or_never(), None);
        drop(second);
        first.at(SMALL + 1).await;
    }

    #[tokio::test]
    async fn large_bodies_come_one_after_the_other_in_one_place() {
        let small = vec![1; SMALL];
        let (mut first, mut second) = (Body::default(), Body::default());
        for body in [&mut first, &mut second] {
            body.push(&small).await.expect("room");
        }
        first.push(b"a").await.expect("room");
        assert_eq!(second.push(b"b").now_or_never(), None);
        assert_eq!(first.bytes().last(), Some(&b'a'));
        drop(first);
        second.push(b"b").await.expect("room");
        assert_eq!(second.bytes().len(), SMALL + 1);
        let rest = vec![0; BODY_BYTES - SMALL];
        assert_eq!(second.push(&rest).await, Err(LimitExceeded::Body));
        assert_eq!(second.into_vec().last(), Some(&b'b'));
    }

    #[tokio::test]
    async fn crowded_documents_wait_for_each_other() {
        let crowd = "[0,".repeat(FEW);
        let first = turn_of_values(crowd.as_bytes()).await.expect("room");
        assert!(turn_of_values(b"[1,2]").now_or_never().is_some());
        assert!(turn_of_values(crowd.as_bytes()).now_or_never().is_none());
        drop(first);
        assert!(turn_of_values(crowd.as_bytes()).now_or_never().is_some());
    }
}
