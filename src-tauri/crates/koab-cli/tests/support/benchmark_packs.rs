//! Packs of other benchmarks with items of our own, in the layouts of their authors' repositories.

use super::Koab;
use super::http::Local;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// BFCL with so many items a group. Each asks for `math.square` of 3 and names itself; `irrelevance` wants no call.
pub fn bfcl(below: &Path, groups: &[(&str, usize)]) -> PathBuf {
    let root = below.join("gorilla-main");
    let data = root.join("berkeley-function-call-leaderboard/bfcl_eval/data");
    fs::create_dir_all(data.join("possible_answer")).unwrap();
    let function = json!({
        "name": "math.square",
        "description": "Squares.",
        "parameters": {"type": "dict", "properties": {"n": {"type": "integer", "description": "It."}}, "required": ["n"]},
    });
    for (group, items) in groups {
        let write = |folder: &Path, line: &dyn Fn(String) -> Value| {
            let lines: Vec<_> = (0..*items).map(|at| line(format!("{group}_{at}")).to_string()).collect();
            fs::write(folder.join(format!("BFCL_v4_{group}.json")), lines.join("\n")).unwrap();
        };
        write(&data, &|id| {
            let message = json!({"role": "user", "content": format!("Square 3 ({id}).")});
            json!({"id": id, "question": [[message]], "function": [function]})
        });
        if *group != "irrelevance" {
            write(
                &data.join("possible_answer"),
                &|id| json!({"id": id, "ground_truth": [{"math.square": {"n": [3]}}]}),
            );
        }
    }
    fs::write(root.join("LICENSE"), "Apache License").unwrap();
    root
}

/// `FunctionChat` with these items of `CallDecision`: category, kind of turn, messages, tools.
pub fn functionchat(below: &Path, items: &[(&str, &str, Value, Value)]) -> PathBuf {
    let root = below.join("functionchat");
    fs::create_dir(&root).unwrap();
    let lines: Vec<String> = (1..)
        .zip(items)
        .map(|(serial, (category, turn, messages, tools))| {
            json!({
                "serial_num": serial, "category": category, "input_messages": messages, "input_tools": tools,
                "type_of_output": turn, "ground_truth": {"role": "assistant", "content": "9시예요"},
                "acceptable_arguments": null,
            })
            .to_string()
        })
        .collect();
    fs::write(root.join("FunctionChat-CallDecision.jsonl"), lines.join("\n")).unwrap();
    for name in ["FunctionChat-Singlecall.jsonl", "FunctionChat-Dialog.jsonl"] {
        fs::write(root.join(name), "\n").unwrap();
    }
    for name in ["rubric_call", "rubric_completion", "rubric_slot", "rubric_relevance", "system_prompt"] {
        fs::write(root.join(format!("{name}.txt")), "{query} {response}").unwrap();
    }
    root
}

/// `FunctionChat` with so many items that a judge decides, each of one question: `1번 질문` and so on.
pub fn judged_functionchat(below: &Path, items: usize) -> PathBuf {
    let question = |serial| json!([{"role": "user", "content": format!("{serial}번 질문")}]);
    let items: Vec<_> =
        (1..=items).map(|serial| ("REJECT", "relevance", question(serial), json!([]))).collect();
    functionchat(below, &items)
}

/// A workspace with such a pack.
pub fn installed(pack: impl FnOnce(&Path) -> PathBuf) -> (Koab, tempfile::TempDir) {
    let (koab, folder) = (Koab::new(), tempfile::tempdir().unwrap());
    koab.ok(&["pack", "import", &pack(folder.path()).display().to_string()]);
    (koab, folder)
}

/// A run of such a pack with a server's model, by its name.
pub fn run_of(koab: &Koab, pack: &str, model: &str, server: &Local) -> String {
    let model = format!("openai_compat/{model}");
    let words = ["run", "--pack", pack, "--model", &model, "--base-url", &server.address];
    made(koab, &words)
}

/// The run that a command makes.
pub fn made(koab: &Koab, words: &[&str]) -> String {
    let run = koab.json(words)["run"].clone();
    let folder = run["folder"].as_str().unwrap();
    let parts: Vec<&str> = folder.rsplit(['/', '\\']).take(2).collect();
    format!("{}/{}", parts[1], parts[0])
}
