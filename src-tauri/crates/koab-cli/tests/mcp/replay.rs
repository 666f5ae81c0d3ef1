//! What was recorded comes back letter for letter, wherever the pack went.

use crate::mcp::{call, calls, can_serve, result_of, server, session, words};
use crate::support::Koab;

/// Calls with all that makes a text another one when it is read and written again: the order of keys, spaces, escapes, numbers.
fn asked() -> Vec<String> {
    vec![
        call(1, "echo", r#"{"text":"한글 \u00e9 \"q\""}"#),
        call(2, "notes", "{}"),
        call(3, "note", r#"{"text":"one"}"#),
        call(4, "notes", "{}"),
        call(5, "note", r#"{"text":"one"}"#),
        call(6, "notes", "{}"),
        call(7, "add", r#"{"a":2000,"b":0.5}"#),
        call(8, "nothing", "{}"),
    ]
}

#[test]
fn a_replay_is_the_server_letter_for_letter_also_after_export_and_import() {
    if !can_serve("a_replay_is_the_server_letter_for_letter_also_after_export_and_import") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let live = session(&koab, &words(&["pack", "record", "kept"], &server), &asked());
    assert_eq!(live.code, 0, "{}", live.stderr);
    assert!(live.stderr.contains("8 tools, 8 calls in 1 sessions"), "{}", live.stderr);
    let archive = koab.path().join("kept.zip");
    let archive = archive.to_str().expect("a path");
    koab.ok(&["pack", "export", "kept", "-o", archive]);
    let elsewhere = Koab::new();
    elsewhere.ok(&["pack", "import", archive]);
    let snapshot = koab.path().join("kept.tar.gz");
    let snapshot = snapshot.to_str().expect("a path");
    koab.ok(&["cache", "snapshot", "create", "s", "--pack", "kept"]);
    koab.ok(&["cache", "snapshot", "pack", "s", "-o", snapshot, "--as", "of-snapshot"]);
    elsewhere.ok(&["pack", "import", snapshot]);
    for (koab, pack) in [(&koab, "kept"), (&elsewhere, "kept"), (&elsewhere, "of-snapshot")] {
        let replayed = session(koab, &["pack", "replay", pack], &asked());
        assert_eq!(replayed.code, 0, "{}", replayed.stderr);
        for id in 1..=8 {
            assert_eq!(result_of(&replayed, id), result_of(&live, id), "{pack} {id}");
        }
    }
    // Spelled otherwise, they are the same calls; another order of keys and another spelling of a number.
    let spelled =
        session(&elsewhere, &["pack", "replay", "kept"], &[call(7, "add", r#"{ "b": 5e-1, "a": 2000.0 }"#)]);
    assert_eq!(result_of(&spelled, 7), result_of(&live, 7));
    // The pack that a workspace uses is still one with tasks.
    let packs = elsewhere.json(&["pack", "list"]);
    let active = packs.as_array().expect("packs").iter().find(|pack| pack["active"] == true);
    assert_eq!(active.expect("one")["name"], "starter");
}

#[test]
fn what_is_not_recorded_is_told_with_the_nearest_call_and_nothing_comes_from_the_future() {
    if !can_serve("what_is_not_recorded_is_told_with_the_nearest_call_and_nothing_comes_from_the_future") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    session(&koab, &words(&["pack", "record", "kept"], &server), &asked());
    let missed = session(&koab, &["pack", "replay", "kept"], &[call(1, "add", r#"{"a":2001,"b":0.5}"#)]);
    let shown = result_of(&missed, 1);
    assert!(shown.contains("no recorded response for add") && shown.contains(r#""isError":true"#), "{shown}");
    assert!(!shown.contains("2000"), "a model is not shown other calls: {shown}");
    assert!(
        missed.stderr.contains(r#"not recorded: add {"a":2001,"b":0.5}; the nearest recorded call is {"a": 2000, "b": 0.5}, another a"#),
        "{}",
        missed.stderr
    );
    let replay = ["pack", "replay", "kept", "--strict-order"];
    let early = session(&koab, &replay, &[call(7, "add", r#"{"a":2000,"b":0.5}"#)]);
    assert!(result_of(&early, 7).contains("no recorded response"), "{}", early.stdout);
    let whole = session(&koab, &replay, &asked());
    assert!(!whole.stdout.contains("no recorded response"), "{}", whole.stdout);
    let none = koab.run(&["pack", "replay", "starter"]);
    assert_eq!(
        none.stderr.trim(),
        "koab: the pack starter was not recorded from a server; record one with `koab pack record`"
    );
}

#[test]
fn a_folder_is_put_back_as_that_of_whoever_replays() {
    if !can_serve("a_folder_is_put_back_as_that_of_whoever_replays") {
        return;
    }
    let koab = Koab::new();
    let (here, there) = (koab.path().join("here"), koab.path().join("there"));
    std::fs::create_dir_all(&here).expect("made");
    std::fs::create_dir_all(&there).expect("made");
    let paths =
        [&here, &there].map(|path| path.canonicalize().expect("there").to_string_lossy().into_owned());
    let server = server("plain");
    let asked = |folder: &str| [call(1, "where", &format!(r#"{{"path":"{folder}/a.txt"}}"#))];
    let record = ["pack", "record", "kept", "--work", &paths[0]];
    let live = session(&koab, &words(&record, &server), &asked(&paths[0]));
    let told = result_of(&live, 1);
    assert!(told.contains(&format!("at {}/a.txt", paths[0])), "{told}");
    // As it was, letter for letter, and as somewhere else.
    let same = session(&koab, &["pack", "replay", "kept"], &asked(&paths[0]));
    assert_eq!(result_of(&same, 1), told);
    let other = session(&koab, &["pack", "replay", "kept", "--work", &paths[1]], &asked(&paths[1]));
    assert_eq!(result_of(&other, 1), told.replace(&paths[0], &paths[1]));
}

#[test]
fn a_recorded_pack_is_a_pack_like_any_other() {
    if !can_serve("a_recorded_pack_is_a_pack_like_any_other") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let file = calls(
        &koab,
        &[
            r#"{"tool":"echo","arguments":{"text":"hi"}}"#,
            r#"{"tool":"now"}"#,
            r#"{"tool":"note","arguments":{"text":"x"}}"#,
            r#"{"tool":"notes"}"#,
        ],
    );
    let record = ["pack", "record", "kept", "--calls", &file, "--twice", "--json", "--quiet"];
    let recorded = koab.ok(&words(&record, &server));
    let recorded: serde_json::Value = serde_json::from_str(&recorded.stdout).expect("one document");
    assert_eq!(recorded["calls"], 8);
    assert_eq!(recorded["unsteady"], serde_json::json!({ "now": "time" }));
    let shown = koab.json(&["pack", "show", "kept"]);
    assert_eq!(shown["summary"]["title"], "Server of the tests 1");
    assert_eq!(shown["summary"]["records"], 4);
    koab.ok(&["pack", "verify", "kept"]);
    koab.ok(&["pack", "use", "kept"]);
    let found = koab.json(&["cache", "lookup", "echo", r#"{"text":"hi"}"#]);
    assert_eq!(found["result"]["content"][0]["text"], "hi");
    // Tasks are written on top of it as on top of any pack, and the answers stay.
    koab.ok(&["pack", "use", "starter"]);
    koab.ok(&["pack", "draft", "kept", "--from", "kept"]);
    // Recorded again, it gets its next version; the one before stays.
    let again = koab.ok(&words(&record, &server));
    assert!(again.stdout.contains("kept@2+"), "{}", again.stdout);
    koab.ok(&["pack", "show", "kept@1"]);
    let refused = koab.run(&words(&["pack", "record", "starter", "--calls", &file], &server));
    assert!(refused.stderr.contains("the installed pack starter was not made here"), "{}", refused.stderr);
}

/// Sessions become tasks, their calls the golden path, and a model runs on them.
#[test]
fn a_model_is_run_on_a_recorded_pack() {
    if !can_serve("a_model_is_run_on_a_recorded_pack") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let file = calls(
        &koab,
        &[
            r#"{"tool":"add","arguments":{"a":2,"b":3}}"#,
            r#"{"tool":"echo","arguments":{"text":"5"}}"#,
            r#"{"tool":"nothing"}"#,
        ],
    );
    koab.ok(&words(&["pack", "record", "kept", "--calls", &file], &server));
    let empty = koab.run(&["run", "--pack", "kept", "--model", "baseline/golden"]);
    assert_ne!(empty.code, 0, "a pack without tasks is no run");
    let instructions = koab.path().join("instructions.txt");
    std::fs::write(&instructions, "Add 2 and 3 and say the sum.\n").expect("written");
    let instructions = instructions.to_str().expect("a path");
    let other = koab.run(&["pack", "draft", "kept", "--from", "starter", "--tasks-from", instructions]);
    assert!(other.stderr.contains("was not recorded from a server"), "{}", other.stderr);
    let drafted = koab.ok(&["pack", "draft", "kept", "--from", "kept", "--tasks-from", instructions]);
    assert!(drafted.stdout.contains("a draft with 1 tasks and 8 tools"), "{}", drafted.stdout);
    let saved = koab.ok(&["pack", "save", "kept"]);
    assert!(saved.stdout.contains("kept@2+"), "{}", saved.stdout);
    let lint = koab.run(&["pack", "lint", "kept"]).stdout;
    assert!(lint.contains("2 of 2 calls of the golden paths are cached"), "{lint}");
    let run = koab.json(&["run", "--pack", "kept", "--model", "baseline/golden"]);
    assert_eq!(run["run"]["cache"]["hit"], 2, "{run}");
    assert_eq!(run["run"]["cache"]["miss"], 0, "{run}");
    // The version with tasks is still the server.
    let replayed = session(&koab, &["pack", "replay", "kept"], &[call(1, "add", r#"{"a":2,"b":3}"#)]);
    assert!(result_of(&replayed, 1).contains(r#""total": 5"#), "{}", replayed.stdout);
}

/// What is not the same twice is named with the rule under which that does not matter, and drift holds to it.
#[test]
fn each_tool_that_is_not_steady_is_named_with_its_rule() {
    if !can_serve("each_tool_that_is_not_steady_is_named_with_its_rule") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let lines = [r#"{"tool":"now"}"#, r#"{"tool":"ticket"}"#, r#"{"tool":"echo","arguments":{"text":"x"}}"#];
    let file = calls(&koab, &lines);
    let told = koab.ok(&words(&["pack", "record", "kept", "--calls", &file, "--twice"], &server));
    let lines: Vec<&str> = told.stdout.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "now: its answers hold the time; drift counts times as the same",
            "ticket: its answers hold ids or times; drift counts both as the same",
        ]
    );
    let drift = koab.run(&words(&["cache", "drift", "kept"], &server));
    assert_eq!(drift.code, 0, "{}", drift.stdout);
    // A tool that counts has an answer for each turn.
    let counts =
        calls(&koab, &[r#"{"tool":"note","arguments":{"text":"x"}}"#, r#"{"tool":"count","arguments":{}}"#]);
    let told = koab.ok(&words(&["pack", "record", "counts", "--calls", &counts, "--twice"], &server));
    assert_eq!(
        told.stdout.lines().nth(1),
        Some("count: the second answer was different; a replay gives the answers in their order")
    );
    let asked = [call(1, "count", "{}"), call(2, "count", "{}"), call(3, "count", "{}")];
    let replayed = session(&koab, &["pack", "replay", "counts"], &asked);
    let texts = [1, 2, 3].map(|id| result_of(&replayed, id));
    assert_ne!(texts[0], texts[1], "the second turn has an answer of its own");
    assert_eq!(texts[1], texts[2], "and it is the last one for ever");
}

#[test]
fn a_live_replay_asks_the_server_once_for_what_is_not_recorded() {
    if !can_serve("a_live_replay_asks_the_server_once_for_what_is_not_recorded") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    session(&koab, &words(&["pack", "record", "kept"], &server), &asked());
    let live = ["pack", "replay", "kept", "--live"];
    let lines = [
        call(1, "notes", "{}"),
        call(2, "echo", r#"{"text":"새 글"}"#),
        call(3, "notes", "{}"),
        call(4, "add", r#"{"a":1,"b":2}"#),
        call(5, "nothing", "{}"),
    ];
    let first = session(&koab, &words(&live, &server), &lines);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(!first.stderr.contains("not recorded"), "{}", first.stderr);
    // What is recorded is not asked for: the server has no notes, the recording has one by then.
    assert!(result_of(&first, 3).contains("one"), "{}", first.stdout);
    // As the server writes it.
    assert!(
        result_of(&first, 2).contains(r#""text": "\uc0c8 \uae00""#) && result_of(&first, 4).contains("3"),
        "{}",
        first.stdout
    );
    // A tool that the server did not have is no miss.
    let recorded = session(&koab, &["pack", "replay", "kept"], &lines);
    assert_eq!(result_of(&first, 5), result_of(&recorded, 5));
    for id in [2, 4] {
        let missed = result_of(&recorded, id);
        assert!(missed.contains("no recorded response"), "only --live answers it: {missed}");
    }
    // The second time the answers come from beside the pack; the server is not there, and is needed for another call only.
    let gone = ["koab-no-such-program".to_owned()];
    let lines = [&lines[..], &[call(6, "echo", r#"{"text":"third"}"#)]].concat();
    let second = session(&koab, &words(&live, &gone), &lines);
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    for id in [2, 4] {
        assert_eq!(value(&result_of(&second, id)), value(&result_of(&first, id)), "{id}");
    }
    assert!(result_of(&second, 6).contains("no recorded response"), "{}", second.stdout);
    assert!(
        second.stderr.contains("there is no program koab-no-such-program")
            && second.stderr.contains(r#"not recorded: echo {"text":"third"}"#),
        "{}",
        second.stderr
    );
    // As for any pack: a snapshot of now has them.
    koab.ok(&["cache", "snapshot", "create", "with-live", "--pack", "kept"]);
    let shown = koab.json(&["cache", "snapshot", "show", "with-live"]);
    let of_tool = |tool: &str| {
        let tools = shown["tools"].as_array().into_iter().flatten();
        tools.filter(|one| one["tool"] == tool).map(|one| one["added"].clone()).collect::<Vec<_>>()
    };
    assert_eq!((of_tool("echo"), of_tool("add")), (vec![1.into()], vec![1.into()]), "{shown}");
}

#[test]
fn a_replay_starts_a_server_only_with_live_and_only_online() {
    if !can_serve("a_replay_starts_a_server_only_with_live_and_only_online") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    session(&koab, &words(&["pack", "record", "kept"], &server), &asked());
    let refused = |words: &[&str]| {
        let ran = koab.run(words);
        assert_eq!(ran.stdout, "");
        (ran.code, ran.stderr.trim().to_owned())
    };
    let replay = ["pack", "replay", "kept"];
    assert_eq!(
        refused(&words(&replay, &server)),
        (
            2,
            "koab: a replay calls no server; add --live to send calls that are not recorded to this one"
                .to_owned()
        )
    );
    let (code, why) = refused(&[&replay[..], &["--live"]].concat());
    assert!(code == 2 && why.contains("name the server"), "{code} {why}");
    let offline = [&["--offline"][..], &replay, &["--live"]].concat();
    let (code, why) = refused(&words(&offline, &server));
    assert!(code != 0 && why.contains("koab is offline"), "{code} {why}");
    let (code, _) = refused(&words(&[&replay[..], &["--live", "--strict-order"]].concat(), &server));
    assert_eq!(code, 2);
}
