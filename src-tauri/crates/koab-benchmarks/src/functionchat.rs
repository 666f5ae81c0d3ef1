//! FunctionChat-Bench v2 (`docs/spec/functionchat.md`).

use crate::table::Rules;
use crate::{Answer, Benchmark, BenchmarkError, Files, Item, Row, Table};

/// FunctionChat-Bench v2.
#[derive(Clone, Copy, Debug)]
pub struct FunctionChat;

impl Benchmark for FunctionChat {
    fn name(&self) -> &'static str {
        "functionchat"
    }
    fn title(&self) -> &'static str {
        "FunctionChat-Bench v2"
    }
    fn source(&self) -> &'static str {
        "kakao/FunctionChat-Bench, tag v2.0.0, Apache-2.0, copyright 2024 Kakao Corp."
    }
    fn files(&self, _files: &dyn Files) -> Vec<(String, String)> {
        Vec::new()
    }
    fn items(&self, _pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
        Ok(Vec::new())
    }
    fn temperature(&self) -> f64 {
        0.1
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
