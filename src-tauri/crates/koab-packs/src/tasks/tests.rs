use super::*;
use crate::tests::shelf::{Shelf, refused};
use koab_core::level::Level;

fn api() -> (tempfile::TempDir, Packs) {
    let folder = tempfile::tempdir().expect("a folder");
    let packs = Packs::at(folder.path());
    (folder, packs)
}

fn first(packs: &Packs, level: &Level) -> TaskDetail {
    let list = packs.tasks_list(None).expect("listed");
    let row = list.tasks.iter().find(|task| task.level == *level).expect("one");
    packs.task_show(None, &row.id).expect("shown")
}

#[test]
fn every_task_of_the_starter_pack_is_listed_and_shown_with_its_answers() {
    let (_folder, packs) = api();
    let list = packs.tasks_list(None).expect("listed");
    assert_eq!(list.pack, "starter");
    let levels = &packs.list().expect("listed")[0].levels;
    assert_eq!(list.tasks.len(), levels.iter().map(|l| l.tasks as usize).sum::<usize>());
    for row in &list.tasks {
        let task = packs.task_show(Some("starter"), &row.id).expect("shown");
        let golden = task.golden.iter().chain(task.turns.iter().flat_map(|turn| &turn.calls));
        let hits = golden.clone().filter(|call| matches!(call.answer, CallAnswer::Hit { .. })).count();
        assert!(hits as u32 >= row.answered, "{}: the list and the task agree", row.id);
        assert!(task.tools.iter().all(|tool| tool.spec.is_some()), "{}: its tools are known", row.id);
        assert_eq!(task.raw["task_id"], row.id.as_str());
    }
}

#[test]
fn an_injected_failure_is_told_where_a_run_would_inject_it() {
    let (_folder, packs) = api();
    let task = first(&packs, &Level::L5);
    let injection = task.injection.expect("L5 injects");
    let call = task.golden.iter().find(|call| call.tool == injection.tool).expect("the call that fails");
    assert_eq!(call.answer, CallAnswer::Injected { message: injection.message });
    assert!(task.tools.iter().any(|tool| tool.part == ToolPart::Fallback) && !task.fallbacks.is_empty());
}

#[test]
fn a_call_that_is_not_recorded_names_the_most_similar_one() {
    let (_folder, packs) = api();
    let task = first(&packs, &Level::L1);
    let call = &task.golden[0];
    let asked = call.args.to_string();
    let found = packs.call_lookup(None, &call.tool, &asked).expect("looked up");
    assert!(matches!(found.answer, CallAnswer::Hit { .. }) && !found.result.is_null());
    let mut other = call.args.as_object().expect("an object").clone();
    let (name, value) = other.iter_mut().find(|(_, value)| value.is_string()).expect("a text");
    let name = name.clone();
    *value = Value::from(format!("{} 아님", value.as_str().unwrap_or_default()));
    let missed = packs.call_lookup(None, &call.tool, &Value::Object(other).to_string()).expect("looked up");
    let CallAnswer::Miss { nearest: Some(nearest), .. } = missed.answer else {
        panic!("{:?}", missed.answer)
    };
    assert_eq!(nearest.differing, [name]);
    for (tool, arguments, why) in [
        ("Nobody_x", "{}", "there is no tool named 'Nobody_x'"),
        (call.tool.as_str(), "[]", "the arguments must be a JSON object, not an array"),
    ] {
        let refused = packs.call_lookup(None, tool, arguments).expect("looked up");
        assert!(matches!(&refused.answer, CallAnswer::Refused { why: said } if *said == why), "{refused:?}");
    }
}

#[test]
fn a_flag_is_shown_wherever_its_task_is() {
    let (_folder, packs) = api();
    let id = first(&packs, &Level::L3).id;
    let flag = packs.task_flag("starter", &id, Some("  답이 둘  ")).expect("flagged").expect("there");
    assert_eq!(flag.note, "답이 둘");
    assert_eq!(first(&packs, &Level::L3).flag, Some(flag));
    let flagged =
        packs.tasks_list(None).expect("listed").tasks.into_iter().filter(|task| task.flag.is_some());
    assert_eq!(flagged.map(|task| task.id).collect::<Vec<_>>(), std::slice::from_ref(&id));
    assert_eq!(packs.view("starter").expect("shown").flags, 1);
    for (task, note) in [(id.as_str(), Some(" ")), ("L9-001", Some("so"))] {
        packs.task_flag("starter", task, note).expect_err("refused");
    }
    for pack in [None, Some("starter"), Some("starter@0.9.0")] {
        assert!(packs.task_flags(pack).expect("read").contains_key(&id), "{pack:?}");
    }
    assert!(packs.task_flags(Some("other@1.0.0")).expect("read").is_empty());
    assert_eq!(packs.task_flag("starter", &id, None).expect("taken away"), None);
    assert_eq!(first(&packs, &Level::L3).flag, None);
}

