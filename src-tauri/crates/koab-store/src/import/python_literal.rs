//! Evaluates Python literals from their syntax tree, without running them.
//!
//! Supports values that JSON can represent: dictionaries with text keys, lists, tuples, strings in
//! every notation (implicitly joined, triple-quoted, raw, concatenated with `+`), numbers, `True`,
//! `False`, `None`, and names that the module assigns such a value.
//!
//! Anything else is a fault with its line.

use koab_core::finding::{Fault, Problem};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Map, Number, Value};
use std::collections::HashMap;
use tree_sitter::Node;

/// Maximum nesting. No real catalog is nested deeper.
const MAX_DEPTH: usize = 64;

/// Text of a module, with the values of its top-level names.
pub(super) struct Module<'a> {
    pub(super) text: &'a str,
    pub(super) names: HashMap<&'a str, Node<'a>>,
}

/// Problem with the line of a syntax node.
pub(super) fn fault(node: Node<'_>, why: impl Into<Sentence>) -> Problem {
    let line = node.start_position().row + 1;
    Fault::Form.rejected(why).at(format!("line {line}"))
}

impl<'a> Module<'a> {
    pub(super) fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// JSON value of an expression. Tuples become arrays.
    pub(super) fn value(&self, node: Node<'a>) -> Result<Value, Problem> {
        self.value_at(node, MAX_DEPTH)
    }

    fn value_at(&self, node: Node<'a>, depth: usize) -> Result<Value, Problem> {
        let fault = |why: Sentence| fault(node, why);
        let Some(depth) = depth.checked_sub(1) else {
            return Err(fault(say!("is nested too deeply")));
        };
        if node.is_missing() {
            return Err(fault(say!("is not valid Python")));
        }
        match node.kind() {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            "none" => Ok(Value::Null),
            "integer" | "float" => self.number(node),
            "unary_operator" => self.negative(node, depth),
            "string" | "concatenated_string" | "binary_operator" => {
                self.string(node, depth).map(Value::String)
            }
            "parenthesized_expression" => match only(node) {
                Some(inner) => self.value_at(inner, depth),
                None => Err(fault(say!("is not valid Python"))),
            },
            "list" | "tuple" => parts(node).into_iter().map(|item| self.value_at(item, depth)).collect(),
            "dictionary" => self.dictionary(node, depth),
            "identifier" => match self.names.get(self.text_of(node)) {
                Some(set_to) => self.value_at(*set_to, depth),
                None => Err(fault(say!("`{}` is not set in this file", self.text_of(node)))),
            },
            "ERROR" => Err(fault(say!("is not valid Python"))),
            _ => {
                let excerpt: String = self.text_of(node).chars().take(40).collect();
                Err(fault(say!(
                    "`{}` is not a plain value, and the file is not run",
                    excerpt.replace('\n', " ")
                )))
            }
        }
    }

    fn dictionary(&self, node: Node<'a>, depth: usize) -> Result<Value, Problem> {
        let mut map = Map::new();
        for pair in parts(node) {
            let (Some(key), Some(value)) =
                (pair.child_by_field_name("key"), pair.child_by_field_name("value"))
            else {
                let excerpt: String = self.text_of(pair).chars().take(40).collect();
                return Err(fault(pair, say!("`{shown}` is not a key with a value", shown = excerpt)));
            };
            let Value::String(key_text) = self.value_at(key, depth)? else {
                return Err(fault(key, say!("a key must be a text")));
            };
            map.insert(key_text, self.value_at(value, depth)?);
        }
        Ok(Value::Object(map))
    }

