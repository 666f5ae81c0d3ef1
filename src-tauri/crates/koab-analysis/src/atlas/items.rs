//! Items of another benchmark with wrong answers, and the reasons that the benchmark's own rules
//! give.
//!
//! The atlas rules read calls and answers of Ko-AgentBench. The rows of another benchmark already
//! state why a reply is wrong. These statements are counted here without interpretation.

use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::sheet;
use koab_report::{ItemRow, ItemRows, Report};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Maximum length of the further remarks, in characters.
const MAX_REMARK_CHARS: usize = 300;

/// Item with a wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ItemFault {
    /// Group of the item.
    pub level: Level,
    /// Id of the item.
    pub task: String,
    /// Fault in the benchmark's words, or the metric's name if the benchmark gives no words.
    pub fault: String,
    /// Metric of the benchmark that reports the fault.
    pub metric: String,
    /// Further remarks of the benchmark on the item.
    pub more: String,
}

/// Number of items with the same fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCount {
    /// Fault in the benchmark's words.
    pub fault: String,
    /// Metric of the benchmark that reports the fault.
    pub metric: String,
    /// Number of items.
    pub items: usize,
    /// Number of items per group, the largest first.
    pub groups: Vec<(Level, usize)>,
}

/// Items of a report with wrong answers. Items without a score are left out.
pub fn item_faults(report: &Report, rows: &[ItemRows]) -> Vec<ItemFault> {
    let rows: HashMap<&str, &[ItemRow]> =
        rows.iter().map(|item| (item.id.as_str(), item.rows.as_slice())).collect();
    let tasks =
        report.levels.iter().flat_map(|level| level.tasks.iter().map(move |task| (&level.level, task)));
    let wrong = tasks.filter(|(_, task)| task.value(MetricId::Sr).is_some_and(|score| score < 1.0));
    wrong
        .map(|(level, task)| {
            let (fault, metric, more) = fault_of(rows.get(task.id.as_str()).copied().unwrap_or_default());
            ItemFault { level: level.clone(), task: task.id.clone(), fault, metric, more }
        })
        .collect()
}

/// Fault, metric and further remarks from an item's rows. The fault is the first text of a metric
/// that was not met, or else the metric's name.
fn fault_of(rows: &[ItemRow]) -> (String, String, String) {
    let missed = || rows.iter().filter(|row| row.value == Some(0));
    let text = |row: &ItemRow| {
        let mut fields = row.verdict.iter();
        let entry = fields.find_map(|(field, value)| Some((field.clone(), value.as_str()?.to_owned())));
        entry.map(|(field, text)| (row.metric.clone(), field, text))
    };
    if let Some((metric, named, fault)) = missed().find_map(text) {
        let rest = missed().filter(|row| row.metric == metric).flat_map(|row| &row.verdict);
        let rest = rest.filter(|(field, value)| **field != named && !is_empty(value));
        let rest: Vec<String> = rest.map(|(field, value)| format!("{field}: {value}")).collect();
        return (fault, metric, rest.join(", ").chars().take(MAX_REMARK_CHARS).collect());
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

/// Counts items by fault, the most frequent first.
pub fn fault_counts<'a>(items: impl IntoIterator<Item = &'a ItemFault>) -> Vec<FaultCount> {
    let mut by_fault: BTreeMap<(&str, &str), BTreeMap<&Level, usize>> = BTreeMap::new();
    for item in items {
        let groups = by_fault.entry((&item.fault, &item.metric)).or_default();
        *groups.entry(&item.level).or_default() += 1;
    }
    let counts = by_fault.into_iter().map(|((fault, metric), groups)| {
        let mut groups: Vec<(Level, usize)> =
            groups.into_iter().map(|(level, count)| (level.clone(), count)).collect();
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

/// CSV with one line per item, including the model that answered it. It is UTF-8 with CRLF line
/// ends, like the other tables of this product.
pub fn items_to_csv<'a>(items: impl IntoIterator<Item = (&'a str, &'a ItemFault)>) -> String {
    let head = ["model", "group", "item", "fault", "metric", "more"].map(str::to_owned);
    let rows = items.into_iter().map(|(model, item)| {
        let level = item.level.to_string();
        let cells = [model, &level, &item.task, &item.fault, &item.metric, &item.more];
        cells.map(sheet::guarded)
    });
    sheet::crlf(std::iter::once(head).chain(rows))
}
