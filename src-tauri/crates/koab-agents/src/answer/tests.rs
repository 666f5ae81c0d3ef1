use super::AnswerFrom;
use serde_json::{Value, json};

fn read(from: Value, text: &str) -> Option<String> {
    let from: AnswerFrom = serde_json::from_value(from).expect("a place of an answer");
    from.check().expect("one that makes sense");
    from.read(text)
}

#[test]
fn the_whole_output_counts_without_colours_and_ends() {
    let text = "\u{1b}[1;32m 답:\u{1b}[0m\r\n서울\u{7}\n\n";
    assert_eq!(read(json!({"stdout": "all"}), text).as_deref(), Some("답:\n서울"));
    assert_eq!(read(json!({"stdout": "all"}), " \n"), None);
}

#[test]
fn one_json_value_is_found_behind_other_lines() {
    let from = json!({"stdout": "json", "pointer": "/response"});
    let text = "warning: {old}\n{\n  \"response\": \"예\",\n  \"stats\": {}\n}\nbye\n";
    assert_eq!(read(from.clone(), text).as_deref(), Some("예"));
    assert_eq!(read(from, "nothing"), None);
    let last = json!({"stdout": "json", "pointer": "/result", "where": {"type": "result"}});
    let list = r#"[{"type":"system"},{"type":"result","result":"둘"}]"#;
    assert_eq!(read(last, list).as_deref(), Some("둘"));
}

#[test]
fn lines_behind_the_last_tool_call_are_joined() {
    let from = json!({"stdout": "jsonl", "where": {"type": "text"}, "pointer": "/part/text", "take": "join",
        "after": {"type": "tool_use"}});
    let text = "{\"type\":\"text\",\"part\":{\"text\":\"찾겠습니다\"}}\n{\"type\":\"tool_use\"}\nnoise\n\
        {\"type\":\"text\",\"part\":{\"text\":\"하나 \"}}\n{\"type\":\"text\",\"part\":{\"text\":\"둘\"}}\n";
    assert_eq!(read(from, text).as_deref(), Some("하나 둘"));
    let last = json!({"stdout": "jsonl", "where": {"type": "text"}, "pointer": "/part/text"});
    assert_eq!(read(last, text).as_deref(), Some("둘"));
}

#[test]
fn what_stands_behind_the_last_marker_counts() {
    let text = "===FINAL===\nno\n===FINAL===\nyes\nindeed\n";
    assert_eq!(read(json!({"after": "===FINAL==="}), text).as_deref(), Some("yes\nindeed"));
    assert_eq!(read(json!({"after": "===FINAL==="}), "yes"), None);
}

#[test]
fn a_pointer_leads_through_lists_and_to_what_is_no_text() {
    let text = r#"{"a": [{"b/c": "slash"}, 5], "n": 1.50, "t": true, "o": {"x": 1}, "e": "", "z": null}"#;
    for (pointer, answer) in [
        ("/a/0/b~1c", Some("slash")),
        ("/a/1", Some("5")),
        ("/n", Some("1.5")),
        ("/t", Some("true")),
        ("/o", Some(r#"{"x":1}"#)),
        ("/a/2", None),
        ("/a/-1", None),
        ("/e", None),
        ("/z", None),
        ("/missing", None),
    ] {
        let from = json!({"stdout": "json", "pointer": pointer});
        assert_eq!(read(from, text).as_deref(), answer, "{pointer}");
    }
    let whole = json!({"stdout": "json", "pointer": ""});
    assert_eq!(read(whole, "warning\n[1, 2]\n").as_deref(), Some("[1,2]"));
}

#[test]
fn json_begins_at_a_line_and_half_a_value_is_none() {
    let from = json!({"stdout": "json", "pointer": "/r"});
    for (text, answer) in [
        (r#"{"r": "whole"}"#, Some("whole")),
        ("log {x}\n{\"r\": \"behind\"} and more", Some("behind")),
        ("log {\"r\": \"inside of a line\"}", None),
        ("{broken\n{\"r\": \"second\"}", Some("second")),
        (r#"{"r": "half"#, None),
        ("", None),
    ] {
        assert_eq!(read(from.clone(), text).as_deref(), answer, "{text}");
    }
}

#[test]
fn lines_are_chosen_by_all_of_their_fields() {
    let text = "\
        {\"type\":\"say\",\"by\":{\"who\":\"user\"},\"t\":\"hello\"}\n\
        {\"type\":\"say\",\"by\":{\"who\":\"agent\"},\"t\":\"one\"}\n\
        {\"type\":\"say\",\"by\":{\"who\":\"agent\"},\"t\":\"two\"}\n\
        {\"type\":\"end\",\"n\":2}\n\
        [\"say\"]\n{\"type\":\"say\",\"by\":{\"who\":\"age";
    let of = |wanted: Value, take: &str| json!({"stdout": "jsonl", "pointer": "/t", "where": wanted, "take": take});
    let agent = json!({"type": "say", "/by/who": "agent"});
    for (from, answer) in [
        (of(agent.clone(), "last"), Some("two")),
        (of(agent, "join"), Some("onetwo")),
        (of(json!({"/by/who": "user"}), "last"), Some("hello")),
        (of(json!({"type": "none"}), "last"), None),
        (of(json!({"type": "none"}), "join"), None),
        // A number is not its text.
        (of(json!({"n": "2"}), "last"), None),
        (json!({"stdout": "jsonl", "pointer": "/n", "where": {"n": 2}}), Some("2")),
        (json!({"stdout": "jsonl", "pointer": "/t"}), Some("two")),
    ] {
        assert_eq!(read(from.clone(), text).as_deref(), answer, "{from}");
    }
}

#[test]
fn without_the_line_that_begins_the_answer_all_lines_count() {
    let from = json!({"stdout": "jsonl", "pointer": "/t", "take": "join", "after": {"type": "tool"}});
    let text = "{\"t\":\"a\"}\n{\"t\":\"b\"}\n";
    assert_eq!(read(from.clone(), text).as_deref(), Some("ab"));
    let called_last = format!("{text}{{\"type\":\"tool\"}}\n");
    assert_eq!(read(from, &called_last), None, "it called a tool and said nothing");
}

#[test]
fn the_marker_is_a_whole_line_and_its_blanks_do_not_count() {
    let from = json!({"after": " ===FINAL=== "});
    for (text, answer) in [
        ("a\n===FINAL===\nb", Some("b")),
        ("a\n  ===FINAL===\r\nb\r\n", Some("b")),
        ("say ===FINAL===\nb", None),
        ("a\n===FINAL===", None),
        ("a\n===FINAL===\n \n", None),
        ("===FINAL===\n\u{1b}[32mgreen\u{1b}[0m", Some("green")),
    ] {
        assert_eq!(read(from.clone(), text).as_deref(), answer, "{text:?}");
    }
}
