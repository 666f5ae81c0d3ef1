//! What a server is given does not come out of it into a pack.

use crate::mcp::{call, calls, can_serve, ran, result_of, server, session_with, words};
use crate::support::Koab;
use crate::support::http::{Local, Request};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const CANARY: &str = "canary-9f8e/7d+6c=5b4a";
const OTHER: &str = "unrelated-1a2b3c4d5e6f";

/// Every spelling of the canary in all that a workspace holds, unpacked.
fn found_in(folder: &Path, archive: &str) -> String {
    let script = r#"
import base64, os, sys, urllib.parse, zipfile, json
folder, archive, secret = sys.argv[1:4]
spellings = {secret, urllib.parse.quote(secret, safe=""), base64.b64encode(secret.encode()).decode().rstrip("=")[:-1], json.dumps(secret)[1:-1]}
texts = {}
for root, _, names in os.walk(folder):
    for name in names:
        with open(os.path.join(root, name), "rb") as file:
            texts[os.path.join(root, name)] = file.read()
with zipfile.ZipFile(archive) as pack:
    for name in pack.namelist():
        texts[archive + ":" + name] = pack.read(name)
print([(place, spelling) for place, text in texts.items() for spelling in spellings if spelling.encode() in text])
"#;
    let folder = folder.to_string_lossy();
    let ran = Command::new("python3").args(["-c", script, &folder, archive, CANARY]).output();
    String::from_utf8(ran.expect("python3 runs").stdout).expect("text").trim().to_owned()
}

