use super::{copy, open, reopen, row};
use crate::catalog;
use crate::check_history::remember;
use crate::run::keep;
use crate::tests::{desk, refused_with};
use koab_workspace::Home;
use serde_json::json;
use std::fs;
use std::path::Path;

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

#[test]
fn a_definition_is_opened_by_its_name_or_its_file_with_the_script_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let shipped = open("autogen").expect("a shipped one");
    assert!(shipped.script_text.is_some());
    let mine = json!({"name": "mine", "kind": "command", "command": ["python3", "{script}"],
        "script": "solve.py", "answer": {"stdout": "all"}});
    let file = write(folder.path(), "mine.json", &mine.to_string());
    refused_with(open(&file), "solve.py cannot be read: ");
    write(folder.path(), "solve.py", "print(1)\n");
    let opened = open(&file).expect("a definition");
    assert_eq!(opened.script_text.as_deref(), Some("print(1)\n"));
    let mut inside = mine;
    inside["script_text"] = "print(2)".into();
    let file = write(folder.path(), "inside.json", &inside.to_string());
    assert_eq!(open(&file).expect("a definition").script_text.as_deref(), Some("print(2)"));
}

#[test]
fn what_is_not_there_is_answered_with_what_there_is() {
    let names: Vec<&str> = catalog::names().collect();
    let why = open("codxe").expect_err("there is none").message.to_string();
    let there = names.join(", ");
    assert_eq!(why, format!("there is no agent `codxe`, and no such file; there are {there}"));
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    let folder = tempfile::tempdir().expect("a folder");
    let broken = write(folder.path(), "broken.json", "{");
    refused_with(open(&broken), &format!("{broken} is not a definition of an agent: "));
    let bytes = folder.path().join("bytes.json");
    fs::write(&bytes, [0xff]).expect("written");
    refused_with(open(&bytes.display().to_string()), "bytes.json is not UTF-8 text");
    refused_with(open(&folder.path().display().to_string()), "there is no agent");
}

#[test]
fn a_copy_is_a_file_of_its_own_that_says_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in catalog::names() {
        let to = folder.path().join(format!("my-{name}.json"));
        let written = copy(name, &to).expect(name);
        let (copied, shipped) = (open(&to.display().to_string()).expect(name), open(name).expect(name));
        assert_eq!(copied.name, format!("my-{name}"));
        assert_eq!(written.len(), 1 + usize::from(shipped.script_text.is_some()), "{name}");
        assert_eq!(copied.script_text, shipped.script_text, "{name}");
        assert_eq!((copied.kind, &copied.command), (shipped.kind, &shipped.command));
        assert_eq!((&copied.answer, &copied.own_model), (&shipped.answer, &shipped.own_model));
    }
}

#[test]
fn a_copy_overwrites_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("mine.json");
    let taken = write(folder.path(), "mine.json", "mine");
    refused_with(copy("codex", &to), "mine.json is there already; name another file");
    assert_eq!(fs::read_to_string(taken).expect("there"), "mine");
    let script = write(folder.path(), "other.py", "mine");
    refused_with(copy("autogen", &folder.path().join("other.json")), "other.py is there already");
    assert_eq!(fs::read_to_string(script).expect("there"), "mine");
    refused_with(copy("codex", &folder.path().join("none/mine.json")), "mine.json cannot be written: ");
}

#[test]
fn a_run_goes_on_with_the_definition_that_it_began_with() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(reopen(folder.path()).is_err());
    let definition = open("autogen").expect("a shipped one");
    keep(folder.path(), &definition).expect("kept");
    assert_eq!(reopen(folder.path()).expect("kept"), definition);
    write(&folder.path().join("agents"), "definition.json", "{}");
    refused_with(reopen(folder.path()), "is not a definition of an agent: ");
}

#[tokio::test]
async fn a_row_says_how_an_agent_is_reached_and_what_its_last_check_came_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::resolve(Some(folder.path().to_owned())).expect("a home");
    let by_hand = row("mcp-host", &home, &koab_stand_ins::gate()).await.expect("a row");
    assert_eq!((by_hand.kind.as_str(), by_hand.contained), ("mcp-host", false));
    let remark = by_hand.remark.expect("a remark").to_string();
    assert_eq!(
        remark,
        "mcp-host is used by hand, with a model of its own: tokens, times and cost are not known, and the run cannot be compared with any other"
    );
    assert!(by_hand.checked.is_none());
    let running = desk::running("http", "http://127.0.0.1:9/", &json!({"t": "{token}"}));
    let file = write(folder.path(), "running.json", &serde_json::to_string(&running).expect("JSON"));
    let found = row(&file, &home, &koab_stand_ins::gate()).await.expect("a row");
    let remark = found.remark.expect("a remark").to_string();
    assert!(remark.contains("without a container (its server runs already)"), "{remark}");
    let bridge = json!({"name": "bridge", "kind": "command", "command": ["sh", "-c", "{mcp_stdio}"],
        "answer": {"stdout": "all"}});
    let file = write(folder.path(), "bridge.json", &bridge.to_string());
    let definition = open(&file).expect("a definition");
    remember(&home, &desk::failed_check(&definition, "never calls")).expect("kept");
    let found = row(&file, &home, &koab_stand_ins::gate()).await.expect("a row");
    let remark = found.remark.expect("a remark").to_string();
    let why = "(its definition starts koab itself, which its container does not have)";
    assert!(remark.contains(why), "{remark}");
    let checked = found.checked.expect("a check");
    assert!(!checked.passed);
    assert_eq!(checked.why.expect("a trap").to_string(), "it never calls");
}
