//! An answer as text while it is generated.

use super::Tokenizer;

/// What stands for bytes that are not text (yet).
const UNKNOWN: char = '\u{FFFD}';

/// Tokens that are waited for a character's end at most. A character has four bytes, but a token
/// may end one and begin the next.
const LONGEST: usize = 64;

/// Gives the text that is complete: a syllable whose bytes are in several tokens comes with the
/// last of them.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    tokenizer: &'a Tokenizer,
    /// Bytes of an unfinished character, where the tokenizer tells bytes.
    bytes: Vec<u8>,
    /// Where it tells text only: tokens whose text is not wholly told, after some that are, because
    /// the first word of a text may be written otherwise.
    window: Vec<u32>,
    /// Of the window, the tokens that are told.
    told: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(tokenizer: &'a Tokenizer) -> Self {
        Self { tokenizer, bytes: Vec::new(), window: Vec::new(), told: 0 }
    }

    /// Takes the next token; gives the text that it completes, often none or more than one
    /// character.
    pub fn push(&mut self, token: u32) -> String {
        if let Tokenizer::Gguf(vocabulary) = self.tokenizer {
            self.bytes.extend(vocabulary.piece(token));
            return complete(&mut self.bytes);
        }
        self.window.push(token);
        let text = self.pending_text();
        if text.ends_with(UNKNOWN) && self.window.len() - self.told < LONGEST {
            return String::new();
        }
        if !text.is_empty() {
            self.window.drain(..self.told);
            self.told = self.window.len();
        }
        text
    }

    /// The rest, when no more tokens come.
    #[must_use]
    pub fn finish(self) -> String {
        match self.tokenizer {
            Tokenizer::Gguf(_) => String::from_utf8_lossy(&self.bytes).into_owned(),
            Tokenizer::Repository(_) => self.pending_text(),
        }
    }

    fn pending_text(&self) -> String {
        let before = self.tokenizer.decode(&self.window[..self.told]);
        let all = self.tokenizer.decode(&self.window);
        all.strip_prefix(&before).unwrap_or(&all).to_owned()
    }
}

/// Takes what is complete out of the bytes: all but the beginning of a character at their end.
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
