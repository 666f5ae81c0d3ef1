//! Validation of keys. A fault that is not found here would appear in the middle of a run.

use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;

/// Maximum size of a value in bytes. Tokens of cloud providers reach a few thousand; Windows stores
/// up to 2560.
const MAX_BYTES: usize = 16 * 1024;

/// Checks that a value can be a key, and returns it without surrounding blanks and line breaks.
///
/// # Errors
/// The fault of the value, as the end of a sentence that begins with the key's name. The text never
/// contains the value.
pub(crate) fn check(value: &str) -> Result<Sensitive<String>, Sentence> {
    let value = value.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if value.is_empty() {
        return Err(say!("is empty; give the key as its provider shows it"));
    }
    if value.contains(['\n', '\r']) {
        return Err(say!("holds a line break inside; give it in one line"));
    }
    if value.chars().any(char::is_control) {
        return Err(say!("holds a control character; copy it again, without the text around it"));
    }
    if value.len() > MAX_BYTES {
        return Err(say!("is longer than 16 KiB, which no key is; give the key itself"));
    }
    Ok(Sensitive::new(value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_a_key_is_dropped_and_what_cannot_be_one_is_refused() {
        for (value, expected) in [
            ("sk-1", Ok("sk-1")),
            (" sk-1\r\n", Ok("sk-1")),
            ("\u{feff}sk-1\n\n", Ok("sk-1")),
            ("C:\\열쇠\\sa.json", Ok("C:\\열쇠\\sa.json")),
            ("", Err("empty")),
            (" \n\t", Err("empty")),
            ("sk-1\nsk-2", Err("line break")),
            ("sk-1\rsk-2", Err("line break")),
            ("sk\u{1b}[1m", Err("control character")),
            ("sk\u{0}1", Err("control character")),
            ("sk\u{85}1", Err("control character")),
        ] {
            match (check(value), expected) {
                (Ok(checked), Ok(expected)) => assert_eq!(checked.expose(), expected),
                (Err(said), Err(part)) => assert!(said.to_string().contains(part), "{said}"),
                (checked, _) => panic!("{value:?}: {checked:?}"),
            }
        }
        assert!(check(&"k".repeat(MAX_BYTES)).is_ok());
        assert!(check(&"k".repeat(MAX_BYTES + 1)).is_err());
    }
}
