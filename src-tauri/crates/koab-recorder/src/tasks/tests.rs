use super::*;
use crate::form::ServerForm;

fn recorded(calls: &[(u32, &str, Option<&str>, bool)]) -> Recorded {
    let tool = |name: &str| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
    let call = |(session, tool, arguments, is_error): &(u32, &str, Option<&str>, bool)| CallForm {
        session: *session,
        tool: (*tool).to_owned(),
        arguments: arguments.map(str::to_owned),
        result: Some(format!(r#"{{"isError":{is_error}}}"#)),
        ..CallForm::default()
    };
    Recorded {
        server: ServerForm { tools: vec![tool("read"), tool("write")], ..ServerForm::default() },
        calls: calls.iter().map(call).collect(),
    }
}

fn made(recorded: &Recorded, instructions: &[&str]) -> Vec<(Level, Value)> {
    let instructions: Vec<String> = instructions.iter().map(|text| (*text).to_owned()).collect();
    let made = tasks(recorded, &mut instructions.iter());
    let read = |(level, text): (Level, String)| (level, serde_json::from_str(&text).expect("JSON"));
    made.into_iter().map(read).collect()
}

#[test]
fn a_session_of_one_call_is_a_task_of_l1_and_one_of_several_of_l3() {
    let recorded = recorded(&[
        (1, "read", Some(r#"{"path":"a"}"#), false),
        (2, "read", None, false),
        (2, "write", Some(r#"{"n":1}"#), false),
        (2, "read", Some("{}"), false),
        (3, "write", Some("{}"), false),
    ]);
    let made = made(&recorded, &["첫째", "둘째"]);
    let ids: Vec<_> = made
        .iter()
        .map(|(level, task)| (level.clone(), task["task_id"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(ids, [(Level::L1, "L1-001"), (Level::L3, "L3-001"), (Level::L1, "L1-002")]);
    let instructions: Vec<_> =
        made.iter().map(|(_, task)| task["instruction"].as_str().unwrap_or("none")).collect();
    assert_eq!(instructions, ["첫째", "둘째", ""], "there are no more of them");
    assert_eq!(made[0].1["golden_action"], json!([{ "tool": "read", "args": { "path": "a" } }]));
    let several = &made[1].1;
    assert_eq!(
        several["golden_action"],
        json!([
            { "step": 1, "tool": "read", "args": {} },
            { "step": 2, "tool": "write", "args": { "n": 1 } },
            { "step": 3, "tool": "read", "args": {} },
        ])
    );
    assert_eq!(
        (&several["minimum_steps"], &several["essential_tools"]),
        (&json!(3), &json!(["read", "write"]))
    );
    let fields = json!([{ "tool": "read", "fields": [] }, { "tool": "write", "fields": [] }]);
    assert_eq!(several["golden_fields"], fields);
    assert_eq!(made[0].1.get("minimum_steps").filter(|steps| **steps == json!(3)), None);
}

#[test]
fn calls_that_came_to_nothing_are_in_no_task() {
    let recorded = recorded(&[
        (1, "read", Some("{}"), true),
        (2, "gone", Some("{}"), false),
        (3, "read", Some("[]"), false),
        (3, "read", Some("no JSON"), false),
        (4, "write", Some("{}"), true),
        (4, "read", Some("{}"), false),
    ]);
    let made = made(&recorded, &["only"]);
    let found: Vec<_> = made
        .iter()
        .map(|(level, task)| (level.clone(), task["golden_action"].clone(), task["instruction"].clone()))
        .collect();
    // Of the last session one call is left, so that it is one of L1, and it takes the first instruction.
    assert_eq!(found, [(Level::L1, json!([{ "tool": "read", "args": {} }]), json!("only"))]);
}
