//! Snapshots: what they hold, that nothing changes it, and that it is the same wherever it is written and read again.

use crate::support::{self, Workspace, answer, folder, import, record, starter, tool, workspace};
use koab_core::args;
use koab_core::catalog::ToolCatalog;
use koab_engine::ports::{AnswerOverlay as _, ResponseCache as _};
use koab_store::StateOf;
use koab_store::snapshots::{AnswerChange, ShareAs, StateDiff};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SEARCH: &str = "Search_x";

fn with_starter() -> Workspace {
    let space = workspace();
    import(&space, folder(&starter()).path());
    space
}

/// Keeps an answer beside a pack, as a run in write mode does.
fn keep(space: &Workspace, pack: &str, raw: Value, answer: &Value) {
    let spec = tool(SEARCH);
    let overlay = space.store.overlay(pack, ToolCatalog::new([spec.clone()]), "run a/1").expect("opened");
    let raw = raw.as_object().expect("an object").clone();
    let args = args::normalize(&spec, &raw);
    overlay.keep(SEARCH, &args, &raw, answer).expect("kept");
}

fn lookup(space: &Workspace, of: &StateOf, raw: Value) -> Option<Value> {
    let args = args::normalize(&tool(SEARCH), raw.as_object().expect("an object"));
    let state = space.store.state(of).expect("opened");
    state.lookup(SEARCH, &args).expect("read")
}

fn snapshot(name: &str) -> StateOf {
    StateOf::Snapshot(name.to_owned())
}

fn pack() -> StateOf {
    StateOf::Pack("starter".to_owned())
}

fn now() -> StateOf {
    StateOf::Now("starter".to_owned())
}

fn hash(space: &Workspace, of: &StateOf) -> String {
    space.store.state(of).expect("opened").compute_hash().expect("read")
}

fn diff(space: &Workspace, then: &StateOf, now: &StateOf) -> StateDiff {
    let (then, now) = (space.store.state(then).expect("opened"), space.store.state(now).expect("opened"));
    then.diff(&now, None, 100).expect("compared")
}

fn shared(name: &str) -> ShareAs {
    ShareAs {
        name: name.to_owned(),
        version: "1.0.0+abc".to_owned(),
        title: "Shared".to_owned(),
        source: "a snapshot".to_owned(),
    }
}

#[test]
fn nothing_that_happens_later_changes_a_snapshot() {
    let space = with_starter();
    keep(&space, "starter", json!({"query": "다"}), &json!({"found": "하나"}));
    let made = space.store.create_snapshot("starter", "첫-스냅샷", "before").expect("made");
    assert_eq!((made.recorded, made.added, made.installed), (2, 1, true));
    assert_eq!(hash(&space, &snapshot("첫-스냅샷")), made.hash);
    assert_eq!(hash(&space, &now()), made.hash, "it is the state of now");

    // The overlay grows, changes and is cleared; the pack is replaced by another version and removed.
    keep(&space, "starter", json!({"query": "다"}), &json!({"found": "둘"}));
    keep(&space, "starter", json!({"query": "라"}), &json!(1));
    space.store.clear_overlay("starter").expect("cleared");
    let mut other = starter();
    other[4].1 = record(&tool(SEARCH), json!({"query": "가"}), json!("new")).1.to_string();
    import(&space, folder(&other).path());
    assert_eq!(answer(&space, "starter", &tool(SEARCH), json!({"query": "가"})), Some(json!("new")));
    space.store.remove_pack("starter").expect("removed");
    assert!(space.store.packs().expect("listed").is_empty(), "out of sight");

    let kept = space.store.snapshot("첫-스냅샷").expect("there");
    assert_eq!(
        (kept.hash.as_str(), kept.installed, kept.version.as_str()),
        (made.hash.as_str(), false, "1.0.0")
    );
    assert_eq!(hash(&space, &snapshot("첫-스냅샷")), made.hash);
    let of = snapshot("첫-스냅샷");
    assert_eq!(lookup(&space, &of, json!({"query": "다"})), Some(json!({"found": "하나"})));
    assert_eq!(lookup(&space, &of, json!({"query": "가"})), Some(json!({"asked": {"query": "가"}})));
    assert_eq!(lookup(&space, &of, json!({"query": "라"})), None);

    // With the last snapshot the records go that were kept for it.
    space.store.delete_snapshot("첫-스냅샷").expect("deleted");
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    let left: i64 = database.query_row("SELECT COUNT(*) FROM record", [], |row| row.get(0)).expect("counted");
    assert_eq!(left, 0);
}

