//! Faults of a query. Each names the position, counted in characters from 1.

/// Fault of a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum QueryError {
    /// The query has no filter.
    #[error("the query is empty; give words to search for, or a filter such as `tool:NAME`")]
    Empty,
    /// The query is too long, or nested too deeply.
    #[error("the query is too long or has too many brackets in each other; make it shorter")]
    TooLong,
    /// A field that does not exist.
    #[error(
        "character {at}: there is no field `{field}`; the fields are {fields}; put a text with a sign such as `:` in double quotes"
    )]
    UnknownField {
        /// Position.
        at: usize,
        /// Name in the query.
        field: String,
        /// Names of all fields.
        fields: &'static str,
    },
    /// A metric that does not exist.
    #[error("character {at}: there is no metric `{metric}`; the metrics are {metrics}")]
    UnknownMetric {
        /// Position.
        at: usize,
        /// Name in the query.
        metric: String,
        /// Names of all metrics.
        metrics: String,
    },
    /// The field does not have this comparison.
    #[error("character {at}: `{field}` cannot be compared with `{sign}`; it takes {signs}")]
    WrongSign {
        /// Position of the sign.
        at: usize,
        /// Field in the query.
        field: String,
        /// Sign in the query.
        sign: String,
        /// Signs that the field takes.
        signs: &'static str,
    },
    /// No value follows the sign.
    #[error("character {at}: a value must follow `{before}`")]
    NoValue {
        /// Position where the value should be.
        at: usize,
        /// Field and sign before it.
        before: String,
    },
    /// The value is not a number.
    #[error("character {at}: `{value}` is not a number")]
    NoNumber {
        /// Position of the value.
        at: usize,
        /// Value in the query.
        value: String,
    },
    /// A quote that is not closed.
    #[error("character {at}: the double quote is not closed")]
    OpenQuote {
        /// Position of the quote.
        at: usize,
    },
    /// A bracket that is not closed.
    #[error("character {at}: the bracket is not closed")]
    OpenBracket {
        /// Position of the bracket.
        at: usize,
    },
    /// A closing bracket without an opening one.
    #[error("character {at}: the closing bracket has no opening one")]
    LooseBracket {
        /// Position of the bracket.
        at: usize,
    },
    /// A word such as `OR` without a filter next to it.
    #[error(
        "character {at}: a filter must stand before and after `{word}`; write \"{word}\" to search for the word itself"
    )]
    LooseWord {
        /// Position of the word.
        at: usize,
        /// The word.
        word: &'static str,
    },
    /// Nothing follows the sign of negation, or a pair of brackets has no content.
    #[error("character {at}: a filter must stand here")]
    NoFilter {
        /// Position where the filter should be.
        at: usize,
    },
}
