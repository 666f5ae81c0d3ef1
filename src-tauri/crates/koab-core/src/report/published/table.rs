//! The two CSV forms of a report: a row a level, and a row a model.

use super::{Figures, NoReport, PublishedLevel, PublishedMean, PublishedReport};
use crate::level::Level;
use crate::score::{MetricId, Scorer};
use csv::{ReaderBuilder, StringRecord};

/// A row of a combined summary.
#[derive(Clone, Debug, PartialEq)]
pub struct CombinedRow {
    /// Its 1-based line in the file.
    pub line: u64,
    /// What it says; `model` is always there.
    pub report: PublishedReport,
}

/// Reads an `evaluation_summary.csv`: a row a level.
///
/// # Errors
/// When it is no such table, with the place.
pub fn read_summary(text: &str) -> Result<PublishedReport, NoReport> {
    let (header, rows) = records(text)?;
    let level_at = find(&header, "Level")
        .filter(|_| find(&header, "Total_Tasks").is_some())
        .ok_or_else(|| NoReport::Form("has no columns `Level` and `Total_Tasks`".to_owned()))?;
    let mut report = PublishedReport {
        scorer: Scorer::Leaderboard,
        ..PublishedReport::default()
    };
    for column in header.iter().filter(|name| *name != "Level") {
        note_unknown(column, column, &mut report);
    }
    for (line, row) in rows {
        let level: Level = row.get(level_at).unwrap_or_default().parse()?;
        if report.level(level).is_some() {
            return Err(NoReport::Form(format!("has two rows of {level} (line {line})")));
        }
        let mut read = PublishedLevel::new(level);
        for (name, cell) in header.iter().zip(&row).filter(|(name, _)| *name != "Level") {
            fill(&mut read, name, cell, line)?;
        }
        report.levels.push(read);
    }
    if report.levels.is_empty() {
        return Err(NoReport::Form("has no row of a level".to_owned()));
    }
    report.levels.sort_by_key(|level| level.level);
    Ok(report)
}

/// Reads a combined summary: a row a model. Rows that cannot be read stand with their reason where they were.
///
/// # Errors
/// When it is no such table at all.
pub fn read_combined(text: &str) -> Result<Vec<Result<CombinedRow, NoReport>>, NoReport> {
    let (header, rows) = records(text)?;
    let columns: Vec<Option<(Level, &str)>> = header.iter().map(column).collect();
    let model_at = find(&header, "Model")
        .filter(|_| columns.iter().any(Option::is_some))
        .ok_or_else(|| NoReport::Form("has no columns `Model` and `L1_Total_Tasks`".to_owned()))?;
    if rows.is_empty() {
        return Err(NoReport::Form("has no row of a model".to_owned()));
    }
    let read = rows.into_iter().map(|(line, row)| {
        let model = row.get(model_at).unwrap_or_default();
        if model.is_empty() {
            return Err(NoReport::Form(format!("names no model in line {line}")));
        }
        let mut report = PublishedReport {
            model: Some(model.to_owned()),
            scorer: Scorer::Leaderboard,
            ..PublishedReport::default()
        };
        for level in Level::ALL {
            let cells = columns.iter().zip(&row).filter_map(|(column, cell)| {
                let (of, name) = (*column)?;
                (of == level && !cell.is_empty()).then_some((name, cell))
            });
            let mut read = PublishedLevel::new(level);
            let mut any = false;
            for (name, cell) in cells {
                any = true;
                fill(&mut read, name, cell, line)?;
            }
            if any {
                report.levels.push(read);
            }
        }
        for (name, column) in header.iter().zip(&columns) {
            if let Some((_, plain)) = column {
                note_unknown(plain, name, &mut report);
            }
        }
        if report.levels.is_empty() {
            return Err(NoReport::Form(format!("has no numbers in line {line}")));
        }
        Ok(CombinedRow { line, report })
    });
    Ok(read.collect())
}

