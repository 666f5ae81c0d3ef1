use crate::Packs;
use crate::tests::shelf::{Shelf, refused};
use crate::wire::{
    DraftChange, DraftChanged, DraftFrom, DraftItemView, DraftOpened, DraftRequest, DraftSaved,
};
use koab_core::level::Level;
use proptest::prelude::*;
use serde_json::json;

fn draft(packs: &Packs, from: DraftFrom) {
    let request = DraftRequest { name: "mine".to_owned(), from };
    packs.draft_create(&request).expect("begun");
}

fn open(packs: &Packs) -> DraftOpened {
    packs.draft_open("mine").expect("opened")
}

fn change(packs: &Packs, change: DraftChange) -> Option<DraftItemView> {
    match packs.draft_change("mine", open(packs).revision, change).expect("answered") {
        DraftChanged::Kept { item, .. } => item.map(|item| *item),
        other => panic!("{other:?}"),
    }
}

fn ids(packs: &Packs) -> Vec<String> {
    open(packs).tasks.into_iter().map(|task| task.id).collect()
}

fn of_small() -> Shelf {
    let shelf = Shelf::new();
    shelf.import("small");
    draft(&shelf.packs, DraftFrom::Copy { pack: "small".to_owned() });
    shelf
}

#[test]
fn new_tasks_and_copies_have_the_next_free_id_of_their_level() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let first = open(packs).tasks[0].key;
    let level = Level::group("live_simple").expect("a group");
    let added = packs.draft_change("mine", open(packs).revision, DraftChange::AddTask { level, after: None });
    refused(added, "`live_simple` is not a level; levels are L1 to L7");
    change(packs, DraftChange::AddTask { level: Level::L1, after: None });
    change(packs, DraftChange::AddTask { level: Level::L3, after: None });
    change(packs, DraftChange::AddTask { level: Level::L3, after: None });
    let copy = change(packs, DraftChange::Duplicate { key: first }).expect("a copy");
    let mut all = ids(packs);
    all.sort();
    assert_eq!(all, ["L1-001", "L1-002", "L1-003", "L1-004", "L3-001", "L3-002"]);
    let at = |id: &str| ids(packs).iter().position(|other| other == id).expect("there");
    assert_eq!(at("L1-004"), at("L1-001") + 1, "a copy follows what it is of");
    assert!(copy.text.contains("가를 찾아줘"));
}

#[test]
fn a_copied_tool_has_a_name_of_its_own() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let tool = open(packs).tools.into_iter().find(|tool| tool.name == "Search_x").expect("there");
    change(packs, DraftChange::Duplicate { key: tool.key });
    change(packs, DraftChange::AddTool { after: None });
    change(packs, DraftChange::AddTool { after: None });
    let mut names: Vec<String> = open(packs).tools.into_iter().map(|tool| tool.name).collect();
    assert_eq!(names.len(), 5);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 5, "{names:?}");
}

#[test]
fn what_is_removed_comes_back_as_it_was() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let before = open(packs);
    for key in [before.tasks[0].key, before.tools[0].key] {
        let text = packs.draft_item("mine", key).expect("shown").text;
        change(packs, DraftChange::Remove { key });
        let counts = (open(packs).tasks.len(), open(packs).tools.len());
        assert_eq!(counts.0 + counts.1, before.tasks.len() + before.tools.len() - 1);
        change(packs, DraftChange::Restore { key });
        assert_eq!(packs.draft_item("mine", key).expect("shown").text, text);
    }
    let after = open(packs);
    let order = |opened: &DraftOpened| opened.tasks.iter().map(|task| task.key).collect::<Vec<_>>();
    assert_eq!(order(&after), order(&before));
    assert!(!after.changed, "nothing differs from the pack");
}

#[test]
fn a_change_to_another_revision_is_not_made() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let seen = open(packs).revision;
    change(packs, DraftChange::AddTool { after: None });
    let now = open(packs).revision;
    let stale = packs.draft_change("mine", seen, DraftChange::AddTool { after: None }).expect("answered");
    assert!(matches!(stale, DraftChanged::Stale { revision } if revision == now), "{stale:?}");
    assert_eq!((open(packs).revision, open(packs).tools.len()), (now, 3));
    let saved = packs.draft_save("mine", seen).expect("answered");
    assert!(matches!(saved, DraftSaved::Stale { revision } if revision == now), "{saved:?}");
}

