//! The user's overlay beside a pack: found by the same arguments, told apart by pack, never in the pack.

use crate::support::{Workspace, folder, import, starter, tool, workspace};
use koab_core::args::{self, NormalizedArgs};
use koab_core::cache_key::{published_key, signature};
use koab_core::catalog::ToolCatalog;
use koab_engine::ports::{AnswerOverlay as _, ResponseCache as _};
use serde_json::{Map, Value, json};

fn with_starter() -> Workspace {
    let space = workspace();
    import(&space, folder(&starter()).path());
    space
}

fn normalized(raw: &Value) -> (Map<String, Value>, NormalizedArgs) {
    let raw = raw.as_object().expect("an object").clone();
    let args = args::normalize(&tool("Search_x"), &raw);
    (raw, args)
}

#[test]
fn an_answer_is_kept_beside_the_pack_with_who_asked_and_when() {
    let space = with_starter();
    let catalog = ToolCatalog::new([tool("Search_x")]);
    let overlay = space.store.overlay("starter", catalog.clone(), "run a/1").expect("opened");
    let (raw, args) = normalized(&json!({ "query": "다", "unknown": 1 }));
    assert_eq!(overlay.lookup("Search_x", &args).expect("read"), None);
    overlay.keep("Search_x", &args, &raw, &json!({ "found": "하나", "price": 0.1 })).expect("kept");
    // Asked for twice at the same time: the later one stays.
    overlay.keep("Search_x", &args, &raw, &json!({ "found": "둘" })).expect("kept");
    assert_eq!(overlay.lookup("Search_x", &args).expect("read"), Some(json!({ "found": "둘" })));
    assert_eq!(overlay.lookup("Another_x", &args).expect("read"), None);

    // Another run sees it, the pack's own records do not.
    let later = space.store.overlay("starter", catalog, "run b/2").expect("opened");
    assert_eq!(later.lookup("Search_x", &args).expect("read"), Some(json!({ "found": "둘" })));
    let pack = space.store.cache("starter").expect("opened");
    assert_eq!(pack.lookup("Search_x", &args).expect("read"), None);

    let entries = space.store.overlay_entries("starter").expect("listed");
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!(entry.origin, "run a/1");
    assert_eq!(entry.published_key, published_key("Search_x", &signature(&tool("Search_x")), &args));
    assert_eq!(entry.created_at.len(), "2025-11-01T00:00:00.000001".len());
    assert_eq!(space.store.clear_overlay("starter").expect("cleared"), 1);
    assert_eq!(later.lookup("Search_x", &args).expect("read"), None);
}

#[test]
fn an_overlay_outlives_its_packs_versions_and_needs_a_pack() {
    let space = with_starter();
    let catalog = || ToolCatalog::new([tool("Search_x")]);
    let (raw, args) = normalized(&json!({ "query": "다" }));
    let overlay = space.store.overlay("starter", catalog(), "run a/1").expect("opened");
    overlay.keep("Search_x", &args, &raw, &json!(1)).expect("kept");
    import(&space, folder(&starter()).path());
    let again = space.store.overlay("starter", catalog(), "run b/2").expect("opened");
    assert_eq!(again.lookup("Search_x", &args).expect("read"), Some(json!(1)));
    let missing = space.store.overlay("none", catalog(), "run c/3").expect_err("no such pack");
    assert!(missing.to_string().contains("none"), "{missing}");
}
