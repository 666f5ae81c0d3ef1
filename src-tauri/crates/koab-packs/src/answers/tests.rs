use crate::tests::shelf::Shelf;
use crate::wire::CallAnswer;
use serde_json::{Value, json};

#[test]
fn arguments_are_looked_up_as_a_run_would() {
    let shelf = Shelf::new();
    shelf.import("small");
    let ask = |arguments: &str| shelf.packs.call_lookup(Some("small"), "Search_x", arguments).expect("asked");
    for (arguments, found) in [
        (r#"{"query": "가"}"#, Some("가")),
        (r#"{"query": "가", "size": 10}"#, Some("가")),
        (r#"{"size": 10, "query": "나"}"#, Some("나")),
        (r#"{"query": "가", "size": 9}"#, None),
        (r#"{"query": "가 "}"#, None),
    ] {
        let lookup = ask(arguments);
        let is_hit = matches!(lookup.answer, CallAnswer::Hit { stale: false, .. });
        assert_eq!(is_hit, found.is_some(), "{arguments}: {:?}", lookup.answer);
        assert_eq!(lookup.result, found.map_or(Value::Null, |found| json!({"found": found})));
        let size: Value = serde_json::from_str(arguments).expect("JSON");
        assert_eq!(lookup.args["size"], size.get("size").cloned().unwrap_or_else(|| 10.into()));
    }
}

#[test]
fn what_no_tool_would_take_is_refused_and_not_missed() {
    let shelf = Shelf::new();
    shelf.import("small");
    for (tool, arguments) in [
        ("Search_x", "{"),
        ("Search_x", "null"),
        ("Search_x", "\"가\""),
        ("Search_x", "{}"),
        ("Search_x", r#"{"query": 5}"#),
        ("Nobody_x", r#"{"query": "가"}"#),
    ] {
        let lookup = shelf.packs.call_lookup(Some("small"), tool, arguments).expect("asked");
        let is_refused = matches!(lookup.answer, CallAnswer::Refused { .. });
        assert!(is_refused && lookup.result.is_null(), "{tool} {arguments}: {:?}", lookup.answer);
    }
}

#[test]
fn a_miss_names_the_key_and_the_nearest_record() {
    let shelf = Shelf::new();
    shelf.import("small");
    let of =
        |tool: &str| shelf.packs.call_lookup(Some("small"), tool, r#"{"query": "서울 맛"}"#).expect("asked");
    let CallAnswer::Miss { key, nearest: Some(nearest) } = of("Search_x").answer else {
        panic!("a miss");
    };
    assert_eq!(key.len(), 64);
    assert_eq!(
        (nearest.args["query"].as_str(), &nearest.differing[..]),
        (Some("서울 맛집"), &["query".to_owned()][..])
    );
    let CallAnswer::Miss { key: other, nearest: None } = of("Another_x").answer else {
        panic!("nothing is recorded of it");
    };
    assert_ne!(other, key);
}
