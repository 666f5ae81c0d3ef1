//! Large answers wait for each other, so that many at once take no more memory than one.
//!
//! An ordinary answer has a few KiB and never waits. There is one slot each for large bodies, large
//! events and documents with many values. The holder of a body or an event may wait for the slot
//! for values, but the holder of the slot for values waits for no other slot, so no deadlock
//! occurs.
//!
//! The slots bound the memory of the process, so all clients of all workspaces share them.

use crate::http::limits::{BODY_BYTES, LimitExceeded, values_in};
use tokio::sync::{Mutex, MutexGuard, Semaphore, SemaphorePermit};

/// Maximum bytes of a small body or stream event. Small ones never wait for a slot.
const SMALL_BYTES: usize = 1 << 20;

/// Maximum number of values of a small JSON document. Small documents never wait for a slot.
const FEW_VALUES: usize = 5_000;

/// The only buffer for large bodies. It is reused, since allocators return freed memory late.
static LARGE: Mutex<Vec<u8>> = Mutex::const_new(Vec::new());
static EVENTS: Semaphore = Semaphore::const_new(1);
static CROWDED: Semaphore = Semaphore::const_new(1);

/// A body while it is read. A large body holds [`LARGE`] until it is dropped.
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
        if bytes > SMALL_BYTES && self.large.is_none() {
            let mut large = LARGE.lock().await;
            large.clear();
            // Reserved memory that is not written to takes no physical memory.
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

/// Slot for a large event. Dropping the value releases the slot.
#[derive(Debug, Default)]
pub(crate) struct Turn(Option<SemaphorePermit<'static>>);

impl Turn {
    /// Waits for the slot if `bytes` is large, and releases the slot if `bytes` is small.
    pub(crate) async fn at(&mut self, bytes: usize) {
        if bytes <= SMALL_BYTES {
            self.0 = None;
        } else if self.0.is_none() {
            // The semaphore is never closed.
            self.0 = EVENTS.acquire().await.ok();
        }
    }
}

/// Checks the number of values in a JSON text, and waits for the slot if there are many.
///
/// # Errors
/// When there are too many values, or a text is too long.
pub(crate) async fn turn_of_values(json: &[u8]) -> Result<Turn, LimitExceeded> {
    let values = values_in(json)?;
    if values <= FEW_VALUES {
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
        first.at(SMALL_BYTES + 1).await;
        first.at(SMALL_BYTES + 2).await;
        second.at(SMALL_BYTES).await;
        assert_eq!(second.at(SMALL_BYTES + 1).now_or_never(), None);
        // Its large event has been read, and the next one is small.
        first.at(10).await;
        second.at(SMALL_BYTES + 1).await;
        assert_eq!(first.at(SMALL_BYTES + 1).now_or_never(), None);
        drop(second);
        first.at(SMALL_BYTES + 1).await;
    }

    #[tokio::test]
    async fn large_bodies_come_one_after_the_other_in_one_place() {
        let small = vec![1; SMALL_BYTES];
        let (mut first, mut second) = (Body::default(), Body::default());
        for body in [&mut first, &mut second] {
            body.push(&small).await.expect("room");
        }
        first.push(b"a").await.expect("room");
        assert_eq!(second.push(b"b").now_or_never(), None);
        assert_eq!(first.bytes().last(), Some(&b'a'));
        drop(first);
        second.push(b"b").await.expect("room");
        assert_eq!(second.bytes().len(), SMALL_BYTES + 1);
        let rest = vec![0; BODY_BYTES - SMALL_BYTES];
        assert_eq!(second.push(&rest).await, Err(LimitExceeded::Body));
        assert_eq!(second.into_vec().last(), Some(&b'b'));
    }

    #[tokio::test]
    async fn crowded_documents_wait_for_each_other() {
        let crowd = "[0,".repeat(FEW_VALUES);
        let first = turn_of_values(crowd.as_bytes()).await.expect("room");
        assert!(turn_of_values(b"[1,2]").now_or_never().is_some());
        assert!(turn_of_values(crowd.as_bytes()).now_or_never().is_none());
        drop(first);
        assert!(turn_of_values(crowd.as_bytes()).now_or_never().is_some());
    }
}
