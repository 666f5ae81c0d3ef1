//! Which tools have to be called, and text that is heard while it comes.

use super::*;
use koab_engine::ports::{Listener, ToolChoice};
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn a_call_that_has_to_be_made_is_asked_for_in_the_protocol_s_words() {
    let end = unnamed(&[
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "끝"}]}, "finishReason": "STOP"}]}),
    ]);
    let mut told = Vec::new();
    for (name, script, field) in [
        ("anthropic/claude-sonnet-4-5", end_turn("end_turn"), "tool_choice"),
        ("gemini/gemini-3-pro", end, "toolConfig"),
    ] {
        let server = Server::start(vec![
            Script::stream([script.clone()]),
            Script::stream([script.clone()]),
            Script::stream([script]),
        ])
        .await;
        let model = adapter(&server, name);
        let tools = [search()];
        let messages = [Message::User("카페?".to_owned())];
        for tool_choice in [ToolChoice::Auto, ToolChoice::Required, ToolChoice::Named("Search")] {
            let heard = Arc::new(Mutex::new(String::new()));
            let hears = Arc::clone(&heard);
            let listener = Listener::new(move |piece| hears.lock().expect("heard").push_str(piece));
            let asked =
                ModelRequest { tools: &tools, tool_choice, listener: Some(&listener), ..request(&messages) };
            let reply = model.complete(asked).await.expect("a reply");
            assert_eq!(*heard.lock().expect("heard"), reply.content);
            told.push(last_body(&server)[field].to_string());
        }
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    null
    {"type":"any"}
    {"type":"tool","name":"Search"}
    null
    {"functionCallingConfig":{"mode":"ANY"}}
    {"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["Search"]}}
    "#);
}
