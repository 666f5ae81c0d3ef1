//! A checkout of the published repository, made from the reference, and the archive that git makes of it.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The reference laid out as the repository has it, with its catalog as a Python module, committed and packed by git as hosts pack it.
/// `None` without git. Gives the archive and its commit.
pub(crate) fn archive(reference: &Path) -> Option<(Vec<u8>, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let data = reference.join("ko-agentbench");
    for (from, to) in [
        ("tasks", "bench/tasks"),
        ("cache", "bench/cache"),
        ("judge_prompts.yaml", "bench/runner/prompts.yaml"),
    ] {
        copy(&data.join(from), &root.join(to));
    }
    let catalog = crate::support::read_json(&data.join("tool_catalog.json"));
    let entries: Vec<String> = catalog
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| {
            let word = |field: &str| python(&tool[field]);
            let schema = python(&tool["parameters"]);
            format!("    {}: (Api, \"call\", {}, {schema}),\n", word("name"), word("description"))
        })
        .collect();
    let module = format!("from .api import Api\n\nTOOL_CATALOG = {{\n{}}}\n", entries.concat());
    fs::create_dir_all(root.join("bench/tools")).expect("made");
    fs::write(root.join("bench/tools/tool_catalog.py"), module).expect("written");
    fs::write(root.join("README.md"), "# Ko-AgentBench\n").expect("written");
    packed(root, "Ko-AgentBench")
}

/// What git packs of a folder, as hosts pack it; `None` without git. Gives the archive and its commit.
pub(crate) fn packed(root: &Path, name: &str) -> Option<(Vec<u8>, String)> {
    let git = |words: &[&str]| {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        let mut command = Command::new("git");
        command.current_dir(root).args(identity).args(words);
        command.output().ok().filter(|output| output.status.success())
    };
    git(&["init", "--quiet"])?;
    git(&["add", "."])?;
    git(&["commit", "--quiet", "-m", "The published repository"])?;
    let commit = String::from_utf8(git(&["rev-parse", "HEAD"])?.stdout).expect("text");
    let commit = commit.trim().to_owned();
    let prefix = format!("--prefix={name}-{commit}/");
    let packed = git(&["archive", "--format=tar.gz", &prefix, "HEAD"])?;
    Some((packed.stdout, commit))
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().expect("a parent")).expect("made");
        fs::copy(from, to).expect("copied");
        return;
    }
    for entry in fs::read_dir(from).expect("listed").flatten() {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// A value as Python writes it.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(python).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{}: {}", Value::String(name.clone()), python(value))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}
