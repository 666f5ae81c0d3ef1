//! Decodes an answer while it is generated.

use super::Tokenizer;

/// Replacement for bytes that are not (yet) text.
const UNKNOWN: char = '\u{FFFD}';

/// Maximum number of tokens that wait for the end of a character. A character has four bytes, but a
/// token may end one and begin the next.
const MAX_PENDING_TOKENS: usize = 64;

/// Decoder that returns only complete text. A character whose bytes are in several tokens is
/// returned with the last of these tokens.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    tokenizer: &'a Tokenizer,
    /// Bytes of an unfinished character. Used for a tokenizer whose tokens are bytes.
    bytes: Vec<u8>,
    /// Tokens whose text is not complete yet, after some tokens that are already decoded. Used for
    /// a tokenizer whose tokens are texts.
    ///
    /// The decoded tokens are needed because a tokenizer may write the first word of a text
    /// differently.
    window: Vec<u32>,
    /// Number of tokens of the window that are decoded.
    decoded: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(tokenizer: &'a Tokenizer) -> Self {
        Self { tokenizer, bytes: Vec::new(), window: Vec::new(), decoded: 0 }
    }

    /// Takes the next token and returns the text that it completes, which may be empty or more than
    /// one character.
    pub fn push(&mut self, token: u32) -> String {
        if let Tokenizer::Gguf(vocabulary) = self.tokenizer {
            self.bytes.extend(vocabulary.piece(token));
            return complete(&mut self.bytes);
        }
        self.window.push(token);
        let text = self.pending_text();
        if text.ends_with(UNKNOWN) && self.window.len() - self.decoded < MAX_PENDING_TOKENS {
            return String::new();
        }
        if !text.is_empty() {
            self.window.drain(..self.decoded);
            self.decoded = self.window.len();
        }
        text
    }

    /// The remaining text, after the last token.
    #[must_use]
    pub fn finish(self) -> String {
        match self.tokenizer {
            Tokenizer::Gguf(_) => String::from_utf8_lossy(&self.bytes).into_owned(),
            Tokenizer::Repository(_) => self.pending_text(),
        }
    }

    fn pending_text(&self) -> String {
        let before = self.tokenizer.decode(&self.window[..self.decoded]);
        let all = self.tokenizer.decode(&self.window);
        all.strip_prefix(&before).unwrap_or(&all).to_owned()
    }
}

/// Removes the complete text from the bytes and returns it. The beginning of an unfinished
/// character remains.
fn complete(bytes: &mut Vec<u8>) -> String {
    let mut text = String::new();
    let mut rest = bytes.as_slice();
    loop {
        match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                rest = &[];
                break;
            }
            Err(error) => {
                let (valid, after) = rest.split_at(error.valid_up_to());
                text.push_str(&String::from_utf8_lossy(valid));
                let Some(wrong) = error.error_len() else {
                    rest = after;
                    break;
                };
                text.push(UNKNOWN);
                rest = &after[wrong..];
            }
        }
    }
    *bytes = rest.to_vec();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_syllable_is_kept() {
        let mut bytes = "가나".as_bytes()[..5].to_vec();
        assert_eq!(complete(&mut bytes), "가");
        bytes.extend(&"나".as_bytes()[2..]);
        assert_eq!(complete(&mut bytes), "나");
        assert!(bytes.is_empty());
    }

    #[test]
    fn what_is_no_text_is_told_as_such() {
        let mut bytes = vec![b'a', 0xFF, b'b', 0xEA];
        assert_eq!(complete(&mut bytes), "a\u{FFFD}b");
        assert_eq!(bytes, [0xEA]);
    }
}