fn asked() -> Vec<String> {
    let encoded = CANARY.replace('/', "%2F").replace('+', "%2B").replace('=', "%3D");
    vec![
        call(1, "environment", "{}"),
        call(2, "echo", &format!(r#"{{"text":"{CANARY}"}}"#)),
        call(3, "echo", &format!(r#"{{"text":"https://x/?key={encoded}"}}"#)),
        call(4, "echo", r#"{"text":"nothing"}"#),
        call(5, &format!("no-{CANARY}"), "{}"),
    ]
}

#[test]
fn no_canary_is_in_a_pack_and_each_answer_that_was_left_out_is_told() {
    if !can_serve("no_canary_is_in_a_pack_and_each_answer_that_was_left_out_is_told") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let record = ["pack", "record", "kept", "--env", "KOAB_TEST_CANARY"];
    let variables = [("KOAB_TEST_CANARY", CANARY), ("KOAB_TEST_OTHER", OTHER)];
    let mut command = words(&record, &server);
    let token = format!("--token={CANARY}");
    command.push(&token);
    let live = session_with(&koab, &command, &asked(), &variables);
    // The client sees what the server said; a variable that was not named is not even given.
    assert!(result_of(&live, 1).contains(CANARY));
    assert!(!live.stdout.contains(OTHER));
    assert_eq!(live.code, 3, "{}", live.stderr);
    assert!(live.stderr.contains("8 tools, 1 calls in 1 sessions"), "{}", live.stderr);
    for told in [
        "an answer of environment was not recorded: it contains a value that the server was given, at result.content[0].text",
        "an answer of echo was not recorded: it contains a value that the server was given, at arguments.text",
    ] {
        assert!(live.stderr.contains(told), "{}", live.stderr);
    }
    assert!(!live.stderr.contains(CANARY), "{}", live.stderr);
    let archive = koab.path().join("kept.zip");
    let archive = archive.to_str().expect("a path");
    koab.ok(&["pack", "export", "kept", "-o", archive]);
    assert_eq!(found_in(koab.path(), archive), "[]");
    let shown = koab.ok(&["pack", "show", "kept"]).stdout;
    assert!(shown.contains("--token=••••"), "{shown}");
}

#[test]
fn masked_answers_are_kept_without_the_value_and_say_so() {
    if !can_serve("masked_answers_are_kept_without_the_value_and_say_so") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let record = ["pack", "record", "kept", "--mask", "--env", "KOAB_TEST_CANARY"];
    let variables = [("KOAB_TEST_CANARY", CANARY)];
    let asked = &asked()[..4];
    let live = session_with(&koab, &words(&record, &server), asked, &variables);
    assert_eq!(live.code, 0, "{}", live.stderr);
    assert!(live.stderr.contains("values were replaced in 3 answers"), "{}", live.stderr);
    let archive = koab.path().join("kept.zip");
    let archive = archive.to_str().expect("a path");
    koab.ok(&["pack", "export", "kept", "-o", archive]);
    assert_eq!(found_in(koab.path(), archive), "[]");
    let replayed = session_with(&koab, &["pack", "replay", "kept"], asked, &[]);
    let environment = result_of(&replayed, 1);
    assert!(environment.contains("KOAB_TEST_CANARY") && environment.contains("••••"), "{environment}");
    assert_eq!(result_of(&replayed, 4), result_of(&live, 4));
}

#[test]
fn a_live_replay_keeps_no_answer_that_holds_what_the_server_was_given() {
    if !can_serve("a_live_replay_keeps_no_answer_that_holds_what_the_server_was_given") {
        return;
    }
    let koab = Koab::new();
    let server = server("plain");
    let recorded = [call(1, "notes", "{}")];
    session_with(&koab, &words(&["pack", "record", "kept"], &server), &recorded, &[]);
    let replay = ["pack", "replay", "kept", "--live", "--env", "KOAB_TEST_CANARY"];
    let variables = [("KOAB_TEST_CANARY", CANARY)];
    let lines = &asked()[..4];
    let live = session_with(&koab, &words(&replay, &server), lines, &variables);
    assert_eq!(live.code, 0, "{}", live.stderr);
    // Whoever asks sees what the server said.
    assert!(result_of(&live, 1).contains(CANARY) && result_of(&live, 2).contains(CANARY));
    for tool in ["environment", "echo"] {
        let told = format!("an answer of {tool} was not kept: it contains a value that the server was given");
        assert!(live.stderr.contains(&told), "{}", live.stderr);
    }
    assert!(!live.stderr.contains(CANARY), "{}", live.stderr);
    let gone = ["koab-no-such-program".to_owned()];
    let again = session_with(&koab, &words(&replay, &gone), lines, &variables);
    for id in 1..=3 {
        assert!(result_of(&again, id).contains("no recorded response"), "{}", again.stdout);
    }
    assert!(result_of(&again, 4).contains("nothing"), "{}", again.stdout);
    let archive = koab.path().join("kept.zip");
    let archive = archive.to_str().expect("a path");
    koab.ok(&["pack", "export", "kept", "-o", archive]);
    assert_eq!(found_in(koab.path(), archive), "[]");
}

/// A server at an address, which answers one tool with what it was asked and another with all headers that it was sent.
fn listening() -> Local {
    Local::start(|request: &Request| {
        let (method, id) = (&request.body["method"], &request.body["id"]);
        let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
        let tool = |name: &str| json!({ "name": name, "inputSchema": schema });
        let text = |text: String| json!({ "content": [{ "type": "text", "text": text }] });
        let result = match method.as_str() {
            Some("initialize") => json!({
                "protocolVersion": request.body["params"]["protocolVersion"], "capabilities": { "tools": {} },
                "serverInfo": { "name": "at an address", "version": "1" },
            }),
            Some("tools/list") => json!({ "tools": [tool("say"), tool("headers")] }),
            Some("tools/call") if request.body["params"]["name"] == "say" => {
                text(request.body["params"]["arguments"]["text"].to_string())
            }
            Some("tools/call") => text(format!("{:?}", request.headers)),
            _ if id.is_null() => return (202, Value::Null),
            _ => {
                let error = json!({ "code": -32601, "message": "no such method" });
                return (200, json!({ "jsonrpc": "2.0", "id": id, "error": error }));
            }
        };
        (200, json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    })
}

#[test]
fn a_header_is_sent_with_each_request_and_its_value_is_nowhere_in_the_pack() {
    if !can_serve("a_header_is_sent_with_each_request_and_its_value_is_nowhere_in_the_pack") {
        return;
    }
    // A whole header, and a value alone.
    for (given, name, sent) in [
        (format!("X-Key: {CANARY}"), "x-key", CANARY.to_owned()),
        (CANARY.to_owned(), "authorization", format!("Bearer {CANARY}")),
    ] {
        let (koab, server) = (Koab::new(), listening());
        let lines = [r#"{"tool":"say","arguments":{"text":"hi"}}"#, r#"{"tool":"headers"}"#];
        let (file, url) = (calls(&koab, &lines), format!("{}/mcp", server.address));
        let record = ["pack", "record", "kept", "--calls", &file, "--url", &url];
        let mut command = koab.command(&[&record[..], &["--header-env", "KOAB_TEST_HEADER"]].concat());
        let recorded = ran(command.env("KOAB_TEST_HEADER", &given).output().expect("koab starts"));
        assert_eq!(recorded.code, 3, "{}", recorded.stderr);
        let said = format!("{}{}", recorded.stdout, recorded.stderr);
        assert!(
            said.contains("2 tools, 1 calls in 1 sessions")
                && said.contains("an answer of headers was not recorded"),
            "{said}"
        );
        assert!(!said.contains(CANARY), "{said}");
        let requests = server.requests();
        assert!(requests.len() >= 4, "{requests:?}");
        for request in &requests {
            let header = request.headers.iter().find(|(of, _)| of == name);
            assert_eq!(header.map(|(_, value)| value), Some(&sent), "{request:?}");
        }
        let archive = koab.path().join("kept.zip");
        let archive = archive.to_str().expect("a path");
        koab.ok(&["pack", "export", "kept", "-o", archive]);
        assert_eq!(found_in(koab.path(), archive), "[]", "{name}");
    }
    let (koab, url) = (Koab::new(), format!("{}/mcp", listening().address));
    let file = calls(&koab, &[r#"{"tool":"say"}"#]);
    let record = ["pack", "record", "kept", "--calls", &file, "--url", &url];
    let unset = koab.run(&[&record[..], &["--header-env", "KOAB_TEST_NOT_SET"]].concat());
    assert_eq!(
        unset.stderr.trim(),
        "koab: the environment variable KOAB_TEST_NOT_SET is not set; set it, or leave it out"
    );
}

#[test]
fn a_variable_that_is_not_set_and_the_offline_switch_refuse_a_recorder() {
    let koab = Koab::new();
    let server = server("plain");
    let record = ["pack", "record", "kept", "--env", "KOAB_TEST_NOT_SET"];
    let unset = koab.run(&words(&record, &server));
    assert_eq!(
        unset.stderr.trim(),
        "koab: the environment variable KOAB_TEST_NOT_SET is not set; set it, or leave it out"
    );
    let offline = koab.run(&words(&["--offline", "pack", "record", "kept"], &server));
    assert_eq!(
        offline.stderr.trim(),
        "koab: the service behind the tool needs python3, but koab is offline; leave out --offline to allow the request"
    );
}
