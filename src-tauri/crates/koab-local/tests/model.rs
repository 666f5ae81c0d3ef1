//! A model of this application as runs use it: conversations in, text and tool calls out.

use koab_core::tool::ToolSpec;
use koab_engine::ports::{
    AttemptRef, FinishReason, Message, ModelAdapter as _, ModelRequest, RequestedCall, ToolChoice,
};
use koab_local::convert::{self, Precision};
use koab_local::engine::{Device, Engine, LoadSpec};
use koab_local::hf::Folder;
use koab_local::model::{LocalModel, ModelFiles, ModelOptions, OpenModelError};
use koab_local::tool_text::ToolForm;
use koab_tiny::Architecture;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;

/// A converted random model that likes these tokens.
fn model_files(folder: &Path, liked: &[(&str, f32)]) -> ModelFiles {
    let source = folder.join("source");
    koab_tiny::write(&source, Architecture::Qwen3, 7).expect("written");
    if !liked.is_empty() {
        koab_tiny::prefer(&source, liked).expect("patched");
    }
    let out = folder.join("out");
    let source = Folder::open(&source).expect("a sound folder");
    let done = convert::convert(&source, &out, Precision::F32, &|_| ControlFlow::Continue(()));
    ModelFiles { weights: done.expect("converted").model, tokenizer: Some(out) }
}

fn options() -> ModelOptions {
    ModelOptions {
        device: Device::Cpu,
        context: Some(4096),
        parallel: 2,
        threads: Some(1),
        form: None,
        constrained: false,
    }
}

fn weather() -> ToolSpec {
    serde_json::from_value(json!({
        "name": "weather",
        "description": "오늘의 날씨",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "enum": ["서울", "부산"]}, "days": {"type": "integer"}},
            "required": ["city", "days"],
        },
    }))
    .expect("a tool")
}

fn request<'a>(messages: &'a [Message], tools: &'a [ToolSpec]) -> ModelRequest<'a> {
    ModelRequest {
        messages,
        tools,
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature: 0.0,
        max_tokens: Some(160),
        effort: None,
        seed: Some(1),
        answer_schema: None,
        given: None,
        attempt: AttemptRef::default(),
    }
}

/// The tokens of a call, each liked so much that one follows the other wherever a grammar leaves a choice.
const CALLER: [(&str, f32); 4] = [("<tool_call>", 60.0), ("\"", 4.0), ("}", 3.0), ("1", 2.0)];

#[tokio::test]
async fn a_conversation_is_continued_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = LocalModel::open(&model_files(folder.path(), &[]), &options()).expect("loaded");
    let messages = [Message::User("서울 날씨 알려줘".to_owned())];
    let first = model.complete(request(&messages, &[weather()])).await.expect("answered");
    let usage = first.usage.expect("counted");
    assert!(usage.prompt_tokens > 50, "the tools are in the prompt: {usage:?}");
    assert_eq!(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
    assert!(usage.completion_tokens <= 160 && first.first_token.is_some());
    assert_eq!(first.left_out, None);
    let again = model.complete(request(&messages, &[weather()])).await.expect("answered");
    assert_eq!((first.content, first.calls), (again.content, again.calls), "greedy answers are the same");
}

#[tokio::test]
async fn held_to_the_schemas_a_model_calls_tools_and_each_call_has_an_id_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ModelOptions { constrained: true, ..options() };
    let model = LocalModel::open(&model_files(folder.path(), &CALLER), &options).expect("loaded");
    assert_eq!(model.form(), ToolForm::Hermes);
    let mut messages = vec![Message::User("서울 날씨 알려줘".to_owned())];
    let mut ids = Vec::new();
    for _ in 0..3 {
        let reply = model.complete(request(&messages, &[weather()])).await.expect("answered");
        let call = reply.calls.first().expect("a call").clone();
        assert_eq!(call.name, "weather");
        let arguments: Value = serde_json::from_str(&call.arguments).expect("JSON");
        assert!(["서울", "부산"].map(Value::from).contains(&arguments["city"]), "{arguments}");
        assert!(arguments["days"].is_i64(), "{arguments}");
        ids.push(call.id.clone());
        messages.push(Message::Assistant { content: String::new(), calls: vec![call.clone()], opaque: None });
        messages.push(Message::Tool { call_id: call.id, content: r#"{"맑음": true}"#.to_owned() });
    }
    let unique: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), 3, "{ids:?}");
}

