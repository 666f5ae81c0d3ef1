//! CSV forms of a report: a summary with a row per level, and a combined summary with a row per
//! model.

use super::{LevelReport, NoReport, ReadReport, are_groups, check_count, level_of};
use crate::LevelMean;
use csv::{ReaderBuilder, StringRecord};
use koab_core::level::{Level, UnknownLevel};
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde_json::{Map, Value, json};

/// Row of a combined summary.
#[derive(Clone, Debug, PartialEq)]
pub struct CombinedRow {
    /// Line number in the file, from 1.
    pub line: u64,
    /// Report of the row. Its model is never empty.
    pub read: ReadReport,
}

/// Reads an `evaluation_summary.csv`, which has a row per level.
///
/// # Errors
/// When the text is not a summary, with the place of the fault.
pub fn read_summary(text: &str) -> Result<ReadReport, NoReport> {
    let (header, rows) = records(text)?;
    let level_at = find(&header, "Level")
        .filter(|_| find(&header, "Total_Tasks").is_some())
        .ok_or_else(|| NoReport::Form(say!("has no columns `Level` and `Total_Tasks`")))?;
    check_count(rows.len())?;
    let mut levels: Vec<LevelReport> = Vec::new();
    let metrics = header.iter().filter_map(metric);
    let names = rows.iter().map(|(_, row)| row.get(level_at).unwrap_or_default());
    let is_other = metrics.collect::<Vec<_>>() == [MetricId::Sr] && are_groups(names);
    for (line, row) in rows {
        let name = row.get(level_at).unwrap_or_default();
        let level = level_of(name, is_other).ok_or_else(|| UnknownLevel(name.to_owned()))?;
        if levels.iter().any(|known| known.level == level) {
            return Err(NoReport::Form(say!("has two rows of {level} (line {line})")));
        }
        let cells = header.iter().zip(&row).filter(|(name, _)| *name != "Level");
        levels.push(read_level(&level, cells, line)?);
    }
    if levels.is_empty() {
        return Err(NoReport::Form(say!("has no row of a level")));
    }
    let mut read = ReadReport::of_levels(levels);
    let columns = header.iter().filter(|name| *name != "Level");
    read.left_out = columns.filter_map(|column| unknown(column, column)).collect();
    Ok(read)
}

/// Reads a combined summary, which has a row per model. A row that cannot be read is returned as
/// its error, in its place.
///
/// # Errors
/// When the text is not a combined summary.
pub fn read_combined(text: &str) -> Result<Vec<Result<CombinedRow, NoReport>>, NoReport> {
    let (header, rows) = records(text)?;
    let columns: Vec<Option<(Level, &str)>> = header.iter().map(column).collect();
    let model_at = find(&header, "Model")
        .filter(|_| columns.iter().any(Option::is_some))
        .ok_or_else(|| NoReport::Form(say!("has no columns `Model` and `L1_Total_Tasks`")))?;
    if rows.is_empty() {
        return Err(NoReport::Form(say!("has no row of a model")));
    }
    let read = rows.into_iter().map(|(line, row)| {
        let model = row.get(model_at).unwrap_or_default();
        if model.is_empty() {
            return Err(NoReport::Form(say!("names no model in line {line}")));
        }
        let mut levels = Vec::new();
        for level in Level::ALL {
            let cells = columns.iter().zip(&row).filter_map(|(column, cell)| {
                let (of, name) = column.as_ref()?;
                (*of == level && !cell.is_empty()).then_some((*name, cell))
            });
            let mut cells = cells.peekable();
            if cells.peek().is_some() {
                levels.push(read_level(&level, cells, line)?);
            }
        }
        if levels.is_empty() {
            return Err(NoReport::Form(say!("has no numbers in line {line}")));
        }
        let mut read = ReadReport::of_levels(levels);
        model.clone_into(&mut read.report.model);
        let columns = header.iter().zip(&columns);
        read.left_out = columns.filter_map(|(name, column)| unknown(column.as_ref()?.1, name)).collect();
        Ok(CombinedRow { line, read })
    });
    Ok(read.collect())
}

/// Header with trimmed names, and the rows with their line numbers.
fn records(text: &str) -> Result<(StringRecord, Vec<(u64, StringRecord)>), NoReport> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let no_table = |error: csv::Error| NoReport::Form(say!("is not a table: {error}"));
    let header = reader.headers().map_err(no_table)?.clone();
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| match error.kind() {
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => NoReport::Form(say!(
                "has {len} cells in line {} and {expected_len} in its header; it may have been cut off",
                pos.as_ref().map_or(0, csv::Position::line)
            )),
            _ => no_table(error),
        })?;
        let line = row.position().map_or(0, csv::Position::line);
        rows.push((line, row));
    }
    Ok((header, rows))
}

