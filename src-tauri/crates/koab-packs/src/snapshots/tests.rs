use super::ShareOptions;
use crate::tests::shelf::{Shelf, refused, small_pack};
use koab_core::args;
use koab_store::StateOf;
use serde_json::{Value, json};

fn shelf() -> Shelf {
    let shelf = Shelf::new();
    shelf.import("small");
    shelf.packs.activate("small").expect("chosen");
    shelf
}

/// What a run with these cached responses is answered.
fn answer(shelf: &Shelf, pack: &str, snapshot: Option<&str>, query: &str) -> Option<Value> {
    let (cache, _) = shelf.packs.recorded(pack, snapshot).expect("opened");
    let raw = json!({"query": query});
    let args = args::normalize(&crate::tests::shelf::tool("Search_x"), raw.as_object().expect("an object"));
    cache.lookup("Search_x", &args).expect("looked up")
}

#[test]
fn a_snapshot_has_a_name_of_its_own_and_what_the_pack_answered_then() {
    let shelf = shelf();
    let packs = &shelf.packs;
    let made = packs.snapshot_create(None, "before", "  in autumn ").expect("made");
    assert_eq!(
        (made.name.as_str(), made.pack.as_str(), made.note.as_str()),
        ("before", "small", "in autumn")
    );
    assert_eq!((made.recorded, made.added, made.installed), (3, 0, true));
    let reserved = "is a reserved word; choose another name";
    let no_name = "is not a name; write at most 64 letters, digits, dots, dashes and underscores";
    for (name, why) in [
        ("pack", reserved),
        ("now", reserved),
        ("", no_name),
        ("-x", no_name),
        ("a b", no_name),
        ("../x", no_name),
        (&"x".repeat(65), no_name),
    ] {
        refused(packs.snapshot_create(None, name, ""), &format!("`{name}` {why}"));
    }
    refused(packs.snapshot_create(None, "before", ""), "before");
    refused(packs.snapshot_create(Some("none"), "other", ""), "none");
    let listed = packs.snapshots_list(None).expect("listed");
    assert_eq!((listed.pack.as_str(), listed.recorded, listed.added), ("small", 3, 0));
    assert_eq!(listed.snapshots.len(), 1);
    assert!(packs.snapshots_list(Some("starter")).expect("listed").snapshots.is_empty());
    let shown = packs.snapshot_show("before", true).expect("shown");
    assert_eq!(shown.verified.as_deref(), Some(made.hash.as_str()), "its hash is computed anew");
    assert_eq!(packs.snapshot_show("before", false).expect("shown").verified, None);
    refused(packs.snapshot_show("none", false).map(drop), "none");
}

#[test]
fn a_run_reads_the_pack_or_a_snapshot_and_nothing_that_keeps_changing() {
    let shelf = shelf();
    let packs = &shelf.packs;
    packs.snapshot_create(None, "before", "").expect("made");
    let (_, source) = packs.recorded("small", None).expect("opened");
    assert_eq!(source.snapshot, None);
    let (_, source) = packs.recorded("small", Some("before")).expect("opened");
    assert_eq!(source.snapshot.map(|snapshot| snapshot.name).as_deref(), Some("before"));
    for word in ["now", "overlay", "pack"] {
        let why = format!("`{word}` keeps changing, so a run cannot be made again from it");
        refused(packs.recorded("small", Some(word)).map(drop), &why);
    }
    refused(packs.recorded("small", Some("none")).map(drop), "none");
    refused(packs.recorded("none", None).map(drop), "none");
    let why = "the snapshot `before` was made of small@1.0.0, and starter as it is installed has other tasks or tools";
    refused(packs.recorded("starter", Some("before")).map(drop), why);
}

#[test]
fn what_is_imported_later_changes_the_pack_and_no_snapshot() {
    let shelf = shelf();
    shelf.packs.snapshot_create(None, "before", "").expect("made");
    let mut files = small_pack("small");
    for (path, text) in &mut files {
        if path == "cache/Search_x.jsonl" {
            *text = text.replace("\"found\":\"가\"", "\"found\":\"새로\"");
        }
    }
    shelf.import_files(&files);
    assert_eq!(answer(&shelf, "small", None, "가"), Some(json!({"found": "새로"})));
    assert_eq!(answer(&shelf, "small", Some("before"), "가"), Some(json!({"found": "가"})));
    let diff = shelf.packs.snapshot_diff(None, ("before", "pack"), None, 10).expect("compared");
    assert_eq!((diff.total, diff.differences.len(), diff.tools.len()), (1, 1, 1));
    assert_eq!((diff.then.state.as_str(), diff.now.state.as_str()), ("before", "pack"));
    assert!(diff.then.hash.is_some() && diff.now.hash.is_none());
    let none = shelf.packs.snapshot_diff(None, ("before", "pack"), None, 0).expect("compared");
    assert_eq!((none.total, none.differences.len()), (1, 0), "as many as were asked for");
    let same = shelf.packs.snapshot_diff(None, ("before", "before"), None, 10).expect("compared");
    assert_eq!(same.total, 0);
    let other = shelf.packs.snapshot_diff(None, ("before", "pack"), Some("Another_x"), 10).expect("compared");
    assert!(other.differences.is_empty());
    refused(shelf.packs.snapshot_diff(None, ("before", "none"), None, 10).map(drop), "none");
}

