//! Templates of new tasks and tools: every field of the level, filled except where only the author
//! knows the value.

use super::pretty;
use koab_core::level::Level;
use koab_core::tool::ToolSpec;
use serde_json::{Map, Value, json};

/// Arguments of the golden call in the example task. A cached response answers it.
pub const EXAMPLE_ARGUMENTS: &str = r#"{"query": "우산"}"#;
/// Cached response of the example's golden call.
pub const EXAMPLE_RESPONSE: &str =
    r#"{"items": [{"title": "우산 챙기기", "text": "금요일 오후에 비가 온다고 했다."}]}"#;

/// JSON text of the example tool in a new pack.
pub fn example_tool() -> String {
    pretty(&json!({
        "name": "Memo_search",
        "description": "적어 둔 메모에서 낱말이 들어 있는 것을 찾는다.",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "찾을 낱말"},
                "size": {"type": "integer", "description": "가장 많이 찾을 개수", "minimum": 1, "maximum": 20, "default": 5}
            },
            "required": ["query"]
        }
    }))
}

/// JSON text of the example task in a new pack. A cached response answers its golden call.
pub fn example_task() -> String {
    pretty(&json!({
        "task_id": "L1-001",
        "instruction": "내 메모에서 '우산'을 찾아 언제 비가 온다고 적었는지 알려 줘.",
        "task_level": 1,
        "task_category": "Single Tool",
        "golden_action": [{"tool": "Memo_search", "args": {"query": "우산"}}],
        "golden_fields": [{"tool": "Memo_search", "fields": ["items[0].text"]}],
        "arg_schema": {"query": {"type": "string", "required": true}, "size": {"type": "integer"}},
        "resp_schema": {"type": "string"}
    }))
}

/// JSON text of a new tool without description and parameters.
pub fn tool_template(name: &str) -> String {
    pretty(&json!({
        "name": name,
        "description": "",
        "parameters": {"type": "object", "properties": {}, "required": []}
    }))
}

/// JSON text of a new task of this level, to be filled in. Its calls use the first tool, if there
/// is one.
pub fn task_template(level: &Level, id: &str, tools: &[ToolSpec]) -> String {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    let tool = tools.first();
    let name = tool.map_or("", |tool| tool.name.as_str());
    let call = json!({"tool": name, "args": arguments(tool)});
    put("task_id", id.into());
    put("instruction", "".into());
    put("task_level", level.number().unwrap_or_default().into());
    put("task_category", category(level).into());
    if *level == Level::L2 {
        let names: Vec<&str> = tools.iter().take(4).map(|tool| tool.name.as_str()).collect();
        put("available_tools", names.into());
    }
    match level {
        Level::L3 => {
            let mut first = json!({"step": 1});
            for (key, value) in call.as_object().into_iter().flatten() {
                first[key] = value.clone();
            }
            put("golden_action", json!([first]));
        }
        Level::L6 => {
            put("golden_action", json!([call.clone(), {"action": "context_used"}]));
        }
        Level::L7 => {}
        _ => {
            put("golden_action", json!([call.clone()]));
        }
    }
    put("golden_fields", json!([{"tool": name, "fields": []}]));
    match level {
        Level::L1 => {
            put("arg_schema", argument_schema(tool));
            put("resp_schema", json!({"type": "string"}));
        }
        Level::L2 => {}
        Level::L3 => {
            put("minimum_steps", 2.into());
            put("essential_tools", json!([name]));
            put(
                "data_flow",
                json!([{"from_step": "user_input", "from_output": "", "to_step": 1, "to_parameter": ""}]),
            );
        }
        Level::L4 => {
            put("minimum_sources", 2.into());
            put(
                "decision",
                json!({"decision_type": "multi_criteria", "criteria": "", "primary_criteria": ""}),
            );
        }
        Level::L5 => {
            put("error_injection", json!({"tool": name, "error_type": "timeout"}));
            put("fallback_options", json!([call]));
        }
        Level::L6 => {
            put("minimum_calls", 1.into());
            put("freshness_threshold", "24h".into());
            put("conversation_tracking", conversation(id, &call, json!({})));
        }
        Level::L7 => {
            let tested = json!({
                "context_plants": [{"turn": 1, "info": "", "type": "preference"}],
                "context_tests": [{"turn": 3, "should_remember": "", "trigger": "", "expected_action": call.clone()}]
            });
            put("conversation_tracking", conversation(id, &call, tested));
            put(
                "long_term_tests",
                json!([{"plant_turn": 1, "info": "", "test_turn": 3, "time_distance": 2, "trigger": ""}]),
            );
        }
        // Drafts contain only tasks of Ko-AgentBench.
        _ => {}
    }
    pretty(&Value::Object(fields))
}