fn find(header: &StringRecord, name: &str) -> Option<usize> {
    header.iter().position(|column| column == name)
}

/// Level and metric in a column name such as `L3_FSM`.
fn column(name: &str) -> Option<(Level, &str)> {
    let (level, rest) = name.split_once('_')?;
    let level = Level::ALL.into_iter().find(|one| one.as_str() == level)?;
    Some((level, rest))
}

const COUNTS: [&str; 2] = ["Total_Tasks", "Evaluated_Tasks"];

/// Columns of figures, each with its key in a log's metadata.
const FIGURES: [(&str, &str); 4] = [
    ("Avg_Exec_Time", "average_execution_time"),
    ("Avg_Tokens", "average_tokens_per_task"),
    ("Avg_TPS", "average_tps"),
    ("Avg_TTFT", "ttft"),
];

/// Metric of a column. The published combined header misspells two metrics.
fn metric(name: &str) -> Option<MetricId> {
    match name {
        "TooAcc" => Some(MetricId::ToolAcc),
        "ReuseRage" => Some(MetricId::ReuseRate),
        _ => name.parse().ok(),
    }
}

/// Sentence about a column that is not known; `None` for a known column.
fn unknown(name: &str, shown: &str) -> Option<Sentence> {
    let is_known = COUNTS.contains(&name) || FIGURES.iter().any(|(column, _)| *column == name);
    (!is_known && metric(name).is_none()).then(|| say!("the column `{shown}` is not known here"))
}

/// Level from the cells of a row, each with its column name.
fn read_level<'a>(
    level: &Level,
    cells: impl Iterator<Item = (&'a str, &'a str)>,
    line: u64,
) -> Result<LevelReport, NoReport> {
    let mut counts = [None; 2];
    let mut metadata = Map::new();
    let mut values = Vec::new();
    for (name, cell) in cells {
        let number = number(name, cell, line)?;
        if let Some(at) = COUNTS.iter().position(|column| *column == name) {
            counts[at] = number.map(|number| whole(number, name, line)).transpose()?;
        } else if let Some((_, key)) = FIGURES.iter().find(|(column, _)| *column == name) {
            let figure = number.map(|number| match *key {
                "ttft" => json!({"average": number}),
                _ => Value::from(number),
            });
            metadata.extend(figure.map(|figure| ((*key).to_owned(), figure)));
        } else {
            // The published exporter fills the metrics of other levels with 0.0000.
            let of_level = metric(name).filter(|id| id.level().is_none_or(|of| of == *level));
            values.extend(of_level.map(|metric| (metric, number)));
        }
    }
    values.sort_by_key(|(metric, _)| *metric);
    let [total, evaluated] = counts;
    let means = values.into_iter();
    Ok(LevelReport {
        level: level.clone(),
        total_tasks: total,
        evaluated_tasks: evaluated,
        metadata,
        means: means.map(|(metric, value)| LevelMean::from_file(metric, value, evaluated)).collect(),
        tasks: Vec::new(),
        skipped: Vec::new(),
    })
}

/// Number in a cell; `None` for an empty cell.
fn number(name: &str, cell: &str, line: u64) -> Result<Option<f64>, NoReport> {
    if cell.is_empty() {
        return Ok(None);
    }
    let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
    number.map(Some).ok_or_else(|| {
        NoReport::Form(say!("holds `{cell}` under `{name}` in line {line}, which is not a number"))
    })
}

