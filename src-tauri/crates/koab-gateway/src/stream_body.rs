//! Response body whose pieces are sent as they come.

use hyper::body::{Body, Bytes, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::DropGuard;

/// Streamed body. It is dropped when the caller disconnects; the call is then cancelled.
pub(super) struct StreamBody {
    first: Option<String>,
    rest: UnboundedReceiver<String>,
    _leaves: DropGuard,
}

impl StreamBody {
    pub(super) fn new(first: String, rest: UnboundedReceiver<String>, leaves: DropGuard) -> Self {
        Self { first: Some(first), rest, _leaves: leaves }
    }
}

impl Body for StreamBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = |piece: String| Ok(Frame::data(Bytes::from(piece)));
        match self.first.take() {
            Some(first) => Poll::Ready(Some(frame(first))),
            None => self.rest.poll_recv(context).map(|piece| piece.map(frame)),
        }
    }
}
