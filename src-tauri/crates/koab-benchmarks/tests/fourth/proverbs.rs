//! The fourth benchmark: three Korean proverbs to finish, or to look up.

use koab_benchmarks::table::{Cell, Rules};
use koab_benchmarks::{
    Answer, Benchmark, BenchmarkError, Files, GroupSizes, Item, PackFiles, Request, Row, Table, Verdict,
};
use koab_core::say;
use serde_json::json;

/// Three proverbs.
#[derive(Debug)]
pub(crate) struct Proverbs;

const FILE: &str = "tasks/proverbs.tsv";

impl Benchmark for Proverbs {
    fn name(&self) -> &'static str {
        "proverbs"
    }
    fn title(&self) -> &'static str {
        "Three Proverbs"
    }
    fn source(&self) -> &'static str {
        "made up for a test"
    }
    fn licence(&self) -> &'static str {
        "CC0-1.0"
    }
    fn files(&self, files: &dyn Files) -> PackFiles {
        let own = files.paths().into_iter().filter(|path| self.is_file(path));
        own.map(|path| (FILE.to_owned(), path)).collect()
    }
    fn is_file(&self, name: &str) -> bool {
        name.ends_with("proverbs.tsv")
    }
    fn items(&self, pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
        let bytes = pack.read(FILE).map_err(BenchmarkError)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let items = text.lines().enumerate().map(|(at, line)| {
            let fields: Vec<_> = line.split('\t').collect();
            let [group, beginning, end] = fields[..] else {
                return Err(BenchmarkError(say!(
                    "{file} line {line}: {reason}",
                    file = FILE,
                    line = at + 1,
                    reason = "three fields are wanted"
                )));
            };
            let tool = json!({"type": "function", "function": {"name": "look_up", "parameters": {}}});
            Ok(Item {
                id: format!("proverb-{}", at + 1),
                groups: vec![group.to_owned()],
                request: Request {
                    messages: vec![json!({"role": "user", "content": beginning})],
                    tools: if group == "rare" { vec![tool] } else { Vec::new() },
                },
                source: end.into(),
            })
        });
        items.collect()
    }
    fn temperature(&self) -> f64 {
        0.0
    }
    fn score(&self, item: &Item, answer: &Answer, _rules: Rules) -> Vec<Row> {
        let said = answer.content.as_deref().unwrap_or_default();
        let calls = answer.tool_calls.as_ref().map_or(0, Vec::len);
        let right = if item.groups == ["rare"] { calls == 1 } else { item.source == said };
        vec![Row {
            metric: "Finished",
            value: Ok(right.into()),
            verdict: Verdict::default().with("said", said).with("calls", calls),
        }]
    }
    fn asks_judges(&self) -> bool {
        true
    }
    fn question(&self, item: &Item, answer: &Answer, rules: Rules) -> Option<String> {
        let wrong = self.score(item, answer, rules)[0].value == Ok(0);
        let said = answer.content.as_deref()?;
        wrong.then(|| format!("Does {said} finish {}?", item.request.messages[0]["content"]))
    }
    fn judged(&self, _item: &Item, _answer: &Answer, replies: &[String], _rules: Rules) -> Vec<Row> {
        if replies.is_empty() {
            return Vec::new();
        }
        vec![Row {
            metric: "Plausible",
            value: Ok(replies.iter().any(|reply| reply == "yes").into()),
            verdict: Verdict::default(),
        }]
    }
    fn tables(&self, rows: &[(&Item, &[Row])], _pack: &GroupSizes, _rules: Rules) -> Vec<Table> {
        let right = rows.iter().flat_map(|(_, rows)| *rows);
        let right: u8 = right.filter_map(|row| row.value.as_ref().ok()).sum();
        vec![Table {
            name: "Proverbs".to_owned(),
            cells: vec![Cell {
                name: "finished".to_owned(),
                value: Ok(right.into()),
                ours: false,
                remark: None,
            }],
            printed: Some(format!("{right} of {}", rows.len())),
        }]
    }
}