#[test]
fn what_is_gone_is_said() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let revision = open(packs).revision;
    let gone = packs.draft_change("mine", revision, DraftChange::Duplicate { key: 99_999 });
    refused(gone.map(drop), "the draft does not have this task or tool any more");
    refused(packs.draft_change("none", 1, DraftChange::AddTool { after: None }).map(drop), "none");
    for (pack, tools) in [("small", vec![]), ("small", vec!["Search_x"]), ("small", vec!["Nobody_x"])] {
        let tools = tools.into_iter().map(str::to_owned).collect();
        let brought =
            packs.draft_change("mine", revision, DraftChange::BringTools { pack: pack.to_owned(), tools });
        refused(brought.map(drop), "choose at least one tool that the draft does not have");
    }
    assert_eq!(open(packs).revision, revision);
}

#[test]
fn a_text_that_is_no_json_is_kept_letter_for_letter_and_named() {
    let shelf = of_small();
    let packs = &shelf.packs;
    let key = open(packs).tasks[0].key;
    for text in ["", "{", "[]", "{\"task_id\": ", "그냥 글"] {
        let put = DraftChange::PutTask { key, level: Level::L1, text: text.to_owned() };
        let item = change(packs, put).expect("a task");
        assert_eq!(item.text, text);
        assert!(!item.problems.is_empty(), "{text}");
        let copy = change(packs, DraftChange::Duplicate { key }).expect("a copy");
        assert_eq!(copy.text, text, "what cannot be read is copied as it is");
        let saved = packs.draft_save("mine", open(packs).revision).expect("answered");
        assert!(matches!(saved, DraftSaved::Refused { .. }), "{saved:?}");
    }
    assert_eq!(packs.show(Some("small")).expect("there").summary.version, "1.0.0");
}

/// What an author does: a change, and which of the tasks it is made to.
#[derive(Clone, Copy, Debug)]
enum Act {
    Add,
    Copy(usize),
    Move(usize, usize),
    RemoveAndRestore(usize),
}

fn acts() -> impl Strategy<Value = Act> {
    let at = 0..50_usize;
    prop_oneof![
        Just(Act::Add),
        at.clone().prop_map(Act::Copy),
        (at.clone(), at.clone()).prop_map(|(task, after)| Act::Move(task, after)),
        at.prop_map(Act::RemoveAndRestore),
    ]
}

proptest! {
    #![proptest_config(koab_draws::config(8))]

    /// Whatever is added, copied and moved: ids stay different, nothing is lost, and what is restored is where it was.
    #[test]
    fn tasks_stay_apart_and_none_is_lost(acts in proptest::collection::vec(acts(), 1..6)) {
        let shelf = of_small();
        let packs = &shelf.packs;
        let mut count = 2;
        for act in acts {
            let (keys, before) = (open(packs).tasks, ids(packs));
            let key = |at: usize| keys[at % keys.len()].key;
            match act {
                Act::Add => {
                    count += 1;
                    change(packs, DraftChange::AddTask { level: Level::L2, after: None });
                }
                Act::Copy(task) => {
                    count += 1;
                    change(packs, DraftChange::Duplicate { key: key(task) });
                }
                Act::Move(task, after) => {
                    let after = Some(key(after)).filter(|after| *after != key(task));
                    change(packs, DraftChange::Move { key: key(task), after });
                    let (mut sorted, mut moved) = (before, ids(packs));
                    sorted.sort();
                    moved.sort();
                    prop_assert_eq!(moved, sorted);
                }
                Act::RemoveAndRestore(task) => {
                    change(packs, DraftChange::Remove { key: key(task) });
                    prop_assert_eq!(ids(packs).len(), count - 1);
                    change(packs, DraftChange::Restore { key: key(task) });
                    prop_assert_eq!(ids(packs), before);
                }
            }
            let mut now = ids(packs);
            prop_assert_eq!(now.len(), count);
            now.sort();
            now.dedup();
            prop_assert_eq!(now.len(), count, "ids differ");
        }
        prop_assert_eq!(json!(open(packs).base), json!("small@1.0.0"));
    }
}
