//! A server on lines of standard streams.

use crate::lines::{self, Line};
use crate::message;
use crate::server::{Reply, Server};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use std::io;
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt as _, BufReader, DuplexStream};

/// Bytes of a line at most.
pub const LINE: usize = 64 << 20;
/// Bytes that are read of standard input at once.
const PIECE: usize = 1 << 16;

/// Answers until the input ends, and then whatever was still asked. Calls are begun in the order in which they came and answered at
/// once; who takes longer is answered later.
///
/// # Errors
/// When a stream breaks.
pub async fn serve(
    server: &Server,
    input: &mut (impl AsyncBufRead + Unpin),
    output: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    let mut answers = FuturesUnordered::new();
    let mut open = true;
    // Kept over the turns of the loop: a line that came halfway must not be lost.
    let mut line = Box::pin(lines::next(input, LINE));
    while open || !answers.is_empty() {
        let taken = tokio::select! {
            Some(reply) = answers.next(), if !answers.is_empty() => {
                tell(output, reply).await?;
                continue;
            }
            taken = &mut line, if open => taken?,
        };
        drop(line);
        match taken {
            None => open = false,
            Some(Line::Text(text)) => answers.push(async move { server.take(&text).await }),
            Some(Line::TooLong) => {
                let why = format!("the message is longer than {} MiB", LINE >> 20);
                let error = message::error(message::INVALID_REQUEST, &why);
                tell(output, Reply::Broken(message::refusal(None, &error))).await?;
            }
        }
        line = Box::pin(lines::next(input, LINE));
    }
    Ok(())
}

async fn tell(output: &mut (impl AsyncWrite + Unpin), reply: Reply) -> io::Result<()> {
    let (Reply::Answer(mut text) | Reply::Broken(mut text)) = reply else {
        return Ok(());
    };
    text.push('\n');
    output.write_all(text.as_bytes()).await?;
    output.flush().await
}

/// This process's own streams. Nothing else may write to standard output then: every line there is a message.
///
/// Standard input is read by a thread of its own: a read that waits for a line cannot be taken back, and the runtime would wait for
/// it at its end.
pub fn streams() -> (BufReader<DuplexStream>, tokio::io::Stdout) {
    let (near, mut far) = tokio::io::duplex(PIECE);
    let runtime = tokio::runtime::Handle::current();
    std::thread::spawn(move || {
        let mut piece = vec![0; PIECE];
        while let Ok(read @ 1..) = io::Read::read(&mut io::stdin(), &mut piece) {
            if runtime.block_on(far.write_all(&piece[..read])).is_err() {
                break;
            }
        }
    });
    (BufReader::new(near), tokio::io::stdout())
}
