//! Reads a level's file: lists every fault and keeps every task that can be run.

use super::Task;
use crate::finding::{Fault, Problem};
use crate::level::Level;
use crate::say;
use crate::sentence::Sentence;
use crate::text;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The tasks of a level's file in order, and all faults of the file.
///
/// A task is left out if it has no id, another task's id, or no question. All other faults are
/// warnings.
pub fn parse_level(level: &Level, content: &Value) -> (Vec<Task>, Vec<Problem>) {
    let Value::Array(entries) = content else {
        return (Vec::new(), vec![Fault::Form.rejected(say!("must be an array of tasks"))]);
    };
    let (mut tasks, mut problems, mut ids) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (i, entry) in entries.iter().enumerate() {
        let (task, found) = check_task(level, entry, &mut ids);
        let place = || format!("task {}", i + 1);
        problems.extend(found.into_iter().map(|problem| match problem.task {
            Some(_) => problem,
            None => problem.in_task(place()),
        }));
        tasks.extend(task);
    }
    (tasks, problems)
}

/// Reads one task of a level. Returns the task, unless it has to be left out, and all its faults.
///
/// The id of the task must not be in `taken`, and is added to it.
pub fn check_task(
    level: &Level,
    entry: &Value,
    taken: &mut BTreeSet<String>,
) -> (Option<Task>, Vec<Problem>) {
    let (id, raw) = match identify(entry, taken) {
        Err(problem) => return (None, vec![problem]),
        Ok(identified) => identified,
    };
    let task = Task { id, level: level.clone(), raw };
    let faults: Vec<Problem> = faults(&task).into_iter().map(|p| p.in_task(&task.id)).collect();
    let usable = !faults.iter().any(Problem::is_error);
    (usable.then_some(task), faults)
}

fn identify(entry: &Value, ids: &mut BTreeSet<String>) -> Result<(String, Map<String, Value>), Problem> {
    let Value::Object(raw) = entry else {
        return Err(Fault::Form.rejected(say!("must be an object")));
    };
    let id = match raw.get("task_id") {
        None => return Err(Fault::Missing.rejected(say!("is missing")).at("task_id")),
        Some(Value::String(id)) if !id.trim().is_empty() => id.clone(),
        Some(_) => {
            return Err(Fault::Form.rejected(say!("must be a text that is not empty")).at("task_id"));
        }
    };
    if !ids.insert(id.clone()) {
        return Err(Fault::Taken.rejected(say!("the id `{id}` is already taken in this file")).at("task_id"));
    }
    Ok((id, raw.clone()))
}

fn faults(task: &Task) -> Vec<Problem> {
    let mut problems = Vec::new();
    instruction(task, &mut problems);
    task_level(task, &mut problems);
    types(task, &mut problems);
    for field in ["golden_action", "fallback_options"] {
        actions(task, field, &mut problems);
    }
    if task.level == Level::L5 {
        injection(task, &mut problems);
    }
    if task.level.is_multi_turn() {
        conversation(task, &mut problems);
    }
    let calls = &["golden_action", "conversation_tracking"];
    if task.expected_tools().is_empty() && calls.iter().any(|field| task.raw.contains_key(*field)) {
        problems.push(
            Fault::Missing
                .warning(say!("names no tool, so the model will be offered none"))
                .at("golden_action"),
        );
    }
    problems
}

fn instruction(task: &Task, found: &mut Vec<Problem>) {
    let why = match task.raw.get("instruction") {
        None => say!("is missing"),
        Some(Value::String(text)) if !text.trim().is_empty() => return,
        Some(Value::String(_)) => say!("is empty"),
        Some(_) => say!("must be a text"),
    };
    // A conversation has its questions in its user turns.
    let problem =
        if task.level.is_multi_turn() { Fault::Form.warning(why) } else { Fault::Form.rejected(why) };
    found.push(problem.at("instruction"));
}

fn task_level(task: &Task, found: &mut Vec<Problem>) {
    // Only tasks of Ko-AgentBench state it.
    let Some(number) = task.level.number() else { return };
    let why = match task.raw.get("task_level") {
        None => say!("is missing; published logs have 0 in this case, and this file is of level {}", number),
        Some(value) => match value.as_i64() {
            None => say!("must be an integer"),
            Some(n) if n == i64::from(number) => return,
            Some(n) => say!("is {n}, but the task is in the file of {}", task.level),
        },
    };
    found.push(Fault::Form.warning(why).at("task_level"));
}

