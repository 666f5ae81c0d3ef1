//! Recorded servers: what a call that is made again is answered.

use crate::support::{Workspace, tool, workspace};
use koab_core::args;
use koab_engine::ports::ResponseCache;
use koab_store::StateOf;
use koab_store::drafts::DraftRecord;
use koab_store::recording::Recording;
use serde_json::{Value, json};

/// A recording in which one call has three answers in one session and another one in the next, and records of the first answers; of
/// `changed` somebody wrote another one.
fn recording(name: &str, changed: bool) -> Recording {
    let line = |session: u32, query: &str, said: Result<&str, &str>| {
        let asked = json!({ "query": query }).to_string();
        let mut line = json!({ "session": session, "ordinal": 1, "tool": "Search_x", "arguments": asked });
        match said {
            Ok(said) => line["result"] = json!({ "said": said }).to_string().into(),
            Err(why) => line["error"] = json!({ "message": why }).to_string().into(),
        }
        line.to_string()
    };
    let calls = [
        line(1, "once", Ok("one")),
        line(2, "again", Err("not yet")),
        line(2, "again", Ok("empty")),
        line(2, "again", Ok("full")),
        line(2, "again", Ok("empty")),
        line(3, "again", Ok("other")),
        line(3, "once", Ok("two")),
    ];
    let record = |query: &str, said: &str| DraftRecord {
        tool: "Search_x".to_owned(),
        args: json!({ "query": query }).as_object().expect("an object").clone(),
        data: Some(json!({ "said": said })),
        created_at: "2026-11-21T00:00:00.000000".to_owned(),
    };
    Recording {
        name: name.to_owned(),
        tools: vec![tool("Search_x")],
        server: "{}".to_owned(),
        calls: calls.join("\n"),
        records: vec![record("once", "one"), record("again", if changed { "by hand" } else { "empty" })],
        ..Recording::default()
    }
}

fn kept(recording: &Recording) -> Workspace {
    let space = workspace();
    space.store.keep_recording(recording).expect("kept");
    space
}

fn answers(cache: &dyn ResponseCache, query: &str) -> Vec<Value> {
    let raw = json!({ "query": query });
    let args = args::normalize(&tool("Search_x"), raw.as_object().expect("an object"));
    let answers = (0..4).map(|made| cache.lookup_again("Search_x", &args, made).expect("read"));
    answers.map(|answer| answer.map_or(Value::Null, |answer| answer["said"].clone())).collect()
}

#[test]
fn a_call_that_is_made_again_gets_the_answers_of_its_first_session_in_their_order() {
    let space = kept(&recording("kept", false));
    space.store.create_snapshot("kept", "s", "").expect("made");
    let cache = space.store.cache("kept").expect("opened");
    let state = space.store.state(&StateOf::Snapshot("s".to_owned())).expect("opened");
    for cache in [&cache as &dyn ResponseCache, &state] {
        assert_eq!(answers(cache, "again"), ["empty", "full", "empty", "empty"]);
        assert_eq!(answers(cache, "once"), ["one"; 4]);
        assert_eq!(answers(cache, "never"), [Value::Null, Value::Null, Value::Null, Value::Null]);
    }
}

#[test]
fn an_answer_that_was_written_by_hand_stays() {
    let space = kept(&recording("kept", true));
    let cache = space.store.cache("kept").expect("opened");
    assert_eq!(answers(&cache, "again"), ["by hand"; 4]);
}

#[test]
fn a_damaged_recording_is_told_with_its_line() {
    let mut damaged = recording("kept", false);
    damaged.calls.push_str("\nno call");
    let space = kept(&damaged);
    let cache = space.store.cache("kept").expect("opened");
    let args =
        args::normalize(&tool("Search_x"), json!({ "query": "again" }).as_object().expect("an object"));
    assert!(cache.lookup_again("Search_x", &args, 0).expect("read").is_some());
    let why = cache.lookup_again("Search_x", &args, 1).expect_err("damaged");
    assert!(why.to_string().contains("tasks/mcp/calls.jsonl of the pack cannot be read at line 8"), "{why}");
}
