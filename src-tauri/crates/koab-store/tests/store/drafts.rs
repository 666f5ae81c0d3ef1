//! Packs that are written: drafts, the versions that are saved from them, and their archives.

use crate::support::{Workspace, folder, import, starter, workspace};
use koab_core::level::Level;
use koab_engine::ports::ResponseCache as _;
use koab_store::draft::{Draft, DraftChanges, DraftHead, DraftTask, example_task, example_tool, pretty};
use koab_store::drafts::DraftRecord;
use koab_store::{DraftEdit, DraftSaving, DraftWritten, ItemKind, SavedVersion};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn example() -> (Draft, Vec<DraftRecord>) {
    let args = json!({"query": "우산"}).as_object().expect("an object").clone();
    let record = DraftRecord {
        tool: "Memo_search".to_owned(),
        args,
        data: Some(json!({"price": 127.0, "items": []})),
        created_at: "2026-11-21T00:00:00.000000".to_owned(),
    };
    let draft = Draft {
        head: DraftHead { title: "메모".to_owned(), ..DraftHead::default() },
        tasks: vec![DraftTask { level: Level::L1, text: example_task() }],
        tools: vec![example_tool()],
        judge_prompts: "sr: {}\n".to_owned(),
    };
    (draft, vec![record])
}

fn begin(space: &Workspace) -> i64 {
    let (draft, records) = example();
    let made = space.store.create_draft("mine", None, &draft, &records).expect("made");
    made.info.revision
}

fn save(space: &Workspace, revision: i64) -> SavedVersion {
    let said = space.store.save_draft("mine", revision, &DraftChanges::default());
    match said.expect("saved") {
        DraftSaving::Saved(saved) => *saved,
        other => panic!("{other:?}"),
    }
}

fn change(space: &Workspace, revision: i64, edit: DraftEdit) -> (i64, Option<i64>) {
    match space.store.change_draft("mine", revision, &edit).expect("changed") {
        DraftWritten::Written { revision, item } => (revision, item),
        DraftWritten::Stale { .. } => panic!("it was seen"),
    }
}

#[test]
fn a_change_to_what_was_not_seen_is_not_made() {
    let space = workspace();
    let seen = begin(&space);
    let edit = |title: &str| DraftEdit::Head(DraftHead { title: title.to_owned(), ..DraftHead::default() });
    let (revision, _) = change(&space, seen, edit("먼저"));
    let late = space.store.change_draft("mine", seen, &edit("나중")).expect("answered");
    assert_eq!(late, DraftWritten::Stale { revision });
    let draft = space.store.draft("mine").expect("read");
    assert_eq!((draft.info.head.title.as_str(), draft.info.revision), ("먼저", revision));
}

#[test]
fn items_are_added_moved_taken_away_and_brought_back_in_their_place() {
    let space = workspace();
    let mut revision = begin(&space);
    let mut ids = Vec::new();
    for text in ["b", "c", "d"] {
        let add = DraftEdit::Add {
            kind: ItemKind::Task,
            level: Some(Level::L2),
            content: text.to_owned(),
            after: None,
        };
        let (now, id) = change(&space, revision, add);
        revision = now;
        ids.push(id.expect("an id"));
    }
    let shown = |space: &Workspace| -> String {
        let tasks = space.store.draft("mine").expect("read").tasks;
        tasks.iter().skip(1).map(|task| task.content.as_str()).collect()
    };
    assert_eq!(shown(&space), "bcd");
    // More often than there is room between two numbers.
    for _ in 0..60 {
        for pair in [[ids[0], ids[1]], [ids[1], ids[0]]] {
            let first = space.store.draft("mine").expect("read").tasks[0].id;
            let to = DraftEdit::Move { item: pair[0], after: Some(first) };
            revision = change(&space, revision, to).0;
        }
    }
    assert_eq!(shown(&space), "cbd");
    revision = change(&space, revision, DraftEdit::Remove(ids[0])).0;
    assert_eq!(shown(&space), "cd");
    change(&space, revision, DraftEdit::Restore(ids[0]));
    assert_eq!(shown(&space), "cbd");
    let gone = DraftEdit::Remove(9_999);
    space.store.change_draft("mine", revision + 1, &gone).expect_err("no such item");
    assert_eq!(
        space.store.draft("mine").expect("read").info.revision,
        revision + 1,
        "what cannot be done raises no revision"
    );
}

