//! The combined summary: a table with one row for each model, made from the reports'
//! `evaluation_summary.csv` files (`docs/spec/metrics.md` §9).

mod names;
mod vendors;

pub use names::CombinedNames;

use koab_core::level::Level;
use koab_core::python::float_repr;
use koab_core::score::MetricId;
use koab_core::sheet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CombinedOrder {
    /// Order by the name of the report's folder.
    #[default]
    Folder,
    /// Order by the model's name in the table, then by folder.
    Name,
    /// Order by the mean of SR over all evaluated tasks, the best first; rows without a mean come
    /// last.
    Success,
    /// Order of the input.
    Given,
}

/// First three cells of a row. They are not in the summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowNames {
    /// Name of the model.
    pub model: String,
    /// Vendor of the model.
    pub vendor: String,
    /// Model type: `API`, `OSS` or `Unknown`.
    pub kind: String,
}

impl RowNames {
    /// Names for the model of a report folder, from the product's table or the published one.
    ///
    /// An unknown model keeps its folder name and has the vendor and type `Unknown`.
    pub fn look_up(folder_model: &str, names: CombinedNames) -> Self {
        let entry = vendors::find(folder_model, names);
        Self { model: entry.name.to_owned(), vendor: entry.vendor.to_owned(), kind: entry.kind.to_owned() }
    }
}

/// Combined table as cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombinedTable {
    /// Names of the columns.
    pub header: Vec<String>,
    /// One row per summary, with one cell per column. The cells of a missing level are empty.
    pub rows: Vec<Vec<String>>,
}

impl CombinedTable {
    /// The table as CSV with LF line ends.
    pub fn to_csv(&self) -> String {
        sheet::lf(std::iter::once(&self.header).chain(&self.rows))
    }
}

/// Reason why a summary cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum CombineError {
    /// The number of cells in a row differs from the header.
    #[error("the summary of `{folder}` has {found} cells in line {line} and {wanted} in its header")]
    Cells {
        /// Report folder.
        folder: String,
        /// Line number, from 1.
        line: usize,
        /// Number of cells in that line.
        found: usize,
        /// Number of cells in the header.
        wanted: usize,
    },
    /// The header has no column `Level`.
    #[error("the summary of `{folder}` has no column `Level`; it is not an evaluation_summary.csv")]
    NoLevel {
        /// Report folder.
        folder: String,
    },
    /// A cell is not a number.
    #[error("the summary of `{folder}` holds `{text}` under `{column}` of {level}, which is not a number")]
    NotANumber {
        /// Report folder.
        folder: String,
        /// Name of the column.
        column: String,
        /// Level of the row.
        level: String,
        /// Text of the cell.
        text: String,
    },
}

const COUNTS: [&str; 2] = ["Total_Tasks", "Evaluated_Tasks"];
const FIGURES: [&str; 4] = ["Avg_Exec_Time", "Avg_Tokens", "Avg_TPS", "Avg_TTFT"];
const COMMON: [MetricId; 4] = [MetricId::Rrr, MetricId::Sr, MetricId::EprCvr, MetricId::PassAtK];

/// Column of the combined file, with the level and the column that its numbers come from.
struct Column {
    level: Level,
    name: &'static str,
    is_count: bool,
}

/// Numbers of one summary by level and column; null where the cell is empty.
struct Summary {
    model: String,
    cells: BTreeMap<(Level, String), Option<f64>>,
}

/// Combines summaries into one CSV text with LF line ends, sorted by model.
///
/// Each summary has the name of its report folder (`<model>_<date>`). The CSV has 89 columns, or 91
/// when a summary has `ProvAcc` or `ReuseRate`.
///
/// # Errors
/// [`CombineError`] with the folder and the place.
pub fn combine(summaries: &[(&str, &str)], names: CombinedNames) -> Result<String, CombineError> {
    Ok(combine_ordered(summaries, names, CombinedOrder::Folder)?.to_csv())
}

