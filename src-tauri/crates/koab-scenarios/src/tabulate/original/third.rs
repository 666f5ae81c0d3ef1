//! Tables of the package's successor `agbench`: a data frame with success and time by trial, and
//! summary statistics.
//!
//! While the original tool reads a task, it fills the rows of the previous tasks up to the number
//! of trials of this task. So a row that has fewer trials than a later row gets empty values. A row
//! that has fewer trials than earlier rows gets no values, and the frame treats them as "not a
//! number". The summary covers only trials that the last task has.

use super::simple::{Row, Value, simple};
use super::task::{Task, Trial};
use koab_core::python::float_repr;
use koab_core::sheet::lf;

/// A value of the frame. `Absent` means that the row has no such column.
#[derive(Clone, Copy, PartialEq)]
enum Entry<T> {
    Absent,
    Empty,
    Is(T),
}

impl<T> Entry<T> {
    fn new(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Self::Is)
    }
}

struct Frame<'a> {
    tasks: &'a [Task],
    /// Trial numbers in the order of their columns.
    columns: Vec<u32>,
    /// Number of the last trial that is filled in, for each task's row.
    filled: Vec<u32>,
}

pub(super) fn write(tasks: &[Task], csv: bool) -> String {
    let highest = |task: &Task| task.trials.iter().map(|trial| trial.number).max().unwrap_or_default();
    let mut filled: Vec<u32> = tasks.iter().map(highest).collect();
    for at in (1..filled.len()).rev() {
        filled[at - 1] = filled[at - 1].max(filled[at]);
    }
    let mut columns: Vec<u32> = Vec::new();
    for (task, filled) in tasks.iter().zip(&filled) {
        for number in task.trials.iter().map(|trial| trial.number).chain(0..=*filled) {
            if !columns.contains(&number) {
                columns.push(number);
            }
        }
    }
    let last = tasks.last().map(highest).unwrap_or_default();
    let frame = Frame { tasks, columns, filled };
    if csv { frame.csv() } else { frame.table() + "\n" + &summary(tasks, last) }
}

impl Frame<'_> {
    fn entry<T>(&self, row: usize, number: u32, of: impl Fn(&Trial) -> Option<T>) -> Entry<T> {
        let trial = self.tasks[row].trials.iter().find(|trial| trial.number == number);
        match trial {
            Some(trial) => Entry::new(of(trial)),
            None if number <= self.filled[row] => Entry::Empty,
            None => Entry::Absent,
        }
    }

    /// Values of a column, in the order of rows.
    fn column<T>(&self, number: u32, of: impl Fn(&Trial) -> Option<T>) -> Vec<Entry<T>> {
        (0..self.tasks.len()).map(|row| self.entry(row, number, &of)).collect()
    }

    fn table(&self) -> String {
        let mut headings = vec![String::new(), "Task Id".to_owned()];
        let mut columns: Vec<Vec<Value>> = vec![
            (0..self.tasks.len()).map(Value::Int).collect(),
            self.tasks.iter().map(|task| Value::Text(task.id.clone())).collect(),
        ];
        for number in &self.columns {
            headings.push(format!("Trial {number} Success"));
            columns.push(values(&self.column(*number, |trial| trial.success), Value::Bool, false));
            headings.push(format!("Trial {number} Time"));
            columns.push(values(&self.column(*number, |trial| trial.seconds), Value::Float, true));
        }
        let rows: Vec<Row> = (0..self.tasks.len())
            .map(|row| Row::Values(columns.iter().map(|column| column[row].clone()).collect()))
            .collect();
        simple(&headings, &rows)
    }

    fn csv(&self) -> String {
        let mut heading = vec!["Task Id".to_owned()];
        for number in &self.columns {
            heading.extend([format!("Trial {number} Success"), format!("Trial {number} Time")]);
        }
        let mut rows = vec![heading];
        for (row, task) in self.tasks.iter().enumerate() {
            let mut cells = vec![task.id.clone()];
            for number in &self.columns {
                let success = match self.entry(row, *number, |trial| trial.success) {
                    Entry::Is(true) => "True",
                    Entry::Is(false) => "False",
                    _ => "",
                };
                let seconds = match self.entry(row, *number, |trial| trial.seconds) {
                    Entry::Is(seconds) => float_repr(seconds),
                    _ => String::new(),
                };
                cells.extend([success.to_owned(), seconds]);
            }
            rows.push(cells);
        }
        lf(rows) + "\n"
    }
}

/// Values of a column for the table. Missing values become empty texts or "not a number".
///
/// A missing value is "not a number" in a column of numbers and in a column that has only absent
/// values; otherwise it is empty.
fn values<T: Copy>(entries: &[Entry<T>], value: fn(T) -> Value, numbers: bool) -> Vec<Value> {
    let any = entries.iter().any(|entry| matches!(entry, Entry::Is(_)));
    let absent = entries.iter().any(|entry| matches!(entry, Entry::Absent));
    let as_numbers = if any { numbers } else { absent };
    entries
        .iter()
        .map(|entry| match entry {
            Entry::Is(it) => value(*it),
            Entry::Empty if !as_numbers => Value::None,
            Entry::Empty | Entry::Absent => Value::Float(f64::NAN),
        })
        .collect()
}

fn summary(tasks: &[Task], last: u32) -> String {
    let successes = |number: u32| {
        tasks.iter().map(move |task| {
            let trial = task.trials.iter().find(|trial| trial.number == number);
            trial.and_then(|trial| trial.success)
        })
    };
    let headings = [
        "",
        "Successes",
        "Failures",
        "Missing",
        "Total",
        "Average Success Rate",
        "Average Time",
        "Total Time",
    ];
    let rows: Vec<Row> = (0..=last)
        .map(|number| {
            let count = |what| successes(number).filter(|success| *success == what).count();
            let (passed, failed, missing) = (count(Some(true)), count(Some(false)), count(None));
            let seconds: Vec<f64> = tasks
                .iter()
                .filter_map(|task| task.trials.iter().find(|trial| trial.number == number))
                .filter_map(|trial| trial.seconds)
                .collect();
            let total: f64 = seconds.iter().sum();
            Row::Values(vec![
                Value::Text(format!("Trial {number}")),
                Value::Int(passed),
                Value::Int(failed),
                Value::Int(missing),
                Value::Int(tasks.len()),
                Value::Float(passed as f64 / (passed + failed) as f64),
                Value::Float(total / seconds.len() as f64),
                Value::Float(total),
            ])
        })
        .collect();
    let of_all = |counts: &dyn Fn(&Task) -> bool| {
        Value::Float(tasks.iter().filter(|task| counts(task)).count() as f64 / tasks.len() as f64)
    };
    let results = |task: &Task| -> Vec<bool> {
        let covered = task.trials.iter().filter(|trial| trial.number <= last);
        covered.filter_map(|trial| trial.success).collect()
    };
    let aggregated = Row::Values(vec![
        Value::Text("Trial Aggregated".to_owned()),
        of_all(&|task| results(task).contains(&true)),
        of_all(&|task| !results(task).contains(&false)),
    ]);
    let shares = ["", "At Least One Success", "All Successes"];
    format!(
        "Summary Statistics\n\n{}{}",
        simple(&headings.map(str::to_owned), &rows),
        simple(&shares.map(str::to_owned), &[aggregated])
    )
}
