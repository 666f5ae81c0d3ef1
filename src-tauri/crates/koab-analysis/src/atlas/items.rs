//! Items of another benchmark that were answered wrong, by what its authors' own rules say is
//! wrong.
//!
//! The rules of the atlas read calls and answers of Ko-AgentBench. Another benchmark says itself
//! why a reply is wrong, in the fields of its rows, and that is what is counted here: nothing is
//! read into it.

use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::sheet;
use koab_report::{ItemRow, ItemRows, Report};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Longest remark, in characters.
const LONGEST: usize = 300;

/// An item that was answered wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ItemFault {
    /// Its group.
    pub level: Level,
    /// Its id.
    pub task: String,
    /// What is wrong, in the benchmark's words; the metric's name where it has none.
    pub fault: String,
    /// The benchmark's metric that says so.
    pub metric: String,
    /// What else the benchmark says of it.
    pub more: String,
}

/// Items by what is wrong with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCount {
    /// What is wrong.
    pub fault: String,
    /// By which metric.
    pub metric: String,
    /// Items.
    pub items: usize,
    /// Of them by group, the most first.
    pub groups: Vec<(Level, usize)>,
}

/// The items of a report that were answered wrong; one without a score is none of them.
pub fn item_faults(report: &Report, rows: &[ItemRows]) -> Vec<ItemFault> {
    let rows: HashMap<&str, &[ItemRow]> =
        rows.iter().map(|item| (item.id.as_str(), item.rows.as_slice())).collect();
    let tasks =
        report.levels.iter().flat_map(|level| level.tasks.iter().map(move |task| (level.level, task)));
    let wrong = tasks.filter(|(_, task)| task.value(MetricId::Sr).is_some_and(|score| score < 1.0));
    wrong
        .map(|(level, task)| {
            let (fault, metric, more) = fault_of(rows.get(task.id.as_str()).copied().unwrap_or_default());
            ItemFault { level, task: task.id.clone(), fault, metric, more }
        })
        .collect()
}

/// What rows say is wrong: the first text of a metric that was missed, before the name of one that
/// says no more.
fn fault_of(rows: &[ItemRow]) -> (String, String, String) {
    let missed = || rows.iter().filter(|row| row.value == Some(0));
    let text = |row: &ItemRow| {
        let mut fields = row.verdict.iter();
        let found = fields.find_map(|(field, value)| Some((field.clone(), value.as_str()?.to_owned())));
        found.map(|(field, text)| (row.metric.clone(), field, text))
    };
    if let Some((metric, named, fault)) = missed().find_map(text) {
        let rest = missed().filter(|row| row.metric == metric).flat_map(|row| &row.verdict);
        let rest = rest.filter(|(field, value)| **field != named && !is_empty(value));
        let rest: Vec<String> = rest.map(|(field, value)| format!("{field}: {value}")).collect();
        return (fault, metric, rest.join(", ").chars().take(LONGEST).collect());
    }
    let metric = missed().map(|row| row.metric.clone()).next_back().unwrap_or_default();
    (metric.clone(), metric, String::new())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Counts by what is wrong, the most first.
pub fn fault_counts<'a>(items: impl IntoIterator<Item = &'a ItemFault>) -> Vec<FaultCount> {
    let mut found: BTreeMap<(&str, &str), BTreeMap<Level, usize>> = BTreeMap::new();
    for item in items {
        let groups = found.entry((&item.fault, &item.metric)).or_default();
        *groups.entry(item.level).or_default() += 1;
    }
    let counts = found.into_iter().map(|((fault, metric), groups)| {
        let mut groups: Vec<(Level, usize)> = groups.into_iter().collect();
        groups.sort_by_key(|one| std::cmp::Reverse(one.1));
        FaultCount {
            fault: fault.to_owned(),
            metric: metric.to_owned(),
            items: groups.iter().map(|(_, count)| count).sum(),
            groups,
        }
    });
    let mut counts: Vec<FaultCount> = counts.collect();
    counts.sort_by_key(|one| std::cmp::Reverse(one.items));
    counts
}

/// One line an item, with the model that answered it; UTF-8, CRLF as other tables of this product
/// have it.
pub fn items_to_csv<'a>(items: impl IntoIterator<Item = (&'a str, &'a ItemFault)>) -> String {
    let head = ["model", "group", "item", "fault", "metric", "more"].map(str::to_owned);
    let rows = items.into_iter().map(|(model, item)| {
        let level = item.level.to_string();
        let cells = [model, &level, &item.task, &item.fault, &item.metric, &item.more];
        cells.map(sheet::guarded)
    });
    sheet::crlf(std::iter::once(head).chain(rows))
}