    fn number(&self, node: Node<'_>) -> Result<Value, Problem> {
        let text = self.text_of(node).replace('_', "").to_ascii_lowercase();
        let radix =
            |prefix: &str, radix| text.strip_prefix(prefix).map(|digits| i64::from_str_radix(digits, radix));
        let parsed = match radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| radix("0b", 2)) {
            Some(integer) => integer.ok().map(Number::from),
            None if node.kind() == "integer" => text.parse::<i64>().ok().map(Number::from),
            None => text.parse::<f64>().ok().and_then(Number::from_f64),
        };
        let no_number = || fault(node, say!("`{text}` is not a number that JSON can hold"));
        parsed.map(Value::Number).ok_or_else(no_number)
    }

    fn negative(&self, node: Node<'a>, depth: usize) -> Result<Value, Problem> {
        let operator = node.child_by_field_name("operator").map(|operator| operator.kind());
        let value = match node.child_by_field_name("argument") {
            Some(argument) => self.value_at(argument, depth)?,
            None => Value::Null,
        };
        let negated = match (operator, &value) {
            (Some("+"), Value::Number(_)) => Some(value),
            (Some("-"), Value::Number(n)) => match n.as_i64() {
                Some(i) => i.checked_neg().map(Value::from),
                None => n.as_f64().map(|x| Value::from(-x)),
            },
            _ => None,
        };
        negated.ok_or_else(|| fault(node, say!("`{}` is not a number", self.text_of(node))))
    }

    /// Value of a string expression: a literal, joined literals, or a concatenation with `+`.
    fn string(&self, node: Node<'a>, depth: usize) -> Result<String, Problem> {
        let fault = |why: Sentence| fault(node, why);
        match node.kind() {
            "string" => one_string(self.text_of(node)).map_err(fault),
            "concatenated_string" => parts(node).into_iter().map(|part| self.string(part, depth)).collect(),
            _ => {
                let field = |name| node.child_by_field_name(name);
                let (Some(left), Some(right)) = (field("left"), field("right")) else {
                    return Err(fault(say!("is not valid Python")));
                };
                let plus = field("operator").is_some_and(|operator| operator.kind() == "+");
                match (plus, self.value_at(left, depth)?, self.value_at(right, depth)?) {
                    (true, Value::String(left), Value::String(right)) => Ok(left + &right),
                    _ => Err(fault(say!("is a calculation, and the file is not run"))),
                }
            }
        }
    }
}

/// Named children without comments. Commas are not among them.
pub(super) fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

fn only(node: Node<'_>) -> Option<Node<'_>> {
    match parts(node).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Value of one string literal with its prefix and quotes.
fn one_string(literal: &str) -> Result<String, Sentence> {
    let start = literal.find(['"', '\'']).ok_or_else(|| say!("is not text"))?;
    let (prefix, quoted) = literal.split_at(start);
    let prefix = prefix.to_ascii_lowercase();
    if prefix.contains('b') {
        return Err(say!("is a byte string, which JSON cannot hold"));
    }
    if prefix.contains(['f', 't']) && quoted.contains(['{', '}']) {
        return Err(say!("is a formatted text, and the file is not run"));
    }
    let quotes = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
    let end = quoted
        .len()
        .checked_sub(quotes)
        .filter(|end| *end >= quotes)
        .ok_or_else(|| say!("is a text without an end"))?;
    if quoted.get(end..) != quoted.get(..quotes) {
        return Err(say!("is a text without an end"));
    }
    let content = quoted.get(quotes..end).ok_or_else(|| say!("is a text without an end"))?;
    if prefix.contains('r') { Ok(content.to_owned()) } else { unescape(content) }
}

fn unescape(content: &str) -> Result<String, Sentence> {
    let mut out = String::with_capacity(content.len());
    let mut chars = content.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let escaped = chars.next().ok_or_else(|| say!("ends in the middle of an escape"))?;
        let simple = match escaped {
            '\n' => continue,
            '\\' | '\'' | '"' => escaped,
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'x' => code(&mut chars, 2)?,
            'u' => code(&mut chars, 4)?,
            'U' => code(&mut chars, 8)?,
            'N' => return Err(say!("names a character with \\N, which is not read here")),
            '0'..='7' => {
                let mut digits = String::from(escaped);
                while digits.len() < 3
                    && let Some(digit) = chars.next_if(|c| c.is_digit(8))
                {
                    digits.push(digit);
                }
                char::from_u32(u32::from_str_radix(&digits, 8).unwrap_or(0))
                    .ok_or_else(|| say!("has a bad escape"))?
            }
            // Python keeps the backslash of an unknown escape.
            other => {
                out.push('\\');
                other
            }
        };
        out.push(simple);
    }
    Ok(out)
}

/// Character from exactly `length` hexadecimal digits.
fn code(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, length: usize) -> Result<char, Sentence> {
    let mut digits = String::new();
    while digits.len() < length
        && let Some(digit) = chars.next_if(char::is_ascii_hexdigit)
    {
        digits.push(digit);
    }
    let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length);
    code.and_then(char::from_u32).ok_or_else(|| say!("has an escape that is not a character"))
}
