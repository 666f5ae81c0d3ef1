//! The conversations that the tests render, the same as in the Python program described in `renderings.rs`.

use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, RequestedCall};
use koab_local::chat_template::{ChatTemplate, SpecialTokens};
use serde_json::{Value, json};

pub(crate) fn tokens() -> SpecialTokens {
    SpecialTokens { bos: Some("<s>".to_owned()), eos: Some("</s>".to_owned()), ..Default::default() }
}

pub(crate) fn template(source: &str) -> ChatTemplate {
    ChatTemplate::new(source, &tokens()).unwrap().at("2026-03-09T14:05:00".parse().unwrap())
}

pub(crate) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec {
            name: "PlaceSearch".to_owned(),
            description: "장소를 찾는다 <빠르게> & 'exactly'".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "검색어"},
                    "radius": {"type": "integer", "minimum": 0, "maximum": 20000},
                    "at": {
                        "type": "object",
                        "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
                        "required": ["x", "y"],
                    },
                    "kinds": {"type": "array", "items": {"type": "string", "enum": ["카페", "식당"]}},
                },
                "required": ["query"],
            }),
        },
        ToolSpec {
            name: "Now".to_owned(),
            description: "지금".to_owned(),
            parameters: json!({"type": "object", "properties": {}, "required": []}),
        },
    ]
}

pub(crate) fn system() -> Message {
    Message::System("친절하게 답한다.".to_owned())
}

pub(crate) fn user(text: &str) -> Message {
    Message::User(text.to_owned())
}

pub(crate) fn reply(text: &str) -> Message {
    called(text, &[])
}

pub(crate) fn called(text: &str, calls: &[(&str, &str, Value)]) -> Message {
    Message::Assistant {
        content: text.to_owned(),
        calls: calls
            .iter()
            .map(|(id, name, arguments)| RequestedCall {
                id: (*id).to_owned(),
                name: (*name).to_owned(),
                arguments: arguments.to_string(),
            })
            .collect(),
        opaque: None,
    }
}

pub(crate) fn answered(id: &str, answer: &str) -> Message {
    Message::Tool { call_id: id.to_owned(), content: answer.to_owned() }
}

pub(crate) fn question() -> Message {
    user("강남역 근처 카페를 알려줘.")
}

/// A question, an answer, another question.
pub(crate) fn plain() -> Vec<Message> {
    vec![question(), reply("별다방이 있어요."), user("고마워. 지금 몇 시야?")]
}

/// A question and one call with its answer.
pub(crate) fn one_call() -> Vec<Message> {
    vec![
        question(),
        called(
            "찾아볼게요.",
            &[(
                "callAAAA1",
                "PlaceSearch",
                json!({"query": "강남역 \"카페\"", "radius": 500, "at": {"x": 127.0276, "y": 37.0}, "kinds": ["카페"]}),
            )],
        ),
        answered("callAAAA1", r#"{"places": ["별다방"]}"#),
    ]
}

/// Three calls, two of them in one turn, up to their answers.
pub(crate) fn three_calls() -> Vec<Message> {
    let mut turns = one_call();
    turns.extend([
        called("", &[("callAAAA2", "Now", json!({})), ("callAAAA3", "PlaceSearch", json!({"query": "<b>"}))]),
        answered("callAAAA2", r#"{"now": "14:05"}"#),
        answered("callAAAA3", r#"{"places": []}"#),
    ]);
    turns
}

/// All of it.
pub(crate) fn talk() -> Vec<Message> {
    let mut turns = three_calls();
    turns.extend([reply("별다방이 있어요."), user("고마워. 지금 몇 시야?")]);
    turns
}

pub(crate) fn with_system(turns: Vec<Message>) -> Vec<Message> {
    std::iter::once(system()).chain(turns).collect()
}
