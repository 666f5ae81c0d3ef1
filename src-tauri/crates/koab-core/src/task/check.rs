//! Compares a task with the tool catalog. It finds names of tools that do not exist, and golden
//! arguments that the tool's schema refuses.
//!
//! All findings are warnings. The published dataset has such faults (`docs/spec/tools.md` §12.2),
//! the published metrics include them, and a corrected task would be a different task.

use super::Task;
use crate::finding::{Fault, Problem};
use crate::say;
use crate::sentence::Sentence;
use crate::tool::ToolSpec;
use serde_json::{Map, Value};

/// Finds unknown tools, and arguments of golden calls, fallbacks and turns that do not fit the
/// tool's schema.
pub fn check_tools(task: &Task, tools: &[ToolSpec]) -> Vec<Problem> {
    let mut problems = Vec::new();
    names(task, tools, &mut problems);
    for StatedCall { place, action } in stated_calls(task) {
        let Some(name) = action.get("tool").and_then(Value::as_str) else {
            continue;
        };
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            problems.push(unknown(name).at(format!("{place}.tool")));
            continue;
        };
        let args = super::arguments(action);
        problems.extend(arguments(tool, &args).into_iter().map(|(argument, fault, why)| {
            let field = if argument.is_empty() {
                format!("{place}.args")
            } else {
                format!("{place}.args.{argument}")
            };
            fault.warning(why).at(field)
        }));
    }
    problems.into_iter().map(|problem| problem.in_task(&task.id)).collect()
}

fn unknown(name: &str) -> Problem {
    Fault::UnknownTool.warning(say!("there is no tool named `{name}`"))
}

/// Adds findings for unknown tools that the task names outside of calls.
fn names(task: &Task, tools: &[ToolSpec], found: &mut Vec<Problem>) {
    let mut mentions: Vec<(String, &str)> = Vec::new();
    for field in ["available_tools", "essential_tools"] {
        let tool_names = task.raw.get(field).and_then(Value::as_array).into_iter().flatten().enumerate();
        mentions.extend(tool_names.filter_map(|(i, name)| Some((format!("{field}[{i}]"), name.as_str()?))));
    }
    let fields = task.golden_fields().as_array().into_iter().flatten().enumerate();
    mentions.extend(
        fields.filter_map(|(i, f)| Some((format!("golden_fields[{i}].tool"), f.get("tool")?.as_str()?))),
    );
    if let Some((tool, _)) = task.error_injection() {
        mentions.push(("error_injection.tool".to_owned(), tool));
    }
    for (place, name) in mentions {
        if !tools.iter().any(|tool| tool.name == name) {
            found.push(unknown(name).at(place));
        }
    }
}

/// A call or another action in a task, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedCall<'a> {
    /// Path of the action in the task, such as `golden_action[1]`.
    pub place: String,
    /// The action, unchanged; it has no tool if it calls nothing.
    pub action: &'a Value,
}

/// Every action of the task, in the order of the golden path, the fallbacks and the turns.
pub fn stated_calls(task: &Task) -> Vec<StatedCall<'_>> {
    let mut all = Vec::new();
    for field in ["golden_action", "fallback_options"] {
        if let Some(stated) = task.raw.get(field) {
            flatten(field.to_owned(), stated, &mut all);
        }
    }
    let turns = task.raw.get("conversation_tracking").and_then(|tracking| tracking.get("turns"));
    for (i, turn) in turns.and_then(Value::as_array).into_iter().flatten().enumerate() {
        for field in ["action", "actions"] {
            if let Some(stated) = turn.get(field) {
                flatten(format!("conversation_tracking.turns[{i}].{field}"), stated, &mut all);
            }
        }
    }
    all
}

fn flatten<'a>(place: String, stated: &'a Value, all: &mut Vec<StatedCall<'a>>) {
    match stated {
        Value::Array(entries) => {
            for (i, entry) in entries.iter().enumerate() {
                flatten(format!("{place}[{i}]"), entry, all);
            }
        }
        action => all.push(StatedCall { place, action }),
    }
}

