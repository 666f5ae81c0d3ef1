//! The archive of the published repository, by its page and revision: imported like a checkout.

use crate::packs::files::small_pack;
use crate::packs::{Here, checkout};
use crate::support::hub::{Fault, sha256};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const REPO: &str = "Hugging-Face-KREW/Ko-AgentBench";

/// A small pack as a `.tar.gz`.
fn packed(name: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in small_pack(name) {
        let path = folder.path().join("repo").join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, bytes).expect("written");
    }
    let tar = std::process::Command::new("tar")
        .args(["-czf", "-", "repo"])
        .current_dir(folder.path())
        .output()
        .expect("tar runs");
    assert!(tar.status.success());
    tar.stdout
}

fn page(here: &Here, revision: &str) -> String {
    format!("{}/{REPO}{revision}", here.hub.address)
}

#[test]
fn the_published_repository_comes_as_an_archive_and_every_old_record_is_found_by_its_arguments() {
    let name = "the_published_repository_comes_as_an_archive";
    let Some(shared) = crate::support::shared(name) else {
        return;
    };
    let Some((archive, commit)) = checkout::archive(&shared) else {
        crate::support::skip(name, "git");
        return;
    };
    let here = Here::new();
    here.hub.archive(REPO, "main", archive.clone());
    let pulled = here.ok(&["pack", "pull", "--archive", &page(&here, "@main"), "--use"]);
    let (pack, from) = (&pulled["imported"]["pack"], &pulled["from"]);
    let tasks: u64 =
        pack["levels"].as_array().expect("levels").iter().filter_map(|level| level["tasks"].as_u64()).sum();
    assert_eq!(
        (&pack["name"], tasks, &pack["tools"], &pack["records"]),
        (&json!("ko-agentbench"), 91, &json!(33), &json!(4582))
    );
    assert_eq!(
        (&from["revision"], &from["commit"], &from["sha256"]),
        (&json!("main"), &json!(commit), &json!(sha256(&archive)))
    );
    let shown = here.ok(&["pack", "show"]);
    assert_eq!(shown["source"].as_str(), Some(format!("{}@{commit}", page(&here, "")).as_str()));
    let records = &shown["records"];
    assert_eq!(
        (&records["current"], &records["stale"], &records["orphan"]),
        (&json!(3715), &json!(828), &json!(39))
    );
    assert_eq!(here.ok(&["pack", "verify"]), json!([]));
    stale_records_answer(&here, &shared);
}

/// Of the 828 records under earlier keys 616 have no twin under a current one: each answers a call with its arguments.
fn stale_records_answer(here: &Here, shared: &Path) {
    let catalog = crate::support::read_json(&shared.join("ko-agentbench/tool_catalog.json"));
    let tools: BTreeMap<String, koab_core::tool::ToolSpec> = catalog
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| koab_core::pack::parse_tool(tool).expect("a tool"))
        .map(|tool| (tool.name.clone(), tool))
        .collect();
    let (mut current, mut stale) = (BTreeSet::new(), Vec::new());
    for (tool, key, record) in records(&shared.join("ko-agentbench/cache")) {
        let Some(spec) = tools.get(&tool) else { continue };
        let raw = as_today(spec, &record["raw_args"]);
        let args = koab_core::args::normalize(spec, &raw);
        let call = (tool.clone(), args.canonical());
        let signature = koab_core::cache_key::signature(spec);
        if koab_core::cache_key::published_key(&tool, &signature, &args) == key {
            current.insert(call);
        } else {
            stale.push((call, raw, args));
        }
    }
    assert_eq!(stale.len(), 828);
    stale.retain(|(call, ..)| !current.contains(call));
    assert_eq!(stale.len(), 616);
    let api = koab_api::Api::open(Some(here.koab.path().to_owned())).expect("opened");
    let (cache, _) = api.packs.recorded("ko-agentbench", None).expect("recorded");
    for ((tool, _), raw, args) in &stale {
        // Arguments that the tool's schema refuses today would never reach the cache.
        koab_core::args::check(&tools[tool], raw).expect("taken");
        assert!(cache.lookup(tool, args).expect("read").is_some(), "{tool} {raw:?}");
    }
    // As one is asked for by hand; each look-up reads the whole pack.
    for ((tool, _), raw, _) in stale.iter().step_by(100) {
        let found = api.packs.cache_lookup(tool, &Value::Object(raw.clone()).to_string());
        assert!(found.expect("taken").result.is_some(), "{tool} {raw:?}");
    }
}

/// Arguments as a model writes them today: what was a number under an earlier schema and is a text now, as text.
fn as_today(spec: &koab_core::tool::ToolSpec, raw: &Value) -> serde_json::Map<String, Value> {
    let mut args = raw.as_object().expect("an object").clone();
    for (name, schema) in spec.properties() {
        if schema["type"] == "string"
            && let Some(value) = args.get_mut(name)
            && let Value::Number(number) = value
        {
            *value = Value::String(koab_core::python::number_repr(number));
        }
    }
    args
}

