//! Whoever is given a key and quotes it in every spelling, a server in answers, arguments, errors and
//! verdicts, an agent and a scenario in what they write: none is kept, shown or sent anywhere.

use crate::agents::workshop::{own, written};
use crate::scenario_run::benchmark;
use crate::support::Koab;
use crate::support::http::{self, Local, Request, model};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const KEY: &str = "sk-Canary/7+q&Z=1";

/// Thirteen, as an encoder of each kind writes them.
fn spellings() -> Vec<String> {
    let percent = utf8_percent_encode(KEY, NON_ALPHANUMERIC).to_string();
    vec![
        KEY.to_owned(),
        KEY.to_uppercase(),
        KEY.to_lowercase(),
        percent,
        KEY.bytes().map(|byte| format!("%{byte:02x}")).collect(),
        BASE64_STANDARD.encode(KEY),
        BASE64_URL_SAFE_NO_PAD.encode(format!("user:{KEY}:x")),
        BASE64_STANDARD.encode(format!("Bearer {KEY}.")),
        hex::encode(KEY),
        hex::encode_upper(KEY),
        KEY.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect(),
        KEY.chars().map(|letter| format!("&#{};", u32::from(letter))).collect(),
        KEY.chars().rev().collect(),
    ]
}

/// What of a spelling must not be found: of a text that is encoded as a whole the ends may stay,
/// which hold less than a letter of it.
fn cores() -> Vec<String> {
    let clipped = |text: String| text[4..text.len() - 4].to_owned();
    let all = spellings().into_iter().enumerate();
    all.map(|(at, text)| match at {
        6 => text[8..text.len() - 8].to_owned(),
        7 => text[12..text.len() - 8].to_owned(),
        5 => clipped(text),
        _ => text,
    })
    .collect()
}

/// The same in Python, of the variable that it was given.
const SPELLINGS: &str = r#"
import base64, os, sys
def spellings(key):
    plain = key.encode()
    coded = lambda text: base64.b64encode(text.encode()).decode()
    return [key, key.upper(), key.lower(),
        "".join(c if c.isalnum() else "%%%02X" % ord(c) for c in key),
        "".join("%%%02x" % byte for byte in plain),
        coded(key), base64.urlsafe_b64encode(("user:" + key + ":x").encode()).decode().rstrip("="), coded("Bearer " + key + "."),
        plain.hex(), plain.hex().upper(),
        "".join("\\u%04x" % ord(c) for c in key), "".join("&#%d;" % ord(c) for c in key), key[::-1]]
said = " , ".join(spellings(os.environ[NAME]))
print(said)
print(said, file=sys.stderr)
open("notes.txt", "w").write(said)
"#;

/// Fails when a spelling is in one of these texts.
fn nowhere<'a>(texts: impl IntoIterator<Item = (String, &'a [u8])>) {
    let cores = cores();
    for (name, bytes) in texts {
        for (at, core) in cores.iter().enumerate() {
            let is_in = bytes.windows(core.len()).any(|window| window == core.as_bytes());
            assert!(!is_in, "spelling {at} is in {name}: {core}");
        }
    }
}

fn quoting() -> Local {
    let asked = AtomicUsize::new(0);
    let words = spellings().join(" , ");
    Local::start(move |request: &Request| {
        if request.line.starts_with("GET") {
            return http::models(&["m", "judge"]);
        }
        let number = asked.fetch_add(1, Ordering::SeqCst);
        let is_judge = request.body["model"] == "judge";
        let last = request.body["messages"].as_array().and_then(|all| all.last());
        let begins = last.is_some_and(|message| message["role"] == "user");
        let message = match number % 5 {
            _ if is_judge => {
                json!({"content": json!({"success": true, "score": 3, "reason": words}).to_string()})
            }
            4 => {
                return (400, json!({"error": {"message": format!("no: {words}"), "code": words}}));
            }
            _ if begins => {
                http::calls(&format!("Tool {KEY}"), &json!({ "q": words, KEY: [KEY] }).to_string())
            }
            _ => json!({"content": format!("답 {words}")}),
        };
        (200, http::completion(&message))
    })
}

