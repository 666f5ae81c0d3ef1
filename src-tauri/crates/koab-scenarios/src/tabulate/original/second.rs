//! Tables of the published package, which contain the success of each trial and totals.

use super::simple::{Row, Value, simple};
use super::task::Task;

fn width(tasks: &[Task]) -> usize {
    tasks.iter().map(|task| task.trials.len()).max().unwrap_or_default()
}

fn success(task: &Task, trial: usize) -> Option<bool> {
    task.trials.get(trial).and_then(|trial| trial.success)
}

pub(super) fn table(tasks: &[Task]) -> String {
    let trials = width(tasks);
    let headings = ["\nTask Id".to_owned()]
        .into_iter()
        .chain((0..trials).map(|trial| format!("Trial {trial}\nSuccess")));
    let mut rows: Vec<Row> = tasks
        .iter()
        .map(|task| {
            let cells = (0..trials).map(|trial| success(task, trial).map_or(Value::None, Value::Bool));
            Row::Values([Value::Text(task.id.clone())].into_iter().chain(cells).collect())
        })
        .collect();
    rows.push(Row::Line);
    let count =
        |trial: usize, what: Option<bool>| tasks.iter().filter(|task| success(task, trial) == what).count();
    for (name, what) in [("Successes", Some(true)), ("Failures", Some(false)), ("Missing", None)] {
        let cells = (0..trials).map(|trial| Value::Int(count(trial, what)));
        rows.push(Row::Values([Value::Text(name.to_owned())].into_iter().chain(cells).collect()));
    }
    let cells = (0..trials).map(|_| Value::Int(tasks.len()));
    rows.push(Row::Values([Value::Text("Total".to_owned())].into_iter().chain(cells).collect()));
    simple(&headings.collect::<Vec<_>>(), &rows)
}

/// CSV of the published package, without any quotes.
pub(super) fn csv(tasks: &[Task]) -> String {
    let trials = width(tasks);
    let mut out = String::from("Task Id");
    for trial in 0..trials {
        out += &format!(",Trial {trial} Success");
    }
    out.push('\n');
    for task in tasks {
        out += &task.id;
        for trial in 0..trials {
            out.push(',');
            out += match success(task, trial) {
                Some(true) => "True",
                Some(false) => "False",
                None => "",
            };
        }
        out.push('\n');
    }
    out
}
