//! Files in memory, an invented pack, and the reference material.

use koab_benchmarks::table::Rules;
use koab_benchmarks::{Answer, Benchmark, Call, Files, Item, Row};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) use koab_benchmarks::functionchat::FunctionChat;

/// `../shared/packs/functionchat` beside the repository. Without it the test prints a `SKIP:` line, or fails when everything is
/// required.
pub(crate) fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/packs/functionchat");
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "the reference material packs/functionchat is not beside the repository"
    );
    eprintln!("SKIP: ../shared/packs/functionchat is not beside the checkout");
    None
}

/// The folder of the data: beside the repository, or as `cargo xtask setup parity` fetched it, which has no fixtures.
pub(crate) fn published() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let fetched = std::env::var_os("KOAB_PARITY").map_or_else(|| root.join("target/parity"), PathBuf::from);
    let places = [root.join("../shared/packs/functionchat"), fetched.join("functionchat")];
    if let Some(path) = places.into_iter().find(|path| path.exists()) {
        return Some(path);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|value| value != "1"),
        "the reference material packs/functionchat is neither beside the repository nor fetched"
    );
    eprintln!(
        "SKIP: ../shared/packs/functionchat is not beside the checkout; `cargo xtask setup parity` fetches it"
    );
    None
}

/// Lines of a fixture.
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines of a file of the reference material, which has so many.
pub(crate) fn fixtures(shared: &Path, file: &str, count: usize) -> Vec<Value> {
    let fixtures = lines(&shared.join(file));
    assert_eq!(fixtures.len(), count, "{file}");
    fixtures
}

/// The item that a fixture is about; of single calls with these tools where it names none.
pub(crate) fn item_of_fixture<'a>(items: &'a [Item], fixture: &Value, tools: &str) -> &'a Item {
    let set = fixture["set"].as_str().unwrap();
    let tools = fixture["tools_type"].as_str().unwrap_or(tools);
    item_of(items, set, fixture["serial_num"].as_u64().unwrap(), tools)
}

/// Files by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(pub(crate) BTreeMap<String, Vec<u8>>);

impl Memory {
    /// All files below a folder.
    pub(crate) fn of_folder(folder: &Path) -> Self {
        let mut files = Self::default();
        let mut folders = vec![folder.to_owned()];
        while let Some(inner) = folders.pop() {
            for entry in fs::read_dir(inner).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                    files.0.insert(name.to_owned(), fs::read(&path).unwrap());
                }
            }
        }
        files
    }

    /// The pack that is made of them.
    pub(crate) fn pack(&self) -> Self {
        let found = FunctionChat.files(self);
        Self(found.into_iter().map(|(to, from)| (to, self.0[&from].clone())).collect())
    }

    pub(crate) fn with(mut self, path: &str, text: &str) -> Self {
        self.0.insert(path.to_owned(), text.as_bytes().to_vec());
        self
    }
}

impl Files for Memory {
    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        self.0.get(path).cloned().ok_or_else(|| say!("{path} is missing"))
    }
}

/// The items of the reference material.
pub(crate) fn published_items(shared: &Path) -> Vec<Item> {
    FunctionChat.items(&Memory::of_folder(shared).pack()).unwrap()
}

/// The item of a fixture's set and number; of `SingleCall` that of one tool set.
pub(crate) fn item_of<'a>(items: &'a [Item], set: &str, serial: u64, tools: &str) -> &'a Item {
    let id = match set {
        "SingleCall" => format!("singlecall:{serial}:{tools}"),
        set => format!("{}:{serial}", set.to_lowercase()),
    };
    items.iter().find(|item| item.id == id).unwrap_or_else(|| panic!("{id}"))
}

/// A reply as an assistant message.
pub(crate) fn answer(message: &Value) -> Answer {
    let calls = message.get("tool_calls").and_then(Value::as_array);
    Answer {
        content: message["content"].as_str().map(str::to_owned),
        tool_calls: calls.map(|calls| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let calls = calls.iter().map(|call| Call {
                name: text(&call["function"]["name"]),
                arguments: text(&call["function"]["arguments"]),
            });
            calls.collect()
        }),
    }
}

/// A reply that calls tools.
pub(crate) fn calling(calls: &[(&str, &str)]) -> Answer {
    Answer {
        content: None,
        tool_calls: Some(
            calls
                .iter()
                .map(|(name, arguments)| Call {
                    name: (*name).to_owned(),
                    arguments: (*arguments).to_owned(),
                })
                .collect(),
        ),
    }
}

