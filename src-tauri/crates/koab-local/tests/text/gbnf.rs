//! A small reader of GBNF, independent of llama.cpp: it says whether a text is one of a grammar's.

use koab_local::grammar::Grammar;
use std::collections::{BTreeSet, HashMap};
use std::ffi::CString;

enum Part {
    Text(Vec<char>),
    /// Ranges, and whether a character must be outside of them.
    Class(Vec<(char, char)>, bool),
    Rule(String),
    /// Alternatives of sequences.
    Group(Vec<Vec<Part>>),
    Repeat(Box<Part>, usize, usize),
}

/// A grammar's rules by name.
pub(crate) struct Rules(HashMap<String, Part>);

impl Rules {
    /// Reads rules of one line each, as this program writes them.
    pub(crate) fn parse(gbnf: &str) -> Self {
        Self(
            gbnf.lines()
                .filter(|line| !line.trim().is_empty())
                .map(|line| {
                    let (name, body) = line.split_once("::=").unwrap();
                    let mut chars = body.trim().chars().peekable();
                    (name.trim().to_owned(), group(&mut chars))
                })
                .collect(),
        )
    }

    /// Whether the rule describes the whole text.
    pub(crate) fn accepts(&self, rule: &str, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.ends(&self.0[rule], &text, 0).contains(&text.len())
    }

    /// Where a part that begins here may end.
    fn ends(&self, part: &Part, text: &[char], from: usize) -> BTreeSet<usize> {
        match part {
            Part::Text(wanted) if text[from..].starts_with(wanted) => [from + wanted.len()].into(),
            Part::Class(ranges, outside) => match text.get(from) {
                Some(c) if ranges.iter().any(|(a, b)| (a..=b).contains(&c)) != *outside => [from + 1].into(),
                _ => BTreeSet::new(),
            },
            Part::Text(_) => BTreeSet::new(),
            Part::Rule(name) => self.ends(&self.0[name], text, from),
            Part::Group(alternatives) => alternatives
                .iter()
                .flat_map(|sequence| {
                    sequence.iter().fold(BTreeSet::from([from]), |at, part| {
                        at.into_iter().flat_map(|from| self.ends(part, text, from)).collect()
                    })
                })
                .collect(),
            Part::Repeat(part, least, most) => {
                let mut at = BTreeSet::from([from]);
                let mut all = if *least == 0 { at.clone() } else { BTreeSet::new() };
                for times in 1..=(*most).min(text.len() + 1) {
                    at = at.into_iter().flat_map(|from| self.ends(part, text, from)).collect();
                    if at.is_empty() {
                        break;
                    }
                    if times >= *least {
                        all.extend(&at);
                    }
                }
                all
            }
        }
    }
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn group(chars: &mut Chars<'_>) -> Part {
    let mut alternatives = vec![Vec::new()];
    while let Some(c) = chars.next() {
        let part = match c {
            ')' => break,
            '|' => {
                alternatives.push(Vec::new());
                continue;
            }
            c if c.is_whitespace() => continue,
            '(' => group(chars),
            '"' => {
                let mut text = Vec::new();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    text.push(unescaped(c, chars));
                }
                Part::Text(text)
            }
            '[' => class(chars),
            '.' => Part::Class(Vec::new(), true),
            c => {
                let mut name = c.to_string();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
                    name.push(c);
                }
                Part::Rule(name)
            }
        };
        let part = match chars.peek() {
            Some('*' | '+' | '?' | '{') => repeat(part, chars),
            _ => part,
        };
        alternatives.last_mut().unwrap().push(part);
    }
    Part::Group(alternatives)
}

fn repeat(part: Part, chars: &mut Chars<'_>) -> Part {
    let (least, most) = match chars.next() {
        Some('*') => (0, usize::MAX),
        Some('+') => (1, usize::MAX),
        Some('?') => (0, 1),
        _ => {
            let inside: String = chars.take_while(|c| *c != '}').collect();
            let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
            (least.parse().unwrap(), most.parse().unwrap_or(usize::MAX))
        }
    };
    Part::Repeat(Box::new(part), least, most)
}

fn class(chars: &mut Chars<'_>) -> Part {
    let outside = chars.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    while let Some(c) = chars.next().filter(|c| *c != ']') {
        let from = unescaped(c, chars);
        let to = match chars.next_if_eq(&'-') {
            Some(_) => {
                let c = chars.next().unwrap();
                unescaped(c, chars)
            }
            None => from,
        };
        ranges.push((from, to));
    }
    Part::Class(ranges, outside)
}

fn unescaped(c: char, chars: &mut Chars<'_>) -> char {
    if c != '\\' {
        return c;
    }
    let hex = |chars: &mut Chars<'_>, digits: usize| {
        let digits: String = chars.take(digits).collect();
        char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap()
    };
    match chars.next().unwrap() {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'x' => hex(chars, 2),
        'u' => hex(chars, 4),
        other => other,
    }
}

/// Whether llama.cpp's own reader takes a grammar.
#[allow(
    unsafe_code,
    reason = "the binding makes grammars only for a model's vocabulary, and here is no model"
)]
pub(crate) fn llama_cpp_takes(grammar: &Grammar) -> bool {
    let gbnf = CString::new(grammar.gbnf.as_str()).unwrap();
    let root = CString::new(grammar.root.as_str()).unwrap();
    // SAFETY: both texts outlive the calls; without a vocabulary a grammar can be read, and nothing else is done with it.
    unsafe {
        let sampler =
            llama_cpp_sys_2::llama_rs_sampler_init_grammar(std::ptr::null(), gbnf.as_ptr(), root.as_ptr());
        if sampler.is_null() {
            return false;
        }
        llama_cpp_sys_2::llama_sampler_free(sampler);
    }
    true
}