/// Combines summaries into a table, in a given order.
///
/// # Errors
/// Errors of [`combine`].
pub fn combine_ordered(
    summaries: &[(&str, &str)],
    names: CombinedNames,
    order: CombinedOrder,
) -> Result<CombinedTable, CombineError> {
    let mut read = Vec::new();
    for (folder, text) in summaries {
        let summary = Summary::read(folder, text)?;
        read.push((RowNames::look_up(&summary.model, names), summary));
    }
    match order {
        CombinedOrder::Folder => read.sort_by(|(_, a), (_, b)| a.model.cmp(&b.model)),
        CombinedOrder::Name => {
            read.sort_by(|(a, x), (b, y)| (&a.model, &x.model).cmp(&(&b.model, &y.model)));
        }
        CombinedOrder::Success => read.sort_by(|(_, a), (_, b)| {
            let rate = |summary: &Summary| summary.success_rate().unwrap_or(f64::NEG_INFINITY);
            rate(b).total_cmp(&rate(a)).then_with(|| a.model.cmp(&b.model))
        }),
        CombinedOrder::Given => {}
    }
    Ok(table(&read, names))
}

/// Row of one summary, with the given names.
///
/// # Errors
/// Errors of [`combine`].
pub fn combined_row(
    folder: &str,
    text: &str,
    names: RowNames,
    spelling: CombinedNames,
) -> Result<CombinedTable, CombineError> {
    Ok(table(&[(names, Summary::read(folder, text)?)], spelling))
}

fn table(read: &[(RowNames, Summary)], names: CombinedNames) -> CombinedTable {
    let with_dropped =
        read.iter().any(|(_, summary)| summary.has(MetricId::ProvAcc) || summary.has(MetricId::ReuseRate));
    let columns = columns(with_dropped);
    let mut header = vec!["Model".to_owned(), "Vendor".to_owned(), "Model Type".to_owned()];
    header.extend(columns.iter().map(|column| format!("{}_{}", column.level, spelling(column.name, names))));
    let row = |(known, summary): &(RowNames, Summary)| {
        let mut row = vec![known.model.clone(), known.vendor.clone(), known.kind.clone()];
        for column in &columns {
            // A column of counts turns into fractions as soon as one model lacks the level.
            let is_whole = column.is_count && read.iter().all(|(_, summary)| summary.cell(column).is_some());
            row.push(match summary.cell(column) {
                None => String::new(),
                Some(count) if is_whole => format!("{count:.0}"),
                Some(number) => float_repr(number),
            });
        }
        row
    };
    CombinedTable { header, rows: read.iter().map(row).collect() }
}

fn columns(with_dropped: bool) -> Vec<Column> {
    let each = |name, is_count| Level::ALL.into_iter().map(move |level| Column { level, name, is_count });
    let counts = COUNTS.into_iter().flat_map(|name| each(name, true));
    let figures = FIGURES.into_iter().flat_map(|name| each(name, false));
    let common = COMMON.into_iter().flat_map(|metric| each(metric.name(), false));
    let own = MetricId::ALL
        .into_iter()
        .filter(|metric| with_dropped || metric.is_in_head())
        .filter_map(|metric| Some(Column { level: metric.level()?, name: metric.name(), is_count: false }));
    counts.chain(figures).chain(common).chain(own).collect()
}

