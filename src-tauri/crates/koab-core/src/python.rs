//! The Python semantics that are needed to give the same results as the published tool.
//!
//! The published tool is written in Python, so its file names, signatures and reports contain
//! Python's forms of JSON, floats and rounding (`docs/spec/tools.md` §4.1, `docs/spec/metrics.md`
//! §3.1 and §11.1). Each function here names the Python expression that it equals.

mod halves;
mod json;
mod value;

pub use halves::{joined, joined_json};
pub use json::{NotJson, loads};
pub use value::{Int, PyValue};

use serde_json::{Map, Number, Value};
use std::fmt::Write as _;

/// Minimum number of digits of an integer beyond 64 bits.
const MIN_BIG_INT_DIGITS: usize = 19;

/// Python's value of a JSON text that `serde_json` refused or may have rounded.
///
/// `None` if `serde_json` read the text exactly, or if Python also refuses the text.
pub fn read_otherwise(text: &[u8], is_refused: bool) -> Option<PyValue> {
    let has_long = || {
        let mut numbers = text.split(|byte| !byte.is_ascii_digit());
        numbers.any(|digits| digits.len() >= MIN_BIG_INT_DIGITS)
    };
    (is_refused || has_long()).then(|| loads(std::str::from_utf8(text).ok()?).ok()).flatten()
}

/// Parses a recorded answer as Python does.
///
/// Values that JSON cannot hold become null (NaN, infinities), are replaced (unpaired surrogates)
/// or become the text of their digits (integers beyond 64 bits).
///
/// # Errors
/// The error of `serde_json`, if Python also refuses the text.
pub fn recorded(text: &str) -> serde_json::Result<Value> {
    let result = serde_json::from_str(text);
    match read_otherwise(text.as_bytes(), result.is_err()) {
        Some(python) => Ok(python.with_digits_as_text().to_value(&joined)),
        None => result,
    }
}

/// `repr(x)` of a float: the shortest digits that read back as `x`, positional for exponents −4 to
/// 15.
pub fn float_repr(x: f64) -> String {
    if x.is_nan() {
        return "NaN".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    // Rust's exponent form has the shortest digits too: "-1.25e-7".
    let scientific = format!("{x:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    if !(-4..16).contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{point}{rest}e{exponent_sign}{:02}", exponent.abs());
    }
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        format!("{sign}{digits}{}.0", "0".repeat(whole - digits.len()))
    } else {
        format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
    }
}

/// Options of [`dumps`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Dumps {
    /// `ensure_ascii`: everything outside ASCII and the character 7f as `\uXXXX`, in surrogate
    /// pairs where needed.
    pub ascii: bool,
    /// `sort_keys`: object keys by code point at every depth.
    pub sorted: bool,
    /// `indent`: number of spaces per level; `None` for one line with `", "` and `": "`.
    pub indent: Option<usize>,
}

/// `json.dumps(value, ensure_ascii=…, sort_keys=…, indent=…)`.
pub fn dumps(value: &Value, how: Dumps) -> String {
    let mut out = String::new();
    write_value(&mut out, value, how, 0);
    out
}

fn write_value(out: &mut String, value: &Value, how: Dumps, depth: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number_repr(number)),
        Value::String(text) => write_string(out, text, how.ascii),
        Value::Array(items) => {
            write_sequence(out, how, depth, ['[', ']'], items.len(), |out, i| {
                write_value(out, &items[i], how, depth + 1);
            });
        }
        Value::Object(map) => write_object(out, map, how, depth),
    }
}

fn write_object(out: &mut String, map: &Map<String, Value>, how: Dumps, depth: usize) {
    let mut entries: Vec<(&String, &Value)> = map.iter().collect();
    if how.sorted {
        entries.sort_by(|a, b| a.0.cmp(b.0));
    }
    write_sequence(out, how, depth, ['{', '}'], entries.len(), |out, i| {
        write_string(out, entries[i].0, how.ascii);
        out.push_str(": ");
        write_value(out, entries[i].1, how, depth + 1);
    });
}