#[test]
fn no_spelling_of_a_key_that_a_server_quotes_is_kept_or_shown() {
    let server = quoting();
    let collector = Local::start(|_| (200, json!({})));
    let koab = Koab::new().with("OPENAI_COMPAT_API_KEY", KEY);
    let url = format!("{}/v1", server.address);
    let at = |name: &str| koab.path().join(name).display().to_string();
    let mut said = String::new();
    let mut ran = |words: &[&str]| {
        let ran = koab.run(words);
        assert!(matches!(ran.code, 0 | 3), "{words:?}: {}{}", ran.stdout, ran.stderr);
        said += &ran.stdout;
        said += &ran.stderr;
    };
    ran(&[
        "run",
        "--model",
        "openai_compat/m",
        "--base-url",
        &url,
        "--levels",
        "L1,L6",
        "--concurrency",
        "1",
        "--evaluate",
        "--judge-models",
        "openai_compat/judge",
        "--judge-base-url",
        &url,
        "--otlp-endpoint",
        &collector.address,
        "--otlp-content",
    ]);
    ran(&["runs", "show", "last"]);
    ran(&["report", "show", "last"]);
    ran(&["report", "atlas", "last"]);
    ran(&["report", "export", "last", "--format", "html", "-o", &at("report.html")]);
    let view = koab.json(&["report", "show", "last"]);
    let run = view["run"].as_str().expect("its run");
    ran(&["submit", "bundle", run, "-o", &at("one.koab")]);
    // What is packed is looked at where it is unpacked.
    let there = Koab::new();
    there.ok(&["report", "import", &at("one.koab")]);
    let asked = server.requests();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert!(
        asked
            .iter()
            .any(|request| request.headers.contains(&header("authorization", &format!("Bearer {KEY}")))),
        "the key was used"
    );
    assert!(asked.iter().any(|request| request.body["model"] == "judge"), "a judge was asked");
    let mut files = Vec::new();
    every_file(koab.path(), &mut files);
    every_file(there.path(), &mut files);
    assert!(files.len() > 5, "something was kept");
    let sent: String = collector.requests().iter().map(|it| it.body.to_string()).collect();
    assert!(sent.contains("resourceSpans"), "spans were sent");
    nowhere([("what is shown".to_owned(), said.as_bytes()), ("spans".to_owned(), sent.as_bytes())]);
    nowhere(files.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice())));
}

#[test]
fn no_spelling_of_a_key_that_an_agent_writes_is_kept_or_shown() {
    let (model, elsewhere) = (model("stop"), tempfile::tempdir().expect("a folder"));
    let koab = Koab::new().with("KOAB_AGENT_OWN_KEY", KEY);
    let script = elsewhere.path().join("agent-of-its-own.py");
    let answer = r#"
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
from agent import solve
E = os.environ
print("===FINAL===\n" + solve(sys.argv[1], E["OWN_ADDRESS"], E["KOAB_MCP_URL"], E["KOAB_TOKEN"]) + " " + said)
"#;
    fs::write(&script, format!("NAME = 'OWN_KEY'\n{SPELLINGS}{answer}")).expect("written");
    let at = format!("{}/v1", model.address);
    let alone = json!({"OWN_ADDRESS": at, "KOAB_MCP_URL": "{mcp}", "KOAB_TOKEN": "{token}"});
    let gateway = json!({"OWN_ADDRESS": "{openai}", "KOAB_MCP_URL": "{mcp}", "KOAB_TOKEN": "{token}"});
    let definition = json!({"name": "quoting", "kind": "command", "env": gateway,
        "command": ["python3", script, "{prompt}", own().parent(), "{model}"],
        "own_model": {"keys": ["OWN_KEY"], "env": alone},
        "answer": {"after": "===FINAL==="}, "failed": {"exit": "nonzero"}});
    let file = written(elsewhere.path(), "quoting", &definition).display().to_string();
    let words = ["run", "--model", "vendor/great-1", "--agent", &file, "--own-model"];
    let ran = koab.run(&[&words[..], &["--protocol=corrected", "--tasks", "L1-001,L3-001"]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let shown = koab.ok(&["runs", "show", "last"]);
    let mut files = Vec::new();
    every_file(koab.path(), &mut files);
    assert!(files.iter().any(|(name, _)| name.ends_with("console.log")), "what it wrote is kept");
    let said = ran.stdout + &ran.stderr + &shown.stdout + &shown.stderr;
    nowhere([("what is shown".to_owned(), said.as_bytes())]);
    nowhere(files.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice())));
}

