//! What is written to a terminal: nothing that it would obey, and tables that fit it.
//!
//! Commands run below `script` of util-linux, which gives them a terminal and hands on what they write to it.

use crate::support::http::Local;
use crate::support::{Koab, skip};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use unicode_width::UnicodeWidthStr as _;

/// Clipboard, title, colours, an 8-bit CSI, a bell, a carriage return, and marks of direction.
const HOSTILE: &str =
    "x\u{1b}]52;c;aGk=\u{7}\u{1b}]0;t\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{200f}\u{61c}\u{7f}\ry";

fn has_script() -> bool {
    Command::new("script").arg("--version").output().is_ok()
}

/// What a command writes to a terminal of so many columns, on either way.
fn on_terminal(koab: &Koab, columns: u32, words: &[&str]) -> String {
    let quoted: Vec<String> = std::iter::once(env!("CARGO_BIN_EXE_koab"))
        .chain(words.iter().copied())
        .map(|word| format!("'{}'", word.replace('\'', "'\\''")))
        .collect();
    let line = format!("stty cols {columns} rows 40 -echo; {}", quoted.join(" "));
    let mut command = Command::new("script");
    command
        .args(["-qec", &line, "/dev/null"])
        .env("KOAB_HOME", koab.path())
        .env("LC_ALL", "en_US.UTF-8")
        .env("TERM", "xterm-256color")
        .env("SHELL", "/bin/sh")
        .stdin(std::process::Stdio::null());
    let output = command.output().expect("script starts");
    let text = String::from_utf8(output.stdout).expect("text");
    // The terminal itself ends lines so.
    text.replace("\r\n", "\n")
}

