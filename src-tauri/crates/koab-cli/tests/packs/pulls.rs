//! Datasets of a hub: what is fetched, what becomes of it, and what happens when it does not come.

use crate::packs::files::{borrowed, level_file, level_path, long_text, small_pack};
use crate::packs::{BENCHMARK, Here};
use crate::support::hub::{COMMIT, Fault, sha256};
use crate::support::signal;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

const PACK: &str = "someone/small-pack";

fn lines(here: &Here) -> Vec<String> {
    here.hub.requests().into_iter().map(|asked| asked.line).collect()
}

#[test]
fn a_pack_is_fetched_at_its_commit_without_what_it_does_not_need_and_can_be_run() {
    let here = Here::new();
    here.hub.dataset(PACK, json!({}), &borrowed(&small_pack("small")));
    let pulled = here.ok(&["pack", "pull", &format!("{PACK}@v1"), "--use"]);
    assert_eq!((&pulled["kind"], &pulled["imported"]["pack"]["name"]), (&json!("pack"), &json!("small")));
    assert_eq!(
        pulled["from"],
        json!({
            "name": PACK, "page": format!("{}/datasets/{PACK}", here.hub.address), "revision": "v1", "commit": COMMIT,
            "files": 4, "bytes": pulled["from"]["bytes"], "sha256": null
        })
    );
    let asked = lines(&here);
    assert_eq!(asked[0], format!("GET /api/datasets/{PACK}/revision/v1?blobs=true"));
    assert!(
        asked[1..].iter().all(|line| line.starts_with(&format!("GET /datasets/{PACK}/resolve/{COMMIT}/"))),
        "{asked:?}"
    );
    assert!(!asked.iter().any(|line| line.contains("banner") || line.contains("README")));
    let snapshot = here.cache().join(format!("datasets--someone--small-pack/snapshots/{COMMIT}"));
    let link = snapshot.join("tasks/pack.json");
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(
        fs::read_to_string(here.cache().join("datasets--someone--small-pack/refs/v1")).expect("a ref"),
        COMMIT
    );
    // What came is used without the hub.
    here.ok(&["run", "--model", "baseline/golden"]);
    assert_eq!(here.ok(&["runs", "list"])[0]["pack"], "small@1");
    assert!(lines(&here).is_empty());
}

#[test]
fn a_second_pull_fetches_nothing_and_a_mirror_is_named_by_its_pages_too() {
    let here = Here::new();
    here.hub.dataset(PACK, json!({}), &borrowed(&small_pack("small")));
    here.ok(&["pack", "pull", PACK]);
    here.hub.requests();
    here.ok(&["pack", "pull", &format!("{}/datasets/{PACK}", here.hub.address)]);
    assert_eq!(lines(&here), [format!("GET /api/datasets/{PACK}/revision/main?blobs=true")]);
}

#[test]
fn a_cut_connection_is_made_again_and_goes_on_where_it_was() {
    let here = Here::new();
    let mut files = small_pack("small");
    let path = level_path(1);
    let big = level_file(&[(&long_text(9_000), &["Search_x"])]);
    files.push((path.clone(), big.clone()));
    files.retain(|(name, _)| !name.starts_with("tasks/"));
    here.hub.dataset(BENCHMARK, json!({}), &borrowed(&files));
    let half = big.len() / 2;
    here.hub.fault(&path, Some(Fault::Break(half)));
    here.ok(&["pack", "pull", BENCHMARK]);
    let ranges: Vec<String> = here.hub.requests().into_iter().filter_map(|asked| asked.range).collect();
    let from = format!("bytes={half}-");
    // Once by the hub, once by the storage that it hands on to.
    assert_eq!(ranges, [from.clone(), from]);
    let blob = here.cache().join(format!("datasets--huggingface-KREW--Ko-AgentBench/blobs/{}", sha256(&big)));
    assert_eq!(fs::read(blob).expect("whole"), big);
}

#[test]
fn what_an_earlier_program_left_is_gone_on_from() {
    let here = Here::new();
    let path = level_path(2);
    let big = level_file(&[(&long_text(9_000), &["Search_x"])]);
    here.hub.dataset(BENCHMARK, json!({}), &[(path.as_str(), big.clone())]);
    here.hub.fault(&path, Some(Fault::BreakAndRefuse(5_000, 418)));
    let sentence = here.sentence(&["pack", "pull", BENCHMARK]);
    insta::assert_snapshot!(sentence, @"koab: HUB answered HTTP 418: no");
    assert_eq!(here.ok(&["pack", "published"]), json!([]));
    here.hub.fault(&path, None);
    here.hub.requests();
    here.ok(&["pack", "pull", BENCHMARK]);
    let ranges: Vec<String> = here.hub.requests().into_iter().filter_map(|asked| asked.range).collect();
    assert_eq!(ranges, ["bytes=5000-", "bytes=5000-"]);
}