#[test]
fn no_spelling_of_a_key_that_a_scenario_writes_is_kept_or_shown() {
    let koab = Koab::new().with("TAVILY_API_KEY", KEY);
    let code = format!("NAME = 'TAVILY_API_KEY'\n{SPELLINGS}");
    let tasks = benchmark(&koab, &[("a", &code)]);
    let words = ["scenario", "run", &tasks, "--native", "--yes", "--secret", "TAVILY_API_KEY"];
    let ran = koab.run(&words);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let mut files = Vec::new();
    every_file(koab.path(), &mut files);
    let log = files.iter().find(|(name, _)| name.ends_with("a/0/console_log.txt"));
    let log = String::from_utf8_lossy(&log.expect("a log").1).into_owned();
    assert!(log.contains("[secret]"), "what it wrote is kept: {log}");
    let said = ran.stdout + &ran.stderr;
    nowhere([("what is shown".to_owned(), said.as_bytes())]);
    nowhere(files.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice())));
}

/// A server of tools that quotes it wherever a server may say something.
const SERVER: &str = r#"
import json
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer = {"result": {"content": [{"type": "text", "text": said}], "structuredContent": {said: [said]}}}
    if asked["method"] == "initialize":
        version = asked["params"]["protocolVersion"]
        answer = {"result": {"protocolVersion": version, "capabilities": {"tools": {}},
            "serverInfo": {"name": "quoting", "version": WORDS}, "instructions": WORDS}}
    elif asked["method"] == "tools/list":
        tools = [{"name": name, "description": WORDS, "inputSchema": {"type": "object", "title": WORDS}} for name in ("say", "fail")]
        answer = {"result": {"tools": tools}}
    elif asked["params"]["name"] == "fail":
        answer = {"error": {"code": -32000, "message": said, "data": {"said": said}}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
"#;

#[test]
fn no_spelling_of_a_key_that_a_server_of_tools_says_is_kept_or_shown() {
    let elsewhere = tempfile::tempdir().expect("a folder");
    let script = elsewhere.path().join("server.py");
    let lines = [
        json!({"tool": "say"}),
        json!({"tool": "fail"}),
        json!({"tool": "say", "arguments": {"text": spellings().join(" , ")}}),
    ];
    let calls = elsewhere.path().join("calls.jsonl");
    fs::write(&calls, lines.map(|line| line.to_string()).join("\n")).expect("written");
    let (script_at, calls) = (script.display().to_string(), calls.display().to_string());
    let folder = elsewhere.path().display().to_string();
    // What it says in answers alone, and of itself as well.
    for (words_of_it, more, code, told) in [
        ("'1'", &[][..], 3, "an answer of say was not recorded"),
        ("'1'", &["--mask"], 0, "values were replaced in 3 answers"),
        ("said", &[], 2, "nothing was recorded"),
        ("said", &["--mask"], 0, "values were replaced in 3 answers"),
    ] {
        let begin = "import os, sys\nos.chdir(sys.argv[1])\nNAME = 'KOAB_TEST_CANARY'\n";
        let server = format!("{begin}{SPELLINGS}\nWORDS = {words_of_it}\n{SERVER}");
        fs::write(&script, server).expect("written");
        let koab = Koab::new().with("KOAB_TEST_CANARY", KEY);
        let words = [
            &["pack", "record", "kept", "--env", "KOAB_TEST_CANARY", "--calls", &calls][..],
            more,
            &["--", "python3", &script_at, &folder],
        ];
        let recorded = koab.run(&words.concat());
        let recorded_code = recorded.code;
        let mut said = recorded.stdout + &recorded.stderr;
        assert!(
            recorded_code == code && said.contains(told),
            "{words_of_it} {more:?}: {recorded_code} {said}"
        );
        let archive = elsewhere.path().join("kept.zip").display().to_string();
        let there = Koab::new();
        if koab.run(&["pack", "export", "kept", "-o", &archive]).code == 0 {
            there.ok(&["pack", "import", &archive]);
        }
        let shown = koab.run(&["pack", "show", "kept"]);
        said += &(shown.stdout + &shown.stderr);
        let mut files = Vec::new();
        every_file(koab.path(), &mut files);
        every_file(there.path(), &mut files);
        nowhere([("what is shown".to_owned(), said.as_bytes())]);
        nowhere(files.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice())));
    }
}

/// Names and contents.
fn every_file(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            every_file(&path, files);
        } else {
            files.push((path.display().to_string(), fs::read(&path).expect("a file")));
        }
    }
}
