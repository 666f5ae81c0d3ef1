//! Lines come in, lines go out, and neither waits for the other: what a server on standard streams, the bridge and a recorder between
//! client and server have in common.

use crate::lines::{Line, Lines};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use std::io;
use std::pin::Pin;
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt as _};

/// Bytes of a line at most.
pub const LINE: usize = 64 << 20;

/// What stands behind the lines.
pub trait Behind {
    /// Takes a line that came in.
    fn take(&mut self, line: Line);

    /// No line will come any more.
    fn closed(&mut self) {}

    /// Whether lines may still go out.
    fn waits(&self) -> bool;

    /// The lines that go out next; nothing where it is all over. Dropped halfway when a line comes in, and asked again then.
    fn next(&mut self) -> impl Future<Output = Option<Vec<String>>> + Send;
}

/// Which stream broke.
#[derive(Debug)]
pub enum Broken {
    /// The one that is read.
    Input(io::Error),
    /// The one that is written.
    Output(io::Error),
}

impl From<Broken> for io::Error {
    fn from(broken: Broken) -> Self {
        let (Broken::Input(error) | Broken::Output(error)) = broken;
        error
    }
}

/// Hands lines to and fro until none will come and none is waited for.
///
/// # Errors
/// When a stream breaks.
pub async fn exchange(
    behind: &mut (impl Behind + Send),
    input: &mut (impl AsyncBufRead + Unpin),
    output: &mut (impl AsyncWrite + Unpin),
) -> Result<(), Broken> {
    let mut lines = Lines::new(input, LINE);
    let mut open = true;
    while open || behind.waits() {
        tokio::select! {
            biased;
            texts = behind.next(), if behind.waits() => match texts {
                Some(texts) => tell(output, &texts).await.map_err(Broken::Output)?,
                None => return Ok(()),
            },
            line = lines.next(), if open => match line.map_err(Broken::Input)? {
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

/// Writes lines.
///
/// # Errors
/// When the stream breaks.
pub async fn tell(output: &mut (impl AsyncWrite + Unpin), texts: &[String]) -> io::Result<()> {
    for text in texts {
        output.write_all(text.as_bytes()).await?;
        output.write_all(b"\n").await?;
    }
    match texts.is_empty() {
        true => Ok(()),
        false => output.flush().await,
    }
}

/// The lines that come of one.
pub(crate) type Answer<'a> = Pin<Box<dyn Future<Output = Vec<String>> + Send + 'a>>;

/// Answers to lines, each begun when its line comes and given when it is there.
pub(crate) struct Answering<'a> {
    answer: Box<dyn FnMut(Line) -> Answer<'a> + Send + 'a>,
    under_way: FuturesUnordered<Answer<'a>>,
}

impl<'a> Answering<'a> {
    pub(crate) fn new(answer: impl FnMut(Line) -> Answer<'a> + Send + 'a) -> Self {
        Self {
            answer: Box::new(answer),
            under_way: FuturesUnordered::new(),
        }
    }
}

impl Behind for Answering<'_> {
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