/// Faults of the arguments, each as (argument, kind, description). The argument is empty if the
/// fault concerns all arguments.
fn arguments(tool: &ToolSpec, args: &Map<String, Value>) -> Vec<(String, Fault, Sentence)> {
    let mut faults = Vec::new();
    let mut spoken_for: Vec<&str> = Vec::new();
    for (name, value) in args {
        if let Some(placeholder) = placeholder(value) {
            let why =
                say!("holds the unfilled placeholder `{placeholder}`, so the call cannot be made as stated");
            faults.push((name.clone(), Fault::Placeholder, why));
            spoken_for.push(name);
        } else if !tool.properties().any(|(declared, _)| declared == name) {
            faults.push((
                name.clone(),
                Fault::Arguments,
                say!("is not an argument of {} and is dropped", tool.name),
            ));
            spoken_for.push(name);
        }
    }
    // The catalog's own check reports a schema that cannot be compiled.
    let Ok(validator) = jsonschema::validator_for(&tool.parameters) else {
        return faults;
    };
    let value = Value::Object(args.clone());
    let mut broken = Vec::new();
    for error in validator.iter_errors(&value) {
        let path = error.instance_path().to_string();
        let argument = path.trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
        if !spoken_for.contains(&argument.as_str()) {
            broken.push((argument, Fault::Arguments, Sentence::from(error.to_string())));
        }
    }
    // The validator's order is its own; one sentence an argument is enough.
    broken.sort();
    broken.dedup_by(|later, earlier| later.0 == earlier.0 && !later.0.is_empty());
    faults.extend(broken);
    faults
}

/// The placeholder in a text, such as `{x}`, which is replaced by a value of an earlier step.
pub fn placeholder(value: &Value) -> Option<&str> {
    let text = value.as_str()?;
    let start = text.find('{')?;
    let length = text[start..].find('}')?;
    let name = &text[start + 1..start + length];
    let identifier = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    (!name.is_empty() && name.chars().all(identifier)).then(|| &text[start..=start + length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use serde_json::json;

    fn check(raw: Value) -> String {
        let tools = [ToolSpec {
            name: "Search".to_owned(),
            description: "search".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string"}, "size": {"type": "integer", "maximum": 15},
                    "x": {"type": "number"}, "unit": {"type": "string", "enum": ["1", "3"]}
                },
                "required": ["query"]
            }),
        }];
        let raw = raw.as_object().expect("an object").clone();
        let task = Task { id: "T".to_owned(), level: Level::L1, raw };
        check_tools(&task, &tools).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn sound_calls_pass_without_a_word() {
        assert_eq!(
            check(json!({"golden_action": [{"tool": "Search", "args": {"query": "{ 가 } {}", "size": 3}}]})),
            ""
        );
    }

    #[test]
    fn unknown_tools_are_named_wherever_they_stand() {
        let found = check(json!({
            "golden_action": [{"action": "context_used"}, {"tool": "A", "args": {}}],
            "fallback_options": [{"tool": "B", "args": {}}],
            "available_tools": ["Search", "C"], "golden_fields": [{"tool": "D"}],
            "error_injection": {"tool": "E", "error_type": "timeout"},
            "conversation_tracking": {"turns": [{"action": {"tool": "F"}}, {"actions": [{"tool": "G"}]}]}
        }));
        insta::assert_snapshot!(found, @r"
        T: available_tools[1]: there is no tool named `C`
        T: golden_fields[0].tool: there is no tool named `D`
        T: error_injection.tool: there is no tool named `E`
        T: golden_action[1].tool: there is no tool named `A`
        T: fallback_options[0].tool: there is no tool named `B`
        T: conversation_tracking.turns[0].action.tool: there is no tool named `F`
        T: conversation_tracking.turns[1].actions[0].tool: there is no tool named `G`
        ");
    }

    #[test]
    fn arguments_that_break_the_schema_are_named_with_the_reason() {
        let found = check(json!({"golden_action": [
            {"tool": "Search", "args": {"page": 1}},
            {"tool": "Search", "args": {"query": "근처 {place}", "x": "{x}"}},
            {"tool": "Search", "args": {"query": "q", "x": "127.0", "unit": 1, "size": 20}}
        ]}));
        insta::assert_snapshot!(found, @r#"
        T: golden_action[0].args.page: is not an argument of Search and is dropped
        T: golden_action[0].args: "query" is a required property
        T: golden_action[1].args.query: holds the unfilled placeholder `{place}`, so the call cannot be made as stated
        T: golden_action[1].args.x: holds the unfilled placeholder `{x}`, so the call cannot be made as stated
        T: golden_action[2].args.size: 20 is greater than the maximum of 15
        T: golden_action[2].args.unit: 1 is not of type "string"
        T: golden_action[2].args.x: "127.0" is not of type "number"
        "#);
    }
}