fn is_obeyed(letter: char) -> bool {
    let is_direction = matches!(
        letter,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    is_direction || (letter.is_control() && !matches!(letter, '\n' | '\t'))
}

/// A pack with hostile text wherever it may stand.
fn hostile_pack(below: &Path) -> PathBuf {
    let folder = below.join("pack");
    fs::create_dir_all(folder.join("tasks")).expect("made");
    let task = |id: &str, more: Value| {
        let mut task = json!({
            "task_id": id, "instruction": HOSTILE, "task_level": 1, "task_category": HOSTILE,
            "available_tools": ["Tool"], "golden_action": [{ "tool": "Tool", "args": { "a": HOSTILE } }],
            "expected_tools": ["Tool"], "resp_schema": {}, "arg_schema": {}, "minimum_steps": 1,
        });
        for (name, value) in more.as_object().expect("fields") {
            task[name] = value.clone();
        }
        task
    };
    let tasks = json!([
        task(&format!("L1-001{HOSTILE}"), json!({})),
        task("L1-002", json!({})),
        task(&format!("L1-003{HOSTILE}"), json!({ "golden_action": HOSTILE })),
    ]);
    fs::write(folder.join("tasks/L1.json"), tasks.to_string()).expect("written");
    let tools = json!([{ "type": "function", "function": {
        "name": "Tool", "description": HOSTILE,
        "parameters": { "type": "object", "properties": { "a": { "type": "string", "description": HOSTILE } } },
    } }, { "type": "function", "function": { "name": HOSTILE } }]);
    fs::write(folder.join("tool_catalog.json"), tools.to_string()).expect("written");
    folder
}

#[test]
fn text_of_others_is_never_obeyed_by_a_terminal() {
    if !has_script() {
        skip("text_of_others_is_never_obeyed_by_a_terminal", "script of util-linux");
        return;
    }
    let koab = Koab::new();
    let place = tempfile::tempdir().expect("a folder");
    let pack = hostile_pack(place.path());
    let pack = pack.to_str().expect("text");
    // A server whose every answer is hostile, and one that answers in a hostile way.
    let refusing = Local::start(|_| (400, json!({ "error": { "message": HOSTILE, "code": HOSTILE } })));
    let refusing = format!("{}/v1", refusing.address);
    let answering = Local::start(|request| {
        let choice = json!({ "index": 0, "message": { "content": HOSTILE }, "finish_reason": HOSTILE });
        match request.line.starts_with("POST") {
            true => (200, json!({ "choices": [choice], "model": HOSTILE })),
            false => (200, json!({ "data": [{ "id": HOSTILE }] })),
        }
    });
    let answering = format!("{}/v1", answering.address);
    let strange = place.path().join(format!("evil{}.json", HOSTILE.replace('/', "")));
    fs::write(&strange, "{").expect("written");
    let strange = strange.to_str().expect("text");
    let model = format!("openai_compat/{HOSTILE}");

    // A log of another tool, which says of its model and tasks what it likes.
    koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1", "--quiet"]);
    let made = koab.json(&["runs", "list"]);
    let log = Path::new(made[0]["folder"].as_str().expect("a folder")).join("L1.json");
    let mut log = crate::support::read_json(&log);
    log["metadata"]["model"] = HOSTILE.into();
    for result in log["results"].as_array_mut().expect("results") {
        result["task_id"] = format!("{}{HOSTILE}", result["task_id"].as_str().expect("an id")).into();
    }
    let imported = place.path().join("L1.json");
    fs::write(&imported, log.to_string()).expect("written");
    let imported = imported.to_str().expect("text");

    let all: &[&[&str]] = &[
        &["pack", "lint", pack],
        &["pack", "import", pack, "--use"],
        &["pack", "list"],
        &["pack", "show"],
        &["pack", "verify"],
        &["pack", "lint"],
        &["pack", "lint", HOSTILE],
        &["run", "--model", "openai_compat/m", "--base-url", &refusing],
        &["run", "--model", &model, "--base-url", &refusing],
        &["run", "--model", "openai_compat/m", "--base-url", &answering],
        &["run", "--model", &model, "--base-url", &answering],
        &["run", "--model", &model, "--base-url", &answering, "--dry-run"],
        &["run", "--resume", "last"],
        &["runs", "list"],
        &["runs", "show", "last"],
        &["runs", "tag", "last", "--tags", HOSTILE, "--note", HOSTILE],
        &["runs", "list"],
        &["runs", "show", HOSTILE],
        &["evaluate", "last", "--no-judge"],
        &["evaluate", HOSTILE, "--no-judge"],
        &["cache", "lookup", "Tool", &json!({ "a": HOSTILE }).to_string()],
        &["cache", "lookup", HOSTILE, HOSTILE],
        &["cache", "misses", "last"],
        &["report", "import", imported, strange],
        &["runs", "list"],
        &["evaluate", "last", "--no-judge"],
        &["report", "list"],
        &["report", "show", HOSTILE],
        &["report", "compare", HOSTILE, HOSTILE],
        &["report", "matrix"],
        &["submit", "verify", strange],
        &["submit", "prepare", "last"],
        &["models", "doctor", &model, "--base-url", &refusing],
        &["judge", "show", "last", HOSTILE],
        &["keys", "set", HOSTILE],
        &["keys", "list"],
        &["egress", "list"],
        &["doctor"],
        &["scenario", "run", strange],
        &["import", HOSTILE],
        &["report", HOSTILE],
        &[HOSTILE],
    ];
    let mut shown = String::new();
    for words in all {
        for more in [&["--quiet"][..], &["--quiet", "--json"], &["--quiet", "--lang", "ko"]] {
            let words = [*words, more].concat();
            let text = on_terminal(&koab, 100, &words);
            let obeyed: Vec<char> = text.chars().filter(|letter| is_obeyed(*letter)).collect();
            assert!(obeyed.is_empty(), "{words:?}: {obeyed:?}\n{}", text.escape_debug());
            shown += &text;
        }
    }
    // The text did come, in both forms: without it nothing would be proved.
    for form in ["x\\u{1b}]52;c;aGk=\\u{7}", "x\\u001b]52;c;aGk=\\u0007"] {
        let times = shown.matches(form).count();
        assert!(times >= 20, "{form}: {times}");
    }
}

#[test]
fn data_goes_into_a_pipe_to_the_byte_and_text_does_not() {
    let koab = Koab::new();
    let place = tempfile::tempdir().expect("a folder");
    koab.ok(&["pack", "import", hostile_pack(place.path()).to_str().expect("text"), "--use"]);
    // The pack has faults, which is said by the exit code as well.
    let json = koab.run(&["pack", "lint", "--json"]);
    assert_eq!(json.code, 1, "{}", json.stderr);
    assert!(json.stdout.contains("\\u001b"), "{}", json.stdout);
    assert!(!json.stdout.contains(is_obeyed), "{}", json.stdout.escape_debug());
    let text = koab.run(&["pack", "lint"]).stdout;
    assert!(text.contains("L1-003"), "{text}");
    assert!(!text.contains(is_obeyed), "{}", text.escape_debug());

    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--quiet"]);
    koab.ok(&["evaluate", "last", "--no-judge"]);
    let id = koab.json(&["report", "list"])[0]["id"].as_str().expect("an id").to_owned();
    let file = fs::read_to_string(koab.path().join("reports").join(&id).join("evaluation_summary.csv"))
        .expect("the summary");
    let piped = koab.ok(&["report", "export", &id, "--format", "csv", "-o", "-"]).stdout;
    assert_eq!(piped.trim_end(), file.trim_end());
}

#[test]
fn tables_fit_the_terminal() {
    if !has_script() {
        skip("tables_fit_the_terminal", "script of util-linux");
        return;
    }
    let koab = Koab::new();
    for model in ["baseline/golden", "baseline/random"] {
        koab.ok(&["run", "--model", model, "--quiet"]);
        koab.ok(&["evaluate", "last", "--no-judge"]);
    }
    let tag = "as long as tags are, so that the table is wider than most terminals";
    let newest = koab.json(&["runs", "list"])[0]["id"].as_str().expect("an id").to_owned();
    koab.ok(&["runs", "tag", &newest, "one", "two", tag]);
    let ids: Vec<String> = koab
        .json(&["report", "list"])
        .as_array()
        .expect("reports")
        .iter()
        .map(|report| report["id"].as_str().expect("an id").to_owned())
        .collect();
    let compare = ["report", "compare", &ids[0], &ids[1]];
    for columns in [80, 100, 120] {
        for words in [&["report", "list"][..], &["runs", "list"], &["doctor"], &compare] {
            for lang in ["en", "ko"] {
                let words = [words, &["--lang", lang]].concat();
                let text = on_terminal(&koab, columns, &words);
                // Sentences between tables are broken by the terminal; cells stand apart by two blanks at least.
                let is_row = |line: &&str| line.trim().contains("  ");
                let wide: Vec<&str> = text
                    .lines()
                    .filter(is_row)
                    .filter(|line| line.trim_end().width() > columns as usize)
                    .collect();
                assert!(wide.is_empty(), "{columns} {words:?}\n{}", wide.join("\n"));
            }
        }
        let text = on_terminal(&koab, columns, &compare);
        assert!(text.contains("left out at this width"), "{columns}\n{text}");
        assert!(text.contains("--wide"), "{text}");
    }
    for words in [&["report", "list", "--wide"][..], &["runs", "list", "--wide"]] {
        let shown = on_terminal(&koab, 80, &[words, &["--quiet"]].concat());
        assert_eq!(shown, koab.ok(&words[..2]).stdout);
    }
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure_and_a_closed_pipe_is_none() {
    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1", "--quiet"]);
    for words in [&["runs", "list"][..], &["runs", "list", "--json"], &["pack", "show"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let Ok(full) = full else {
            skip("a_result_that_cannot_be_written_is_a_failure_and_a_closed_pipe_is_none", "/dev/full");
            return;
        };
        let ended = koab.command(words).stdout(full).output().expect("koab starts");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(said.starts_with("koab: the result could not be written to standard output: "), "{said}");
        let (read, write) = std::io::pipe().expect("a pipe");
        drop(read);
        let ended = koab.command(words).stdout(write).output().expect("koab starts");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), &*said), (Some(0), ""));
    }
}