#[test]
fn every_saved_version_stays_and_is_found_by_its_label() {
    let space = workspace();
    let first = save(&space, begin(&space));
    let label = |saved: &SavedVersion| format!("mine@{}", saved.pack.manifest.version);
    assert!(first.pack.active && first.pack.manifest.version.starts_with("1+"));
    let draft = space.store.draft("mine").expect("goes on");
    assert_eq!(draft.info.base.as_deref(), Some(label(&first).as_str()));
    let same = space.store.save_draft("mine", draft.info.revision, &DraftChanges::default());
    assert!(matches!(same.expect("answered"), DraftSaving::Same(_)), "nothing was changed");

    let text = example_task().replace("언제", "무슨 요일에");
    let put = DraftEdit::Put { item: draft.tasks[0].id, level: Some(Level::L1), content: text };
    let second = save(&space, change(&space, draft.info.revision, put).0);
    assert!(second.pack.manifest.version.starts_with("2+"));
    let instruction = |name: &str| {
        let pack = space.store.pack(name).expect("installed").0;
        pack.task("L1-001").expect("there").instruction().to_owned()
    };
    assert!(instruction("mine").contains("요일"));
    assert!(!instruction(&label(&first)).contains("요일") && !instruction("mine@1").contains("요일"));
    assert!(instruction("mine@2").contains("요일"));
    assert_eq!(space.store.packs().expect("listed").len(), 1, "one pack, by its newest version");
    let versions: Vec<(u32, bool)> = space
        .store
        .own_versions()
        .expect("read")
        .iter()
        .map(|(_, version)| (version.number, version.installed))
        .collect();
    assert_eq!(versions, [(2, true), (1, true)]);
    // The hand-written response is in both.
    for name in ["mine@1", "mine"] {
        let cache = space.store.cache(name).expect("opened");
        let args = koab_core::args::normalize(
            &space.store.pack(name).expect("read").0.tools[0],
            &example().1[0].args,
        );
        let answer = cache.lookup("Memo_search", &args).expect("read").expect("recorded");
        assert_eq!(answer.to_string(), r#"{"price":127.0,"items":[]}"#);
    }
    let error = space.store.use_pack("mine@1").expect_err("an earlier one").to_string();
    assert_eq!(
        error,
        "mine@1 is an earlier version, and runs use the newest unless told otherwise; run it with `koab run --pack mine@1`"
    );
    space.store.remove_pack("mine").expect("removed");
    space.store.pack("mine@1").expect_err("its earlier versions go along");
    let third = save(&space, {
        let draft = space.store.draft("mine").expect("stays");
        // What it goes on from is gone with its records.
        space.store.discard_draft("mine").expect("discarded");
        assert!(draft.info.base.is_some());
        begin(&space)
    });
    assert!(third.pack.manifest.version.starts_with("3+"), "no number is given twice");
}

#[test]
fn an_unsound_draft_is_refused_with_every_reason() {
    let space = workspace();
    let revision = begin(&space);
    let add = |kind, text: &str| DraftEdit::Add {
        kind,
        level: (kind == ItemKind::Task).then_some(Level::L1),
        content: text.to_owned(),
        after: None,
    };
    let (revision, _) = change(&space, revision, add(ItemKind::Task, "{"));
    let (revision, _) = change(&space, revision, add(ItemKind::Tool, "{}"));
    let said = space.store.save_draft("mine", revision, &DraftChanges::default());
    let DraftSaving::Refused(checked) = said.expect("answered") else { panic!("it cannot be saved") };
    let refused = checked.problems().filter(|problem| problem.is_error());
    assert_eq!(refused.count(), 2);
    assert!(space.store.packs().expect("listed").is_empty(), "nothing was saved");
}

#[test]
fn a_reworded_tool_makes_its_records_stale_and_a_removed_one_takes_them_along() {
    let space = workspace();
    import(&space, folder(&starter()).path());
    let pack = space.store.pack("starter").expect("read").0;
    let mut draft = Draft::of_pack(&pack);
    draft.tools[0] = draft.tools[0].replace("찾기", "검색");
    space.store.create_draft("mine", Some("starter@1.0.0"), &draft, &[]).expect("made");
    let saved = save(&space, 1);
    assert!(saved.pack.manifest.sample, "a copy of invented data is invented");
    let records = &saved.pack.records;
    assert_eq!((records.kept, records.current, records.stale, records.answering), (2, 0, 2, 2));
    let stored = space.store.draft("mine").expect("goes on");
    let (revision, _) = change(&space, stored.info.revision, DraftEdit::Remove(stored.tools[0].id));
    assert_eq!(save(&space, revision).pack.records.kept, 0);
}

#[test]
fn an_archive_comes_in_elsewhere_as_what_it_was() {
    let space = workspace();
    import(&space, folder(&starter()).path());
    let pack = space.store.pack("starter").expect("read").0;
    let records = [
        DraftRecord {
            tool: "Search_x".to_owned(),
            args: json!({"query": "다", "size": 3}).as_object().expect("an object").clone(),
            data: Some(Value::Null),
            created_at: "2026-11-21T00:00:00.000000".to_owned(),
        },
        // In place of the one that came with the pack, and one taken away.
        DraftRecord {
            tool: "Search_x".to_owned(),
            args: json!({"query": "가"}).as_object().expect("an object").clone(),
            data: Some(json!([1.0, 1e300, "가\u{1}"])),
            created_at: "2026-11-21T00:00:00.000000".to_owned(),
        },
        DraftRecord {
            tool: "Search_x".to_owned(),
            args: json!({"query": "나", "size": 5}).as_object().expect("an object").clone(),
            data: None,
            created_at: String::new(),
        },
    ];
    let draft = Draft::of_pack(&pack);
    space.store.create_draft("mine", Some("starter"), &draft, &records).expect("made");
    let saved = save(&space, 1);
    assert_eq!(saved.pack.records.kept, 2);
    let archive = space.store.export_pack("mine").expect("exported");
    assert_eq!(archive.file_name, "mine-1.zip");
    assert_eq!(archive, space.store.export_pack("mine").expect("exported"), "the same bytes");
    let elsewhere = workspace();
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), &archive.bytes).expect("written");
    let imported = elsewhere.store.import(file.path()).expect("imported");
    assert_eq!(imported.problems, []);
    assert_eq!(elsewhere.store.content_hash("mine").expect("read"), saved.sha256);
    assert_eq!(elsewhere.store.verify_pack("mine").expect("verified"), []);
    assert_eq!(imported.pack.manifest.version, saved.pack.manifest.version);
    assert_eq!(elsewhere.store.export_pack("mine").expect("exported"), archive);
}

