//! Calls come out of what a model wrote, whole and in order; text without calls stays as it is.

use koab_core::tool::ToolSpec;
use koab_local::tool_text::{ReadText, ToolForm, read};
use serde_json::json;

pub(crate) fn offered() -> Vec<ToolSpec> {
    ["A", "B"]
        .map(|name| ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({"type": "object", "properties": {"n": {"type": "integer"}, "t": {"type": "string"}}}),
        })
        .to_vec()
}

pub(crate) fn auto(text: &str) -> ReadText {
    read(text, ToolForm::Auto, &offered())
}

fn shown(read: &ReadText) -> String {
    let calls: Vec<String> =
        read.calls.iter().map(|call| format!("{}({})", call.name, call.arguments)).collect();
    format!("{} | {:?} | {:?}", calls.join(" "), read.content, read.reasoning)
}

#[track_caller]
fn reads(text: &str, wanted: &str) {
    assert_eq!(shown(&auto(text)), wanted, "{text}");
}

#[test]
fn hermes_calls() {
    reads(
        "그럼\n<tool_call>\n{\"name\": \"A\", \"arguments\": {\"x\": {\"y\": [1, {\"z\": \"</tool_call> { <\"}]}}}\n</tool_call>\n<tool_call>{\"arguments\":{},\"name\":\"Z\"}",
        r#"A({"x":{"y":[1,{"z":"</tool_call> { <"}]}}) Z({}) | "그럼" | None"#,
    );
    reads(r#"<tool_call>{"name": "A", "arguments": "{\"x\": 1}"}</tool_call>"#, r#"A({"x": 1}) | "" | None"#);
    // A brace too many, several in one tag, an array in a tag.
    reads(r#"<tool_call>{"name": "A", "arguments": {}}}</tool_call>"#, r#"A({}) | "" | None"#);
    reads("<tool_call>{\"name\": \"A\"}\n{\"name\": \"B\"}</tool_call>끝", r#"A({}) B({}) | "끝" | None"#);
    reads(r#"<tool_call>[{"name": "A"}, {"name": "B"}]</tool_call>"#, r#"A({}) B({}) | "" | None"#);
}

#[test]
fn broken_arguments_in_a_tag_are_the_models_fault_and_still_a_call() {
    reads(
        "<tool_call>{\"name\": \"A\", \"arguments\": {\"x\": 'no'}}</tool_call>",
        r#"A({"x": 'no'}) | "" | None"#,
    );
    reads(r#"<tool_call>{"name": "A", "arguments": {"x": "#, r#"A({"x":) | "" | None"#);
    reads("<function=A>{x: 1}</function>", r#"A({x: 1}) | "" | None"#);
    reads("[TOOL_CALLS]A[ARGS]{x: 1}", r#"A({x: 1}) | "" | None"#);
    reads(r#"<tool_call>{"name": "A", "arguments": [1]}</tool_call>"#, r#"A([1]) | "" | None"#);
}

#[test]
fn llama_calls() {
    reads(
        r#"<|python_tag|>{"name": "A", "parameters": {"x": "a;b"}}; {"name": "B", "parameters": {}}"#,
        r#"A({"x":"a;b"}) B({}) | "" | None"#,
    );
    reads(
        r#"{"name": "A", "parameters": {"x": 1}}; {"name": "B", "parameters": {}}"#,
        r#"A({"x":1}) B({}) | "" | None"#,
    );
    reads(r#"{"type": "function", "name": "A", "parameters": {"x": null}}"#, r#"A({"x":null}) | "" | None"#);
}

#[test]
fn mistral_calls() {
    reads(
        r#"[TOOL_CALLS] [{"name": "A", "arguments": {"x": [[1]]}, "id": "abcdefghi"}, {"name": "B", "arguments": {}}]</s>"#,
        r#"A({"x":[[1]]}) B({}) | "" | None"#,
    );
    reads(
        r#"네.[TOOL_CALLS]A[CALL_ID]abcdefghi[ARGS]{"x": 1}[TOOL_CALLS]B[ARGS]{}"#,
        r#"A({"x":1}) B({}) | "네." | None"#,
    );
}

#[test]
fn the_published_forms() {
    reads(
        r#"<tools>{"type": "function", "function": {"name": "A", "parameters": {"properties": {"x": 1}}}}</tools>"#,
        r#"A({"x":1}) | "" | None"#,
    );
    reads("<function=A>{}</function>", r#"A({}) | "" | None"#);
    reads("<function=A></function>", r#"A({}) | "" | None"#);
    reads(r#"찾는다 [{"tool_name": "A", "arguments": {"x": [1]}}]"#, r#"A({"x":[1]}) | "찾는다" | None"#);
    reads("```json\n{\"tool_name\": \"A\", \"args\": {}}\n```", r#"A({}) | "" | None"#);
    reads(
        r#"{"arguments": {"x": 1}, "name": "A"} {"name": "B", "arguments": {}}"#,
        r#"A({"x":1}) B({}) | "" | None"#,
    );
    reads(r#"{"function": "A", "parameters": {"x": 1}}"#, r#"A({"x":1}) | "" | None"#);
}

#[test]
fn parameters_in_tags_have_the_types_of_the_schema() {
    reads(
        "<tool_call>\n<function=A>\n<parameter=n>\n5\n</parameter>\n<parameter=t>\n5\n</parameter>\n</function>\n</tool_call>",
        r#"A({"n":5,"t":"5"}) | "" | None"#,
    );
}

#[test]
fn reasoning_is_kept_apart_and_never_executed() {
    reads(
        "<think>\n<tool_call>{\"name\": \"A\"}</tool_call>\n</think>\n\n답",
        r#" | "답" | Some("<tool_call>{\"name\": \"A\"}</tool_call>")"#,
    );
    // The prompt opened the thought.
    reads(
        "{\"name\": \"A\", \"arguments\": {}}</think><tool_call>{\"name\": \"B\"}</tool_call>",
        r#"B({}) | "" | Some("{\"name\": \"A\", \"arguments\": {}}")"#,
    );
    reads("<think>끝이 없", r#" | "" | Some("끝이 없")"#);
    // Within a call it is a text.
    reads(
        r#"<tool_call>{"name": "A", "arguments": {"x": "<think></think>"}}</tool_call>"#,
        r#"A({"x":"<think></think>"}) | "" | None"#,
    );
}

#[test]
fn text_without_calls_stays() {
    for text in [
        r#"{"name": "Other", "arguments": {}}"#,
        r#"[{"name": "A", "arguments": {}}, {"city": "서울"}]"#,
        r#"답: {"places": [{"name": "A", "arguments": {}}]} "#,
        "```json\n{\"name\": \"Kim\"}\n```\n",
        r#"{"name": "A"}"#,
        "<tool_call>모르겠다</tool_call>",
        "<function=",
        "[TOOL_CALLS] 없음",
        "  빈칸  ",
        r#"<tools>{"type": "function", "function": {"name": "A", "description": "x", "parameters": {"properties": {}}}}</tools>"#,
    ] {
        assert_eq!(auto(text).content, text);
        assert_eq!(auto(text).calls, [], "{text}");
    }
}

#[test]
fn the_form_decides_which_of_two_markups_is_the_call() {
    let text = r#"예: {"name": "A", "arguments": {}} <tool_call>{"name": "B", "arguments": {}}</tool_call>"#;
    let hermes = read(text, ToolForm::Hermes, &offered());
    assert_eq!(shown(&hermes), r#"B({}) | "예: {\"name\": \"A\", \"arguments\": {}}" | None"#);
}

#[test]
fn a_model_that_strays_from_its_form_gets_what_its_server_would_give_it() {
    let fenced = "```json\n{\"name\": \"A\", \"arguments\": {}}\n```";
    for (text, own) in [
        (r#"{"name": "A", "arguments": {}}"#, ToolForm::Llama3),
        (r#"<function=A>{}</function>"#, ToolForm::Function),
        (r#"<tool_call>{"name": "A", "arguments": {}}</tool_call>"#, ToolForm::Hermes),
        (fenced, ToolForm::Auto),
    ] {
        for form in [ToolForm::Hermes, ToolForm::Llama3, ToolForm::Function] {
            let read = read(text, form, &offered());
            // A bare object is Llama's form, whatever stands around it.
            let is_own = form == own || (form == ToolForm::Llama3 && text.contains("\"name\""));
            assert_eq!(read.calls.len(), usize::from(is_own), "{form}: {text}");
            assert!(is_own || read.content == text, "{form}: {text}");
        }
        assert_eq!(read(text, ToolForm::Auto, &offered()).calls.len(), 1, "{text}");
    }
}

#[test]
fn forms_have_names_and_are_known_by_their_templates() {
    for form in ToolForm::all() {
        assert_eq!(form.to_string().parse(), Ok(form));
    }
    insta::assert_snapshot!("qwen".parse::<ToolForm>().unwrap_err(), @"there is no form of tool calls named `qwen`; choose one of auto, hermes, llama3, mistral, mistral-args, function, parameters, tools");
    let of = ToolForm::of_template;
    assert_eq!(of("…<tool_call>…"), ToolForm::Hermes);
    assert_eq!(of("[TOOL_CALLS] ["), ToolForm::Mistral);
    assert_eq!(of("[TOOL_CALLS]{{ name }}[ARGS]"), ToolForm::MistralArgs);
    assert_eq!(of("<|python_tag|>"), ToolForm::Llama3);
    assert_eq!(of("<function={{ name }}>"), ToolForm::Function);
    assert_eq!(of("<tool_call>\n<function={{ name }}>\n<parameter={{ key }}>"), ToolForm::Parameters);
    assert_eq!(of("<tool_call>{{ name }}<arg_key>"), ToolForm::Auto);
    assert_eq!(of("{{ messages }}"), ToolForm::Auto);
}

#[test]
fn text_of_many_openers_is_read_in_time() {
    for opener in [
        "{",
        "[",
        "{\"a\":",
        "<tool_call>",
        "<tool_call>{",
        "<function=a>",
        "[TOOL_CALLS]",
        "```json\n{",
        "<think>",
        "</think>",
    ] {
        let text = opener.repeat(2_000);
        auto(&text);
    }
}
