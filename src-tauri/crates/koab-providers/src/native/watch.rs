//! Sees every event before `genai` reads it: how much there is of an answer, and whether the prompt was refused.
//!
//! `genai` joins the pieces of an event by itself and has no limit for one that does not end, nor for the text of an error
//! (`docs/design/providers.md`). What it joined is counted here.

use crate::http::{BODY_BYTES, LINE_BYTES, LimitExceeded, is_roomy};
use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::sync::Notify;

/// What is known of one answer; clones know the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch(Arc<WatchState>);

#[derive(Debug, Default)]
struct WatchState {
    withheld: AtomicBool,
    bytes: AtomicUsize,
    more: OnceLock<LimitExceeded>,
    told: Notify,
}

impl Watch {
    /// Whether the provider withheld its answer because of the prompt. `genai` makes that an error that names no reason, so it
    /// is read from the event itself.
    pub(super) fn is_withheld(&self) -> bool {
        self.0.withheld.load(Ordering::Relaxed)
    }

    /// What more of the answer came than is taken in.
    pub(super) fn too_much(&self) -> Option<LimitExceeded> {
        self.0.more.get().copied()
    }

    /// Comes when [`Watch::too_much`] has something to say, which may be long before `genai` says anything.
    pub(super) async fn changed(&self) {
        self.0.told.notified().await;
    }

    fn count(&self, event: &str) -> Result<(), LimitExceeded> {
        let so_far = self.0.bytes.fetch_add(event.len(), Ordering::Relaxed) + event.len();
        if event.len() > LINE_BYTES {
            return Err(LimitExceeded::Line);
        }
        if so_far > BODY_BYTES {
            return Err(LimitExceeded::Body);
        }
        is_roomy(event.as_bytes())
    }
}

impl ChatFrameSink for Watch {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        if let Err(more) = self.count(frame.data) {
            let _ = self.0.more.set(more);
            self.0.told.notify_one();
            return;
        }
        // Most events are not parsed a second time.
        let blocked = frame.data.contains("blockReason")
            && serde_json::from_str::<Value>(frame.data)
                .is_ok_and(|event| event.pointer("/promptFeedback/blockReason").is_some());
        if blocked {
            self.0.withheld.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_counted_one_by_one_and_together() {
        let watch = Watch::default();
        let event = "x".repeat(LINE_BYTES);
        assert_eq!(watch.count(&format!("{event}x")), Err(LimitExceeded::Line));
        let watch = Watch::default();
        let counted: Vec<_> = (0..5).map(|_| watch.count(&event)).collect();
        assert_eq!(
            counted,
            [Ok(()), Ok(()), Ok(()), Ok(()), Err(LimitExceeded::Body)]
        );
    }
}