#[tokio::test]
async fn a_schema_makes_the_answer_an_object_of_its_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let liked = [("\"", 6.0), ("}", 5.0), ("1", 4.0)];
    let model = LocalModel::open(&model_files(folder.path(), &liked), &options()).expect("loaded");
    let schema = json!({
        "type": "object",
        "properties": {"score": {"type": "integer", "enum": [1, 2, 3]}, "reason": {"type": "string"}},
        "required": ["score", "reason"],
        "additionalProperties": false,
    });
    let messages = [Message::System("채점하세요".to_owned()), Message::User("답".to_owned())];
    let reply = model
        .complete(ModelRequest {
            answer_schema: Some(("verdict", &schema)),
            given: None,
            ..request(&messages, &[])
        })
        .await
        .expect("answered");
    let answer: Value = serde_json::from_str(&reply.content).unwrap_or_else(|_| panic!("{}", reply.content));
    assert!(answer["score"].is_i64() && answer["reason"].is_string(), "{answer}");
    assert_eq!(reply.finish, FinishReason::Stop);
}

#[tokio::test]
async fn what_does_not_fit_leaves_out_the_oldest_results_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ModelOptions { context: Some(2048), ..options() };
    let model = LocalModel::open(&model_files(folder.path(), &[]), &options).expect("loaded");
    let mut messages = vec![Message::User("비교해줘".to_owned())];
    for number in 0..3 {
        let id = format!("call{number:05}");
        messages.push(Message::Assistant {
            content: String::new(),
            calls: vec![RequestedCall {
                id: id.clone(),
                name: "weather".to_owned(),
                arguments: r#"{"city": "서울", "days": 1}"#.to_owned(),
            }],
            opaque: None,
        });
        messages.push(Message::Tool { call_id: id, content: "구름 조금, 바람 약함. ".repeat(30) });
    }
    let reply = model.complete(request(&messages, &[])).await.expect("answered");
    let left_out = reply.left_out.expect("something was left out");
    assert!((1..=3).contains(&left_out.tool_results), "{left_out:?}");
    assert_eq!((left_out.exchanges, left_out.room), (0, 2048 - 160));
    assert!(reply.usage.expect("counted").prompt_tokens <= 2048 - 160);

    let endless = [Message::User("가".repeat(4000))];
    let error = model.complete(request(&endless, &[])).await.expect_err("too long");
    let said = error.to_string();
    assert!(said.contains("1888") && said.contains("--context"), "{said}");
}

#[tokio::test]
async fn a_gguf_file_without_a_template_takes_the_one_beside_it_and_is_else_refused_before_it_is_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let weights = model_files(folder.path(), &[]).weights;
    let mut bytes = std::fs::read(&weights).expect("read");
    let key = b"tokenizer.chat_template";
    let at = bytes.windows(key.len()).position(|window| window == key);
    bytes[at.expect("it has a template") + key.len() - 1] = b'X';
    let bare = folder.path().join("bare.gguf");
    std::fs::write(&bare, bytes).expect("written");
    let files = ModelFiles { weights: bare, tokenizer: None };
    let refused = |files: &ModelFiles| match LocalModel::open(files, &options()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("loaded"),
    };
    // A process has one model: one that would be loaded is refused for that.
    let in_use = Engine::load(&LoadSpec::new(&weights)).expect("loaded");
    let said = refused(&files);
    assert!(said.contains("has no chat template"), "{said}");
    let template = folder.path().join("chat_template.jinja");
    std::fs::write(&template, "{% for message in messages %}").expect("written");
    let said = refused(&files);
    assert!(said.contains("the chat template cannot be read"), "{said}");
    let turns = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}[assistant] ";
    std::fs::write(&template, turns).expect("written");
    let said = refused(&files);
    assert!(!said.contains("template"), "{said}");
    drop(in_use);
    let model = LocalModel::open(&files, &options()).expect("loaded");
    let messages = [Message::User("서울".to_owned())];
    let rendered = model.template().render(&messages, &[]).expect("rendered");
    assert_eq!(rendered, "[user] 서울\n[assistant] ");
}

#[tokio::test]
async fn a_model_without_a_template_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = model_files(folder.path(), &[]);
    let config = files.tokenizer.as_ref().expect("a folder").join("tokenizer_config.json");
    let mut settings: Value = serde_json::from_slice(&std::fs::read(&config).expect("read")).expect("JSON");
    settings.as_object_mut().expect("an object").remove("chat_template");
    std::fs::write(&config, settings.to_string()).expect("written");
    match LocalModel::open(&files, &options()) {
        Err(error @ OpenModelError::Texts(_)) => {
            let said = error.to_string();
            assert!(said.contains("has no chat template") && said.contains("chat_template.jinja"), "{said}");
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("loaded"),
    }
}