fn conversation(id: &str, call: &Value, tested: Value) -> Value {
    let mut action = call.clone();
    action["result"] = json!({});
    let mut tracking = json!({
        "conversation_id": format!("conv-{id}"),
        "turns": [
            {"turn_number": 1, "role": "user", "content": ""},
            {"turn_number": 2, "role": "assistant", "content": "", "action": action},
            {"turn_number": 3, "role": "user", "content": ""}
        ]
    });
    if tested.as_object().is_some_and(|tested| !tested.is_empty()) {
        tracking["evaluation_context"] = tested;
    }
    tracking
}

fn category(level: &Level) -> &'static str {
    match level {
        Level::L1 => "Single Tool",
        Level::L2 => "Tool Retrieval & Selection",
        Level::L3 => "Multi Tool Sequential",
        Level::L4 => "Multi Tool Parallel",
        Level::L5 => "Robustness",
        Level::L6 => "Efficiency",
        Level::L7 => "Long-term Context",
        _ => "",
    }
}

/// Required arguments of a tool, each with an empty value of its type.
fn arguments(tool: Option<&ToolSpec>) -> Value {
    let mut args = Map::new();
    if let Some(tool) = tool {
        for name in tool.required() {
            let schema = tool.parameters.pointer("/properties").and_then(|all| all.get(name));
            args.insert(name.to_owned(), empty(schema));
        }
    }
    Value::Object(args)
}

fn empty(schema: Option<&Value>) -> Value {
    let Some(schema) = schema else {
        return Value::from("");
    };
    if let Some(preset) = schema.get("default").or_else(|| schema.get("enum")?.get(0)) {
        return preset.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| 0.into()),
        Some("boolean") => false.into(),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => "".into(),
    }
}

/// Arguments of a tool in the form of `arg_schema` in L1 tasks.
fn argument_schema(tool: Option<&ToolSpec>) -> Value {
    let mut fields = Map::new();
    if let Some(tool) = tool {
        let required: Vec<&str> = tool.required().collect();
        for (name, schema) in tool.properties() {
            let mut one = Map::new();
            for field in ["type", "enum"] {
                if let Some(value) = schema.get(field) {
                    one.insert(field.to_owned(), value.clone());
                }
            }
            if required.contains(&name.as_str()) {
                one.insert("required".to_owned(), true.into());
            }
            fields.insert(name.clone(), Value::Object(one));
        }
    }
    Value::Object(fields)
}

/// The first id for a task of the given level that is not in `taken`.
pub fn free_id<'a>(level: &Level, taken: impl Iterator<Item = &'a str> + Clone) -> String {
    first_free(taken, |n| format!("{level}-{n:03}"), 1)
}

/// A free name: `wanted`, or `wanted` with a number after it if the name is already in `taken`.
pub fn free_name<'a>(wanted: &str, taken: impl Iterator<Item = &'a str> + Clone) -> String {
    let mut names = taken.clone();
    if !names.any(|name| name == wanted) {
        return wanted.to_owned();
    }
    first_free(taken, |n| format!("{wanted}_{n}"), 2)
}

fn first_free<'a>(
    taken: impl Iterator<Item = &'a str> + Clone,
    name: impl Fn(usize) -> String,
    from: usize,
) -> String {
    let mut n = from;
    while taken.clone().any(|known| known == name(n)) {
        n += 1;
    }
    name(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::{DraftTask, TakenIds, check_task};

    #[test]
    fn a_new_task_of_any_level_lacks_only_what_its_author_says() {
        let tools: Vec<ToolSpec> = vec![serde_json::from_str(&example_tool()).expect("a tool")];
        for level in Level::ALL {
            let text = task_template(&level, "X-1", &tools);
            let checked = check_task(&DraftTask { level: level.clone(), text }, &mut TakenIds::new(), &tools);
            let found: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
            let wanted = if level.is_multi_turn() {
                vec![
                    "X-1: instruction: is empty".to_owned(),
                    "X-1: conversation_tracking.turns: has no user turn with a text, so there is nothing to ask (left out)"
                        .to_owned(),
                ]
            } else {
                vec!["X-1: instruction: is empty (left out)".to_owned()]
            };
            assert_eq!(found, wanted, "{level}");
        }
    }

    #[test]
    fn free_ids_and_names_are_the_first_ones() {
        assert_eq!(free_id(&Level::L2, ["L2-001", "L2-003"].into_iter()), "L2-002");
        assert_eq!(free_name("a", ["b"].into_iter()), "a");
        assert_eq!(free_name("a", ["a", "a_2"].into_iter()), "a_3");
    }
}
