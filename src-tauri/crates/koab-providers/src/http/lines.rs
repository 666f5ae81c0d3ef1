//! Limits the length of lines and events in a stream.

use crate::http::Failure;
use crate::http::limits::{LINE_BYTES, LimitExceeded};
use crate::http::turn::Turn;
use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _, stream};

/// A stream of events that ends with an error if a line or an event of several lines is too long.
pub(crate) fn in_lines(
    pieces: impl Stream<Item = Result<Bytes, Failure>> + Send,
) -> impl Stream<Item = Result<Bytes, Failure>> + Send {
    let state = (Box::pin(pieces), Event::default(), Turn::default());
    stream::try_unfold(state, async |(mut pieces, mut event, mut turn)| {
        // Events that ended in the previous piece have been read by now.
        turn.at(event.bytes).await;
        let Some(piece) = pieces.try_next().await? else {
            return Ok(None);
        };
        let longest = event.extend(&piece)?;
        turn.at(longest).await;
        Ok(Some((piece, (pieces, event, turn))))
    })
}

/// The last event of the stream so far, which may be unfinished.
struct Event {
    bytes: usize,
    /// Last byte of the event.
    last_byte: u8,
}

impl Default for Event {
    fn default() -> Self {
        Event { bytes: 0, last_byte: b'\n' }
    }
}

impl Event {
    /// Adds a piece, and returns the length of the longest event in it so far.
    fn extend(&mut self, piece: &[u8]) -> Result<usize, LimitExceeded> {
        let mut longest = self.bytes;
        for byte in piece {
            let is_end = matches!(byte, b'\n' | b'\r');
            let is_second_half = *byte == b'\n' && self.last_byte == b'\r';
            // A second end of line finishes the event.
            self.bytes = if is_end && !is_second_half && matches!(self.last_byte, b'\n' | b'\r') {
                0
            } else {
                self.bytes + 1
            };
            self.last_byte = *byte;
            longest = longest.max(self.bytes);
        }
        if longest > LINE_BYTES {
            return Err(LimitExceeded::Line);
        }
        Ok(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    /// Repeats these lines in a long stream, and returns the number of bytes that pass before the
    /// limit ends the stream.
    fn through(lines: &str) -> usize {
        // No line is cut at the same place twice in a row.
        const PIECE: usize = 1021;
        let text = Bytes::from(lines.repeat(PIECE));
        let pieces = (0..).map(move |n| {
            let from = n * PIECE % text.len();
            Ok(text.slice(from..text.len().min(from + PIECE)))
        });
        let pieces = stream::iter(pieces.take(LINE_BYTES * 3 / PIECE));
        let mut taken = 0;
        let mut through = std::pin::pin!(in_lines(pieces));
        while let Some(Ok(Some(piece))) = through.try_next().now_or_never() {
            taken += piece.len();
        }
        taken
    }

    #[test]
    fn a_stream_may_be_long_and_none_of_its_lines_and_events() {
        for (lines, ends) in [
            ("data: x\n\n", false),
            ("data: x\r\n\r\n", false),
            ("data: x\r\r", false),
            ("data", true),
            ("data: x\n", true),
            ("data: x\r\n", true),
            ("data: x\r", true),
        ] {
            let taken = through(lines);
            assert_eq!(taken <= LINE_BYTES, ends, "{lines:?}: {taken}");
        }
    }
}
