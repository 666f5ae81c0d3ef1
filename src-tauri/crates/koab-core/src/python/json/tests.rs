use super::*;
use crate::python::{Dumps, dumps};
use proptest::prelude::*;
use serde_json::Value;

fn read(text: &str) -> PyValue {
    loads(text).unwrap_or_else(|NotJson| panic!("{text} is JSON to Python"))
}

#[test]
fn numbers_have_the_type_and_the_size_they_are_written_in() {
    for (a, b, equal) in [
        ("1", "1.0", true),
        ("1", "true", true),
        ("0", "-0.0", true),
        ("1e400", "Infinity", true),
        ("NaN", "NaN", false),
        ("9007199254740993", "9007199254740992.0", false),
        ("9007199254740993", "9007199254740993", true),
        ("100000000000000000000000", "1e23", false),
        ("99999999999999991611392", "1e23", true),
        ("-18446744073709551616", "-18446744073709551616.0", true),
        ("[1, {\"a\": 2, \"b\": 3}]", "[1.0, {\"b\": 3, \"a\": 2}]", true),
        ("\"1\"", "1", false),
        ("null", "false", false),
    ] {
        assert_eq!(read(a).equals(&read(b)), equal, "{a} == {b}");
    }
    assert!(matches!(read("1"), PyValue::Int(_)));
    assert!(matches!(read("1e0"), PyValue::Float(_)));
}

#[test]
fn a_recorded_answer_keeps_its_digits_and_what_json_lacks_is_told() {
    for (text, kept) in [
        ("{\"id\": 123456789012345678901234567890}", "{\"id\":\"123456789012345678901234567890\"}"),
        ("[-9223372036854775809, -9223372036854775808]", "[\"-9223372036854775809\",-9223372036854775808]"),
        ("[18446744073709551616, 18446744073709551615]", "[\"18446744073709551616\",18446744073709551615]"),
        (
            "{\"a\": 0.1234567890123456789, \"b\": \"12345678901234567890123\"}",
            "{\"a\":0.12345678901234568,\"b\":\"12345678901234567890123\"}",
        ),
        ("[NaN, 1e400, -Infinity]", "[null,null,null]"),
        ("\"\\ud83d\"", "\"\u{fffd}\""),
        ("{\"b\": 1, \"a\": 2.50}", "{\"b\":1,\"a\":2.5}"),
    ] {
        let read = crate::python::recorded(text).expect(text);
        assert_eq!(read.to_string(), kept, "{text}");
    }
    crate::python::recorded("{1: 2}").expect_err("no JSON to Python either");
}

#[test]
fn of_doubled_keys_the_last_value_counts_in_the_first_place() {
    let PyValue::Dict(entries) = read(r#" {"a": 1, "b": 2, "a": 3} "#) else {
        panic!("an object");
    };
    let keys: Vec<_> = entries.keys().map(String::as_str).collect();
    assert_eq!(keys, ["a", "b"]);
    assert!(entries["a"].equals(&read("3")));
}

#[test]
fn what_python_refuses_is_refused() {
    for text in [
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\": 1,}",
        "{a: 1}",
        "01",
        "1.",
        "1e",
        "-",
        "+1",
        ".5",
        "'a'",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "nan",
        "-NaN",
        "[1] 2",
        "```json\n{}\n```",
        "\u{feff}{}",
        "\u{a0}{}",
        "\"\\u+123\"",
    ] {
        assert!(loads(text).is_err(), "{text:?}");
    }
    assert!(loads(&"[".repeat(100_000)).is_err());
}

#[test]
fn surrogates_are_joined_and_lone_ones_stay_apart() {
    assert_eq!(read(r#""\ud83d\ude00""#).text(), Some("\u{1f600}"));
    assert!(!read(r#""\ud800""#).equals(&read(r#""\ud801""#)));
    assert_eq!(read(r#""\ud800\u0041""#).text().map(|text| text.chars().count()), Some(2));
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_python_writes_is_read(value in json(), ascii in any::<bool>(), indent in prop::option::of(0..3usize)) {
        let text = dumps(&value, Dumps { ascii, sorted: false, indent });
        prop_assert!(read(&text).equals(&PyValue::from(&value)), "{text}");
    }

    #[test]
    fn no_text_ends_the_reader(text in any::<String>()) {
        let _ = loads(&text);
    }

    #[test]
    fn no_text_like_json_ends_the_reader(text in r#"[\[\]{}",:0-9eE.+\\ua-f \-NaInfity]{0,40}"#) {
        let _ = loads(&text);
    }
}
