//! Programs that speak the Agent Client Protocol, and people who carry prompts.

use super::desk::{Desk, PROMPT, Person, program};
use koab_core::run_record::StopReason;
use koab_core::say;
use koab_engine::ports::ByHand;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A program that answers each message with lines of its own; `$line` is what it was sent.
fn speaks(answers: &str) -> Desk {
    let script =
        format!("while read -r line; do echo \"$line\" >> heard; case \"$line\" in {answers} esac; done");
    Desk::new(program(&["sh", "-c", &script], &json!({"kind": "acp", "answer": null})))
}

const INITIALIZED: &str =
    r#"*'"initialize"'*) echo 'Welcome!'; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}';;"#;
const OPENED: &str = r#"*session/new*) echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s-1"}}';;"#;
const SAID: &str = r#"*session/prompt*) echo '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"forty-two"}}}}'; echo '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}';;"#;

#[tokio::test]
async fn a_session_has_three_questions_and_the_tools_of_the_attempt() {
    let desk = speaks(&[INITIALIZED, OPENED, SAID].concat());
    let ended = desk.attempt().await.expect("a record");
    assert_eq!((ended.answer.as_deref(), ended.failed), (Some("forty-two"), None));
    let heard = desk.file("work/heard");
    let heard: Vec<Value> = heard.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let methods: Vec<&str> = heard.iter().filter_map(|message| message["method"].as_str()).collect();
    assert_eq!(methods, ["initialize", "session/new", "session/prompt"]);
    assert_eq!(heard[0]["params"]["protocolVersion"], 1);
    assert_eq!(heard[0]["params"]["clientCapabilities"]["terminal"], false);
    let server = &heard[1]["params"]["mcpServers"][0];
    assert_eq!((&server["type"], &server["name"]), (&"http".into(), &"koab".into()));
    let token = server["headers"][0]["value"].as_str().expect("a header");
    assert!(token.starts_with("Bearer sk-koab-"), "{token}");
    assert!(heard[1]["params"]["cwd"].as_str().is_some_and(|cwd| cwd.ends_with("L1-001/1/work")));
    assert_eq!(heard[2]["params"]["sessionId"], "s-1");
    assert_eq!(heard[2]["params"]["prompt"], json!([{"type": "text", "text": PROMPT}]));
}

#[tokio::test]
async fn a_session_that_fails_says_at_which_question() {
    let refused = r#"*'"initialize"'*) echo '{"id":1,"error":{"code":-32000,"message":"log in first"}}';;"#;
    let silent = r#"*session/new*) echo '{"id":2,"result":{}}';;"#;
    let ends = "*session/new*) exit 0;;";
    let stopped = r#"*session/prompt*) echo '{"id":3,"result":{"stopReason":"refusal"}}';;"#;
    let no_reason = r#"*session/prompt*) echo '{"id":3,"result":{}}';;"#;
    for (answers, why) in [
        (vec![refused], "it refused initialize: log in first"),
        (vec![INITIALIZED, silent], "it opened no session"),
        (vec![INITIALIZED, ends], "it ended before it answered session/new"),
        (vec![INITIALIZED, OPENED, stopped], "it stopped for the reason refusal"),
        (vec![INITIALIZED, OPENED, no_reason], "it gave no reason for its end"),
    ] {
        let ended = speaks(&answers.concat()).attempt().await.expect("a record");
        assert_eq!((ended.failed.as_deref(), ended.answer), (Some(why), None));
    }
}

#[tokio::test]
async fn a_session_that_hangs_ends_with_its_attempt() {
    let desk = speaks(&[INITIALIZED, OPENED, "*session/prompt*) :;;"].concat()).with_timeout(0.5);
    let ended = desk.attempt().await.expect("a record");
    assert_eq!(ended.record.stop, StopReason::TimedOut);
    assert_eq!((ended.answer, ended.failed), (None, None));
}

fn by_hand() -> crate::definition::Definition {
    let text = json!({"name": "mine", "kind": "mcp-host"}).to_string();
    crate::definition::Definition::read(&text, "mine").expect("a definition")
}

#[tokio::test]
async fn a_person_is_given_the_prompt_and_the_address_of_the_tools() {
    let carried = Arc::default();
    let person = Person(Ok(Some(" forty-two\u{7}\n")), Arc::clone(&carried));
    let desk = Desk::new(by_hand()).carried_by(Some(ByHand::new(person)));
    let ended = desk.attempt().await.expect("a record");
    assert_eq!(ended.answer.as_deref(), Some("forty-two"));
    let carried = carried.lock().expect("nobody panicked").clone();
    assert_eq!(carried.len(), 1);
    assert_eq!((carried[0].task.as_str(), carried[0].prompt.as_str()), ("L1-001", PROMPT));
    let address = &carried[0].address;
    assert!(address.starts_with("http://127.0.0.1:") && address.contains("/mcp/sk-koab-"), "{address}");
}

#[tokio::test]
async fn without_a_person_or_an_answer_there_is_no_success() {
    let nobody = Desk::new(by_hand()).carried_by(None).attempt().await;
    let why = nobody.err().expect("nobody carries it");
    assert!(why.contains("needs a person who gives it the prompt"), "{why}");
    let left = Person(Err(say!("the window is closed")), Arc::new(Mutex::default()));
    let desk = Desk::new(by_hand()).carried_by(Some(ByHand::new(left)));
    let why = desk.attempt().await.err().expect("nobody carries it");
    assert!(why.contains("the window is closed"), "{why}");
    for answer in [None, Some(" \u{1b}[0m ")] {
        let person = ByHand::new(Person(Ok(answer), Arc::default()));
        let desk = Desk::new(by_hand()).carried_by(Some(person));
        let ended = desk.attempt().await.expect("a record");
        assert_eq!((ended.answer, ended.record.success), (None, false), "{answer:?}");
    }
}
