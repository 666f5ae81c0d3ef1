//! Lines of a stream, none longer than a limit.

use std::io;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its end.
    Text(Vec<u8>),
    /// It went on beyond the limit, and was read over.
    TooLong,
}

/// The next line that is not empty; `None` at the end. Not safe to be dropped halfway: what was read is lost then.
///
/// # Errors
/// When the stream breaks.
pub async fn next(input: &mut (impl AsyncBufRead + Unpin), most: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let there = input.fill_buf().await?;
        if there.is_empty() {
            if too_long {
                return Ok(Some(Line::TooLong));
            }
            trim(&mut line);
            return Ok((!line.is_empty()).then_some(Line::Text(line)));
        }
        let end = there.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(there.len());
        if line.len() + taken > most {
            too_long = true;
            line = Vec::new();
        } else if !too_long {
            line.extend_from_slice(&there[..taken]);
        }
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            if too_long {
                return Ok(Some(Line::TooLong));
            }
            trim(&mut line);
            if !line.is_empty() {
                return Ok(Some(Line::Text(line)));
            }
        }
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
        let mut input = tokio::io::BufReader::with_capacity(4, text.as_bytes());
        let mut lines = Vec::new();
        while let Some(line) = next(&mut input, 13).await.expect("memory does not break") {
            lines.push(match line {
                Line::Text(text) => String::from_utf8(text).expect("text"),
                Line::TooLong => "…".to_owned(),
            });
        }
        assert_eq!(lines, ["one", "0123456789", "01234567890", "last"]);
        let mut input = tokio::io::BufReader::with_capacity(4, text.as_bytes());
        let mut long = 0;
        while let Some(line) = next(&mut input, 4).await.expect("memory does not break") {
            long += usize::from(line == Line::TooLong);
        }
        assert_eq!(long, 2);
    }
}
