use crate::tests::shelf::{Shelf, refused, small_pack, write};
use crate::wire::{DraftChange, DraftFrom, DraftRequest, DraftSaved};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use koab_core::level::Level;
use koab_core::pack_identity::tasks_sha256;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A pack that is written here: a task with this instruction and the response to its call.
fn authored(shelf: &Shelf, instruction: &str, response: &Value) {
    let packs = &shelf.packs;
    packs.draft_create(&DraftRequest { name: "mine".to_owned(), from: DraftFrom::Example }).expect("begun");
    let opened = packs.draft_open("mine").expect("opened");
    let key = opened.tasks[0].key;
    let mut task: Value =
        serde_json::from_str(&packs.draft_item("mine", key).expect("shown").text).expect("JSON");
    task["instruction"] = instruction.into();
    let (tool, arguments) = (opened.tools[0].name.clone(), task["golden_action"][0]["args"].to_string());
    let put = DraftChange::PutTask { key, level: Level::L1, text: task.to_string() };
    packs.draft_change("mine", opened.revision, put).expect("answered");
    let put = DraftChange::PutRecord { tool, arguments, response: response.to_string() };
    let revision = packs.draft_open("mine").expect("opened").revision;
    packs.draft_change("mine", revision, put).expect("answered");
    let revision = packs.draft_open("mine").expect("opened").revision;
    let saved = packs.draft_save("mine", revision).expect("answered");
    assert!(matches!(saved, DraftSaved::Saved { .. }), "{saved:?}");
}

proptest! {
    #![proptest_config(koab_draws::config(12))]

    /// What an author writes is what others import: tasks, tools and responses, letter for letter.
    #[test]
    fn a_pack_that_is_handed_on_is_read_back_equal(
        instruction in "[가-힣a-z\"\\\\\n\u{1f600} ]{1,30}[가-힣]",
        text in any::<String>(),
        number in any::<i64>(),
    ) {
        let author = Shelf::new();
        let response = json!({"text": text, "number": number, "list": [1.5, null, true]});
        authored(&author, &instruction, &response);
        let archive = author.packs.archive(Some("mine")).expect("written");
        let other = Shelf::new();
        let file = other.folder.path().join(&archive.file_name);
        std::fs::write(&file, &archive.bytes).expect("written");
        let imported = other.packs.import(&file).expect("imported");
        prop_assert!(imported.problems.is_empty(), "{:?}", imported.problems);
        let (here, there) = (author.packs.recent("mine").expect("read"), other.packs.recent("mine").expect("read"));
        prop_assert_eq!(tasks_sha256(&here.tasks), tasks_sha256(&there.tasks));
        prop_assert_eq!(&here.tools, &there.tools);
        let task = there.tasks.values().flatten().next().expect("a task");
        prop_assert_eq!(task.instruction(), instruction);
        let call = &task.path_calls()[0];
        let arguments = Value::Object(call.args.clone()).to_string();
        let found = other.packs.call_lookup(Some("mine"), &call.tool, &arguments).expect("asked");
        prop_assert_eq!(found.result, response);
        prop_assert!(other.packs.verify(Some("mine")).expect("read").is_empty());
    }
}

#[test]
fn the_page_is_given_the_same_bytes() {
    let shelf = Shelf::new();
    shelf.import("small");
    let archive = shelf.packs.archive(Some("small")).expect("written");
    let file = shelf.packs.export("small").expect("written");
    assert_eq!((file.name.as_str(), file.label.as_str()), (archive.file_name.as_str(), "small@1.0.0"));
    assert_eq!(STANDARD.decode(file.base64).expect("base64"), archive.bytes);
    refused(shelf.packs.export("none").map(drop), "none");
}

#[test]
fn a_folder_is_looked_over_without_being_imported() {
    let shelf = Shelf::new();
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &small_pack("small"));
    let path = folder.path().display().to_string();
    let lint = shelf.packs.lint(Some(&path)).expect("looked over");
    assert_eq!((lint.label.as_str(), lint.calls, lint.answered), ("small@1.0.0", 2, 1));
    assert_eq!(lint.missing, ["L1-002: 1. Search_x"]);
    let problems: Vec<String> = (lint.problems.iter()).map(|problem| problem.sentence.to_string()).collect();
    assert_eq!(problems, ["states no hashes, so nothing can be checked"]);
    assert_eq!(shelf.packs.list().expect("listed").len(), 1, "the starter pack alone");
    shelf.import("small");
    let installed = shelf.packs.lint(Some("small")).expect("looked over");
    assert_eq!((installed.calls, installed.missing), (2, lint.missing));
    refused(shelf.packs.lint(Some("nowhere")).map(drop), "nowhere");
    let empty = tempfile::tempdir().expect("a folder");
    assert!(shelf.packs.lint(Some(&empty.path().display().to_string())).is_err());
}
