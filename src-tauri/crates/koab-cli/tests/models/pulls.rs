//! Fetching: what comes, where it lies, and what happens when it does not come.

use crate::models::{Here, TINY, noise, tiny_model};
use crate::support::hub::{COMMIT, Fault, git_sha1, sha256};
use serde_json::json;
use std::fs;
use std::path::Path;

const SECOND: &str = "model-00002-of-00002.safetensors";
const FIRST: &str = "model-00001-of-00002.safetensors";

/// Every file below a folder with what it is: a link's target, or its size.
fn laid(folder: &Path) -> Vec<String> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).expect("below").display().to_string();
            if entry.file_type().expect("a kind").is_dir() {
                walk(root, &path, found);
            } else if let Ok(target) = fs::read_link(&path) {
                found.push(format!("{name} -> {}", target.display()));
            } else {
                found.push(format!("{name}: {}", entry.metadata().expect("facts").len()));
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

#[test]
fn a_repository_comes_without_what_no_run_needs_and_lies_as_other_tools_expect_it() {
    let here = Here::new();
    here.hub.repository(TINY, json!({ "cardData": { "license": "apache-2.0" } }), &tiny_model());
    let pulled = here.ok(&["models", "pull", TINY]);
    assert_eq!(pulled["pulled"]["standing"], "done");
    assert_eq!(pulled["models"][0]["id"], "local/tiny/model");
    let folder = here.cache().join("models--tiny--model");
    let blob = |path: &str| {
        let files = tiny_model();
        let bytes = &files.iter().find(|(name, _)| *name == path).expect("a file").1;
        if path.ends_with(".safetensors") || path == "tokenizer.json" {
            sha256(bytes)
        } else {
            git_sha1(bytes)
        }
    };
    let linked = [
        "README.md",
        "config.json",
        FIRST,
        SECOND,
        "model.safetensors.index.json",
        "tokenizer.json",
        "tokenizer_config.json",
    ];
    let mut expected: Vec<String> = linked
        .iter()
        .map(|path| format!("snapshots/{COMMIT}/{path} -> ../../blobs/{}", blob(path)))
        .chain(linked.iter().map(|path| {
            let files = tiny_model();
            let size = files.iter().find(|(name, _)| name == path).expect("a file").1.len();
            format!("blobs/{}: {size}", blob(path))
        }))
        .chain(["refs/main: 40".to_owned()])
        .collect();
    expected.sort();
    assert_eq!(laid(&folder), expected);
    assert_eq!(fs::read_to_string(folder.join("refs/main")).expect("a ref"), COMMIT);
    let link = folder.join(format!("snapshots/{COMMIT}/{FIRST}"));
    assert_eq!(fs::read(link).expect("followed"), noise(300_000));
    // The plan of a download that is done is gone.
    assert_eq!(fs::read_dir(here.koab.path().join("models/pulls")).expect("a folder").count(), 0);
}

#[test]
fn a_second_pull_fetches_nothing() {
    let here = Here::new();
    here.hub.repository(TINY, json!({}), &tiny_model());
    here.ok(&["models", "pull", TINY]);
    here.hub.requests();
    here.ok(&["models", "pull", TINY]);
    let asked: Vec<String> = here.hub.requests().into_iter().map(|asked| asked.line).collect();
    assert_eq!(asked, [format!("GET /api/models/{TINY}/revision/main?blobs=true")]);
}

#[test]
fn a_connection_that_breaks_is_made_again_and_goes_on_where_it_was() {
    let here = Here::new();
    here.hub.repository(TINY, json!({}), &tiny_model());
    here.hub.fault(FIRST, Some(Fault::Break(100_000)));
    here.ok(&["models", "pull", TINY]);
    let ranges: Vec<String> = here.hub.requests().into_iter().filter_map(|asked| asked.range).collect();
    // Once by the hub, once by the storage that it hands on to.
    assert_eq!(ranges, ["bytes=100000-", "bytes=100000-"]);
    assert!(here.ok(&["models", "verify", TINY])["wrong"].as_array().expect("a list").is_empty());
}

#[test]
fn what_an_earlier_program_left_is_gone_on_from_and_shown_until_then() {
    let here = Here::new();
    here.hub.repository(TINY, json!({}), &tiny_model());
    here.hub.fault(FIRST, Some(Fault::BreakAndRefuse(120_000, 418)));
    let sentence = here.sentence(&["models", "pull", TINY]);
    insta::assert_snapshot!(sentence, @"koab: HUB answered HTTP 418: no");
    let list = here.ok(&["models", "list"]);
    let pull = &list["local"]["pulls"][0];
    assert_eq!((&pull["standing"], &pull["repo"]), (&json!("paused"), &json!(TINY)));
    assert!(pull["done"].as_u64().expect("bytes") >= 120_000);
    assert_eq!(list["local"]["models"], json!([]), "what is coming is no broken model");
    here.hub.fault(FIRST, None);
    here.hub.requests();
    here.ok(&["models", "pull", TINY]);
    let ranges: Vec<String> = here.hub.requests().into_iter().filter_map(|asked| asked.range).collect();
    assert!(ranges.contains(&"bytes=120000-".to_owned()), "{ranges:?}");
    let list = here.ok(&["models", "list"]);
    assert_eq!(list["local"]["pulls"], json!([]));
    assert_eq!(
        fs::read(here.cache().join(format!("models--tiny--model/blobs/{}", sha256(&noise(300_000)))))
            .expect("whole"),
        noise(300_000)
    );
}

#[test]
fn other_bytes_than_promised_are_thrown_away() {
    let here = Here::new();
    here.hub.repository(TINY, json!({}), &tiny_model());
    here.hub.fault(SECOND, Some(Fault::Lie));
    let sentence = here.sentence(&["models", "pull", TINY]);
    assert!(
        sentence
            .starts_with("koab: model-00002-of-00002.safetensors is not what the hub announced (SHA-256: "),
        "{sentence}"
    );
    let blobs = here.cache().join("models--tiny--model/blobs");
    let hash = sha256(&noise(200_000));
    assert!(!blobs.join(&hash).exists() && !blobs.join(format!("{hash}.incomplete")).exists());
    // A partial file of other bytes does not spoil the next try.
    here.hub.fault(SECOND, None);
    fs::write(blobs.join(format!("{hash}.incomplete")), b"rubbish").expect("written");
    here.ok(&["models", "pull", TINY]);
    assert_eq!(fs::read(blobs.join(&hash)).expect("whole"), noise(200_000));
}

#[test]
fn refusals_are_one_sentence_that_says_what_to_do() {
    let here = Here::new();
    here.hub.repository("meta/gated", json!({ "gated": "manual" }), &tiny_model());
    here.hub.repository("old/pickles", json!({}), &[("pytorch_model.bin", noise(9))]);
    here.hub.repository("many/gguf", json!({}), &[("a-q4_0.gguf", noise(9)), ("b-q8_0.gguf", noise(19))]);
    for file in tiny_model() {
        here.hub.fault(file.0, Some(Fault::Refuse(403, "GatedRepo")));
    }
    let mut said = Vec::new();
    for repo in ["meta/gated", "no/body", "meta/gated@v9", "../etc", "old/pickles", "many/gguf"] {
        said.push(here.sentence(&["models", "pull", repo]));
    }
    let said: Vec<&str> =
        said.iter().map(|line| line.split(" (there is no keychain").next().unwrap_or(line)).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    koab: meta/gated is given out only to those who accepted its terms: accept them at HUB/meta/gated, and set HF_TOKEN to a token of that account
    koab: HUB has no model no/body, or it is private; check the name, and for a private one set HF_TOKEN
    koab: meta/gated has no revision `v9`; leave it out for the newest
    koab: `../etc` is not a name of a repository; it looks like Qwen/Qwen2.5-7B-Instruct
    koab: old/pickles: it has its weights only as PyTorch files, which run code when they are opened; look for a repository of this model with safetensors or GGUF files
    koab: many/gguf: it has 2 GGUF models; choose one with --file or --quantization: b-q8_0.gguf, a-q4_0.gguf
    ");
}

#[test]
fn the_token_goes_to_the_hub_and_nowhere_else() {
    let here = Here::new();
    here.hub.repository(TINY, json!({}), &tiny_model());
    let ran = here.run_with(&["models", "pull", TINY, "--quiet"], &[("HF_TOKEN", "hf_secret")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let asked = here.hub.requests();
    let (storage, hub): (Vec<_>, Vec<_>) = asked.into_iter().partition(|asked| asked.storage);
    assert!(storage.len() == 3 && storage.iter().all(|asked| asked.token.is_none()), "{storage:?}");
    assert!(hub.iter().all(|asked| asked.token.as_deref() == Some("Bearer hf_secret")), "{hub:?}");
}

#[test]
fn before_anything_is_fetched_sizes_and_licence_are_shown() {
    let here = Here::new();
    let files = [
        ("README.md", noise(10)),
        ("m-Q8_0.gguf", noise(8_000)),
        ("m-Q4_K_M-00001-of-00002.gguf", noise(3_000)),
        ("m-Q4_K_M-00002-of-00002.gguf", noise(1_000)),
    ];
    here.hub.repository(
        "some/gguf",
        json!({ "cardData": { "license": "other", "license_name": "kanana" } }),
        &files,
    );
    let ran = here.run(&["models", "pull", "some/gguf", "--dry-run"]);
    insta::assert_snapshot!(ran.stdout, @"
    some/gguf@0123456789abcdef0123456789abcdef01234567
    licence: kanana
    --file                        --quantization  size    to fetch
    m-Q8_0.gguf                   Q8_0            8.0 kB  8.0 kB
    m-Q4_K_M-00001-of-00002.gguf  Q4_K_M          4.0 kB  4.0 kB
    ");
    assert!(here.hub.requests().iter().all(|asked| asked.line.starts_with("GET /api/")));
    let pulled = here.ok(&["models", "pull", "some/gguf", "--quantization", "4bit"]);
    assert_eq!(pulled["pulled"]["files"], json!([3, 3]));
    assert_eq!(pulled["models"][0]["id"], "local/some/gguf");
    assert_eq!(pulled["models"][0]["bytes"], 4_000);
}

#[test]
fn whoever_told_other_tools_to_stay_offline_is_obeyed_here_too() {
    let here = Here::new();
    let ran = here.run_with(&["models", "pull", TINY, "--quiet"], &[("HF_HUB_OFFLINE", "1")]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr.trim(), @"koab: HF_HUB_OFFLINE is set, so no hub is asked; unset it to fetch anything");
    assert!(here.hub.requests().is_empty());
}