fn whole(number: f64, name: &str, line: u64) -> Result<usize, NoReport> {
    if number >= 0.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX) {
        Ok(number as usize)
    } else {
        Err(NoReport::Form(say!(
            "holds {number} under `{name}` in line {line}, which is not a number of tasks"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CombinedNames, Report, combine, to_csv};
    use koab_core::score::{MetricSet, metrics_of};
    use proptest::prelude::*;

    /// A report with these means, as many levels as there are rows.
    fn report(means: &[Vec<Option<f64>>], tasks: usize) -> Report {
        let levels = Level::ALL.into_iter().zip(means).map(|(level, values)| {
            let ids = metrics_of(&level, MetricSet::Head).map(|metric| metric.id).chain([MetricId::Rrr]);
            let means = ids.zip(values.iter().cycle());
            let means = means.map(|(metric, value)| LevelMean::from_file(metric, *value, Some(tasks)));
            let metadata =
                json!({"average_execution_time": 5.42, "average_tps": 0.0, "ttft": {"average": 1.5767}});
            LevelReport {
                level,
                total_tasks: Some(tasks),
                evaluated_tasks: Some(tasks),
                metadata: metadata.as_object().cloned().unwrap_or_default(),
                means: means.collect(),
                tasks: Vec::new(),
                skipped: Vec::new(),
            }
        });
        let report = ReadReport::of_levels(levels.collect()).report;
        Report { metrics: MetricSet::Head, ..report }
    }

    /// Mean of each metric with four decimals, as in the file.
    fn level_means(report: &Report) -> Vec<(&Level, MetricId, Option<String>)> {
        let levels = report.levels.iter();
        let means = levels.flat_map(|level| level.means.iter().map(move |mean| (&level.level, mean)));
        means
            .map(|(level, mean)| (level, mean.metric, mean.figure.value().map(|value| format!("{value:.4}"))))
            .collect()
    }

    proptest! {
        /// A summary and a row of the combined file are read with the digits that were written, and
        /// without metrics that the level does not have.
        #[test]
        fn rows_survive_the_way_out_and_back(
            means in prop::collection::vec(
                prop::collection::vec(prop::option::weighted(0.8, -1.0..=1.0f64), 1..9), 1..=7),
            tasks in 0usize..200,
        ) {
            let written = report(&means, tasks);
            let text = to_csv(&written);
            let read = read_summary(&text).unwrap().report;
            let mut expected: Vec<_> = written.levels.iter().flat_map(|level| {
                level.means.iter().map(|mean| (&level.level, mean.metric, mean.figure.value().map(|value| format!("{value:.4}"))))
            }).collect();
            expected.sort();
            let mut found = level_means(&read);
            found.sort();
            prop_assert_eq!(&found, &expected);
            prop_assert!(read.levels.iter().all(|level| level.total_tasks == Some(tasks)));
            prop_assert!(read.levels.iter().all(|level| level.figure("ttft.average") == Some(1.5767)
                && level.figure("average_tps").is_none()));
            for names in [CombinedNames::Published, CombinedNames::Plain] {
                let combined = combine(&[("a_b_20251219", text.as_str())], names).unwrap();
                let rows = read_combined(&combined).unwrap();
                let row = rows[0].clone().unwrap();
                let mut found = level_means(&row.read.report);
                found.sort();
                // An empty cell of the combined file is no cell.
                let there: Vec<_> = expected.iter().filter(|(.., value)| value.is_some()).cloned().collect();
                prop_assert_eq!(found, there);
            }
        }
    }

    #[test]
    fn a_faulty_table_is_refused_with_its_place() {
        for (text, why) in [
            ("", "has no columns `Level` and `Total_Tasks`"),
            ("Level,SR\nL1,1\n", "has no columns `Level` and `Total_Tasks`"),
            ("Level,Total_Tasks\n", "has no row of a level"),
            (
                "Level,Total_Tasks,SR\nL1,11,0.5\nL2,15\n",
                "has 2 cells in line 3 and 3 in its header; it may have been cut off",
            ),
            (
                "Level,Total_Tasks,SR\nL1,11,viel\n",
                "holds `viel` under `SR` in line 2, which is not a number",
            ),
            ("Level,Total_Tasks,SR\nL1,11,NaN\n", "holds `NaN` under `SR` in line 2, which is not a number"),
            (
                "Level,Total_Tasks\nL1,-1\n",
                "holds -1 under `Total_Tasks` in line 2, which is not a number of tasks",
            ),
            ("Level,Total_Tasks\nL1,11\nL1,11\n", "has two rows of L1 (line 3)"),
            ("Level,Total_Tasks\nL9,1\n", "`L9` is not a level; levels are L1 to L7"),
        ] {
            assert_eq!(read_summary(text).unwrap_err().to_string(), why, "{text}");
        }
        let rows: String = (0..=4096).map(|n| format!("g{n},1,1.0\n")).collect();
        let refused = read_summary(&format!("Level,Total_Tasks,SR\n{rows}")).unwrap_err();
        assert_eq!(refused.to_string(), "has 4097 groups; no benchmark has that many");
        let rows = read_combined("\u{feff}Model,L1_SR\n\"a, b\",1.0\n,1.0\nc,\nd,x\n").unwrap();
        let said: Vec<String> = rows
            .into_iter()
            .map(|row| match row {
                Ok(row) => row.read.report.model,
                Err(error) => error.to_string(),
            })
            .collect();
        assert_eq!(
            said,
            [
                "a, b",
                "names no model in line 3",
                "has no numbers in line 4",
                "holds `x` under `SR` in line 5, which is not a number"
            ]
        );
    }
}
