//! The combined summary: one row for each model over their `evaluation_summary.csv` texts (`spec/metrics.md` §9).

mod vendors;

use crate::level::Level;
use crate::python::float_repr;
use crate::score::MetricId;
use std::collections::BTreeMap;

/// How models are named and which spelling the header has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CombinedNames {
    /// As the published script writes it: folder names, vendors from its stale table, two misspelt columns.
    #[default]
    Published,
    /// Short model names with their vendors, right spelling.
    Plain,
}

/// A summary that cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CombineError {
    /// A row has another number of cells than the header.
    #[error("the summary of `{folder}` has {found} cells in line {line} and {wanted} in its header")]
    Cells {
        /// Report folder.
        folder: String,
        /// 1-based line.
        line: usize,
        /// Cells in that line.
        found: usize,
        /// Cells in the header.
        wanted: usize,
    },
    /// The header has no `Level`.
    #[error("the summary of `{folder}` has no column `Level`; it is no evaluation_summary.csv")]
    NoLevel {
        /// Report folder.
        folder: String,
    },
    /// A cell is no number.
    #[error("the summary of `{folder}` holds `{text}` under `{column}` of {level}, which is no number")]
    NotANumber {
        /// Report folder.
        folder: String,
        /// Column.
        column: String,
        /// Level.
        level: String,
        /// The cell.
        text: String,
    },
}

const COUNTS: [&str; 2] = ["Total_Tasks", "Evaluated_Tasks"];
const FIGURES: [&str; 4] = ["Avg_Exec_Time", "Avg_Tokens", "Avg_TPS", "Avg_TTFT"];
const COMMON: [MetricId; 4] = [MetricId::Rrr, MetricId::Sr, MetricId::EprCvr, MetricId::PassAtK];

/// A column of the combined file: where its numbers come from.
struct Column {
    level: Level,
    name: &'static str,
    is_count: bool,
}

/// One summary: level and column to number; null where the cell is empty.
struct Summary {
    model: String,
    cells: BTreeMap<(Level, String), Option<f64>>,
}

/// Combines summaries, each with the name of its report folder (`<model>_<date>`), into one CSV with LF line ends,
/// sorted by model. 89 columns, or 91 when a summary has `ProvAcc` or `ReuseRate`.
///
/// # Errors
/// [`CombineError`] naming the folder and place.
pub fn combine(summaries: &[(&str, &str)], names: CombinedNames) -> Result<String, CombineError> {
    let mut read = summaries
        .iter()
        .map(|(folder, text)| Summary::read(folder, text))
        .collect::<Result<Vec<_>, _>>()?;
    read.sort_by(|a, b| a.model.cmp(&b.model));
    let with_dropped = read
        .iter()
        .any(|summary| summary.has(MetricId::ProvAcc) || summary.has(MetricId::ReuseRate));
    let columns = columns(with_dropped);
    let mut header = vec!["Model".to_owned(), "Vendor".to_owned(), "Model Type".to_owned()];
    header.extend(
        columns
            .iter()
            .map(|column| format!("{}_{}", column.level, spelling(column.name, names))),
    );
    let mut out = header.join(",") + "\n";
    for summary in &read {
        let known = vendors::find(&summary.model, names);
        let mut row = vec![quoted(known.name), quoted(known.vendor), quoted(known.kind)];
        for column in &columns {
            // A column of counts turns into fractions as soon as one model lacks the level.
            let is_whole = column.is_count && read.iter().all(|summary| summary.cell(column).is_some());
            row.push(match summary.cell(column) {
                None => String::new(),
                Some(count) if is_whole => format!("{count:.0}"),
                Some(number) => float_repr(number),
            });
        }
        out.push_str(&row.join(","));
        out.push('\n');
    }
    Ok(out)
}

fn columns(with_dropped: bool) -> Vec<Column> {
    let each = |name, is_count| {
        Level::ALL.into_iter().map(move |level| Column {
            level,
            name,
            is_count,
        })
    };
    let counts = COUNTS.into_iter().flat_map(|name| each(name, true));
    let figures = FIGURES.into_iter().flat_map(|name| each(name, false));
    let common = COMMON.into_iter().flat_map(|metric| each(metric.name(), false));
    let own = MetricId::ALL
        .into_iter()
        .filter(|metric| with_dropped || metric.is_in_head())
        .filter_map(|metric| {
            Some(Column {
                level: metric.level()?,
                name: metric.name(),
                is_count: false,
            })
        });
    counts.chain(figures).chain(common).chain(own).collect()
}

/// The published header misspells two metrics.
fn spelling(name: &'static str, names: CombinedNames) -> &'static str {
    match (names, name) {
        (CombinedNames::Published, "ToolAcc") => "TooAcc",
        (CombinedNames::Published, "ReuseRate") => "ReuseRage",
        _ => name,
    }
}

impl Summary {
    fn read(folder: &str, text: &str) -> Result<Self, CombineError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        let header: Vec<&str> = lines
            .next()
            .map_or("", |(_, line)| line)
            .split(',')
            .map(str::trim)
            .collect();
        let level_at =
            header
                .iter()
                .position(|name| *name == "Level")
                .ok_or_else(|| CombineError::NoLevel {
                    folder: folder.to_owned(),
                })?;
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
            // A row of no level has no place in the combined file.
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
                cells.insert((level, (*name).to_owned()), number);
            }
        }
        let model = folder
            .rsplit_once('_')
            .map_or(folder, |(model, _)| model)
            .to_owned();
        Ok(Self { model, cells })
    }

    fn has(&self, metric: MetricId) -> bool {
        self.cells.keys().any(|(_, name)| name == metric.name())
    }

    fn cell(&self, column: &Column) -> Option<f64> {
        self.cells
            .get(&(column.level, column.name.to_owned()))
            .copied()
            .flatten()
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
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
    fn wrong_summaries_name_folder_and_place() {
        for (text, message) in [
            (
                "a,b\n1,2\n",
                "the summary of `f` has no column `Level`; it is no evaluation_summary.csv",
            ),
            (
                "Level,SR\nL1\n",
                "the summary of `f` has 1 cells in line 2 and 2 in its header",
            ),
            (
                "Level,SR\nL1,x\n",
                "the summary of `f` holds `x` under `SR` of L1, which is no number",
            ),
        ] {
            let error = combine(&[("f", text)], CombinedNames::Plain).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
