//! Normalisation of texts for comparison (`docs/spec/bfcl.md` §4, §6).

/// Punctuation marks that are ignored.
const MARKS: [char; 8] = [' ', ',', '.', '/', '-', '_', '*', '^'];

/// Published form: without marks, in lower case, with one kind of quotes.
pub(super) fn published(text: &str) -> String {
    let letters: String = text.chars().filter(|c| !MARKS.contains(c)).collect();
    letters.to_lowercase().replace('\'', "\"")
}

/// Corrected form. A mark next to a digit is not ignored, so that `1.5` differs from `15`, `-3`
/// from `3`, and `2024-01-01` from `20240101`.
///
/// Commas between thousands are still ignored.
pub(super) fn corrected(text: &str) -> String {
    let text = without_thousands(text);
    let chars: Vec<char> = text.chars().collect();
    // Computed in advance for all positions: a search at each would take quadratic time in the
    // blanks.
    let before = last_solid(chars.iter());
    let mut after = last_solid(chars.iter().rev());
    after.reverse();
    let letters = chars.iter().enumerate().filter(|(at, c)| {
        let (before, after) = (before[*at], after[*at]);
        let digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
        match **c {
            // Sign or decimal point at the beginning of a number.
            '-' | '.' if digit(chars.get(at + 1)) && before.is_none_or(|c| !c.is_alphanumeric()) => true,
            mark if MARKS.contains(&mark) => digit(before) && digit(after),
            _ => true,
        }
    });
    let letters: String = letters.map(|(_, c)| *c).collect();
    letters.to_lowercase().replace('\'', "\"")
}

/// Last character before each position that is not blank.
fn last_solid<'a>(chars: impl Iterator<Item = &'a char>) -> Vec<Option<&'a char>> {
    let mut last = None;
    chars
        .map(|c| {
            let before = last;
            if *c != ' ' {
                last = Some(c);
            }
            before
        })
        .collect()
}

fn without_thousands(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let letters = text.char_indices().filter(|(at, c)| {
        let three = (1..=3).all(|more| digit(at + more)) && !digit(at + 4);
        !(*c == ',' && *at > 0 && digit(at - 1) && three)
    });
    letters.map(|(_, c)| c).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_texts_are_equal_without_marks() {
        for (a, b, equal) in [
            ("New York, NY", "new york ny", true),
            ("it's", "it\"s", true),
            ("1.5", "15", true),
            ("2024-01-01", "20240101", true),
            ("a:b", "ab", false),
            ("a\tb", "ab", false),
            ("", " - ", true),
        ] {
            assert_eq!(published(a) == published(b), equal, "{a} {b}");
        }
    }

    #[test]
    fn corrected_texts_keep_marks_at_numbers() {
        for (a, b, equal) in [
            ("New York, NY", "new york ny", true),
            ("1.5", "15", false),
            ("-3", "3", false),
            (".5", "5", false),
            ("2024-01-01", "20240101", false),
            ("10 - 12", "10-12", true),
            ("1,000 USD", "1000 usd", true),
            ("room-12", "room 12", true),
            ("COVID-19", "covid19", true),
            ("5 km", "5km", true),
        ] {
            assert_eq!(corrected(a) == corrected(b), equal, "{a} {b}");
        }
    }

    /// A search at each blank would be 500,000,000,000 steps, which no test's time allows.
    #[test]
    fn a_text_of_blanks_takes_one_pass() {
        let text = format!("1{}2", " ".repeat(1 << 20));
        assert_eq!(corrected(&text).len(), text.len());
    }
}
