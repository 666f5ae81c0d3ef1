//! Values that Python's `json.loads` returns.

use indexmap::IndexMap;
use serde_json::{Number, Value};

/// A Python value that `json.loads` can return.
#[derive(Clone, Debug)]
pub enum PyValue {
    /// `None`.
    None,
    /// `True` and `False`, which are numbers, too.
    Bool(bool),
    /// `int`, of any size.
    Int(Int),
    /// `float`.
    Float(f64),
    /// `str`. A lone surrogate is represented by a character of the last private-use plane.
    Text(String),
    /// `list`.
    List(Vec<PyValue>),
    /// `dict`, in the order of its keys.
    Dict(IndexMap<String, PyValue>),
}

/// A whole number of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Int {
    /// An integer of at most 64 bits.
    Small(i64),
    /// Sign and digits of an integer beyond 64 bits, without leading zeros.
    Big(String),
}

impl Int {
    /// Creates an integer from decimal ASCII digits.
    pub fn of_digits(negative: bool, digits: &str) -> Self {
        let digits = digits.trim_start_matches('0');
        let sign = if negative { "-" } else { "" };
        let text = format!("{sign}{digits}");
        match text.parse() {
            Ok(small) => Self::Small(small),
            Err(_) if digits.is_empty() => Self::Small(0),
            Err(_) => Self::Big(text),
        }
    }

    /// `float(x)`; infinite for a number beyond the range of floats.
    pub fn as_float(&self) -> f64 {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "Python rounds likewise")]
            Self::Small(small) => *small as f64,
            Self::Big(text) => text.parse().unwrap_or(f64::NAN),
        }
    }

    fn equals(&self, float: f64) -> bool {
        if !float.is_finite() || float.fract() != 0.0 {
            return false;
        }
        // A float without a fraction prints all of its digits.
        match self {
            Self::Small(0) => float == 0.0,
            Self::Small(small) => format!("{float:.0}") == small.to_string(),
            Self::Big(text) => format!("{float:.0}") == *text,
        }
    }
}

impl PyValue {
    /// Python's `a == b`: numbers and booleans by value, objects without regard to the order of
    /// keys.
    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b)),
            (Self::Dict(a), Self::Dict(b)) => {
                a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| a.equals(b)))
            }
            (Self::Float(a), Self::Float(b)) => a == b,
            (a, b) => match (a.whole(), b.whole()) {
                (Some(a), Some(b)) => a == b,
                (Some(a), None) => matches!(b, Self::Float(b) if a.equals(*b)),
                (None, Some(b)) => matches!(a, Self::Float(a) if b.equals(*a)),
                (None, None) => false,
            },
        }
    }

    /// The text, if the value is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the value is the empty text. In a ground truth, an empty text means that the
    /// parameter is optional.
    pub fn is_blank(&self) -> bool {
        self.text() == Some("")
    }

    /// Converts the value to standard JSON. NaN and infinities become null, integers beyond 64 bits
    /// the nearest float.
    ///
    /// `text` converts texts, which may contain unpaired surrogates ([`joined`](super::joined)).
    pub fn to_value(&self, text: &dyn Fn(&str) -> String) -> Value {
        match self {
            Self::None => Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Int(Int::Small(small)) => (*small).into(),
            Self::Int(whole @ Int::Big(digits)) => match digits.parse::<u64>() {
                Ok(unsigned) => unsigned.into(),
                Err(_) => Number::from_f64(whole.as_float()).into(),
            },
            Self::Float(float) => Number::from_f64(*float).into(),
            Self::Text(it) => text(it).into(),
            Self::List(items) => items.iter().map(|item| item.to_value(text)).collect(),
            Self::Dict(entries) => {
                let entries = entries.iter().map(|(key, value)| (text(key), value.to_value(text)));
                Value::Object(entries.collect())
            }
        }
    }

    /// Replaces each integer beyond 64 bits by the text of its digits.
    #[must_use]
    pub fn with_digits_as_text(self) -> Self {
        match self {
            Self::Int(Int::Big(digits)) if digits.parse::<u64>().is_err() => Self::Text(digits),
            Self::List(items) => Self::List(items.into_iter().map(Self::with_digits_as_text).collect()),
            Self::Dict(entries) => {
                let entries = entries.into_iter();
                Self::Dict(entries.map(|(key, value)| (key, value.with_digits_as_text())).collect())
            }
            other => other,
        }
    }

    fn whole(&self) -> Option<Int> {
        match self {
            Self::Bool(value) => Some(Int::Small((*value).into())),
            Self::Int(value) => Some(value.clone()),
            _ => None,
        }
    }
}

impl From<&Value> for PyValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::None,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(small), _) => Self::Int(Int::Small(small)),
                (None, Some(big)) => Self::Int(Int::Big(big.to_string())),
                (None, None) => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(map) => {
                Self::Dict(map.iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
        }
    }
}
