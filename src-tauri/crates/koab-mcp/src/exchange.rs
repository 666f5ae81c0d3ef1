//! Exchanges lines in both directions, where neither direction waits for the other. A server on
//! standard streams, the bridge and the recorder between client and server share this code.

use crate::lines::{Line, Lines};
use crate::message;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use std::io;
use std::pin::Pin;
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt as _};
use tokio_util::sync::CancellationToken;

/// Maximum bytes of a line.
pub const LINE: usize = 64 << 20;
/// Maximum bytes of output that wait for their reader. Above it, the handler is not called for
/// further lines.
const MAX_WAITING_BYTES: usize = 1 << 20;

/// Handler of the lines of an exchange.
pub trait LineHandler {
    /// Takes a line of the input.
    fn take(&mut self, line: Line);

    /// Whether the handler can take a line now. Checked again after each [`LineHandler::next`].
    fn takes(&self) -> bool {
        true
    }

    /// Tells the handler that the input has ended.
    fn closed(&mut self) {}

    /// Whether the handler has lines that are not ready yet. If it has none after the end of the
    /// input, the exchange ends.
    fn waits(&self) -> bool;

    /// Waits for the next lines of the output; `None` ends the exchange. The future is dropped when
    /// a line of the input arrives, and the method is called again afterwards.
    fn next(&mut self) -> impl Future<Output = Option<Vec<String>>> + Send;
}

/// Error of one of the two streams of an exchange.
#[derive(Debug)]
pub enum StreamError {
    /// Error of the input.
    Input(io::Error),
    /// Error of the output.
    Output(io::Error),
}

impl From<StreamError> for io::Error {
    fn from(broken: StreamError) -> Self {
        let (StreamError::Input(error) | StreamError::Output(error)) = broken;
        error
    }
}

/// Lines that are not written yet.
#[derive(Default)]
struct Outgoing {
    bytes: Vec<u8>,
    written: usize,
    /// Whether written bytes may still be in a buffer of the output.
    flush: bool,
}

impl Outgoing {
    fn add(&mut self, texts: &[String]) {
        // Written bytes are removed once they exceed the maximum of waiting bytes.
        if self.written == self.bytes.len() {
            (self.bytes, self.written) = (Vec::new(), 0);
        } else if self.written >= MAX_WAITING_BYTES {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
        for text in texts {
            self.bytes.extend_from_slice(text.as_bytes());
            self.bytes.push(b'\n');
        }
    }

    fn waiting(&self) -> usize {
        self.bytes.len() - self.written
    }

    fn is_done(&self) -> bool {
        self.waiting() == 0 && !self.flush
    }

    /// Writes a part of the bytes, or flushes the output if all are written. Dropping the future
    /// neither loses bytes nor writes them twice.
    async fn write(&mut self, output: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        if self.waiting() == 0 {
            output.flush().await?;
            self.flush = false;
            return Ok(());
        }
        match output.write(&self.bytes[self.written..]).await? {
            0 => Err(io::ErrorKind::WriteZero.into()),
            length => {
                self.written += length;
                self.flush = true;
                Ok(())
            }
        }
    }
}

/// Exchanges lines until the input has ended and no more lines are expected, or until `stop`.
///
/// A slow reader of the output blocks neither the input nor `stop`.
///
/// # Errors
/// When a stream breaks.
pub async fn exchange(
    behind: &mut (impl LineHandler + Send),
    input: &mut (impl AsyncBufRead + Unpin),
    output: &mut (impl AsyncWrite + Unpin),
    stop: &CancellationToken,
) -> Result<(), StreamError> {
    let mut lines = Lines::new(input, LINE);
    let mut outgoing = Outgoing::default();
    let mut open = true;
    let mut over = false;
    while !over && (open || behind.waits()) || !outgoing.is_done() {
        let asks = !over && behind.waits() && outgoing.waiting() < MAX_WAITING_BYTES;
        let reads = !over && open && behind.takes();
        // The branches have no order: a server that writes without pause must not keep the client's
        // lines from being read.
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            outcome = outgoing.write(output), if !outgoing.is_done() => outcome.map_err(StreamError::Output)?,
            texts = behind.next(), if asks => match texts {
                Some(texts) => outgoing.add(&texts),
                None => over = true,
            },
            line = lines.next(), if reads => match line.map_err(StreamError::Input)? {
                Some(line) => behind.take(line),
                None => {
                    open = false;
                    behind.closed();
                }
            },
        }
    }
    Ok(())
}

