use super::{State, spoken, state, task_or_message, text_of};
use crate::kinds::web::Address;
use serde_json::{Value, json};

fn base() -> Address {
    Address::read("http://127.0.0.1:20001/").expect("an address")
}

#[test]
fn the_card_says_the_version_and_the_path_and_never_the_host() {
    let one = |interface: Value| json!({"supportedInterfaces": [interface]});
    let rpc = |version: &str| json!({"protocolBinding": "JSONRPC", "protocolVersion": version, "url": "http://localhost:5/v1"});
    for (card, is_new, path) in [
        (json!({}), true, "/"),
        (json!({"protocolVersion": "0.3.0", "url": "http://127.0.0.1:9/rpc"}), false, "/rpc"),
        (json!({"protocolVersion": "0.2", "url": "http://agent.example.com/rpc"}), false, "/"),
        (json!({"protocolVersion": "1.0", "url": "http://0.0.0.0/a"}), true, "/a"),
        (one(rpc("1.0")), true, "/v1"),
        (one(rpc("0.3")), false, "/v1"),
        (one(json!({"protocolBinding": "JSONRPC", "url": "http://localhost:5/x"})), true, "/x"),
        (
            one(json!({"protocolBinding": "GRPC", "protocolVersion": "0.3", "url": "http://localhost:5/g"})),
            true,
            "/",
        ),
        // Newer cards of servers that speak both name the earlier version beside.
        (json!({"protocolVersion": "0.3.0", "supportedInterfaces": [rpc("1.0")]}), false, "/v1"),
    ] {
        let interface = spoken(&card, &base());
        assert_eq!((interface.is_new, interface.at.path()), (is_new, path), "{card}");
    }
}

#[test]
fn a_task_is_done_works_or_failed_in_either_spelling() {
    let told = |state_name: Option<&str>| {
        let task = state_name.map_or_else(|| json!({"parts": []}), |name| json!({"status": {"state": name}}));
        match state(&task) {
            State::Done => "done".to_owned(),
            State::Working => "working".to_owned(),
            State::Failed(why) => why,
        }
    };
    for (name, wanted) in [
        (None, "done"),
        (Some("completed"), "done"),
        (Some("TASK_STATE_COMPLETED"), "done"),
        (Some("submitted"), "working"),
        (Some("working"), "working"),
        (Some("TASK_STATE_WORKING"), "working"),
        (Some("failed"), "failed"),
        (Some("canceled"), "canceled"),
        (Some("input-required"), "input_required"),
        (Some("TASK_STATE_AUTH_REQUIRED"), "auth_required"),
        (Some(""), ""),
    ] {
        assert_eq!(told(name), wanted, "{name:?}");
    }
}

#[test]
fn a_result_is_a_task_or_a_message_or_wraps_one() {
    for result in [json!({"task": {"id": 1}}), json!({"message": {"id": 1}}), json!({"id": 1})] {
        assert_eq!(task_or_message(&result)["id"], 1, "{result}");
    }
}

#[test]
fn an_answer_is_in_artifacts_before_it_is_in_messages() {
    let parts =
        |texts: &[&str]| json!({"parts": texts.iter().map(|text| json!({"text": text})).collect::<Vec<_>>()});
    let says = |role: &str, text: &str| json!({"role": role, "parts": [{"kind": "text", "text": text}]});
    let artifacts = json!([parts(&["4", "2"]), {"parts": [{"kind": "file", "file": {}}]}, parts(&["!"])]);
    let history =
        json!([says("agent", "first"), says("user", "q"), says("agent", "last"), says("user", "q")]);
    for (found, answer) in [
        (json!({"artifacts": artifacts, "status": {"message": parts(&["no"])}}), Some("42!")),
        (json!({"artifacts": [parts(&[" \n"])], "status": {"message": parts(&["status"])}}), Some("status")),
        (json!({"status": {}, "history": history}), Some("last")),
        (json!({"history": [says("ROLE_AGENT", "new")]}), Some("new")),
        (json!({"history": [says("user", "q")]}), None),
        (parts(&["a message ", "itself"]), Some("a message itself")),
        (json!({"artifacts": "text"}), None),
        (json!(null), None),
    ] {
        assert_eq!(text_of(&found).as_deref(), answer, "{found}");
    }
}
