//! Values in Python's spelling. Chat templates are written for Jinja in Python, and a prompt that
//! differs by one blank is another prompt.
//!
//! `tojson` is `json.dumps` as Hugging Face calls it, and `{{ … }}` prints `str(…)`.

use super::budget::Budget;
use super::refusal::refused;
use koab_core::python;
use koab_core::say;
use minijinja::value::{Kwargs, Tuple, ValueKind};
use minijinja::{Error, ErrorKind, Value};

/// Options of `json.dumps`.
struct Layout {
    ascii: bool,
    sorted: bool,
    indent: Option<String>,
    between: String,
    colon: String,
}

/// The filter `tojson(ensure_ascii=False, indent=None, separators=None, sort_keys=False)`.
pub(super) fn to_json(
    budget: &Budget,
    value: &Value,
    positional: &[Value],
    named: &Kwargs,
) -> Result<String, Error> {
    let option = |place: usize, name: &str| -> Result<Value, Error> {
        match positional.get(place) {
            Some(value) => Ok(value.clone()),
            None => Ok(named.get::<Option<Value>>(name)?.unwrap_or_default()),
        }
    };
    let indent = option(1, "indent")?;
    let indent = match (indent.as_str(), indent.as_i64()) {
        (Some(text), _) => Some(text.to_owned()),
        (_, Some(blanks)) => Some(" ".repeat(blanks.clamp(0, 64) as usize)),
        _ => None,
    };
    let separators: Vec<String> = match option(2, "separators")? {
        value if value.is_none() || value.is_undefined() => Vec::new(),
        value => value.try_iter()?.map(|text| text.to_string()).collect(),
    };
    let [between, colon] = <[String; 2]>::try_from(separators)
        .unwrap_or_else(|_| [if indent.is_some() { "," } else { ", " }.to_owned(), ": ".to_owned()]);
    let layout = Layout {
        ascii: option(0, "ensure_ascii")?.is_true(),
        sorted: option(3, "sort_keys")?.is_true(),
        indent,
        between,
        colon,
    };
    named.assert_all_used()?;
    budget.weigh(value, true)?;
    let mut out = String::new();
    write_json(&mut out, value, &layout, 0)?;
    budget.spend(out.len() as u64)?;
    Ok(out)
}

fn write_json(out: &mut String, value: &Value, layout: &Layout, depth: usize) -> Result<(), Error> {
    match value.kind() {
        ValueKind::None => out.push_str("null"),
        ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Number => out.push_str(&number(value)),
        ValueKind::String => write_text(out, value.as_str().unwrap_or_default(), layout.ascii),
        ValueKind::Seq | ValueKind::Iterable => {
            let items: Vec<Value> = value.try_iter()?.checked().collect::<Result<_, _>>()?;
            write_items(out, layout, depth, ['[', ']'], &items, |out, item| {
                write_json(out, item, layout, depth + 1)
            })?;
        }
        ValueKind::Map => {
            let mut keys: Vec<Value> = value.try_iter()?.checked().collect::<Result<_, _>>()?;
            if layout.sorted {
                keys.sort();
            }
            write_items(out, layout, depth, ['{', '}'], &keys, |out, key| {
                match key.kind() {
                    ValueKind::String => write_text(out, key.as_str().unwrap_or_default(), layout.ascii),
                    // Python writes such keys as texts of their JSON spelling.
                    ValueKind::None | ValueKind::Bool | ValueKind::Number => {
                        out.push('"');
                        write_json(out, key, layout, depth)?;
                        out.push('"');
                    }
                    kind => return Err(not_json(kind)),
                }
                out.push_str(&layout.colon);
                write_json(out, &value.get_item(key)?, layout, depth + 1)
            })?;
        }
        kind => return Err(not_json(kind)),
    }
    Ok(())
}

fn not_json(kind: ValueKind) -> Error {
    refused(ErrorKind::BadSerialization, say!("tojson cannot write a value of type {kind}"))
}

fn write_items(
    out: &mut String,
    layout: &Layout,
    depth: usize,
    [open, close]: [char; 2],
    items: &[Value],
    mut write: impl FnMut(&mut String, &Value) -> Result<(), Error>,
) -> Result<(), Error> {
    let line = |out: &mut String, depth: usize| {
        if let Some(indent) = &layout.indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(indent.as_str(), depth));
        }
    };
    out.push(open);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(&layout.between);
        }
        line(out, depth + 1);
        write(out, item)?;
    }
    if !items.is_empty() {
        line(out, depth);
    }
    out.push(close);
    Ok(())
}

fn write_text(out: &mut String, text: &str, ascii: bool) {
    out.push_str(&python::dumps(
        &serde_json::Value::from(text),
        python::Dumps { ascii, ..Default::default() },
    ));
}

fn number(value: &Value) -> String {
    match f64::try_from(value.clone()) {
        Ok(float) if !value.is_integer() => python::float_repr(float),
        _ => value.to_string(),
    }
}

/// `str(value)`, the spelling of `{{ value }}`, `~`, `join` and `string`.
pub(super) fn to_text(budget: &Budget, value: &Value) -> Result<String, Error> {
    if let Some(text) = value.as_str() {
        budget.spend(text.len() as u64)?;
        return Ok(text.to_owned());
    }
    if value.is_undefined() {
        return Ok(String::new());
    }
    budget.weigh(value, true)?;
    let mut out = String::new();
    write_repr(&mut out, value)?;
    budget.spend(out.len() as u64)?;
    Ok(out)
}

fn write_repr(out: &mut String, value: &Value) -> Result<(), Error> {
    match value.kind() {
        ValueKind::Undefined => out.push_str("Undefined"),
        ValueKind::None => out.push_str("None"),
        ValueKind::Bool => out.push_str(if value.is_true() { "True" } else { "False" }),
        ValueKind::Number => out.push_str(&match number(value).as_str() {
            "NaN" => "nan".to_owned(),
            "Infinity" => "inf".to_owned(),
            "-Infinity" => "-inf".to_owned(),
            spelled => spelled.to_owned(),
        }),
        ValueKind::String => {
            out.push_str(&python::repr(&serde_json::Value::from(value.as_str().unwrap_or_default())))
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let tuple = value.downcast_object_ref::<Tuple>().is_some();
            out.push(if tuple { '(' } else { '[' });
            for (i, item) in value.try_iter()?.checked().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_repr(out, &item?)?;
            }
            out.push_str(match (tuple, value.len()) {
                (true, Some(1)) => ",)",
                (true, _) => ")",
                (false, _) => "]",
            });
        }
        ValueKind::Map => {
            out.push('{');
            for (i, key) in value.try_iter()?.checked().enumerate() {
                let key = key?;
                if i > 0 {
                    out.push_str(", ");
                }
                write_repr(out, &key)?;
                out.push_str(": ");
                write_repr(out, &value.get_item(&key)?)?;
            }
            out.push('}');
        }
        _ => out.push_str(&value.to_string()),
    }
    Ok(())
}