#[test]
fn other_bytes_than_promised_are_thrown_away_and_nothing_is_imported() {
    let here = Here::new();
    here.hub.dataset(PACK, json!({}), &borrowed(&small_pack("small")));
    here.hub.fault("tasks/L1.json", Some(Fault::Lie));
    let sentence = here.sentence(&["pack", "pull", PACK]);
    assert!(
        sentence.starts_with("koab: tasks/L1.json is not what the hub announced (git's SHA-1: "),
        "{sentence}"
    );
    assert_eq!(here.packs(), ["starter"]);
    let blobs = here.cache().join("datasets--someone--small-pack/blobs");
    let left = fs::read_dir(blobs).expect("a folder").flatten();
    assert!(
        left.map(|entry| fs::read(entry.path()).expect("read"))
            .all(|bytes| !String::from_utf8_lossy(&bytes).contains("golden_action")),
        "the wrong bytes are gone"
    );
    here.hub.fault("tasks/L1.json", None);
    here.ok(&["pack", "pull", PACK]);
    assert_eq!(here.packs(), ["small", "starter"]);
}

#[test]
fn refusals_are_one_sentence_that_says_what_to_do() {
    let here = Here::new();
    let gated = small_pack("gated");
    here.hub.dataset("some/gated", json!({ "gated": "manual" }), &borrowed(&gated));
    here.hub.dataset("some/pictures", json!({}), &[("a.png", vec![1; 9]), ("train.parquet", vec![2; 9])]);
    here.hub.dataset("some/broken", json!({}), &[("data/L1-00000-of-00001.parquet", vec![2; 999])]);
    here.hub.dataset("some/rows", json!({}), &[("L1.jsonl", b"{\"text\": \"hello\"}\n".to_vec())]);
    here.hub.repository("some/model", json!({}), &[("config.json", vec![1; 9])]);
    here.hub.fault("tasks/pack.json", Some(Fault::Refuse(401, "GatedRepo")));
    let mut said = Vec::new();
    for repo in [
        "some/gated",
        "no/body",
        "some/model",
        "some/gated@v9",
        "../etc",
        " ",
        "some/pictures",
        "some/broken",
        "some/rows",
    ] {
        said.push(here.sentence(&["pack", "pull", repo]));
    }
    let said: Vec<&str> =
        said.iter().map(|line| line.split(" (there is no keychain").next().unwrap_or(line)).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    koab: some/gated is given out only to those who accepted its terms: accept them at HUB/datasets/some/gated, and set HF_TOKEN to a token of that account
    koab: HUB has no dataset no/body, or it is private; check the name, and for a private one set HF_TOKEN
    koab: HUB has no dataset some/model, or it is private; check the name, and for a private one set HF_TOKEN
    koab: some/gated has no revision `v9`; leave it out for the newest
    koab: `../etc` is not a name of a repository; it looks like huggingface-KREW/Ko-AgentBench
    koab: name a dataset of a hub, such as huggingface-KREW/Ko-AgentBench, or an archive by its address
    koab: some/pictures holds no tasks: neither tasks/pack.json, nor level files beside a tool catalog, nor files named by level, such as data/L1-00000-of-00001.parquet or L1.jsonl
    koab: HUB/datasets/some/broken@0123456789abcdef0123456789abcdef01234567 holds no task (data/L1-00000-of-00001.parquet: is not a Parquet file that can be read (Parquet error: Invalid Parquet file. Corrupt footer) (left out))
    koab: HUB/datasets/some/rows@0123456789abcdef0123456789abcdef01234567 holds no task (L1.jsonl: task 1: instruction: is missing (left out))
    ");
    assert_eq!(here.packs(), ["starter"]);
    // Whoever accepted the terms shows it by a token, which goes to the hub alone.
    here.hub.fault("tasks/pack.json", None);
    here.hub.requests();
    let mut command = here.command(&["pack", "pull", "some/gated", "--quiet"]);
    let ran = crate::support::ran(command.env("HF_TOKEN", "hf_secret").output().expect("koab starts"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(here.hub.requests().iter().all(|asked| asked.token.as_deref() == Some("Bearer hf_secret")));
}

#[test]
fn tasks_alone_are_solved_with_the_tools_of_an_installed_pack() {
    let here = Here::new();
    let lines = [
        json!({ "task_id": "A-1", "instruction": "코스피 지수를 알려줘", "golden_action": [{ "tool": "MarketIndex_ls", "args": {} }] }),
        json!({ "task_id": "A-2", "instruction": "없는 도구", "golden_action": [{ "tool": "Gone_x", "args": {} }] }),
    ];
    let text = lines.map(|line| line.to_string()).join("\n");
    here.hub.dataset(
        "me/my-tasks",
        json!({ "cardData": { "license": "cc-by-4.0" } }),
        &[("data/L1.jsonl", text.into_bytes()), ("README.md", b"#".to_vec())],
    );
    let pulled = here.ok(&["pack", "pull", "me/my-tasks"]);
    let pack = &pulled["imported"]["pack"];
    assert_eq!(
        (&pulled["kind"], &pulled["with"], &pack["name"], &pack["licence"]),
        (&json!("tasks"), &json!("starter"), &json!("my-tasks"), &json!("cc-by-4.0"))
    );
    let starter = here.ok(&["pack", "show", "starter"]);
    assert_eq!(pack["tools"], starter["summary"]["tools"]);
    assert_eq!(pack["records"], starter["summary"]["records"]);
    let problem = pulled["imported"]["problems"].to_string();
    assert!(problem.contains("there is no tool named `Gone_x`"), "{problem}");
    let shown = here.ok(&["pack", "show", "my-tasks"]);
    assert_eq!(
        shown["source"].as_str(),
        Some(format!("{}/datasets/me/my-tasks@{COMMIT}", here.hub.address).as_str())
    );
    let ran = here.ok(&["run", "--pack", "my-tasks", "--model", "baseline/silent"]);
    assert_eq!(ran["run"]["done"], 2, "{ran}");
}

#[test]
fn whoever_told_other_tools_to_stay_offline_is_obeyed_here_too() {
    let here = Here::new();
    let mut command = here.command(&["pack", "pull", BENCHMARK, "--quiet"]);
    let ran = crate::support::ran(command.env("HF_HUB_OFFLINE", "1").output().expect("koab starts"));
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr.trim(), @"koab: HF_HUB_OFFLINE is set, so no hub is asked; unset it to fetch anything");
    assert!(here.hub.requests().is_empty());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_came_and_the_next_pull_goes_on() {
    let here = Here::new();
    let path = level_path(1);
    let big = level_file(&[(&long_text(9_000), &["Search_x"])]);
    here.hub.dataset(BENCHMARK, json!({}), &[(path.as_str(), big)]);
    here.hub.fault(&path, Some(Fault::Hang(4_000)));
    let mut child = here
        .command(&["pack", "pull", BENCHMARK])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("koab starts");
    // A line says that bytes are here.
    let mut told = BufReader::new(child.stderr.take().expect("its remarks")).lines();
    let came = format!("fetching {BENCHMARK}: 4.0 kB / ");
    assert!(told.any(|line| line.expect("a line").starts_with(&came)), "nothing came");
    signal(&child, "-INT");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130));
    here.hub.fault(&path, None);
    here.hub.requests();
    here.ok(&["pack", "pull", BENCHMARK]);
    let ranges: Vec<String> = here.hub.requests().into_iter().filter_map(|asked| asked.range).collect();
    assert_eq!(ranges, ["bytes=4000-", "bytes=4000-"]);
}

#[test]
fn a_pack_of_thousands_of_files_comes_whole() {
    let Some(shared) = crate::support::shared("a_pack_of_thousands_of_files_comes_whole") else {
        return;
    };
    let here = Here::new();
    let root = shared.join("ko-agentbench");
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    here.hub.dataset(BENCHMARK, json!({}), &borrowed(&files));
    let pulled = here.ok(&["pack", "pull", BENCHMARK]);
    let pack = &pulled["imported"]["pack"];
    assert_eq!(
        (&pack["name"], &pack["tools"], &pack["records"]),
        (&json!("ko-agentbench"), &json!(33), &json!(4582))
    );
    assert_eq!(here.ok(&["pack", "verify", "ko-agentbench"]), Value::Array(Vec::new()));
}

/// The files below a folder, by their paths from `root`.
pub(crate) fn collect(root: &std::path::Path, folder: &std::path::Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("listed").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("below").display().to_string();
            files.push((name, fs::read(&path).expect("read")));
        }
    }
}
