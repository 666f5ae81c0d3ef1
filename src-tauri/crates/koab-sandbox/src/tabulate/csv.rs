//! The table as CSV: one row a trial, for whoever counts further.

use super::{Table, Verdict};

impl Table {
    /// A heading and one row a trial, in the table's order. What is not known is empty.
    pub fn to_csv(&self) -> String {
        let mut out = String::from("instance,repetition,verdict,cause,exit_code,seconds,why_missing\n");
        for row in &self.rows {
            for cell in &row.trials {
                let (verdict, why) = match &cell.verdict {
                    Verdict::Passed => ("passed", ""),
                    Verdict::Failed => ("failed", ""),
                    Verdict::Missing { why } => ("missing", why.as_str()),
                };
                let fields = [
                    row.instance.as_str(),
                    &cell.repetition.to_string(),
                    verdict,
                    cell.cause.map_or("", crate::outcome::Cause::name),
                    &cell.exit_code.map(|code| code.to_string()).unwrap_or_default(),
                    &cell
                        .seconds
                        .map(|seconds| seconds.to_string())
                        .unwrap_or_default(),
                    why,
                ]
                .map(field);
                out += &fields.join(",");
                out.push('\n');
            }
        }
        out
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
