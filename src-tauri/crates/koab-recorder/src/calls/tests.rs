use super::*;

#[test]
fn a_line_is_a_call_by_either_name_of_its_tool() {
    let text = "{\"tool\": \"echo\", \"arguments\": {\"b\": 1.0,  \"a\": 2}}\n\n  \n{\"name\": \"list\"}\n";
    let calls = read(text, "calls.jsonl").expect("calls");
    let told: Vec<_> =
        calls.iter().map(|call| (call.tool.as_str(), call.arguments.as_deref().map(RawValue::get))).collect();
    // Letter for letter as they stand in the file.
    assert_eq!(told, [("echo", Some("{\"b\": 1.0,  \"a\": 2}")), ("list", None)]);
    assert!(read("", "x").expect("none").is_empty());
}

#[test]
fn a_line_that_is_no_call_is_named_with_its_number() {
    for (text, line) in [
        ("{\"tool\": \"a\"}\n\nno JSON\n", 3),
        ("{\"arguments\": {}}", 1),
        ("{\"tool\": 1}", 1),
        ("\n[]\n", 2),
    ] {
        let said = read(text, "calls.jsonl").expect_err("refused").message.to_string();
        assert!(said.starts_with(&format!("calls.jsonl line {line} is not a call (")), "{said}");
        assert!(
            said.ends_with(r#"write lines such as {"tool": "echo", "arguments": {"message": "hi"}}"#),
            "{said}"
        );
    }
}
