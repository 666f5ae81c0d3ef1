//! A server that quotes its key in every spelling, in answers, arguments, errors and verdicts: none
//! is kept or shown anywhere.

use crate::support::Koab;
use crate::support::http::{self, Local, Request};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const KEY: &str = "sk-Canary/7+q&Z=1";

/// Twelve, as an encoder of each kind writes them.
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
        KEY.chars()
            .map(|letter| format!("\\u{:04x}", u32::from(letter)))
            .collect(),
        KEY.chars()
            .map(|letter| format!("&#{};", u32::from(letter)))
            .collect(),
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
                return (
                    400,
                    json!({"error": {"message": format!("no: {words}"), "code": words}}),
                );
            }
            _ if begins => http::calls(
                &format!("Tool {KEY}"),
                &json!({ "q": words, KEY: [KEY] }).to_string(),
            ),
            _ => json!({"content": format!("답 {words}")}),
        };
        (200, http::completion(&message))
    })
}

#[test]
fn no_spelling_of_a_key_that_a_server_quotes_is_kept_or_shown() {
    let server = quoting();
    let koab = Koab::new().with("OPENAI_COMPAT_API_KEY", KEY);
    let url = format!("{}/v1", server.address);
    let at = |name: &str| koab.path().join(name).display().to_string();
    let mut said = String::new();
    let mut ran = |words: &[&str]| {
        let ran = koab.run(words);
        assert!(
            matches!(ran.code, 0 | 3),
            "{words:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
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
    ]);
    ran(&["runs", "show", "last"]);
    ran(&["report", "show", "last"]);
    ran(&["report", "atlas", "last"]);
    ran(&[
        "report",
        "export",
        "last",
        "--format",
        "html",
        "-o",
        &at("report.html"),
    ]);
    let view = koab.json(&["report", "show", "last"]);
    let run = view["run"].as_str().expect("its run");
    ran(&["submit", "bundle", run, "-o", &at("one.koab")]);
    // What is packed is looked at where it is unpacked.
    let there = Koab::new();
    there.ok(&["report", "import", &at("one.koab")]);
    let asked = server.requests();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert!(
        asked.iter().any(|request| request
            .headers
            .contains(&header("authorization", &format!("Bearer {KEY}")))),
        "the key was used"
    );
    assert!(
        asked.iter().any(|request| request.body["model"] == "judge"),
        "a judge was asked"
    );
    let mut files = Vec::new();
    every_file(koab.path(), &mut files);
    every_file(there.path(), &mut files);
    assert!(files.len() > 5, "something was kept");
    for (at, core) in cores().iter().enumerate() {
        assert!(!said.contains(core), "spelling {at} is shown: {core}");
        for (name, bytes) in &files {
            let is_in = bytes.windows(core.len()).any(|window| window == core.as_bytes());
            assert!(!is_in, "spelling {at} is in {name}: {core}");
        }
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
