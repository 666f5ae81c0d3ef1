//! Whatever calls a model writes are read back, and whatever text it writes is read without loss.

use crate::text::reading::{auto, offered};
use koab_local::tool_text::{ReadCall, ToolForm, read};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// JSON values as models write them, with every kind of trouble in the texts.
fn json_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>(),
        Just("</tool_call><think>{[`</function>[TOOL_CALLS]".to_owned()),
        Just("```json\n\"}]".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn call() -> impl Strategy<Value = ReadCall> {
    let arguments = prop::collection::vec(("[a-z_가-힣]{1,8}", json_value()), 0..4);
    (prop_oneof![Just("A"), Just("B")], arguments).prop_map(|(name, arguments)| ReadCall {
        name: name.to_owned(),
        arguments: Value::Object(arguments.into_iter().collect()).to_string(),
    })
}

fn values(calls: &[ReadCall]) -> Vec<(&str, Value)> {
    calls.iter().map(|call| (call.name.as_str(), serde_json::from_str(&call.arguments).unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_calls_in_any_form_are_read_back(calls in prop::collection::vec(call(), 1..4), before in "[가-힣a-z .]{0,12}") {
        // Values in tags are texts or not by the tool's schema, which does not know these.
        for form in ToolForm::all().filter(|form| *form != ToolForm::Parameters) {
            let text = format!("{before}{}", form.write(&calls));
            for reader in [form, ToolForm::Auto] {
                let read = read(&text, reader, &offered());
                prop_assert_eq!(values(&read.calls), values(&calls), "{}", text);
                prop_assert_eq!(&read.content, before.trim(), "{}", text);
                prop_assert_eq!(&read.reasoning, &None);
            }
        }
    }

    #[test]
    fn values_in_tags_are_read_back_by_the_schema(n in any::<i64>(), t in "[^<]{0,20}") {
        let call = ReadCall { name: "A".to_owned(), arguments: json!({"n": n, "t": t}).to_string() };
        let text = ToolForm::Parameters.write(std::slice::from_ref(&call));
        prop_assert_eq!(read(&text, ToolForm::Parameters, &offered()).calls, [call]);
    }

    #[test]
    fn any_text_is_read_without_loss(parts in prop::collection::vec(prop_oneof![
        any::<String>(),
        "[<>{}\\[\\]`/\"a:, ]{0,12}",
        prop::sample::select(vec![
            "<tool_call>", "</tool_call>", "<function=", "<function=A>", "</function>", "<tools>", "[TOOL_CALLS]", "[ARGS]",
            "<|python_tag|>", "```json\n", "```", "{\"name\": \"A\", ", "\"arguments\": {", "}}", "<parameter=", "가",
        ]).prop_map(ToOwned::to_owned),
    ], 0..8)) {
        let text = parts.concat();
        for form in ToolForm::all() {
            let read = read(&text, form, &offered());
            if read.calls.is_empty() && read.reasoning.is_none() {
                prop_assert_eq!(&read.content, &text);
            }
        }
        let thought = format!("<think>음</think>{text}");
        let read = auto(&thought);
        if read.calls.is_empty() && !text.contains("think>") {
            prop_assert_eq!(&read.content, text.trim_start());
            prop_assert_eq!(read.reasoning.as_deref(), Some("음"));
        }
    }
}
