//! Models inside the program, from files to a scored run, without any network.
#![cfg(feature = "local")]

use crate::support::{Koab, read_json, shared};
use koab_tiny::Architecture;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A random model in Hugging Face's layout that writes calls wherever it may, and short ones.
fn caller(folder: &Path) -> PathBuf {
    preferring(&folder.join("Caller"), &[("<tool_call>", 60.0), ("\"", 4.0), ("}", 3.0), ("1", 2.0)])
}

/// A random model that ends texts and objects as soon as it may, so that a schema makes it a judge.
fn judge(folder: &Path) -> PathBuf {
    preferring(&folder.join("Judge"), &[("\"", 6.0), ("}", 5.0), ("1", 4.0)])
}

fn preferring(folder: &Path, liked: &[(&str, f32)]) -> PathBuf {
    koab_tiny::write(folder, Architecture::Qwen3, 7).expect("written");
    koab_tiny::prefer(folder, liked).expect("patched");
    folder.to_owned()
}

fn words<'a>(model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["run", "--use-local", "--model", model, "--timeout", "600", "--seed", "1"];
    words.extend(more);
    words
}

/// All logs of a run's folder.
fn logs(folder: &Path) -> Vec<Value> {
    (1..=7)
        .map(|level| folder.join(format!("L{level}.json")))
        .filter(|file| file.exists())
        .map(|file| read_json(&file))
        .collect()
}

