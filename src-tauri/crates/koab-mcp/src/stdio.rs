//! A server on lines of standard streams.

use crate::exchange::{PendingAnswers, exchange, too_long};
use crate::lines::Line;
use crate::server::{Reply, Server};
use std::io;
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio_util::sync::CancellationToken;

/// Bytes per read of standard input.
const PIECE_BYTES: usize = 1 << 16;

/// Answers messages until the input ends and all requests are answered. Calls are started in the
/// order of the input, and each is answered when it is finished.
///
/// # Errors
/// When a stream breaks.
pub async fn serve(
    server: &Server,
    input: &mut (impl AsyncBufRead + Unpin),
    output: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    let mut answering = PendingAnswers::new(|line| {
        Box::pin(async move {
            let reply = match line {
                Line::Text(text) => server.take(&text).await,
                Line::TooLong => Reply::Invalid(too_long()),
            };
            match reply {
                Reply::Answer(text) | Reply::Invalid(text) => vec![text],
                Reply::Nothing => Vec::new(),
            }
        })
    });
    let no_end = CancellationToken::new();
    Ok(exchange(&mut answering, input, output, &no_end).await?)
}

/// Standard input and output of this process. After the call, no other code may write to standard
/// output, because every line there is a message.
///
/// A separate thread reads standard input: a pending read cannot be cancelled, and the runtime
/// would wait for it at its end.
pub fn streams() -> (BufReader<DuplexStream>, tokio::io::Stdout) {
    let (near, mut far) = tokio::io::duplex(PIECE_BYTES);
    let runtime = tokio::runtime::Handle::current();
    std::thread::spawn(move || {
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            let read = match io::Read::read(&mut io::stdin(), &mut piece) {
                // A signal is not the end of the input.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
                Ok(read) => read,
            };
            if runtime.block_on(far.write_all(&piece[..read])).is_err() {
                break;
            }
        }
    });
    (BufReader::new(near), tokio::io::stdout())
}
