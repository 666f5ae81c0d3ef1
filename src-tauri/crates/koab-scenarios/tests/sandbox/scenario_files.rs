//! Scenario files: what is read, and how everything wrong is named at once.

use crate::sandbox::support::{benchmark, folder, problems, put, read};
use koab_scenarios::scenario_file::{self, Network};
use std::path::Path;

#[test]
fn every_bad_line_of_a_file_is_named_at_once() {
    let lines = r#"{"id": "ok", "template": "../Templates/T", "substitutions": {}}
{"id": 7, "template": "../Templates/T", "substitutions": {}}
{"id": "x", "template": "../Templates/T"
{"template": {"a": 1}, "substitutions": {"scenario.py": {"hi": "yo"}, "hi": "zz"}}
{"id": "ok", "template": "../Templates/T", "substitutions": {}}
{"id": "y", "template": "../Templates/missing", "substitutions": {}}
{"id": "z", "template": "../Templates/T"}
{"id": "w", "template": "../Templates/T", "substitutions": {"scenario.py": {"hi": 5}}}
{"id": "v", "template": "../Templates/T", "substitutions": {"nofile.txt": {"a": "b"}}}
["u"]
{"id": "t", "template": [["../Templates/T", 3]], "substitutions": {}, "network": "host", "timeout_s": 0, "secrets": ["A B"]}"#;
    insta::assert_snapshot!(problems(lines).join("\n"), @r#"
    Tasks/a.jsonl, line 2: `id` is a number; write it as a string, as in "7"
    Tasks/a.jsonl, line 3: is not JSON: EOF while parsing an object at column 40
    Tasks/a.jsonl, line 4: has no `id`
    Tasks/a.jsonl, line 4: `template` is an object where a path or a list of paths belongs
    Tasks/a.jsonl, line 4: `substitutions` mixes files and find strings, or "hi" has a string instead of an object of find strings
    Tasks/a.jsonl, line 5: line 1 has the id "ok" already
    Tasks/a.jsonl, line 6: the template "../Templates/missing" does not exist
    Tasks/a.jsonl, line 7: has no `substitutions`; write "substitutions": {} for none
    Tasks/a.jsonl, line 8: the replacement of "hi" for scenario.py in `substitutions` is a number where a string belongs
    Tasks/a.jsonl, line 9: has substitutions for nofile.txt, which the template does not contain
    Tasks/a.jsonl, line 10: is a list where an object belongs
    Tasks/a.jsonl, line 11: the template ["../Templates/T",3] is not a pair of path and target
    Tasks/a.jsonl, line 11: `network` is "host" where "none" or "bridge" belongs
    Tasks/a.jsonl, line 11: `timeout_s` is 0 where whole seconds from 1 belong
    Tasks/a.jsonl, line 11: `secrets` names "A B", which is not an environment variable's name
    "#);
}

#[test]
fn a_mark_blank_lines_windows_newlines_and_unknown_keys_do_no_harm() {
    let lines = "\u{feff}\r\n{\"id\": \"과제 1\", \"template\": \"../Templates/T\", \"substitutions\": {}, \"more\": [1]}\r\n  \r\n\
                 {\"id\": \"b\", \"template\": \"../Templates/T\", \"substitutions\": {}}";
    let benchmark = benchmark(lines);
    let files = read(&benchmark).expect("sound");
    let seen: Vec<(&str, usize)> = files[0].instances.iter().map(|i| (i.id.as_str(), i.line)).collect();
    assert_eq!(seen, [("과제 1", 2), ("b", 4)]);
}

#[test]
fn a_folder_gives_its_files_in_natural_order_and_none_below() {
    let line = r#"{"id": "x", "template": "./t.py", "substitutions": {}}"#;
    let tasks = folder(&[
        ("t10.jsonl", line),
        ("t2.JSONL", line),
        ("my.multi.dots.jsonl", line),
        ("notes.txt", "no scenario"),
        ("below/t1.jsonl", "no scenario either"),
        ("t.py", ""),
    ]);
    let files = scenario_file::read(tasks.path(), &[]).expect("sound");
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["my.multi.dots", "t2", "t10"]);

    put(tasks.path(), "t2.jsonl", line);
    let problems = scenario_file::read(tasks.path(), &[]).expect_err("one folder for two");
    assert!(problems.to_string().contains("gives the same results folder \"t2\""), "{problems}");

    let empty = folder(&[("notes.txt", "")]);
    let problems = scenario_file::read(empty.path(), &[]).expect_err("nothing to run");
    assert!(problems.to_string().ends_with("holds no .jsonl file"), "{problems}");
}

#[test]
fn a_scenario_may_ask_for_its_network_time_and_secrets() {
    let benchmark = benchmark(
        r#"{"id": "x", "template": "../Templates/T", "substitutions": {}, "network": "none", "timeout_s": 90, "secrets": ["BING_API_KEY"]}"#,
    );
    let instance = &read(&benchmark).expect("sound")[0].instances[0];
    assert_eq!(instance.network, Some(Network::None));
    assert_eq!(instance.timeout_s, Some(90));
    assert_eq!(instance.secrets, ["BING_API_KEY"]);
}

#[test]
fn text_from_elsewhere_starts_from_a_named_folder() {
    let benchmark = benchmark("");
    let line = r#"{"id": "x", "template": "../Templates/one.py", "values": {"single": "double"}}"#;
    let file = scenario_file::parse("stdin", line, &benchmark.path().join("Tasks"), &[]).expect("sound");
    assert_eq!((file.name.as_str(), file.path.as_path()), ("stdin", Path::new("-")));
    assert_eq!(file.instances[0].substitutions[0].file, Path::new("scenario.py"));
}

#[test]
fn a_file_that_is_no_text_or_holds_nothing_is_named() {
    assert_eq!(problems("\n\n"), ["Tasks/a.jsonl: holds no instance"]);
    let benchmark = benchmark("");
    put(benchmark.path(), "Tasks/a.jsonl", b"{}\n\xff\n");
    let problems = read(&benchmark).expect_err("not text");
    assert!(problems.to_string().ends_with("line 2 is not UTF-8 text"), "{problems}");
}
