use crate::bfcl::support::{items, lines, published, reference, score, shared};
use koab_benchmarks::bfcl::Bfcl;
use koab_benchmarks::table::Rules;
use koab_benchmarks::{Answer, Benchmark, GroupSizes, Item, Row, Table, Verdict};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

#[test]
fn every_reply_is_judged_as_the_original_judges_it() {
    let Some(folder) = shared() else { return };
    let items = items(&reference(&folder));
    let rows = lines(&folder.join("parity.jsonl"));
    let mut wrong = Vec::new();
    for row in &rows {
        let id = row["id"].as_str().expect("an id");
        let answer: Answer = serde_json::from_value(row["output"].clone()).expect("an answer");
        let found = score(&items[id], &answer, Rules::Published);
        let calls = row.get("sub_error_types").cloned().unwrap_or_else(|| Vec::<Value>::new().into());
        let verdict =
            Verdict::default().with("error_type", row["error_type"].clone()).with("sub_error_types", calls);
        let value = u8::from(row["valid"] == true);
        if found.value != Ok(value) || found.verdict != verdict {
            wrong.push(format!("{id} {}: {found:?}, not {verdict:?}; {}", row["kind"], row["output"]));
        }
    }
    assert_eq!(rows.len(), 12_744);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(25)].join("\n"));
}

#[test]
fn every_request_is_the_originals() {
    let Some(folder) = shared() else { return };
    let items = items(&reference(&folder));
    assert_eq!(items.len(), 3_641);
    for row in lines(&folder.join("requests_full.jsonl")) {
        let item = &items[row["id"].as_str().expect("an id")];
        assert_eq!(Value::from(item.request.messages.clone()), row["request"]["messages"]);
        let tools = row["request"].get("tools").cloned().unwrap_or_else(|| Vec::<Value>::new().into());
        assert_eq!(Value::from(item.request.tools.clone()), tools, "{}", item.id);
    }
    let hashes = lines(&folder.join("requests.jsonl"));
    let same = |row: &&Value| items[row["id"].as_str().expect("an id")].request.sha256() != row["sha256"];
    let wrong: Vec<_> = hashes.iter().filter(same).map(|row| row["id"].to_string()).collect();
    assert_eq!(hashes.len(), 2_473);
    assert!(wrong.is_empty(), "{} differ: {}", wrong.len(), wrong[..wrong.len().min(25)].join(" "));
}

/// Rows in which as many items of each category are right as the case says.
fn rows<'a>(items: &'a HashMap<String, Item>, scores: &Value) -> Vec<(&'a Item, Row)> {
    let mut left: BTreeMap<&str, u64> = BTreeMap::new();
    let scores = scores.as_object().expect("scores");
    left.extend(
        scores.iter().map(|(name, score)| (name.as_str(), score["correct"].as_u64().expect("a count"))),
    );
    let mut rows = Vec::new();
    for item in items.values() {
        let Some(left) = left.get_mut(item.groups.last().expect("a category").as_str()) else {
            continue;
        };
        let is_right = *left > 0;
        *left -= u64::from(is_right);
        let row = Row { metric: "ASTAcc", value: Ok(u8::from(is_right)), verdict: Verdict::default() };
        rows.push((item, row));
    }
    rows
}

fn cells(table: &Table) -> BTreeMap<String, String> {
    let cells = table.cells.iter().filter(|cell| !cell.ours).map(|cell| {
        let text =
            cell.value.as_ref().map_or_else(|_| "N/A".to_owned(), |value| Bfcl.cell_text(&cell.name, *value));
        (cell.name.clone(), text)
    });
    cells.collect()
}

#[test]
fn every_table_is_the_originals() {
    let Some(folder) = shared() else { return };
    let items = items(&reference(&folder));
    let text = std::fs::read_to_string(folder.join("tables.json")).expect("read");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(cases.len(), 24);
    for case in &cases {
        let rows = rows(&items, &case["scores"]);
        let rows: Vec<_> = rows.iter().map(|(item, row)| (*item, std::slice::from_ref(row))).collect();
        let sizes = GroupSizes::count(rows.iter().map(|(item, _)| *item));
        for table in Bfcl.tables(&rows, &sizes, Rules::Published) {
            let theirs = match table.name.as_str() {
                "single_turn" => "data_overall",
                name => name,
            };
            for (name, text) in cells(&table) {
                assert_eq!(case["tables"][theirs][&name], text, "case {}, {theirs}, {name}", case["case"]);
            }
        }
    }
    let count = |table: &str| cases[0]["tables"][table].as_object().map_or(0, serde_json::Map::len);
    let tables = Bfcl.tables(&[], &GroupSizes::default(), Rules::Published);
    assert_eq!(tables[0].cells.len(), count("data_non_live"));
    assert_eq!(tables[1].cells.len(), count("data_live"));
}

#[test]
fn all_items_are_read_and_scored_at_once() {
    let Some(folder) = published() else { return };
    let files = reference(&folder);
    let answer: Answer =
        serde_json::from_str(r#"{"tool_calls": [{"name": "a", "arguments": "{}"}]}"#).expect("JSON");
    let begun = Instant::now();
    let items = Bfcl.items(&files).expect("items");
    let read = begun.elapsed();
    let rows: usize = items.iter().map(|item| Bfcl.score(item, &answer, Rules::Published).len()).sum();
    eprintln!("{} items read in {read:?}, read and scored in {:?}", items.len(), begun.elapsed());
    assert_eq!(rows, 3_641);
}