/// A reply in words.
pub(crate) fn saying(text: &str) -> Answer {
    Answer { content: Some(text.to_owned()), tool_calls: None }
}

/// The row of a call turn.
pub(crate) fn exact(item: &Item, answer: &Answer, rules: Rules) -> Row {
    FunctionChat.score(item, answer, rules).remove(0)
}

/// A pack of ten requests that stands on its own, in the authors' layout.
pub(crate) fn invented() -> Memory {
    let tool = |name: &str| json!({"type": "function", "function": {"name": name, "description": "", "parameters": {}}});
    let call = |name: &str, arguments: &str| {
        json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "random_id", "type": "function", "function": {"name": name, "arguments": arguments}}
        ]})
    };
    let said = |text: &str| json!({"role": "assistant", "content": text});
    let user = |text: &str| json!([{"role": "system", "content": "own"}, {"role": "user", "content": text}]);
    let decisions = [
        json!({
            "serial_num": 1, "category": "CALL", "input_messages": user("송금"), "input_tools": [tool("pay"), tool("stop")],
            "type_of_output": "call", "ground_truth": call("pay", r#"{"to": "김 철수", "amount": 5000}"#),
            "acceptable_arguments": r#"{"to": ["철수", "Kim"], "amount": 5000}"#,
        }),
        json!({
            "serial_num": 2, "category": "SLOT-all", "input_messages": user("송금"), "input_tools": [tool("pay")],
            "type_of_output": "slot", "ground_truth": said("누구에게요?"), "acceptable_arguments": null,
        }),
        json!({
            "serial_num": 3, "category": "REJECT", "input_messages": user("안녕"), "input_tools": [tool("pay")],
            "type_of_output": "relevance", "ground_truth": said("안녕하세요 {query}"), "acceptable_arguments": null,
        }),
    ];
    let single = json!({
        "function_num": 1, "function_name": "timer", "function_info": {},
        "query": [{"serial_num": 1, "content": "1분"}, {"serial_num": 2, "content": "2분"}],
        "ground_truth": [
            {"serial_num": 1, "content": r#"{"name":"timer","arguments":"{\"m\": 1}"}"#},
            {"serial_num": 2, "content": r#"{"name":"timer","arguments":"{\"m\": \"two\"}"#},
        ],
        "acceptable_arguments": [
            {"serial_num": 1, "content": null},
            {"serial_num": 2, "content": "Only ground truth is allowed."},
        ],
        "tools": [
            {"type": "exact", "content": [tool("timer")]},
            {"type": "2_close", "content": [tool("timer"), tool("alarm")]},
        ],
    });
    let turn = |serial: u64, kind: &str, truth: Value, accepted: Value| {
        json!({
            "turn_num": serial, "serial_num": serial, "query": [{"role": "user", "content": "음악"}], "ground_truth": truth,
            "type_of_output": kind, "acceptable_arguments": accepted,
        })
    };
    let dialog = json!({
        "dialog_num": 1, "tools_count": 1, "tools": [tool("play")],
        "turns": [
            turn(1, "slot", said("무엇을요?"), Value::Null),
            turn(2, "call", call("play", r#"{"loud": true, "list": ["a"]}"#), json!({"loud": ["yes"], "list": "A b"})),
            turn(3, "completion", said("틀었어요"), Value::Null),
        ],
    });
    let lines = |lines: &[Value]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    Memory::default()
        .with("data/FunctionChat-CallDecision.jsonl", &lines(&decisions))
        .with("data/FunctionChat-Singlecall.jsonl", &lines(&[single]))
        .with("data/FunctionChat-Dialog.jsonl", &lines(&[dialog]))
        .with(
            "data/rubric_call.txt",
            "\ncall {tools} {query} {ground_truth} {acceptable_arguments} {response}\n",
        )
        .with("data/rubric_completion.txt", "completion {response}")
        .with("data/rubric_slot.txt", "slot {query} {response}")
        .with("data/rubric_relevance.txt", "relevance {ground_truth} {query}")
        .with("data/system_prompt.txt", "  system\n")
        .with("LICENSE", "Apache")
        .with("README.md", "read me")
}

pub(crate) fn invented_items() -> Vec<Item> {
    FunctionChat.items(&invented().pack()).unwrap()
}