#[test]
fn a_word_means_a_state_of_the_pack_or_a_snapshot() {
    let shelf = shelf();
    for (word, pack, state) in [
        ("pack", None, StateOf::Pack("small".to_owned())),
        ("pack", Some("starter"), StateOf::Pack("starter".to_owned())),
        ("now", None, StateOf::Now("small".to_owned())),
        ("overlay", Some("starter"), StateOf::Now("starter".to_owned())),
        ("before", None, StateOf::Snapshot("before".to_owned())),
    ] {
        assert_eq!(shelf.packs.state_of(word, pack).expect("a state"), state, "{word} {pack:?}");
    }
}

#[test]
fn a_shared_state_is_a_pack_that_answers_the_same_in_another_workspace() {
    let shelf = shelf();
    let packs = &shelf.packs;
    packs.snapshot_create(None, "before", "").expect("made");
    let shared = packs.snapshot_share(None, "before", None, ShareOptions::default()).expect("shared");
    assert_eq!(shared.records, 3);
    let label = shared.pack.expect("a label");
    let (name, version) = label.split_once('@').expect("a version");
    assert_eq!(name, "small-before");
    let hash = version.strip_prefix("1.0.0+").expect("the pack's version and a hash");
    assert!(packs.snapshot_show("before", false).expect("shown").snapshot.hash.starts_with(hash));
    let other = Shelf::new();
    let imported = other.packs.import(shared.path.as_ref()).expect("imported");
    assert_eq!((imported.pack.name.as_str(), imported.pack.records), ("small-before", Some(3)));
    for query in ["가", "나", "없음"] {
        let here = answer(&shelf, "small", None, query);
        assert_eq!(answer(&other, "small-before", None, query), here, "{query}");
    }
    let source = other.packs.show(Some("small-before")).expect("there").source;
    assert!(source.starts_with("the snapshot before of small@1.0.0: its records (hash "), "{source}");
    assert!(source.ends_with("; that pack: made up"), "{source}");
}

#[test]
fn a_shared_pack_has_the_name_and_version_that_are_given() {
    let shelf = shelf();
    let share = |name: &str, version: Option<&str>| {
        let options = ShareOptions { name: Some(name.to_owned()), version: version.map(str::to_owned) };
        shelf.packs.snapshot_share(None, "pack", None, options)
    };
    let shared = share("mine", Some("2.0")).expect("shared");
    assert_eq!(shared.pack.as_deref(), Some("mine@2.0"));
    for name in ["", "a b", "한글", "a/b", &"x".repeat(65)] {
        let why = format!(
            "`{name}` is not a name for a pack; write at most 64 letters, digits, dots, dashes and underscores"
        );
        refused(share(name, None).map(drop), &why);
    }
}

#[test]
fn an_export_never_writes_into_what_is_there() {
    let shelf = shelf();
    let packs = &shelf.packs;
    let first = packs.snapshot_export(None, "pack", None).expect("written");
    let second = packs.snapshot_export(None, "pack", None).expect("written");
    assert_ne!(first.path, second.path);
    assert_eq!((first.records, first.bytes), (second.records, second.bytes));
    assert_eq!((first.records, first.pack), (3, None));
    refused(packs.snapshot_export(None, "pack", Some(first.path.as_ref())).map(drop), &first.path);
    refused(packs.snapshot_export(None, "none", None).map(drop), "none");
}

#[test]
fn a_snapshot_is_forgotten_once() {
    let shelf = shelf();
    shelf.packs.snapshot_create(None, "before", "").expect("made");
    shelf.packs.snapshot_delete("before").expect("forgotten");
    refused(shelf.packs.snapshot_delete("before"), "before");
    assert!(shelf.packs.snapshots_all().expect("listed").is_empty());
    shelf.packs.snapshot_create(None, "before", "").expect("the name is free again");
}
