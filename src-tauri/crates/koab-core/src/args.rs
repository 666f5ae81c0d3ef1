//! Checks a model's arguments against a tool's schema and normalizes them for cache keys and calls.
//!
//! The rules are those of the published code (`docs/spec/tools.md` §2 and §3). Nothing else is
//! checked, since a stricter check would turn calls that were answered in the published runs into
//! errors.

use crate::sentence::Sentence;
use crate::tool::{ToolFault, ToolSpec};
use crate::{say, text};
use serde_json::{Map, Number, Value};

/// Arguments after defaults, coercion and dropping of unknown names, sorted by name.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalizedArgs(Value);

impl NormalizedArgs {
    /// The arguments as a JSON object with sorted keys.
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// Takes arguments that are already normalized, such as a record's `input_params`.
    pub fn from_record(params: &Map<String, Value>) -> Self {
        Self(sorted(params.clone()))
    }

    /// Canonical JSON text of the arguments. A cached response is looked up by pack, tool and this
    /// text. Equal arguments have the same text.
    pub fn canonical(&self) -> String {
        crate::python::dumps(&self.0, crate::python::Dumps { sorted: true, ..Default::default() })
    }
}

/// Reads a model's argument text as Python does.
///
/// Empty text is not JSON, and anything but an object is refused. Values that JSON cannot hold
/// become null (NaN, infinities) or are replaced (unpaired surrogates).
///
/// # Errors
/// [`ToolFault::NotJson`] or [`ToolFault::NotAnObject`], both attributed to the model.
pub fn parse(text: &str) -> Result<Map<String, Value>, ToolFault> {
    let value = serde_json::from_str::<Value>(text).or_else(|error| {
        let value = crate::python::loads(text).map_err(|_| error)?;
        Ok(value.to_value(&crate::python::joined))
    });
    match value {
        Ok(Value::Object(map)) => Ok(map),
        Ok(other) => Err(ToolFault::NotAnObject { found: type_name(&other) }),
        Err::<_, serde_json::Error>(error) => Err(ToolFault::NotJson { cause: error.to_string() }),
    }
}

/// Checks raw arguments: required names, strings, integers and their ranges.
///
/// # Errors
/// The first fault in the schema's order, naming argument and reason.
pub fn check(tool: &ToolSpec, raw: &Map<String, Value>) -> Result<(), ToolFault> {
    for name in tool.required() {
        if !raw.contains_key(name) {
            return Err(ToolFault::MissingArgument { tool: tool.name.clone(), argument: name.to_owned() });
        }
    }
    for (name, schema) in tool.properties() {
        let Some(value) = raw.get(name) else { continue };
        let wrong = |wanted: Sentence| ToolFault::WrongArgument {
            tool: tool.name.clone(),
            argument: name.clone(),
            wanted: Box::new(wanted),
            found: Box::new(type_name(value)),
        };
        match schema.get("type").and_then(Value::as_str) {
            Some("string") if !value.is_string() => return Err(wrong(text!("a string").into())),
            Some("integer") => {
                let Some(i) = as_integer(value) else {
                    return Err(wrong(text!("an integer").into()));
                };
                if let Some(least) = schema.get("minimum").and_then(Value::as_f64)
                    && (i as f64) < least
                {
                    return Err(wrong(say!("an integer of {least} or more")));
                }
                if let Some(most) = schema.get("maximum").and_then(Value::as_f64)
                    && (i as f64) > most
                {
                    return Err(wrong(say!("an integer of {most} or less")));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Normalizes checked arguments: adds defaults, converts types, drops unknown names, sorts by name.
pub fn normalize(tool: &ToolSpec, raw: &Map<String, Value>) -> NormalizedArgs {
    let mut args = raw.clone();
    // The one alias of the published catalog. Validation refuses such a call first; records may
    // still hold it.
    if tool.name == "StockPrice_ls" && !args.contains_key("shcode") {
        if let Some(symbol) = args.shift_remove("symbol") {
            args.insert("shcode".to_owned(), symbol);
        }
        args.entry("exchgubun").or_insert_with(|| Value::from("K"));
    }
    let mut normalized = Map::new();
    for (name, schema) in tool.properties() {
        let value = match args.shift_remove(name) {
            Some(value) => coerce(schema, value),
            None => match schema.get("default") {
                Some(default) => coerce(schema, default.clone()),
                None => continue,
            },
        };
        normalized.insert(name.clone(), value);
    }
    NormalizedArgs(sorted(normalized))
}

fn sorted(map: Map<String, Value>) -> Value {
    let mut entries: Vec<(String, Value)> = map.into_iter().collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Value::Object(entries.into_iter().collect())
}

/// Converts a value to its schema's type, as the published code does. In checked calls only numbers
/// and booleans that are written as text need a conversion.
fn coerce(schema: &Value, value: Value) -> Value {
    match (schema.get("type").and_then(Value::as_str), &value) {
        (Some("number"), Value::String(text)) => python_float(text).map_or(value, Value::Number),
        (Some("boolean"), Value::String(text)) => match text.to_lowercase().as_str() {
            "true" | "1" | "yes" => Value::Bool(true),
            "false" | "0" | "no" => Value::Bool(false),
            _ => value,
        },
        (Some("integer"), Value::String(text)) => match text.trim().parse::<i64>() {
            Ok(i) => i.into(),
            Err(_) => value,
        },
        (Some("integer"), Value::Number(n)) if !n.is_i64() && !n.is_u64() => match n.as_f64() {
            Some(x) if x.is_finite() && x.abs() < 9e18 => (x.trunc() as i64).into(),
            _ => value,
        },
        _ => value,
    }
}

/// Python's `float(text)` for finite numbers: surrounding white space and underscores between
/// digits are allowed.
fn python_float(text: &str) -> Option<Number> {
    let trimmed = text.trim();
    let bytes = trimmed.as_bytes();
    let underscores_ok = bytes.iter().enumerate().all(|(i, b)| {
        *b != b'_'
            || (i > 0 && bytes[i - 1].is_ascii_digit() && bytes.get(i + 1).is_some_and(u8::is_ascii_digit))
    });
    if !underscores_ok {
        return None;
    }
    Number::from_f64(trimmed.replace('_', "").parse::<f64>().ok()?)
}

/// Value as an integer. A boolean counts as an integer, as in Python and therefore in the published
/// check.
fn as_integer(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(b) => Some(i128::from(*b)),
        Value::Number(n) => n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from)),
        _ => None,
    }
}

fn type_name(value: &Value) -> Sentence {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => text!("a boolean"),
        Value::Number(n) if n.is_f64() => text!("a decimal number"),
        Value::Number(_) => text!("an integer"),
        Value::String(_) => text!("a string"),
        Value::Array(_) => text!("an array"),
        Value::Object(_) => text!("an object"),
    };
    name.into()
}