fn types(task: &Task, found: &mut Vec<Problem>) {
    type Check = fn(&Value) -> bool;
    let texts: Check = |value| value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
    let table: [(&str, &str, Check); 13] = [
        ("task_category", text!("a text"), Value::is_string),
        ("available_tools", text!("an array of tool names"), texts),
        ("essential_tools", text!("an array of tool names"), texts),
        ("minimum_steps", text!("an integer"), Value::is_i64),
        ("minimum_calls", text!("an integer"), Value::is_i64),
        ("minimum_sources", text!("an integer"), Value::is_i64),
        ("repetitions", text!("an integer"), Value::is_i64),
        ("data_flow", text!("an array"), Value::is_array),
        ("golden_fields", text!("an array"), Value::is_array),
        ("long_term_tests", text!("an array"), Value::is_array),
        ("resp_schema", text!("an object"), Value::is_object),
        ("arg_schema", text!("an object"), Value::is_object),
        ("conversation_tracking", text!("an object"), Value::is_object),
    ];
    for (field, form, fits) in table {
        if task.raw.get(field).is_some_and(|value| !value.is_null() && !fits(value)) {
            let why = say!("must be {wanted}", wanted = Sentence::from(form));
            found.push(Fault::Form.warning(why).at(field));
        }
    }
}

fn actions(task: &Task, field: &str, found: &mut Vec<Problem>) {
    let entries = match task.raw.get(field) {
        Some(Value::Array(entries)) => entries,
        None => {
            let is_required = match field {
                "golden_action" => task.level != Level::L7,
                _ => task.level == Level::L5,
            };
            if is_required {
                found.push(
                    Fault::Missing
                        .warning(say!("is missing, so metrics that need it stay unscored"))
                        .at(field),
                );
            }
            return;
        }
        Some(_) => {
            found.push(Fault::Form.warning(say!("must be an array of calls")).at(field));
            return;
        }
    };
    for (i, entry) in entries.iter().enumerate() {
        let mut fault = |part: &str, why: Sentence| {
            found.push(Fault::Form.warning(why).at(format!("{field}[{i}]{part}")));
        };
        let Value::Object(entry) = entry else {
            fault("", say!("must be an object"));
            continue;
        };
        match entry.get("tool") {
            Some(tool) if !tool.is_string() => fault(".tool", say!("must be a text")),
            None if !entry.contains_key("action") && !entry.contains_key("context_used") => {
                fault("", say!("names no tool"));
            }
            _ => {}
        }
        if entry.get("args").is_some_and(|args| !args.is_object()) {
            fault(".args", say!("must be an object"));
        }
        if entry.get("step").is_some_and(|step| !step.is_i64()) {
            fault(".step", say!("must be an integer"));
        }
    }
}

fn injection(task: &Task, found: &mut Vec<Problem>) {
    let why = match task.raw.get("error_injection") {
        None => say!("is missing, so no failure is injected and the metrics of L5 stay unscored"),
        Some(_) if task.error_injection().is_some() => return,
        Some(_) => say!("must be an object with the texts tool and error_type"),
    };
    found.push(Fault::Form.warning(why).at("error_injection"));
}

