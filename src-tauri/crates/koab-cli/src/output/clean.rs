//! Text of others, made fit for a terminal.
//!
//! A terminal obeys what is written to it: escape sequences set the clipboard, the title and
//! colours, and marks of direction show a line in another order than its bytes. Names and messages
//! come from servers, packs and files, so all of it is shown as what it is, `\u{1b}` for one, and
//! obeyed by nobody.

use std::borrow::Cow;

/// The text with every character written out that a terminal would obey; line feeds and tabs stay,
/// and a line may end with a carriage return and a line feed, which become one line feed.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_obeyed(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// A JSON document with the same characters as `\uXXXX`, which says the same to whoever reads it.
///
/// They stand inside strings only: outside of them JSON knows none but the line feed.
pub(crate) fn clean_json(document: &str) -> Cow<'_, str> {
    if !document.contains(is_obeyed) {
        return Cow::Borrowed(document);
    }
    let mut shown = String::with_capacity(document.len() + 16);
    for letter in document.chars() {
        if is_obeyed(letter) {
            // All of them are in the first plane, so that four digits are enough.
            shown.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// C0 but line feed and tab, DEL, C1, and what changes the direction of text (UAX #9, explicit
/// marks).
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