/// Writes lines and flushes the output.
///
/// # Errors
/// When the stream breaks.
pub async fn tell(output: &mut (impl AsyncWrite + Unpin), texts: &[String]) -> io::Result<()> {
    for text in texts {
        output.write_all(text.as_bytes()).await?;
        output.write_all(b"\n").await?;
    }
    if texts.is_empty() { Ok(()) } else { output.flush().await }
}

/// Answer to a line that was too long.
pub(crate) fn too_long() -> String {
    let why = format!("the message is longer than {} MiB", LINE >> 20);
    message::refusal(None, &message::error(message::INVALID_REQUEST, &why))
}

/// A future with the output lines that answer one input line.
pub(crate) type Answer<'a> = Pin<Box<dyn Future<Output = Vec<String>> + Send + 'a>>;

/// A handler that starts the answer to each line at once, and returns each answer when it is ready.
pub(crate) struct PendingAnswers<'a> {
    answer: Box<dyn FnMut(Line) -> Answer<'a> + Send + 'a>,
    under_way: FuturesUnordered<Answer<'a>>,
}

impl<'a> PendingAnswers<'a> {
    pub(crate) fn new(answer: impl FnMut(Line) -> Answer<'a> + Send + 'a) -> Self {
        Self { answer: Box::new(answer), under_way: FuturesUnordered::new() }
    }
}

impl LineHandler for PendingAnswers<'_> {
    fn take(&mut self, line: Line) {
        self.under_way.push((self.answer)(line));
    }

    fn waits(&self) -> bool {
        !self.under_way.is_empty()
    }

    async fn next(&mut self) -> Option<Vec<String>> {
        self.under_way.next().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt as _, BufReader};

    /// Answers each line with one that is long.
    fn long() -> PendingAnswers<'static> {
        PendingAnswers::new(|_| Box::pin(async { vec!["x".repeat(3 << 20)] }))
    }

    const SOON: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn a_client_that_does_not_read_holds_up_neither_its_own_lines_nor_the_end() {
        let (mut client, ours) = tokio::io::duplex(1 << 10);
        let (input, mut output) = tokio::io::split(ours);
        let stop = CancellationToken::new();
        let writes = async {
            // Much more than the pipe holds, and nothing is read meanwhile.
            for _ in 0..100 {
                client.write_all(&[b'a'; 999]).await.expect("taken");
                client.write_all(b"\n").await.expect("taken");
            }
            stop.cancel();
            client
        };
        let (mut behind, mut input) = (long(), BufReader::new(input));
        let both = async { tokio::join!(exchange(&mut behind, &mut input, &mut output, &stop), writes) };
        let (ended, _client) = tokio::time::timeout(SOON, both).await.expect("no deadlock");
        assert!(ended.is_ok());
    }

    #[tokio::test]
    async fn what_waits_to_be_written_is_written_whole_and_in_order() {
        let (mut client, mut ours) = tokio::io::duplex(1 << 10);
        let stop = CancellationToken::new();
        let mut behind = PendingAnswers::new(|line| {
            Box::pin(async move {
                match line {
                    Line::Text(text) => vec![String::from_utf8(text).unwrap_or_default().repeat(5000)],
                    Line::TooLong => Vec::new(),
                }
            })
        });
        let exchanged = async {
            let ended = exchange(&mut behind, &mut b"a\nb\nc".as_slice(), &mut ours, &stop).await;
            drop(ours);
            ended
        };
        let mut text = String::new();
        let (ended, _) = tokio::join!(exchanged, client.read_to_string(&mut text));
        assert!(ended.is_ok());
        let mut lines: Vec<_> = text.lines().map(|line| (line.len(), &line[..1])).collect();
        lines.sort_unstable();
        assert_eq!(lines, [(5000, "a"), (5000, "b"), (5000, "c")]);
    }
}
