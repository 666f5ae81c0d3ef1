//! Kinds of values, which the types of all languages are mapped to (`docs/spec/bfcl.md` §4).

use super::category::Language;
use crate::python::PyValue;

/// Python type of a value, as the checker distinguishes types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Integer,
    Float,
    Boolean,
    List,
    Dict,
}

impl Kind {
    /// Kind of a value; `None` for null. A boolean is not an integer here.
    pub(super) fn from_value(value: &PyValue) -> Option<Self> {
        match value {
            PyValue::None => None,
            PyValue::Bool(_) => Some(Self::Boolean),
            PyValue::Int(_) => Some(Self::Integer),
            PyValue::Float(_) => Some(Self::Float),
            PyValue::Text(_) => Some(Self::Text),
            PyValue::List(_) => Some(Self::List),
            PyValue::Dict(_) => Some(Self::Dict),
        }
    }

    /// Kind that corresponds to a type of the language.
    pub(super) fn expected(type_name: &str, language: Language) -> Self {
        match (language, type_name) {
            (_, "float") | (Language::Java, "double") => Self::Float,
            (_, "integer")
            | (Language::Java, "byte" | "short" | "long")
            | (Language::JavaScript, "Bigint") => Self::Integer,
            (Language::Python | Language::Java, "boolean") | (Language::JavaScript, "Boolean") => {
                Self::Boolean
            }
            (Language::Python, "array" | "tuple")
            | (Language::Java, "Array" | "ArrayList")
            | (Language::JavaScript, "array") => Self::List,
            (Language::Python | Language::JavaScript, "dict") | (Language::Java, "HashMap") => Self::Dict,
            _ => Self::Text,
        }
    }
}