/// JSON of any form, with the numbers and texts that tend to change on their way.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        Just(json!(127.0)),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("\\PC{0,6}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_a_draft_says_is_kept_saved_handed_on_and_read_back(
        title in "\\PC{0,12}", extra in value(), answer in value(), half in "\\PC{0,20}", level in 0_usize..7
    ) {
        let space = workspace();
        let level = Level::ALL[level].clone();
        let mut task: Map<String, Value> = serde_json::from_str(&example_task()).expect("a task");
        task.insert("note".to_owned(), extra);
        if level.is_multi_turn() {
            task.insert("conversation_tracking".to_owned(), json!({"turns": [{"role": "user", "content": "?"}]}));
        }
        let (mut draft, mut records) = example();
        draft.head.title = title;
        draft.tasks = vec![DraftTask { level, text: pretty(&Value::Object(task)) }];
        records[0].data = Some(answer);
        let made = space.store.create_draft("mine", None, &draft, &records).expect("made");
        prop_assert_eq!(made.content(), draft.clone());
        prop_assert_eq!(made.own_records()[0].1.data.clone(), records[0].data.clone());
        // Half-done texts too.
        let put = DraftEdit::Put { item: made.tools[0].id, level: None, content: half.clone() };
        let (revision, _) = change(&space, 1, put);
        prop_assert_eq!(&space.store.draft("mine").expect("read").tools[0].content, &half);
        let put = DraftEdit::Put { item: made.tools[0].id, level: None, content: draft.tools[0].clone() };
        let (revision, _) = change(&space, revision, put);
        save(&space, revision);
        let pack = space.store.pack("mine").expect("read").0;
        prop_assert_eq!(Draft::of_pack(&pack), draft);
        let archive = space.store.export_pack("mine").expect("exported");
        let elsewhere = workspace();
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), &archive.bytes).expect("written");
        elsewhere.store.import(file.path()).expect("imported");
        prop_assert_eq!(
            elsewhere.store.content_hash("mine").expect("read"),
            space.store.content_hash("mine").expect("read")
        );
    }
}
