//! Model servers on this machine.

use crate::models::Here;
use crate::support::http::Local;
use serde_json::json;

#[test]
fn servers_on_this_machine_are_found_with_their_models_and_others_are_not_asked() {
    let here = Here::new();
    let list = json!({ "object": "list", "data": [{ "id": "Qwen/Qwen3-8B" }, { "id": "tiny" }] });
    let server = Local::start(move |_| (200, list.clone()));
    let guarded = Local::start(|_| (401, json!({ "error": "no key" })));
    let other = Local::start(|_| (200, json!({ "hello": "world" })));
    let [at, guarded, other] = [&server, &guarded, &other].map(|one| format!("{}/v1", one.address));
    let found = here.ok(&["models", "servers", "--at", &at, "--at", &guarded, "--at", &other]);
    let ours = |found: &&serde_json::Value| found["provider"] == "openai_compat";
    let found: Vec<_> = found.as_array().expect("a list").iter().filter(ours).cloned().collect();
    assert_eq!(
        found,
        [
            json!({
                "provider": "openai_compat", "base_url": at, "wants_key": false,
                "models": ["openai_compat/Qwen/Qwen3-8B", "openai_compat/tiny"],
            }),
            json!({ "provider": "openai_compat", "base_url": guarded, "wants_key": true, "models": [] }),
        ]
    );
    assert_eq!(server.requests()[0].line, "GET /v1/models HTTP/1.1");
    let sentence = here.sentence(&["models", "servers", "--at", "http://192.0.2.1:8000/v1"]);
    insta::assert_snapshot!(sentence, @"koab: http://192.0.2.1:8000/v1 is not an address on this machine; give one like http://localhost:8000/v1");
    let nobody = here.sentence(&["models", "servers", "--at", "http://127.0.0.1:9/v1"]);
    insta::assert_snapshot!(nobody, @"koab: no model server answers at http://127.0.0.1:9/v1; start it, or check the address");
}
