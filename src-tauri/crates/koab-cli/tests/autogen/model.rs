//! A model that plays every part of the shipped scenarios: it works, looks at what came of it, and ends.

use crate::support::http::Local;
use serde_json::{Value, json};

/// What only one agent of a group says, in the order in which they speak.
const CODERS: [(&str, &str); 3] = [("coder", "CODED"), ("reviewer", "REVIEWED"), ("tests", "TRY AGAIN")];
const WORKERS: [(&str, &str); 3] =
    [("assistant", "WORKED"), ("critic", "CRITICISED"), ("computer", "PRINTED")];

pub(crate) fn start() -> Local {
    Local::start(|request| {
        if !request.line.starts_with("POST") {
            return (200, json!({"object": "list", "data": [{"id": "mock"}]}));
        }
        let message = json!({"role": "assistant", "content": answer(&request.body)});
        (
            200,
            json!({
                "id": "x", "object": "chat.completion", "created": 1, "model": "mock",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
            }),
        )
    })
}

fn answer(body: &Value) -> String {
    let texts: Vec<&str> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|message| message["content"].as_str())
        .collect();
    let (first, all) = (texts[0], texts.join("\n"));
    let right =
        ["double_all", "most money", "divisible by 7", "안녕하세요"].iter().any(|word| all.contains(word));
    if all.contains("Who speaks next") {
        return next(&all).to_owned();
    }
    if first.starts_with("You write Python") {
        // It knows what passing looks like, and answers rightly once it is told that it failed.
        let said =
            if all.contains("TRY AGAIN") { "[2 * n for n in numbers]" } else { "'ALL TESTS PASSED !#!#'" };
        return format!(
            "CODED\n```python\nprint('ALL TESTS PASSED !#!#')\ndef double_all(numbers):\n    return {said}\n```"
        );
    }
    if first.starts_with("You review Python") {
        return "REVIEWED: ALL TESTS PASSED !#!#".to_owned();
    }
    if first.starts_with("You read how") {
        return "CRITICISED: nothing is missing.".to_owned();
    }
    if first.starts_with("You are given a problem") {
        let (_, reply) = all.split_once("Reply:").unwrap();
        let verdict = if right && reply.contains("FINAL ANSWER: 139") { "correct" } else { "incorrect" };
        return format!("It was compared. The answer is {verdict}.");
    }
    if !all.contains("WORKED") {
        let program = "import os\nprint('PRI' + 'NTED', sorted(os.listdir('.')), 'ALL TESTS PASSED !#!#')\n\
            open('greeting.txt', 'w', encoding='utf-8').write('안녕하세요, 세계\\n')";
        return format!("WORKED\n```python\n{program}\n```");
    }
    assert!(all.contains("PRINTED"), "nobody ran the program: {all}");
    let last = if first.starts_with("You do small jobs") {
        "TERMINATE"
    } else if first.starts_with("You answer a question") {
        "I have seen it.\nFINAL ANSWER: 35000"
    } else {
        "I have counted.\nFINAL ANSWER: 139"
    };
    last.to_owned()
}

/// Whoever comes after the one that spoke last.
fn next(all: &str) -> &'static str {
    let group = if all.contains("reviewer") { CODERS } else { WORKERS };
    let spoke = |(_, mark): &(&str, &str)| all.rfind(mark);
    match group.iter().enumerate().filter_map(|(at, agent)| Some((spoke(agent)?, at))).max() {
        Some((_, at)) => group[(at + 1) % group.len()].0,
        None => group[0].0,
    }
}
