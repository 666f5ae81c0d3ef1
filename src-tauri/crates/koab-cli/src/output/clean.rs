//! Cleans text from files and servers for a terminal.
//!
//! A terminal obeys some characters: escape sequences set the clipboard, the title and colours, and
//! direction marks show a line in another order than its bytes. Names and messages come from
//! servers, packs and files. So these characters are shown as escapes, for example `\u{1b}`.

use std::borrow::Cow;

/// Escapes every character that a terminal would obey. Line feeds and tabs are kept, and CRLF
/// becomes a line feed.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_obeyed(letter) {
            escaped.extend(letter.escape_unicode());
        } else {
            escaped.push(letter);
        }
    }
    Cow::Owned(escaped)
}

/// Escapes the characters of a JSON document that a terminal would obey as `\uXXXX`. The meaning of
/// the document does not change.
///
/// Outside of strings, JSON has none of these characters except the line feed, so only strings
/// change.
pub(crate) fn clean_json(document: &str) -> Cow<'_, str> {
    if !document.contains(is_obeyed) {
        return Cow::Borrowed(document);
    }
    let mut escaped = String::with_capacity(document.len() + 16);
    for letter in document.chars() {
        if is_obeyed(letter) {
            // All of them are in the basic plane, so four digits are enough.
            escaped.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            escaped.push(letter);
        }
    }
    Cow::Owned(escaped)
}

/// Whether a terminal obeys the character: C0 except line feed and tab, DEL, C1, and the explicit
/// direction marks of UAX #9.
fn is_obeyed(letter: char) -> bool {
    let is_direction = matches!(
        letter,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    is_direction || (letter.is_control() && letter != '\n' && letter != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        for (given, shown) in [
            ("plain, 한글 — 6~8km\n\ttab", "plain, 한글 — 6~8km\n\ttab"),
            ("\u{1b}]52;c;aGk=\u{7}", "\\u{1b}]52;c;aGk=\\u{7}"),
            ("a\r\nb\rc", "a\nb\\u{d}c"),
            ("\u{9b}2J\u{7f}", "\\u{9b}2J\\u{7f}"),
            ("gpt\u{202e}4\u{2066}", "gpt\\u{202e}4\\u{2066}"),
        ] {
            assert_eq!(clean(given), shown);
            assert_eq!(clean(&clean(given)), shown, "once is enough");
        }
    }

    #[test]
    fn a_json_document_says_the_same_afterwards() {
        let said = "\u{1b}]0;x\u{7}\u{9b}\u{202e}\u{7f}\r\n한글";
        let document = serde_json::to_string_pretty(&serde_json::json!({ said: [said] })).unwrap();
        let shown = clean_json(&document);
        assert!(!shown.contains(is_obeyed));
        let [before, after] =
            [document.as_str(), &*shown].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        assert_eq!(before, after);
    }
}
