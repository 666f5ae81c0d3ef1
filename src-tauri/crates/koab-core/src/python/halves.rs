//! Unpaired surrogates, which Python's texts may contain and Rust's may not.
//!
//! Here a surrogate is represented by a character of the last private-use plane, which no text
//! uses: `U+D800` by `U+10D800`.

/// Distance between a surrogate and the character that represents it.
const SURROGATE_OFFSET: u32 = 0x10_0000;

/// Private-use character that represents the surrogate `code`; `None` if `code` is not a surrogate.
pub(super) fn of_half(code: u32) -> Option<char> {
    (0xd800..0xe000).contains(&code).then(|| char::from_u32(SURROGATE_OFFSET + code)).flatten()
}

/// Surrogate that a private-use character represents; `None` for every other character.
fn half(c: char) -> Option<u16> {
    let code = u32::from(c).checked_sub(SURROGATE_OFFSET)?;
    (0xd800..0xe000).contains(&code).then(|| u16::try_from(code).ok()).flatten()
}

/// Joins the two halves of surrogate pairs, which may come from two streamed pieces. `lone` writes
/// surrogates without a partner.
fn with_pairs(text: &str, lone: impl Fn(u16) -> String) -> String {
    if !text.chars().any(|c| half(c).is_some()) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(first) = half(c) else {
            out.push(c);
            continue;
        };
        let second = chars.peek().copied().and_then(half);
        let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
        match pair {
            Some(pair) if u32::from(pair) > 0xffff => {
                out.push(pair);
                chars.next();
            }
            _ => out.push_str(&lone(first)),
        }
    }
    out
}

/// Text for people and files: surrogate pairs are joined, lone surrogates replaced.
pub fn joined(text: &str) -> String {
    with_pairs(text, |_| char::REPLACEMENT_CHARACTER.to_string())
}

/// JSON text: surrogate pairs are joined, lone surrogates written as JSON escapes.
pub fn joined_json(text: &str) -> String {
    with_pairs(text, |half| format!("\\u{half:04x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_find_each_other() {
        let of = |code| of_half(code).expect("a half");
        let (high, low) = (of(0xd83d), of(0xde00));
        for (text, wanted, json) in [
            ("가".to_owned(), "가", "가"),
            (format!("a{high}{low}b"), "a😀b", "a😀b"),
            (format!("{low}{high}"), "\u{fffd}\u{fffd}", "\\ude00\\ud83d"),
            (format!("{high}x{low}"), "\u{fffd}x\u{fffd}", "\\ud83dx\\ude00"),
            (format!("{high}{high}{low}"), "\u{fffd}😀", "\\ud83d😀"),
        ] {
            assert_eq!((joined(&text).as_str(), joined_json(&text).as_str()), (wanted, json));
        }
        assert_eq!(of_half(0x41), None);
    }
}
