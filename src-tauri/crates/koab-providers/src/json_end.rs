//! Finds the end of a JSON value that a model writes, while it arrives.
//!
//! A model's text need not be valid JSON. Its brackets show whether it is complete, even if a comma
//! is wrong. Each byte is counted once, however many pieces there are.

/// Scanner state of a JSON object, list or text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JsonEnd {
    /// Number of open brackets.
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// Last byte that is not a blank.
    last: Option<u8>,
    /// Whether the outermost value is closed, with nothing after it.
    is_complete: bool,
}

impl JsonEnd {
    /// State after a whole text.
    pub(crate) fn of(text: &str) -> Self {
        let mut end = Self::default();
        end.push(text);
        end
    }

    /// Number of bytes of the object at the beginning of a text; `None` if it does not end.
    pub(crate) fn length(text: &str) -> Option<usize> {
        let mut end = Self::default();
        let last = text.bytes().position(|byte| {
            end.push_byte(byte);
            end.is_complete
        });
        last.map(|last| last + 1)
    }

    /// Adds the next piece.
    pub(crate) fn push(&mut self, more: &str) {
        more.bytes().for_each(|byte| self.push_byte(byte));
    }

    fn push_byte(&mut self, byte: u8) {
        if !self.in_text && byte.is_ascii_whitespace() {
            return;
        }
        let is_first = self.last.is_none();
        self.last = Some(byte);
        self.is_complete = false;
        if self.in_text {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.in_text = false;
                    self.is_complete = self.depth == 0;
                }
                _ => {}
            }
            return;
        }
        match byte {
            b'"' if is_first || self.depth > 0 => self.in_text = true,
            b'{' | b'[' if is_first || self.depth > 0 => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                self.is_complete = self.depth == 0;
            }
            _ => {}
        }
    }

    /// Whether the text is a complete value with brackets or quotes around it.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether the JSON text so far may be followed by an object, or continue with one inside a
    /// string.
    pub(crate) fn may_hold_object(&self) -> bool {
        self.in_text || matches!(self.last, None | Some(b':' | b'[' | b','))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_where_the_outermost_bracket_is_closed() {
        for (text, is_complete) in [
            ("", false),
            ("{}", true),
            (" { } ", true),
            (r#"{"a": "}"#, false),
            (r#"{"a": "}"}"#, true),
            (r#"{"a": "\"}"#, false),
            (r#"{"a": "\\"}"#, true),
            (r#"{"a": [1, {"b": 2}]}"#, true),
            (r#"{"a": [1, {"b": 2}]"#, false),
            ("{not json}", true),
            (r#""text""#, true),
            (r#""te"#, false),
            ("12", false),
            ("none", false),
            ("say {}", false),
            ("{} {}", false),
        ] {
            let mut in_pieces = JsonEnd::default();
            text.chars().for_each(|c| in_pieces.push(c.encode_utf8(&mut [0; 4])));
            assert_eq!(JsonEnd::of(text).is_complete(), is_complete, "{text}");
            assert_eq!(in_pieces.is_complete(), is_complete, "{text}, letter by letter");
        }
    }
}
