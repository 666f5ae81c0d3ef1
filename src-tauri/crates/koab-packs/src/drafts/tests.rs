//! Packs are written through the commands, as the window does it.

use crate::Packs;
use crate::wire::{
    CallAnswer, DraftChange, DraftChanged, DraftFrom, DraftItemView, DraftOpened, DraftRequest, DraftSaved,
};
use koab_core::level::Level;
use koab_workspace::ErrorCode;
use koab_workspace::commands::Nobody;
use serde_json::{Value, json};
use std::sync::Arc;

fn api() -> (tempfile::TempDir, Packs) {
    let folder = tempfile::tempdir().expect("a folder");
    let packs = Packs::at(folder.path());
    (folder, packs)
}

fn begin(packs: &Packs, name: &str, from: DraftFrom) -> DraftOpened {
    let name = name.to_owned();
    packs.draft_create(&DraftRequest { name: name.clone(), from }).expect("begun");
    packs.draft_open(&name).expect("opened")
}

fn change(packs: &Packs, name: &str, change: DraftChange) -> Option<DraftItemView> {
    let revision = packs.draft_open(name).expect("opened").revision;
    match packs.draft_change(name, revision, change).expect("answered") {
        DraftChanged::Kept { item, .. } => item.map(|item| *item),
        other => panic!("{other:?}"),
    }
}

fn save(packs: &Packs, name: &str) -> String {
    let revision = packs.draft_open(name).expect("opened").revision;
    match packs.draft_save(name, revision).expect("answered") {
        DraftSaved::Saved { pack, .. } => pack.version,
        other => panic!("{other:?}"),
    }
}

fn patched(text: &str, pointer: &str, value: Value) -> String {
    let mut all: Value = serde_json::from_str(text).expect("JSON");
    *all.pointer_mut(pointer).expect("there") = value;
    koab_store::draft::pretty(&all)
}

