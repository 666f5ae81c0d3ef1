use super::{ATTEMPT, AttemptFolder, CONSOLE, note_late, of_attempt};
use crate::definition::Definition;
use crate::placeholders::{AttemptValues, Values};
use crate::tests::refused;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn definition(fields: &Value) -> Definition {
    let mut definition =
        json!({"name": "a", "kind": "command", "command": ["sh"], "answer": {"stdout": "all"}});
    for (name, value) in fields.as_object().expect("fields") {
        definition[name] = value.clone();
    }
    Definition::read(&definition.to_string(), "a").expect("a definition")
}

fn values(folder: &Path) -> Values {
    Values::new(&AttemptValues {
        prompt: "the prompt",
        model: "m",
        token: "sk-koab-1",
        host: "127.0.0.1:1",
        folder,
        attempt: "T-1",
    })
    .expect("this program is found")
}

/// Names of what is in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_task_s_id_is_a_name_of_one_folder_below_the_attempts() {
    for (task, folder) in [
        ("L1-001", "L1-001"),
        ("../../etc", "______etc"),
        ("a/b", "a_b"),
        ("한글 id", "___id"),
        (".", "_"),
        ("", "_"),
    ] {
        let path = of_attempt(Path::new("/runs/agents"), task, 2);
        assert_eq!(path, Path::new("/runs/agents").join(folder).join("2"), "{task}");
    }
}

#[test]
fn an_attempt_begins_in_an_empty_folder_and_keeps_what_was_paid() {
    let agents = tempfile::tempdir().expect("a folder");
    let make = || AttemptFolder::make(agents.path(), "T", 1, false).expect("made");
    let place = make();
    assert_eq!(names(&place.folder), ["home", "work"]);
    fs::write(place.calls(), "first").expect("written");
    fs::write(place.folder.join("work/left"), "x").expect("written");
    fs::write(place.folder.join(CONSOLE), "x").expect("written");
    let place = make();
    assert_eq!(names(&place.folder), ["home", "model_calls.1.jsonl", "work"]);
    assert!(names(&place.folder.join("work")).is_empty());
    fs::write(place.calls(), "second").expect("written");
    let place = make();
    assert_eq!(names(&place.folder), ["home", "model_calls.1.jsonl", "model_calls.2.jsonl", "work"]);
    for (name, text) in [("model_calls.1.jsonl", "first"), ("model_calls.2.jsonl", "second")] {
        assert_eq!(fs::read_to_string(place.folder.join(name)).expect("kept"), text);
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_an_agent_left_is_removed_and_not_followed() {
    let (agents, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    fs::write(other.path().join("kept"), "x").expect("written");
    let place = AttemptFolder::make(agents.path(), "T", 1, false).expect("made");
    std::os::unix::fs::symlink(other.path(), place.folder.join("link")).expect("a link");
    AttemptFolder::make(agents.path(), "T", 1, false).expect("made");
    assert_eq!(names(other.path()), ["kept"]);
    assert_eq!(names(&place.folder), ["home", "work"]);
}

#[test]
fn files_of_a_definition_lie_in_the_attempt_and_nowhere_else() {
    let agents = tempfile::tempdir().expect("a folder");
    let place = AttemptFolder::make(agents.path(), "T", 1, false).expect("made");
    let values = values(&place.seen);
    let files = json!({"{home}/.config/a.toml": "url = {mcp}", "{work}/b": "{prompt}"});
    let good = definition(&json!({"files": files, "script_text": "print('{token}')"}));
    place.fill(&good, &values, "the prompt").expect("filled");
    for (name, text) in [
        ("prompt.txt", "the prompt"),
        ("home/.config/a.toml", "url = http://127.0.0.1:1/mcp"),
        ("work/b", "the prompt"),
        // A script is no template: braces are its own.
        ("agent.py", "print('{token}')"),
    ] {
        assert_eq!(fs::read_to_string(place.folder.join(name)).expect(name), text);
    }
    for path in ["/etc/passwd", "{home}/../../out", "relative", "{unknown}/a"] {
        let outside = definition(&json!({"files": {path: "x"}}));
        refused(
            place.fill(&outside, &values, ""),
            &format!("the file {path} of the definition lies outside of {{home}} and {{work}}"),
        );
    }
    assert_eq!(names(agents.path()), ["T"]);
}

#[test]
fn a_container_sees_its_part_under_another_name() {
    let agents = tempfile::tempdir().expect("a folder");
    let place = AttemptFolder::make(agents.path(), "T", 1, true).expect("made");
    assert_eq!(place.seen, Path::new("/attempt"));
    assert_eq!(names(&place.folder), ["inside"]);
    assert_eq!(place.home(), place.folder.join("inside/home"));
    let files = definition(&json!({"files": {"{work}/a": "x"}}));
    place.fill(&files, &values(&place.seen), "p").expect("filled");
    assert!(place.folder.join("inside/work/a").is_file());
    fs::write(place.shown.join("answer.txt"), "42").expect("written");
    let left = place.left(Path::new("/attempt/answer.txt"));
    assert_eq!(left, Some(place.shown.join("answer.txt")));
    for outside in ["/etc/passwd", "/attempt/../console.log", "/attempt/none", "answer.txt"] {
        assert_eq!(place.left(Path::new(outside)), None, "{outside}");
    }
}

#[cfg(unix)]
#[test]
fn an_answer_s_file_is_not_found_behind_a_link() {
    use std::os::unix::fs::symlink;
    let (agents, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    fs::write(other.path().join("secret"), "x").expect("written");
    for contained in [true, false] {
        let task = format!("T{contained}");
        let place = AttemptFolder::make(agents.path(), &task, 1, contained).expect("made");
        symlink(other.path().join("secret"), place.shown.join("answer.txt")).expect("a link");
        symlink(other.path(), place.shown.join("work/led")).expect("a link");
        assert_eq!(place.left(&place.seen.join("answer.txt")), None);
        let led = place.left(&place.seen.join("work/led/secret"));
        // On this computer an agent reads whatever its user reads.
        assert_eq!(led.is_none(), contained);
    }
}

#[test]
fn calls_that_came_late_are_noted_in_the_attempt_s_file() {
    let agents = tempfile::tempdir().expect("a folder");
    let folder = of_attempt(agents.path(), "A/1#x", 3);
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join(ATTEMPT), r#"{"exit": 0}"#).expect("written");
    for attempt in ["A/1#x#3", "none", "A/1#x#4"] {
        note_late(agents.path(), attempt, 2);
    }
    let text = fs::read_to_string(folder.join(ATTEMPT)).expect("there");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(told, json!({"exit": 0, "after_end": 2}));
    assert_eq!(names(agents.path()), ["A_1_x"]);
    fs::write(folder.join(ATTEMPT), "broken").expect("written");
    note_late(agents.path(), "A/1#x#3", 2);
    assert_eq!(fs::read_to_string(folder.join(ATTEMPT)).expect("there"), "broken");
}
