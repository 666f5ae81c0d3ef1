//! The table as CSV: one row a trial, for whoever counts further.

use super::{Table, Verdict};

const HEADING: &str = "instance,repetition,verdict,cause,exit_code,seconds,why_missing";

impl Table {
    /// A heading and one row a trial, in the table's order. What is not known is empty.
    pub fn to_csv(&self) -> String {
        format!("{HEADING}\n{}", self.csv_rows(""))
    }

    /// As [`Table::to_csv`] for several scenarios in one text, whose names stand in a first column.
    pub fn all_to_csv<'a>(tables: impl IntoIterator<Item = (&'a str, &'a Self)>) -> String {
        let mut out = format!("scenario,{HEADING}\n");
        for (scenario, table) in tables {
            out += &table.csv_rows(&format!("{},", text(scenario)));
        }
        out
    }

    fn csv_rows(&self, before: &str) -> String {
        let mut out = String::new();
        for row in &self.rows {
            for cell in &row.trials {
                let (verdict, why) = match &cell.verdict {
                    Verdict::Passed => ("passed", ""),
                    Verdict::Failed => ("failed", ""),
                    Verdict::Missing { why } => ("missing", why.as_str()),
                };
                let fields = [
                    text(&row.instance),
                    cell.repetition.to_string(),
                    verdict.to_owned(),
                    cell.cause.map_or("", crate::outcome::Cause::name).to_owned(),
                    cell.exit_code.map(|code| code.to_string()).unwrap_or_default(),
                    cell.seconds
                        .map(|seconds| seconds.to_string())
                        .unwrap_or_default(),
                    text(why),
                ];
                out += before;
                out += &fields.join(",");
                out.push('\n');
            }
        }
        out
    }
}

/// Text of a scenario's makers. What a spreadsheet would take for a formula, and run, begins with an apostrophe, by which it is
/// shown as text; numbers of ours are never such cells.
fn text(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        field(&format!("'{text}"))
    } else {
        field(text)
    }
}

/// Quoted where it must be (RFC 4180).
pub(super) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