/// Name of a column. The published header misspells two metrics.
fn spelling(name: &'static str, names: CombinedNames) -> &'static str {
    match (names, name) {
        (CombinedNames::Published | CombinedNames::Leaderboard, "ToolAcc") => "TooAcc",
        (CombinedNames::Published | CombinedNames::Leaderboard, "ReuseRate") => "ReuseRage",
        _ => name,
    }
}

impl Summary {
    fn read(folder: &str, text: &str) -> Result<Self, CombineError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let header: Vec<&str> = lines.next().map_or("", |(_, line)| line).split(',').map(str::trim).collect();
        let level_at = header
            .iter()
            .position(|name| *name == "Level")
            .ok_or_else(|| CombineError::NoLevel { folder: folder.to_owned() })?;
        let mut cells = BTreeMap::new();
        for (i, line) in lines {
            let row: Vec<&str> = line.split(',').map(str::trim).collect();
            if row.len() != header.len() {
                return Err(CombineError::Cells {
                    folder: folder.to_owned(),
                    line: i + 1,
                    found: row.len(),
                    wanted: header.len(),
                });
            }
            // A row without a level does not belong in the combined file.
            let Ok(level) = row[level_at].parse::<Level>() else {
                continue;
            };
            for (name, text) in header.iter().zip(&row).filter(|(name, _)| **name != "Level") {
                let number = match *text {
                    "" => None,
                    text => Some(text.parse::<f64>().map_err(|_| CombineError::NotANumber {
                        folder: folder.to_owned(),
                        column: (*name).to_owned(),
                        level: level.to_string(),
                        text: text.to_owned(),
                    })?),
                };
                cells.insert((level.clone(), (*name).to_owned()), number);
            }
        }
        let model = folder.rsplit_once('_').map_or(folder, |(model, _)| model).to_owned();
        Ok(Self { model, cells })
    }

    fn has(&self, metric: MetricId) -> bool {
        self.cells.keys().any(|(_, name)| name == metric.name())
    }

    /// SR over all evaluated tasks; `None` when a level has no value.
    fn success_rate(&self) -> Option<f64> {
        let (mut sum, mut tasks) = (0.0, 0.0);
        for level in &Level::ALL {
            let cell = |name: &str| self.cells.get(&(level.clone(), name.to_owned())).copied();
            if let (Some(rate), Some(count)) = (cell("SR"), cell("Evaluated_Tasks")) {
                sum += rate? * count?;
                tasks += count?;
            }
        }
        (tasks > 0.0).then(|| sum / tasks)
    }

    fn cell(&self, column: &Column) -> Option<f64> {
        self.cells.get(&(column.level.clone(), column.name.to_owned())).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_level_leaves_cells_empty_and_turns_its_counts_into_fractions() {
        let a = ("m_b_2025", "Level,Total_Tasks,SR\r\nL1,11,0.5000\r\nL2,15,\r\n");
        let b = ("m_a_2025", "Level,Total_Tasks,SR\nL2,15,1.0000\n");
        let combined = combine(&[a, b], CombinedNames::Published).unwrap();
        let table: Vec<Vec<&str>> = combined.lines().map(|line| line.split(',').collect()).collect();
        let column = |name: &str| {
            let at = table[0].iter().position(|column| *column == name).unwrap();
            [table[1][at], table[2][at]]
        };
        assert_eq!(table[0].len(), 89);
        assert_eq!(column("Model"), ["m_a", "m_b"]);
        assert_eq!(column("L1_Total_Tasks"), ["", "11.0"]);
        assert_eq!(column("L2_Total_Tasks"), ["15", "15"]);
        assert_eq!(column("L2_SR"), ["1.0", ""]);
    }

    #[test]
    fn rows_stand_in_the_order_that_was_asked_for() {
        let of = |rate: &str| format!("Level,Evaluated_Tasks,SR\nL1,11,{rate}\n");
        let (low, high, none) = (of("0.2500"), of("0.7500"), of(""));
        let summaries = [
            ("a_gpt-5_1", none.as_str()),
            ("b_gpt-4o_1", low.as_str()),
            ("c_claude-sonnet-4-5_1", high.as_str()),
        ];
        let models = |order| -> Vec<String> {
            let table = combine_ordered(&summaries, CombinedNames::Leaderboard, order).unwrap();
            table.rows.iter().map(|row| row[0].clone()).collect()
        };
        assert_eq!(models(CombinedOrder::Folder), ["gpt-5", "gpt-4o", "claude-sonnet-4-5"]);
        assert_eq!(models(CombinedOrder::Name), ["claude-sonnet-4-5", "gpt-4o", "gpt-5"]);
        assert_eq!(models(CombinedOrder::Success), ["claude-sonnet-4-5", "gpt-4o", "gpt-5"]);
        assert_eq!(models(CombinedOrder::Given), ["gpt-5", "gpt-4o", "claude-sonnet-4-5"]);
    }

    #[test]
    fn wrong_summaries_name_folder_and_place() {
        for (text, message) in [
            ("a,b\n1,2\n", "the summary of `f` has no column `Level`; it is not an evaluation_summary.csv"),
            ("Level,SR\nL1\n", "the summary of `f` has 1 cells in line 2 and 2 in its header"),
            ("Level,SR\nL1,x\n", "the summary of `f` holds `x` under `SR` of L1, which is not a number"),
        ] {
            let error = combine(&[("f", text)], CombinedNames::Plain).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
