//! BFCL v4, single turn (`docs/spec/bfcl.md`).

use crate::table::Rules;
use crate::{Answer, Benchmark, BenchmarkError, Files, Item, Row, Table};

/// BFCL v4, single turn.
#[derive(Clone, Copy, Debug)]
pub struct Bfcl;

impl Benchmark for Bfcl {
    fn name(&self) -> &'static str {
        "bfcl"
    }
    fn title(&self) -> &'static str {
        "BFCL v4, single turn"
    }
    fn source(&self) -> &'static str {
        "ShishirPatil/gorilla, berkeley-function-call-leaderboard, commit 6ea57973, Apache-2.0"
    }
    fn files(&self, _files: &dyn Files) -> Vec<(String, String)> {
        Vec::new()
    }
    fn items(&self, _pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
        Ok(Vec::new())
    }
    fn temperature(&self) -> f64 {
        0.001
    }
    fn score(&self, _item: &Item, _answer: &Answer, _rules: Rules) -> Vec<Row> {
        Vec::new()
    }
    fn question(&self, _item: &Item, _answer: &Answer, _rules: Rules) -> Option<String> {
        None
    }
    fn judged(&self, _item: &Item, _answer: &Answer, _replies: &[String], _rules: Rules) -> Vec<Row> {
        Vec::new()
    }
    fn tables(&self, _rows: &[(&Item, &[Row])], _rules: Rules) -> Vec<Table> {
        Vec::new()
    }
}
