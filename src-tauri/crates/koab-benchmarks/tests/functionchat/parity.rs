//! Against what the authors' program said of the same requests, replies and verdicts.

use crate::functionchat::support::{
    FunctionChat, answer, exact, fixtures, item_of, item_of_fixture, published_items, shared,
};
use koab_benchmarks::table::Rules;
use koab_benchmarks::{Answer, Benchmark, GroupSizes, Row, Verdict};
use koab_core::say;
use serde_json::{Value, json};
use std::time::Instant;

const TOOL_SETS: [&str; 5] = ["exact", "4_random", "4_close", "8_random", "8_close"];

#[test]
fn there_are_1306_requests_in_their_groups() {
    let Some(shared) = shared() else { return };
    let began = Instant::now();
    let items = published_items(&shared);
    eprintln!("{} items read in {:?}", items.len(), began.elapsed());
    let count = |groups: [&str; 2]| items.iter().filter(|item| item.groups == groups).count();
    for (groups, expected) in [
        (["CallDecision", "CALL"], 100),
        (["CallDecision", "REJECT"], 100),
        (["CallDecision", "SLOT-all"], 100),
        (["CallDecision", "SLOT-some"], 306),
        (["Dialog", "completion"], 71),
        (["Dialog", "call"], 70),
        (["Dialog", "slot"], 36),
        (["Dialog", "relevance"], 23),
    ] {
        assert_eq!(count(groups), expected, "{groups:?}");
    }
    for tools in TOOL_SETS {
        assert_eq!(count(["SingleCall", tools]), 100, "{tools}");
    }
    assert_eq!(items.len(), 1306);
    let call_turns = items
        .iter()
        .filter(|item| !FunctionChat.score(item, &Answer::default(), Rules::Published).is_empty());
    assert_eq!(call_turns.count(), 670);
}

#[test]
fn requests_have_the_same_hashes() {
    let Some(shared) = shared() else { return };
    let items = published_items(&shared);
    for fixture in fixtures(&shared, "requests.jsonl", 869) {
        let item = item_of_fixture(&items, &fixture, "");
        assert_eq!(item.request.sha256(), fixture["sha256"], "{}", item.id);
    }
    let whole = fixtures(&shared, "requests_full.jsonl", 23);
    for fixture in whole {
        let item = item_of_fixture(&items, &fixture, "");
        assert_eq!(
            json!({"messages": item.request.messages, "tools": item.request.tools}),
            fixture["request"],
            "{}",
            item.id
        );
        assert_eq!(item.source["truth"], fixture["ground_truth"], "{}", item.id);
        assert_eq!(item.source["acceptable"], fixture["acceptable_arguments"], "{}", item.id);
    }
}

#[test]
fn exact_matches_are_the_same() {
    let Some(shared) = shared() else { return };
    let items = published_items(&shared);
    for fixture in fixtures(&shared, "exact_match.jsonl", 2150) {
        let set = fixture["set"].as_str().unwrap();
        let reply = answer(&fixture["output"]);
        let tool_sets: &[&str] = if set == "SingleCall" { &TOOL_SETS } else { &[""] };
        for tools in tool_sets {
            let row = exact(item_of_fixture(&items, &fixture, tools), &reply, Rules::Published);
            let expected = u8::from(fixture["exact"] == "pass");
            assert_eq!(row.value, Ok(expected), "{fixture}");
            assert_eq!(json!(row.verdict.text("mismatch")), fixture["mismatch"], "{fixture}");
        }
    }
}

#[test]
fn judges_are_asked_the_same_questions() {
    let Some(shared) = shared() else { return };
    let items = published_items(&shared);
    let read = fixtures(&shared, "judge_questions.jsonl", 589);
    let whole = fixtures(&shared, "judge_questions_full.jsonl", 10);
    for fixture in read.into_iter().chain(whole) {
        let item = item_of_fixture(&items, &fixture, "exact");
        let question = FunctionChat.question(item, &answer(&fixture["output"]), Rules::Published);
        let question = question.unwrap_or_else(|| panic!("no question: {fixture}"));
        if let Some(text) = fixture["question"].as_str() {
            assert_eq!(question, text);
        }
        assert_eq!(koab_core::cache_key::sha256_hex(&question), fixture["sha256"], "{question}");
    }
}

#[test]
fn judges_replies_are_read_alike() {
    let Some(shared) = shared() else { return };
    let items = published_items(&shared);
    let item = item_of(&items, "Dialog", 1, "");
    for fixture in fixtures(&shared, "judge_replies.jsonl", 302) {
        let replies = [fixture["reply"].as_str().unwrap().to_owned()];
        let row = FunctionChat.judged(item, &Answer::default(), &replies, Rules::Published).remove(0);
        assert_eq!(json!(row.verdict.text("label")), fixture["raw_label"], "{fixture}");
        let label = match row.value {
            Ok(1) => "pass",
            Ok(_) => "fail",
            Err(_) => "other",
        };
        assert_eq!(label, fixture["label"], "{fixture}");
    }
}

#[test]
fn tables_have_the_same_figures_and_the_same_text() {
    let Some(shared) = shared() else { return };
    let items = published_items(&shared);
    let text = std::fs::read_to_string(shared.join("tables.json")).unwrap();
    let tables: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(tables.len(), 60);
    for fixture in tables {
        let set = fixture["set"].as_str().unwrap();
        let own: Vec<_> = items.iter().filter(|item| item.groups[0] == set).collect();
        let verdicts = fixture["verdicts"].as_str().unwrap();
        assert_eq!(own.len(), verdicts.len());
        let rows: Vec<[Row; 1]> = verdicts.chars().map(|letter| [row(letter)]).collect();
        let rows: Vec<_> = own.into_iter().zip(rows.iter().map(<[Row; 1]>::as_slice)).collect();
        let table = FunctionChat.tables(&rows, &GroupSizes::count(&items), Rules::Published).remove(0);
        assert_eq!(table.name, set);
        assert_eq!(json!(table.printed), fixture["printed"], "{set}");
        let theirs: Vec<_> = table.cells.iter().filter(|cell| !cell.ours).collect();
        let expected = fixture["score"].as_object().unwrap();
        assert_eq!(
            theirs.iter().map(|cell| &cell.name).collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "{set}"
        );
        for cell in theirs {
            assert_eq!(cell.value, Ok(expected[&cell.name].as_f64().unwrap()), "{}", cell.name);
        }
    }
}

fn row(letter: char) -> Row {
    let (value, label) = match letter {
        'P' => (Ok(1), "pass"),
        'F' => (Ok(0), "fail"),
        _ => (Err(say!("neither")), "neither"),
    };
    Row { metric: "TurnPass", value, verdict: Verdict::default().with("label", label) }
}
