//! A disk without room: said before anything is fetched where it can be seen, in one sentence where it cannot, and nothing half
//! imported either way.
#![cfg(target_os = "linux")]

use crate::packs::Here;
use crate::packs::files::{borrowed, small_pack};
use crate::support::{Ran, ran};
use serde_json::json;
use std::process::Command;

const PACK: &str = "someone/small-pack";

/// Runs a script in a namespace of its own, in which it may mount; `None` where the system has none.
fn unshared(here: &Here, script: &str) -> Option<Ran> {
    let mut unshare = Command::new("unshare");
    unshare
        .args(["--map-root-user", "--mount", "sh", "-c", script])
        .env("KOAB", env!("CARGO_BIN_EXE_koab"))
        .env("KOAB_HOME", here.koab.path())
        .env("HF_ENDPOINT", &here.hub.address)
        .env("HF_HOME", here.koab.path().join("hf"))
        .env_remove("HF_HUB_CACHE")
        .env("LC_ALL", "C.UTF-8");
    let ran = ran(unshare.output().expect("unshare starts"));
    if ran.stderr.contains("unshare failed") {
        crate::support::skip("a disk without room", "a mount namespace");
        return None;
    }
    Some(ran)
}

fn one_sentence(ran: &Ran, here: &Here) -> String {
    let said: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("koab: ")).collect();
    assert_eq!((ran.code, said.len()), (1, 1), "{}\n{}", ran.stdout, ran.stderr);
    here.plain(said[0])
}

#[test]
fn a_disk_that_is_too_small_is_said_before_anything_is_fetched() {
    let here = Here::new();
    let mut files = small_pack("small");
    files.push(("cache/Large_x.jsonl".to_owned(), vec![b'\n'; 3_000_000]));
    here.hub.dataset(PACK, json!({}), &borrowed(&files));
    let script = r#"
        mkdir -p "$HF_HOME"
        mount -t tmpfs -o size=2m none "$HF_HOME"
        "$KOAB" pack pull someone/small-pack --quiet
    "#;
    let Some(ran) = unshared(&here, script) else {
        return;
    };
    insta::assert_snapshot!(one_sentence(&ran, &here), @"koab: someone/small-pack needs 3.0 MB more and HOME/hf/hub has 2.1 MB free; free some space, or put the cache elsewhere with HF_HOME");
    let asked = here.hub.requests();
    assert!(asked.iter().all(|asked| asked.line.starts_with("GET /api/")), "{asked:?}");
}

#[test]
fn a_disk_that_is_full_all_of_a_sudden_keeps_what_came() {
    let here = Here::new();
    here.hub.dataset(PACK, json!({}), &borrowed(&small_pack("small")));
    // Room for bytes, but not for as many files: seen only when one cannot be made.
    let script = r#"
        mkdir -p "$HF_HOME"
        mount -t tmpfs -o size=64m,nr_inodes=14 none "$HF_HOME"
        "$KOAB" pack pull someone/small-pack --quiet
        code=$?
        mount -o remount,nr_inodes=200 "$HF_HOME"
        "$KOAB" pack list
        "$KOAB" pack pull someone/small-pack --quiet
        exit $code
    "#;
    let Some(ran) = unshared(&here, script) else {
        return;
    };
    let sentence = one_sentence(&ran, &here);
    assert!(sentence.contains("No space left on device"), "{sentence}");
    let (list, pulled) = ran.stdout.split_once("someone/small-pack@").expect("the second try works");
    assert!(!list.contains("small") && pulled.contains("imported: small@1"), "{}", ran.stdout);
}

#[test]
fn a_workspace_without_room_imports_nothing_and_the_files_stay() {
    let here = Here::new();
    let mut files = small_pack("small");
    let record = |n: usize| {
        let args = json!({ "query": format!("{n} {}", "가".repeat(2_000)) });
        json!({
            "key": format!("{n:064x}"), "tool": "Search_x", "created_at": "2025-11-01T00:00:00.000001",
            "input_params": args, "raw_args": args, "data": { "found": n }
        })
    };
    let lines: Vec<String> = (0..400).map(|n| record(n).to_string()).collect();
    files.push(("cache/Search_x.jsonl".to_owned(), lines.join("\n").into_bytes()));
    let at = files.iter().position(|(name, _)| name == "cache/Search_x.jsonl");
    files.remove(at.expect("there"));
    here.hub.dataset(PACK, json!({}), &borrowed(&files));
    let script = r#"
        mkdir -p "$KOAB_HOME/work"
        mount -t tmpfs -o size=4m none "$KOAB_HOME/work"
        "$KOAB" --home "$KOAB_HOME/work" pack list > /dev/null
        "$KOAB" --home "$KOAB_HOME/work" pack pull someone/small-pack --quiet
        code=$?
        "$KOAB" --home "$KOAB_HOME/work" pack list
        exit $code
    "#;
    let Some(ran) = unshared(&here, script) else {
        return;
    };
    insta::assert_snapshot!(one_sentence(&ran, &here), @"koab: the disk is full; free some space and try again");
    assert!(!ran.stdout.contains("small"), "{}", ran.stdout);
    // With room, nothing is fetched again.
    here.hub.requests();
    here.ok(&["pack", "pull", PACK]);
    assert_eq!(here.hub.requests().len(), 1);
}
