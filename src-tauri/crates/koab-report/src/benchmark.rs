//! Additional parts of a report for a benchmark other than Ko-AgentBench: its results in the tables
//! that its authors publish, and the results for each item. An item is one request with one reply.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Results of a report in the tables that the benchmark's authors publish or that their tool
/// prints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BenchmarkTables {
    /// Name of the benchmark and of its packs.
    pub benchmark: String,
    /// Name of the benchmark as its authors write it.
    pub title: String,
    /// Tables in the authors' order.
    pub tables: Vec<PrintedTable>,
    /// Reason why there are no tables; null if there are tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub no_tables: Option<Sentence>,
}

/// Table of results with the figures, order and rounding of the benchmark's authors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedTable {
    /// Name of the table.
    pub name: String,
    /// Figures of the table, in the authors' order.
    pub cells: Vec<PrintedCell>,
    /// Whole table as text, if the authors' tool defines the layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub printed: Option<String>,
}

/// Figure of a [`PrintedTable`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedCell {
    /// Name of the figure.
    pub name: String,
    /// Unrounded value; null where there is no value.
    pub value: Option<f64>,
    /// Figure as text, with the rounding of the authors.
    pub text: String,
    /// Whether this product added the figure to the authors' table.
    pub ours: bool,
    /// Reason why there is no value, or a remark for the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub remark: Option<Sentence>,
}

/// Results for one item of the benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemRows {
    /// Id of the item.
    pub id: String,
    /// One row per metric of the benchmark.
    pub rows: Vec<ItemRow>,
}

/// Result of one metric for an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ItemRow {
    /// Name of the benchmark's metric.
    pub metric: String,
    /// Value, 0 or 1; null without a value.
    pub value: Option<u8>,
    /// Reason why there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub reason: Option<Sentence>,
    /// Explanation of the result, in the benchmark's own fields.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub verdict: Map<String, Value>,
}
