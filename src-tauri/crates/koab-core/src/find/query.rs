//! A parsed query.

use super::fields::{NameField, NumberField, TextField};
use crate::score::MetricId;

/// A query in normal form: a list has at least two parts and no list of its own kind, and nothing
/// is negated twice.
#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    /// Attempts that match all parts.
    All(Vec<Query>),
    /// Attempts that match at least one part.
    Any(Vec<Query>),
    /// Attempts that do not match.
    Not(Box<Query>),
    /// Attempts that match one filter.
    Filter(Filter),
}

/// One condition on an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Any text field contains the value.
    Anywhere(String),
    /// A text of this field matches the value.
    Text {
        /// Field.
        field: TextField,
        /// Comparison.
        relation: TextRelation,
        /// Value, never empty.
        value: String,
    },
    /// A name of this field matches the value.
    Name {
        /// Field.
        field: NameField,
        /// Comparison.
        relation: TextRelation,
        /// Value, never empty.
        value: String,
    },
    /// The number of this field is in a relation to the value. An attempt without the number does
    /// not match.
    Number {
        /// Field.
        field: NumberField,
        /// Comparison.
        relation: Relation,
        /// Value, always finite.
        value: f64,
    },
    /// A report's score of the attempt is in a relation to the value.
    Score {
        /// Metric.
        metric: MetricId,
        /// Comparison.
        relation: Relation,
        /// Value, always finite.
        value: f64,
    },
}

/// Comparison of texts. Both ignore case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextRelation {
    /// The text contains the value.
    Contains,
    /// The text equals the value.
    Equals,
}

/// Comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Equal.
    Equal,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// Greater.
    Greater,
    /// Greater or equal.
    AtLeast,
}

impl Relation {
    /// All relations. One that begins with the sign of another comes first.
    pub const ALL: [Self; 5] = [Self::AtMost, Self::AtLeast, Self::Less, Self::Greater, Self::Equal];

    /// Sign of the relation in a query.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Whether `left` is in this relation to `right`.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

impl Query {
    /// Attempts that match all of these; `None` for an empty list.
    pub fn all(parts: Vec<Query>) -> Option<Query> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Query::All(parts) => parts,
            part => vec![part],
        });
        one_or(flat.collect(), Query::All)
    }

    /// Attempts that match at least one of these; `None` for an empty list.
    pub fn any(parts: Vec<Query>) -> Option<Query> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Query::Any(parts) => parts,
            part => vec![part],
        });
        one_or(flat.collect(), Query::Any)
    }

    /// Attempts that do not match `part`.
    pub fn negated(part: Query) -> Query {
        match part {
            Query::Not(part) => *part,
            part => Query::Not(Box::new(part)),
        }
    }

    /// Filters that can be the reason why an attempt matches: all but the negated ones.
    pub fn positive(&self) -> Vec<&Filter> {
        match self {
            Query::All(parts) | Query::Any(parts) => parts.iter().flat_map(Query::positive).collect(),
            Query::Not(_) => Vec::new(),
            Query::Filter(filter) => vec![filter],
        }
    }
}

fn one_or(mut parts: Vec<Query>, list: impl Fn(Vec<Query>) -> Query) -> Option<Query> {
    if parts.len() > 1 { Some(list(parts)) } else { parts.pop() }
}