#[test]
fn all_91_tasks_are_run_with_tools_by_a_model_of_this_disk() {
    let Some(shared) = shared("all_91_tasks_are_run_with_tools_by_a_model_of_this_disk") else {
        return;
    };
    let koab = Koab::new();
    let folder = tempfile::tempdir().expect("a folder");
    let model = caller(folder.path());
    koab.use_published(&shared);
    let run = koab.run(&words(
        model.to_str().expect("a path"),
        &[
            "--quantization",
            "8bit",
            "--protocol",
            "corrected",
            "--constrained",
            "--max-tokens",
            "48",
            "--max-steps",
            "1",
            "--temperature",
            "0",
            "--context",
            "16384",
            "--json",
            "--quiet",
        ],
    ));
    assert!(matches!(run.code, 0 | 3), "{}", run.stderr);
    let run: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&run["run"]["planned"], &run["run"]["done"]), (&91.into(), &91.into()), "{run}");
    assert_eq!(run["run"]["failed"], 0, "{run}");
    let made = PathBuf::from(run["run"]["folder"].as_str().expect("a folder"));
    let calls: usize = logs(&made)
        .iter()
        .flat_map(|log| log["results"].as_array().expect("results"))
        .map(|result| result["tool_calls"].as_array().map_or(0, Vec::len))
        .sum();
    assert!(calls >= 91, "every task calls a tool: {calls}");
    let local = &read_json(&made.join("run.json"))["spec"]["local"];
    assert_eq!(local["precision"], "8bit");
    assert_eq!(local["form"], "hermes");
    assert_eq!(local["sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn the_starter_pack_is_run_scored_and_judged_by_models_of_this_disk() {
    let koab = Koab::new();
    let folder = tempfile::tempdir().expect("a folder");
    let model = caller(folder.path());
    let path = model.to_str().expect("a path");
    let judge = format!("local/{}", judge(folder.path()).display());
    let ran = koab.run(&words(
        path,
        &[
            "--tasks",
            "L1-001,L5-001",
            "--max-tokens",
            "16",
            "--max-steps",
            "1",
            "--context",
            "8192",
            "--evaluate",
            "--judge-models",
            &judge,
        ],
    ));
    // A random judge may fail, which is told by code 3 and never by a number.
    assert!(matches!(ran.code, 0 | 3), "{}\n{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("L5") && ran.stderr.contains("judged: 3/3"),
        "{}\n{}",
        ran.stdout,
        ran.stderr
    );
    // One model at a time is loaded: the judge's after the agent's.
    // The second run finds the converted model: there is one of each precision that was asked for.
    koab.ok(&words(
        path,
        &["--tasks", "L1-001", "--max-tokens", "8", "--max-steps", "1", "--context", "8192"],
    ));
    let converted: Vec<PathBuf> =
        walk(&koab.path().join("models")).into_iter().filter(|file| file.ends_with("model.gguf")).collect();
    assert_eq!(converted.len(), 2, "agent and judge, each once: {converted:?}");
    assert!(
        converted[0].components().any(|part| part.as_os_str() == "bfloat16"),
        "as it was published: {converted:?}"
    );
}

#[test]
fn a_model_whose_files_changed_is_converted_again() {
    let koab = Koab::new();
    let folder = tempfile::tempdir().expect("a folder");
    let model = caller(folder.path());
    let path = model.to_str().expect("a path");
    let quick = ["--tasks", "L1-001", "--max-tokens", "8", "--max-steps", "1", "--context", "8192", "--json"];
    let sha256 = || {
        let ran = koab.run(&words(path, &quick));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let end: Value = serde_json::from_str(&ran.stdout).expect("one document");
        let made = Path::new(end["run"]["folder"].as_str().expect("a folder")).join("run.json");
        let local = read_json(&made)["spec"]["local"].clone();
        assert!(local["weights_bytes"].as_u64() > Some(1 << 20), "{local}");
        local["sha256"].as_str().expect("a hash").to_owned()
    };
    let first = sha256();
    assert_eq!(sha256(), first, "nothing changed");
    // Other weights of the same sizes under the same names.
    koab_tiny::write(&model, Architecture::Qwen3, 8).expect("written");
    let second = sha256();
    assert_ne!(second, first);
    assert_eq!(sha256(), second, "converted once");
}

#[test]
fn the_doctor_tries_a_model() {
    let koab = Koab::new();
    let folder = tempfile::tempdir().expect("a folder");
    let model = caller(folder.path());
    let path = model.to_str().expect("a path");
    let settings = ["--quantization", "8bit", "--context", "4096", "--parallel", "2"];
    let words = [&["models", "doctor", path], settings.as_slice()].concat();
    let ran = koab.run(&[words.as_slice(), &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!(found["precision"], "8bit");
    assert_eq!(found["context"], 4096);
    assert_eq!(found["parallel"], 2);
    assert_eq!(found["deterministic"], true);
    assert!(found["deterministic_together"].is_boolean(), "{found}");
    assert_eq!(found["form"], "hermes");
    assert_eq!(found["handles_tools"], true);
    // Of the tiny model's sizes: 2 (keys and values) × layers × heads × width × 2 bytes × cells.
    let config = read_json(&model.join("config.json"));
    let of = |name: &str| config[name].as_u64().expect(name);
    let kv = 2 * of("num_hidden_layers") * of("num_key_value_heads") * of("head_dim") * 2 * 4096 * 2;
    assert_eq!(found["kv_bytes"], kv);
    for rate in ["prompt_per_second", "written_per_second"] {
        assert!(found[rate].as_f64() > Some(0.0), "{rate}: {found}");
    }
    // The starter pack's longest prompt, counted with this tokenizer: a byte or more a token.
    assert!(found["longest"]["tokens"].as_u64() > Some(100), "{found}");
    let rendered = found["rendered"].as_str().expect("a text");
    assert!(rendered.contains("<tool_response>"), "{rendered}");
    // The same for people, in both languages; aligned, also where letters are two columns wide.
    let said = koab.run(&[words.as_slice(), &["--lang", "ko"]].concat());
    assert!(
        said.stdout.contains("\n정밀도               8bit")
            && said.stdout.contains("예, 한 번에 대화 하나면"),
        "{}",
        said.stdout
    );
}

#[test]
fn what_cannot_be_run_is_told_in_one_sentence() {
    let koab = Koab::new();
    let folder = tempfile::tempdir().expect("a folder");
    let model = caller(folder.path());
    let path = model.to_str().expect("a path");
    let sentence = |words: &[&str]| {
        let ran = koab.run(words);
        assert_ne!(ran.code, 0, "{words:?}");
        ran.stderr.replace(path, "MODEL").trim().to_owned()
    };
    insta::assert_snapshot!(sentence(&words("Qwen/none-such", &[])), @"koab: there is no model Qwen/none-such on this disk; `koab models list` lists them, `koab models pull` fetches more");
    insta::assert_snapshot!(sentence(&words(path, &["--constrained"])), @"koab: constrained tool calls are not part of the leaderboard protocol; choose the corrected protocol, or leave --constrained out");
    insta::assert_snapshot!(sentence(&words(path, &["--tool-form", "morse", "--protocol", "corrected"])), @"koab: there is no form of tool calls named `morse`; choose one of auto, hermes, llama3, mistral, mistral-args, function, parameters, tools");
    let index = model.join("model.safetensors.index.json");
    let shard = read_json(&index)["weight_map"]
        .as_object()
        .and_then(|map| map.values().next()?.as_str().map(str::to_owned))
        .expect("a shard");
    let bytes = std::fs::read(model.join(&shard)).expect("read");
    std::fs::write(model.join(&shard), &bytes[..bytes.len() - 100]).expect("cut off");
    insta::assert_snapshot!(sentence(&words(path, &[])), @"koab: MODEL cannot be used: model-00001-of-00003.safetensors has 1214836 bytes and should have 1214936 by its own header; it was not fetched to the end or is damaged: fetch it again");
    std::fs::write(model.join(&shard), &bytes).expect("whole again");
    std::fs::remove_file(model.join("tokenizer.json")).expect("gone");
    insta::assert_snapshot!(sentence(&words(path, &[])), @"koab: MODEL cannot be used: MODEL has no tokenizer.json; without this file text cannot become tokens; fetch the rest of the model");
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(walk(&path)),
            path => found.push(path),
        }
    }
    found
}
