//! Parser of queries.
//!
//! Filters next to each other must all match; `OR` binds weaker, `NOT` and `-` bind stronger.

use super::error::QueryError;
use super::fields::{FIELDS, NameField, NumberField, SCORE, TextField};
use super::query::{Filter, Query, Relation, TextRelation};
use crate::score::MetricId;
use std::str::FromStr;

/// Maximum length of a query, in characters.
const MAX_QUERY_CHARS: usize = 4000;
/// Maximum number of brackets and negations in each other.
const MAX_DEPTH: usize = 50;

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let chars: Vec<char> = text.chars().collect();
        if chars.len() > MAX_QUERY_CHARS {
            return Err(QueryError::TooLong);
        }
        let mut parser = Parser { chars, next: 0 };
        parser.skip_spaces();
        if parser.peek().is_none() {
            return Err(QueryError::Empty);
        }
        let query = parser.any(0)?;
        match parser.peek() {
            None => Ok(query),
            Some(_) => Err(QueryError::LooseBracket { at: parser.place() }),
        }
    }
}

struct Parser {
    chars: Vec<char>,
    /// Index of the next character.
    next: usize,
}

/// Value of a filter, with its position.
struct Value {
    at: usize,
    text: String,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.next).copied()
    }

    /// Position of the next character, from 1.
    fn place(&self) -> usize {
        self.next + 1
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next += 1;
        }
    }

    /// Takes a sign if it comes next.
    fn take(&mut self, sign: &str) -> bool {
        let length = sign.chars().count();
        let comes = self.chars[self.next..].iter().copied().take(length).eq(sign.chars());
        if comes {
            self.next += length;
        }
        comes
    }

    /// Whether this word comes next and ends there.
    fn is_at_word(&self, word: &str) -> bool {
        let rest = &self.chars[self.next..];
        let after = rest.get(word.len());
        rest.iter().copied().take(word.len()).eq(word.chars())
            && after.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ')'))
    }

    fn take_word(&mut self, word: &str) -> bool {
        let comes = self.is_at_word(word);
        if comes {
            self.next += word.len();
            self.skip_spaces();
        }
        comes
    }

    fn any(&mut self, depth: usize) -> Result<Query, QueryError> {
        let mut parts = vec![self.all(depth)?];
        while self.take_word("OR") {
            parts.push(self.all(depth)?);
        }
        Query::any(parts).ok_or(QueryError::Empty)
    }

    fn all(&mut self, depth: usize) -> Result<Query, QueryError> {
        let mut parts = Vec::new();
        loop {
            match self.peek() {
                Some(c) if c != ')' && !self.is_at_word("OR") => {}
                _ => break,
            }
            let at = self.place();
            if self.take_word("AND") {
                let ends = self.peek().is_none_or(|c| c == ')') || self.is_at_word("OR");
                if parts.is_empty() || ends || self.is_at_word("AND") {
                    return Err(QueryError::LooseWord { at, word: "AND" });
                }
            }
            parts.push(self.one(depth)?);
            self.skip_spaces();
        }
        let at = self.place();
        Query::all(parts).ok_or_else(|| {
            // The word may also follow a complete part: `a OR`.
            if self.is_at_word("OR") {
                QueryError::LooseWord { at, word: "OR" }
            } else {
                QueryError::NoFilter { at }
            }
        })
    }

    fn one(&mut self, depth: usize) -> Result<Query, QueryError> {
        if depth >= MAX_DEPTH {
            return Err(QueryError::TooLong);
        }
        let at = self.place();
        if self.take_word("NOT") || self.take("-") {
            return match self.peek() {
                Some(c) if !c.is_whitespace() && c != ')' => self.one(depth + 1).map(Query::negated),
                _ => Err(QueryError::NoFilter { at: self.place() }),
            };
        }
        if self.take("(") {
            self.skip_spaces();
            let query = self.any(depth + 1)?;
            return if self.take(")") { Ok(query) } else { Err(QueryError::OpenBracket { at }) };
        }
        if self.peek() == Some('"') {
            let text = self.quoted()?;
            return Ok(Query::Filter(Filter::Anywhere(filled(at + 1, text, "\"")?)));
        }
        self.filter(at).map(Query::Filter)
    }

    /// A filter that begins with a field, or a word.
    fn filter(&mut self, at: usize) -> Result<Filter, QueryError> {
        let field = self.until(is_sign);
        let is_word = field.is_empty() || !self.peek().is_some_and(is_sign);
        if is_word {
            let rest = self.until(|_| false);
            return Ok(Filter::Anywhere(filled(at, field + &rest, "")?));
        }
        if let Some(found) = NameField::ALL.into_iter().find(|known| known.word() == field) {
            let (relation, value) = self.text_filter(&field, ":, = or ~", TextRelation::Equals)?;
            return Ok(Filter::Name { field: found, relation, value });
        }
        if let Some(found) = NumberField::ALL.into_iter().find(|known| known.word() == field) {
            let (relation, value) = self.number_filter(&field)?;
            return Ok(Filter::Number { field: found, relation, value });
        }
        if field == SCORE {
            return self.score();
        }
        match TextField::from_word(&field) {
            Some(found) => {
                let (relation, value) = self.text_filter(&field, ":, = or ~", TextRelation::Contains)?;
                Ok(Filter::Text { field: found, relation, value })
            }
            None => Err(QueryError::UnknownField { at, field, fields: FIELDS }),
        }
    }

    fn score(&mut self) -> Result<Filter, QueryError> {
        if !self.take(":") {
            return Err(self.wrong_sign("score".to_owned(), ":METRIC"));
        }
        let name_at = self.place();
        let name = self.until(is_sign);
        let metric =
            MetricId::ALL.into_iter().find(|metric| metric.name().to_lowercase() == name.to_lowercase());
        let Some(metric) = metric else {
            return Err(if name.is_empty() {
                QueryError::NoValue { at: name_at, before: "score:".to_owned() }
            } else {
                let metrics = MetricId::ALL.map(MetricId::name).join(", ");
                QueryError::UnknownMetric { at: name_at, metric: name, metrics }
            });
        };
        let field = format!("score:{name}");
        if self.peek().is_none_or(|c| !is_sign(c)) {
            return Err(QueryError::NoValue { at: self.place(), before: field });
        }
        let (relation, value) = self.number_filter(&field)?;
        Ok(Filter::Score { metric, relation, value })
    }

    /// Comparison and value of a text field or a name. `colon` is the meaning of `:`.
    fn text_filter(
        &mut self,
        field: &str,
        signs: &'static str,
        colon: TextRelation,
    ) -> Result<(TextRelation, String), QueryError> {
        let relations = [(":", colon), ("=", TextRelation::Equals), ("~", TextRelation::Contains)];
        for (sign, relation) in relations {
            if self.take(sign) {
                let value = self.value(&format!("{field}{sign}"))?;
                return Ok((relation, value.text));
            }
        }
        Err(self.wrong_sign(field.to_owned(), signs))
    }

    /// Comparison and value of a number.
    fn number_filter(&mut self, field: &str) -> Result<(Relation, f64), QueryError> {
        let relations = Relation::ALL.into_iter().map(|relation| (relation.sign(), relation));
        for (sign, relation) in relations.chain([(":", Relation::Equal)]) {
            if self.take(sign) {
                let value = self.value(&format!("{field}{sign}"))?;
                return match value.text.parse::<f64>() {
                    Ok(number) if number.is_finite() => Ok((relation, number)),
                    _ => Err(QueryError::NoNumber { at: value.at, value: value.text }),
                };
            }
        }
        Err(self.wrong_sign(field.to_owned(), "=, <, <=, > or >="))
    }

    fn wrong_sign(&self, field: String, signs: &'static str) -> QueryError {
        let sign = self.peek().map(String::from).unwrap_or_default();
        QueryError::WrongSign { at: self.place(), field, sign, signs }
    }

    /// Value after a sign: in quotes, or up to the next space.
    fn value(&mut self, before: &str) -> Result<Value, QueryError> {
        let at = self.place();
        let text = if self.peek() == Some('"') { self.quoted()? } else { self.until(|_| false) };
        Ok(Value { at, text: filled(at, text, before)? })
    }

    /// Characters up to a space, a quote, a closing bracket that was not opened in the word, or one
    /// that `ends`.
    fn until(&mut self, ends: impl Fn(char) -> bool) -> String {
        let (mut text, mut open) = (String::new(), 0);
        while let Some(c) = self.peek() {
            match c {
                c if c.is_whitespace() || c == '"' || ends(c) => break,
                '(' => open += 1,
                ')' if open == 0 => break,
                ')' => open -= 1,
                _ => {}
            }
            text.push(c);
            self.next += 1;
        }
        text
    }

    /// Text in double quotes. Within it a backslash comes before a quote and before a backslash.
    fn quoted(&mut self) -> Result<String, QueryError> {
        let at = self.place();
        self.next += 1;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.next += 1;
            match c {
                '"' => return Ok(text),
                '\\' => match self.peek() {
                    Some(escaped @ ('"' | '\\')) => {
                        text.push(escaped);
                        self.next += 1;
                    }
                    _ => text.push('\\'),
                },
                c => text.push(c),
            }
        }
        Err(QueryError::OpenQuote { at })
    }
}

/// Refuses an empty value.
fn filled(at: usize, text: String, before: &str) -> Result<String, QueryError> {
    if text.is_empty() { Err(QueryError::NoValue { at, before: before.to_owned() }) } else { Ok(text) }
}

/// Whether a character is the beginning of a comparison.
fn is_sign(c: char) -> bool {
    matches!(c, ':' | '=' | '~' | '<' | '>')
}
