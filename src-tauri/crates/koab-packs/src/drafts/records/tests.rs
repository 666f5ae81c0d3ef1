use crate::Packs;
use crate::tests::shelf::{Shelf, refused};
use crate::wire::{DraftChange, DraftChanged, DraftFrom, DraftRequest, DraftSaved};
use serde_json::{Value, json};

fn of_small() -> Shelf {
    let shelf = Shelf::new();
    shelf.import("small");
    let from = DraftFrom::Copy { pack: "small".to_owned() };
    shelf.packs.draft_create(&DraftRequest { name: "mine".to_owned(), from }).expect("begun");
    shelf
}

fn change(packs: &Packs, change: DraftChange) -> DraftChanged {
    let revision = packs.draft_open("mine").expect("opened").revision;
    packs.draft_change("mine", revision, change).expect("answered")
}

fn put(packs: &Packs, arguments: &str, response: &str) -> DraftChanged {
    let (tool, arguments, response) = ("Search_x".to_owned(), arguments.to_owned(), response.to_owned());
    change(packs, DraftChange::PutRecord { tool, arguments, response })
}

fn take(packs: &Packs, arguments: &str) -> DraftChanged {
    let (tool, arguments) = ("Search_x".to_owned(), arguments.to_owned());
    change(packs, DraftChange::RemoveRecord { tool, arguments })
}

fn response(packs: &Packs, arguments: &str) -> Option<Value> {
    let text = packs.draft_response("mine", "Search_x", arguments).expect("answered")?;
    Some(serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn a_response_by_hand_stands_in_the_place_of_the_recorded_one_until_it_is_taken_away() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let asked = r#"{"query": "가"}"#;
    assert_eq!(response(packs, asked), Some(json!({"found": "가"})));
    assert!(matches!(put(packs, asked, r#"{"found": 1.50}"#), DraftChanged::Kept { .. }));
    assert_eq!(
        response(packs, r#"{"size": 10, "query": "가"}"#),
        Some(json!({"found": 1.5})),
        "one call, however written"
    );
    assert!(matches!(put(packs, r#"{"query": "가", "size": 10}"#, "[2]"), DraftChanged::Kept { .. }));
    assert_eq!(response(packs, asked), Some(json!([2])));
    let own = |packs: &Packs| {
        let records = packs.draft_records("mine", "Search_x", "").expect("listed");
        records.rows.iter().filter(|row| row.own).count()
    };
    assert_eq!(own(packs), 1, "the second is put in the place of the first");
    take(packs, asked);
    assert_eq!(response(packs, asked), None);
    assert_eq!(response(packs, r#"{"query": "나"}"#), Some(json!({"found": "나"})));
}

#[test]
fn what_no_tool_answers_is_refused_with_the_field() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let revision = packs.draft_open("mine").expect("opened").revision;
    for (arguments, response, fields) in [
        ("{", "1", &["arguments"][..]),
        ("[]", "1", &["arguments"]),
        ("{}", "1", &["arguments"]),
        (r#"{"query": 1}"#, "1", &["arguments"]),
        (r#"{"query": "가"}"#, "그냥 글", &["response"]),
        (r#"{"query": "가"}"#, "", &["response"]),
        ("{", "{", &["arguments", "response"]),
    ] {
        let DraftChanged::Refused { problems } = put(packs, arguments, response) else {
            panic!("{arguments} {response} is refused");
        };
        let named: Vec<&str> = problems.iter().filter_map(|problem| problem.field.as_deref()).collect();
        assert_eq!(named, fields, "{arguments} {response}");
        assert!(problems.iter().all(|problem| !problem.remedy.to_string().is_empty()));
    }
    assert_eq!(packs.draft_open("mine").expect("opened").revision, revision, "nothing was changed");
}

#[test]
fn records_are_found_by_all_of_the_words_in_whatever_case() {
    let shelf = of_small();
    let packs = &shelf.packs;
    put(packs, r#"{"query": "Seoul Cafe"}"#, "1");
    let found = |words: &str| packs.draft_records("mine", "Search_x", words).expect("listed").count;
    for (words, count) in
        [("", 4), ("서울", 1), ("맛집 서울", 1), ("서울 없음", 0), ("seoul CAFE", 1), ("  ", 4)]
    {
        assert_eq!(found(words), count, "{words}");
    }
    assert_eq!(packs.draft_records("mine", "Another_x", "").expect("listed").count, 0);
    refused(packs.draft_records("none", "Search_x", "").map(drop), "none");
    assert_eq!(packs.draft_response("mine", "Search_x", "{").expect("answered"), None);
    assert_eq!(packs.draft_response("mine", "Nobody_x", "{}").expect("answered"), None);
}

#[test]
fn a_saved_pack_answers_what_was_written_by_hand() {
    let shelf = of_small();
    let packs = &shelf.packs;
    put(packs, r#"{"query": "서울 카페"}"#, r#"{"cafes": ["하나"]}"#);
    take(packs, r#"{"query": "나"}"#);
    // Those of the small pack are too short to be asked with.
    let pack = "starter".to_owned();
    change(packs, DraftChange::TakePrompts { pack });
    let review = packs.draft_review("mine").expect("looked over");
    assert_eq!((review.calls, review.answered, review.changes.records), (2, 2, 2));
    assert!(review.sound && review.findings.is_empty(), "{:?}", review.findings);
    let DraftSaved::Saved { pack, .. } = packs.draft_save("mine", review.revision).expect("answered") else {
        panic!("saved");
    };
    assert_eq!((pack.name.as_str(), pack.records), ("mine", Some(3)));
    let ask = |query: &str| {
        let arguments = json!({"query": query}).to_string();
        packs.call_lookup(Some("mine"), "Search_x", &arguments).expect("asked").result
    };
    assert_eq!(ask("서울 카페"), json!({"cafes": ["하나"]}));
    assert_eq!(ask("가"), json!({"found": "가"}));
    assert_eq!(ask("나"), Value::Null);
    let again =
        packs.draft_save("mine", packs.draft_open("mine").expect("opened").revision).expect("answered");
    assert!(matches!(again, DraftSaved::Same { .. }), "{again:?}");
}