#[test]
fn what_a_pack_answers_itself_is_not_taken_from_beside_it() {
    let space = with_starter();
    keep(&space, "starter", json!({"query": "가"}), &json!("kept"));
    let made = space.store.create_snapshot("starter", "a", "").expect("made");
    assert_eq!((made.recorded, made.added), (2, 0));
    for of in [pack(), now(), snapshot("a")] {
        assert_eq!(
            lookup(&space, &of, json!({"query": "가"})),
            Some(json!({"asked": {"query": "가"}})),
            "{of}"
        );
        assert_eq!(hash(&space, &of), made.hash);
    }
}

#[test]
fn states_are_told_apart_call_by_call() {
    let space = with_starter();
    keep(&space, "starter", json!({"query": "다"}), &json!({"n": 1, "same": true}));
    space.store.create_snapshot("starter", "one", "").expect("made");
    keep(&space, "starter", json!({"query": "다"}), &json!({"n": 2, "same": true}));
    keep(&space, "starter", json!({"query": "라"}), &json!([]));
    let found = diff(&space, &snapshot("one"), &now());
    let lines: Vec<String> = found
        .differences
        .iter()
        .map(|one| {
            let places = one.places.iter().flat_map(|places| &places.shown);
            let places: Vec<String> =
                places.map(|place| format!("{}: {:?} → {:?}", place.path, place.then, place.now)).collect();
            format!("{:?} {} {} {}", one.change, one.tool, one.args, places.join(", "))
        })
        .collect();
    assert_eq!(
        lines,
        [
            r#"Changed Search_x {"query": "다", "size": 10} n: Some("1") → Some("2")"#,
            r#"Added Search_x {"query": "라", "size": 10} "#,
        ]
    );
    assert_eq!((found.tools[0].same, found.tools[0].added, found.tools[0].changed), (2, 1, 1));
    let back = diff(&space, &now(), &snapshot("one"));
    assert_eq!(back.differences[1].change, AnswerChange::Removed);
    assert_eq!(back.differences[1].then.as_ref().and_then(|side| side.origin.as_deref()), Some("run a/1"));
    assert_eq!(diff(&space, &pack(), &now()).total, 2);
    assert_eq!(diff(&space, &pack(), &pack()).total, 0);
    let of_another = space.store.state(&pack()).expect("opened");
    let limited =
        of_another.diff(&space.store.state(&now()).expect("opened"), Some("Another_x"), 9).expect("compared");
    assert_eq!((limited.total, limited.tools[0].added), (0, 2), "counted, and not listed");
}

#[test]
fn names_are_checked_and_taken_once() {
    let space = with_starter();
    let refused =
        |name: &str| space.store.create_snapshot("starter", name, "").expect_err("refused").to_string();
    for name in ["now", "overlay", "pack"] {
        assert_eq!(refused(name), format!("`{name}` is a reserved word; choose another name"));
    }
    for name in ["", "a b", "../a", ".a", "-a", &"가".repeat(65)] {
        assert!(refused(name).ends_with("dots, dashes and underscores"), "{name}");
    }
    space.store.create_snapshot("starter", "a", "").expect("made");
    assert_eq!(refused("a"), "there is a snapshot `a` already; choose another name or delete it first");
    let missing = space.store.snapshot("b").expect_err("none").to_string();
    assert_eq!(missing, "there is no snapshot `b`: there are a; make one with `koab cache snapshot create`");
}