fn write_sequence(
    out: &mut String,
    how: Dumps,
    depth: usize,
    [open, close]: [char; 2],
    count: usize,
    mut item: impl FnMut(&mut String, usize),
) {
    out.push(open);
    for i in 0..count {
        match how.indent {
            Some(spaces) => {
                out.push_str(if i == 0 { "\n" } else { ",\n" });
                out.extend(std::iter::repeat_n(' ', spaces * (depth + 1)));
            }
            None if i > 0 => out.push_str(", "),
            None => {}
        }
        item(out, i);
    }
    if let (Some(spaces), true) = (how.indent, count > 0) {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', spaces * depth));
    }
    out.push(close);
}

/// The text of a JSON number as Python writes it: integers without a fraction, floats by
/// [`float_repr`].
pub fn number_repr(number: &Number) -> String {
    if let Some(i) = number.as_i64() {
        i.to_string()
    } else if let Some(u) = number.as_u64() {
        u.to_string()
    } else {
        float_repr(number.as_f64().unwrap_or(f64::NAN))
    }
}

fn write_string(out: &mut String, text: &str, ascii: bool) {
    out.push('"');
    let mut rest = text;
    // Long texts are mostly plain, and a plain stretch is copied whole.
    while let Some(at) = rest.bytes().position(|byte| is_escaped(byte, ascii)) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = from.chars();
        if let Some(c) = chars.next() {
            write_escaped(out, c);
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Whether a byte begins a character that is written as an escape.
fn is_escaped(byte: u8, ascii: bool) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\' || (ascii && byte > b'~')
}

fn write_escaped(out: &mut String, c: char) {
    let short = match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str("\\u");
                for shift in [12, 8, 4, 0] {
                    let digit = u32::from(*unit >> shift & 0xf);
                    out.extend(char::from_digit(digit, 16));
                }
            }
            return;
        }
    };
    out.push_str(short);
}

/// `bool(value)`: Python truthiness.
pub fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(b) => *b,
        Value::Number(n) => n.as_f64() != Some(0.0),
        Value::String(s) => !s.is_empty(),
        Value::Array(a) => !a.is_empty(),
        Value::Object(o) => !o.is_empty(),
    }
}