/// The trimmed header and the rows with their lines.
fn records(text: &str) -> Result<(StringRecord, Vec<(u64, StringRecord)>), NoReport> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let no_table = |error: csv::Error| NoReport::Form(format!("is no table: {error}"));
    let header = reader.headers().map_err(no_table)?.clone();
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| match error.kind() {
            csv::ErrorKind::UnequalLengths {
                pos,
                expected_len,
                len,
            } => NoReport::Form(format!(
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

/// `L3_FSM` as its level and the rest.
fn column(name: &str) -> Option<(Level, &str)> {
    let (level, rest) = name.split_once('_')?;
    let level = Level::ALL.into_iter().find(|one| one.as_str() == level)?;
    Some((level, rest))
}

const FIGURES: [&str; 6] = [
    "Total_Tasks",
    "Evaluated_Tasks",
    "Avg_Exec_Time",
    "Avg_Tokens",
    "Avg_TPS",
    "Avg_TTFT",
];

/// A metric by its column; the published combined header misspells two.
fn metric(name: &str) -> Option<MetricId> {
    match name {
        "TooAcc" => Some(MetricId::ToolAcc),
        "ReuseRage" => Some(MetricId::ReuseRate),
        _ => name.parse().ok(),
    }
}

fn note_unknown(name: &str, shown: &str, report: &mut PublishedReport) {
    if !FIGURES.contains(&name) && metric(name).is_none() {
        report
            .left_out
            .push(format!("the column `{shown}` is not known here"));
    }
}

/// Puts a cell where it belongs.
fn fill(level: &mut PublishedLevel, name: &str, cell: &str, line: u64) -> Result<(), NoReport> {
    let number = match cell {
        "" => None,
        text => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            let bad = || {
                NoReport::Form(format!(
                    "holds `{text}` under `{name}` in line {line}, which is no number"
                ))
            };
            Some(number.ok_or_else(bad)?)
        }
    };
    let count = || {
        let whole = number.filter(|n| *n >= 0.0 && n.fract() == 0.0 && *n <= f64::from(u32::MAX));
        match (number, whole) {
            (Some(number), None) => Err(NoReport::Form(format!(
                "holds {number} under `{name}` in line {line}, which is no number of tasks"
            ))),
            _ => Ok(whole.map(|n| n as u32)),
        }
    };
    let measured = number.filter(|figure| *figure != 0.0);
    let figures: &mut Figures = &mut level.figures;
    match name {
        "Total_Tasks" => level.total_tasks = count()?,
        "Evaluated_Tasks" => level.evaluated_tasks = count()?,
        "Avg_Exec_Time" => figures.seconds = number,
        "Avg_Tokens" => figures.tokens = measured,
        "Avg_TPS" => figures.tokens_per_second = measured,
        "Avg_TTFT" => figures.ttft = measured,
        _ => {
            // The published exporter fills the metrics of other levels with 0.0000.
            let of_level = metric(name).filter(|id| id.level().is_none_or(|of| of == level.level));
            if let Some(metric) = of_level {
                level.means.push(PublishedMean {
                    metric,
                    value: number,
                    unscored: 0,
                    reasons: Vec::new(),
                });
                level.means.sort_by_key(|mean| mean.metric);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{CombinedNames, LevelMean, LevelReport, Report, combine, to_csv};
    use crate::score::{MetricSet, metrics_of};
    use proptest::prelude::*;
    use serde_json::json;

    /// A report with these means, as many levels as there are rows.
    fn report(means: &[Vec<Option<f64>>], tasks: usize) -> Report {
        let levels = Level::ALL.into_iter().zip(means).map(|(level, values)| {
            let ids = metrics_of(level, MetricSet::Head)
                .map(|metric| metric.id)
                .chain([MetricId::Rrr]);
            let means = ids.zip(values.iter().cycle()).map(|(metric, value)| LevelMean {
                metric,
                value: *value,
                reason: None,
                scored: 0,
                errored: 0,
                unscored: 0,
                not_applicable: 0,
                unscored_reasons: Vec::new(),
            });
            let metadata =
                json!({"average_execution_time": 5.42, "average_tps": 0.0, "ttft": {"average": 1.5767}});
            LevelReport {
                level,
                total_tasks: tasks,
                metadata: metadata.as_object().cloned().unwrap_or_default(),
                means: means.collect(),
                tasks: Vec::new(),
                skipped: Vec::new(),
            }
        });
        Report {
            model: "a/b".to_owned(),
            judges: Vec::new(),
            votes: 3,
            aggregate: crate::judge::Aggregate::Mean,
            scorer: Scorer::Leaderboard,
            metrics: MetricSet::Head,
            execution_date: "20251219".to_owned(),
            evaluation_date: String::new(),
            sample_size: None,
            levels: levels.collect(),
        }
    }

    /// Means and figures as the file's digits.
    fn told(report: &PublishedReport) -> Vec<(Level, MetricId, Option<String>)> {
        let levels = report.levels.iter();
        let means = levels.flat_map(|level| level.means.iter().map(move |mean| (level.level, mean)));
        means
            .map(|(level, mean)| (level, mean.metric, mean.value.map(|value| format!("{value:.4}"))))
            .collect()
    }

    proptest! {
        /// Whatever is written as a summary or in the combined file is read back with the digits that stand there, and
        /// with no metric that the level does not have.
        #[test]
        fn rows_survive_the_way_out_and_back(
            means in prop::collection::vec(
                prop::collection::vec(prop::option::weighted(0.8, -1.0..=1.0f64), 1..9), 1..=7),
            tasks in 0usize..200,
        ) {
            let written = report(&means, tasks);
            let text = to_csv(&written);
            let read = read_summary(&text).unwrap();
            let mut expected: Vec<_> = written.levels.iter().flat_map(|level| {
                level.means.iter().map(|mean| (level.level, mean.metric, mean.value.map(|value| format!("{value:.4}"))))
            }).collect();
            expected.sort();
            let mut found = told(&read);
            found.sort();
            prop_assert_eq!(&found, &expected);
            prop_assert!(read.levels.iter().all(|level| level.total_tasks == Some(tasks as u32)));
            prop_assert!(read.levels.iter().all(|level| level.figures.ttft == Some(1.5767)
                && level.figures.tokens_per_second.is_none()));
            for names in [CombinedNames::Published, CombinedNames::Plain] {
                let combined = combine(&[("a_b_20251219", text.as_str())], names).unwrap();
                let rows = read_combined(&combined).unwrap();
                let row = rows[0].clone().unwrap();
                let mut found = told(&row.report);
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
                "holds `viel` under `SR` in line 2, which is no number",
            ),
            (
                "Level,Total_Tasks,SR\nL1,11,NaN\n",
                "holds `NaN` under `SR` in line 2, which is no number",
            ),
            (
                "Level,Total_Tasks\nL1,-1\n",
                "holds -1 under `Total_Tasks` in line 2, which is no number of tasks",
            ),
            ("Level,Total_Tasks\nL1,11\nL1,11\n", "has two rows of L1 (line 3)"),
            (
                "Level,Total_Tasks\nL9,1\n",
                "`L9` is no level; levels are L1 to L7",
            ),
        ] {
            assert_eq!(read_summary(text).unwrap_err().to_string(), why, "{text}");
        }
        let rows = read_combined("\u{feff}Model,L1_SR\n\"a, b\",1.0\n,1.0\nc,\nd,x\n").unwrap();
        let said: Vec<String> = rows
            .into_iter()
            .map(|row| match row {
                Ok(row) => row.report.model.unwrap_or_default(),
                Err(error) => error.to_string(),
            })
            .collect();
        assert_eq!(
            said,
            [
                "a, b",
                "names no model in line 3",
                "has no numbers in line 4",
                "holds `x` under `SR` in line 5, which is no number"
            ]
        );
    }
}
