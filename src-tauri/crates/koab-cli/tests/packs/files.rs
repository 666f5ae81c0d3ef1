//! Files of repositories: the published form, a small pack, the published data of the reference.

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// A text that no compression makes much smaller.
pub(crate) fn long_text(letters: u32) -> String {
    (0..letters).filter_map(|at| char::from_u32(0xac00 + at.wrapping_mul(2_654_435_761) % 11_000)).collect()
}

/// A file of a repository.
pub(crate) type File = (String, Vec<u8>);

/// Files with borrowed names, as the hub takes them.
pub(crate) fn borrowed(files: &[File]) -> Vec<(&str, Vec<u8>)> {
    let one = |(name, bytes): &'_ File| (name.clone(), bytes.clone());
    let owned: Vec<File> = files.iter().map(one).collect();
    files.iter().zip(owned).map(|((name, _), (_, bytes))| (name.as_str(), bytes)).collect()
}

/// A level as the dataset has it: `instruction: string`, `tools: list<string>`, compressed with snappy.
pub(crate) fn level_file(rows: &[(&str, &[&str])]) -> Vec<u8> {
    let text = |name: &str| {
        let text = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String))
            .with_repetition(Repetition::OPTIONAL);
        Arc::new(text.build().expect("a column"))
    };
    let group = |name: &str, repetition, logical, field: TypePtr| {
        let group = Type::group_type_builder(name)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .with_fields(vec![field]);
        Arc::new(group.build().expect("a group"))
    };
    let list = group("list", Repetition::REPEATED, None, text("element"));
    let tools = group("tools", Repetition::OPTIONAL, Some(LogicalType::List), list);
    let schema = Type::group_type_builder("schema").with_fields(vec![text("instruction"), tools]);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let mut writer = SerializedFileWriter::new(
        Vec::new(),
        Arc::new(schema.build().expect("a schema")),
        Arc::new(properties.build()),
    )
    .expect("a writer");
    let bytes = |text: &&str| ByteArray::from(text.as_bytes().to_vec());
    let mut group = writer.next_row_group().expect("a row group");

    let mut column = group.next_column().expect("a column").expect("the first");
    let texts: Vec<ByteArray> = rows.iter().map(|(text, _)| bytes(text)).collect();
    let there = vec![1; rows.len()];
    let typed = column.typed::<ByteArrayType>();
    typed.write_batch(&texts, Some(&there), None).expect("written");
    column.close().expect("closed");

    let (mut names, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    for (_, tools) in rows {
        if tools.is_empty() {
            defined.push(1);
            repeated.push(0);
        }
        for (at, tool) in tools.iter().enumerate() {
            names.push(bytes(tool));
            defined.push(3);
            repeated.push(i16::from(at > 0));
        }
    }
    let mut column = group.next_column().expect("a column").expect("the second");
    let typed = column.typed::<ByteArrayType>();
    typed.write_batch(&names, Some(&defined), Some(&repeated)).expect("written");
    column.close().expect("closed");
    group.close().expect("closed");
    writer.into_inner().expect("a file")
}

pub(crate) fn level_path(level: usize) -> String {
    format!("data/L{level}-00000-of-00001.parquet")
}

/// The published form as the specification counts it: 106 tasks, of which 91 are those of the reference and 15 of L2 were dropped
/// there. One task of L1 has another tool, one stands at another level, and one of L4 was reworded.
pub(crate) fn published_form(reference: &Path) -> Vec<File> {
    let mut files =
        vec![("README.md".to_owned(), b"---\nlicense: apache-2.0\n---\n# Ko-AgentBench\n".to_vec())];
    let mut moved: Option<(String, Vec<String>)> = None;
    for level in 1..=7 {
        let path = reference.join(format!("ko-agentbench/tasks/L{level}.json"));
        let tasks = crate::support::read_json(&path);
        let mut rows: Vec<(String, Vec<String>)> = tasks
            .as_array()
            .expect("a list")
            .iter()
            .map(|task| (text(&task["instruction"]), tools_of(task)))
            .collect();
        match level {
            1 => rows[0].1 = vec!["DistanceMatrix_none".to_owned()],
            2 => {
                let dropped = (0..15).map(|n| (format!("빠진 과제 {n}"), vec!["StockPrice_ls".to_owned()]));
                rows.extend(dropped);
            }
            3 => moved = Some(rows.remove(9)),
            4 => {
                rows.extend(moved.take());
                rows[0].0 += " 다시 써서.";
                rows.remove(1);
            }
            5 => rows.push(("새로 공개된 과제".to_owned(), vec!["WebSearch_naver".to_owned()])),
            _ => {}
        }
        let tools: Vec<Vec<&str>> =
            rows.iter().map(|(_, tools)| tools.iter().map(String::as_str).collect()).collect();
        let rows: Vec<(&str, &[&str])> =
            rows.iter().zip(&tools).map(|((text, _), tools)| (text.as_str(), tools.as_slice())).collect();
        files.push((level_path(level), level_file(&rows)));
    }
    files
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The tools of a task: those to choose from, else those of its golden path, else those of its conversation.
fn tools_of(task: &Value) -> Vec<String> {
    if let Some(tools) = task["available_tools"].as_array() {
        return tools.iter().map(text).collect();
    }
    let calls = |actions: &Value| -> Vec<String> {
        let actions = actions.as_array().into_iter().flatten();
        actions.filter_map(|action| Some(action["tool"].as_str()?.to_owned())).collect()
    };
    let mut tools = calls(&task["golden_action"]);
    if tools.is_empty() {
        for turn in task["conversation_tracking"]["turns"].as_array().into_iter().flatten() {
            tools.extend(turn["action"]["tool"].as_str().map(str::to_owned));
            tools.extend(calls(&turn["actions"]));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    tools.retain(|tool| seen.insert(tool.clone()));
    tools
}

/// A pack of one task and one record in the starter layout.
pub(crate) fn small_pack(name: &str) -> Vec<File> {
    let manifest = json!({ "format": 1, "name": name, "version": "1", "title": "작은 팩", "source": "made up", "licence": "CC0-1.0" });
    let tool = json!({
        "name": "Search_x", "description": "찾기",
        "parameters": { "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"] }
    });
    let task = json!([{
        "task_id": "L1-001", "instruction": "찾아줘", "task_level": 1,
        "golden_action": [{ "tool": "Search_x", "args": { "query": "가" } }]
    }]);
    let record = json!({
        "key": "0".repeat(64), "tool": "Search_x", "created_at": "2025-11-01T00:00:00.000001",
        "input_params": { "query": "가" }, "raw_args": { "query": "가" }, "data": { "found": 7 }
    });
    let bytes = |value: Value| value.to_string().into_bytes();
    vec![
        (".gitattributes".to_owned(), b"*.parquet filter=lfs\n".to_vec()),
        ("README.md".to_owned(), "# 작은 팩\n".repeat(9).into_bytes()),
        ("images/banner.png".to_owned(), vec![7; 4096]),
        ("tasks/pack.json".to_owned(), bytes(manifest)),
        ("tasks/L1.json".to_owned(), bytes(task)),
        ("tasks/tools/Search_x.json".to_owned(), bytes(tool)),
        ("cache/Search_x.jsonl".to_owned(), bytes(record)),
    ]
}
