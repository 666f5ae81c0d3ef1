//! An answer on its way to the caller while it comes.
//!
//! Nothing is told before the model's first piece, so that what fails until then is an error with a
//! status. The end is told when the call is written down. Whoever hears slowly costs memory for one
//! answer.

use super::forms::{Label, Route, StreamWriter, nothing};
use super::request::AnswerFormat;
use koab_engine::ports::Listener;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The model's side. The caller's ends when all of its clones are gone.
#[derive(Clone)]
pub(super) struct StreamSender {
    pieces: UnboundedSender<String>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Fields that stay here, as far as they are known when the answer begins.
    left_out: OnceLock<Vec<String>>,
    writer: Mutex<Option<Box<dyn StreamWriter>>>,
}

/// The caller's side.
pub(super) struct StreamReceiver {
    pieces: UnboundedReceiver<String>,
    state: Arc<State>,
}

/// Both sides of one answer.
pub(super) fn stream() -> (StreamSender, StreamReceiver) {
    let (send, receive) = unbounded_channel();
    let state = Arc::<State>::default();
    let stream = StreamSender { pieces: send, state: Arc::clone(&state) };
    (stream, StreamReceiver { pieces: receive, state })
}

impl StreamSender {
    /// Who tells the pieces of an answer to this request as they come.
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
            let told = match &mut *writer {
                Some(writer) => writer.text(piece),
                none => {
                    stream.state.left_out.get_or_init(|| left_out.clone());
                    let (begin, mut new) = route.tell(&empty, format);
                    let told = begin + &new.text(piece);
                    *none = Some(new);
                    told
                }
            };
            // Who left is told to the call in another way.
            let _ = stream.pieces.send(told);
        })
    }

    /// Tells the end, where there was a beginning: of the whole answer, or of an error.
    pub(super) fn end(&self, status: u16, body: &Value) {
        if let Some(mut writer) = self.writer().take() {
            let told = match status {
                200 => writer.finish(body),
                _ => writer.broken(body),
            };
            let _ = self.pieces.send(told);
        }
    }

    fn writer(&self) -> MutexGuard<'_, Option<Box<dyn StreamWriter>>> {
        self.state.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamReceiver {
    /// The first piece with the fields that stay here. `None` when the call ended without one.
    pub(super) async fn first(&mut self) -> Option<(String, Vec<String>)> {
        let first = self.pieces.recv().await?;
        let left_out = self.state.left_out.get().cloned().unwrap_or_default();
        Some((first, left_out))
    }

    /// The pieces.
    pub(super) fn into_pieces(self) -> UnboundedReceiver<String> {
        self.pieces
    }
}
