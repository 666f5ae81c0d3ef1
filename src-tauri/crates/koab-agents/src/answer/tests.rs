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
    assert_eq!(
        read(json!({"after": "===FINAL==="}), text).as_deref(),
        Some("yes\nindeed")
    );
    assert_eq!(read(json!({"after": "===FINAL==="}), "yes"), None);
}
