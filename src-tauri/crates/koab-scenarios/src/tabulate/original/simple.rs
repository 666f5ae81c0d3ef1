//! Tables in the "simple" format of Python's `tabulate`.
//!
//! A column of numbers is aligned right and at the decimal point, with six digits; every other
//! column is aligned left. The kind of a column depends on all its values, so a bool is `True`
//! among bools and 1 among fractions.

use crate::tabulate::columns::{Align, line};

/// A value in a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(usize),
    Float(f64),
    Text(String),
}

/// A row of a table.
pub(super) enum Row {
    Values(Vec<Value>),
    /// A horizontal rule, equal to the rule under the headings.
    Line,
}

/// Kind of a column, from the narrowest to the widest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    None,
    Bool,
    Int,
    Float,
    Text,
}

/// Writes a table; headings may have several lines. Every line ends with a newline.
pub(super) fn simple(headings: &[String], rows: &[Row]) -> String {
    let values = || {
        rows.iter().filter_map(|row| match row {
            Row::Values(values) => Some(values),
            Row::Line => None,
        })
    };
    let columns: Vec<(Align, Vec<String>)> = (0..headings.len())
        .map(|at| column(&values().filter_map(|row| row.get(at)).collect::<Vec<_>>()))
        .collect();
    let widths: Vec<usize> = columns
        .iter()
        .zip(headings)
        .map(|((_, cells), heading)| {
            let heading = heading.split('\n').map(width).max().unwrap_or_default() + 2;
            cells.iter().map(|cell| width(cell)).max().unwrap_or_default().max(heading)
        })
        .collect();
    let aligns: Vec<Align> = columns.iter().map(|(align, _)| *align).collect();
    let mut out = String::new();
    let height = headings.iter().map(|heading| heading.split('\n').count()).max().unwrap_or(1);
    for nth in 0..height {
        let parts: Vec<&str> =
            headings.iter().map(|heading| heading.split('\n').nth(nth).unwrap_or_default()).collect();
        line(&mut out, &parts, &aligns, &widths, width);
    }
    let dashes: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let rule = dashes.join("  ") + "\n";
    out += &rule;
    let mut at = 0;
    for row in rows {
        if matches!(row, Row::Line) {
            out += &rule;
            continue;
        }
        let cells: Vec<&str> = columns.iter().map(|(_, cells)| cells[at].as_str()).collect();
        line(&mut out, &cells, &aligns, &widths, width);
        at += 1;
    }
    out
}

/// Width of a text in columns. Every character counts as one column, even a wide one, as in the
/// original tool.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn column(values: &[&Value]) -> (Align, Vec<String>) {
    // Ids that are numbers count as numbers.
    let kind = values.iter().map(|value| kind(value)).max().unwrap_or(Kind::None);
    let mut cells: Vec<String> = values.iter().map(|value| cell(value, kind)).collect();
    if !matches!(kind, Kind::Int | Kind::Float) {
        return (Align::Left, cells);
    }
    let decimals: Vec<usize> = cells.iter().map(|cell| after_point(cell)).collect();
    let most = decimals.iter().copied().max().unwrap_or_default();
    for (cell, decimals) in cells.iter_mut().zip(decimals) {
        cell.push_str(&" ".repeat(most - decimals));
    }
    (Align::Right, cells)
}

fn kind(value: &Value) -> Kind {
    match value {
        Value::None => Kind::None,
        Value::Bool(_) => Kind::Bool,
        Value::Int(_) => Kind::Int,
        Value::Float(_) => Kind::Float,
        Value::Text(text) if text.is_empty() => Kind::Text,
        Value::Text(text) if text.parse::<i64>().is_ok() => Kind::Int,
        Value::Text(text) if text.parse::<f64>().is_ok() => Kind::Float,
        Value::Text(_) => Kind::Text,
    }
}

fn cell(value: &Value, column: Kind) -> String {
    let number = match value {
        Value::None => return String::new(),
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Int(count) => *count as f64,
        Value::Float(number) => *number,
        Value::Text(text) => match text.parse() {
            Ok(number) => number,
            Err(_) => return text.clone(),
        },
    };
    match value {
        _ if column == Kind::Float => general(number),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(count) => count.to_string(),
        Value::Text(text) => text.clone(),
        Value::Float(_) | Value::None => general(number),
    }
}

/// Number of characters of a number from its decimal point or exponent to its end; 0 if it has
/// neither.
fn after_point(cell: &str) -> usize {
    if cell.parse::<f64>().is_err() {
        return 0;
    }
    cell.rfind('.').or_else(|| cell.rfind('e')).map_or(0, |at| cell.len() - at)
}

/// Formats a number as `%g`: six digits, without trailing zeros, with an exponent if the number is
/// very large or small.
fn general(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let bare = |text: &str| {
        let trimmed =
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
        trimmed.to_owned()
    };
    if (-4..6).contains(&exponent) {
        let places = usize::try_from(5 - exponent).unwrap_or_default();
        return bare(&format!("{number:.places$}"));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", bare(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_have_six_digits() {
        for (number, text) in [
            (2.0 / 3.0, "0.666667"),
            (26.0 / 3.0, "8.66667"),
            (4.0, "4"),
            (0.0, "0"),
            (123_456.7, "123457"),
            (1_234_567.0, "1.23457e+06"),
            (0.000_012_3, "1.23e-05"),
            (0.000_1, "0.0001"),
            (999_999.9, "1e+06"),
            (f64::NAN, "nan"),
            (-2.5, "-2.5"),
        ] {
            assert_eq!(general(number), text);
        }
    }
}
