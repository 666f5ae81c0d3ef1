//! The table as CSV, one row per trial, for further analysis.

use super::{Table, Verdict};
use koab_core::sheet::{guarded, lf};

const HEADING: [&str; 7] =
    ["instance", "repetition", "verdict", "cause", "exit_code", "seconds", "why_missing"];

impl Table {
    /// CSV with a heading and one row per trial, in the table's order. Unknown values are empty.
    pub fn to_csv(&self) -> String {
        lf(std::iter::once(HEADING.map(ToOwned::to_owned)).chain(self.csv_rows()))
    }

    /// CSV of several scenarios in the format of [`Table::to_csv`], with the scenario's name in an
    /// additional first column.
    pub fn all_to_csv<'a>(tables: impl IntoIterator<Item = (&'a str, &'a Self)>) -> String {
        let heading = std::iter::once("scenario").chain(HEADING);
        let mut rows: Vec<Vec<String>> = vec![heading.map(ToOwned::to_owned).collect()];
        for (scenario, table) in tables {
            rows.extend(table.csv_rows().map(|row| [&[guarded(scenario)], &row[..]].concat()));
        }
        lf(rows)
    }

    fn csv_rows(&self) -> impl Iterator<Item = [String; 7]> {
        let cells = self.rows.iter().flat_map(|row| row.trials.iter().map(move |cell| (row, cell)));
        cells.map(|(row, cell)| {
            let (verdict, why) = match &cell.verdict {
                Verdict::Passed => ("passed", String::new()),
                Verdict::Failed => ("failed", String::new()),
                Verdict::Missing { why } => ("missing", why.to_string()),
            };
            [
                guarded(&row.instance),
                cell.repetition.to_string(),
                verdict.to_owned(),
                cell.cause.map_or("", crate::outcome::Cause::name).to_owned(),
                cell.exit_code.map(|code| code.to_string()).unwrap_or_default(),
                cell.seconds.map(|seconds| seconds.to_string()).unwrap_or_default(),
                guarded(&why),
            ]
        })
    }
}
