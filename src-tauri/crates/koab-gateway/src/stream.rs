//! Streams an answer to the caller while the model writes it.
//!
//! Nothing is sent before the model's first piece, so that an earlier failure is an error with an
//! HTTP status. The end is sent when the call has been recorded. The answer to a slow reader is
//! held in memory.

use super::forms::{Label, Route, StreamWriter, nothing};
use super::request::AnswerFormat;
use koab_engine::ports::Listener;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Sender of an answer's pieces. The receiver gets the end of the answer when all clones of the
/// sender are dropped.
#[derive(Clone)]
pub(super) struct StreamSender {
    pieces: UnboundedSender<String>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Fields of the request that are not forwarded, as known when the answer begins.
    left_out: OnceLock<Vec<String>>,
    writer: Mutex<Option<Box<dyn StreamWriter>>>,
}

/// Receiver of an answer's pieces.
pub(super) struct StreamReceiver {
    pieces: UnboundedReceiver<String>,
    state: Arc<State>,
}

/// Creates the sender and the receiver of one answer.
pub(super) fn stream() -> (StreamSender, StreamReceiver) {
    let (send, receive) = unbounded_channel();
    let state = Arc::<State>::default();
    let stream = StreamSender { pieces: send, state: Arc::clone(&state) };
    (stream, StreamReceiver { pieces: receive, state })
}

impl StreamSender {
    /// Listener for the model's text, which sends each piece to the caller.
    pub(super) fn listener(
        &self,
        (route, label, body): (&Route, &Label, &Value),
        format: AnswerFormat,
        left_out: &[String],
    ) -> Listener {
        let (stream, route) = (self.clone(), route.clone());
        let empty = route.write(&nothing(), label, body);
        let left_out = left_out.to_vec();
        Listener::new(move |piece| {
            let mut writer = stream.writer();
            let events = match &mut *writer {
                Some(writer) => writer.text(piece),
                none => {
                    stream.state.left_out.get_or_init(|| left_out.clone());
                    let (begin, mut new) = route.tell(&empty, format);
                    let events = begin + &new.text(piece);
                    *none = Some(new);
                    events
                }
            };
            // The call learns in another way that the caller has left.
            let _ = stream.pieces.send(events);
        })
    }

    /// Sends the rest of a stream that has begun, with the end of a complete answer or of an error.
    pub(super) fn end(&self, status: u16, body: &Value) {
        if let Some(mut writer) = self.writer().take() {
            let events = match status {
                200 => writer.finish(body),
                _ => writer.broken(body),
            };
            let _ = self.pieces.send(events);
        }
    }

    fn writer(&self) -> MutexGuard<'_, Option<Box<dyn StreamWriter>>> {
        self.state.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamReceiver {
    /// First piece of the answer, and the fields that are not forwarded. `None` when the call ended
    /// without a piece.
    pub(super) async fn first(&mut self) -> Option<(String, Vec<String>)> {
        let first = self.pieces.recv().await?;
        let left_out = self.state.left_out.get().cloned().unwrap_or_default();
        Some((first, left_out))
    }

    /// Receiver of the remaining pieces.
    pub(super) fn into_pieces(self) -> UnboundedReceiver<String> {
        self.pieces
    }
}
