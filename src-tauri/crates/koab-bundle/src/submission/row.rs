//! The row of a submission in the leaderboard's combined table.

use super::Names;
use koab_report::{CombineError, CombinedNames, combined_row};

/// A row of the combined table, with the table's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Names of the columns, as in the published table.
    pub header: Vec<String>,
    /// Cells of the row, one per column.
    pub cells: Vec<String>,
    /// Header and row as the text of a CSV file.
    pub csv: String,
}

/// A cell whose value differs from the expected value.
pub(super) struct OtherCell {
    pub(super) column: String,
    pub(super) here: String,
    pub(super) there: String,
}

/// Builds the row of a report from its `evaluation_summary.csv` and these names. `folder` is used
/// in error messages.
///
/// # Errors
/// When the text is not a valid summary.
pub fn row(folder: &str, summary: &str, names: &Names) -> Result<Row, CombineError> {
    let table = combined_row(folder, summary, names.of_row(), CombinedNames::Leaderboard)?;
    Ok(Row {
        csv: table.to_csv(),
        cells: table.rows.into_iter().next().unwrap_or_default(),
        header: table.header,
    })
}

impl Row {
    /// Cells of a CSV file that differ from this row.
    ///
    /// `None` when the file cannot be compared with the row, because it is missing or has another
    /// header, a quoted cell or another line ending.
    pub(super) fn differences(&self, given: Option<&[u8]>) -> Option<Vec<OtherCell>> {
        let text = String::from_utf8_lossy(given?);
        if text == self.csv {
            return Some(Vec::new());
        }
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let [header, cells] = lines.as_slice() else {
            return None;
        };
        if *header != self.header || cells.len() != self.cells.len() {
            return None;
        }
        let pairs = self.header.iter().zip(cells).zip(&self.cells);
        let other = pairs.filter(|((_, here), there)| here != there).map(|((column, here), there)| {
            OtherCell { column: column.clone(), here: (*here).to_owned(), there: there.clone() }
        });
        Some(other.collect()).filter(|other: &Vec<_>| !other.is_empty())
    }
}