#[test]
fn a_pack_that_a_snapshot_holds_is_imported_again_and_listed_once() {
    let space = with_starter();
    space.store.create_snapshot("starter", "a", "").expect("made");
    import(&space, folder(&starter()).path());
    import(&space, folder(&starter()).path());
    assert_eq!(space.store.packs().expect("listed").len(), 1);
    let first = space.store.snapshot("a").expect("there");
    let second = space.store.create_snapshot("starter", "b", "").expect("made");
    assert_eq!(first.hash, second.hash, "the same content has the same hash");
    assert!(!first.installed && second.installed);
    assert!(space.store.snapshot_fits("a", "starter").expect("told"), "the same tasks and tools");
    let mut other = starter();
    other[0].1 = json!([support::task("L1-002", SEARCH)]).to_string();
    import(&space, folder(&other).path());
    assert!(!space.store.snapshot_fits("a", "starter").expect("told"));
}

#[test]
fn the_hash_of_a_pack_is_that_of_its_content_in_every_workspace() {
    let (space, other) = (with_starter(), with_starter());
    let of = |space: &Workspace| space.store.pack_ref("starter").expect("computed");
    assert_eq!(of(&space), of(&other));
    assert_eq!(of(&space), of(&space), "as it was kept");
    let mut files = starter();
    files[0].1 = json!([support::task("L1-002", SEARCH)]).to_string();
    import(&other, folder(&files).path());
    assert_ne!(of(&space).hash, of(&other).hash);
}

#[test]
fn a_state_becomes_a_pack_of_its_own_that_answers_the_same() {
    let space = with_starter();
    keep(&space, "starter", json!({"query": "다"}), &json!({"found": "하나", "price": 0.1}));
    let made = space.store.create_snapshot("starter", "s", "").expect("made");
    let out = tempfile::tempdir().expect("a folder");
    let file = out.path().join("new/shared.tar.gz");
    let state = space.store.state(&snapshot("s")).expect("opened");
    let refused = state.archive(&file, &shared("starter")).expect_err("its own name").to_string();
    assert_eq!(refused, "`starter` is the name of the pack that it was made of; give another one");
    let archived = state.archive(&file, &shared("starter-s")).expect("written");
    assert_eq!((archived.records, archived.problems.len()), (3, 0));
    let first = fs::read(&file).expect("read");
    state.archive(&file, &shared("starter-s")).expect("written again");
    assert_eq!(fs::read(&file).expect("read"), first, "the same bytes");

    let other = workspace();
    let imported = import(&other, &file);
    assert_eq!(support::problems(&imported), "", "it is what its manifest says");
    let manifest = &imported.pack.manifest;
    assert_eq!(
        (manifest.name.as_str(), manifest.version.as_str(), manifest.source.as_str()),
        ("starter-s", "1.0.0+abc", "a snapshot")
    );
    assert_eq!((imported.pack.records.kept, imported.pack.records.current), (3, 3));
    assert_eq!(hash(&other, &StateOf::Pack("starter-s".to_owned())), made.hash);
    let (then, now) =
        (space.store.pack("starter").expect("read").0, other.store.pack("starter-s").expect("read").0);
    assert_eq!((then.tasks, then.tools, then.judge_prompts), (now.tasks, now.tools, now.judge_prompts));
}

/// Every file below a folder with its bytes.
fn files(below: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![below.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(below).expect("below").display().to_string();
                found.insert(name, fs::read(&path).expect("read"));
            }
        }
    }
    found
}

#[test]
fn an_export_has_the_published_form_and_is_all_or_nothing() {
    let space = with_starter();
    keep(&space, "starter", json!({"query": "다", "unknown": 1}), &json!({"price": 1.0}));
    let state = space.store.state(&now()).expect("opened");
    let out = tempfile::tempdir().expect("a folder");
    let cache = out.path().join("cache");
    let written = state.export(&cache).expect("written");
    assert_eq!((written.files, written.problems.len()), (3, 0));
    let (key, _) = record(&tool(SEARCH), json!({"query": "다"}), json!(0));
    let found = files(&cache);
    let text =
        String::from_utf8(found[&format!("Search_x/{}/{key}.json", &key[..2])].clone()).expect("a text");
    let (head, rest) = text.split_once("\"created_at\": \"").expect("when");
    assert_eq!(head, format!("{{\n  \"key\": \"{key}\",\n  \"tool\": \"Search_x\",\n  "));
    assert_eq!(
        &rest[26..],
        "\",\n  \"input_params\": {\n    \"query\": \"다\",\n    \"size\": 10\n  },\n  \"raw_args\": {\n    \"query\": \"다\",\n    \"unknown\": 1\n  },\n  \"data\": {\n    \"price\": 1.0\n  }\n}"
    );
    let refused = state.export(&cache).expect_err("not empty").to_string();
    assert!(refused.ends_with("is there already and not empty; name a new folder"), "{refused}");
    assert_eq!(files(&cache), found, "as it was");
    let names = fs::read_dir(out.path()).expect("listed").count();
    assert_eq!(names, 1, "nothing is left beside it");
}