fn conversation(task: &Task, found: &mut Vec<Problem>) {
    let turns = task.turns();
    if !turns.iter().any(|turn| turn.role == "user" && !turn.content.trim().is_empty()) {
        let why = say!("has no user turn with a text, so there is nothing to ask");
        found.push(Fault::Missing.rejected(why).at("conversation_tracking.turns"));
        return;
    }
    for (i, turn) in turns.iter().enumerate() {
        let mut fault = |part: &str, why: Sentence| {
            found.push(Fault::Form.warning(why).at(format!("conversation_tracking.turns[{i}].{part}")));
        };
        if !matches!(turn.role.as_str(), "user" | "assistant") {
            fault("role", say!("must be `user` or `assistant`"));
        }
        if i > 0 && turn.number <= turns[i - 1].number {
            fault("turn_number", say!("must rise from turn to turn"));
        }
        if turn.actions.iter().any(|action| action.result.is_none()) {
            fault("action.result", say!("is missing, so the model will see a call without an answer"));
        }
    }
    let numbers: Vec<i64> = turns.iter().map(|turn| turn.number).collect();
    if let Some(tested) = task.evaluated_turn()
        && !numbers.contains(&tested)
    {
        let why = say!("the tested turn {tested} does not exist");
        found.push(Fault::Missing.warning(why).at("conversation_tracking"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Ids kept, and every problem as text.
    fn check(level: Level, content: &Value) -> (Vec<String>, Vec<String>) {
        let (tasks, problems) = parse_level(&level, content);
        (tasks.into_iter().map(|t| t.id).collect(), problems.iter().map(ToString::to_string).collect())
    }

    fn sound(id: &str) -> Value {
        json!({"task_id": id, "instruction": "물어보기", "task_level": 1, "golden_action": [{"tool": "a", "args": {}}]})
    }

    #[test]
    fn sound_tasks_are_kept_without_a_word() {
        assert_eq!(
            check(Level::L1, &json!([sound("A"), sound("B")])),
            (vec!["A".into(), "B".into()], vec![])
        );
    }

    #[test]
    fn a_file_that_is_no_list_has_one_problem() {
        assert_eq!(
            check(Level::L1, &json!({})),
            (vec![], vec!["must be an array of tasks (left out)".to_owned()])
        );
    }

    #[test]
    fn broken_tasks_are_named_and_the_rest_is_kept() {
        let mut no_text = sound("N");
        no_text["instruction"] = json!(7);
        let content = json!([1, {}, {"task_id": ""}, sound("A"), sound("A"), no_text, sound("B")]);
        let (kept, problems) = check(Level::L1, &content);
        assert_eq!(kept, ["A", "B"]);
        insta::assert_snapshot!(problems.join("\n"), @r"
        task 1: must be an object (left out)
        task 2: task_id: is missing (left out)
        task 3: task_id: must be a text that is not empty (left out)
        task 5: task_id: the id `A` is already taken in this file (left out)
        N: instruction: must be a text (left out)
        ");
    }

    #[test]
    fn faults_that_still_allow_running_are_warnings() {
        let content = json!([{
            "task_id": "X", "instruction": "?", "task_category": 3, "minimum_steps": "2",
            "golden_action": [{"tool": 1}, {"args": []}, 5, {"tool": "a", "args": [], "step": "1"}],
            "error_injection": {"tool": "a"}
        }]);
        let (kept, problems) = check(Level::L5, &content);
        assert_eq!(kept, ["X"]);
        insta::assert_snapshot!(problems.join("\n"), @r"
        X: task_level: is missing; published logs have 0 in this case, and this file is of level 5
        X: task_category: must be a text
        X: minimum_steps: must be an integer
        X: golden_action[0].tool: must be a text
        X: golden_action[1]: names no tool
        X: golden_action[1].args: must be an object
        X: golden_action[2]: must be an object
        X: golden_action[3].args: must be an object
        X: golden_action[3].step: must be an integer
        X: fallback_options: is missing, so metrics that need it stay unscored
        X: error_injection: must be an object with the texts tool and error_type
        ");
    }

    #[test]
    fn conversations_need_something_to_ask() {
        let content = json!([
            {"task_id": "A", "instruction": "?", "task_level": 7, "conversation_tracking": {"turns": [
                {"turn_number": 1, "role": "user", "content": "가"},
                {"turn_number": 1, "role": "robot", "content": "나", "action": {"tool": "t", "args": {}}}
            ]}, "long_term_tests": [{"test_turn": 9}]},
            {"task_id": "B", "task_level": 7}
        ]);
        let (kept, problems) = check(Level::L7, &content);
        assert_eq!(kept, ["A"]);
        insta::assert_snapshot!(problems.join("\n"), @r"
        A: conversation_tracking.turns[1].role: must be `user` or `assistant`
        A: conversation_tracking.turns[1].turn_number: must rise from turn to turn
        A: conversation_tracking.turns[1].action.result: is missing, so the model will see a call without an answer
        A: conversation_tracking: the tested turn 9 does not exist
        B: instruction: is missing
        B: conversation_tracking.turns: has no user turn with a text, so there is nothing to ask (left out)
        ");
    }
}
