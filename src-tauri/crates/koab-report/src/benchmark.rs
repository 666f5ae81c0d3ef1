//! What a report of another benchmark than Ko-AgentBench has beside its success rates: the tables
//! of its authors, and what was found about each item.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The tables of a benchmark's authors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BenchmarkTables {
    /// The benchmark's name, that of its packs.
    pub benchmark: String,
    /// As its authors write it.
    pub title: String,
    /// The tables, in their order.
    pub tables: Vec<PrintedTable>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub no_tables: Option<Sentence>,
}

/// A table as its authors print it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedTable {
    /// Its name.
    pub name: String,
    /// Its figures, in the order in which they are printed.
    pub cells: Vec<PrintedCell>,
    /// The whole of it, where the form is the authors'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub printed: Option<String>,
}

/// A figure of such a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedCell {
    /// Its name.
    pub name: String,
    /// The figure, unrounded; null where there is none.
    pub value: Option<f64>,
    /// The figure as printed.
    pub text: String,
    /// Whether it is ours, and not the authors'.
    pub ours: bool,
    /// Why there is none, or what whoever reads it has to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub remark: Option<Sentence>,
}

/// What was found about an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemRows {
    /// The item.
    pub id: String,
    /// A row a metric of the benchmark.
    pub rows: Vec<ItemRow>,
}

/// One metric of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ItemRow {
    /// The benchmark's metric.
    pub metric: String,
    /// 0 or 1, or null.
    pub value: Option<u8>,
    /// Why there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub reason: Option<Sentence>,
    /// Why it is right or wrong, in the benchmark's own fields.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub verdict: Map<String, Value>,
}
