//! Python's parsing of numbers in texts: `int(text)`, `float(text)`, `text.strip()`.

use super::Int;

/// Digit zero of every script in Unicode 14 (`unicodedata.decimal`). The digits one to nine follow
/// each zero.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
    0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950,
    0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
    0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// Value of a decimal digit of any script.
pub fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
    }
    let code = u32::from(c);
    let zero = ZEROS[ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?];
    u8::try_from(code - zero).ok().filter(|digit| *digit < 10)
}

/// Python's `text.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// Python's `int(text)`.
pub fn int(text: &str) -> Option<Int> {
    let (negative, rest) = signed(strip(text));
    let (digits, end) = digits(rest)?;
    end.is_empty().then(|| Int::of_digits(negative, &digits))
}

/// Python's `float(text)`.
pub fn float(text: &str) -> Option<f64> {
    let (negative, rest) = signed(strip(text));
    let sign = if negative { -1.0 } else { 1.0 };
    match rest.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        "nan" => return Some(f64::NAN),
        _ => {}
    }
    let (whole, rest) = digits(rest).unwrap_or((String::new(), rest));
    let (part, rest) = match rest.strip_prefix('.') {
        Some(rest) => digits(rest).unwrap_or((String::new(), rest)),
        None => (String::new(), rest),
    };
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let exponent = match rest.strip_prefix(['e', 'E']) {
        Some(rest) => {
            let (negative, rest) = signed(rest);
            let (digits, end) = digits(rest)?;
            if !end.is_empty() {
                return None;
            }
            format!("{}{digits}", if negative { "-" } else { "" })
        }
        None if rest.is_empty() => "0".to_owned(),
        None => return None,
    };
    let value: f64 = format!("{whole}.{part}e{exponent}").parse().ok()?;
    Some(sign * value)
}

fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Leading digits, with single underscores between them, converted to ASCII, and the rest of the
/// text. `None` without a leading digit.
fn digits(text: &str) -> Option<(String, &str)> {
    let mut ascii = String::new();
    let mut rest = text;
    loop {
        let after = match rest.strip_prefix('_') {
            Some(after) if !ascii.is_empty() => after,
            _ => rest,
        };
        let mut chars = after.chars();
        let Some(value) = chars.next().and_then(digit) else {
            break;
        };
        ascii.push(char::from(b'0' + value));
        rest = chars.as_str();
    }
    (!ascii.is_empty()).then_some((ascii, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_python_reads_them() {
        for (text, value) in [
            ("7", Some(Int::Small(7))),
            (" -07\n", Some(Int::Small(-7))),
            ("+1_000", Some(Int::Small(1000))),
            ("٣", Some(Int::Small(3))),
            ("-0", Some(Int::Small(0))),
            ("9223372036854775808", Some(Int::Big("9223372036854775808".to_owned()))),
            ("_1", None),
            ("1__0", None),
            ("1_", None),
            ("1.0", None),
            ("", None),
            ("²", None),
        ] {
            assert_eq!(int(text), value, "{text}");
        }
    }

    #[test]
    fn fractions_are_read_as_python_reads_them() {
        for (text, value) in [
            ("1.5", Some(1.5)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("1e3", Some(1000.0)),
            ("-1_0.2_5E-1", Some(-1.025)),
            ("Infinity", Some(f64::INFINITY)),
            ("-inf", Some(f64::NEG_INFINITY)),
            ("1e400", Some(f64::INFINITY)),
            (".", None),
            ("1e", None),
            ("e1", None),
            ("1 2", None),
            ("0x1", None),
        ] {
            assert_eq!(float(text), value, "{text}");
        }
        assert!(float("nan").is_some_and(f64::is_nan));
    }
}
