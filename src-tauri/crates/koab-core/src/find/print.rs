//! Canonical spelling of a query. Parsing it gives the same query.

use super::fields::{SCORE, TextField};
use super::query::{Filter, Query, TextRelation};
use std::fmt::{Display, Formatter, Result};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Query::All(parts) => joined(f, parts, " ", |part| matches!(part, Query::Any(_))),
            Query::Any(parts) => joined(f, parts, " OR ", |_| false),
            Query::Not(part) => {
                f.write_str("-")?;
                inner(f, part, matches!(**part, Query::All(_) | Query::Any(_)))
            }
            Query::Filter(filter) => write!(f, "{filter}"),
        }
    }
}

fn joined(f: &mut Formatter<'_>, parts: &[Query], between: &str, in_brackets: fn(&Query) -> bool) -> Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        inner(f, part, in_brackets(part))?;
    }
    Ok(())
}

fn inner(f: &mut Formatter<'_>, part: &Query, in_brackets: bool) -> Result {
    if in_brackets { write!(f, "({part})") } else { write!(f, "{part}") }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Filter::Anywhere(text) => value(f, text, true),
            Filter::Text { field, relation, value: text } => {
                f.write_str(field.word())?;
                if let TextField::Argument(Some(name)) = field {
                    write!(f, ".{name}")?;
                }
                f.write_str(match relation {
                    TextRelation::Contains => "~",
                    TextRelation::Equals => "=",
                })?;
                value(f, text, false)
            }
            Filter::Name { field, relation, value: text } => {
                f.write_str(field.word())?;
                f.write_str(match relation {
                    TextRelation::Contains => "~",
                    TextRelation::Equals => ":",
                })?;
                value(f, text, false)
            }
            Filter::Number { field, relation, value } => {
                write!(f, "{}{}{value}", field.word(), relation.sign())
            }
            Filter::Score { metric, relation, value } => {
                write!(f, "{SCORE}:{}{}{value}", metric.name(), relation.sign())
            }
        }
    }
}

/// Writes a value, in quotes where it would be read as something else without them.
fn value(f: &mut Formatter<'_>, text: &str, is_word: bool) -> Result {
    let special =
        |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | ':' | '=' | '~' | '<' | '>' | '\\');
    let reads_as_operator = is_word && (text.starts_with('-') || matches!(text, "AND" | "OR" | "NOT"));
    if text.is_empty() || text.contains(special) || reads_as_operator {
        write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        f.write_str(text)
    }
}
