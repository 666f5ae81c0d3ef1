//! An answer on its way to the caller while it comes.
//!
//! Nothing is told before the model's first piece, so that what fails until then is an error with a status. The end is told when
//! the call is written down. Whoever hears slowly costs memory for one answer.

use super::forms::{Label, Route, Teller, nothing};
use super::request::Manner;
use koab_engine::ports::Listener;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The model's side. The caller's ends when all of its clones are gone.
#[derive(Clone)]
pub(super) struct Outlet {
    pieces: UnboundedSender<String>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Fields that stay here, as far as they are known when the answer begins.
    left_out: OnceLock<Vec<String>>,
    teller: Mutex<Option<Box<dyn Teller>>>,
}

/// The caller's side.
pub(super) struct Inlet {
    pieces: UnboundedReceiver<String>,
    state: Arc<State>,
}

/// Both sides of one answer.
pub(super) fn outlet() -> (Outlet, Inlet) {
    let (send, receive) = unbounded_channel();
    let state = Arc::<State>::default();
    let outlet = Outlet {
        pieces: send,
        state: Arc::clone(&state),
    };
    (
        outlet,
        Inlet {
            pieces: receive,
            state,
        },
    )
}

impl Outlet {
    /// Who tells the pieces of an answer to this request as they come.
    pub(super) fn listener(
        &self,
        (route, label, body): (&Route, &Label, &Value),
        manner: Manner,
        left_out: &[String],
    ) -> Listener {
        let (outlet, route) = (self.clone(), route.clone());
        let empty = route.write(&nothing(), label, body);
        let left_out = left_out.to_vec();
        Listener::new(move |piece| {
            let mut teller = outlet.teller();
            let told = match &mut *teller {
                Some(teller) => teller.text(piece),
                none => {
                    outlet.state.left_out.get_or_init(|| left_out.clone());
                    let (begin, mut new) = route.tell(&empty, manner);
                    let told = begin + &new.text(piece);
                    *none = Some(new);
                    told
                }
            };
            // Who left is told to the call in another way.
            let _ = outlet.pieces.send(told);
        })
    }

    /// Tells the end, where there was a beginning: of the whole answer, or of an error.
    pub(super) fn end(&self, status: u16, body: &Value) {
        if let Some(mut teller) = self.teller().take() {
            let told = match status {
                200 => teller.finish(body),
                _ => teller.broken(body),
            };
            let _ = self.pieces.send(told);
        }
    }

    fn teller(&self) -> MutexGuard<'_, Option<Box<dyn Teller>>> {
        self.state.teller.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inlet {
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
