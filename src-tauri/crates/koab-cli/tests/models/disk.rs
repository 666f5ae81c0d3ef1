//! What is on this disk without asking anybody: the list, added paths, deleting.

use crate::models::{Here, TINY, noise, tiny_model};
use crate::support::hub::COMMIT;
use serde_json::{Value, json};
use std::fs;

const OTHER: &str = "ffffffffffffffffffffffffffffffffffffffff";

fn models(here: &Here) -> Vec<Value> {
    let list = here.ok(&["models", "list"]);
    list["local"]["models"].as_array().expect("a list").clone()
}

#[test]
fn what_was_fetched_is_listed_without_a_network_and_what_it_lacks_is_said() {
    let here = Here::new();
    let made = here.koab.path().join("made");
    koab_tiny::write(&made, koab_tiny::Architecture::Qwen2, 7).expect("written");
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(&made)
        .expect("listed")
        .flatten()
        .map(|entry| (entry.file_name().into_string().expect("text"), fs::read(entry.path()).expect("read")))
        .collect();
    files.push(("README.md".to_owned(), b"---\nlicense: apache-2.0\n---\n".to_vec()));
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    here.hub.repository(TINY, json!({}), &files);
    here.ok(&["models", "pull", TINY]);
    here.hub.requests();
    let [model] = &models(&here)[..] else { panic!("one model") };
    assert_eq!(model["problem"], Value::Null);
    assert_eq!(model["architecture"], "Qwen2ForCausalLM");
    assert!(model["context"].as_u64() > Some(0) && model["parameters"].as_u64() > Some(0), "{model}");
    assert_eq!((&model["licence"], &model["commit"]), (&json!("apache-2.0"), &json!(COMMIT)));
    let text = here.run(&["models", "list"]);
    assert!(text.stdout.contains("local/tiny/model"), "{}", text.stdout);
    assert!(here.hub.requests().is_empty());
    let snapshot = here.cache().join(format!("models--tiny--model/snapshots/{COMMIT}"));
    let shard = files.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".safetensors")).max();
    let shard = shard.expect("a file of weights");
    fs::remove_file(snapshot.join(shard)).expect("removed");
    let problem = models(&here)[0]["problem"].as_str().expect("a problem").to_owned();
    assert!(problem.contains(shard), "{problem}");

    // The same folder without any cache, where it lies.
    let added = here.ok(&["models", "add", made.to_str().expect("text")]);
    assert_eq!((&added["id"], &added["place"]), (&json!("local/made"), &json!("added")));
    let forgotten = here.ok(&["models", "delete", "made", "--yes"]);
    assert_eq!((&forgotten["frees"], forgotten["stays"].as_str()), (&json!(0), made.to_str()));
    assert!(made.join(shard).exists());
}

#[test]
fn deleting_asks_first_says_what_it_frees_and_keeps_what_other_revisions_share() {
    let here = Here::new();
    here.hub.repository(TINY, json!({}), &tiny_model());
    here.ok(&["models", "pull", TINY]);
    let folder = here.cache().join("models--tiny--model");
    // A second revision with one file of its own, as Python's tools would have laid it.
    let other = folder.join("snapshots").join(OTHER);
    fs::create_dir_all(&other).expect("made");
    for entry in fs::read_dir(folder.join("snapshots").join(COMMIT)).expect("listed").flatten() {
        let target = fs::read_link(entry.path()).expect("a link");
        std::os::unix::fs::symlink(target, other.join(entry.file_name())).expect("linked");
    }
    fs::write(folder.join("blobs/own"), noise(7_000)).expect("written");
    fs::remove_file(other.join("tokenizer.json")).expect("removed");
    std::os::unix::fs::symlink("../../blobs/own", other.join("tokenizer.json")).expect("linked");

    let sentence = here.sentence(&["models", "delete", TINY]);
    assert!(
        sentence.starts_with("koab: tiny/model: frees 51") && sentence.ends_with("confirm with --yes"),
        "{sentence}"
    );
    let one = here.ok(&["models", "delete", &format!("{TINY}@{}", &OTHER[..8]), "--yes"]);
    assert_eq!(one["frees"], 7_000);
    assert!(!other.exists() && !folder.join("blobs/own").exists());
    assert!(here.ok(&["models", "verify", TINY])["wrong"].as_array().expect("a list").is_empty());
    here.ok(&["models", "delete", TINY, "--yes"]);
    assert!(!folder.exists() && models(&here).is_empty());
    let sentence = here.sentence(&["models", "delete", TINY, "--yes"]);
    insta::assert_snapshot!(sentence, @"koab: there is no model tiny/model on this disk; `koab models list` lists them, `koab models pull` fetches more");
}

#[test]
fn one_of_several_gguf_models_goes_and_the_others_stay() {
    let here = Here::new();
    let files = [("README.md", noise(10)), ("m-Q8_0.gguf", noise(8_000)), ("m-Q4_0.gguf", noise(4_000))];
    here.hub.repository("some/gguf", json!({}), &files);
    here.ok(&["models", "pull", "some/gguf", "--quantization", "8bit"]);
    here.ok(&["models", "pull", "some/gguf", "--file", "m-Q4_0.gguf"]);
    let names = |here: &Here| models(here).iter().map(|model| model["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&here), ["some/gguf/m-Q4_0", "some/gguf/m-Q8_0"]);
    let sentence = here.sentence(&["models", "delete", "some/gguf", "--yes"]);
    insta::assert_snapshot!(sentence, @"koab: some/gguf has several models: some/gguf/m-Q4_0, some/gguf/m-Q8_0; name one of them");
    let gone = here.ok(&["models", "delete", "some/gguf/m-Q8_0", "--yes"]);
    assert_eq!(gone["frees"], 8_000);
    assert_eq!(names(&here), ["some/gguf"]);
}

#[test]
fn a_changed_file_is_found_by_its_hash() {
    let here = Here::new();
    here.hub.repository(TINY, json!({}), &tiny_model());
    here.ok(&["models", "pull", TINY]);
    let file = here.cache().join(format!("models--tiny--model/snapshots/{COMMIT}/config.json"));
    let changed = fs::read_to_string(&file).expect("read").replace("4096", "8192");
    fs::write(&file, changed).expect("written through the link");
    let ran = here.run(&["models", "verify", TINY]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout.trim(), @"
    tiny/model: 6 files match the hashes of the hub
    damaged (delete the model and fetch it again): config.json
    ");
}

#[test]
fn a_file_of_ones_own_is_used_where_it_lies_and_never_deleted() {
    let here = Here::new();
    let folder = here.koab.path().join("mine");
    fs::create_dir_all(&folder).expect("made");
    let parts = ["big-Q4_K_M-00001-of-00002.gguf", "big-Q4_K_M-00002-of-00002.gguf"];
    fs::write(folder.join(parts[1]), noise(10)).expect("written");
    let missing = here.sentence(&["models", "add", folder.join(parts[1]).to_str().expect("text")]);
    insta::assert_snapshot!(missing, @"koab: HOME/mine/big-Q4_K_M-00002-of-00002.gguf cannot be added: big-Q4_K_M-00001-of-00002.gguf is missing beside it");
    let sentence =
        here.sentence(&["models", "add", here.koab.path().join("nowhere").to_str().expect("text")]);
    insta::assert_snapshot!(sentence, @"koab: HOME/nowhere cannot be added: nothing is at this path; check the path");
}
