//! The multi-turn part: the verdicts of its authors' program instead of replies.

use crate::bfcl::support::{Memory, shared};
use koab_benchmarks::bfcl::{Bfcl, MultiTurn};
use koab_benchmarks::table::Rules::Published;
use koab_benchmarks::{Answer, Benchmark, GroupSizes, Item, owners_in};
use serde_json::Value;
use std::collections::BTreeMap;

const CATEGORIES: [&str; 4] = ["base", "miss_func", "miss_param", "long_context"];

/// A folder with so many items of each category.
fn folder(items: usize) -> Memory {
    let files = CATEGORIES.map(|name| {
        let lines = (0..items).map(|n| format!(r#"{{"id": "multi_turn_{name}_{n}", "question": []}}"#));
        let text: Vec<String> = lines.collect();
        (format!("data/BFCL_v4_multi_turn_{name}.json"), text.join("\n").into_bytes())
    });
    Memory(BTreeMap::from(files))
}

fn answer(text: &str) -> Answer {
    Answer { content: Some(text.to_owned()), tool_calls: None }
}

#[test]
fn its_verdicts_are_read_and_what_is_none_is_no_score() {
    let items = MultiTurn.items(&folder(1)).expect("items");
    assert_eq!(items[3].groups, ["multi_turn", "multi_turn_long_context"]);
    assert!(MultiTurn.scenario().is_some() && Bfcl.scenario().is_none());
    let score = |text: &str| MultiTurn.score(&items[0], &answer(text), Published).remove(0);
    assert_eq!(score(r#"{"valid": true}"#).value, Ok(1));
    let wrong = score(r#"{"valid": false, "error_type": "empty_turn", "more": [1]}"#);
    assert_eq!((wrong.value, wrong.verdict.text("error_type")), (Ok(0), Some("empty_turn")));
    for text in ["", "true", r#"{"valid": "yes"}"#, r#"{"error_type": "x"}"#] {
        assert!(score(text).value.is_err(), "{text}");
    }
}

#[test]
fn a_checkout_is_of_the_single_turn_part_and_a_folder_of_these_files_alone_is_theirs() {
    let owners = |files: &Memory| {
        let owners = owners_in(&[&Bfcl, &MultiTurn], files);
        owners.iter().map(|(owner, _)| owner.name()).collect::<Vec<_>>()
    };
    let mut files = folder(1);
    assert_eq!(owners(&files), ["bfcl_multi_turn"]);
    files.0.insert("data/BFCL_v4_irrelevance.json".to_owned(), Vec::new());
    assert_eq!(owners(&files), ["bfcl"]);
    assert!(Bfcl.left_beside(&files).is_some(), "nothing says that they are left out");
    files.0.retain(|path, _| !path.contains("multi_turn"));
    assert!(Bfcl.left_beside(&files).is_none());
}

/// The cells of the multi-turn table, as they are printed, where so many items of each category are right.
fn cells(items: &[Item], right: &Value) -> BTreeMap<String, String> {
    let mut left: BTreeMap<&str, u64> = CATEGORIES
        .iter()
        .filter_map(|name| Some((*name, right[format!("multi_turn_{name}")]["correct"].as_u64()?)))
        .collect();
    let rows = items.iter().filter_map(|item| {
        let left = left.get_mut(item.groups[1].strip_prefix("multi_turn_")?)?;
        let is_right = *left > 0;
        *left -= u64::from(is_right);
        let verdict = format!(r#"{{"valid": {is_right}}}"#);
        Some((item, MultiTurn.score(item, &answer(&verdict), Published)))
    });
    let rows: Vec<_> = rows.collect();
    let rows: Vec<_> = rows.iter().map(|(item, rows)| (*item, rows.as_slice())).collect();
    let tables = MultiTurn.tables(&rows, &GroupSizes::count(items), Published);
    assert_eq!(tables.len(), 1);
    let text = |value: &Result<f64, _>| match value {
        Ok(value) => MultiTurn.cell_text("", *value),
        Err(_) => "N/A".to_owned(),
    };
    tables[0].cells.iter().map(|cell| (cell.name.clone(), text(&cell.value))).collect()
}

#[test]
fn its_table_is_the_originals() {
    let Some(folder_of_cases) = shared() else { return };
    let items = MultiTurn.items(&folder(200)).expect("items");
    let text = std::fs::read_to_string(folder_of_cases.join("tables.json")).expect("read");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(cases.len(), 24);
    for case in &cases {
        let theirs = case["tables"]["data_overall"].as_object().expect("a table");
        let theirs = theirs.iter().filter(|(name, _)| name.starts_with("Multi Turn"));
        let theirs: BTreeMap<_, _> =
            theirs.map(|(name, text)| (name.clone(), text.as_str().expect("text").to_owned())).collect();
        assert_eq!(theirs.len(), 5);
        assert_eq!(cells(&items, &case["scores"]), theirs, "case {}", case["case"]);
    }
}
