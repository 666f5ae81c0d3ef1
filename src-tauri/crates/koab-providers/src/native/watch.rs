//! Observes every event before `genai` parses it: the size of the answer, whether the prompt was
//! refused, and the content at the start of a Messages block, which `genai` ignores.
//!
//! `genai` joins the pieces of an event itself and limits neither an endless event nor the text of
//! an error (`docs/design/providers.md`). The joined bytes are counted here.

use crate::http::{BODY_BYTES, LINE_BYTES, LimitExceeded, is_roomy};
use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Notify;

/// Observations about one answer. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch(Arc<WatchState>);

#[derive(Debug, Default)]
struct WatchState {
    withheld: AtomicBool,
    bytes: AtomicUsize,
    more: OnceLock<LimitExceeded>,
    exceeded: Notify,
    starts: Mutex<Starts>,
}

/// Content that came in the event that opens a content block (`content_block_start`), instead of in
/// later events.
#[derive(Debug, Default)]
struct Starts {
    /// Texts that [`Watch::take_texts`] has not returned yet.
    texts: Vec<String>,
    /// Ids of tool calls, each with the arguments from the event that opens its block.
    inputs: Vec<(String, Value)>,
}

impl Watch {
    /// Whether the provider withheld its answer because of the prompt. `genai` reports that as an
    /// error without a reason, so it is read from the event itself.
    pub(super) fn is_withheld(&self) -> bool {
        self.0.withheld.load(Ordering::Relaxed)
    }

    /// Whether there was no event at all, as when a server answers in one piece although a stream
    /// was requested.
    pub(super) fn saw_nothing(&self) -> bool {
        self.0.bytes.load(Ordering::Relaxed) == 0
    }

    /// The size limit that the answer exceeds, if any.
    pub(super) fn too_much(&self) -> Option<LimitExceeded> {
        self.0.more.get().copied()
    }

    /// Waits until [`Watch::too_much`] has a value, which may be long before `genai` returns
    /// anything.
    pub(super) async fn changed(&self) {
        self.0.exceeded.notified().await;
    }

    /// Takes the texts that came in opening events since the last call of this method.
    pub(super) fn take_texts(&self) -> Vec<String> {
        std::mem::take(&mut self.starts().texts)
    }

    /// Takes the arguments that came in the opening event of the tool call with this id, if any.
    pub(super) fn take_input(&self, id: &str) -> Option<Value> {
        let mut starts = self.starts();
        let at = starts.inputs.iter().position(|(of, _)| of == id)?;
        Some(starts.inputs.remove(at).1)
    }

    fn starts(&self) -> MutexGuard<'_, Starts> {
        self.0.starts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn block_started(&self, event: &str) {
        let event: Value = serde_json::from_str(event).unwrap_or_default();
        let block = &event["content_block"];
        match (&block["text"], &block["input"]) {
            (Value::String(text), _) if !text.is_empty() => self.starts().texts.push(text.clone()),
            (_, Value::Object(input)) if !input.is_empty() => {
                let id = block["id"].as_str().unwrap_or_default().to_owned();
                self.starts().inputs.push((id, Value::Object(input.clone())));
            }
            _ => {}
        }
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
            self.0.exceeded.notify_one();
            return;
        }
        // Most events are not parsed a second time.
        if frame.data.contains("content_block_start") {
            self.block_started(frame.data);
        }
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
        assert_eq!(counted, [Ok(()), Ok(()), Ok(()), Ok(()), Err(LimitExceeded::Body)]);
    }
}