fn records(cache: &Path) -> Vec<(String, String, Value)> {
    let children = |path: &Path| -> Vec<std::path::PathBuf> {
        let entries = fs::read_dir(path).expect("listed").flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut found = Vec::new();
    for tool in children(cache) {
        for file in children(&tool).iter().flat_map(|prefix| children(prefix)) {
            found.push((name(&tool), name(&file), crate::support::read_json(&file)));
        }
    }
    found
}

#[test]
fn a_cut_connection_goes_on_where_the_host_knows_the_file_and_begins_anew_where_it_does_not() {
    let archive = packed("small");
    let half = archive.len() / 2;
    let file = "archive/HEAD.tar.gz";
    let ranges = |here: &Here| -> Vec<String> {
        here.hub.requests().into_iter().filter_map(|asked| asked.range).collect()
    };
    let here = Here::new();
    here.hub.archive(REPO, "HEAD", archive.clone());
    here.hub.fault(file, Some(Fault::Break(half)));
    let pulled = here.ok(&["pack", "pull", "--archive", &page(&here, "")]);
    assert_eq!(pulled["from"]["sha256"].as_str(), Some(sha256(&archive).as_str()));
    let from = format!("bytes={half}-");
    assert_eq!(ranges(&here), [from.clone(), from]);

    let here = Here::new();
    here.hub.forget_ranges();
    here.hub.archive(REPO, "HEAD", archive.clone());
    here.hub.fault(file, Some(Fault::Break(half)));
    let pulled = here.ok(&["pack", "pull", "--archive", &page(&here, "")]);
    assert_eq!(pulled["from"]["sha256"].as_str(), Some(sha256(&archive).as_str()));
    assert_eq!(ranges(&here), Vec::<String>::new());
    assert_eq!(here.packs(), ["small", "starter"]);
}

#[test]
fn what_is_no_archive_of_a_pack_is_refused_in_one_sentence() {
    let here = Here::new();
    let commit = "a".repeat(40);
    here.hub.archive(REPO, "text", b"hello, this is no archive".repeat(99));
    here.hub.archive("cut/off", "HEAD", packed("small")[..200].to_vec());
    let mut said = Vec::new();
    for from in [
        page(&here, "@v9"),
        page(&here, "@text"),
        format!("{}/cut/off", here.hub.address),
        format!("{}/some/where/pack.zip", here.hub.address),
        here.hub.address.replace("http://", "http://me:secret@") + "/a/b",
        "github.com/a/b".to_owned(),
        page(&here, &format!("@{commit}")),
    ] {
        let sentence = here.sentence(&["pack", "pull", "--archive", &from]);
        said.push(sentence.replace(&here.hub.address.replace("http://", ""), "HOST"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    koab: HUB/Hugging-Face-KREW/Ko-AgentBench has no revision `v9`, or the repository is private or not there (HTTP 404); check both
    koab: HUB/Hugging-Face-KREW/Ko-AgentBench is neither a folder nor a .zip, .tar, .tar.gz or .tar.zst archive; nothing was imported
    koab: HUB/cut/off is damaged (incomplete deflate stream); nothing was imported
    koab: HUB/some/where/pack.zip answered HTTP 404
    koab: HUB/a/b is given with a user name or password, which would be kept with the pack; leave it out
    koab: the base URL `github.com/a/b` has no scheme; write http://github.com/a/b or https://github.com/a/b
    koab: HUB/Hugging-Face-KREW/Ko-AgentBench has no revision `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`, or the repository is private or not there (HTTP 404); check both
    ");
    assert_eq!(here.packs(), ["starter"]);
}

#[test]
fn whoever_asks_for_a_commit_gets_no_other() {
    let name = "whoever_asks_for_a_commit_gets_no_other";
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in small_pack("small") {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, bytes).expect("written");
    }
    let Some((archive, commit)) = checkout::packed(folder.path(), "repo") else {
        crate::support::skip(name, "git");
        return;
    };
    let here = Here::new();
    let other = "b".repeat(40);
    here.hub.archive(REPO, &other, archive.clone());
    let sentence = here.sentence(&["pack", "pull", "--archive", &page(&here, &format!("@{other}"))]);
    assert_eq!(
        sentence,
        format!("koab: HUB/{REPO} was asked for commit {other} and sent {commit}; nothing was imported")
    );
    here.hub.archive(REPO, &commit, archive);
    let pulled = here.ok(&["pack", "pull", "--archive", &page(&here, &format!("@{commit}"))]);
    assert_eq!(pulled["from"]["commit"].as_str(), Some(commit.as_str()));
}
