//! BFCL v4, multi turn (`docs/spec/bfcl.md` §7): conversations whose calls are executed.
//!
//! The authors' own program runs and scores the items, and its results are imported as replies.

use super::category::MULTI_TURN as CATEGORIES;
use super::{files, tables};
use crate::table::Rules;
use crate::{
    Answer, Benchmark, BenchmarkError, Files, GroupSizes, Item, PackFiles, Request, Row, Table, Verdict,
};
use koab_core::{say, text};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;

/// Group that contains the multi-turn categories.
const PART: &str = "multi_turn";

const METRIC: &str = "MultiTurnAcc";

/// BFCL v4, multi turn.
#[derive(Clone, Copy, Debug)]
pub struct MultiTurn;

/// Result of the authors' program for an item; its other fields are ignored.
#[derive(Deserialize)]
struct CheckerResult {
    valid: bool,
    #[serde(default)]
    error_type: Value,
}

impl Benchmark for MultiTurn {
    fn name(&self) -> &'static str {
        "bfcl_multi_turn"
    }
    fn title(&self) -> &'static str {
        "BFCL v4, multi turn"
    }
    fn source(&self) -> &'static str {
        "ShishirPatil/gorilla, berkeley-function-call-leaderboard"
    }
    fn licence(&self) -> &'static str {
        "Apache-2.0"
    }
    fn files(&self, files: &dyn Files) -> PackFiles {
        let paths = files.paths();
        // Both parts share one folder in a checkout, which counts as the single-turn part. A folder
        // with the multi-turn files alone is this pack.
        let Some(folder) = folder(&paths).filter(|_| files::locate(files).is_empty()) else {
            return Vec::new();
        };
        let has = |path: &String| paths.contains(path);
        let candidates = CATEGORIES.map(|category| (file(category), format!("{folder}{}", file(category))));
        let questions = candidates.into_iter().filter(|(_, path)| has(path));
        let questions = questions.map(|(name, path)| (format!("{}/{name}", files::DATA), path));
        questions.chain(files::licences(&paths, &folder)).collect()
    }
    fn is_file(&self, name: &str) -> bool {
        files::is_notice(name) || CATEGORIES.iter().any(|category| file(category) == name)
    }
    fn items(&self, pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
        let paths = pack.paths();
        let folder = folder(&paths).unwrap_or_default();
        let mut items: Vec<Item> = Vec::new();
        let mut ids = HashSet::new();
        for category in CATEGORIES {
            let path = format!("{folder}{}", file(category));
            if !paths.contains(&path) {
                continue;
            }
            for (line, question) in files::lines(pack, &path)? {
                let Some(id) = question.get("id").and_then(Value::as_str) else {
                    return Err(BenchmarkError(say!(
                        "{path}, line {line}: lacks `id` in the form that BFCL has"
                    )));
                };
                if !ids.insert(id.to_owned()) {
                    let reason = say!("{item} occurs twice", item = id);
                    return Err(BenchmarkError(say!("{path}, line {line}: {reason}")));
                }
                items.push(Item {
                    id: id.to_owned(),
                    groups: vec![PART.to_owned(), category.to_owned()],
                    request: Request { messages: Vec::new(), tools: Vec::new() },
                    source: Value::Null,
                });
            }
        }
        Ok(items)
    }
    fn scenario(&self) -> Option<&'static str> {
        Some("BFCLMultiTurn")
    }
    fn temperature(&self) -> f64 {
        0.001
    }
    fn score(&self, _item: &Item, answer: &Answer, _rules: Rules) -> Vec<Row> {
        let content = answer.content.as_deref().unwrap_or_default();
        let result: Option<CheckerResult> = serde_json::from_str(content).ok();
        let (value, verdict) = match result {
            Some(CheckerResult { valid, error_type }) => {
                (Ok(u8::from(valid)), Verdict::default().with("error_type", error_type))
            }
            None => {
                (Err(text!("the reply is not a verdict of the authors’ program").into()), Verdict::default())
            }
        };
        vec![Row { metric: METRIC, value, verdict }]
    }
    fn asks_judges(&self) -> bool {
        false
    }
    fn question(&self, _item: &Item, _answer: &Answer, _rules: Rules) -> Option<String> {
        None
    }
    fn judged(&self, _item: &Item, _answer: &Answer, _replies: &[String], _rules: Rules) -> Vec<Row> {
        Vec::new()
    }
    fn tables(&self, rows: &[(&Item, &[Row])], pack: &GroupSizes, rules: Rules) -> Vec<Table> {
        let categories = CATEGORIES.map(|category| (PART, category));
        tables::multi_turn(&tables::scores(rows, pack, &categories), rules)
    }
    fn cell_text(&self, _cell: &str, value: f64) -> String {
        tables::percent(value)
    }
}

/// Name of a category's file of questions.
fn file(category: &str) -> String {
    format!("BFCL_v4_{category}.json")
}

/// Whether these files contain the multi-turn questions.
pub(super) fn lies_in(paths: &[String]) -> bool {
    folder(paths).is_some()
}

/// Folder of the questions, with a final `/`. Folders of answers are skipped; of several others,
/// the one with the fewest parent folders is taken.
fn folder(paths: &[String]) -> Option<String> {
    let folders = paths.iter().filter_map(|path| {
        let at = path.rfind('/').map_or(0, |slash| slash + 1);
        let (folder, name) = path.split_at(at);
        let is_question = CATEGORIES.iter().any(|category| file(category) == name);
        (is_question && !folder.ends_with("possible_answer/")).then(|| folder.to_owned())
    });
    folders.min_by_key(|folder| (folder.matches('/').count(), folder.clone()))
}