#[test]
fn a_removed_starter_pack_stays_away_until_it_is_wanted() {
    let (folder, packs) = api();
    let removal = packs.removal("starter", 0).expect("told");
    assert!(removal.tasks > 0 && removal.records > 0 && removal.starter && removal.active.is_none());
    packs.remove("starter").expect("removed");
    let again = Packs::at(folder.path());
    assert!(again.list().expect("listed").is_empty());
    assert_eq!(again.tasks_list(None).expect_err("none").code, koab_workspace::ErrorCode::NoPack);
    assert!(again.starter().expect("back").active);
}

#[test]
fn a_list_says_of_each_task_how_much_of_its_path_is_answered() {
    let shelf = Shelf::new();
    shelf.import("small");
    let list = shelf.packs.tasks_list(Some("small")).expect("listed");
    assert_eq!((list.pack.as_str(), list.version.as_str()), ("small", "1.0.0"));
    let rows: Vec<_> =
        list.tasks.iter().map(|row| (row.id.as_str(), row.calls, row.answered, row.problems)).collect();
    assert_eq!(rows, [("L1-001", 1, 1, 0), ("L1-002", 1, 0, 0)]);
    assert_eq!(list.tasks[0].category.as_deref(), Some("찾기"));
    assert_eq!(list.tasks[0].tools, ["Search_x"]);
}

#[test]
fn a_task_of_a_tool_that_nobody_knows_is_shown_with_what_is_wrong() {
    let shelf = Shelf::new();
    let mut files = crate::tests::shelf::small_pack("small");
    let tasks = serde_json::json!([crate::tests::shelf::task("L1-001", "Nobody_x", "가")]);
    files.retain(|(path, _)| path != "tasks/L1.json");
    files.push(("tasks/L1.json".to_owned(), tasks.to_string()));
    shelf.import_files(&files);
    let task = shelf.packs.task_show(Some("small"), "L1-001").expect("shown");
    assert_eq!(task.tools.len(), 1);
    assert!(task.tools[0].spec.is_none(), "nobody knows it");
    assert!(matches!(task.golden[0].answer, CallAnswer::Refused { .. }));
    assert_eq!(task.raw, tasks[0], "the task is as it was written");
    let problems = shelf.packs.view("small").expect("there").problems;
    assert!(!problems.is_empty());
    let of_task = problems.iter().filter(|problem| problem.task.as_deref() == Some("L1-001"));
    assert_eq!(task.problems.len(), of_task.count());
}

#[test]
fn what_is_not_there_is_named_with_its_pack() {
    let shelf = Shelf::new();
    shelf.import("small");
    let packs = &shelf.packs;
    refused(packs.task_show(Some("small"), "L9-001").map(drop), "pack small has no task L9-001");
    refused(packs.task_flag("small", "L9-001", Some("x")).map(drop), "pack small has no task L9-001");
    refused(packs.task_show(Some("none"), "L1-001").map(drop), "none");
    refused(packs.tasks_list(Some("none")).map(drop), "none");
    refused(packs.tools(Some("none")).map(drop), "none");
    let tools: Vec<String> =
        packs.tools(Some("small")).expect("listed").into_iter().map(|tool| tool.name).collect();
    assert_eq!(tools.len(), 2);
    assert!(tools.contains(&"Search_x".to_owned()) && tools.contains(&"Another_x".to_owned()));
}

#[test]
fn a_note_has_words_and_an_end() {
    let shelf = Shelf::new();
    shelf.import("small");
    let flag = |note: &str| shelf.packs.task_flag("small", "L1-001", Some(note));
    for note in ["", " \n\t"] {
        refused(flag(note).map(drop), "say in the note what is wrong with the task");
    }
    let long = "가".repeat(LONGEST_NOTE);
    assert_eq!(flag(&format!(" {long} ")).expect("it fits").expect("there").note, long);
    refused(flag(&format!("{long}나")).map(drop), "the note is too long; keep it under 2000 characters");
    assert_eq!(shelf.packs.task_flags(Some("small@9.9.9")).expect("read")["L1-001"].note, long);
    assert!(shelf.packs.task_flags(None).expect("read").is_empty(), "the active pack has none");
}

#[test]
fn a_flag_on_a_task_that_is_gone_can_be_taken_away() {
    let shelf = Shelf::new();
    shelf.import("small");
    shelf.packs.task_flag("small", "L1-002", Some("x")).expect("flagged");
    let mut files = crate::tests::shelf::small_pack("small");
    files.retain(|(path, _)| path != "tasks/L1.json");
    let tasks = serde_json::json!([crate::tests::shelf::task("L1-001", "Search_x", "가")]);
    files.push(("tasks/L1.json".to_owned(), tasks.to_string()));
    shelf.import_files(&files);
    refused(shelf.packs.task_flag("small", "L1-002", Some("y")).map(drop), "has no task L1-002");
    assert_eq!(shelf.packs.task_flag("small", "L1-002", None).expect("taken away"), None);
    assert!(shelf.packs.task_flags(Some("small")).expect("read").is_empty());
}