/// The published cache, written out again, is the published cache: file by file, byte by byte, but for the keys of
/// services that the import blanks.
#[test]
fn the_published_records_are_exported_as_they_were_published() {
    let Some(data) = support::reference("ko-agentbench") else {
        return;
    };
    let space = workspace();
    let name = import(&space, &data).pack.manifest.name;
    let out = tempfile::tempdir().expect("a folder");
    let state = space.store.state(&StateOf::Pack(name)).expect("opened");
    let written = state.export(&out.path().join("cache")).expect("written");
    assert_eq!((written.files, written.problems.len()), (4582, 0));
    let (before, after) = (files(&data.join("cache")), files(&out.path().join("cache")));
    assert!(before.keys().eq(after.keys()));
    let changed: Vec<&String> = before.keys().filter(|name| before[*name] != after[*name]).collect();
    for name in &changed {
        let text = String::from_utf8_lossy(&after[*name]);
        assert!(text.contains("REDACTED"), "{name}");
    }
    assert!(changed.len() <= 18, "{changed:?}");
}

#[test]
fn an_import_waits_for_nobody_who_reads() {
    let space = with_starter();
    let _reading = space.store.state(&StateOf::Pack("starter".to_owned())).expect("opened");
    let mut source = starter();
    source.retain(|(path, _)| *path != "tasks/pack.json");
    source.push(("tasks/pack.json", json!({"format": 1, "name": "other", "version": "1"}).to_string()));
    let source = folder(&source);
    let begun = std::time::Instant::now();
    import(&space, source.path());
    // Ten seconds is how long a locked database is waited for.
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON", |x| x.is_finite()).prop_map(Value::from),
        "[\\PC\n\r\t\"\\\\\u{2028}가-힣]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-z가-나]{0,4}", inner), 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// Whatever was answered: exported and imported, shared and imported, it is found by the same calls, with the same hash.
    #[test]
    fn what_is_written_is_read_back(answers in proptest::collection::vec(("[\\PC\n\"]{0,8}", 0..40i64, data()), 0..6)) {
        let space = with_starter();
        for (query, size, data) in &answers {
            keep(&space, "starter", json!({"query": query, "size": size, "unit": "u"}), data);
        }
        let made = space.store.create_snapshot("starter", "s", "").expect("made");
        let state = space.store.state(&snapshot("s")).expect("opened");
        let out = tempfile::tempdir().expect("a folder");
        let archive = out.path().join("s.tar.gz");
        state.archive(&archive, &shared("other")).expect("written");
        import(&space, &archive);
        // The exported cache in place of the starter's own.
        let mut source = starter();
        source.retain(|(path, _)| *path != "cache/Search_x.jsonl" && *path != "tasks/pack.json");
        source.push(("tasks/pack.json", json!({"format": 1, "name": "third", "version": "1"}).to_string()));
        let source = folder(&source);
        state.export(&source.path().join("cache")).expect("written");
        import(&space, source.path());
        for name in ["other", "third"] {
            let of = StateOf::Pack(name.to_owned());
            prop_assert_eq!(&hash(&space, &of), &made.hash);
            for (query, size, _) in &answers {
                let raw = json!({"query": query, "size": size, "unit": "u"});
                let found = lookup(&space, &of, raw.clone());
                prop_assert!(found.is_some());
                prop_assert_eq!(found, lookup(&space, &snapshot("s"), raw));
            }
            prop_assert_eq!(diff(&space, &snapshot("s"), &of).total, 0);
        }
    }
}