/// `repr(value)` of parsed JSON: `{'a': [1, 1.0, True, None]}`, as the published prompts print
/// arguments.
///
/// Characters that Python calls unprintable are escaped for the blocks that occur in practice
/// (controls, odd blanks, invisible format marks, private use), not for every unassigned code
/// point.
pub fn repr(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number_repr(number),
        Value::String(text) => string_repr(text),
        Value::Array(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| format!("{}: {}", string_repr(key), repr(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// `str(value)` of parsed JSON: a text stays unchanged, every other value becomes its [`repr`].
pub fn to_str(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => repr(other),
    }
}

/// The name of a value's Python type: `NoneType`, `bool`, `int`, `float`, `str`, `list` or `dict`.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

fn string_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if unprintable(c) => {
                let code = c as u32;
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

fn unprintable(c: char) -> bool {
    matches!(c as u32,
        0..=0x1f | 0x7f..=0xa0 | 0xad | 0x600..=0x605 | 0x1680 | 0x180e | 0x2000..=0x200f | 0x2028..=0x202f
        | 0x205f..=0x206f | 0x3000 | 0xe000..=0xf8ff | 0xfeff | 0xfff0..=0xfffb | 0xe0000..=0x10ffff)
}

/// `a == b` of parsed JSON: numbers and booleans by exact value, objects without regard to the
/// order of keys.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(p, q)| equal(p, q)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(k, p)| y.get(k).is_some_and(|q| equal(p, q)))
        }
        (Value::Null, Value::Null) => true,
        (Value::String(x), Value::String(y)) => x == y,
        _ => match (numeric(a), numeric(b)) {
            (Some(x), Some(y)) => x == y,
            _ => false,
        },
    }
}

/// A number, as an integer if it is one, so that large integers never lose digits in a comparison.
#[derive(PartialEq)]
enum Numeric {
    Integer(i128),
    Fraction(f64),
}

fn numeric(value: &Value) -> Option<Numeric> {
    match value {
        Value::Bool(b) => Some(Numeric::Integer(i128::from(*b))),
        Value::Number(n) => Some(if let Some(i) = n.as_i64() {
            Numeric::Integer(i.into())
        } else if let Some(u) = n.as_u64() {
            Numeric::Integer(u.into())
        } else {
            let x = n.as_f64()?;
            if x.fract() == 0.0 && x.abs() < 1e38 {
                Numeric::Integer(x as i128)
            } else {
                Numeric::Fraction(x)
            }
        }),
        _ => None,
    }
}

/// `round(x, digits)`: correctly rounded from the binary value, ties to even.
pub fn round_to(x: f64, digits: usize) -> f64 {
    format!("{x:.digits$}").parse().unwrap_or(x)
}

/// `round(x)`: to the nearest whole number, halves to the even one.
pub fn round_half_even(x: f64) -> f64 {
    x.round_ties_even()
}

/// `sum(values)` of Python ≤ 3.11: left to right, no compensation.
pub fn naive_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |sum, x| sum + x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn floats_are_spelled_as_python_repr() {
        for (x, text) in [
            (127.0, "127.0"),
            (0.0001, "0.0001"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1e-5, "1e-05"),
            (1.5e-5, "1.5e-05"),
            (1e300, "1e+300"),
            (-0.0, "-0.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (123456.789, "123456.789"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(float_repr(x), text);
        }
    }

    #[test]
    fn json_is_spelled_as_python_dumps() {
        let value = json!({"b": [1, 1.0, true, null], "a": "가\u{7f}\u{1f600}\n\u{1}", "c": {}});
        let plain = dumps(&value, Dumps { sorted: true, ..Dumps::default() });
        assert_eq!(plain, "{\"a\": \"가\u{7f}😀\\n\\u0001\", \"b\": [1, 1.0, true, null], \"c\": {}}");
        let ascii = dumps(&json!("가\u{7f}😀"), Dumps { ascii: true, ..Dumps::default() });
        assert_eq!(ascii, "\"\\uac00\\u007f\\ud83d\\ude00\"");
        let indented = dumps(&json!({"x": [1, {}], "y": []}), Dumps { indent: Some(2), ..Dumps::default() });
        assert_eq!(indented, "{\n  \"x\": [\n    1,\n    {}\n  ],\n  \"y\": []\n}");
    }

    #[test]
    fn values_are_spelled_as_python_repr() {
        let value = json!({"a": [1, 1.0, true, null], "b": "it's", "c": "\"'\n\u{200b}가"});
        assert_eq!(repr(&value), r#"{'a': [1, 1.0, True, None], 'b': "it's", 'c': '"\'\n\u200b가'}"#);
        assert_eq!(to_str(&json!("가")), "가");
        assert_eq!(to_str(&json!(10.0)), "10.0");
    }

    #[test]
    fn equality_is_pythons() {
        assert!(
            equal(&json!(1), &json!(1.0))
                && equal(&json!(true), &json!(1))
                && equal(&json!(0.0), &json!(false))
        );
        assert!(!equal(&json!("1"), &json!(1)) && !equal(&json!([1, 2]), &json!([2, 1])));
        assert!(equal(&json!({"a": 1, "b": 2}), &json!({"b": 2.0, "a": 1})));
        assert!(!equal(&json!(9007199254740993_u64), &json!(9007199254740992.0)));
        assert!(!equal(&json!(null), &json!(false)));
    }

    #[test]
    fn halves_round_to_even() {
        assert_eq!([1.5, 2.5, 3.5, 4.5].map(round_half_even), [2.0, 2.0, 4.0, 4.0]);
        assert_eq!(round_to(2.675, 2), 2.67);
        assert_eq!(round_to(0.125, 2), 0.12);
    }
}
