//! Case folding of the search.

/// Folds a text for the search, which ignores case.
///
/// Each character is folded on its own, so that a part of a text is folded as it is within the
/// text. Control characters other than tabs and line ends become U+FFFD, because the index uses
/// them as marks.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            let is_mark = c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r');
            folded.push(if is_mark { char::REPLACEMENT_CHARACTER } else { c.to_ascii_lowercase() });
        } else {
            folded.extend(c.to_lowercase());
        }
    }
    folded
}
