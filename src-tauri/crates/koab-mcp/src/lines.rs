//! Reads lines of a stream with a length limit.

use std::io;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// A line of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Text of the line without its line end.
    Text(Vec<u8>),
    /// The line exceeded the limit and was skipped.
    TooLong,
}

/// Reader of the lines of a stream.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    most: usize,
    /// Beginning of a line that is not complete.
    line: Vec<u8>,
    too_long: bool,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// Creates a reader of lines of at most `most` bytes.
    pub fn new(input: R, most: usize) -> Self {
        Self { input, most, line: Vec::new(), too_long: false }
    }

    /// The next line that is not empty; `None` at the end. Dropping the future loses no data.
    ///
    /// # Errors
    /// When the stream breaks.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let buffer = self.input.fill_buf().await?;
            if buffer.is_empty() {
                return Ok(self.whole());
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let length = end.unwrap_or(buffer.len());
            if self.line.len() + length > self.most {
                self.too_long = true;
                self.line = Vec::new();
            } else if !self.too_long {
                self.line.extend_from_slice(&buffer[..length]);
            }
            self.input.consume(length + usize::from(end.is_some()));
            if end.is_some()
                && let Some(line) = self.whole()
            {
                return Ok(Some(line));
            }
        }
    }

    /// The complete line, unless it is empty.
    fn whole(&mut self) -> Option<Line> {
        let mut line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            return Some(Line::TooLong);
        }
        trim(&mut line);
        (!line.is_empty()).then_some(Line::Text(line))
    }
}

fn trim(line: &mut Vec<u8>) {
    let end = line.trim_ascii_end().len();
    line.truncate(end);
    let begin = line.len() - line.trim_ascii_start().len();
    line.drain(..begin);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn long_lines_are_read_over_and_empty_ones_left_out() {
        let text = "one\r\n\n 0123456789 \n01234567890\nlast";
        // A buffer that is smaller than the lines, so that they come in pieces.
        let input = || tokio::io::BufReader::with_capacity(4, text.as_bytes());
        let (mut stream, mut lines) = (Lines::new(input(), 13), Vec::new());
        while let Some(line) = stream.next().await.expect("memory does not break") {
            lines.push(match line {
                Line::Text(text) => String::from_utf8(text).expect("text"),
                Line::TooLong => "…".to_owned(),
            });
        }
        assert_eq!(lines, ["one", "0123456789", "01234567890", "last"]);
        let (mut stream, mut long) = (Lines::new(input(), 4), 0);
        while let Some(line) = stream.next().await.expect("memory does not break") {
            long += usize::from(line == Line::TooLong);
        }
        assert_eq!(long, 2);
    }

    #[tokio::test]
    async fn a_line_that_came_halfway_is_not_lost_with_whoever_waited() {
        let (mut far, near) = tokio::io::duplex(64);
        let mut stream = Lines::new(tokio::io::BufReader::new(near), 13);
        tokio::io::AsyncWriteExt::write_all(&mut far, b"ha").await.expect("written");
        let waited = tokio::select! {
            biased;
            _ = stream.next() => true,
            () = tokio::task::yield_now() => false,
        };
        assert!(!waited);
        tokio::io::AsyncWriteExt::write_all(&mut far, b"lf\n").await.expect("written");
        assert_eq!(stream.next().await.expect("a line"), Some(Line::Text(b"half".to_vec())));
    }
}