#[test]
fn words_of_every_command_stand_behind_its_own() {
    let koab = Koab::new();
    for words in [&["evaluate", "--help"][..], &["report", "compare", "--help"], &["run", "--help"]] {
        let help = koab.ok(words).stdout;
        let place = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text}\n{help}"));
        let heading = place("\nOptions of every command:");
        for global in ["--home <DIR>", "--json", "--quiet", "--wide", "--offline", "--lang <LANG>"] {
            assert!(place(&format!("      {global}")) > heading, "{global}\n{help}");
        }
        let help_flag = help.rfind("  -h, --help").expect("a help");
        assert!(help_flag > heading, "{help}");
    }
}

#[test]
fn the_next_command_is_told_on_a_terminal_alone() {
    if !has_script() {
        skip("the_next_command_is_told_on_a_terminal_alone", "script of util-linux");
        return;
    }
    let koab = Koab::new();
    let run = ["run", "--model", "baseline/golden", "--levels", "L1"];
    let last = |text: &str| text.trim_end().lines().last().unwrap_or_default().to_owned();
    assert_eq!(last(&on_terminal(&koab, 100, &run)), "next: koab score last");
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().expect("an id").to_owned();
    let shown = on_terminal(&koab, 200, &["runs", "show", "last"]);
    assert!(shown.contains("not scored yet"), "{shown}");
    assert_eq!(last(&shown), format!("next: koab score {id}"));
    koab.ok(&["score", "last", "--no-judge"]);
    let report = koab.json(&["report", "list"])[0]["id"].as_str().expect("an id").to_owned();
    let shown = on_terminal(&koab, 200, &["show", "last"]);
    assert!(shown.contains(&format!("report {report} · composite score")), "{shown}");
    assert_eq!(last(&shown), format!("next: koab report show {report}"));
    for words in [&["runs", "list", "--json"][..], &["runs", "list", "--quiet"]] {
        assert!(!on_terminal(&koab, 100, words).contains("next:"), "{words:?}");
    }
    let piped = koab.ok(&run);
    assert!(!piped.stderr.contains("next:") && !piped.stdout.contains("next:"), "{}", piped.stderr);
}
