//! Python's `json.loads`.

use super::halves::of_half;
use super::value::{Int, PyValue};
use indexmap::IndexMap;

/// Maximum nesting depth. It is about that of Python's parser and does not overflow the stack.
const MAX_DEPTH: usize = 900;

/// Error for a text that Python's JSON parser refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotJson;

/// Parses a text as Python's `json.loads` does.
///
/// `NaN` and the infinities are numbers. Of a duplicate key the last value counts, at the position
/// of the first. Integers have any size. Control characters in texts are errors.
///
/// # Errors
/// When Python refuses the text.
pub fn loads(text: &str) -> Result<PyValue, NotJson> {
    let mut reader = Reader { text, at: 0 };
    reader.blanks();
    let value = reader.value(MAX_DEPTH)?;
    reader.blanks();
    if reader.at == text.len() { Ok(value) } else { Err(NotJson) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, word: &str) -> bool {
        let matches = self.rest().starts_with(word);
        if matches {
            self.at += word.len();
        }
        matches
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<PyValue, NotJson> {
        match self.peek().ok_or(NotJson)? {
            b'"' => self.string().map(PyValue::Text),
            b'{' => self.dict(depth.checked_sub(1).ok_or(NotJson)?),
            b'[' => self.list(depth.checked_sub(1).ok_or(NotJson)?),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<PyValue, NotJson> {
        let words = [
            ("null", PyValue::None),
            ("true", PyValue::Bool(true)),
            ("false", PyValue::Bool(false)),
            ("NaN", PyValue::Float(f64::NAN)),
            ("Infinity", PyValue::Float(f64::INFINITY)),
        ];
        let word = words.into_iter().find(|(word, _)| self.take(word));
        word.map(|(_, value)| value).ok_or(NotJson)
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Result<PyValue, NotJson> {
        let start = self.at;
        let negative = self.take("-");
        if negative && self.take("Infinity") {
            return Ok(PyValue::Float(f64::NEG_INFINITY));
        }
        let digits = self.at;
        if !self.take("0") && self.digits() == 0 {
            return Err(NotJson);
        }
        let whole = self.at;
        // A point or an exponent without digits is not consumed, so that the caller refuses it.
        if self.take(".") && self.digits() == 0 {
            self.at = whole;
        }
        let before = self.at;
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            if self.digits() == 0 {
                self.at = before;
            }
        }
        if self.at == whole {
            return Ok(PyValue::Int(Int::of_digits(negative, &self.text[digits..whole])));
        }
        let float = self.text[start..self.at].parse();
        float.map(PyValue::Float).map_err(|_| NotJson)
    }

    fn list(&mut self, depth: usize) -> Result<PyValue, NotJson> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.take("]") {
            return Ok(PyValue::List(items));
        }
        loop {
            self.blanks();
            items.push(self.value(depth)?);
            self.blanks();
            if self.take("]") {
                return Ok(PyValue::List(items));
            }
            if !self.take(",") {
                return Err(NotJson);
            }
        }
    }

    fn dict(&mut self, depth: usize) -> Result<PyValue, NotJson> {
        self.at += 1;
        let mut entries = IndexMap::new();
        self.blanks();
        if self.take("}") {
            return Ok(PyValue::Dict(entries));
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(NotJson);
            }
            let key = self.string()?;
            self.blanks();
            if !self.take(":") {
                return Err(NotJson);
            }
            self.blanks();
            let value = self.value(depth)?;
            entries.insert(key, value);
            self.blanks();
            if self.take("}") {
                return Ok(PyValue::Dict(entries));
            }
            if !self.take(",") {
                return Err(NotJson);
            }
        }
    }

    fn string(&mut self) -> Result<String, NotJson> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let plain = self.rest();
            let end = plain.find(|c: char| c == '"' || c == '\\' || c < ' ').ok_or(NotJson)?;
            out.push_str(&plain[..end]);
            self.at += end;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escaped()?);
                }
                _ => return Err(NotJson),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, NotJson> {
        let escape = self.peek().ok_or(NotJson)?;
        self.at += 1;
        Ok(match escape {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unit(),
            _ => return Err(NotJson),
        })
    }

    /// Reads the code of a `\u` escape, or the two codes of a surrogate pair.
    fn unit(&mut self) -> Result<char, NotJson> {
        let high = self.code()?;
        let mut code = high;
        if (0xd800..0xdc00).contains(&high) {
            let before = self.at;
            if self.take("\\u") {
                match self.code() {
                    Ok(low) if (0xdc00..0xe000).contains(&low) => {
                        code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    }
                    _ => self.at = before,
                }
            }
        }
        Ok(char::from_u32(code).or_else(|| of_half(code)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn code(&mut self) -> Result<u32, NotJson> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(NotJson)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotJson);
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| NotJson)
    }
}

#[cfg(test)]
mod tests;
