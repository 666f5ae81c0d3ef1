use super::{LONGEST_ANSWER, Session, allowing, said_no};
use crate::process::Output;
use crate::tests::refused;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, DuplexStream};

/// A session whose program is the test: what it is sent, and where the program's output goes.
fn session() -> (Session, BufReader<DuplexStream>, Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Output::into_file(&folder.path().join("console.log"), &[]).expect("a file");
    let (output, lines) = output.by_lines();
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let session = Session {
        stdin: Some(Box::pin(ours)),
        lines,
        last: 0,
        session: None,
        said: String::new(),
        is_cut: false,
    };
    (session, BufReader::new(theirs), output, folder)
}

fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

fn chunk(text: &str) -> Value {
    let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"update": update}})
}

fn tool_call() -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"update": {"sessionUpdate": "tool_call"}}})
}

fn result(id: u64, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// Has a question answered by these messages. Gives what came of it, what was said, and what the program was sent.
async fn asked(messages: &[Value]) -> (Result<Value, koab_core::sentence::Sentence>, String, Vec<Value>) {
    let (mut session, mut sent, output, _folder) = session();
    for message in messages {
        output.take(&line(message), true).await;
    }
    drop(output);
    let answer = session.ask("session/prompt", json!({"a": 1})).await;
    let said = std::mem::take(&mut session.said);
    drop(session);
    let (mut lines, mut text) = (Vec::new(), String::new());
    while sent.read_line(&mut text).await.expect("what was sent") > 0 {
        lines.push(serde_json::from_str(&text).expect("JSON a line"));
        text.clear();
    }
    (answer, said, lines)
}

#[tokio::test]
async fn a_question_is_a_message_with_the_next_number() {
    let (answer, _, sent) = asked(&[result(1, json!({"ok": true}))]).await;
    assert_eq!(answer.expect("an answer"), json!({"ok": true}));
    let question = json!({"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"a": 1}});
    assert_eq!(sent, [question]);
}

#[tokio::test]
async fn answers_to_other_questions_and_noise_are_passed_over() {
    let (answer, said, sent) = asked(&[
        json!("a greeting"),
        result(7, json!("another's")),
        json!({"jsonrpc": "2.0", "id": "1", "result": "a text is no number"}),
        json!({"jsonrpc": "2.0", "id": null, "error": {"message": "nobody's"}}),
        json!({"jsonrpc": "2.0", "method": "session/update", "params": {"update": {"sessionUpdate": "plan"}}}),
        json!({"jsonrpc": "2.0", "method": "$/notice"}),
        result(1, json!("ours")),
    ])
    .await;
    assert_eq!(answer.expect("an answer"), "ours");
    assert_eq!((said.as_str(), sent.len()), ("", 1));
}

/// An agent's question may have the number of ours: what has a method is no answer.
#[tokio::test]
async fn a_question_of_the_agent_with_our_number_is_answered_with_its_own_id() {
    for id in [json!(1), json!("req-1"), json!(1.5)] {
        let (answer, _, sent) = asked(&[
            json!({"jsonrpc": "2.0", "id": id, "method": "fs/read_text_file", "params": {"path": "/etc/passwd"}}),
            result(1, json!("ours")),
        ])
        .await;
        assert_eq!(answer.expect("an answer"), "ours");
        let error = json!({"code": -32601, "message": "there is no method fs/read_text_file here"});
        assert_eq!(sent[1], json!({"jsonrpc": "2.0", "id": id, "error": error}));
    }
}

#[tokio::test]
async fn a_call_of_a_tool_is_allowed_once_where_that_is_offered() {
    let option = |kind: &str| json!({"optionId": format!("o-{kind}"), "kind": kind, "name": "x"});
    for (options, outcome) in [
        (
            json!([option("reject_once"), option("allow_always"), option("allow_once")]),
            json!({"outcome": "selected", "optionId": "o-allow_once"}),
        ),
        (
            json!([option("reject_always"), option("allow_always")]),
            json!({"outcome": "selected", "optionId": "o-allow_always"}),
        ),
        (json!([option("reject_once")]), json!({"outcome": "cancelled"})),
        (json!([]), json!({"outcome": "cancelled"})),
        (Value::Null, json!({"outcome": "cancelled"})),
    ] {
        assert_eq!(allowing(&options).is_some(), outcome["outcome"] == "selected");
        let params = json!({"options": options});
        let (answer, _, sent) = asked(&[
            json!({"jsonrpc": "2.0", "id": "p-1", "method": "session/request_permission", "params": params}),
            result(1, Value::Null),
        ])
        .await;
        answer.expect("an answer");
        assert_eq!(sent[1], json!({"jsonrpc": "2.0", "id": "p-1", "result": {"outcome": outcome}}));
    }
}

#[tokio::test]
async fn the_answer_is_what_was_said_behind_the_last_tool_call() {
    for (messages, said) in [
        (vec![chunk("forty-"), chunk("two")], "forty-two"),
        (vec![chunk("I look it up"), tool_call(), chunk("42")], "42"),
        (vec![chunk("42"), tool_call()], ""),
        (vec![tool_call(), chunk("a"), tool_call(), chunk("b"), chunk("c")], "bc"),
        (
            vec![
                json!({"method": "session/update", "params": {"update": {"sessionUpdate": "agent_thought_chunk",
            "content": {"text": "hm"}}}}),
                chunk("42"),
            ],
            "42",
        ),
    ] {
        let all = [messages, vec![result(1, Value::Null)]].concat();
        assert_eq!(asked(&all).await.1, said);
    }
}

#[tokio::test]
async fn a_part_of_an_answer_without_end_is_no_answer() {
    let (mut session, _sent, _output, _folder) = session();
    session.said = "x".repeat(LONGEST_ANSWER - 4);
    session.hear(&chunk("가y")).await.expect("heard");
    refused(session.hear(&chunk("z")).await, "its answer is longer than the limit of 16 MiB");
}

#[tokio::test]
async fn what_is_refused_or_cut_off_says_at_which_question() {
    let (answer, ..) = asked(&[json!({"id": 1, "error": {"code": 1, "message": "no \u{1b}[31mkey"}})]).await;
    refused(answer, "it refused session/prompt: no key");
    let (answer, ..) = asked(&[json!({"id": 1, "error": "text"})]).await;
    refused(answer, "it refused session/prompt: no reason");
    let (answer, ..) = asked(&[chunk("almost")]).await;
    refused(answer, "it ended before it answered session/prompt");
    let long = "m".repeat(600);
    let why = said_no("x", &json!({"message": long})).to_string();
    assert_eq!(why, format!("it refused x: {}", "m".repeat(500)));
}

#[tokio::test]
async fn a_session_is_cancelled_by_a_message_without_an_id() {
    let (mut session, mut sent, _output, _folder) = session();
    session.session = Some("s-1".to_owned());
    session.cancel().await.expect("written");
    let mut text = String::new();
    sent.read_line(&mut text).await.expect("a line");
    let message: Value = serde_json::from_str(&text).expect("JSON");
    let wanted = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s-1"}});
    assert_eq!(message, wanted);
}

#[tokio::test]
async fn a_program_that_does_not_listen_any_more_is_told() {
    let (mut session, sent, _output, _folder) = session();
    drop(sent);
    refused(session.ask("initialize", json!({})).await, "it does not read its input any more");
    session.stdin = None;
    refused(session.ask("initialize", json!({})).await, "it does not read its input any more");
    session.cancel().await.expect("a session that was never opened needs no cancelling");
    session.session = Some("s".to_owned());
    refused(session.cancel().await, "it does not read its input any more");
}

proptest! {
    #![proptest_config(koab_draws::config(64))]

    /// Wherever the bytes of a program are cut, the same is heard and answered.
    #[test]
    fn any_cut_of_the_bytes_gives_the_same_answer(
        cuts in proptest::collection::vec(1..40_usize, 1..60),
        texts in proptest::collection::vec("[a가\"\\\\ {}]{0,6}", 0..6),
        ends in prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n"), Just("\nWarning: {\n")],
    ) {
        let mut bytes = b"starting up...\n".to_vec();
        let permission = json!({"id": 9, "method": "session/request_permission", "params": {}});
        for message in texts.iter().map(|text| chunk(text)).chain([permission, result(1, json!({"stopReason": "end_turn"}))]) {
            bytes.extend(format!("{message}{ends}").into_bytes());
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (answer, said) = runtime.block_on(async {
            let (mut session, _sent, output, _folder) = session();
            let program = async move {
                let (mut rest, mut sizes) = (&bytes[..], cuts.iter().cycle());
                while !rest.is_empty() {
                    let size = rest.len().min(*sizes.next().expect("a cycle"));
                    output.take(&rest[..size], true).await;
                    rest = &rest[size..];
                }
            };
            let (answer, ()) = tokio::join!(session.ask("session/prompt", Value::Null), program);
            (answer, std::mem::take(&mut session.said))
        });
        prop_assert_eq!(answer.expect("an answer"), json!({"stopReason": "end_turn"}));
        prop_assert_eq!(said, texts.concat());
    }
}
