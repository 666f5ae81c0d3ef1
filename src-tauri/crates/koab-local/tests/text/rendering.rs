//! Prompts are those that Hugging Face's own engine makes of the same templates.

use crate::text::conversations::{
    called, one_call, plain, reply, talk, template, three_calls, tokens, tools, user, with_system,
};
use crate::text::renderings as python;
use koab_engine::ports::Message;
use koab_local::chat_template::ChatTemplate;
use koab_local::tool_text::ToolForm;
use serde_json::json;
use std::sync::Arc;

const HERMES: &str = include_str!("templates/hermes.jinja");
const THINKING: &str = include_str!("templates/thinking.jinja");
const LLAMA3: &str = include_str!("templates/llama3.jinja");
const MISTRAL: &str = include_str!("templates/mistral.jinja");
const TURNS: &str = include_str!("templates/turns.jinja");
const MARKED: &str = include_str!("templates/marked.jinja");
const FENCED: &str = include_str!("templates/fenced.jinja");
const SPELLING: &str = include_str!("templates/spelling.jinja");

#[track_caller]
fn same(source: &str, messages: &[Message], with_tools: bool, wanted: &str) {
    let tools = if with_tools { tools() } else { Vec::new() };
    let rendered = template(source).render(messages, &tools).unwrap();
    similar(&rendered, wanted);
}

#[track_caller]
fn similar(rendered: &str, wanted: &str) {
    let differs = rendered.lines().zip(wanted.lines()).find(|(a, b)| a != b);
    assert!(rendered == wanted, "{differs:#?}\n{rendered}");
}

#[test]
fn hermes_markup_is_pythons() {
    same(HERMES, &with_system(plain()), false, python::HERMES_PLAIN);
    same(HERMES, &with_system(talk()), true, python::HERMES_TOOLS);
    assert_eq!(template(HERMES).tool_form(), ToolForm::Hermes);
}

#[test]
fn lines_may_end_as_on_windows() {
    same(&HERMES.replace('\n', "\r\n"), &with_system(talk()), true, python::HERMES_TOOLS);
}

#[test]
fn thinking_markup_is_pythons() {
    same(THINKING, &plain(), false, python::THINKING_PLAIN);
    let mut turns = three_calls();
    turns.push(reply("<think>\n시간?\n</think>\n\n두 시다."));
    same(THINKING, &turns, true, python::THINKING_TOOLS);
}

#[test]
fn a_turns_own_reasoning_goes_back_to_a_template_that_asks_for_it() {
    let mut turn = called("두 시다.", &[]);
    if let Message::Assistant { opaque, .. } = &mut turn {
        *opaque = Some(Arc::new(json!({"reasoning_content": "시간?"})));
    }
    let prompt = template(THINKING).render(&[user("몇 시?"), turn], &[]).unwrap();
    assert!(prompt.contains("<think>\n시간?\n</think>\n\n두 시다."), "{prompt}");
}

#[test]
fn a_variable_more_reaches_the_template() {
    let prompt =
        template(THINKING).with("enable_thinking", json!(false)).unwrap().render(&plain(), &[]).unwrap();
    assert!(prompt.ends_with("<|im_start|>assistant\n<think>\n\n</think>\n\n"), "{prompt}");
}

#[test]
fn llama_markup_is_pythons() {
    same(LLAMA3, &with_system(plain()), false, python::LLAMA3_PLAIN);
    same(LLAMA3, &with_system(one_call()), true, python::LLAMA3_TOOLS);
    assert_eq!(template(LLAMA3).tool_form(), ToolForm::Llama3);
}

#[test]
fn mistral_markup_is_pythons() {
    same(MISTRAL, &with_system(plain()), false, python::MISTRAL_PLAIN);
    // Its ids must have nine letters, so all get such ids; those of the fixture are renamed alike.
    let wanted = ["callAAAA1", "callAAAA2", "callAAAA3"]
        .iter()
        .enumerate()
        .fold(python::MISTRAL_TOOLS.to_owned(), |text, (i, id)| text.replace(id, &format!("call{i:05}")));
    same(MISTRAL, &talk(), true, &wanted);
    assert_eq!(template(MISTRAL).tool_form(), ToolForm::Mistral);
}

#[test]
fn generation_marks_and_turns_are_pythons() {
    same(MARKED, &with_system(plain()), false, python::MARKED_PLAIN);
    same(TURNS, &plain(), false, python::TURNS_PLAIN);
}

#[test]
fn values_are_spelled_as_python_spells_them() {
    same(SPELLING, &with_system(talk()), true, python::SPELLING_TOOLS);
}

#[test]
fn hangul_is_never_escaped() {
    for source in [HERMES, THINKING, LLAMA3, MISTRAL, FENCED] {
        let prompt = template(source).render(&one_call(), &tools()).unwrap();
        assert!(!prompt.contains("\\u") && prompt.contains("강남역"), "{prompt}");
    }
}

#[test]
fn arguments_that_are_no_json_are_given_as_text() {
    let mut broken = called("", &[("callAAAA1", "Now", json!(null))]);
    if let Message::Assistant { calls, .. } = &mut broken {
        calls[0].arguments = "{\"x\": 1".to_owned();
    }
    let prompt = template(HERMES).render(&[user("몇 시?"), broken], &tools()).unwrap();
    assert!(prompt.contains(r#""arguments": "{\"x\": 1"}"#), "{prompt}");
}

#[test]
fn of_named_templates_the_one_for_tools_is_chosen_with_tools() {
    let config = json!([
        {"name": "default", "template": "plain {{ messages[-1].content }}"},
        {"name": "tool_use", "template": HERMES},
    ]);
    let template = ChatTemplate::of_config(&config, &tokens()).unwrap();
    assert_eq!(template.render(&[user("응")], &[]).unwrap(), "plain 응");
    let prompt = template.render(&with_system(talk()), &tools()).unwrap();
    similar(&prompt, python::HERMES_TOOLS);
    assert!(template.handles_tools());

    let one = ChatTemplate::of_config(&json!(HERMES), &tokens()).unwrap();
    assert!(one.handles_tools());
    let neither = ChatTemplate::of_config(&json!({"a": 1}), &tokens()).unwrap_err();
    insta::assert_snapshot!(neither, @"the chat_template of the tokenizer's configuration is neither a text nor a list of named texts");
}

#[test]
fn arguments_come_as_text_to_a_template_that_joins_texts() {
    let prompt = template(FENCED).render(&one_call(), &tools()).unwrap();
    let written =
        "<call>function<sep>PlaceSearch\n```json\n{\"query\":\"강남역 \\\"카페\\\"\",\"radius\":500,";
    assert!(prompt.contains(written), "{prompt}");
    assert!(prompt.contains(r#"<output>{"places": ["별다방"]}</output>"#), "{prompt}");
}
