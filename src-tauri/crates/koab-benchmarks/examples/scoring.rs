//! Time to read and to score a benchmark's items, for `cargo xtask bench`: one JSON object.
//!
//! Usage: `scoring FOLDER`. The folder has the benchmark's name and contains its `data` and, in
//! `parity.jsonl`, replies to its items.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program of the benchmarks")]

use koab_benchmarks::table::Rules;
use koab_benchmarks::{Answer, Files, GroupSizes, Item, Row};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Number of times that everything is scored; the median counts.
const TIMES: usize = 11;

/// Files in memory, so that disk access is not measured.
struct Memory(BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        self.0.get(path).cloned().ok_or_else(|| say!("is missing"))
    }
}

fn add(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}

fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let folder = Path::new(&folder);
    let name = folder.file_name().unwrap().to_str().unwrap();
    let benchmark = koab_benchmarks::find(name).unwrap();
    let mut files = BTreeMap::new();
    add(folder, &folder.join("data"), &mut files);
    let files = Memory(files);
    let start = Instant::now();
    let items = benchmark.items(&files).unwrap();
    let read_s = start.elapsed().as_secs_f64();

    // The first reply to each item, which is mostly right. Items without a reply get one with an
    // unknown call.
    let parity = fs::read_to_string(folder.join("parity.jsonl")).unwrap();
    let mut replies: HashMap<String, Answer> = HashMap::new();
    for line in parity.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let id = line["id"].as_str().unwrap().to_owned();
        let answer = || serde_json::from_value(line["output"].clone()).unwrap();
        replies.entry(id).or_insert_with(answer);
    }
    let other: Answer =
        serde_json::from_value(json!({"tool_calls": [{"name": "a", "arguments": "{}"}]})).unwrap();
    let replied = items.iter().filter(|item| replies.contains_key(&item.id)).count();

    let score = |rules: Rules| {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            let start = Instant::now();
            let scored = items.iter().map(|item| {
                let answer = replies.get(&item.id).unwrap_or(&other);
                (item, benchmark.score(item, answer, rules))
            });
            let scored: Vec<(&Item, Vec<Row>)> = scored.collect();
            let rows: Vec<(&Item, &[Row])> = scored.iter().map(|(item, rows)| (*item, &rows[..])).collect();
            let tables = benchmark.tables(&rows, &GroupSizes::default(), rules);
            times.push(start.elapsed().as_secs_f64());
            assert!(!tables.is_empty());
        }
        times.sort_by(f64::total_cmp);
        times[TIMES / 2]
    };
    let published_s = score(Rules::Published);
    let corrected_s = score(Rules::Corrected);
    println!(
        "{}",
        json!({
            "items": items.len(), "replied": replied, "read_s": read_s, "published_s": published_s,
            "corrected_s": corrected_s,
        })
    );
}
