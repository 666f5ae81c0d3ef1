//! How much of an answer is taken in. What a server sends costs it nothing; what is kept of it costs memory here.
//!
//! A time limit bounds none of this: a gigabyte comes in a second from the same machine.

use crate::http::Failure;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};

/// Bytes of a body that is read whole, and of what is kept of a stream.
pub(crate) const BODY_BYTES: usize = 32 << 20;

/// Bytes of a line of a stream, and of the lines that make one event.
pub(crate) const LINE_BYTES: usize = 8 << 20;

/// Values of one JSON document. Two bytes of text can become a hundred in memory.
const VALUES: usize = 250_000;

/// More than is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TooMuch {
    #[error("it is longer than {} MiB", BODY_BYTES >> 20)]
    Body,
    #[error("a line of its stream is longer than {} MiB", LINE_BYTES >> 20)]
    Line,
    #[error("it holds more than {VALUES} values")]
    Values,
}

impl TooMuch {
    /// The same where an error or its causes are one.
    pub(crate) fn of(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        std::iter::successors(Some(error), |error| error.source())
            .find_map(|error| error.downcast_ref::<Self>().copied())
    }
}

/// Appends a piece of a body, as long as the whole is not too long.
pub(crate) fn append(body: &mut Vec<u8>, piece: &[u8]) -> Result<(), TooMuch> {
    if body.len() + piece.len() > BODY_BYTES {
        return Err(TooMuch::Body);
    }
    body.extend_from_slice(piece);
    Ok(())
}

/// Whether a JSON text has no more values than are taken in: commas and openings outside of strings, counted before anything
/// is made of them.
pub(crate) fn is_roomy(json: &[u8]) -> Result<(), TooMuch> {
    let (mut values, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in json {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b',' | b'[' | b'{') => values += 1,
            _ => {}
        }
    }
    if values > VALUES {
        Err(TooMuch::Values)
    } else {
        Ok(())
    }
}

/// A stream of events, ended with an error where a line or an event of several lines is too long.
pub(crate) fn in_lines(
    pieces: impl Stream<Item = Result<Bytes, Failure>>,
) -> impl Stream<Item = Result<Bytes, Failure>> {
    let mut event = 0;
    let mut ended = b'\n';
    pieces.map(move |piece| {
        let piece = piece?;
        for byte in &piece {
            let is_end = matches!(byte, b'\n' | b'\r');
            let is_second_half = *byte == b'\n' && ended == b'\r';
            // A second end of line makes an event of what came before.
            event = match is_end && !is_second_half && matches!(ended, b'\n' | b'\r') {
                true => 0,
                false => event + 1,
            };
            ended = *byte;
            if event > LINE_BYTES {
                return Err(TooMuch::Line.into());
            }
        }
        Ok(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes of a stream of these lines, again and again, go through.
    fn through(lines: &'static str) -> usize {
        let pieces = futures_util::stream::repeat_with(move || Ok(Bytes::from_static(lines.as_bytes())));
        let most = (LINE_BYTES * 3).div_ceil(lines.len());
        let mut taken = 0;
        let mut stream = std::pin::pin!(in_lines(pieces.take(most)));
        while let Some(Some(Ok(piece))) = futures_util::FutureExt::now_or_never(stream.next()) {
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

    #[test]
    fn values_are_counted_and_text_is_not() {
        let crowded = format!("[{}0]", "0,".repeat(VALUES));
        assert_eq!(is_roomy(crowded.as_bytes()), Err(TooMuch::Values));
        let text = serde_json::json!({ "content": "[{,\"\\".repeat(VALUES) }).to_string();
        assert_eq!(is_roomy(text.as_bytes()), Ok(()));
    }
}