#[test]
fn a_pack_is_begun_changed_refused_mended_and_saved_twice() {
    let (_folder, packs) = api();
    let opened = begin(&packs, "mine", DraftFrom::Example);
    assert_eq!((opened.tasks.len(), opened.tools.len(), opened.next_version), (1, 1, 1));
    assert_eq!((opened.tasks[0].calls, opened.tasks[0].answered), (1, 1), "the example is recorded");
    assert!(opened.problems.is_empty());

    let added =
        change(&packs, "mine", DraftChange::AddTask { level: Level::L2, after: None }).expect("a task");
    assert_eq!(added.problems.len(), 1, "{:?}", added.problems);
    let refused = &added.problems[0];
    assert_eq!(
        (
            refused.field.as_deref(),
            refused.sentence.to_string().as_str(),
            refused.remedy.to_string().as_str()
        ),
        (Some("instruction"), "is empty", "Write what the user asks, as a user would say it.")
    );
    let revision = packs.draft_open("mine").expect("opened").revision;
    let DraftSaved::Refused { findings } = packs.draft_save("mine", revision).expect("answered") else {
        panic!("it cannot be saved")
    };
    assert_eq!((findings[0].name.as_str(), findings[0].key), ("L2-001", Some(added.key)));
    assert_eq!(packs.list().expect("listed").len(), 1, "only the starter pack");

    let text = patched(&added.text, "/instruction", json!("메모에서 '회의'를 찾아 줘."));
    let text = patched(&text, "/golden_action/0/args/query", json!("회의"));
    let put = |text: &str| DraftChange::PutTask { key: added.key, level: Level::L2, text: text.to_owned() };
    let mended = change(&packs, "mine", put(&text)).expect("a task");
    assert_eq!(mended.problems, []);
    let CallAnswer::Miss { nearest: Some(nearest), .. } = &mended.calls[0].answer else {
        panic!("{:?}", mended.calls)
    };
    assert_eq!(
        (nearest.args["query"].as_str(), &nearest.differing[..]),
        (Some("우산"), &["query".to_owned()][..])
    );

    let record = |arguments: &str, response: &str| DraftChange::PutRecord {
        tool: "Memo_search".to_owned(),
        arguments: arguments.to_owned(),
        response: response.to_owned(),
    };
    let revision = packs.draft_open("mine").expect("opened").revision;
    let wrong = packs.draft_change("mine", revision, record(r#"{"size": 3}"#, "{")).expect("answered");
    let DraftChanged::Refused { problems } = wrong else { panic!("it fits no schema") };
    let fields: Vec<_> = problems.iter().filter_map(|problem| problem.field.as_deref()).collect();
    assert_eq!(fields, ["arguments", "response"]);
    change(&packs, "mine", record(r#"{"query": "회의"}"#, r#"{"items": [127.0]}"#));
    let tried = packs.draft_try("mine", "Memo_search", r#"{"query": "회의", "size": 5}"#).expect("tried");
    assert_eq!(tried.result.to_string(), r#"{"items":[127.0]}"#);
    let response = packs.draft_response("mine", "Memo_search", r#"{"query": "회의"}"#).expect("read");
    assert!(response.is_some_and(|text| text.contains("127.0")), "as it is edited, with its numbers");

    let review = packs.draft_review("mine").expect("reviewed");
    assert!(review.sound && review.base.is_none());
    assert_eq!(review.changes.tasks.added, ["L1-001", "L2-001"]);
    assert_eq!((review.calls, review.answered), (2, 2));
    let first = save(&packs, "mine");
    let revision = packs.draft_open("mine").expect("opened").revision;
    let same = packs.draft_save("mine", revision).expect("answered");
    assert!(matches!(same, DraftSaved::Same { .. }));

    let again = patched(&text, "/instruction", json!("메모에서 '회의'가 언제인지 찾아 줘."));
    change(&packs, "mine", put(&again));
    let review = packs.draft_review("mine").expect("reviewed");
    assert_eq!(review.base.as_deref(), Some(format!("mine@{first}").as_str()));
    assert_eq!(review.changes.tasks.changed[0].fields, ["instruction"]);
    let second = save(&packs, "mine");
    assert!(first.starts_with("1+") && second.starts_with("2+"));
    let list = packs.drafts_list().expect("listed");
    let numbers: Vec<u32> = list.own[0].versions.iter().map(|version| version.number).collect();
    assert_eq!((numbers, list.drafts[0].changed), (vec![2, 1], false));
    let of = |pack: &str| packs.task_show(Some(pack), "L2-001").expect("shown").instruction;
    assert_ne!(of("mine@1"), of("mine"), "both versions are there");
}

#[test]
fn of_two_windows_the_second_is_told() {
    let (_folder, packs) = api();
    let opened = begin(&packs, "mine", DraftFrom::Example);
    change(&packs, "mine", DraftChange::AddTask { level: Level::L1, after: None });
    let late = DraftChange::Remove { key: opened.tasks[0].key };
    let answer = packs.draft_change("mine", opened.revision, late).expect("answered");
    assert!(matches!(answer, DraftChanged::Stale { revision } if revision == opened.revision + 1));
    assert_eq!(packs.draft_open("mine").expect("opened").tasks.len(), 2, "nothing was taken away");
    let saved = packs.draft_save("mine", opened.revision).expect("answered");
    assert!(matches!(saved, DraftSaved::Stale { .. }));
}

#[test]
fn a_copy_keeps_the_records_and_says_what_a_reworded_tool_does_to_them() {
    let (_folder, packs) = api();
    let opened = begin(&packs, "copy", DraftFrom::Copy { pack: "starter".to_owned() });
    assert!(!opened.changed && opened.base.as_deref() == Some("starter@1.0.0"));
    assert!(opened.tasks.len() >= 28 && opened.tasks.iter().all(|task| task.errors == 0));
    let whole: (u32, u32) = opened
        .tasks
        .iter()
        .fold((0, 0), |(calls, answered), task| (calls + task.calls, answered + task.answered));
    let tool = opened.tools.iter().find(|tool| tool.name == "WebSearch_daum").expect("there");
    let text = packs.draft_item("copy", tool.key).expect("shown").text;
    let reworded = patched(&text, "/description", json!("다르게 적은 설명"));
    let shown = change(&packs, "copy", DraftChange::PutTool { key: tool.key, text: reworded.clone() });
    let impact = shown.expect("a tool").impact.expect("its records go stale");
    assert_eq!((impact.records, impact.stale, impact.found), (tool.records, tool.records, tool.records));
    let after = packs.draft_open("copy").expect("opened");
    let found: u32 = after.tasks.iter().map(|task| task.answered).sum();
    assert_eq!(found, whole.1, "they are still found by their arguments");
    // An argument that every call needs now: no recorded call has it.
    let stricter = patched(&reworded, "/parameters/required", json!(["query", "zzz"]));
    let stricter = {
        let mut all: Value = serde_json::from_str(&stricter).expect("JSON");
        all["parameters"]["properties"]["zzz"] = json!({"type": "string"});
        all.to_string()
    };
    let shown = change(&packs, "copy", DraftChange::PutTool { key: tool.key, text: stricter });
    assert_eq!(shown.expect("a tool").impact.expect("told").found, 0);
    change(&packs, "copy", DraftChange::PutTool { key: tool.key, text: reworded });
    save(&packs, "copy");
    let standing = packs.view("copy").expect("shown").records;
    assert_eq!(standing.stale, impact.stale);
    assert_eq!(
        packs.tasks_list(Some("copy")).expect("listed").tasks.iter().map(|task| task.answered).sum::<u32>(),
        found,
        "what the editor foretold is so"
    );
}

#[test]
fn installed_packs_keep_their_names() {
    let (_folder, packs) = api();
    let create = |name: &str, from: DraftFrom| {
        packs.draft_create(&DraftRequest { name: name.to_owned(), from }).expect_err("refused")
    };
    for (name, from) in [
        ("starter", DraftFrom::Copy { pack: "starter".to_owned() }),
        ("starter", DraftFrom::Example),
        ("이름", DraftFrom::Example),
        ("ok", DraftFrom::Tools { pack: "starter".to_owned(), tools: Vec::new() }),
    ] {
        assert_eq!(create(name, from).code, ErrorCode::BadRequest, "{name}");
    }
    assert_eq!(create("ok", DraftFrom::Copy { pack: "gone".to_owned() }).code, ErrorCode::NotFound);
    begin(&packs, "ok", DraftFrom::Example);
    assert_eq!(create("ok", DraftFrom::Example).code, ErrorCode::Busy);
    packs.draft_discard("ok").expect("discarded");
    begin(&packs, "ok", DraftFrom::Example);
}

#[test]
fn tools_are_chosen_at_the_beginning_and_brought_later_with_their_records() {
    let (_folder, packs) = api();
    let from = DraftFrom::Tools { pack: "starter".to_owned(), tools: vec!["WebSearch_daum".to_owned()] };
    let opened = begin(&packs, "mine", from);
    assert_eq!((opened.tasks.len(), opened.tools.len()), (0, 1));
    assert!(opened.tools[0].records > 0 && opened.problems[0].is_error());
    let bring = DraftChange::BringTools {
        pack: "starter".to_owned(),
        tools: vec!["WebSearch_daum".to_owned(), "WebSearch_naver".to_owned()],
    };
    change(&packs, "mine", bring);
    let opened = packs.draft_open("mine").expect("opened");
    assert_eq!((opened.tools.len(), opened.tools[1].own_records > 0), (2, true));
    let recorded = packs.draft_records("mine", "WebSearch_naver", "").expect("listed");
    assert_eq!(recorded.count, opened.tools[1].own_records);
    let first = recorded.rows[0].arguments.clone();
    let remove = DraftChange::RemoveRecord { tool: "WebSearch_naver".to_owned(), arguments: first.clone() };
    change(&packs, "mine", remove);
    let left = packs.draft_records("mine", "WebSearch_naver", "").expect("listed");
    assert_eq!(left.count, recorded.count - 1);
    assert!(left.rows.iter().all(|row| row.arguments != first));
}

#[test]
fn placeholders_injected_failures_and_faulty_calls_are_told_apart() {
    let (_folder, packs) = api();
    let opened = begin(&packs, "copy", DraftFrom::Copy { pack: "starter".to_owned() });
    let key = opened.tasks.iter().find(|task| task.level == Level::L3).expect("one").key;
    let text = packs.draft_item("copy", key).expect("shown").text;
    let task: Value = serde_json::from_str(&text).expect("JSON");
    let second = task["golden_action"][1]["args"].as_object().expect("args");
    let (name, _) = second.iter().next().expect("an argument");
    let text = patched(&text, &format!("/golden_action/1/args/{name}"), json!("{step1.x}"));
    let shown = change(&packs, "copy", DraftChange::PutTask { key, level: Level::L3, text }).expect("a task");
    assert_eq!(shown.calls[1].placeholders, std::slice::from_ref(name));
    assert!(matches!(shown.calls[0].answer, CallAnswer::Hit { .. }));
    let key = opened.tasks.iter().find(|task| task.level == Level::L5).expect("one").key;
    let shown = packs.draft_item("copy", key).expect("shown");
    assert!(matches!(shown.calls[0].answer, CallAnswer::Injected { .. }));
    assert!(shown.calls[1].place.starts_with("fallback_options"));
    let refused = packs.draft_try("copy", &shown.calls[1].tool, "{}").expect("tried");
    assert!(matches!(refused.answer, CallAnswer::Refused { .. }));
}

#[tokio::test]
async fn the_page_reaches_it_by_name() {
    let (_folder, packs) = api();
    let call = async |name: &str, args: Value| -> Value {
        let answer = packs.answer(name, args, Arc::new(Nobody)).await.expect("answered");
        serde_json::from_str(&answer).expect("JSON")
    };
    call("draft_create", json!({"request": {"name": "mine", "from": {"kind": "example"}}})).await;
    let opened = call("draft_open", json!({"name": "mine"})).await;
    let change = json!({"kind": "add_tool", "after": null});
    let changed =
        call("draft_change", json!({"name": "mine", "revision": opened["revision"], "change": change})).await;
    assert_eq!(changed["kind"], "kept");
    assert_eq!(changed["item"]["problems"][0]["field"], "description");
    let key = &changed["item"]["key"];
    let remove = json!({"kind": "remove", "key": key});
    call("draft_change", json!({"name": "mine", "revision": changed["revision"], "change": remove})).await;
    let opened = call("draft_open", json!({"name": "mine"})).await;
    let saved = call("draft_save", json!({"name": "mine", "revision": opened["revision"]})).await;
    assert_eq!((&saved["kind"], &saved["pack"]["name"]), (&json!("saved"), &json!("mine")));
    let file = call("pack_export", json!({"name": "mine"})).await;
    assert_eq!(file["name"], "mine-1.zip");
    let lint = packs.lint(Some("mine")).expect("looked at");
    assert_eq!((lint.problems.len(), lint.calls, lint.answered), (0, 1, 1));
}
