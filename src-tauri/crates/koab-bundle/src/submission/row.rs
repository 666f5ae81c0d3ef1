//! The row of the combined table that the leaderboard would show.

use super::Names;
use koab_report::{CombineError, CombinedNames, combined_row};

/// A row with its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Names of the columns, as published.
    pub header: Vec<String>,
    /// As many cells.
    pub cells: Vec<String>,
    /// Header and row as a CSV file.
    pub csv: String,
}

/// A cell of a row that should be another one.
pub(super) struct OtherCell {
    pub(super) column: String,
    pub(super) here: String,
    pub(super) there: String,
}

/// The row of a report, from its `evaluation_summary.csv` and under these names. `folder` is named
/// in errors.
///
/// # Errors
/// When the text is no summary.
pub fn row(folder: &str, summary: &str, names: &Names) -> Result<Row, CombineError> {
    let table = combined_row(folder, summary, names.of_row(), CombinedNames::Leaderboard)?;
    Ok(Row {
        csv: table.to_csv(),
        cells: table.rows.into_iter().next().unwrap_or_default(),
        header: table.header,
    })
}

impl Row {
    /// The cells of a given file that are not this row's; `None` when it is no such row at all: it
    /// is not there, or has another header, a quoted cell or another end of line.
    pub(super) fn differences(&self, given: Option<&[u8]>) -> Option<Vec<OtherCell>> {
        let given = String::from_utf8_lossy(given?);
        if given == self.csv {
            return Some(Vec::new());
        }
        let lines: Vec<Vec<&str>> = given.lines().map(|line| line.split(',').collect()).collect();
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
